/*
 * How long a request may take: until its answer begins, and from one piece of it to the next. What follows the answer
 * has weft.http_linger_ms, and what waits for the client to take it has other limits.
 *
 * At the limit the client gets a 504, or what there is of its answer is cut off, and the request is told to end where
 * it waits or computes, by what `catch` does not see. What its finally blocks, shutdown functions and destructors do
 * then has weft.http_linger_ms; beyond that they are ended as well, as by exit(), and whatever still follows once a
 * second.
 *
 * One timer serves all requests, and looks at each of them: most are over long before it fires.
 */
#include "http/weft_http_internal.h"
#include "async/weft_async.h"
#include "reactor/weft_log.h"

#include "main/php_main.h"
#include "zend_exceptions.h"

#define AGAIN_AFTER WEFT_NS_PER_SEC

static uint64_t deadline_of(const weft_http_request *request)
{
	const weft_time_limit *limit = &request->limit;

	if (limit->ended) {
		return limit->next;
	}
	if (request->response.ended) {
		return limit->answered ? limit->since + request->server->config.linger_ms * WEFT_NS_PER_MS : 0;
	}
	return limit->allowed ? limit->since + limit->allowed : 0;
}

static void arm(weft_http_request *request)
{
	weft_timer *timer = &request->server->limit_timer;
	uint64_t deadline = deadline_of(request);

	if (deadline && (!weft_timer_armed(timer) || deadline < timer->deadline)) {
		weft_timer_arm(timer, deadline);
	}
}

/* --- what the client is told --- */

/* Where it was found: for the log. */
static void describe_place(const weft_http_request *request, char *text, size_t room)
{
	const weft_coroutine *coroutine = request->coroutine;
	bool runs = coroutine->state == WEFT_COROUTINE_RUNNING;
	/* who was woken to look whether a lock is free has it still, as long as he has not had his turn */
	const char *what = coroutine->wait.what, *file;
	uint32_t line;

	file = weft_frame_location(runs ? EG(current_execute_data) : coroutine->suspended_at, &line);
	snprintf(text, room, "%s%s%s%s%s:%u", what ? "waited (" : "computed", what ? what : "", what ? ")" : "",
		file ? " in " : "", file ? file : "", line);
	if (!file) {
		*strrchr(text, ':') = '\0';
	}
}

static void give_answer(weft_http_request *request)
{
	const weft_time_limit *limit = &request->limit;
	bool begun = request->response.committed;
	const char *outcome = request->job ? "its WebSocket is closed"
		: !request->exchange           ? "its client was gone"
		: begun                        ? "its answer was cut off"
									   : "504 was sent";
	char message[128], place[512];

	snprintf(message, sizeof(message), "The request took longer than %.15g s (--request-timeout).\n",
		(double) limit->allowed / (double) WEFT_NS_PER_SEC);
	if (!begun) {
		weft_response_replace(request, 504, message);
	}
	weft_response_end(request, begun);
	describe_place(request, place, sizeof(place));
	weft_log_of(weft_request_id(request), "error",
		"weft: %s %.*s: nothing came of it for %.15g s (--request-timeout): %s; it %s and is cancelled",
		weft_request_shown_method(request), (int) strcspn(request->uri, "?"), request->uri,
		(double) limit->allowed / (double) WEFT_NS_PER_SEC, outcome, place);
}

/* The client has its answer already. */
static void tell_of_late_work(weft_http_request *request)
{
	char place[512];

	describe_place(request, place, sizeof(place));
	weft_log_of(weft_request_id(request), "error",
		"weft: %s %.*s: still ran %u ms after its response (weft.http_linger_ms): it %s and is cancelled",
		weft_request_shown_method(request), (int) strcspn(request->uri, "?"), request->uri,
		request->server->config.linger_ms, place);
}

/* --- what the request is told --- */

typedef struct {
	weft_http_request *request;
	zend_object *cancellation;
} ending;

static void cancel_child(weft_coroutine *coroutine, void *arg)
{
	const ending *self = arg;

	if (coroutine->domain == self->request->coroutine->domain && coroutine != self->request->coroutine) {
		weft_cancel_at_once(coroutine, self->cancellation);
	}
}

static zend_object *make_cancellation(const weft_http_request *request)
{
	if (request->limit.answered) {
		return weft_async_cancellation_for_others(WEFT_LINGER_OVER, request->server->config.linger_ms);
	}
	return weft_async_cancellation_for_others("The request has taken too long (--request-timeout)");
}

/* In its domain. Graceful: finally blocks run. The other one nothing survives. */
static void request_cancel(void *arg)
{
	weft_http_request *request = arg;
	bool graceful = request->limit.ended == 1;
	zend_object *exit = graceful ? zend_create_graceful_exit() : zend_create_unwind_exit();
	ending self = {request, graceful ? make_cancellation(request) : exit};

	PG(connection_status) |= PHP_CONNECTION_TIMEOUT;
	weft_cancel_at_once(request->coroutine, exit);
	weft_scheduler_each(cancel_child, &self);
	if (graceful) {
		OBJ_RELEASE(self.cancellation);
	}
	OBJ_RELEASE(exit);
}

/* From its first line, or what is read for that, to the last thing it does at its end. While it waits to begin there is
 * nothing to cancel, and nothing of it will run. */
static bool is_under_way(const weft_http_request *request)
{
	return request->memory.counted;
}

static void limit_passed(weft_http_request *request, uint64_t now)
{
	weft_time_limit *limit = &request->limit;

	if (!limit->ended && request->writers) {
		limit->since = now; /* it is the client that takes its time */
		return;
	}
	if (++limit->ended == 1) {
		if (limit->answered) {
			tell_of_late_work(request);
		} else {
			give_answer(request);
		}
	} else if (limit->ended == 2) {
		weft_log_of(weft_request_id(request), "error",
			"weft: %s %.*s: still ran %u ms after it was cancelled (weft.http_linger_ms), and is ended as by exit()",
			weft_request_shown_method(request), (int) strcspn(request->uri, "?"), request->uri,
			request->server->config.linger_ms);
	}
	limit->next = now + (limit->ended == 1 ? request->server->config.linger_ms * WEFT_NS_PER_MS : AGAIN_AFTER);
	if (is_under_way(request)) {
		weft_domain_visit(request->coroutine->domain, request_cancel, request);
	}
}

static void timer_fired(weft_timer *timer)
{
	weft_http_server *server = (weft_http_server *) ((char *) timer - offsetof(weft_http_server, limit_timer));
	weft_http_request *next;
	uint64_t now = weft_now();

	weft_connection_reap(server);
	for (weft_http_request *request = server->limited; request; request = next) {
		uint64_t deadline = deadline_of(request);

		next = request->limit.next_request;
		if (deadline && deadline <= now) {
			limit_passed(request, now);
		}
		arm(request);
	}
}

/* The reactor may not be asked where it computes, inside an autoloader, say. */
static void at_slice_end(void)
{
	weft_http_request *request = weft_request_current();
	uint64_t deadline = request && request->limit.link ? deadline_of(request) : 0;

	if (deadline && deadline <= weft_now()) {
		limit_passed(request, weft_now());
		arm(request);
	}
	if (request) {
		weft_cpu_limit_look(request);
		weft_admission_look(request);
	} else {
		weft_linger_look();
	}
}

/* --- the request's side --- */

void weft_time_limit_init(weft_http_server *server)
{
	server->limit_timer.fire = timer_fired;
	weft_at_slice_end = at_slice_end;
	weft_time_slice_watch();
}

void weft_time_limit_free(weft_http_server *server)
{
	weft_timer_disarm(&server->limit_timer);
}

void weft_time_limit_begin(weft_http_request *request)
{
	weft_time_limit *limit = &request->limit;

	limit->since = weft_just_now();
	limit->allowed = request->server->config.request_timeout_ms * WEFT_NS_PER_MS;
	limit->next_request = request->server->limited;
	limit->link = &request->server->limited;
	if (limit->next_request) {
		limit->next_request->limit.link = &limit->next_request;
	}
	request->server->limited = request;
	arm(request);
}

void weft_time_limit_end(weft_http_request *request)
{
	weft_time_limit *limit = &request->limit;

	if (!limit->link) {
		return;
	}
	*limit->link = limit->next_request;
	if (limit->next_request) {
		limit->next_request->limit.link = limit->link;
	}
	limit->link = NULL;
}

void weft_time_limit_answered(weft_http_request *request)
{
	weft_time_limit *limit = &request->limit;

	if (!limit->ended) {
		limit->answered = true;
		limit->since = weft_just_now();
		arm(request);
	}
}

bool weft_time_limit_set(weft_http_request *request, const char *seconds)
{
	const char *end;
	double value = zend_strtod(seconds, &end); /* of any locale */

	if (end == seconds || *end || !(value >= 0) || value > WEFT_HTTP_DAY) {
		return false;
	}
	if (!request->limit.ended) {
		uint64_t allowed = (uint64_t) (value * (double) WEFT_NS_PER_SEC);

		request->limit.allowed = value > 0 && !allowed ? 1 : allowed; /* 0: no limit */
		arm(request);
	}
	return true;
}

void weft_time_limit_extend(weft_http_request *request, zend_long seconds)
{
	weft_time_limit *limit = &request->limit;
	uint64_t wanted = seconds > 0 ? (uint64_t) MIN(seconds, WEFT_HTTP_DAY) * WEFT_NS_PER_SEC : 0;

	if (limit->ended || limit->answered || !limit->allowed || request->server->config.timeout_is_firm) {
		return;
	}
	limit->since = weft_now();
	limit->allowed = wanted ? MAX(limit->allowed, wanted) : 0;
}
