/*
 * Objects of the boot that keep state in C that can't be copied: a generator that has begun, an iterator over an
 * iterator, a document. In a request whatever would read or change that state throws: methods, functions that get the
 * object, loops, properties and elements that the class has in C. Functions and classes are exchanged before a script
 * is compiled: compiled code, and classes in OPcache's shared memory, have copies of them.
 */
#include "handles/weft_handles_internal.h"
#include "coroutine/weft_wrap.h"
#include "domain/weft_domain.h"
#include "domain/hidden/weft_hidden.h"
#include "interpose/guard/weft_modules.h"
#include "zend_closures.h"
#include "zend_generators.h"

uint32_t weft_refused_objects;
static HashTable refused; /* object number => the object */
static HashTable wrapped; /* modules */
static bool begun;

static bool is_refused(const zend_object *object)
{
	return weft_refused_objects && weft_domain_in_place &&
		zend_hash_index_find_ptr(&refused, object->handle) == (void *) object;
}

static bool refuse_use(const zend_object *object)
{
	weft_handle_refuse(ZSTR_VAL(object->ce->name), weft_made_at(object),
		"it keeps state that can't be copied, so all requests would share it");
	return true;
}

/* Objects that answer the same to all as long as nobody sets them, and whose calls are not left in the middle. */
bool weft_refused_only_to_change(zend_class_entry *ce)
{
	static const char *const names[] = {"Collator", "finfo", "IntlDateFormatter", "IntlDatePatternGenerator",
		"IntlTimeZone", "MessageFormatter", "NumberFormatter", "ResourceBundle", "Spoofchecker", "Transliterator"};

	ce = weft_internal_ancestor(ce);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (zend_string_equals_cstr(ce->name, names[i], strlen(names[i]))) {
			return true;
		}
	}
	return false;
}

bool weft_refused_use(const zend_object *object)
{
	return UNEXPECTED(is_refused(object)) && !weft_refused_only_to_change(object->ce) && refuse_use(object);
}

/* --- functions and methods --- */

static int plain_slot = -1;

#define PLAIN(function) ((zif_handler) (function)->internal_function.reserved[plain_slot])

/* finfo::set_flags(), finfo_set_flags(), NumberFormatter::setPattern() */
static bool changes(const zend_function *function)
{
	const char *name = ZSTR_VAL(function->common.function_name);

	return strncmp(name, "set", 3) == 0 || strstr(name, "_set_") || (function->common.fn_flags & ZEND_ACC_CTOR);
}

static bool may_not_have(const zend_function *function, const zend_object *object)
{
	return weft_refused_use(object) || (is_refused(object) && changes(function) && refuse_use(object));
}

static bool uses_refused(zend_execute_data *execute_data)
{
	if (Z_TYPE(EX(This)) == IS_OBJECT && may_not_have(EX(func), Z_OBJ(EX(This)))) {
		return true;
	}
	for (uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(execute_data); i++) {
		const zval *argument = ZEND_CALL_ARG(execute_data, i);

		if (Z_TYPE_P(argument) == IS_OBJECT && may_not_have(EX(func), Z_OBJ_P(argument))) {
			return true;
		}
	}
	return false;
}

static ZEND_FUNCTION(weft_refused_call)
{
	if (UNEXPECTED(weft_refused_objects && weft_domain_in_place && uses_refused(execute_data))) {
		return;
	}
	PLAIN(EX(func))(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/* Where a module has such a class, its functions may get objects of it. Of these modules none does: they look into an
 * object by a loop or a method only. */
static bool has_other_functions(const zend_module_entry *module)
{
	static const char *const names[] = {"Core", "standard", "SPL", "Reflection", "weft"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(module->name, names[i]) == 0) {
			return true;
		}
	}
	return false;
}

static void wrap(zend_function *function)
{
	/* var_dump() and a debugger may look, and an exception there is fatal: Generator has it since PHP 8.4 */
	bool only_looks = zend_string_equals_literal_ci(function->common.function_name, "__debuginfo");
	zif_handler plain = function->type == ZEND_INTERNAL_FUNCTION && !only_looks && !weft_handle_call_is(function)
		? weft_wrap_function(function, zif_weft_refused_call)
		: NULL;

	/* the wrapper of handles asks weft_refused_use() as well */
	if (plain) {
		function->internal_function.reserved[plain_slot] = (void *) plain;
	}
}

/* Of one module; NULL: of all. */
static void wrap_all(HashTable *functions, const zend_module_entry *module)
{
	zend_function *function;

	ZEND_HASH_MAP_FOREACH_PTR(functions, function) {
		if (!module || (function->type == ZEND_INTERNAL_FUNCTION && function->internal_function.module == module)) {
			wrap(function);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void wrap_module(const zend_module_entry *module)
{
	zend_class_entry *ce;

	wrap_all(CG(function_table), module);
	ZEND_HASH_MAP_FOREACH_PTR(CG(class_table), ce) {
		if (ce->info.internal.module == module) {
			wrap_all(&ce->function_table, NULL);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* --- loops --- */

typedef zend_object_iterator *(*get_iterator)(zend_class_entry *ce, zval *object, int by_ref);

static HashTable iterators; /* class => its plain function */

static get_iterator plain_iterator(zend_class_entry *ce)
{
	void *plain = NULL;

	/* a class that was declared later has its parent's */
	for (; ce && !plain; ce = ce->parent) {
		plain = zend_hash_index_find_ptr(&iterators, (zend_ulong) (uintptr_t) ce >> 3);
	}
	return (get_iterator) plain;
}

static zend_object_iterator *guarded_iterator(zend_class_entry *ce, zval *object, int by_ref)
{
	return weft_refused_use(Z_OBJ_P(object)) ? NULL : plain_iterator(ce)(ce, object, by_ref);
}

static void guard_iterator(zend_class_entry *ce)
{
	zend_ulong key = (zend_ulong) (uintptr_t) ce >> 3;

	if (ce->get_iterator && ce->get_iterator != guarded_iterator && !zend_hash_index_exists(&iterators, key)) {
		zend_hash_index_add_new_ptr(&iterators, key, (void *) ce->get_iterator);
		ce->get_iterator = guarded_iterator;
	}
}

/* `yield from` looks into what is of the class Generator itself, and asks others for an iterator. So one that is
 * refused is of a class that is Generator in all else. */
static zend_class_entry refused_generator;

static void change_class(zend_object *generator)
{
	if (!refused_generator.parent) {
		refused_generator = *zend_ce_generator;
		refused_generator.parent = zend_ce_generator;
		guard_iterator(&refused_generator);
	}
	generator->ce = &refused_generator;
}

void weft_refused_class(zend_class_entry *ce)
{
	const zend_module_entry *module = ce->info.internal.module;

	if (ce != zend_ce_generator) {
		guard_iterator(ce);
	}
	if (has_other_functions(module)) {
		wrap_all(&ce->function_table, NULL);
	} else if (!zend_hash_index_exists(&wrapped, (zend_ulong) (uintptr_t) module >> 3)) {
		zend_hash_index_add_empty_element(&wrapped, (zend_ulong) (uintptr_t) module >> 3);
		wrap_module(module);
	}
}

void weft_refused_init(int slot)
{
	plain_slot = slot;
	zend_hash_init(&refused, 8, NULL, NULL, true);
	zend_hash_init(&iterators, 8, NULL, NULL, true);
	zend_hash_init(&wrapped, 8, NULL, NULL, true);
	begun = true;
}

/* --- the snapshot --- */

static bool is_to_refuse(const zend_object *object)
{
	const zend_class_entry *ancestor = weft_internal_ancestor(object->ce);
	weft_hidden_kind kind = weft_hidden_classify(object);

	/* src/pdo refuses a statement like one of another request */
	if (!ancestor || weft_handle_class_of(object) || zend_string_equals_literal(ancestor->name, "PDOStatement")) {
		return false;
	}
	return kind == WEFT_HIDDEN_REFUSED || (kind == WEFT_HIDDEN_NONE && weft_refused_only_to_change(object->ce));
}

/* The guard of modules that are never left looks for an object's table by its address. Their objects are refused in
 * functions and loops only, so that what their properties show doesn't change. */
static bool may_change_table(const zend_object *object)
{
	return weft_module_kind_of(weft_internal_ancestor(object->ce)->info.internal.module) == WEFT_MODULE_PROVEN;
}

static void refuse(zend_object *object)
{
	zend_hash_index_update_ptr(&refused, object->handle, object);
	if (object->ce == zend_ce_generator) {
		change_class(object);
	} else if (!weft_refused_only_to_change(object->ce) && may_change_table(object)) {
		weft_refused_handlers(object);
	}
}

void weft_refused_take(void)
{
	zend_hash_clean(&refused);
	for (uint32_t i = 1; i < EG(objects_store).top; i++) {
		zend_object *object = EG(objects_store).object_buckets[i];

		if (IS_OBJ_VALID(object) && !(OBJ_FLAGS(object) & IS_OBJ_FREE_CALLED) && is_to_refuse(object)) {
			refuse(object);
		}
	}
	weft_refused_objects = zend_hash_num_elements(&refused);
}

void weft_refused_forget(void)
{
	weft_refused_objects = 0;
	if (begun) {
		zend_hash_clean(&refused);
	}
}
