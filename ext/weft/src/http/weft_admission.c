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
 * beside those that have computed for WEFT_LONG: no request waits for the end of a long computation. Where the route of
 * a request is known to compute for longer than a slice, the request does not begin while another one computes, so such
 * pages run one after the other; others pass it. It waits no longer than two of its kind compute, and for each of those
 * that have passed it and turn out to be as long, one of its line begins at once. No request waits for requests
 * that are never done and always ready: as long as fewer than --concurrency run, one starts every NEW_ONE_EVERY, and of
 * the long ones every LONG_ONE_EVERY. Where
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
/* Of those whose route computes for long: on a busy machine one of them alone may take longer than the other limit. */
#define LONG_ONE_EVERY WEFT_NS_PER_SEC
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
		request->server->admission.computing_long++;
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
	return weft_ready_count() > weft_preempted_count() + server->admission.computing_long || weft_timer_is_due();
}

static bool stands(const weft_http_line *line)
{
	return line->first && weft_lately() >= line->moved + line->every;
}

/* What its request will compute, for all we know; 0: no long time. Messages of WebSockets are not told apart. */
static uint64_t usual_cpu(const weft_http_exchange *exchange)
{
	const weft_usual_cpu *table = &exchange->server->admission.usual;
	weft_http_request *request = exchange->request;

	if (table->known == 0 || request->job) {
		return 0;
	}
	if (!request->path) {
		request->path = weft_usual_cpu_route(weft_parser_method(&request->parser), request->uri);
	}
	return weft_usual_cpu_of(table, request->path);
}

/* A long request waits for one that computes, for it would share the caches with it, hold its memory meanwhile, and
 * make both end late. Not for one that has computed for twice as long as it will itself, or for WEFT_LONG; nor where
 * other requests of its connection, short ones of other visitors behind a proxy, wait behind it. */
static bool waits_for_computation(const weft_http_line *line, const weft_http_exchange *next)
{
	uint64_t usual = line->owed > 0 || next->next_queued ? 0 : usual_cpu(next);

	return usual > 0 && weft_computed_least() < MIN(2 * usual, WEFT_LONG);
}

static bool lacks_cpu(const weft_http_line *line, const weft_http_exchange *next)
{
	const weft_http_server *server = next->server;
	uint32_t most = server->config.ready;

	return weft_ready_count() >= most + server->admission.computing_long ||
		((somebody_can_go_on(server) || waits_for_computation(line, next)) && !stands(line));
}

static bool has_stood_for(const weft_admission *queue, uint64_t time, uint64_t now)
{
	return queue->overload || (queue->since && now > queue->since + time); /* `now` may be a little before that */
}

/* Of those that have begun enough wait for a connection of a pool: one more would do the same there, and hold its
 * memory for it. In a burst that may be many more, for who is new may need none. */
static bool lacks_connections(const weft_http_server *server, const weft_http_line *line)
{
	uint32_t most = server->config.ready;

	if (server->config.queue_ms == 0 || !has_stood_for(&server->admission, BURST, weft_lately())) {
		most = MAX(most, WAITING_IN_BURST);
	}
	return server->running >= most && !stands(line) && weft_pdo_count_in_use().waiting >= most;
}

/* `next` is the first of that line, or there would be none before it. */
static bool may_begin(const weft_http_line *line, const weft_http_exchange *next)
{
	const weft_http_server *server = next->server;

	if (server->running >= server->config.concurrency) {
		return false;
	}
	return server->config.ready == 0 || !(lacks_cpu(line, next) || lacks_connections(server, line));
}

/* --- the queue --- */

static weft_http_line *line_for(const weft_http_exchange *exchange)
{
	weft_admission *queue = &exchange->server->admission;

	return usual_cpu(exchange) > 0 ? &queue->long_ones : &queue->short_ones;
}

/* Where its first request belongs, at the point of its `since`: mostly the end. */
static void enter_line(weft_admission *queue, weft_http_place *place)
{
	weft_http_line *line = line_for(place->first);
	weft_http_place *before = line->last;

	while (before && before->since > place->since) {
		before = before->previous;
	}
	if (!line->first) {
		line->owed = 0;
	}
	place->line = line;
	place->previous = before;
	place->next = before ? before->next : line->first;
	*(before ? &before->next : &line->first) = place;
	*(place->next ? &place->next->previous : &line->last) = place;
	queue->new_clients += !place->served;
}

static void leave_line(weft_admission *queue, weft_http_place *place)
{
	weft_http_line *line = place->line;

	*(place->previous ? &place->previous->next : &line->first) = place->next;
	*(place->next ? &place->next->previous : &line->last) = place->previous;
	queue->new_clients -= !place->served;
}

static void go_to_end(weft_admission *queue, weft_http_place *place)
{
	place->since = weft_just_now();
	enter_line(queue, place);
}

static void append_to_place(weft_http_place *place, weft_http_exchange *exchange)
{
	exchange->place = place;
	exchange->next_queued = NULL;
	exchange->previous_queued = place->last;
	*(place->last ? &place->last->next_queued : &place->first) = exchange;
	place->last = exchange;
}

static void begin_to_stand(weft_admission *queue)
{
	if (!queue->since) {
		queue->since = queue->short_ones.moved = queue->long_ones.moved = weft_just_now();
	}
}

/* Connections that are left in the kernel's queue wait as well. */
static void stand_no_more_if_empty(weft_admission *queue)
{
	if (queue->length == 0 && !weft_timer_armed(&queue->late)) {
		queue->since = 0;
		queue->overload = false;
	}
}

static void join_line(weft_http_server *server, weft_http_exchange *exchange)
{
	weft_admission *queue = &server->admission;
	weft_http_place *place = exchange->place ? exchange->place : &queue->without_client;
	bool is_there = place->first;

	exchange->queued_since = weft_just_now(); /* as when it began: weft_request_take_head() */
	begin_to_stand(queue);
	append_to_place(place, exchange);
	if (!is_there) {
		go_to_end(queue, place);
	}
	queue->length++;
}

void weft_admission_leave(weft_http_exchange *exchange)
{
	weft_admission *queue = &exchange->server->admission;
	weft_http_place *place = exchange->place;
	weft_http_exchange *before = exchange->previous_queued, *behind = exchange->next_queued;

	*(before ? &before->next_queued : &place->first) = behind;
	*(behind ? &behind->previous_queued : &place->last) = before;
	if (!before) {
		leave_line(queue, place);
	}
	if (!before && behind) {
		enter_line(queue, place);
	}
	queue->length--;
	stand_no_more_if_empty(queue);
	exchange->state = WEFT_CONNECTION_BODY; /* that of a request which is complete */
}

void weft_admission_disown(weft_http_server *server, weft_http_place *place)
{
	weft_admission *queue = &server->admission;
	weft_http_place *heir = &queue->without_client;
	weft_http_exchange *exchange = place->first, *next;
	bool is_there = heir->first;

	if (!exchange) {
		return;
	}
	leave_line(queue, place);
	for (; exchange; exchange = next) {
		next = exchange->next_queued;
		append_to_place(heir, exchange);
	}
	if (!is_there) {
		go_to_end(queue, heir);
	}
	place->first = place->last = NULL;
}

/* The first of the place at the head leaves; the others of its client wait for another round. */
static weft_http_exchange *take_first(weft_admission *queue, const weft_http_line *line)
{
	weft_http_place *place = line->first;
	weft_http_exchange *exchange = place->first;

	weft_admission_leave(exchange);
	if (place->first) {
		leave_line(queue, place);
		place->served = true;
		go_to_end(queue, place);
	}
	place->served = true;
	return exchange;
}

/* When they came, nobody knew that they are long. */
static void move_long_ones(weft_admission *queue)
{
	weft_http_place *place;

	while ((place = queue->short_ones.first) && usual_cpu(place->first) > 0) {
		leave_line(queue, place);
		enter_line(queue, place);
	}
}

const weft_http_place *weft_admission_head(const weft_http_server *server)
{
	const weft_http_place *first = server->admission.short_ones.first, *other = server->admission.long_ones.first;

	return !first || (other && other->since < first->since) ? other : first;
}

/* The line whose first may begin, and if both may, that of the client that waits for longer. */
static weft_http_line *line_that_moves(weft_admission *queue)
{
	weft_http_line *line = &queue->short_ones, *other = &queue->long_ones;
	bool moves, other_moves;

	move_long_ones(queue);
	moves = line->first && may_begin(line, line->first->first);
	other_moves = other->first && may_begin(other, other->first->first);
	if (moves && other_moves) {
		return other->first->since < line->first->since ? other : line;
	}
	return moves ? line : other_moves ? other : NULL;
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
	weft_admission *queue = &server->admission;

	if (server->draining || most == 0 || wait <= most) {
		return false;
	}
	if (weft_log_is_due(&queue->told, TELL_EVERY)) {
		weft_log_at("warning",
			"weft: overload: %u requests are queued, the oldest for %u ms; rejecting with 503 (weft.http_queue_ms)",
			queue->length, (unsigned) (wait / WEFT_NS_PER_MS));
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

/* Its turn has come. One that is held or refused is not the one that begins every NEW_ONE_EVERY. */
static void begin_or_refuse(weft_http_line *line, weft_http_exchange *exchange)
{
	weft_http_server *server = exchange->server;

	if (exchange->framing->hold && exchange->framing->hold(exchange)) {
		return;
	}
	if (!exchange->waits_in_any_case && is_too_long(server, exchange->queued_since)) {
		refuse(exchange);
	} else {
		line->moved = weft_just_now(); /* one has ended, or the reactor was asked */
		line->owed -= line->owed > 0;
		exchange->request->is_long = line == &server->admission.long_ones;
		weft_http_server_begin(server, exchange);
	}
}

/* When one of the lines is to move in any case. */
static uint64_t next_stands(const weft_admission *queue)
{
	const weft_http_line *const lines[] = {&queue->short_ones, &queue->long_ones};
	uint64_t at = UINT64_MAX;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		if (lines[i]->first) {
			at = MIN(at, lines[i]->moved + lines[i]->every);
		}
	}
	return at;
}

/* When those who could run have had a turn. Where nobody can, and connections are what is short, little changes before
 * another request ends. */
static void look_again(weft_http_server *server)
{
	weft_admission *queue = &server->admission;
	const weft_http_place *head = weft_admission_head(server);

	if (!somebody_can_go_on(server) && lacks_connections(server, head->line)) {
		weft_timer_arm(&queue->later, next_stands(queue));
	} else {
		weft_round_await(&queue->next);
	}
}

void weft_admission_go_on(weft_http_server *server)
{
	weft_admission *queue = &server->admission;
	weft_http_line *line;

	weft_timer_disarm(&queue->later); /* else it is one that is due */
	if ((stands(&queue->short_ones) || stands(&queue->long_ones)) && weft_lately() >= queue->looked + NEW_ONE_EVERY) {
		queue->looked = weft_lately();
		look_for_long_ones(server);
	}
	while ((line = line_that_moves(queue))) {
		begin_or_refuse(line, take_first(queue, line));
	}
	if (queue->length > 0 && server->running < server->config.concurrency) {
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
	look((weft_http_server *) ((char *) round - offsetof(weft_http_server, admission.next)));
}

static void look_later(weft_timer *timer)
{
	look((weft_http_server *) ((char *) timer - offsetof(weft_http_server, admission.later)));
}

/* --- from outside --- */

void weft_admission_init(weft_http_server *server)
{
	server->admission.next.fire = look_in_round;
	server->admission.later.fire = look_later;
	server->admission.without_client.served = true;
	server->admission.short_ones.every = NEW_ONE_EVERY;
	server->admission.long_ones.every = LONG_ONE_EVERY;
}

void weft_admission_forget(weft_http_server *server)
{
	weft_round_forget(&server->admission.next);
	weft_timer_disarm(&server->admission.later);
}

bool weft_admission_wants_more(const weft_http_server *server)
{
	const weft_admission *queue = &server->admission;

	if (queue->overload) {
		return true;
	}
	if (weft_http_server_full(server)) { /* others may not be: only as many as must not wait behind old clients */
		return queue->length > 0 && 2 * queue->new_clients <= queue->length;
	}
	return queue->new_clients < MAX(NEW_CLIENTS, queue->length / 2);
}

bool weft_admission_has_waited(const weft_http_server *server, uint64_t time)
{
	const weft_http_place *head = weft_admission_head(server);

	return head && weft_now() > head->since + time;
}

void weft_admission_hold(weft_http_server *server)
{
	weft_admission *queue = &server->admission;
	uint64_t longest = server->config.queue_ms * WEFT_NS_PER_MS;

	if (longest > 0 && !server->draining && !queue->overload && !weft_timer_armed(&queue->late)) {
		weft_timer_arm(&queue->late, weft_now() + longest);
		begin_to_stand(queue);
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
	const weft_http_line *line = line_for(exchange);

	if (!line->first && may_begin(line, exchange)) {
		if (exchange->place) {
			exchange->place->served = true;
		}
		exchange->request->is_long = line == &server->admission.long_ones;
		weft_http_server_begin(server, exchange);
	} else if (line->first && !exchange->waits_in_any_case && is_too_long(server, line->first->since)) {
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
	weft_http_line *long_ones = &request->server->admission.long_ones;

	/* taken for a short one, it has passed them: else those of unknown routes would keep the known ones out */
	if (!request->is_long) {
		request->is_long = true;
		long_ones->owed += long_ones->first != NULL;
	}
	note_if_long(request, weft_domain_cpu_time());
}

/* One that has computed for WEFT_LONG takes turns with all others, and tells nothing of its route: short pages of the
 * same address, a query apart, would count as long beside it, and wait for it. */
void weft_admission_note_cpu(weft_http_request *request)
{
	weft_usual_cpu *table = &request->server->admission.usual;
	uint64_t slice = weft_time_slice_length(), computed = weft_domain_cpu_time();

	if (!slice || request->aborted || request->job || computed > WEFT_LONG || (computed <= slice && !request->path)) {
		return;
	}
	if (!request->path) {
		request->path = weft_usual_cpu_route(weft_parser_method(&request->parser), request->uri);
	}
	weft_usual_cpu_note(table, request->path, computed, slice);
}

void weft_admission_ended(weft_http_request *request)
{
	request->server->admission.computing_long -= request->takes_long;
}
