/*
 * The functions of namespace Async, and what a script that uses them does at its end.
 */
#include "async/weft_async.h"
#include "interpose/weft_interpose.h"

#include <errno.h>
#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "ext/standard/basic_functions.h"

#include "async/weft_async_arginfo.h"

zend_class_entry *weft_ce_completable;
zend_class_entry *weft_ce_async_exception;
zend_class_entry *weft_ce_cancellation;
zend_class_entry *weft_ce_canceled;
zend_class_entry *weft_ce_timeout_exception;
zend_class_entry *weft_ce_deadlock;

static zend_object *make_exception(zend_class_entry *ce, const char *format, va_list arguments)
{
	zval object, message;
	bool without_arguments = EG(exception_ignore_args);

	/* A cancellation's trace begins in await_all_or_fail(), say, whose arguments are those that will hold the
	 * exception: a cycle. */
	EG(exception_ignore_args) = true;
	object_init_ex(&object, ce);
	EG(exception_ignore_args) = without_arguments;
	ZVAL_STR(&message, zend_vstrpprintf(0, format, arguments));
	zend_update_property_ex(instanceof_function(ce, zend_ce_exception) ? zend_ce_exception : zend_ce_error,
		Z_OBJ(object), ZSTR_KNOWN(ZEND_STR_MESSAGE), &message);
	zval_ptr_dtor(&message);
	return Z_OBJ(object);
}

zend_object *weft_async_exception(zend_class_entry *ce, const char *format, ...)
{
	zend_object *exception;
	va_list arguments;

	va_start(arguments, format);
	exception = make_exception(ce, format, arguments);
	va_end(arguments);
	return exception;
}

zend_object *weft_async_cancellation_for_others(const char *format, ...)
{
	zend_execute_data *execute_data = EG(current_execute_data);
	zend_object *exception;
	va_list arguments;

	EG(current_execute_data) = NULL;
	va_start(arguments, format);
	exception = make_exception(weft_ce_cancellation, format, arguments);
	va_end(arguments);
	EG(current_execute_data) = execute_data;
	return exception;
}

static zend_always_inline bool async_start(void)
{
	/* A forked child keeps its scheduler, but has to arm interposition anew. */
	if (EXPECTED(weft_main != NULL && weft_interpose_installed())) {
		return true;
	}
	return weft_scheduler_start() && (weft_interpose_installed() || weft_interpose_install());
}

static zend_never_inline ZEND_COLD bool async_refuse(const char *what)
{
	zend_throw_exception_ex(weft_ce_async_exception, 0,
		"%s is not possible here: no coroutine may be left inside an autoloader, an output callback, the compiler "
		"or a run of the garbage collector",
		what);
	return false;
}

static zend_always_inline bool async_may_wait(const char *what)
{
	if (UNEXPECTED(!async_start())) {
		return false;
	}
	return EXPECTED(weft_can_suspend()) || async_refuse(what);
}

bool weft_async_may_wait(const char *what)
{
	return async_may_wait(what);
}

ZEND_FUNCTION(Async_spawn)
{
	zend_fcall_info fci;
	zend_fcall_info_cache fcc;
	zval *argv;
	uint32_t argc;
	HashTable *named;

	ZEND_PARSE_PARAMETERS_START(1, -1)
		Z_PARAM_FUNC(fci, fcc)
		Z_PARAM_VARIADIC_WITH_NAMED(argv, argc, named)
	ZEND_PARSE_PARAMETERS_END();
	zend_object *spawned = async_start() ? weft_coroutine_object_spawn(&fci.function_name, &fcc, argc, argv, named)
										 : NULL;

	if (!spawned) {
		RETURN_THROWS();
	}
	RETURN_OBJ(spawned);
}

static void settle(zend_object *object, zval *return_value)
{
	zend_object *exception = weft_awaitable_outcome(object, return_value);

	if (exception) {
		zend_throw_exception_internal(exception);
	}
}

static bool is_awaitable_argument(zend_object *object, uint32_t argument)
{
	if (weft_is_awaitable(object)) {
		return true;
	}
	zend_argument_type_error(argument, "must be an Async\\Coroutine or an Async\\Timeout, %s given",
		ZSTR_VAL(object->ce->name));
	return false;
}

ZEND_FUNCTION(Async_await)
{
	zend_object *object, *token = NULL;
	weft_awaitable *awaitable;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_OBJ_OF_CLASS(object, weft_ce_completable)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(token, weft_ce_completable)
	ZEND_PARSE_PARAMETERS_END();
	if (!is_awaitable_argument(object, 1) || (token && !is_awaitable_argument(token, 2))) {
		RETURN_THROWS();
	}
	awaitable = weft_awaitable_of(object);
	if (UNEXPECTED(weft_current && weft_current->object == object)) {
		zend_throw_exception(weft_ce_async_exception, "A coroutine can't await itself: it would wait for ever", 0);
		RETURN_THROWS();
	}
	if (!awaitable->completed) {
		if (!async_may_wait("Async\\await()") ||
			!weft_awaitable_wait(awaitable, token ? weft_awaitable_of(token) : NULL)) {
			RETURN_THROWS();
		}
	}
	if (awaitable->completed) {
		settle(object, return_value);
	} else {
		weft_awaitable_give_up(token);
	}
}

ZEND_FUNCTION(Async_delay)
{
	zend_long milliseconds;
	uint64_t deadline;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_LONG(milliseconds)
	ZEND_PARSE_PARAMETERS_END();
	if (milliseconds < 0) {
		zend_argument_value_error(1, "must be greater than or equal to 0");
		RETURN_THROWS();
	}
	if (!weft_async_may_wait("Async\\delay()")) {
		RETURN_THROWS();
	}
	deadline = weft_async_deadline(milliseconds);
	/* A signal's handler may run in between, but the delay is a promise. */
	while (weft_sleep_until(deadline, "delay") == EINTR) {
	}
}

ZEND_FUNCTION(Async_suspend)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (async_may_wait("Async\\suspend()")) {
		weft_yield();
	}
}

ZEND_FUNCTION(Async_current_coroutine)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (!async_start()) {
		RETURN_THROWS();
	}
	RETURN_OBJ(weft_coroutine_object_of(weft_current));
}

ZEND_FUNCTION(Async_timeout)
{
	zend_long milliseconds;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_LONG(milliseconds)
	ZEND_PARSE_PARAMETERS_END();
	if (milliseconds < 0) {
		zend_argument_value_error(1, "must be greater than or equal to 0");
		RETURN_THROWS();
	}
	if (!async_start()) {
		RETURN_THROWS();
	}
	RETURN_OBJ(weft_timeout_object_new(milliseconds));
}

/* Those of other requests are none of this one's business. */
static void list_coroutine(weft_coroutine *coroutine, void *arg)
{
	if (coroutine->domain == weft_current->domain) {
		add_next_index_object(arg, weft_coroutine_object_of(coroutine));
	}
}

ZEND_FUNCTION(Async_get_coroutines)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (!async_start()) {
		RETURN_THROWS();
	}
	array_init(return_value);
	weft_scheduler_each(list_coroutine, return_value);
}

/* --- the end of the script --- */

static void cancel_rest(weft_coroutine *coroutine, void *arg)
{
	if (!coroutine->is_main && !coroutine->background) {
		weft_cancel(coroutine, arg);
	}
}

static void cancel_others(const char *why)
{
	zend_object *cancellation = weft_async_exception(weft_ce_cancellation, "%s", why);

	weft_scheduler_each(cancel_rest, cancellation);
	OBJ_RELEASE(cancellation);
}

/* Runs before every other shutdown function: the script has ended, its coroutines may not have. */
ZEND_FUNCTION(Async_run_rest)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (!weft_main || weft_current != weft_main) {
		return;
	}
	if (CG(unclean_shutdown)) {
		cancel_others("The script ended in a fatal error");
	} else if (weft_script_exits) {
		cancel_others("The script ends");
	}
	while (!weft_scheduler_wait_for_others()) {
		/* A deadlock, or exit() in a coroutine. */
		if (!EG(exception)) {
			break;
		}
		if (zend_is_unwind_exit(EG(exception))) {
			zend_clear_exception();
		} else {
			zend_exception_error(EG(exception), E_WARNING);
		}
		cancel_others("The script ends");
	}
}

static WEFT_ARG_INFO run_rest_arguments[] = {{.name = NULL}};
static zend_internal_function run_rest = {
	.type = ZEND_INTERNAL_FUNCTION,
	.handler = ZEND_FN(Async_run_rest),
	.arg_info = run_rest_arguments + 1,
};

void weft_async_rinit(void)
{
	weft_script_exits = false;
	weft_append_shutdown_function((zend_function *) &run_rest);
}

void weft_async_minit(void)
{
	zend_class_entry *awaitable = register_class_Async_Awaitable();

	weft_ce_completable = register_class_Async_Completable(awaitable);
	weft_ce_coroutine = register_class_Async_Coroutine(weft_ce_completable);
	weft_ce_timeout = register_class_Async_Timeout(weft_ce_completable);
	weft_ce_async_exception = register_class_Async_AsyncException(zend_ce_exception);
	weft_ce_cancellation = register_class_Async_AsyncCancellation(zend_ce_error);
	weft_ce_canceled = register_class_Async_OperationCanceledException(weft_ce_cancellation);
	weft_ce_timeout_exception = register_class_Async_TimeoutException(zend_ce_exception);
	weft_ce_deadlock = register_class_Async_DeadlockError(zend_ce_error);
	weft_ce_spawn_refused = register_class_Weft_SpawnRefused(weft_ce_async_exception);
	weft_coroutine_object_minit();
	weft_timeout_object_minit();
	weft_fiber_minit();
	zend_register_functions(NULL, ext_functions, NULL, MODULE_PERSISTENT);
	run_rest.function_name = zend_string_init_interned("{run remaining coroutines}",
		sizeof("{run remaining coroutines}") - 1, true);
	weft_exit_minit();
	weft_deadlock_minit();
}
