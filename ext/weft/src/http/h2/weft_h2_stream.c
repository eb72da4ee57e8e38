/*
 * A stream: an exchange that an HTTP/2 session carries. It comes with its request's head and goes when its answer has
 * been handed to the session, or was given up.
 */
#include "http/h2/weft_h2_internal.h"
#include "http/weft_coding.h"
#include "http/weft_parser_internal.h"
#include "http/ws/weft_ws.h"

weft_h2_stream *weft_h2_stream_open(weft_h2_session *session, int32_t id)
{
	weft_http_connection *connection = session->connection;
	weft_h2_stream *stream = pecalloc(1, sizeof(*stream), 1);
	weft_http_exchange *exchange = &stream->exchange;

	exchange->framing = &weft_h2_stream_framing;
	exchange->connection = connection;
	exchange->place = &connection->place;
	exchange->server = connection->server;
	exchange->state = WEFT_CONNECTION_HEAD;
	exchange->file = -1;
	exchange->timer.fire = weft_exchange_timer_fired;
	stream->session = session;
	stream->id = id;
	stream->next = session->streams;
	stream->link = &session->streams;
	if (stream->next) {
		stream->next->link = &stream->next;
	}
	session->streams = stream;
	session->stream_count++;
	connection->first = false;
	connection->exchange.state = WEFT_CONNECTION_SESSION;
	if (!weft_exchange_unsent(&connection->exchange)) {
		connection->exchange.deadline = 0;
	}
	weft_exchange_set_timeout(exchange, exchange->server->config.header_timeout_ms);
	return stream;
}

void weft_h2_stream_drop(weft_h2_stream *stream)
{
	weft_http_exchange *exchange = &stream->exchange;
	weft_h2_session *session = stream->session;
	weft_http_server *server = exchange->server;

	if (exchange->state == WEFT_CONNECTION_CLOSED) {
		return;
	}
	if (exchange->state == WEFT_CONNECTION_QUEUED) {
		weft_admission_leave(exchange);
	}
	session->held -= stream->held;
	stream->held = false;
	weft_exchange_let_go(exchange);
	exchange->state = WEFT_CONNECTION_CLOSED;
	if (exchange->ws) {
		weft_ws_gone(exchange->ws);
	}
	weft_timer_disarm(&exchange->timer);
	session->buffered -= weft_h2_unsent(stream);
	weft_buffer_free(&exchange->out);
	weft_sending_drop_file(exchange);
	weft_input_free(server, &stream->ahead);
	*stream->link = stream->next;
	if (stream->next) {
		stream->next->link = stream->link;
	}
	session->stream_count--;
	exchange->connection = NULL;
	exchange->next_queued = server->dead;
	server->dead = exchange;
}

void weft_h2_drop_streams(weft_h2_session *session)
{
	while (session->streams) {
		weft_h2_stream_drop(session->streams);
	}
}

void weft_h2_stream_refuse(weft_h2_stream *stream)
{
	weft_http_exchange *exchange = &stream->exchange;
	const weft_parser *parser = &exchange->request->parser;
	char message[sizeof(parser->message)];

	memcpy(message, parser->message, sizeof(message));
	exchange->framing->error(exchange, parser->status ? parser->status : 400, message);
}

void weft_h2_stream_end(weft_h2_stream *stream)
{
	stream->request_ended = true;
	if (!weft_decompress_end(stream->exchange.request)) {
		weft_h2_stream_refuse(stream);
		return;
	}
	weft_h2_stream_complete(stream);
}

/* A client that lets answers wait gets no more of them begun: else its streams, all together, would hold the memory and
 * the places of as many connections. */
bool weft_h2_stream_hold(weft_http_exchange *exchange)
{
	weft_h2_stream *stream = (weft_h2_stream *) exchange;

	stream->held = weft_h2_is_crowded(stream->session);
	stream->session->held += stream->held;
	return stream->held;
}

void weft_h2_stream_complete(weft_h2_stream *stream)
{
	weft_http_exchange *exchange = &stream->exchange;

	exchange->deadline = 0;
	exchange->state = WEFT_CONNECTION_BODY; /* that of a request which is complete */
	if (!weft_h2_stream_hold(exchange)) {
		weft_admission_ask(exchange);
	}
}

void weft_h2_stream_unhold(weft_h2_session *session)
{
	weft_h2_stream *next;

	for (weft_h2_stream *stream = session->streams; session->held > 0 && stream && !weft_h2_is_crowded(session);
		 stream = next) {
		next = stream->next;
		if (stream->held) {
			stream->held = false;
			session->held--;
			weft_admission_ask(&stream->exchange);
		}
	}
}

/* Nobody reads it: the stream is answered. Many clients see that only when they have sent what they wanted to. */
static bool discard(weft_h2_stream *stream, size_t length)
{
	stream->discarded += (uint32_t) length;
	return stream->discarded <= WEFT_LINGER_BYTES;
}

/* The client may send as much more as was taken, and not before. */
bool weft_h2_stream_data(weft_h2_stream *stream, const char *data, size_t length)
{
	weft_http_exchange *exchange = &stream->exchange;
	weft_http_request *request = exchange->request;
	uint64_t most = exchange->server->limits.max_body;
	char message[128];

	if (!request || exchange->state != WEFT_CONNECTION_BODY || stream->request_ended) {
		return discard(stream, length);
	}
	if (most && request->parser.received + length > most) {
		snprintf(message, sizeof(message), "The request body is longer than %llu bytes (post_max_size).",
			(unsigned long long) most);
		exchange->framing->error(exchange, 413, message);
	} else if (weft_parser_keep(&request->parser, data, length) == WEFT_PARSER_ERROR) {
		weft_h2_stream_refuse(stream);
	} else {
		weft_exchange_await_body(exchange);
	}
	return true;
}
