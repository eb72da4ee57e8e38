/*
 * A socket on a connection of HTTP/1.1: the connection's bytes are the socket's, from the end of its head on.
 */
#include "http/ws/weft_ws_internal.h"
#include "http/weft_transport.h"

#include <errno.h>
#include <sys/socket.h>

/* Pieces of one system call. */
#define PARTS 64

static void http1_begin(weft_http_request *request)
{
	weft_http_exchange *exchange = request->exchange;
	char accept[WEFT_WS_ACCEPT_LENGTH + 1], line[64];
	int64_t key = weft_request_find_header(request, "sec-websocket-key", 0);

	weft_ws_accept_of(request->head + request->parser.headers[key].value, accept);
	weft_buffer_append(&request->response.head, line,
		(size_t) snprintf(line, sizeof(line), "Sec-WebSocket-Accept: %s\r\n", accept));
	request->response.status = 101;
	exchange->framing->send(request, NULL, 0, false);
	weft_ws_begun(request);
}

/* What the socket takes. A failure is left to the event that follows it: a sender may walk through many sockets. */
static void http1_flush(weft_http_exchange *exchange)
{
	weft_http_connection *connection = exchange->connection;
	uint64_t share = exchange->sent + exchange->server->config.share;
	struct iovec parts[PARTS];
	ssize_t sent;
	int count;

	if (weft_exchange_unsent(exchange)) {
		return; /* the head goes before */
	}
	while ((count = weft_ws_unsent(exchange->ws, parts, PARTS)) > 0) {
		if (exchange->sent >= share) {
			weft_turns_enter(connection);
			return;
		}
		sent = weft_transport_send(connection, parts, count);
		if (sent <= 0) {
			if (sent == 0 || errno != EAGAIN) {
				shutdown(connection->watch.fd, SHUT_RDWR);
			}
			return;
		}
		weft_ws_have_left(exchange->ws, (size_t) sent);
	}
}

static void http1_resume(weft_http_exchange *exchange)
{
	weft_connection_read_on(exchange->connection);
}

static void http1_end(weft_http_exchange *exchange)
{
	weft_connection_end(exchange->connection);
}

/* A reset, for who takes nothing: it frees what the kernel holds for it. */
static void http1_drop(weft_http_exchange *exchange)
{
	struct linger at_once = {.l_onoff = 1, .l_linger = 0};
	struct iovec part;

	if (weft_ws_unsent(exchange->ws, &part, 1) > 0) {
		setsockopt(exchange->connection->watch.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	}
	weft_connection_close(exchange->connection);
}

const weft_ws_carrier weft_ws_http1 = {
	.begin = http1_begin,
	.flush = http1_flush,
	.resume = http1_resume,
	.end = http1_end,
	.drop = http1_drop,
};
