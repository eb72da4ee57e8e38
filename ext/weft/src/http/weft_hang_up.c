/*
 * A client that hangs up while its request runs. PHP notices at the next output; with weft.http_hang_up=cancel the
 * request is cancelled where it waits.
 *
 * TCP doesn't tell close() from shutdown(SHUT_WR): both send the same end of stream, and a client may half-close and
 * still read. Only who has closed answers a byte with a reset. So the client gets the first bytes of its answer, or of
 * its next chunk, which are the same whatever follows, as soon as it says that it sends no more. If it is still there,
 * it waits for the rest.
 */
#include "http/weft_http_internal.h"
#include "async/weft_async.h"

#include "main/php_main.h"
#include "main/php_output.h"
#include "zend_exceptions.h"

static ZEND_INI_MH((*plain_on_modify));

/* Another request may be in place when the client hangs up: what this one has set must be known without its values. The
 * stage of a request's end is that of a switch, too, which sets nothing. */
static ZEND_INI_MH(on_ignore_user_abort)
{
	int result = plain_on_modify(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
	weft_http_request *request = weft_request_current();

	if (request && stage != ZEND_INI_STAGE_DEACTIVATE) {
		request->ignores_abort = PG(ignore_user_abort);
	}
	return result;
}

/* In the request's domain: what connection_status() says. */
static void show_to_php(const weft_http_request *request)
{
	PG(connection_status) |= PHP_CONNECTION_ABORTED;
	if (request->cancelled) {
		php_output_set_status(PHP_OUTPUT_DISABLED);
	}
}

static void domain_entered(weft_domain *domain)
{
	const weft_http_request *request = weft_request_current();

	if (UNEXPECTED(request && request->hung_up)) {
		show_to_php(request);
	}
}

void weft_hang_up_minit(void)
{
	weft_domain_on_enter(domain_entered);
}

void weft_hang_up_become_server(void)
{
	zend_ini_entry *entry = zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL("ignore_user_abort"));

	plain_on_modify = entry->on_modify;
	entry->on_modify = on_ignore_user_abort;
}

/* The request itself ends as by the abort of a script: finally blocks run, and nothing can catch it. In its domain: a
 * PHP request keeps its objects apart. */
static void request_cancel(void *arg)
{
	weft_http_request *request = arg;
	zend_object *exit = zend_create_graceful_exit(),
				*cancellation = weft_async_cancellation_for_others("The client has hung up (weft.http_hang_up)");

	request->cancelled = true;
	weft_cancel(request->coroutine, exit);
	weft_cancel_children(request->coroutine, cancellation);
	OBJ_RELEASE(exit);
	OBJ_RELEASE(cancellation);
}

void weft_hang_up_certain(weft_http_request *request)
{
	if (!request->server->config.hang_up_cancels || !request->handling) {
		return;
	}
	request->hung_up = true;
	/* Who runs ends at its next wait: it may have asked the reactor because its time slice was used up. Who finds
	 * out by writing is told so there, instead. */
	if (!request->ignores_abort) {
		weft_domain_visit(request->coroutine->domain, request_cancel, request);
	}
	if (weft_request_current() == request) {
		show_to_php(request);
	}
}

void weft_exchange_let_go(weft_http_exchange *exchange)
{
	weft_http_request *request = exchange->request;

	if (!request) {
		return;
	}
	exchange->request = NULL;
	request->exchange = NULL;
	if (exchange->state == WEFT_CONNECTION_RUNNING && !request->response.ended) {
		request->aborted = true;
		weft_hang_up_certain(request);
	}
	weft_response_writable(request); /* whoever waits to write learns that there is no use */
	weft_request_release(request);
}

void weft_hang_up_perhaps(weft_http_exchange *exchange)
{
	weft_http_request *request = exchange->request;

	if (exchange->server->config.hang_up_cancels && exchange->state == WEFT_CONNECTION_RUNNING && request->handling &&
		weft_buffer_length(&exchange->out) == 0) {
		exchange->framing->begin_early(request);
	}
}
