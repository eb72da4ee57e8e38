/*
 * A stream that an extended CONNECT (RFC 8441) has made a tunnel: its DATA frames are a WebSocket's bytes, END_STREAM
 * is the end of a connection, and RST_STREAM with CANCEL a reset.
 *
 * What comes goes to the socket as long as that wants it. What comes before the application has accepted it, or while
 * the socket wants nothing, is kept, and the client may send no more than its window: so much at most is kept. The
 * connection's window is not the stream's to close.
 *
 * What goes out waits in the socket until nghttp2 asks for it (read_data()). Nothing here sends: who sends a message
 * may walk through all sockets of a session, and an error would end them. It leaves in the reactor's next round,
 * together.
 */
#include "http/h2/weft_h2_internal.h"

#ifdef WEFT_WEBSOCKET

#include "http/ws/weft_ws_carrier.h"

/* Of a socket's messages, those that are looked at at once. */
#define PARTS 16

static weft_h2_stream *stream_of(const weft_http_exchange *exchange)
{
	return (weft_h2_stream *) exchange;
}

/* --- what comes --- */

/* The application has answered, and it has no socket, or no more: what the client still sends is for nobody. */
static bool is_for_nobody(const weft_h2_stream *stream)
{
	return stream->answered && !stream->exchange.ws;
}

static bool is_wanted(const weft_h2_stream *stream)
{
	return stream->exchange.ws && weft_ws_wants(stream->exchange.ws);
}

/* Returns how many the socket has taken. It may have ended. */
static size_t give(weft_h2_stream *stream, const char *data, size_t length)
{
	size_t taken;

	stream->is_giving = true;
	taken = weft_ws_receive(stream->exchange.ws, data, length);
	stream->is_giving = false;
	return taken;
}

static void keep_ahead(weft_h2_stream *stream, const char *data, size_t length)
{
	weft_http_server *server = stream->exchange.server;

	weft_input_append(server, &stream->ahead, data, length);
	if (server->input > server->config.input_memory) {
		nghttp2_submit_rst_stream(stream->session->nghttp2, NGHTTP2_FLAG_NONE, stream->id, NGHTTP2_ENHANCE_YOUR_CALM);
	}
}

void weft_h2_tunnel_data(weft_h2_stream *stream, const char *data, size_t length)
{
	nghttp2_session *nghttp2 = stream->session->nghttp2;
	size_t taken = 0;

	if (weft_buffer_length(&stream->ahead) == 0 && is_wanted(stream)) {
		taken = give(stream, data, length);
	}
	if (is_for_nobody(stream)) {
		taken = length;
	}
	if (taken > 0) {
		nghttp2_session_consume_stream(nghttp2, stream->id, taken);
	}
	if (taken < length) {
		keep_ahead(stream, data + taken, length - taken);
	}
	nghttp2_session_consume_connection(nghttp2, length);
}

static void give_ahead(weft_h2_stream *stream)
{
	size_t taken;

	while (weft_buffer_length(&stream->ahead) > 0 && is_wanted(stream)) {
		taken = give(stream, weft_buffer_data(&stream->ahead), weft_buffer_length(&stream->ahead));
		weft_buffer_consume(&stream->ahead, taken);
		nghttp2_session_consume_stream(stream->session->nghttp2, stream->id, taken);
	}
	if (stream->ahead.data && weft_buffer_length(&stream->ahead) == 0) {
		weft_input_free(stream->exchange.server, &stream->ahead);
	}
}

/* From inside of give() it is who called that who goes on. */
static void go_on(weft_h2_stream *stream)
{
	if (stream->is_giving) {
		return;
	}
	give_ahead(stream);
	if (stream->request_ended && is_wanted(stream)) {
		weft_ws_half_closed(stream->exchange.ws);
	}
}

void weft_h2_tunnel_end(weft_h2_stream *stream)
{
	stream->request_ended = true;
	go_on(stream);
}

/* --- what goes --- */

size_t weft_h2_tunnel_take(weft_h2_stream *stream, uint8_t *to, size_t room)
{
	weft_ws *socket = stream->exchange.ws;
	struct iovec parts[PARTS];
	size_t taken = 0;
	int count;

	while (taken < room && (count = weft_ws_unsent(socket, parts, PARTS)) > 0) {
		size_t before = taken;

		for (int i = 0; i < count && taken < room; i++) {
			size_t length = MIN(parts[i].iov_len, room - taken);

			memcpy(to + taken, parts[i].iov_base, length);
			taken += length;
		}
		weft_ws_have_left(socket, taken - before);
	}
	weft_ws_writable(socket);
	return taken;
}

/* --- its WebSocket's carrier --- */

static void h2_ws_begin(weft_http_request *request)
{
	request->response.status = 200;
	request->response.has_length = false;
	request->exchange->framing->send(request, NULL, 0, false);
	weft_ws_begun(request);
}

static void h2_ws_flush(weft_http_exchange *exchange)
{
	weft_h2_stream *stream = stream_of(exchange);

	nghttp2_session_resume_data(stream->session->nghttp2, stream->id);
	weft_h2_send_later(stream->session);
}

static void h2_ws_resume(weft_http_exchange *exchange)
{
	weft_h2_stream *stream = stream_of(exchange);

	go_on(stream);
	weft_h2_send_later(stream->session); /* its window */
}

static void h2_ws_end(weft_http_exchange *exchange)
{
	weft_h2_stream *stream = stream_of(exchange);

	stream->whole = true;
	exchange->state = WEFT_CONNECTION_SENDING;
	weft_exchange_set_timeout(exchange, exchange->server->config.write_timeout_ms);
	nghttp2_session_resume_data(stream->session->nghttp2, stream->id);
	weft_h2_send_later(stream->session);
}

static void h2_ws_drop(weft_http_exchange *exchange)
{
	weft_h2_stream *stream = stream_of(exchange);

	exchange->state = WEFT_CONNECTION_SENDING;
	exchange->deadline = 0;
	nghttp2_submit_rst_stream(stream->session->nghttp2, NGHTTP2_FLAG_NONE, stream->id, NGHTTP2_CANCEL);
	weft_h2_send_later(stream->session);
	weft_ws_gone(exchange->ws);
}

const weft_ws_carrier weft_h2_ws_carrier = {
	.without_key = true,
	.begin = h2_ws_begin,
	.flush = h2_ws_flush,
	.resume = h2_ws_resume,
	.end = h2_ws_end,
	.drop = h2_ws_drop,
};

void weft_h2_tunnels_drain(weft_h2_session *session)
{
	for (weft_h2_stream *stream = session->streams; stream; stream = stream->next) {
		if (stream->exchange.ws) {
			weft_ws_drain(stream->exchange.ws);
		}
	}
}

#endif /* WEFT_WEBSOCKET */
