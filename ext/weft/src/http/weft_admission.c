/*
 * The queue of complete requests, and which of them starts next.
 *
 * The queue is round robin over clients: a connection has one place, however many of its requests wait (streams of
 * HTTP/2, messages of WebSockets), and a place that still has requests when one of them starts goes to the end. So
 * every client waits for about one round, and none gains by keeping a connection or by opening many streams.
 *
 * A started request takes priority over a new one: while one that has waited for something could go on, none starts, so
 * what is in flight is bounded by what the machine gets done. Pages that wait for a database don't count while they do.
 * Those that compute, and have lost their turn to others, take turns with new requests, up to weft.http_ready of them,
 * beside those that have computed for WEFT_LONG: no request waits for the end of a long computation. Nor for requests
 * that are never done and always ready: as long as fewer than --concurrency run, one starts every NEW_ONE_EVERY. Where
 * database connections are what is short, and the queue has stood for longer than a BURST, no request starts to wait
 * for one.
 *
 * The queue is limited by time (weft.http_queue_ms), as measured, not as forecast: a request is refused with 503 when
 * the one at the head has waited for longer than that, or when it has itself when its turn comes. A queue that has
 * stood for so long without a break is overload, and then a fifth of it must do: responses are early or refused, as in
 * RFC 8289 (CoDel).
 *
 * Connections wait in the kernel's queue, where other workers find them, while enough new clients wait here
 * (weft_admission_wants_more). Only when no worker has taken them for weft.http_queue_ms they are all taken, to be
 * refused, until the queue is empty again.
 */
#include "http/weft_http_internal.h"
#include "http/files/weft_files.h"
#include "domain/weft_domain.h"
#include "pdo/weft_pdo.h"
#include "reactor/weft_log.h"

/* Started requests have priority, but a new one starts this often all the same. */
#define NEW_ONE_EVERY (250 * WEFT_NS_PER_MS)
/* A queue that has stood for longer is no burst of requests that come together. */
#define BURST (5 * WEFT_NS_PER_SEC)
/* Requests of such a burst that may wait for a connection of a pool: few enough that each has one in time. */
#define WAITING_IN_BURST 256
/* In overload a request may wait for this part of weft.http_queue_ms. */
#define OVERLOAD_DIVISOR 5
/* Requests of new clients that a worker has in its queue before it leaves connections to the others: some, so that it
 * need not go to the kernel for each. */
#define NEW_CLIENTS 8
#define TELL_EVERY (60 * WEFT_NS_PER_SEC)

static void note_if_long(weft_http_request *request, uint64_t cpu_time)
{
	if (!request->takes_long && cpu_time > WEFT_LONG) {
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
 * new requests, which go before them. */
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

static bool has_stood_for(const weft_admission *line, uint64_t time, uint64_t now)
{
	return line->overload || (line->since && now > line->since + time); /* `now` may be a little before that */
}

/* Of those that have begun enough wait for a connection of a pool: one more would do the same there, and hold its
 * memory for it. In a burst that may be many more, for who is new may need none. */
static bool lacks_connections(const weft_http_server *server)
{
	const weft_admission *line = &server->admission;
	uint32_t most = server->config.ready;

	if (server->config.queue_ms == 0 || !has_stood_for(line, BURST, weft_lately())) {
		most = MAX(most, WAITING_IN_BURST);
	}
	return server->running >= most && !stands(line) && weft_pdo_count_in_use().waiting >= most;
}

static bool may_begin(const weft_http_server *server)
{
	if (server->running >= server->config.concurrency) {
		return false;
	}
	return server->config.ready == 0 || !(lacks_cpu(server) || lacks_connections(server));
}

/* --- the queue --- */

static void append_place(weft_admission *line, weft_http_place *place)
{
	place->since = weft_just_now();
	place->next = NULL;
	place->previous = line->last;
	*(line->last ? &line->last->next : &line->first) = place;
	line->last = place;
	line->new_clients += !place->served;
}

static void remove_place(weft_admission *line, weft_http_place *place)
{
	*(place->previous ? &place->previous->next : &line->first) = place->next;
	*(place->next ? &place->next->previous : &line->last) = place->previous;
	line->new_clients -= !place->served;
}

static void append_to_place(weft_http_place *place, weft_http_exchange *exchange)
{
	exchange->place = place;
	exchange->next_queued = NULL;
	exchange->previous_queued = place->last;
	*(place->last ? &place->last->next_queued : &place->first) = exchange;
	place->last = exchange;
}

static void begin_to_stand(weft_admission *line)
{
	if (!line->since) {
		line->since = line->moved = weft_just_now();
	}
}

/* Connections that are left in the kernel's queue wait as well. */
static void stand_no_more_if_empty(weft_admission *line)
{
	if (line->length == 0 && !weft_timer_armed(&line->late)) {
		line->since = 0;
		line->overload = false;
	}
}

static void join_line(weft_http_server *server, weft_http_exchange *exchange)
{
	weft_admission *line = &server->admission;
	weft_http_place *place = exchange->place ? exchange->place : &line->without_client;

	exchange->queued_since = weft_just_now(); /* as when it began: weft_request_take_head() */
	begin_to_stand(line);
	if (!place->first) {
		append_place(line, place);
	}
	append_to_place(place, exchange);
	line->length++;
}

void weft_admission_leave(weft_http_exchange *exchange)
{
	weft_admission *line = &exchange->server->admission;
	weft_http_place *place = exchange->place;
	weft_http_exchange *before = exchange->previous_queued, *behind = exchange->next_queued;

	*(before ? &before->next_queued : &place->first) = behind;
	*(behind ? &behind->previous_queued : &place->last) = before;
	if (!place->first) {
		remove_place(line, place);
	}
	line->length--;
	stand_no_more_if_empty(line);
	exchange->state = WEFT_CONNECTION_BODY; /* that of a request which is complete */
}

void weft_admission_disown(weft_http_server *server, weft_http_place *place)
{
	weft_admission *line = &server->admission;
	weft_http_place *heir = &line->without_client;
	weft_http_exchange *exchange = place->first, *next;

	if (!exchange) {
		return;
	}
	remove_place(line, place);
	if (!heir->first) {
		append_place(line, heir);
	}
	for (; exchange; exchange = next) {
		next = exchange->next_queued;
		append_to_place(heir, exchange);
	}
	place->first = place->last = NULL;
}

/* The first of the place at the head leaves; the others of its client wait for another round. */
static weft_http_exchange *take_first(weft_admission *line)
{
	weft_http_place *place = line->first;
	weft_http_exchange *exchange = place->first;

	weft_admission_leave(exchange);
	if (place->first) {
		remove_place(line, place);
		place->served = true;
		append_place(line, place);
	}
	place->served = true;
	line->moved = weft_just_now(); /* one has ended, or the reactor was asked */
	return exchange;
}

/* --- its limit --- */

/* How long a request may wait; 0: for any time. */
static uint64_t patience(const weft_http_server *server, uint64_t now)
{
	uint64_t longest = server->config.queue_ms * WEFT_NS_PER_MS;

	return has_stood_for(&server->admission, longest, now) ? longest / OVERLOAD_DIVISOR : longest;
}

static bool is_too_long(weft_http_server *server, uint64_t since)
{
	uint64_t now = weft_just_now(), most = patience(server, now), wait = now > since ? now - since : 0;
	weft_admission *line = &server->admission;

	if (server->draining || most == 0 || wait <= most) {
		return false;
	}
	if (weft_log_is_due(&line->told, TELL_EVERY)) {
		weft_log_at("warning",
			"weft: overload: %u requests are queued, the oldest for %u ms; rejecting with 503 (weft.http_queue_ms)",
			line->length, (unsigned) (wait / WEFT_NS_PER_MS));
	}
	return true;
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
static void begin_or_refuse(weft_http_server *server, weft_http_exchange *exchange)
{
	if (exchange->framing->hold && exchange->framing->hold(exchange)) {
		return;
	}
	if (!exchange->waits_in_any_case && is_too_long(server, exchange->queued_since)) {
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
		begin_or_refuse(server, take_first(line));
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

/* --- from outside --- */

void weft_admission_init(weft_http_server *server)
{
	server->admission.next.fire = look_in_round;
	server->admission.later.fire = look_later;
	server->admission.without_client.served = true;
}

void weft_admission_forget(weft_http_server *server)
{
	weft_round_forget(&server->admission.next);
	weft_timer_disarm(&server->admission.later);
}

bool weft_admission_wants_more(const weft_http_server *server)
{
	const weft_admission *line = &server->admission;

	if (line->overload) {
		return true;
	}
	if (weft_http_server_full(server)) { /* others may not be: only as many as must not wait behind old clients */
		return line->length > 0 && 2 * line->new_clients <= line->length;
	}
	return line->new_clients < MAX(NEW_CLIENTS, line->length / 2);
}

bool weft_admission_has_waited(const weft_http_server *server, uint64_t time)
{
	return server->admission.first && weft_now() > server->admission.first->since + time;
}

void weft_admission_hold(weft_http_server *server)
{
	weft_admission *line = &server->admission;
	uint64_t longest = server->config.queue_ms * WEFT_NS_PER_MS;

	if (longest > 0 && !server->draining && !line->overload && !weft_timer_armed(&line->late)) {
		weft_timer_arm(&line->late, weft_now() + longest);
		begin_to_stand(line);
	}
}

void weft_admission_taken(weft_http_server *server)
{
	weft_timer_disarm(&server->admission.late);
	stand_no_more_if_empty(&server->admission);
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
	const weft_http_place *head = server->admission.first;

	if (!head && may_begin(server)) {
		if (exchange->place) {
			exchange->place->served = true;
		}
		weft_http_server_begin(server, exchange);
	} else if (head && !exchange->waits_in_any_case && is_too_long(server, head->since)) {
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
