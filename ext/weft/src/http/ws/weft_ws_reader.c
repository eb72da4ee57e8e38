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

struct weft_ws_reader {
	wslay_event_context_ptr wslay;
	const char *at; /* what has come and wslay has not taken */
	size_t left;
	uint64_t given, used; /* bytes, by wslay and in frames: what is between is the beginning of a frame's head */
	bool in_frame;
	bool in_message;     /* and the next frame goes on with it */
	bool control;        /* the frame is a control frame */
	uint8_t opcode;      /* of the message */
	bool compressed;     /* it is */
	uint16_t verdict;    /* why the socket ends: of the client's close, or for what is wrong; 0: it does not */
	weft_buffer message; /* what has come of it */
};

/* --- what wslay calls --- */

static ssize_t take_bytes(wslay_event_context_ptr wslay, uint8_t *to, size_t room, int flags, void *arg)
{
	weft_ws *socket = arg;
	weft_ws_reader *reader = socket->reader;
	size_t length = MIN(room, reader->left);

	if (length == 0 || reader->verdict || !weft_ws_wants(socket)) {
		wslay_event_set_error(wslay, WSLAY_ERR_WOULDBLOCK);
		return -1;
	}
	memcpy(to, reader->at, length);
	reader->at += length;
	reader->left -= length;
	reader->given += length;
	return (ssize_t) length;
}

static ssize_t send_nothing(wslay_event_context_ptr wslay, const uint8_t *data, size_t length, int flags, void *arg)
{
	return (ssize_t) length;
}

static void end_with(weft_ws_reader *reader, uint16_t code)
{
	if (!reader->verdict) {
		reader->verdict = code;
		wslay_event_shutdown_read(reader->wslay);
	}
}

static size_t head_length(uint64_t payload)
{
	return 2 + 4 + (payload < 126 ? 0 : payload <= UINT16_MAX ? 2 : 8);
}

static void frame_begins(wslay_event_context_ptr wslay, const struct wslay_event_on_frame_recv_start_arg *frame,
	void *arg)
{
	weft_ws *socket = arg;
	weft_ws_reader *reader = socket->reader;

	reader->used += head_length(frame->payload_length);
	reader->in_frame = true;
	reader->control = wslay_is_ctrl_frame(frame->opcode);
	if (reader->control) {
		return;
	}
	if (!reader->in_message) {
		reader->opcode = frame->opcode;
		reader->compressed = wslay_get_rsv1(frame->rsv);
	}
	reader->in_message = !frame->fin;
	/* wslay looks at each frame for itself, since it keeps nothing */
	if (weft_buffer_length(&reader->message) + frame->payload_length > weft_ws_longest(socket, reader->compressed)) {
		end_with(reader, WEFT_WS_TOO_BIG);
	}
}

static void piece_came(wslay_event_context_ptr wslay, const struct wslay_event_on_frame_recv_chunk_arg *piece,
	void *arg)
{
	weft_ws *socket = arg;
	weft_ws_reader *reader = socket->reader;

	reader->used += piece->data_length;
	if (reader->control || reader->verdict || piece->data_length == 0 || socket->state != WEFT_WS_OPEN) {
		return; /* who has closed hears no more messages */
	}
	weft_input_append(socket->server, &reader->message, (const char *) piece->data, piece->data_length);
	if (socket->server->input > socket->server->config.input_memory) {
		end_with(reader, WEFT_WS_TRY_LATER);
	}
}

static void frame_ends(wslay_event_context_ptr wslay, void *arg)
{
	weft_ws *socket = arg;

	socket->reader->in_frame = false;
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
		.on_frame_recv_end_callback = frame_ends,
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
	return reader->given == reader->used && !reader->in_frame && !reader->in_message;
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
