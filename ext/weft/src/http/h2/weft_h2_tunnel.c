/*
 * A stream that an extended CONNECT (RFC 8441) has made a tunnel: its DATA frames are a WebSocket's bytes.
 *
 * What comes goes to the socket as long as that wants it. What comes before the application has accepted it, or while
 * the socket wants nothing, is kept, and the client may send no more than its window: so much at most is kept. The
 * connection's window is not the stream's to close.
 */
#include "http/h2/weft_h2_internal.h"

/* The application has answered, and it has no socket: what the client still sends is for nobody. */
static bool is_refused(const weft_h2_stream *stream)
{
	return stream->answered;
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

	if (is_refused(stream)) {
		nghttp2_session_consume(nghttp2, stream->id, length);
		return;
	}
	keep_ahead(stream, data, length);
	nghttp2_session_consume_connection(nghttp2, length);
}
