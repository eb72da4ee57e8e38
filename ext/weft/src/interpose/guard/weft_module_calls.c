/*
 * The handlers that stand in the place of those of all functions and methods of modules that are not proven, and of
 * clients of servers.
 *
 * The plain handler is kept in the function itself, in the word that the engine gives to extensions: the word is copied
 * along with the handler, into classes that inherit the method and into closures that are made of it.
 */
#include "interpose/guard/weft_module_tables.h"
#include "interpose/guard/weft_handle_turn.h"
#include "interpose/guard/weft_soap.h"
#include "coroutine/weft_client_call.h"

#include "zend_extensions.h"

static int word = -1;

static void release(void *object)
{
	OBJ_RELEASE((zend_object *) object);
}

/* Whoever is refused has not entered. The engine frees an object whose constructor throws at once, and without
 * object_destruct(). */
static zend_never_inline void refused(const zend_execute_data *execute_data)
{
	if ((EX(func)->common.fn_flags & ZEND_ACC_CTOR) && weft_current) {
		GC_ADDREF(Z_OBJ(EX(This)));
		weft_module_later(release, Z_OBJ(EX(This)));
	}
}

static ZEND_FUNCTION(weft_module_call)
{
	zif_handler plain = (zif_handler) EX(func)->internal_function.reserved[word];
	weft_module_frame frame;
	const void *outer;

	if (UNEXPECTED(!weft_module_enter(&frame, EX(func)->internal_function.module))) {
		refused(execute_data);
		return;
	}
	if (frame.monitor) {
		outer = weft_client_call_begin(execute_data);
		plain(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		weft_client_call_end(execute_data, outer);
	} else {
		plain(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	}
	weft_module_leave(&frame);
	weft_module_result_wrap(return_value);
}

static ZEND_FUNCTION(weft_soap)
{
	weft_soap_enter((zif_handler) EX(func)->internal_function.reserved[word], INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static ZEND_FUNCTION(weft_client_call)
{
	weft_handle_turn turn = {NULL, 0};
	const void *outer;

	if (UNEXPECTED(weft_among_others()) &&
		!weft_handle_turn_begin(&turn, weft_client_handle(execute_data), "the same connection")) {
		return;
	}
	outer = weft_client_call_begin(execute_data);
	((zif_handler) EX(func)->internal_function.reserved[word])(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	weft_client_call_end(execute_data, outer);
	weft_handle_turn_end(&turn);
}

static void exchange(zend_internal_function *function, zif_handler handler)
{
	function->reserved[word] = (void *) function->handler;
	function->handler = handler;
}

void weft_module_function_wrap(zend_function *function, const zend_module_entry *module)
{
	zend_internal_function *internal = &function->internal_function;

	if (function->type == ZEND_INTERNAL_FUNCTION && !internal->module && internal->handler != zif_weft_module_call &&
		(internal->fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE)) {
		internal->module = (zend_module_entry *) module;
		exchange(internal, zif_weft_module_call);
	}
}

/* NULL: it stays as it is. */
static zif_handler handler_for(const zend_internal_function *function)
{
	const zend_module_entry *module = function->module;

	if (weft_module_kind_of(module) != WEFT_MODULE_PROVEN) {
		return zif_weft_module_call;
	}
	if (weft_client_call_is_one(function)) {
		return zif_weft_client_call;
	}
	return module && strcmp(module->name, "soap") == 0 && weft_soap_globals() ? zif_weft_soap : NULL;
}

static void wrap_one(zend_function *function)
{
	zend_internal_function *internal = &function->internal_function;
	zif_handler handler;

	/* an abstract method has no handler; a function that was replaced later still has its word */
	if (function->type != ZEND_INTERNAL_FUNCTION || !internal->handler || internal->reserved[word]) {
		return;
	}
	handler = handler_for(internal);
	if (handler) {
		exchange(internal, handler);
	}
}

static void wrap_all(HashTable *functions)
{
	zend_function *function;

	ZEND_HASH_MAP_FOREACH_PTR(functions, function) {
		wrap_one(function);
	}
	ZEND_HASH_FOREACH_END();
}

void weft_module_calls_wrap(void)
{
	zend_class_entry *class;

	if (word < 0) {
		return;
	}
	wrap_all(CG(function_table));
	ZEND_HASH_MAP_FOREACH_PTR(CG(class_table), class) {
		wrap_all(&class->function_table);
		if (class->type == ZEND_INTERNAL_CLASS &&
			weft_module_kind_of(class->info.internal.module) != WEFT_MODULE_PROVEN) {
			weft_module_class_wrap(class, class->info.internal.module);
		}
	}
	ZEND_HASH_FOREACH_END();
	weft_module_wrappers_wrap();
	weft_client_rows_wrap();
}

bool weft_module_calls_prepare(void)
{
	/* FFI takes the first for its own functions without asking */
	while (word <= 0) {
		int next = zend_get_resource_handle("weft");

		if (next <= word) {
			return false;
		}
		word = next;
	}
	return word >= 0;
}
