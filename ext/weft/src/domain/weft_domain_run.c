/*
 * What runs code in a domain of its own without a server: into it, out of it, and what a request's end is elsewhere.
 */
#include "domain/weft_domain.h"
#include "domain/weft_base.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_engine_state.h"
#include "zend_exceptions.h"

#define FATAL_EXIT_STATUS 255

void weft_domain_move_into(weft_domain *domain)
{
	weft_domain_set_bottom(domain, EG(current_execute_data));
	weft_domain_move_to(domain);
}

void weft_domain_move_to(weft_domain *domain)
{
	if (weft_current) {
		if (domain) {
			weft_domain_addref(domain); /* the coroutine's */
		}
		weft_coroutine_set_domain(weft_current, domain);
		while (weft_domain_was_preempted(domain) && weft_can_suspend()) {
			weft_yield();
		}
	} else {
		weft_domain_enter(domain);
	}
	weft_base_undisturbed = false;
}

/* Here, or in another coroutine of the script, which ends as by exit() then. */
static bool fatally_unwound(void)
{
	return weft_memory_ran_out() || (CG(unclean_shutdown) && EG(exception) && zend_is_unwind_exit(EG(exception)));
}

void weft_take_exception(zval *exception)
{
	ZVAL_UNDEF(exception);
	if (UNEXPECTED(fatally_unwound())) {
		weft_engine_state_drop();
		zend_bailout();
	}
	if (!EG(exception)) {
		return;
	}
	if (!zend_is_unwind_exit(EG(exception)) && !zend_is_graceful_exit(EG(exception))) {
		ZVAL_OBJ_COPY(exception, EG(exception));
	}
	zend_clear_exception();
}

bool (*weft_ends_quietly)(const zend_object *exception);

static bool drop_exit(void)
{
	if (!zend_is_unwind_exit(EG(exception)) && !zend_is_graceful_exit(EG(exception)) &&
		!(weft_ends_quietly && weft_ends_quietly(EG(exception)))) {
		return false;
	}
	OBJ_RELEASE(EG(exception));
	EG(exception) = NULL;
	return true;
}

/* zend_user_exception_handler() takes it for granted that PHP bails out when the handler throws or calls exit(), as it
 * does where there is no frame. Here is one, and what was thrown would be lost. */
static void call_exception_handler(void)
{
	zend_object *exception = EG(exception);
	zval handler, argument, result;

	EG(exception) = NULL;
	ZVAL_OBJ(&argument, exception);
	ZVAL_COPY(&handler, &EG(user_exception_handler));
	ZVAL_UNDEF(&result);
	call_user_function(NULL, NULL, &handler, &result, 1, &argument);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&handler);
	OBJ_RELEASE(exception);
}

weft_uncaught weft_report_late_exception(void)
{
	if (!EG(exception)) {
		return WEFT_UNCAUGHT_NONE;
	}
	if (drop_exit()) {
		return WEFT_UNCAUGHT_EXIT;
	}
	zend_exception_error(EG(exception), E_ERROR);
	return WEFT_UNCAUGHT_REPORTED;
}

weft_uncaught weft_report_exception(void)
{
	if (EG(exception) && Z_TYPE(EG(user_exception_handler)) != IS_UNDEF) {
		if (drop_exit()) {
			return WEFT_UNCAUGHT_EXIT;
		}
		call_exception_handler();
		if (!EG(exception)) {
			return WEFT_UNCAUGHT_HANDLED;
		}
	}
	return weft_report_late_exception();
}

void weft_domain_pass_on_fatal(void)
{
	EG(exit_status) = FATAL_EXIT_STATUS; /* what the error has set it to was the other domain's */
	zend_bailout();
}

void weft_domain_end_callable(const weft_domain *domain)
{
	weft_domain_end(weft_current && weft_current->domain == domain ? 2 : 1);
}
