/*
 * What comes in, by wslay: frames, fragments, masks, control frames in between, and UTF-8. Its context is 8 KB, so it
 * is there only while something is incomplete.
 *
 * Of its events those of frames and pieces are used, without its buffers: a client that announces a megabyte gets
 * memory for what it sends. wslay sends nothing; what it would send is thrown away, and asked for the code of a close.
 */
#include "http/ws/weft_ws_internal.h"
#include "http/ws/weft_ws_deflate.h"

#include <wslay/wslay.h>

/* Two bytes, a length, and the mask. */
#define HEAD_MAX 14

/* Where the client is among its frames. wslay tells of a frame when the first byte of its payload is there, and who
 * announces more than is taken need not be waited for. */
typedef struct {
	uint8_t head[HEAD_MAX]; /* of the present frame */
	uint8_t have;           /* bytes of it; 0: no frame has begun */
	uint64_t payload;       /* bytes that are still to come */
	uint64_t announced;     /* of the message: by the frames that have begun */
	bool compressed;        /* the message is */
	bool too_big;           /* a head has announced more than may come */
} frames;

struct weft_ws_reader {
	wslay_event_context_ptr wslay;
	const char *at; /* what has come and wslay has not taken */
	size_t left;
	frames frames;       /* of what wslay has taken */
	bool in_message;     /* and the next frame goes on with it */
	bool control;        /* the frame is a control frame */
	uint8_t opcode;      /* of the message */
	bool compressed;     /* it is */
	uint16_t verdict;    /* why the socket ends: of the client's close, or for what is wrong; 0: it does not */
	weft_buffer message; /* what has come of it */
};

/* --- frames by their heads --- */

static uint32_t head_length(const frames *at)
{
	uint8_t length = at->head[1] & 0x7f;

	return at->have < 2 ? 2 : 2 + (length == 127 ? 8 : length == 126 ? 2 : 0) + (at->head[1] & 0x80 ? 4 : 0);
}

static uint64_t payload_length(const frames *at)
{
	uint8_t size = at->head[1] & 0x7f;
	uint64_t length = 0;

	if (size < 126) {
		return size;
	}
	for (int i = 0; i < (size == 126 ? 2 : 8); i++) {
		length = length << 8 | at->head[2 + i];
	}
	return length;
}

static void head_came(weft_ws *socket, frames *at)
{
	uint8_t opcode = at->head[0] & 0x0f;
	uint64_t longest;

	at->payload = payload_length(at);
	at->have = at->payload > 0 ? at->have : 0;
	if (wslay_is_ctrl_frame(opcode)) {
		return; /* its length has a limit of its own, which wslay knows */
	}
	if (opcode != WSLAY_CONTINUATION_FRAME) {
		at->announced = 0;
		at->compressed = at->head[0] & 0x40;
	}
	longest = weft_ws_longest(socket, at->compressed);
	at->too_big = at->payload > longest || at->announced > longest - at->payload;
	at->announced += at->payload;
}

/* How many of these bytes wslay may have: what is behind a head that announces too much is not looked at. */
static size_t follow_frames(weft_ws *socket, frames *at, const char *data, size_t length)
{
	size_t done = 0, step;

	while (done < length && !at->too_big) {
		if (at->payload > 0) {
			step = MIN(at->payload, length - done);
			at->payload -= step;
			at->have = at->payload > 0 ? at->have : 0;
			done += step;
			continue;
		}
		at->head[at->have++] = (uint8_t) data[done++];
		if (at->have == head_length(at)) {
			head_came(socket, at);
		}
	}
	return done;
}

static void end_with(weft_ws_reader *reader, uint16_t code)
{
	if (!reader->verdict) {
		reader->verdict = code;
		wslay_event_shutdown_read(reader->wslay);
	}
}

/* --- what wslay calls --- */

static ssize_t take_bytes(wslay_event_context_ptr wslay, uint8_t *to, size_t room, int flags, void *arg)
{
	weft_ws *socket = arg;
	weft_ws_reader *reader = socket->reader;
	size_t length = MIN(room, reader->left);

	if (reader->frames.too_big) {
		end_with(reader, WEFT_WS_TOO_BIG); /* wslay has found nothing else wrong with the head */
	}
	if (length == 0 || reader->verdict || !weft_ws_wants(socket)) {
		wslay_event_set_error(wslay, WSLAY_ERR_WOULDBLOCK);
		return -1;
	}
	length = follow_frames(socket, &reader->frames, reader->at, length);
	memcpy(to, reader->at, length);
	reader->at += length;
	reader->left -= length;
	return (ssize_t) length;
}

static ssize_t send_nothing(wslay_event_context_ptr wslay, const uint8_t *data, size_t length, int flags, void *arg)
{
	return (ssize_t) length;
}

static void frame_begins(wslay_event_context_ptr wslay, const struct wslay_event_on_frame_recv_start_arg *frame,
	void *arg)
{
	weft_ws *socket = arg;
	weft_ws_reader *reader = socket->reader;

	reader->control = wslay_is_ctrl_frame(frame->opcode);
	if (reader->control) {
		return;
	}
	if (!reader->in_message) {
		reader->opcode = frame->opcode;
		reader->compressed = wslay_get_rsv1(frame->rsv);
	}
	reader->in_message = !frame->fin;
}

static void piece_came(wslay_event_context_ptr wslay, const struct wslay_event_on_frame_recv_chunk_arg *piece,
	void *arg)
{
	weft_ws *socket = arg;
	weft_ws_reader *reader = socket->reader;

	if (reader->control || reader->verdict || piece->data_length == 0 || socket->state != WEFT_WS_OPEN) {
		return; /* who has closed hears no more messages */
	}
	weft_input_append(socket->server, &reader->message, (const char *) piece->data, piece->data_length);
	if (socket->server->input > socket->server->config.input_memory) {
		end_with(reader, WEFT_WS_TRY_LATER);
	}
}

/* What wslay could not look at. False: the socket ends. */
static bool decompress(weft_ws *socket)
{
	weft_ws_reader *reader = socket->reader;
	weft_buffer *message = &reader->message;
	uint16_t code = weft_ws_decompress(socket, message);

	if (code == 0 && reader->opcode == WEFT_WS_TEXT &&
		!weft_ws_is_utf8(weft_buffer_data(message), weft_buffer_length(message))) {
		code = WEFT_WS_BAD_TEXT;
	}
	if (code != 0) {
		end_with(reader, code);
	}
	return code == 0;
}

static void keep_message(weft_ws *socket)
{
	weft_ws_reader *reader = socket->reader;
	weft_ws_incoming *incoming;

	if (socket->state != WEFT_WS_OPEN || (reader->compressed && !decompress(socket))) {
		return;
	}
	if (reader->opcode == WEFT_WS_TEXT &&
		weft_ws_answers(socket, weft_buffer_data(&reader->message), weft_buffer_length(&reader->message))) {
		weft_input_free(socket->server, &reader->message);
		return;
	}
	incoming = pemalloc(sizeof(*incoming), 1);
	incoming->next = NULL;
	incoming->opcode = reader->opcode;
	incoming->data = reader->message;
	memset(&reader->message, 0, sizeof(reader->message));
	*socket->last = incoming;
	socket->last = &incoming->next;
	weft_board_count_message(socket->server->shown, WEFT_BOARD_IN);
}

/* wslay looks at a reason's text piece by piece, as it came, and leaves out the first two bytes of each. */
static void take_close(weft_ws *socket, const struct wslay_event_on_msg_recv_arg *close)
{
	weft_ws_reader *reader = socket->reader;
	size_t length = close->msg_length > 2 ? close->msg_length - 2 : 0;

	if (close->msg_length == 1) {
		end_with(reader, WEFT_WS_PROTOCOL_ERROR);
		return;
	}
	if (length > 0 && !weft_ws_is_utf8((const char *) close->msg + 2, length)) {
		end_with(reader, WEFT_WS_BAD_TEXT);
		return;
	}
	if (length > 0 && !socket->reason) {
		socket->reason = pemalloc(length, 1);
		memcpy(socket->reason, close->msg + 2, length);
		socket->reason_length = length;
	}
	end_with(reader, close->status_code ? close->status_code : WEFT_WS_NO_CODE);
}

static void message_came(wslay_event_context_ptr wslay, const struct wslay_event_on_msg_recv_arg *message, void *arg)
{
	weft_ws *socket = arg;

	if (socket->reader->verdict) {
		return;
	}
	switch (message->opcode) {
		case WSLAY_CONNECTION_CLOSE: take_close(socket, message); break;
		case WSLAY_PING:
			if (socket->state == WEFT_WS_OPEN) {
				weft_ws_send(socket, weft_ws_frame_new(WEFT_WS_PONG, (const char *) message->msg, message->msg_length));
			}
			break;
		case WSLAY_PONG: break; /* a sign of life, as any byte */
		default: keep_message(socket);
	}
}

/* --- its life --- */

/* False: no memory. */
static bool reader_begin(weft_ws *socket)
{
	static const struct wslay_event_callbacks callbacks = {
		.recv_callback = take_bytes,
		.send_callback = send_nothing,
		.on_frame_recv_start_callback = frame_begins,
		.on_frame_recv_chunk_callback = piece_came,
		.on_msg_recv_callback = message_came,
	};
	weft_ws_reader *reader = pecalloc(1, sizeof(*reader), 1);

	if (wslay_event_context_server_init(&reader->wslay, &callbacks, socket) != 0) {
		free(reader);
		return false;
	}
	wslay_event_config_set_no_buffering(reader->wslay, 1);
	wslay_event_config_set_max_recv_msg_length(reader->wslay, weft_ws_longest(socket, socket->deflate_bits > 0));
	if (socket->deflate_bits > 0) {
		wslay_event_config_set_allowed_rsv_bits(reader->wslay, WSLAY_RSV1_BIT);
	}
	socket->reader = reader;
	return true;
}

void weft_ws_reader_free(weft_ws *socket)
{
	if (socket->reader) {
		wslay_event_context_free(socket->reader->wslay);
		weft_input_free(socket->server, &socket->reader->message);
		free(socket->reader);
		socket->reader = NULL;
	}
}

static bool is_idle(const weft_ws_reader *reader)
{
	return reader->frames.have == 0 && !reader->in_message;
}

/* What wslay has found wrong, by the close that it would send. */
static uint16_t verdict_of(weft_ws_reader *reader, int result)
{
	if (reader->verdict) {
		return reader->verdict;
	}
	if (result != 0) { /* what it could not even take for a frame, or no memory */
		return result == WSLAY_ERR_NOMEM ? WEFT_WS_TRY_LATER : WEFT_WS_PROTOCOL_ERROR;
	}
	if (wslay_event_want_write(reader->wslay)) {
		wslay_event_send(reader->wslay);
	}
	return wslay_event_get_close_sent(reader->wslay) ? wslay_event_get_status_code_sent(reader->wslay) : 0;
}

size_t weft_ws_read(weft_ws *socket, const char *data, size_t length)
{
	weft_ws_reader *reader;
	uint16_t verdict;
	size_t taken;

	if (!socket->reader && !reader_begin(socket)) {
		weft_ws_ends_with(socket, WEFT_WS_TRY_LATER);
		return length;
	}
	reader = socket->reader;
	reader->at = data;
	reader->left = length;
	verdict = verdict_of(reader, wslay_event_recv(reader->wslay));
	taken = length - reader->left;
	if (verdict || is_idle(reader)) {
		weft_ws_reader_free(socket);
	}
	if (verdict) {
		weft_ws_ends_with(socket, verdict);
	}
	return taken;
}

/* --- messages that nobody has taken --- */

weft_ws_incoming *weft_ws_take_incoming(weft_ws *socket)
{
	weft_ws_incoming *incoming = socket->first;

	if (incoming) {
		socket->first = incoming->next;
		if (!socket->first) {
			socket->last = &socket->first;
		}
	}
	return incoming;
}

void weft_ws_incoming_free(weft_ws *socket, weft_ws_incoming *incoming)
{
	weft_input_free(socket->server, &incoming->data);
	free(incoming);
}

void weft_ws_drop_incoming(weft_ws *socket)
{
	while (socket->first) {
		weft_ws_incoming_free(socket, weft_ws_take_incoming(socket));
	}
}
