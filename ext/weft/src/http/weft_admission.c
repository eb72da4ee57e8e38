/*
 * Who may begin. A request that is complete waits here, in its order, while as many run as may (--concurrency), and
 * while one that has waited for something could go on: who has begun goes on before others begin, so what is in flight
 * is bounded by what the machine gets done. Pages that wait for a database don't count while they do. Those that
 * compute, and have lost their turn to others, take turns with newcomers, up to weft.http_ready of them, beside those
 * that have computed for LONG: nobody must wait for the end of a long computation. Nor for requests that are never done
 * and always ready: so long as fewer than those can run, somebody begins every NEW_ONE_EVERY. And where it is
 * connections to a database that are short, for so long that the line is no burst any more, nobody begins to wait for
 * one.
 *
 * The line has a limit, which is time: a newcomer who would have to wait for longer than weft.http_queue_ms is refused
 * with 503 at once. That is meant for bursts. A line that has stood for so long is no burst but overload, and then a
 * fifth must do: what is answered is answered soon. As many as run may wait in any case: that is no longer than one of
 * them takes, and keeps the CPU busy. So may weft.http_queue_min: a few that come together are no flood, however long
 * each takes, and want to be served. After the idea of RFC 8289 (CoDel), to look at how long a queue stands and not at
 * how long it is; but a request that is told at once that it is not served costs less than one that is told later. Of a
 * burst nobody knows yet how long it takes: who finds out at his turn that he has waited for longer is told then.
 *
 * New connections wait in the kernel's queue, where other workers, and those that follow one that dies, find them. Only
 * when nobody has taken them for weft.http_queue_ms they are all taken, to be told, until the line is empty again.
 */
#include "http/weft_http_internal.h"
#include "http/files/weft_files.h"
#include "domain/weft_domain.h"
#include "pdo/weft_pdo.h"
#include "reactor/weft_log.h"

/* The pace of the line is measured over as much. */
#define WINDOW (100 * WEFT_NS_PER_MS)
/* Whoever has waited goes on first, but a newcomer begins so often all the same. */
#define NEW_ONE_EVERY (250 * WEFT_NS_PER_MS)
/* Of CPU time. */
#define LONG (250 * WEFT_NS_PER_MS)
#define STANDING_MAY_WAIT 5 /* the how manieth part */
#define TELL_EVERY (60 * WEFT_NS_PER_SEC)

static void note_if_long(weft_http_request *request, uint64_t cpu_time)
{
	if (!request->takes_long && cpu_time > LONG) {
		request->takes_long = true;
		request->server->admission.long_ones++;
	}
}

/* Who computes without losing his turn, since he waits again and again, for moments, is noticed nowhere else. */
static void look_for_long_ones(weft_http_server *server)
{
	for (weft_http_request *request = server->memory.eldest; request; request = request->memory.younger) {
		note_if_long(request, weft_domain_cpu_time_of(request->coroutine->domain, weft_just_now()));
	}
}

/* One that has waited, be it that its sleep is over and it has not been woken yet. Those that compute take turns with
 * who is new. */
static bool somebody_can_go_on(const weft_http_server *server)
{
	return weft_ready_count() > weft_preempted_count() + server->admission.long_ones || weft_timer_is_due();
}

static bool stands(const weft_admission *line)
{
	return line->first && weft_lately() >= line->moved + NEW_ONE_EVERY;
}

static bool lacks_cpu(const weft_http_server *server)
{
	uint32_t most = server->config.ready;

	return weft_ready_count() >= most + server->admission.long_ones ||
		(somebody_can_go_on(server) && !stands(&server->admission));
}

/* A line that has stood for so long is no burst. */
static bool is_standing(const weft_admission *line, uint64_t patience, uint64_t now)
{
	return line->overload || (line->first && now > line->since + patience); /* `now` may be a little before that */
}

/* Of those that have begun enough wait for a connection of a pool: one more would do the same there, and hold its
 * memory for it. In a burst nobody is kept from beginning by that, for who is new may need none. */
static bool lacks_connections(const weft_http_server *server)
{
	const weft_admission *line = &server->admission;
	uint64_t patience = server->config.queue_ms * WEFT_NS_PER_MS;

	return patience > 0 && is_standing(line, patience, weft_lately()) && !stands(line) &&
		weft_pdo_count_in_use().waiting >= server->config.ready;
}

static bool may_begin(const weft_http_server *server)
{
	if (server->running >= server->config.concurrency) {
		return false;
	}
	return server->config.ready == 0 || !(lacks_cpu(server) || lacks_connections(server));
}

/* --- the line --- */

static bool may_wait_in_any_case(const weft_http_server *server)
{
	uint32_t length = server->admission.length;

	return server->config.queue_ms == 0 || length <= server->running || length < server->config.queue_min;
}

/* When it has waited for too long; 0: never. */
static uint64_t limit_of_newcomer(const weft_http_server *server)
{
	return may_wait_in_any_case(server) ? 0 : weft_just_now() + server->config.queue_ms * WEFT_NS_PER_MS;
}

static void join_line(weft_http_server *server, weft_http_exchange *exchange)
{
	weft_admission *line = &server->admission;

	exchange->queued_since = weft_just_now(); /* as when it began: weft_request_take_head() */
	if (line->length == 0) {
		line->since = line->moved = line->window = exchange->queued_since;
		line->begun = 0;
		line->pace = 0;
	}
	exchange->patient_until = exchange->waits_in_any_case ? 0 : limit_of_newcomer(exchange->server);
	exchange->next_queued = NULL;
	exchange->previous_queued = line->last;
	*(line->last ? &line->last->next_queued : &line->first) = exchange;
	line->last = exchange;
	line->length++;
}

void weft_admission_leave(weft_http_exchange *exchange)
{
	weft_admission *line = &exchange->server->admission;
	weft_http_exchange *before = exchange->previous_queued, *behind = exchange->next_queued;

	*(before ? &before->next_queued : &line->first) = behind;
	*(behind ? &behind->previous_queued : &line->last) = before;
	line->length--;
	line->overload = line->overload && line->length > 0;
	exchange->state = WEFT_CONNECTION_BODY; /* that of a request which is complete */
}

static void measure_pace(weft_admission *line)
{
	uint64_t now = weft_just_now(); /* one has ended, or the reactor was asked */

	line->moved = now;
	line->begun++;
	if (!line->pace || now - line->window >= WINDOW) {
		line->pace = (now - line->window) / line->begun;
	}
	if (now - line->window >= WINDOW) {
		line->window = now;
		line->begun = 0;
	}
}

static void tell(weft_admission *line, uint64_t wait)
{
	if (weft_log_is_due(&line->told, TELL_EVERY)) {
		weft_log_at("warning",
			"weft: overload: %u requests wait, and one more would wait for %u ms: 503 is sent, as to others until "
			"fewer come (weft.http_queue_ms)",
			line->length, (unsigned) (wait / WEFT_NS_PER_MS));
	}
}

/* Its connection stays: a new one would cost more than the answer. */
static void refuse(weft_http_exchange *exchange)
{
	static const char again[] = "Retry-After: " WEFT_HTTP_RETRY_AFTER "\r\n";
	weft_http_server *server = exchange->server;

	server->admission.refused++;
	weft_board_refused(server->shown);
	weft_buffer_append(&exchange->request->response.head, again, sizeof(again) - 1);
	weft_response_end_with_status(exchange->request, 503, "Too many requests wait.\n");
}

/* Its turn has come. */
static void begin_or_refuse(weft_http_exchange *exchange)
{
	weft_http_server *server = exchange->server;
	uint64_t now = weft_just_now(), until = exchange->patient_until;

	if (until && now > until && !server->draining) {
		tell(&server->admission, now - until + server->config.queue_ms * WEFT_NS_PER_MS);
		refuse(exchange);
	} else {
		weft_http_server_begin(server, exchange);
	}
}

/* When those who could run have had a turn. Where nobody can, and connections are what is short, little changes before
 * another request ends. */
static void look_again(weft_http_server *server)
{
	weft_admission *line = &server->admission;

	if (!somebody_can_go_on(server) && lacks_connections(server)) {
		weft_timer_arm(&line->later, line->moved + NEW_ONE_EVERY);
	} else {
		weft_round_await(&line->next);
	}
}

void weft_admission_go_on(weft_http_server *server)
{
	weft_admission *line = &server->admission;

	weft_timer_disarm(&line->later); /* else it is one that is due */
	if (stands(line) && weft_lately() >= line->looked + NEW_ONE_EVERY) {
		line->looked = weft_lately();
		look_for_long_ones(server);
	}
	while (line->first && may_begin(server)) {
		weft_http_exchange *exchange = line->first;

		weft_admission_leave(exchange);
		measure_pace(line);
		begin_or_refuse(exchange);
	}
	if (line->first && server->running < server->config.concurrency) {
		look_again(server);
	}
}

static void look(weft_http_server *server)
{
	weft_connection_reap(server);
	weft_admission_go_on(server);
	weft_http_server_show_load(server);
	weft_http_server_accept_again(server);
}

static void look_in_round(weft_round *round)
{
	look((weft_http_server *) ((char *) round - XtOffsetOf(weft_http_server, admission.next)));
}

static void look_later(weft_timer *timer)
{
	look((weft_http_server *) ((char *) timer - XtOffsetOf(weft_http_server, admission.later)));
}

/* --- its limit --- */

/* As the line moves now; one that stands has no pace. */
static uint64_t expected_wait(const weft_admission *line, uint64_t now)
{
	return MAX(line->length * line->pace, now - line->moved);
}

static bool is_too_long(weft_http_server *server)
{
	weft_admission *line = &server->admission;
	uint64_t patience = server->config.queue_ms * WEFT_NS_PER_MS, now = weft_just_now(), wait;

	if (server->draining || may_wait_in_any_case(server)) {
		return false;
	}
	wait = expected_wait(line, now);
	if (wait <= (is_standing(line, patience, now) ? patience / STANDING_MAY_WAIT : patience)) {
		return false;
	}
	tell(line, wait);
	return true;
}

/* --- from outside --- */

void weft_admission_init(weft_http_server *server)
{
	server->admission.next.fire = look_in_round;
	server->admission.later.fire = look_later;
}

void weft_admission_forget(weft_http_server *server)
{
	weft_round_forget(&server->admission.next);
	weft_timer_disarm(&server->admission.later);
}

bool weft_admission_wants_more(const weft_http_server *server)
{
	return server->admission.overload || (server->running < server->config.concurrency && !server->admission.first);
}

void weft_admission_hold(weft_http_server *server)
{
	weft_admission *line = &server->admission;
	uint64_t patience = server->config.queue_ms * WEFT_NS_PER_MS;

	if (patience > 0 && !server->draining && !line->overload && !weft_timer_armed(&line->late)) {
		weft_timer_arm(&line->late, weft_now() + patience);
	}
}

void weft_admission_taken(weft_http_server *server)
{
	weft_timer_disarm(&server->admission.late);
	server->admission.overload = server->admission.overload && server->admission.length > 0;
}

void weft_admission_ask(weft_http_exchange *exchange)
{
	if (!weft_files_answer(exchange->request)) { /* a file takes no place */
		weft_admission_line_up(exchange);
	}
}

void weft_admission_line_up(weft_http_exchange *exchange)
{
	weft_http_server *server = exchange->server;

	if (!server->admission.first && may_begin(server)) {
		weft_http_server_begin(server, exchange);
	} else if (!exchange->waits_in_any_case && is_too_long(server)) {
		refuse(exchange);
	} else {
		exchange->state = WEFT_CONNECTION_QUEUED;
		join_line(server, exchange);
		/* not here: who is refused is read on, into the room that another client's bytes may still be read from */
		weft_round_await(&server->admission.next);
		weft_http_server_show_load(server);
	}
}

void weft_admission_look(weft_http_request *request)
{
	note_if_long(request, weft_domain_cpu_time());
}

void weft_admission_ended(weft_http_request *request)
{
	request->server->admission.long_ones -= request->takes_long;
}
