/*
 * What PHP code registers in places that C keeps to itself: read and put back through PHP's own functions, and only
 * after a domain has called one that changes it.
 */
#include "globals/weft_c_state.h"
#include "coroutine/weft_wrap.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_errors.h"

static void discard_value(void *saved)
{
	zval_ptr_dtor(saved);
}

/* --- the callback of assert(); the rest of assert_options() are ini directives --- */

#define ASSERT_CALLBACK_OPTION 2

static zif_handler plain_assert_options;
static bool assertions_changed;
static zval base_assertion;

static ZEND_FUNCTION(weft_assert_options)
{
	assertions_changed |= ZEND_NUM_ARGS() > 1 && weft_c_state_captured();
	plain_assert_options(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/* Deprecated since PHP 8.3: the application has heard so when it called it, if it did. */
static void call_assert_options(zval *result, uint32_t count, zval *arguments)
{
	weft_errors_state errors;

	weft_errors_quiet_begin(&errors);
	weft_c_call("assert_options", result, count, arguments);
	weft_errors_quiet_end(&errors);
}

static void read_assertion(zval *callback)
{
	zval option;

	ZVAL_LONG(&option, ASSERT_CALLBACK_OPTION);
	call_assert_options(callback, 1, &option);
}

static void put_assertion(zval *callback)
{
	zval arguments[2];

	ZVAL_LONG(&arguments[0], ASSERT_CALLBACK_OPTION);
	ZVAL_COPY_VALUE(&arguments[1], callback);
	call_assert_options(NULL, 2, arguments);
}

static void assertions_forget(void)
{
	zval_ptr_dtor(&base_assertion);
	ZVAL_NULL(&base_assertion);
	assertions_changed = false;
}

static void assertions_capture(void)
{
	assertions_forget();
	read_assertion(&base_assertion);
	assertions_changed = false;
}

static void assertions_leave(void *saved)
{
	ZVAL_UNDEF((zval *) saved);
	if (UNEXPECTED(assertions_changed)) {
		read_assertion(saved);
		put_assertion(&base_assertion);
		assertions_changed = false;
	}
}

static void assertions_enter(void *saved)
{
	if (UNEXPECTED(Z_TYPE_P((zval *) saved) != IS_UNDEF)) {
		put_assertion(saved);
		zval_ptr_dtor(saved);
		ZVAL_UNDEF((zval *) saved);
		assertions_changed = true;
	}
}

static void assertions_finish(void)
{
	if (UNEXPECTED(assertions_changed)) {
		put_assertion(&base_assertion);
		assertions_changed = false;
	}
}

const weft_c_item weft_c_assertions = {
	.name = "assertions",
	.size = sizeof(zval),
	.capture = assertions_capture,
	.leave = assertions_leave,
	.enter = assertions_enter,
	.finish = assertions_finish,
	.discard = discard_value,
	.forget = assertions_forget,
};

void weft_c_callbacks_wrap(void)
{
	plain_assert_options = weft_wrap("standard", NULL, "assert_options", zif_weft_assert_options);
}
