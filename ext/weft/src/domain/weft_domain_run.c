/*
 * What runs code in a domain of its own without a server: into it, out of it, and what a request's end is elsewhere.
 */
#include "domain/weft_domain.h"
#include "domain/weft_base.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_engine_state.h"
#include "php_output.h"
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

void weft_domain_pass_on_fatal(void)
{
	EG(exit_status) = FATAL_EXIT_STATUS; /* what the error has set it to was the other domain's */
	zend_bailout();
}

/* The callable's end: what a request's end is elsewhere. */
void weft_domain_end(weft_domain *domain)
{
	weft_domain_run_shutdown_functions();
	weft_domain_release_values(weft_current && weft_current->domain == domain ? 2 : 1);
	php_output_end_all();
}
