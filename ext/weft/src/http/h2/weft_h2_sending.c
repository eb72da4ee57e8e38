/*
 * What a session sends: frames are taken from nghttp2 only when all before them have left, so that a client that does
 * not read is not written for: what it would be owed stays small (OUTBOUND_ACKS, weft.http2_buffer).
 */
#include "http/h2/weft_h2_internal.h"

/* Frames that are sent together. */
#define TOGETHER 65536

/* --- memory for its client --- */

bool weft_h2_is_crowded(const weft_h2_session *session)
{
	return session->buffered > session->connection->server->config.h2_buffer;
}

void weft_h2_count_buffered(weft_h2_stream *stream, size_t before)
{
	stream->session->buffered += weft_h2_unsent(stream) - before;
}

/* --- sending --- */

void weft_h2_leave_due(weft_h2_session *session)
{
	if (session->due) {
		*session->due = session->next_due;
		if (session->next_due) {
			session->next_due->due = session->due;
		}
		session->due = NULL;
	}
}

static void join_due(weft_h2_session *session)
{
	weft_http_server *server = session->connection->server;

	if (!session->due) {
		session->next_due = server->h2_due;
		session->due = &server->h2_due;
		if (session->next_due) {
			session->next_due->due = &session->next_due;
		}
		server->h2_due = session;
	}
	weft_round_await(&server->h2_round);
}

/* As many frames as are sent together. */
static size_t gather(weft_h2_session *session, char *to, const uint8_t **large, size_t *large_length)
{
	size_t length = 0;
	const uint8_t *frame;
	ssize_t got;

	*large = NULL;
	*large_length = 0;
	session->inside = true;
	while (length < TOGETHER / 2 && (got = nghttp2_session_mem_send(session->nghttp2, &frame)) > 0) {
		if ((size_t) got > TOGETHER - length) {
			*large = frame; /* it stays where it is until the next call */
			*large_length = (size_t) got;
			break;
		}
		memcpy(to + length, frame, (size_t) got);
		length += (size_t) got;
	}
	session->inside = false;
	return length;
}

/* False: there is nothing. */
static bool send_together(weft_h2_session *session)
{
	static char together[TOGETHER];
	const uint8_t *large;
	size_t large_length, length = gather(session, together, &large, &large_length);
	struct iovec parts[] = {{together, length}, {(void *) large, large_length}};

	if (length + large_length == 0) {
		return false;
	}
	weft_connection_send(session->connection, parts, large_length > 0 ? 2 : 1);
	return true;
}

void weft_h2_send_frames(weft_h2_session *session)
{
	weft_http_connection *connection = session->connection;
	uint64_t share = connection->exchange.sent + connection->server->config.share;

	while (!weft_h2_is_closed(connection) && !weft_exchange_unsent(&connection->exchange)) {
		if (connection->exchange.sent >= share) {
			session->rests = true;
			weft_turns_enter(connection);
			return;
		}
		if (!send_together(session)) {
			return;
		}
	}
}

void weft_h2_take_turn(weft_http_connection *connection)
{
	weft_h2_session *session = connection->h2;

	if (session->rests) {
		session->rests = false;
		weft_h2_send_now(session);
	}
}

/* The last stream is over: the connection waits for the next one. */
static void session_idle(weft_h2_session *session)
{
	weft_http_connection *connection = session->connection;

	if (connection->exchange.state == WEFT_CONNECTION_SESSION) {
		weft_h2_head_free(session);
		weft_connection_await_request(connection);
	}
}

/* What follows of the frames that have come and gone. */
static void look_after(weft_h2_session *session)
{
	weft_http_connection *connection = session->connection;

	if (weft_h2_is_closed(connection) || session->over) {
		return;
	}
	if (session->stream_count > 0) {
		weft_h2_stream_unhold(session);
		if (weft_h2_is_closed(connection) || session->over) {
			return; /* an answer that was made at once has ended it */
		}
	} else if (!weft_exchange_unsent(&connection->exchange)) {
		session_idle(session);
	}
	if (!nghttp2_session_want_read(session->nghttp2) && !nghttp2_session_want_write(session->nghttp2)) {
		session->over = true;
		weft_h2_drop_streams(session);
		weft_connection_end(connection);
	}
}

void weft_h2_send_now(weft_h2_session *session)
{
	weft_h2_leave_due(session);
	if (session->over) {
		return; /* nghttp2 may know of streams that are gone */
	}
	if (!session->rests) {
		weft_h2_send_frames(session);
	}
	look_after(session);
}

/* The answers of several streams leave together, when whoever can go on now has done so. */
void weft_h2_send(weft_h2_session *session)
{
	if (session->stream_count > 1 || session->inside || session->over) {
		weft_h2_send_later(session);
	} else {
		weft_h2_send_now(session);
	}
}

void weft_h2_send_later(weft_h2_session *session)
{
	if (!session->inside && !session->over) { /* else it is sent when it is outside again, or never */
		join_due(session);
	}
}

void weft_h2_due_fired(weft_round *round)
{
	weft_http_server *server = (weft_http_server *) ((char *) round - offsetof(weft_http_server, h2_round));

	weft_connection_reap(server);
	while (server->h2_due) {
		weft_h2_send_now(server->h2_due);
	}
}

void weft_h2_writable(weft_http_connection *connection)
{
	if (connection->exchange.state == WEFT_CONNECTION_IDLE) {
		weft_connection_await_start(connection);
	} else {
		connection->exchange.deadline = 0;
	}
	weft_h2_send_now(connection->h2);
}
