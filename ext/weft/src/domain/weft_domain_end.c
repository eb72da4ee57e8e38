/*
 * The end of a request: what is done, and in which order. It is PHP's (main/main.c, php_request_shutdown()): whoever
 * writes an application counts on what is still there in a destructor, an output callback or a session's save handler.
 */
#include "domain/weft_domain.h"
#include "domain/weft_base.h"
#include "domain/weft_destructors.h"
#include "domain/weft_php_request.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_engine_state.h"
#include "coroutine/weft_errors.h"
#include "globals/weft_spans.h"

#include "php_output.h"
#include "ext/standard/basic_functions.h"
#include "weft_compat.h"

static bool call_shutdown_function(php_shutdown_function_entry *entry)
{
	zval result;

	ZVAL_UNDEF(&result);
	weft_call_shutdown_function(entry, &result);
	zval_ptr_dtor(&result);
	return weft_report_late_exception() == WEFT_UNCAUGHT_NONE;
}

static void run_shutdown_functions(void)
{
	HashTable *functions = BG(user_shutdown_function_names);

	if (!functions) {
		return;
	}
	/* a shutdown function may register further ones */
	for (uint32_t i = 0; i < functions->nNumUsed; i++) {
		zval *value = HT_IS_PACKED(functions) ? &functions->arPacked[i] : &functions->arData[i].val;

		if (Z_TYPE_P(value) != IS_UNDEF && !call_shutdown_function(Z_PTR_P(value))) {
			break;
		}
	}
	weft_finish_shutdown_functions();
}

void weft_domain_run_functions_of_boot(void)
{
	HashTable *functions = weft_boot_shutdown_functions();
	void *entry;

	if (!functions) {
		return;
	}
	ZEND_HASH_FOREACH_PTR(functions, entry) {
		php_shutdown_function_entry call;

		memcpy(&call, entry, sizeof(call)); /* the call notes something in it, and may wait */
		if (!call_shutdown_function(&call)) {
			weft_finish_shutdown_functions();
			return;
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* What a callback has thrown keeps the others from being called. */
static void end_output(void)
{
	php_output_end_all();
	weft_report_late_exception();
}

static void write_session(void)
{
	weft_finish_session();
	weft_report_late_exception();
}

static const struct {
	void (*run)(void);
	bool of_the_last; /* coroutines that outlive the request go on with its values */
} steps[WEFT_END_STEPS] = {
	[WEFT_END_SHUTDOWN_FUNCTIONS] = {run_shutdown_functions, false},
	[WEFT_END_DESTRUCTORS] = {weft_domain_destruct, true},
	[WEFT_END_OUTPUT] = {end_output, false},
	[WEFT_END_SESSION] = {write_session, false},
	[WEFT_END_VALUES] = {weft_domain_release_values, true},
};

void weft_domain_end_step(weft_end_step step, uint32_t references)
{
	if (!steps[step].of_the_last ||
		(weft_domain_in_place && weft_domain_references(weft_domain_in_place) <= references)) {
		steps[step].run();
	}
}

bool weft_domain_has_nothing_to_end(weft_end_step step)
{
	switch (step) {
		case WEFT_END_SHUTDOWN_FUNCTIONS: return !BG(user_shutdown_function_names);
		case WEFT_END_DESTRUCTORS: return weft_domain_has_nothing_to_destruct();
		case WEFT_END_SESSION: return !weft_session_is_open();
		default: return false;
	}
}

void weft_domain_end(uint32_t references)
{
	for (weft_end_step step = 0; step < WEFT_END_STEPS; step++) {
		weft_domain_end_step(step, references);
		if (UNEXPECTED(weft_memory_ran_out())) {
			zend_bailout(); /* a fatal error as others, that has unwound instead */
		}
	}
}

/* --- after fatal errors --- */

/* One has ended code of a domain that shares objects and resources with others. */
static bool leaves_some;

void weft_domain_spare_destructors(void)
{
	weft_destructibles *own = weft_domain_destructibles();

	if (weft_php_request_in_place) {
		return; /* it has its objects to itself */
	}
	weft_errors_spare_destructors();
	if (own) {
		weft_destructors_give_up(own);
	}
	leaves_some = true;
}

void weft_domain_all_over(void)
{
	if (leaves_some && weft_base_state.taken) {
		weft_destructors_give_up_all();
	}
}

void weft_domain_close_leftovers(void)
{
	if (leaves_some) {
		weft_php_request_close_silently();
		leaves_some = false;
	}
}
