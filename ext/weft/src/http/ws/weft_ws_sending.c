/*
 * What waits for the client: frames, in their order, which other sockets may have too. Memory is bounded by
 * weft.ws_buffer: whoever wants to send more waits, or is told.
 */
#include "http/ws/weft_ws_internal.h"

/* What a frame costs besides its bytes, so that a million of the smallest are no way around the limit. */
#define COST 64
#define LEAST_ROOM 4
/* Frames that are kept for one system call while what has come is looked at: hundreds of pings take one packet. */
#define TOGETHER 64

static size_t waiting(const weft_ws *socket)
{
	return socket->queue.bytes + socket->queue.count * COST;
}

bool weft_ws_has_room(const weft_ws *socket)
{
	return waiting(socket) < socket->server->config.ws_buffer;
}

/* --- the ring --- */

static weft_ws_message *at(const weft_ws_queue *queue, uint32_t index)
{
	return queue->piece[(queue->first + index) & (queue->room - 1)];
}

static void grow(weft_ws_queue *queue)
{
	uint32_t room = MAX(LEAST_ROOM, queue->room * 2);
	weft_ws_message **piece = safe_pemalloc(room, sizeof(*piece), 0, 1);

	for (uint32_t i = 0; i < queue->count; i++) {
		piece[i] = at(queue, i);
	}
	free(queue->piece);
	queue->piece = piece;
	queue->room = room;
	queue->first = 0;
}

static void push(weft_ws_queue *queue, weft_ws_message *frame)
{
	if (queue->count == queue->room) {
		grow(queue);
	}
	queue->piece[(queue->first + queue->count++) & (queue->room - 1)] = frame;
	queue->bytes += frame->length;
}

static void drop_ring(weft_ws_queue *queue)
{
	free(queue->piece);
	memset(queue, 0, sizeof(*queue));
}

void weft_ws_queue_free(weft_ws *socket)
{
	for (uint32_t i = 0; i < socket->queue.count; i++) {
		weft_ws_message_release(at(&socket->queue, i));
	}
	drop_ring(&socket->queue);
	socket->kept = 0;
}

/* --- for the carrier --- */

int weft_ws_unsent(const weft_ws *socket, struct iovec *parts, int count)
{
	const weft_ws_queue *queue = &socket->queue;
	int n = 0;

	for (; n < count && (uint32_t) n < queue->count; n++) {
		weft_ws_message *frame = at(queue, (uint32_t) n);
		size_t skip = n == 0 ? queue->left_of_first : 0;

		parts[n].iov_base = frame->frame + skip;
		parts[n].iov_len = frame->length - skip;
	}
	return n;
}

void weft_ws_have_left(weft_ws *socket, size_t length)
{
	weft_ws_queue *queue = &socket->queue;
	bool was_full = !weft_ws_has_room(socket);

	queue->bytes -= length;
	length += queue->left_of_first;
	while (queue->count > 0 && at(queue, 0)->length <= length) {
		length -= at(queue, 0)->length;
		weft_ws_message_release(at(queue, 0));
		queue->first = (queue->first + 1) & (queue->room - 1);
		queue->count--;
	}
	queue->left_of_first = length;
	if (queue->count == 0) {
		drop_ring(queue);
	}
	socket->has_room_again |= was_full && weft_ws_has_room(socket);
	if (waiting(socket) <= socket->server->config.ws_buffer / 2) {
		weft_writers_wake(socket->writers);
	}
}

/* --- for who sends --- */

static void begin_to_send(weft_ws *socket)
{
	socket->kept = 0;
	socket->carrier->flush(socket->exchange);
	if (socket->queue.count > 0) {
		socket->exchange->progress.began = 0; /* at the first look: nearly always all has left by then */
		weft_ws_set_deadline(socket);
	}
}

void weft_ws_send(weft_ws *socket, weft_ws_message *frame)
{
	bool waited = socket->queue.count > socket->kept;

	if (UNEXPECTED(weft_http_forked) || !socket->exchange) {
		weft_ws_message_release(frame); /* in a child of a request it is the parent's to send */
		return;
	}
	push(&socket->queue, frame);
	if (!waited && socket->reads && socket->kept < TOGETHER) {
		socket->kept++;
	} else if (!waited) {
		begin_to_send(socket);
	}
}

void weft_ws_send_kept(weft_ws *socket)
{
	socket->reads = false;
	if (socket->kept > 0) {
		begin_to_send(socket);
	}
}

void weft_ws_send_message(weft_ws *socket, weft_ws_message *message)
{
	weft_board_count_message(socket->server->shown, WEFT_BOARD_OUT); /* before anybody can have it */
	weft_ws_send(socket, weft_ws_message_for(socket, message));
}

weft_ws_result weft_ws_deliver(weft_ws *socket, weft_ws_message *message)
{
	if (socket->state != WEFT_WS_OPEN) {
		return WEFT_WS_GONE;
	}
	if (!weft_ws_has_room(socket)) {
		return WEFT_WS_FULL;
	}
	weft_ws_send_message(socket, message);
	return WEFT_WS_SENT;
}

bool weft_ws_await_room(weft_ws *socket)
{
	static const weft_wait_info waiting_for_client = {.what = "websocket send", .fd = -1};
	int result = 0;

	while (result == 0 && socket->state == WEFT_WS_OPEN && !weft_ws_has_room(socket) && weft_can_suspend()) {
		result = weft_writers_wait(&socket->writers, &waiting_for_client);
	}
	return result == 0 && socket->state == WEFT_WS_OPEN;
}
