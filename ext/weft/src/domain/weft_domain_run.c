/*
 * What runs code in a domain of its own without a server: into it, out of it, and what a request's end is elsewhere.
 */
#include "domain/weft_domain.h"
#include "domain/weft_base.h"
#include "coroutine/weft_coroutine.h"
#include "php_output.h"
#include "zend_exceptions.h"

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

/* What the callable threw is the caller's; exit() has ended the callable and nothing else. */
void weft_take_exception(zval *exception)
{
	ZVAL_UNDEF(exception);
	if (!EG(exception)) {
		return;
	}
	if (!zend_is_unwind_exit(EG(exception)) && !zend_is_graceful_exit(EG(exception))) {
		ZVAL_OBJ_COPY(exception, EG(exception));
	}
	zend_clear_exception();
}

/* The callable's end: what a request's end is elsewhere. */
void weft_domain_end(weft_domain *domain)
{
	weft_domain_run_shutdown_functions();
	weft_domain_release_values(weft_current && weft_current->domain == domain ? 2 : 1);
	php_output_end_all();
}
