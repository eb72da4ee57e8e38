/*
 * The life of a socket (weft_ws_state): it is open; one side sends its close, then the other; the exchange ends.
 *
 * Who sends may be far from the connection's code, and walk through many sockets: sending ends none. The exchange ends
 * where connections call (weft_ws_receive(), weft_ws_writable() …), and in weft_ws_resume() and weft_ws_close().
 */
#include "http/ws/weft_rooms.h"
#include "http/ws/weft_ws_internal.h"

#include <pthread.h>
#include <sys/random.h>

/* The highest number of a worker: it must not look like a small one, and fit PHP's integers. */
#define NODES 1000000000

static uint32_t node; /* 0: not drawn yet */

uint32_t weft_ws_node(void)
{
	while (node == 0) {
		if (getrandom(&node, sizeof(node), GRND_NONBLOCK) != sizeof(node)) {
			node = (uint32_t) (weft_now() ^
				((uint64_t) getpid() << 16)); /* at boot: it tells apart, and is no secret */
		}
		node %= NODES;
	}
	return node;
}

static void forget_node(void)
{
	node = 0;
}

uint64_t weft_ws_serial(const weft_ws *socket)
{
	return socket->serial;
}

struct weft_room_place **weft_ws_places(weft_ws *socket)
{
	return &socket->places;
}

uint64_t *weft_ws_last_delivery(weft_ws *socket)
{
	return &socket->last_delivery;
}

/* --- memory --- */

void weft_ws_addref(weft_ws *socket)
{
	socket->references++;
}

void weft_ws_release(weft_ws *socket)
{
	if (--socket->references > 0) {
		return;
	}
	weft_ws_drop_incoming(socket);
	weft_ws_answer_free(socket);
	free(socket->reason);
	free(socket->method);
	free(socket->about);
	free(socket->bytes);
	free(socket->protocol);
	free(socket);
}

weft_ws *weft_ws_new(weft_http_request *request, const char *protocol)
{
	static uint64_t serials;
	weft_http_exchange *exchange = request->exchange;
	weft_ws *socket = pecalloc(1, sizeof(*socket), 1);

	socket->references = 2; /* the exchange's and the request's */
	socket->server = request->server;
	socket->exchange = exchange;
	socket->carrier = exchange->framing->websocket;
	socket->deflate_bits = weft_ws_agree_on_deflate(request);
	socket->serial = ++serials;
	socket->last = &socket->first;
	socket->heard = weft_now();
	socket->restart_code = WEFT_WS_RESTART;
	socket->protocol = protocol ? strdup(protocol) : NULL;
	socket->by = request;
	socket->waits = true;
	socket->server->ws_waiting++;
	weft_board_show_websockets(socket->server->shown, ++socket->server->websockets);
	request->ws = exchange->ws = socket;
	request->response.ended = true; /* what is printed from now on nobody gets */
	weft_time_limit_end(request);
	socket->carrier->begin(request);
	weft_outcome_of_request(request, request->response.status);
	if (socket->exchange) {
		weft_ws_set_deadline(socket);
		socket->carrier->resume(socket->exchange);
	}
	return socket;
}

void weft_ws_begun(weft_http_request *request)
{
	weft_http_exchange *exchange = request->exchange;

	if (exchange) {
		weft_exchange_done(exchange);
		exchange->state = WEFT_CONNECTION_WEBSOCKET;
	}
}

/* --- who is told --- */

/* A message has come, or none will. */
static void tell(weft_ws *socket)
{
	if (socket->receiver) {
		if (socket->by) {
			weft_request_unpark(socket->by);
		}
		weft_wake(socket->receiver);
	}
	weft_ws_job_go_on(socket);
}

/* Nothing can be sent any more. */
static void no_more_sending(weft_ws *socket)
{
	weft_rooms_leave_all(socket);
	weft_writers_wake(socket->writers);
}

static void talk_over(weft_ws *socket, uint16_t code, weft_ws_state state)
{
	bool open = socket->state == WEFT_WS_OPEN;

	socket->code = socket->code ? socket->code : code; /* who was first has ended it */
	socket->state = state;
	if (open) {
		no_more_sending(socket);
	}
	tell(socket);
}

/* --- the exchange's end --- */

static void let_go(weft_ws *socket)
{
	weft_board_show_websockets(socket->server->shown, --socket->server->websockets);
	socket->exchange->ws = NULL;
	socket->exchange = NULL;
	weft_ws_queue_free(socket);
	weft_ws_reader_free(socket);
}

static bool is_sent(const weft_ws *socket)
{
	return socket->queue.count == 0 && !weft_exchange_unsent(socket->exchange);
}

static void end_when_sent(weft_ws *socket)
{
	weft_http_exchange *exchange = socket->exchange;

	if (!exchange) {
		return;
	}
	if (!is_sent(socket)) {
		weft_ws_set_deadline(socket);
		return;
	}
	let_go(socket);
	socket->state = WEFT_WS_ENDED;
	socket->carrier->end(exchange);
	weft_ws_release(socket);
}

void weft_ws_gone(weft_ws *socket)
{
	let_go(socket);
	if (socket->state < WEFT_WS_ENDING) {
		talk_over(socket, socket->client_code ? socket->client_code : WEFT_WS_LOST, WEFT_WS_ENDED);
	}
	socket->state = WEFT_WS_ENDED;
	weft_ws_release(socket);
}

static void send_close(weft_ws *socket, uint16_t code, const char *reason, size_t length)
{
	socket->closed_at = weft_now();
	weft_ws_send(socket, weft_ws_close_frame_new(code, reason, length));
}

static void finish(weft_ws *socket, uint16_t code, uint16_t answer)
{
	if (socket->state == WEFT_WS_OPEN) {
		send_close(socket, answer, NULL, 0);
	}
	talk_over(socket, code, WEFT_WS_ENDING);
	end_when_sent(socket);
}

static void answer_close(weft_ws *socket)
{
	finish(socket, socket->client_code, socket->client_code == WEFT_WS_NO_CODE ? 0 : socket->client_code);
}

static bool is_at_work(const weft_ws *socket)
{
	return socket->first || socket->job || socket->at_work;
}

void weft_ws_ends_with(weft_ws *socket, uint16_t code)
{
	socket->client_code = code;
	if (socket->state == WEFT_WS_OPEN && is_at_work(socket)) {
		socket->closed_at = weft_now();
		weft_ws_set_deadline(socket);
	} else {
		answer_close(socket);
	}
}

void weft_ws_all_done(weft_ws *socket)
{
	if (weft_ws_has_close_to_answer(socket)) {
		answer_close(socket);
	}
}

void weft_ws_close(weft_ws *socket, uint16_t code, const char *reason, size_t length)
{
	if (socket->state != WEFT_WS_OPEN || UNEXPECTED(weft_http_forked)) {
		return;
	}
	if (socket->client_code) {
		answer_close(socket);
		return;
	}
	socket->state = WEFT_WS_CLOSING;
	socket->code = code;
	send_close(socket, code, reason, length);
	weft_ws_set_deadline(socket);
	no_more_sending(socket);
	if (socket->receiver) {
		tell(socket);
	}
	/* the client's is listened for, whatever was not wanted before */
	weft_ws_resume(socket);
}

/* --- what connections tell --- */

bool weft_ws_wants(const weft_ws *socket)
{
	if (socket->state == WEFT_WS_OPEN) {
		return !socket->first && !socket->client_code &&
			weft_ws_has_room(socket); /* whose pongs are not taken is not read */
	}
	return socket->state == WEFT_WS_CLOSING;
}

size_t weft_ws_receive(weft_ws *socket, const char *data, size_t length)
{
	size_t taken;

	socket->heard = weft_just_now();
	socket->pinged = 0;
	socket->references++;
	socket->reads = true;
	taken = weft_ws_read(socket, data, length);
	weft_ws_send_kept(socket);
	if (socket->state == WEFT_WS_ENDING) {
		end_when_sent(socket);
	}
	if (socket->first && socket->state == WEFT_WS_OPEN) {
		tell(socket);
	}
	weft_ws_release(socket);
	return taken;
}

void weft_ws_half_closed(weft_ws *socket)
{
	socket->carrier->drop(socket->exchange);
}

void weft_ws_writable(weft_ws *socket)
{
	if (socket->queue.count > 0) {
		socket->carrier->flush(socket->exchange);
	}
	if (socket->state == WEFT_WS_ENDING) {
		end_when_sent(socket);
	} else if (socket->has_room_again) {
		socket->has_room_again = false;
		weft_ws_resume(socket);
	}
}

void weft_ws_resume(weft_ws *socket)
{
	if (!socket->exchange || !weft_ws_wants(socket)) {
		return;
	}
	socket->pinged = 0; /* what it has said meanwhile nobody has heard */
	weft_ws_set_deadline(socket);
	socket->carrier->resume(socket->exchange);
}

void weft_ws_drain(weft_ws *socket)
{
	weft_ws_close(socket, socket->restart_code, NULL, 0);
}

/* --- time --- */

/* Neither side has sent its close. */
static bool is_open(const weft_ws *socket)
{
	return socket->state == WEFT_WS_OPEN && !socket->client_code;
}

static uint64_t close_limit(const weft_ws *socket)
{
	return socket->closed_at + socket->server->config.ws_close_ms * WEFT_NS_PER_MS;
}

/* When the client must have said something, or is asked whether it is there; 0: never. */
static uint64_t silence_limit(const weft_ws *socket)
{
	const weft_http_config *config = &socket->server->config;

	if (!weft_ws_wants(socket)) {
		return 0; /* it could not be heard */
	}
	if (socket->pinged) {
		return socket->pinged + config->ws_pong_ms * WEFT_NS_PER_MS;
	}
	return config->ws_ping_ms ? socket->heard + config->ws_ping_ms * WEFT_NS_PER_MS : 0;
}

void weft_ws_set_deadline(weft_ws *socket)
{
	uint64_t deadline = is_open(socket) ? silence_limit(socket) : close_limit(socket);

	if (!socket->exchange) {
		return;
	}
	if (!is_sent(socket)) {
		uint64_t look = weft_progress_next_look(socket->exchange);

		deadline = deadline ? MIN(deadline, look) : look;
	}
	weft_exchange_set_deadline(socket->exchange, deadline);
}

static bool is_lost(const weft_ws *socket, uint64_t now)
{
	if (!is_sent(socket) && !weft_progress_look(socket->exchange)) {
		return true;
	}
	if (socket->state != WEFT_WS_OPEN) {
		return now >= close_limit(socket);
	}
	return socket->pinged && weft_ws_wants(socket) && now >= silence_limit(socket);
}

void weft_ws_look(weft_ws *socket)
{
	uint64_t now = weft_now(), limit;

	if (is_lost(socket, now)) {
		socket->carrier->drop(socket->exchange);
		return;
	}
	if (weft_ws_has_close_to_answer(socket) && now >= close_limit(socket)) {
		answer_close(socket); /* whoever is at work takes too long for a client to wait */
		return;
	}
	limit = silence_limit(socket);
	if (is_open(socket) && limit && now >= limit) {
		socket->pinged = now;
		weft_ws_send(socket, weft_ws_frame_new(WEFT_WS_PING, NULL, 0));
	}
	weft_ws_set_deadline(socket);
}

/* --- requests --- */

bool weft_ws_request_failed(const weft_http_request *request)
{
	return request->fatal || request->failed || request->script.threw;
}

void weft_ws_request_over(weft_http_request *request)
{
	weft_ws *socket = request->ws;

	if (!socket) {
		return;
	}
	request->ws = NULL;
	socket->by = NULL;
	weft_request_unpark(request);
	weft_ws_waits_no_more(socket);
	if (!socket->method) {
		weft_ws_drop_incoming(socket);
		weft_ws_close(socket, weft_ws_request_failed(request) ? WEFT_WS_FAILED : WEFT_WS_NORMAL, NULL, 0);
	}
	weft_ws_release(socket);
}

void weft_ws_waits_no_more(weft_ws *socket)
{
	socket->server->ws_waiting -= socket->waits;
	socket->waits = false;
}

void weft_ws_alone(void)
{
	weft_rooms_begin(NULL);
}

void weft_ws_minit(int module_number)
{
	pthread_atfork(NULL, NULL, forget_node);
	weft_ws_config_minit(module_number);
	weft_rooms_minit(module_number);
	weft_ws_object_minit();
}
