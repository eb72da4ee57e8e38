/*
 * A connection: a state machine (weft_connection_state) that the reactor drives. It has no stack and, while
 * idle, no buffer.
 */
#include "http/weft_coding.h"
#include "http/weft_http_internal.h"
#include "http/weft_sending.h"
#include "http/h2/weft_h2.h"
#include "http/ws/weft_ws.h"
#include "http/weft_transport.h"

#include <errno.h>
#include <sys/socket.h>

/* Bytes that are read of a client before others have their turn: one read, which costs more than to ask for them. */
#define SHARE WEFT_HTTP_SCRATCH
/* The same of one whose bodies are decompressed: what comes of it may be weft.http_decompress_ratio times as long. */
#define CODED_SHARE 4096

/* --- the end --- */

void weft_connection_reap(weft_http_server *server)
{
	while (server->dead) {
		weft_http_exchange *exchange = server->dead;
		server->dead = exchange->next_queued;
		if (UNEXPECTED(exchange->connection && exchange->connection->h2)) {
			weft_h2_free(exchange->connection->h2);
		}
		free(exchange);
	}
}

void weft_connection_close(weft_http_connection *connection)
{
	weft_http_exchange *exchange = &connection->exchange;
	weft_http_server *server = exchange->server;
	bool whole;

	if (exchange->state == WEFT_CONNECTION_CLOSED) {
		return;
	}
	whole = exchange->state != WEFT_CONNECTION_RUNNING && !weft_exchange_unsent(exchange);
	if (exchange->state == WEFT_CONNECTION_QUEUED) {
		weft_admission_leave(exchange);
	}
	weft_exchange_let_go(exchange);
	exchange->state = WEFT_CONNECTION_CLOSED;
	if (connection->h2) {
		weft_h2_close(connection);
	}
	if (exchange->ws) {
		weft_ws_gone(exchange->ws);
	}
	weft_admission_disown(server, &connection->place);
	weft_timer_disarm(&exchange->timer);
	weft_turns_leave(connection);
	weft_address_limit_disconnect(connection);
	weft_watch_remove(&connection->watch);
	weft_transport_close(connection, whole);
	weft_input_free(server, &connection->in);
	weft_buffer_free(&exchange->out);
	weft_sending_drop_file(exchange);
	weft_room_leave(connection);
	server->connection_count--;
	weft_http_server_show_load(server);
	exchange->next_queued = server->dead;
	server->dead = exchange;
}

static void linger(weft_http_connection *connection)
{
	connection->discarded = 0;
	weft_transport_end(connection);
	weft_sending_linger(&connection->exchange);
	weft_connection_read_on(connection);
}

/* The last answer is out. A plain close() with bytes unread would send a reset, which can destroy the answer on
 * its way; so unless the client has nothing more to say, listen to it for a moment. That it has ended its stream says
 * only that the unread bytes are the last. */
static void sent_last(weft_http_connection *connection)
{
	if (!connection->readable && (connection->half_closed || connection->server->draining)) {
		weft_connection_close(connection);
	} else {
		linger(connection);
	}
}

void weft_connection_end(weft_http_connection *connection)
{
	if (connection->exchange.state == WEFT_CONNECTION_CLOSED) {
		return;
	}
	weft_exchange_let_go(&connection->exchange);
	connection->exchange.state = WEFT_CONNECTION_CLOSING;
	connection->unread = false;
	connection->readable = true; /* whatever follows must be taken off the socket before it is closed */
	weft_input_free(connection->server, &connection->in);
	if (!weft_exchange_unsent(&connection->exchange)) {
		sent_last(connection);
	}
}

/* --- when all is sent --- */

void weft_connection_await_request(weft_http_connection *connection)
{
	connection->exchange.state = WEFT_CONNECTION_IDLE;
	connection->idle_since = weft_just_now();
	weft_connection_await_start(connection);
	weft_room_leave(connection);
	weft_room_enter(connection);
}

static void all_sent(weft_http_connection *connection)
{
	weft_buffer_free(&connection->exchange.out);
	if (!connection->exchange.request) {
		weft_sending_drop_file(&connection->exchange);
	}
	switch (connection->exchange.state) {
		case WEFT_CONNECTION_CLOSING: sent_last(connection); break;
		case WEFT_CONNECTION_SENDING: weft_connection_await_request(connection); break;
		case WEFT_CONNECTION_WEBSOCKET: weft_ws_writable(connection->exchange.ws); break;
		case WEFT_CONNECTION_BODY: /* 100 Continue */ weft_exchange_await_body(&connection->exchange); break;
		default:
			connection->exchange.deadline = 0;
			if (connection->h2) {
				weft_h2_writable(connection);
			}
	}
}

/* --- reading --- */

/* One read. Returns the bytes, which are at *data: behind what `in` holds, or in the server's scratch. */
static bool read_some(weft_http_connection *connection, const char **data, size_t *length)
{
	weft_http_server *server = connection->server;
	ssize_t got = weft_transport_receive(connection, server->scratch, sizeof(server->scratch));

	if (got < 0) {
		if (errno == EAGAIN) {
			connection->readable = false;
			return false;
		}
		weft_connection_close(connection);
		return false;
	}
	if (got == 0) {
		connection->readable = false;
		connection->half_closed = true;
		return false;
	}
	/* Less than asked for: the socket is empty, and a new edge will come with new bytes. Not so after the end
	 * of the client's stream, which makes no further edge. */
	if ((size_t) got < sizeof(server->scratch) && !connection->half_closed) {
		connection->readable = false;
	}
	if (weft_buffer_length(&connection->in) > 0) {
		weft_input_append(connection->server, &connection->in, server->scratch, (size_t) got);
		*data = weft_buffer_data(&connection->in);
		*length = weft_buffer_length(&connection->in);
	} else {
		*data = server->scratch;
		*length = (size_t) got;
	}
	return true;
}

/* `used` of the bytes at `data` are done with; keeps the others for later. */
static void keep_rest(weft_http_connection *connection, const char *data, size_t length, size_t used)
{
	if (connection->in.data && data == weft_buffer_data(&connection->in)) {
		weft_buffer_consume(&connection->in, used);
	} else if (used < length) {
		weft_input_append(connection->server, &connection->in, data + used, length - used);
	}
	if (connection->in.data && weft_buffer_length(&connection->in) == 0) {
		weft_input_free(connection->server, &connection->in);
	}
}

static void request_complete(weft_http_connection *connection)
{
	if (!weft_exchange_unsent(&connection->exchange)) {
		connection->exchange.deadline = 0;
	}
	connection->first = false;
	weft_admission_ask(&connection->exchange);
}

static void refused(weft_http_connection *connection)
{
	weft_parser *parser = &connection->exchange.request->parser;
	char message[sizeof(parser->message)];

	memcpy(message, parser->message, sizeof(message));
	connection->exchange.framing->error(&connection->exchange, parser->status, message);
}

static void head_complete(weft_http_connection *connection, const char *data, size_t length, size_t used)
{
	weft_http_request *request = connection->exchange.request;

	weft_request_take_head(request, data, used);
	if (UNEXPECTED(connection->port == WEFT_PORT_REDIRECT)) {
		weft_redirect_answer(connection);
		return;
	}
	keep_rest(connection, data, length, used);
	connection->unread = weft_buffer_length(&connection->in) > 0;
	if (!weft_address_limit_request(request)) {
		connection->exchange.framing->error(&connection->exchange, 429, WEFT_ADDRESS_RATE_EXCEEDED);
		return;
	}
	if (!weft_parser_has_body(&request->parser)) {
		request_complete(connection);
		return;
	}
	if (!weft_decompress_begin(request)) {
		refused(connection);
		return;
	}
	connection->exchange.state = WEFT_CONNECTION_BODY;
	weft_exchange_await_body(&connection->exchange);
	if (request->parser.expect_continue && !connection->unread) {
		static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
		struct iovec part = {.iov_base = (void *) go_on, .iov_len = sizeof(go_on) - 1};
		weft_connection_send(connection, &part, 1);
	}
}

/* What came is no request: a client that knows what it will find here speaks HTTP/2 at once (RFC 9113, 3.3). */
static bool begin_http2(weft_http_connection *connection, const char *data, size_t length)
{
	if (!connection->exchange.request->parser.preface || !connection->first ||
		connection->port == WEFT_PORT_REDIRECT || /* whose only answer that is */
		!weft_h2_begin(connection, data, length)) {
		return false;
	}
	weft_input_free(connection->server, &connection->in);
	connection->unread = false;
	return true;
}

static void parse_head(weft_http_connection *connection, const char *data, size_t length)
{
	size_t used;

	if (!connection->exchange.request) {
		connection->exchange.request = weft_request_new(&connection->exchange);
	}
	switch (weft_parser_head(&connection->exchange.request->parser, data, length, &used)) {
		case WEFT_PARSER_ERROR:
			if (!begin_http2(connection, data, length)) {
				refused(connection);
			}
			break;
		case WEFT_PARSER_DONE: head_complete(connection, data, length, used); break;
		case WEFT_PARSER_MORE:
			keep_rest(connection, data, length, 0);
			connection->unread = false;
			if (connection->server->input > connection->server->config.input_memory) {
				connection->exchange.framing->error(&connection->exchange, 503,
					"Too many requests are incomplete now (weft.http_input_memory).");
				return;
			}
			if (connection->exchange.state == WEFT_CONNECTION_IDLE &&
				weft_parser_begun(&connection->exchange.request->parser, length)) {
				connection->exchange.state = WEFT_CONNECTION_HEAD;
				weft_exchange_set_timeout(&connection->exchange, connection->server->config.header_timeout_ms);
			}
			break;
	}
}

/* Of so many bytes that are there, those that are looked at before others have their turn. */
static size_t share_of(weft_http_connection *connection, size_t length)
{
	if (EXPECTED(!connection->decodes)) {
		return length; /* one read is a share */
	}
	weft_turns_enter(connection);
	return MIN(length, CODED_SHARE);
}

static void parse_body(weft_http_connection *connection, const char *data, size_t length)
{
	size_t used, share = share_of(connection, length);
	weft_parser_result result = weft_parser_body(&connection->exchange.request->parser, data, share, &used);

	if (result == WEFT_PARSER_ERROR) {
		refused(connection);
		return;
	}
	keep_rest(connection, data, length, used);
	connection->unread = weft_buffer_length(&connection->in) > 0;
	if (result == WEFT_PARSER_DONE && !weft_decompress_end(connection->exchange.request)) {
		refused(connection);
	} else if (result == WEFT_PARSER_DONE) {
		request_complete(connection);
	} else {
		weft_exchange_await_body(&connection->exchange);
	}
}

/* Frames may be cut anywhere. */
static void parse_http2(weft_http_connection *connection, const char *data, size_t length)
{
	size_t share = share_of(connection, length);

	weft_h2_receive(connection, data, share);
	if (UNEXPECTED(share < length) &&
		(connection->exchange.state == WEFT_CONNECTION_IDLE || connection->exchange.state == WEFT_CONNECTION_SESSION)) {
		keep_rest(connection, data, length, share);
		connection->unread = true;
	} else if (connection->in.data) {
		weft_input_free(connection->server, &connection->in);
	}
}

static void parse_websocket(weft_http_connection *connection, const char *data, size_t length)
{
	size_t used = weft_ws_receive(connection->exchange.ws, data, length);

	if (connection->exchange.state == WEFT_CONNECTION_WEBSOCKET) {
		keep_rest(connection, data, length, used);
		connection->unread = weft_buffer_length(&connection->in) > 0;
	}
}

static void parse(weft_http_connection *connection, const char *data, size_t length)
{
	if (connection->exchange.state == WEFT_CONNECTION_LINGER) {
		connection->discarded += (uint32_t) length;
		weft_input_free(connection->server, &connection->in);
		if (connection->discarded > WEFT_LINGER_BYTES) {
			weft_connection_close(connection);
		}
	} else if (connection->h2) {
		parse_http2(connection, data, length);
	} else if (connection->exchange.state == WEFT_CONNECTION_WEBSOCKET) {
		parse_websocket(connection, data, length);
	} else if (connection->exchange.state == WEFT_CONNECTION_BODY) {
		parse_body(connection, data, length);
	} else if (weft_handshake_misplaced(connection, data)) {
		weft_handshake_refuse(connection);
	} else {
		parse_head(connection, data, length);
	}
}

static bool wants_bytes(const weft_http_connection *connection)
{
	return connection->exchange.state == WEFT_CONNECTION_IDLE || connection->exchange.state == WEFT_CONNECTION_HEAD ||
		connection->exchange.state == WEFT_CONNECTION_BODY || connection->exchange.state == WEFT_CONNECTION_LINGER ||
		connection->exchange.state == WEFT_CONNECTION_HANDSHAKE ||
		connection->exchange.state == WEFT_CONNECTION_SESSION ||
		(connection->exchange.state == WEFT_CONNECTION_WEBSOCKET && weft_ws_wants(connection->exchange.ws));
}

/* Whoever sends a body waits behind those who do so for longer. */
static bool waits_for_turn(const weft_http_connection *connection)
{
	return connection->turn || (connection->exchange.state == WEFT_CONNECTION_BODY && connection->server->turns.first);
}

/* Nothing more will come, and nothing complete has, but for streams. */
static void all_received(weft_http_connection *connection)
{
	if (connection->exchange.state == WEFT_CONNECTION_SESSION) {
		weft_h2_half_closed(connection);
	} else if (connection->exchange.state == WEFT_CONNECTION_WEBSOCKET) {
		weft_ws_half_closed(connection->exchange.ws);
	} else if (!weft_exchange_unsent(&connection->exchange) || connection->exchange.state == WEFT_CONNECTION_LINGER) {
		weft_connection_close(connection);
	} else {
		connection->exchange.state = WEFT_CONNECTION_CLOSING;
	}
}

/* Goes as far as the bytes that are there allow, and its share. */
static void connection_go_on(weft_http_connection *connection)
{
	size_t taken = 0;

	if (connection->advancing) {
		return; /* from an answer that was made at once: who asked goes on, and the stack does not grow with each */
	}
	connection->advancing = true;
	while (wants_bytes(connection) && !connection->turn) {
		const char *data;
		size_t length;

		if (connection->unread) {
			connection->unread = false;
			parse(connection, weft_buffer_data(&connection->in), weft_buffer_length(&connection->in));
		} else if (connection->readable && connection->exchange.state == WEFT_CONNECTION_HANDSHAKE) {
			weft_handshake_go_on(connection);
		} else if (connection->readable) {
			if (taken >= SHARE) {
				weft_turns_enter(connection);
				break;
			}
			if (read_some(connection, &data, &length)) {
				taken += length;
				parse(connection, data, length);
			}
		} else {
			break;
		}
	}
	if (wants_bytes(connection) && connection->half_closed && !connection->readable && !connection->unread) {
		all_received(connection);
	}
	connection->advancing = false;
}

void weft_connection_read_on(weft_http_connection *connection)
{
	if (!waits_for_turn(connection)) {
		connection_go_on(connection);
	} else if (!connection->turn) {
		weft_turns_enter(connection);
	}
}

static void send_on(weft_http_connection *connection)
{
	if (!weft_exchange_unsent(&connection->exchange)) {
		if (connection->exchange.ws) {
			weft_ws_writable(connection->exchange.ws);
		}
		return;
	}
	if (weft_connection_flush(connection)) {
		all_sent(connection);
	}
	if (connection->exchange.request) {
		weft_response_writable(connection->exchange.request);
	}
}

void weft_connection_take_turn(weft_http_connection *connection)
{
	send_on(connection);
	if (!connection->turn) {
		connection_go_on(connection);
	}
	if (connection->h2) {
		weft_h2_take_turn(connection); /* last: it reads in each of its turns, whatever it is sent */
	}
}

static void fired(weft_watch *watch, uint32_t revents)
{
	weft_http_connection *connection = (weft_http_connection *) ((char *) watch -
		offsetof(weft_http_connection, watch));

	weft_connection_reap(connection->server);
	if ((revents & (WEFT_ERR | WEFT_CLOSED)) ||
		((revents & WEFT_HUP) && connection->exchange.state != WEFT_CONNECTION_LINGER)) {
		/* both directions are gone: no answer can arrive. (While lingering, one of them was ended here.) */
		weft_connection_close(connection);
		return;
	}
	if ((revents & WEFT_RDHUP) && !connection->half_closed) {
		connection->half_closed = true;
		weft_hang_up_perhaps(&connection->exchange);
	}
	if (revents & (WEFT_IN | WEFT_RDHUP)) {
		connection->readable = true;
	}
	if ((revents & WEFT_OUT) && connection->tls && weft_tls_waits_to_send(connection->tls)) {
		connection->readable = true; /* a handshake, or what TLS sends of its own, goes on */
	}
	if ((revents & WEFT_OUT) && !connection->turn) {
		send_on(connection);
	}
	weft_connection_read_on(connection);
}

/* --- life --- */

/* Who speaks TLS could read no answer yet, and a handshake is what the limit is to save. */
static void refuse_address(weft_http_connection *connection)
{
	if (connection->port == WEFT_PORT_TLS) {
		weft_connection_close(connection);
	} else {
		connection->exchange.framing->error(&connection->exchange, 429,
			"Too many connections of this address are open (weft.http_address_connections).");
	}
}

void weft_connection_open(weft_http_server *server, int fd, const weft_http_address *peer, weft_http_port port)
{
	weft_http_connection *connection = pecalloc(1, sizeof(*connection), 1);

	connection->exchange.framing = &weft_framing_http1;
	connection->exchange.connection = connection;
	connection->exchange.place = &connection->place;
	connection->server = connection->exchange.server = server;
	connection->exchange.state = port == WEFT_PORT_TLS ? WEFT_CONNECTION_HANDSHAKE : WEFT_CONNECTION_IDLE;
	connection->port = port;
	connection->first = true;
	connection->readable = true;
	connection->exchange.file = -1;
	connection->watch.fd = fd;
	connection->watch.events = WEFT_IN | WEFT_OUT | WEFT_RDHUP;
	connection->watch.fire = fired;
	connection->exchange.timer.fire = weft_exchange_timer_fired;
	connection->remote_port = weft_address_print(peer, connection->remote_address, sizeof(connection->remote_address));
	weft_room_enter(connection);
	server->connection_count++;
	weft_http_server_show_load(server);
	if (weft_watch_add(&connection->watch) != 0 || (port == WEFT_PORT_TLS && !weft_transport_begin_tls(connection))) {
		weft_connection_close(connection);
		return;
	}
	if (!weft_address_limit_connect(connection)) {
		refuse_address(connection);
		return;
	}
	if (port == WEFT_PORT_TLS) {
		weft_handshake_await(connection);
	} else {
		weft_connection_await_start(connection);
	}
	weft_connection_read_on(connection);
}

void weft_exchange_done(weft_http_exchange *exchange)
{
	weft_http_request *request = exchange->request;

	exchange->request = NULL;
	request->exchange = NULL;
	weft_request_release(request);
}

void weft_connection_response_done(weft_http_exchange *exchange, bool keep_alive)
{
	weft_http_connection *connection = exchange->connection;

	weft_exchange_done(exchange);
	exchange->state = keep_alive ? WEFT_CONNECTION_SENDING : WEFT_CONNECTION_CLOSING;
	if (!weft_exchange_unsent(exchange)) {
		all_sent(connection);
		weft_connection_read_on(connection);
	}
}
