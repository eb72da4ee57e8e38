/*
 * A session: nghttp2 between a connection's bytes and its streams. nghttp2 calls back while it reads and writes, and
 * must not be asked to do either meanwhile; so what comes of a frame is queued, and leaves when the frame is done with.
 */
#include "http/h2/weft_h2_internal.h"
#include "reactor/weft_log.h"

/* Answers to SETTINGS and PING that a client may leave unread. Nobody needs to ask again before it was answered. */
#define OUTBOUND_ACKS 100
/* WINDOW_UPDATE frames of a client that has had no DATA yet. */
#define FIRST_UPDATES 100
/* Of connections that failed, one is told in so long: whoever likes can make them fail. */
#define TELL_EVERY WEFT_NS_PER_SEC
#define STREAM_ERROR_IS_NONE(error) ((error) == NGHTTP2_NO_ERROR || (error) == NGHTTP2_REFUSED_STREAM)

static nghttp2_session_callbacks *callbacks;
static nghttp2_option *options;

/* --- the log --- */

static void session_tell(const weft_h2_session *session, const char *why, size_t length)
{
	weft_http_server *server = session->connection->server;
	char others[64] = "";

	if (!weft_log_is_due(&server->h2_told, TELL_EVERY)) {
		server->h2_untold++;
		return;
	}
	if (server->h2_untold) {
		snprintf(others, sizeof(others), " (and of %u more since the last of these lines)", server->h2_untold);
	}
	weft_log_at("warning", "weft: HTTP/2: the connection of %s was ended: %.*s%s", session->connection->remote_address,
		(int) length, why, others);
	server->h2_untold = 0;
}

static void note_failure(weft_h2_session *session, const char *why)
{
	if (!session->failed) {
		session->failed = true;
		session_tell(session, why, strlen(why));
	}
}

/* nghttp2 has found that the client breaks the protocol, and says how in its GOAWAY. */
static void note_protocol_error(weft_h2_session *session, const nghttp2_goaway *goaway)
{
	const char *why = nghttp2_http2_strerror(goaway->error_code);
	bool more = goaway->opaque_data_len > 0;

	if (!session->failed && goaway->error_code != NGHTTP2_NO_ERROR) {
		session->failed = true;
		session_tell(session, more ? (const char *) goaway->opaque_data : why,
			more ? goaway->opaque_data_len : strlen(why));
	}
}

void weft_h2_fail(weft_h2_session *session, uint32_t error, const char *why)
{
	note_failure(session, why);
	nghttp2_session_terminate_session(session->nghttp2, error);
	weft_h2_send(session);
}

/* --- what nghttp2 tells --- */

/* No stream beyond those that have come is served. */
static void submit_goodbye(weft_h2_session *session)
{
	session->said_bye = true;
	nghttp2_submit_goaway(session->nghttp2, NGHTTP2_FLAG_NONE,
		nghttp2_session_get_last_proc_stream_id(session->nghttp2), NGHTTP2_NO_ERROR, NULL, 0);
}

static void drain_second_step(weft_h2_session *session)
{
	if (session->noticed && !session->said_bye) {
		submit_goodbye(session);
	}
}

/* A client that goes on as if it had been told nothing: what it has just begun is its last. */
static bool ignores_drain(const weft_h2_session *session)
{
	return session->noticed &&
		weft_lately() >= session->noticed_at + session->connection->server->config.drain_ms * WEFT_NS_PER_MS;
}

static int begin_headers(nghttp2_session *nghttp2, const nghttp2_frame *frame, void *arg)
{
	weft_h2_session *session = arg;
	const weft_http_server *server = session->connection->server;

	if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST || session->failed) {
		return 0; /* trailers, or too late */
	}
	if (UNEXPECTED(ignores_drain(session))) {
		drain_second_step(session);
	}
	if (server->input > server->config.input_memory) {
		/* not begun, so the client may try again; more for the stream may be on its way */
		session->resets_own = true;
		nghttp2_submit_rst_stream(nghttp2, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_REFUSED_STREAM);
		return 0;
	}
	weft_h2_head_begin(session);
	return nghttp2_session_set_stream_user_data(nghttp2, frame->hd.stream_id,
			   weft_h2_stream_open(session, frame->hd.stream_id)) == 0
		? 0
		: NGHTTP2_ERR_CALLBACK_FAILURE;
}

static int header(nghttp2_session *nghttp2, const nghttp2_frame *frame, nghttp2_rcbuf *name, nghttp2_rcbuf *value,
	uint8_t flags, void *arg)
{
	weft_h2_session *session = arg;

	if (frame->headers.cat != NGHTTP2_HCAT_REQUEST ||
		!nghttp2_session_get_stream_user_data(nghttp2, frame->hd.stream_id)) {
		return 0; /* a trailer: nothing that comes so late is believed */
	}
	if (!weft_h2_head_field(session, name, value)) {
		weft_h2_fail(session, NGHTTP2_ENHANCE_YOUR_CALM,
			"its header list is far larger than weft.http_max_header_bytes");
		return NGHTTP2_ERR_CALLBACK_FAILURE;
	}
	return 0;
}

/* nghttp2 would leave it out, and go on. */
static int invalid_header(nghttp2_session *nghttp2, const nghttp2_frame *frame, nghttp2_rcbuf *name,
	nghttp2_rcbuf *value, uint8_t flags, void *arg)
{
	nghttp2_submit_rst_stream(nghttp2, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_PROTOCOL_ERROR);
	return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

static int data_chunk(nghttp2_session *nghttp2, uint8_t flags, int32_t id, const uint8_t *data, size_t length,
	void *arg)
{
	weft_h2_stream *stream = nghttp2_session_get_stream_user_data(nghttp2, id);

	if (stream && stream->tunnel) {
		weft_h2_tunnel_data(stream, (const char *) data, length);
	} else if (stream && !weft_h2_stream_data(stream, (const char *) data, length)) {
		nghttp2_session_consume_connection(nghttp2, length);
	} else {
		nghttp2_session_consume(nghttp2, id, length);
	}
	return 0;
}

static int frame_received(nghttp2_session *nghttp2, const nghttp2_frame *frame, void *arg)
{
	weft_h2_session *session = arg;
	weft_h2_stream *stream = frame->hd.stream_id ? nghttp2_session_get_stream_user_data(nghttp2, frame->hd.stream_id)
												 : NULL;
	bool ends = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;

	if (frame->hd.type == NGHTTP2_PING && (frame->hd.flags & NGHTTP2_FLAG_ACK)) {
		drain_second_step(session); /* what it had sent before it knew has come */
	}
	if (!stream || (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA)) {
		return 0;
	}
	if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
		weft_h2_head_complete(stream, ends);
	} else if (ends && stream->tunnel) {
		weft_h2_tunnel_end(stream);
	} else if (ends && stream->exchange.request && !stream->request_ended) {
		weft_h2_stream_end(stream);
	} else if (ends) {
		stream->request_ended = true;
	}
	return 0;
}

/* Whoever has its answer may stop sending its request (RFC 9113, 8.1). A reset says so, and has clients lose an answer
 * that they have not looked at: so it comes later (h2_give_up()), unless the request has ended by then. */
static int frame_sent(nghttp2_session *nghttp2, const nghttp2_frame *frame, void *arg)
{
	bool ends = (frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) &&
		(frame->hd.flags & NGHTTP2_FLAG_END_STREAM);
	weft_h2_stream *stream = ends ? nghttp2_session_get_stream_user_data(nghttp2, frame->hd.stream_id) : NULL;

	if (frame->hd.type == NGHTTP2_GOAWAY) {
		note_protocol_error(arg, &frame->goaway);
	} else if (frame->hd.type == NGHTTP2_RST_STREAM) {
		((weft_h2_session *) arg)->resets_own = true;
	}
	if (stream && !stream->request_ended) {
		weft_sending_linger(&stream->exchange);
	}
	return 0;
}

void weft_h2_count_reset(weft_h2_session *session)
{
	const weft_http_config *config = &session->connection->server->config;

	if (!weft_h2_bucket_take(&session->resets, config->h2_resets, config->h2_reset_rate)) {
		weft_h2_fail(session, NGHTTP2_ENHANCE_YOUR_CALM,
			"more of its streams were reset than weft.http2_resets and weft.http2_reset_rate allow");
	}
}

/* A reset, by the client with whatever code or for what it has sent, is cheap for the client and may not be for us. */
static int stream_closed(nghttp2_session *nghttp2, int32_t id, uint32_t error, void *arg)
{
	weft_h2_session *session = arg;
	weft_h2_stream *stream = nghttp2_session_get_stream_user_data(nghttp2, id);

	if (stream) {
		weft_h2_stream_drop(stream);
	}
	if (session->reset_by_client || !STREAM_ERROR_IS_NONE(error)) {
		weft_h2_count_reset(session);
	}
	return 0;
}

/* --- receiving --- */

/* nghttp2 gives up: what it says for people is not for a client. */
static void receive_failed(weft_h2_session *session, int error)
{
	if (error == NGHTTP2_ERR_BAD_CLIENT_MAGIC) {
		note_failure(session, "it began with something else than the preface of HTTP/2");
	} else if (error == NGHTTP2_ERR_FLOODED) {
		note_failure(session, "it asked for more acknowledgements, settings or resets than it read");
	} else if (error == NGHTTP2_ERR_CANCEL) {
		note_failure(session, WEFT_H2_TOO_MANY_FRAMES);
	} else {
		note_failure(session, nghttp2_strerror(error));
	}
	nghttp2_session_terminate_session(session->nghttp2,
		error == NGHTTP2_ERR_BAD_CLIENT_MAGIC ? NGHTTP2_PROTOCOL_ERROR : NGHTTP2_ENHANCE_YOUR_CALM);
	weft_h2_send_frames(session);
	if (!weft_h2_is_closed(session->connection)) {
		session->over = true;
		weft_h2_drop_streams(session);
		weft_connection_end(session->connection);
	}
}

void weft_h2_receive(weft_http_connection *connection, const char *data, size_t length)
{
	weft_h2_session *session = connection->h2;
	ssize_t taken;

	if (session->over) {
		return;
	}
	if (!weft_h2_frames_pass(session, data, length)) {
		receive_failed(session, NGHTTP2_ERR_CANCEL); /* before what it sends is read */
		return;
	}
	session->inside = true;
	taken = nghttp2_session_mem_recv(session->nghttp2, (const uint8_t *) data, length);
	session->inside = false;
	session->reset_by_client = false;
	if (taken < 0) {
		receive_failed(session, (int) taken);
	} else {
		weft_h2_send_now(session);
	}
}

/* --- life --- */

static bool prepare(const weft_http_config *config)
{
	(void) config; /* of an nghttp2 that has no such limits */
	if (callbacks) {
		return true;
	}
	if (nghttp2_session_callbacks_new(&callbacks) != 0 || nghttp2_option_new(&options) != 0) {
		return false;
	}
	nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, weft_h2_frame_begins);
	nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, begin_headers);
	nghttp2_session_callbacks_set_on_header_callback2(callbacks, header);
	nghttp2_session_callbacks_set_on_invalid_header_callback2(callbacks, invalid_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, data_chunk);
	nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame_received);
	nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, frame_sent);
	nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, stream_closed);
	nghttp2_option_set_no_auto_window_update(options, 1);
	nghttp2_option_set_no_closed_streams(options, 1);
	nghttp2_option_set_max_outbound_ack(options, OUTBOUND_ACKS);
#ifdef WEFT_HTTP2_CONTINUATIONS
	nghttp2_option_set_max_continuations(options, config->h2_continuations);
#endif
#ifdef WEFT_HTTP2_RESET_RATE
	/* ours comes first: it counts more, and tells why */
	nghttp2_option_set_stream_reset_rate_limit(options, config->h2_resets * 2ul, config->h2_reset_rate * 2ul);
#endif
#ifdef WEFT_HTTP2_PRIORITIES
	nghttp2_option_set_builtin_recv_extension_type(options, NGHTTP2_PRIORITY_UPDATE);
#endif
	return true;
}

static bool submit_settings(weft_h2_session *session)
{
	const weft_http_config *config = &session->connection->server->config;
	nghttp2_settings_entry settings[] = {
		{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, config->h2_streams},
		{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, config->h2_window},
#ifdef WEFT_WEBSOCKET
		{NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1}, /* else nghttp2 knows no :protocol */
#endif
		{NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, (uint32_t) (config->max_header_bytes + config->max_request_line)},
#ifdef WEFT_HTTP2_PRIORITIES
		{NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1},
#endif
	};

	return nghttp2_submit_settings(session->nghttp2, NGHTTP2_FLAG_NONE, settings,
			   sizeof(settings) / sizeof(settings[0])) == 0 &&
		nghttp2_session_set_local_window_size(session->nghttp2, NGHTTP2_FLAG_NONE, 0, (int32_t) config->h2_window) == 0;
}

/* Its connection sends no answers of its own, so only the socket's part of a framing is needed. */
static void session_give_up(weft_http_exchange *exchange)
{
	weft_h2_say_goodbye(exchange->connection);
	weft_framing_http1.give_up(exchange);
}

static const weft_http_framing session_framing = {
	.taken = weft_connection_taken,
	.give_up = session_give_up,
};

bool weft_h2_begin(weft_http_connection *connection, const char *data, size_t length)
{
	weft_http_server *server = connection->server;
	weft_h2_session *session;

	if (!server->config.h2 || !prepare(&server->config)) {
		return false;
	}
	session = pecalloc(1, sizeof(*session), 1);
	session->connection = connection;
	session->updates = FIRST_UPDATES;
	weft_h2_frames_begin(session);
	if (nghttp2_session_server_new2(&session->nghttp2, callbacks, session, options) != 0) {
		free(session);
		return false;
	}
	server->h2_round.fire = weft_h2_due_fired;
	weft_exchange_let_go(&connection->exchange); /* what HTTP/1.1 has made of the preface */
	connection->h2 = session;
	connection->exchange.framing = &session_framing;
	connection->exchange.state = WEFT_CONNECTION_IDLE;
	if (!submit_settings(session)) {
		weft_h2_fail(session, NGHTTP2_INTERNAL_ERROR, "there is no memory for its settings");
	}
	if (server->draining) {
		weft_h2_drain(connection);
	}
	if (length > 0) {
		weft_h2_receive(connection, data, length);
	} else {
		weft_h2_send_now(session);
	}
	return true;
}

/* In two steps, so that no request that is on its way is lost: a GOAWAY that refuses none, and when the client must
 * have got that, one that says which was the last. */
void weft_h2_notice(weft_h2_session *session)
{
	session->noticed = true;
	session->noticed_at = weft_lately();
	nghttp2_submit_shutdown_notice(session->nghttp2);
	nghttp2_submit_ping(session->nghttp2, NGHTTP2_FLAG_NONE, NULL);
}

void weft_h2_drain(weft_http_connection *connection)
{
	weft_h2_session *session = connection->h2;

	if (!session->noticed && !session->over) {
		weft_h2_notice(session);
		weft_h2_tunnels_drain(session);
		if (!session->inside) {
			weft_h2_send_now(session);
		}
	}
}

/* A GOAWAY, for who is there: it says which requests are answered. Who has closed answers it with a reset. */
void weft_h2_half_closed(weft_http_connection *connection)
{
	weft_h2_session *session = connection->h2;

	if (session->half_closed || session->over) {
		return;
	}
	session->half_closed = session->noticed = true;
	for (weft_h2_stream *stream = session->streams; stream; stream = stream->next) {
		if (stream->tunnel) {
			weft_h2_tunnel_end(stream);
		} else if (!stream->request_ended && !stream->answered) {
			nghttp2_submit_rst_stream(session->nghttp2, NGHTTP2_FLAG_NONE, stream->id, NGHTTP2_REFUSED_STREAM);
		}
	}
	submit_goodbye(session);
	weft_h2_send_now(session);
}

void weft_h2_say_goodbye(weft_http_connection *connection)
{
	weft_h2_session *session = connection->h2;

	if (!session->over) {
		session->noticed = true;
		drain_second_step(session);
		weft_h2_send_frames(session);
	}
}

void weft_h2_close(weft_http_connection *connection)
{
	weft_h2_session *session = connection->h2;

	session->over = true;
	weft_h2_leave_due(session);
	weft_h2_drop_streams(session);
	weft_h2_head_free(session);
}

void weft_h2_free(weft_h2_session *session)
{
	nghttp2_session_del(session->nghttp2);
	free(session);
}

void weft_h2_server_free(weft_http_server *server)
{
	weft_round_forget(&server->h2_round);
	nghttp2_session_callbacks_del(callbacks);
	nghttp2_option_del(options);
	callbacks = NULL;
	options = NULL;
}
