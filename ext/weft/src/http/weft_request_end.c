/*
 * How PHP code of a request ends: the steps of its end, and what exit(), an exception or a fatal error does, in its own
 * coroutine and in those that it has spawned. It is this request's matter and no other's.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sapi.h"
#include "coroutine/weft_errors.h"
#include "domain/weft_domain.h"
#include "domain/weft_memory.h"
#include "domain/weft_php_request.h"
#include "globals/weft_spans.h"

#include <unistd.h>
#include "main/php_output.h"
#include "zend_exceptions.h"

/* How often the release of a request's values may end in a fatal error before the rest of them is left alone. */
#define RELEASE_TRIES 8

/* NULL: it is over; what outlives its requests is still no script's. */
static weft_http_server *the_server;

/* What a fatal error leaves behind in the engine and would hit the code that runs next. */
static void after_bailout(weft_http_request *request, zend_execute_data *execute_data)
{
	CG(unclean_shutdown) = 0;
	EG(current_execute_data) = execute_data;
	weft_engine_state_after_bailout();
	weft_php_request_detach_globals();
	weft_domain_spare_destructors();
}

/* A script that is nobody's callee bails out to end, too. All that it leaves behind is its own, and goes with it. */
static bool bailed_out_fatally(const weft_http_request *request)
{
	return weft_errors_take_fatal() || weft_memory_ran_out() || !request->script.file;
}

bool weft_request_guarded(weft_http_request *request, void (*step)(weft_http_request *))
{
	zend_execute_data *execute_data = EG(current_execute_data);
	bool left = false;

	zend_try
	{
		step(request);
		while (EG(exception)) {
			request->failed |= weft_report_exception() == WEFT_UNCAUGHT_REPORTED;
		}
		left = weft_memory_ran_out() || CG(unclean_shutdown);
	}
	zend_catch
	{
		left = true;
	}
	zend_end_try();
	if (left) {
		request->fatal |= bailed_out_fatally(request);
		after_bailout(request, execute_data);
	}
	return !left;
}

/* --- the steps --- */

static void end_step(weft_http_request *request)
{
	weft_domain_end_step(request->ending, 1);
}

static void end_php_request(weft_http_request *request)
{
	weft_domain_end_php_request(1);
}

static void send_rest(weft_http_request *request)
{
	php_output_deactivate();
	if (!request->response.ended) {
		weft_response_end(request, request->fatal);
	}
}

/* A fatal error in a destructor leaves something to destruct and to release: connections, say. */
static bool wants_another_try(weft_end_step step)
{
	return step == WEFT_END_DESTRUCTORS || step == WEFT_END_VALUES;
}

static void run_functions_of_boot(weft_http_request *request)
{
	weft_memory_grant_end();
	weft_domain_run_functions_of_boot();
}

static void drop_shutdown_functions(weft_http_request *request)
{
	weft_finish_shutdown_functions();
}

/* As one list with the request's own: what breaks off one of them ends all. */
static void end_as_boot_wants(weft_http_request *request)
{
	if (request->called && weft_boot_shutdown_functions() && !weft_request_guarded(request, run_functions_of_boot)) {
		weft_request_guarded(request, drop_shutdown_functions);
	}
}

void weft_request_end_domain(weft_http_request *request)
{
	end_as_boot_wants(request);
	while (request->ending < WEFT_END_STEPS) {
		int tries = wants_another_try(request->ending) ? RELEASE_TRIES : 0;

		if (weft_domain_has_nothing_to_end(request->ending)) {
			request->ending++;
			continue;
		}
		while (!weft_request_guarded(request, end_step) && tries-- > 0) {
		}
		if (UNEXPECTED(weft_http_forked)) {
			_exit(EG(exit_status)); /* pcntl_fork() in the application: the child ends with its request */
		}
		request->ending++;
	}
}

void weft_request_end_response(weft_http_request *request)
{
	if (!weft_request_guarded(request, send_rest)) {
		weft_request_guarded(request, send_rest); /* the callback for the headers has ended in a fatal error: once */
	}
}

void weft_request_end_php_request(weft_http_request *request)
{
	for (int tries = 0; request->script.file && tries <= RELEASE_TRIES; tries++) {
		if (weft_request_guarded(request, end_php_request)) {
			break;
		}
	}
}

/* --- its other coroutines --- */

/* Whoever waits for it in C has its turn; PHP code sees no more of it than of an exit() of its own. */
static void end_as_by_exit(void *arg)
{
	weft_http_request *request = arg;
	zend_object *unwind = zend_create_unwind_exit();

	weft_cancel(request->coroutine, unwind);
	OBJ_RELEASE(unwind);
}

/* In the middle of an output callback: the next ob_start() would find that one runs, and end all output for that. */
static void release_output(void)
{
	OG(running) = NULL;
	if (!(OG(flags) & PHP_OUTPUT_ACTIVATED)) {
		php_output_activate(); /* it has */
	}
}

static void coroutine_exited(weft_coroutine *coroutine, bool fatal)
{
	weft_http_request *request = weft_request_of(coroutine);

	if (fatal) {
		weft_errors_take_fatal();
		CG(unclean_shutdown) = 0;
		weft_domain_spare_destructors();
		release_output();
		weft_memory_lift(); /* what awaits it is told, which takes memory */
	}
	if (!request) {
		/* it has outlived its request, whose answer was sent long ago */
		if (fatal && the_server && the_server->events.fatal) {
			the_server->events.fatal(the_server->events.arg);
		}
		return;
	}
	request->fatal |= fatal;
	if (request->handling && coroutine != request->coroutine) {
		weft_domain_visit(request->coroutine->domain, end_as_by_exit, request);
	}
}

void weft_request_end_init(weft_http_server *server)
{
	the_server = server;
	weft_on_exit = coroutine_exited;
}

void weft_request_end_free(weft_http_server *server)
{
	if (the_server == server) {
		the_server = NULL;
	}
}
