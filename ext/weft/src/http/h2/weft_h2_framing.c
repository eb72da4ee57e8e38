/*
 * HTTP/2's message (RFC 9113, 8.1): a head of fields, and what waits in the exchange as DATA, when the client and the
 * session have room for it.
 */
#include "http/h2/weft_h2_internal.h"
#include "http/weft_coding.h"
#include "http/weft_head_line.h"
#include "http/weft_text.h"

#include <unistd.h>

/* Fields of most answers. */
#define FEW_FIELDS 32
/* A number as text. */
#define DIGITS 24

static weft_h2_stream *stream_of(const weft_http_exchange *exchange)
{
	return (weft_h2_stream *) exchange;
}

/* --- the head --- */

typedef struct {
	nghttp2_nv few[FEW_FIELDS], *all;
	size_t count;
	char status[DIGITS], length[DIGITS];
} fields;

static void add(fields *to, const char *name, size_t name_length, const char *value, size_t value_length)
{
	to->all[to->count++] = (nghttp2_nv){(uint8_t *) name, (uint8_t *) value, name_length, value_length,
		NGHTTP2_NV_FLAG_NONE};
}

static void add_number(fields *to, char *digits, const char *name, uint64_t number)
{
	weft_text text = {digits, digits + DIGITS};

	weft_text_number(&text, number);
	add(to, name, strlen(name), digits, (size_t) (text.at - digits));
}

/* nghttp2 writes names in lower case. */
static void add_lines(fields *to, const weft_buffer *lines)
{
	const char *at = weft_buffer_data(lines), *end = at + weft_buffer_length(lines);
	weft_head_line line;

	while ((at = weft_head_line_next(at, end, &line)) != NULL) {
		/* HTTP/1.1's own */
		if (!weft_head_line_is(&line, ZEND_STRL("upgrade")) && !weft_head_line_is(&line, ZEND_STRL("connection"))) {
			add(to, line.name, line.name_length, line.value, line.value_length);
		}
	}
}

static void fields_begin(fields *to, int status, const weft_buffer *lines)
{
	const char *at = weft_buffer_data(lines), *end = at + weft_buffer_length(lines);
	size_t room = 8; /* what is ours */

	for (; at < end && (at = memchr(at, '\n', (size_t) (end - at))) != NULL; at++) {
		room++;
	}
	to->count = 0;
	to->all = room <= FEW_FIELDS ? to->few : safe_pemalloc(room, sizeof(nghttp2_nv), 0, 1);
	add_number(to, to->status, ":status", (uint64_t) status);
	add_lines(to, lines);
}

static void fields_end(fields *to)
{
	if (to->all != to->few) {
		free(to->all);
	}
}

static void add_date(fields *to)
{
	static const size_t name = sizeof("Date: ") - 1, line_end = 2;

	add(to, ZEND_STRL("date"), weft_http_date_line() + name, WEFT_HTTP_DATE_LENGTH - name - line_end);
}

/* --- the body, when nghttp2 asks for it --- */

static ssize_t take_of_file(weft_http_exchange *exchange, uint8_t *to, size_t room)
{
	ssize_t got = pread(exchange->file, to, (size_t) MIN(exchange->file_left, room), (off_t) exchange->file_offset);

	/* 0: it has become shorter, and the message can't be completed */
	return got > 0 && weft_sending_file_has_left(exchange, (uint64_t) got) ? got : -1;
}

static ssize_t take(weft_http_exchange *exchange, uint8_t *to, size_t room)
{
	size_t length = MIN(weft_buffer_length(&exchange->out), room);

	if (length == 0) {
		return exchange->file_left > 0 ? take_of_file(exchange, to, room) : 0;
	}
	memcpy(to, weft_buffer_data(&exchange->out), length);
	weft_buffer_consume(&exchange->out, length);
	if (weft_buffer_length(&exchange->out) == 0) {
		weft_buffer_free(&exchange->out);
	}
	return (ssize_t) length;
}

static ssize_t read_data(nghttp2_session *nghttp2, int32_t id, uint8_t *to, size_t room, uint32_t *flags,
	nghttp2_data_source *source, void *arg)
{
	weft_h2_stream *stream = source->ptr;
	weft_http_exchange *exchange = &stream->exchange;
	size_t before = weft_h2_unsent(stream);
	ssize_t taken = exchange->ws ? (ssize_t) weft_h2_tunnel_take(stream, to, room) : take(exchange, to, room);

	weft_h2_count_buffered(stream, before);
	if (taken < 0) {
		return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE; /* resets the stream */
	}
	exchange->sent += (uint64_t) taken;
	stream->session->data += (uint64_t) taken;
	stream->session->updates = MIN(stream->session->updates + 4, 10000);
	if (!weft_exchange_unsent(exchange)) {
		exchange->deadline = exchange->ws ? exchange->deadline : 0;
		if (stream->whole) {
			*flags |= NGHTTP2_DATA_FLAG_EOF;
		} else if (taken == 0) {
			return stream->cut ? NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE : NGHTTP2_ERR_DEFERRED;
		}
	}
	if (exchange->request) {
		weft_response_writable(exchange->request);
	}
	return taken;
}

/* --- what is queued --- */

static void submit(weft_h2_stream *stream, fields *of)
{
	nghttp2_data_provider body = {.source.ptr = stream, .read_callback = read_data};
	bool none = stream->whole && !weft_exchange_unsent(&stream->exchange);

	stream->answered = true;
	if (nghttp2_submit_response(stream->session->nghttp2, stream->id, of->all, of->count, none ? NULL : &body) != 0) {
		nghttp2_submit_rst_stream(stream->session->nghttp2, NGHTTP2_FLAG_NONE, stream->id, NGHTTP2_INTERNAL_ERROR);
	}
}

static void add_hsts(fields *to, const weft_http_connection *connection)
{
	const char *hsts = weft_framing_hsts(connection);

	if (hsts) {
		add_lines(to, &(weft_buffer){(char *) hsts, 0, strlen(hsts), strlen(hsts)});
	}
}

/* To another worker, as HTTP/1's "Connection: close" does, unless it has sent its next request already. */
static bool sends_away(const weft_h2_stream *stream)
{
	const weft_http_connection *connection = stream->exchange.connection;

	return stream->session->stream_count == 1 && !stream->tunnel && !stream->session->noticed &&
		weft_buffer_length(&connection->in) == 0 && !connection->readable &&
		weft_http_server_sends_away(connection->server);
}

static void submit_head(weft_http_request *request, bool tell_length)
{
	weft_http_response *response = &request->response;
	weft_h2_stream *stream = stream_of(request->exchange);
	fields head;

	fields_begin(&head, response->status, &response->head);
	if (!response->has_date) {
		add_date(&head);
	}
	if (weft_framing_tells_server(request)) {
		add(&head, ZEND_STRL("server"), ZEND_STRL("weft"));
	}
	if (UNEXPECTED(weft_framing_tells_hsts(request))) {
		add_hsts(&head, request->exchange->connection);
	}
	if (tell_length) {
		add_number(&head, head.length, "content-length", response->length);
	}
	response->committed = true;
	submit(stream, &head);
	fields_end(&head);
	if (UNEXPECTED(sends_away(stream))) {
		weft_h2_notice(stream->session);
	}
}

static void keep_body(weft_http_request *request, const char *data, size_t length)
{
	length = weft_framing_allows(request, length);
	if (length > 0 && weft_framing_sends_body(request)) {
		weft_spool_append(request->exchange, data, length);
		request->response.sent += length;
	}
}

/* The client is expected to take it from now on. Nearly always it is about to leave: what the client has acknowledged
 * is asked for when it has not left by the first look. */
static void go_on(weft_h2_stream *stream, bool waited)
{
	weft_http_exchange *exchange = &stream->exchange;

	nghttp2_session_resume_data(stream->session->nghttp2, stream->id);
	if (!waited && weft_exchange_unsent(exchange)) {
		exchange->progress.began = 0;
		weft_exchange_set_deadline(exchange, weft_progress_next_look(exchange));
	}
}

/* To an extended CONNECT a 2xx says that the stream is a WebSocket from now on (RFC 8441, 5). An answer that means
 * something else is the answer of a resource that has none. */
static void tell_no_tunnel(weft_http_response *response)
{
	static const char allow[] = "Allow: GET\r\n";

	if (response->status >= 200 && response->status <= 299) {
		response->status = 405;
		weft_buffer_append(&response->head, allow, sizeof(allow) - 1);
	}
}

/* What ends the answer leaves when its request is detached. */
static void h2_send(weft_http_request *request, const char *data, size_t length, bool whole)
{
	weft_http_response *response = &request->response;
	weft_http_exchange *exchange = request->exchange;
	weft_h2_stream *stream = stream_of(exchange);
	size_t before = weft_h2_unsent(stream);
	bool waited = weft_exchange_unsent(exchange), head = !response->committed, tell_length;

	if (UNEXPECTED(weft_http_forked)) {
		return;
	}
	if (UNEXPECTED(head && stream->tunnel && !exchange->ws)) {
		tell_no_tunnel(response);
	}
	tell_length = head && weft_framing_settle_length(request, whole);
	request->limit.since = weft_lately();
	keep_body(request, weft_buffer_data(&response->body), weft_buffer_length(&response->body));
	keep_body(request, data, length);
	weft_h2_count_buffered(stream, before);
	stream->whole = whole && (response->file < 0 || !weft_framing_sends_body(request));
	if (head) {
		submit_head(request, tell_length);
	}
	response->body.start = response->body.end = 0;
	go_on(stream, waited);
	if (!whole) {
		weft_h2_send(stream->session);
	}
}

static void h2_send_file(weft_http_request *request)
{
	weft_http_response *response = &request->response;
	weft_http_exchange *exchange = request->exchange;
	weft_h2_stream *stream = stream_of(exchange);
	bool waited = weft_exchange_unsent(exchange);

	if (response->file < 0 || !weft_framing_sends_body(request)) {
		return;
	}
	response->sent += response->file_length;
	exchange->file = response->file;
	exchange->file_offset = response->file_offset;
	exchange->file_left = response->file_length;
	response->file = -1;
	stream->whole = true;
	go_on(stream, waited);
}

/* A reset says more than bytes that do not come. */
static void h2_begin_early(weft_http_request *request)
{
}

static void h2_interim(weft_http_request *request, int status, const weft_buffer *lines)
{
	weft_h2_stream *stream = stream_of(request->exchange);
	fields head;

	fields_begin(&head, status, lines);
	nghttp2_submit_headers(stream->session->nghttp2, NGHTTP2_FLAG_NONE, stream->id, NULL, head.all, head.count, NULL);
	fields_end(&head);
	weft_h2_send(stream->session);
}

void weft_h2_send_continue(weft_h2_stream *stream)
{
	static const nghttp2_nv go_on = {(uint8_t *) ":status", (uint8_t *) "100", 7, 3, NGHTTP2_NV_FLAG_NONE};

	nghttp2_submit_headers(stream->session->nghttp2, NGHTTP2_FLAG_NONE, stream->id, NULL, &go_on, 1, NULL);
}

static void h2_done(weft_http_exchange *exchange, bool keep_alive)
{
	weft_exchange_done(exchange);
	exchange->state = WEFT_CONNECTION_SENDING;
	if (!weft_exchange_unsent(exchange)) {
		/* nghttp2 asks for the end of the answer when the stream's window is open, which may be never */
		weft_exchange_set_timeout(exchange, exchange->server->config.write_timeout_ms);
	}
	weft_h2_send(stream_of(exchange)->session);
}

/* What has been handed over is sent, then comes a reset. */
static void h2_cut(weft_http_exchange *exchange)
{
	weft_h2_stream *stream = stream_of(exchange);

	weft_exchange_let_go(exchange);
	exchange->state = WEFT_CONNECTION_SENDING;
	stream->cut = true;
	if (stream->answered && weft_exchange_unsent(exchange)) {
		nghttp2_session_resume_data(stream->session->nghttp2, stream->id);
	} else {
		nghttp2_submit_rst_stream(stream->session->nghttp2, NGHTTP2_FLAG_NONE, stream->id, NGHTTP2_INTERNAL_ERROR);
	}
	weft_h2_send(stream->session);
}

/* A stream may stand behind others for long, as its client wants it. Its own window is another matter. What else the
 * client is sent (answers to its pings) is no answer that it takes. */
static uint64_t h2_taken(const weft_http_exchange *exchange)
{
	const weft_h2_stream *stream = stream_of(exchange);
	const weft_h2_session *session = stream->session;
	uint64_t kept;

	if (nghttp2_session_get_stream_remote_window_size(session->nghttp2, stream->id) <= 0) {
		return exchange->sent;
	}
	kept = weft_buffer_length(&exchange->connection->exchange.out) + weft_progress_kept(exchange->connection);
	return session->data > kept ? session->data - kept : 0;
}

/* It takes nothing of what it asked for, or leaves no room for it: this stream, at least. Or it has its answer, and has
 * been listened to for long enough. */
static void h2_give_up(weft_http_exchange *exchange)
{
	weft_h2_stream *stream = stream_of(exchange);
	bool answered = exchange->state == WEFT_CONNECTION_LINGER;

	if (answered || exchange->state == WEFT_CONNECTION_SENDING || weft_exchange_unsent(exchange)) {
		nghttp2_submit_rst_stream(stream->session->nghttp2, NGHTTP2_FLAG_NONE, stream->id,
			answered ? NGHTTP2_NO_ERROR : NGHTTP2_CANCEL);
		/* the reset leaves when the socket has room, which may be never: the request does not wait for that */
		weft_exchange_let_go(exchange);
		exchange->state = WEFT_CONNECTION_SENDING;
		weft_h2_send(stream->session);
	}
}

static size_t h2_may_wait(const weft_http_exchange *exchange)
{
	return weft_h2_is_crowded(stream_of(exchange)->session) ? 0 : exchange->server->config.write_buffer;
}

/* --- answers of the server's own --- */

static void h2_error(weft_http_exchange *exchange, int status, const char *message)
{
	static const char type[] = "Content-Type: text/plain; charset=utf-8\r\n";
	weft_h2_stream *stream = stream_of(exchange);
	bool is_head = exchange->request && exchange->request->uri && exchange->request->parser.llhttp.method == HTTP_HEAD;
	weft_buffer lines = {(char *) type, 0, sizeof(type) - 1, sizeof(type) - 1};
	size_t length = strlen(message), before = weft_h2_unsent(stream);
	fields head;

	if (exchange->state == WEFT_CONNECTION_HEAD && !stream->request_ended && !exchange->request && status == 408) {
		weft_h2_fail(stream->session, NGHTTP2_ENHANCE_YOUR_CALM, "a head was begun and not ended in time");
		return;
	}
	weft_outcome_of_refusal(exchange, status);
	fields_begin(&head, status, &lines);
	add_date(&head);
	add_number(&head, head.length, "content-length", length + 1);
	add_hsts(&head, exchange->connection);
	if (status == 503 || status == 429) {
		add(&head, ZEND_STRL("retry-after"), ZEND_STRL(WEFT_HTTP_RETRY_AFTER));
	} else if (status == 415) {
		const char *codings = weft_decompress_codings(exchange->server);

		add(&head, ZEND_STRL("accept-encoding"), codings, strlen(codings));
	}
	if (!is_head) {
		weft_buffer_append(&exchange->out, message, length);
		weft_buffer_append(&exchange->out, "\n", 1);
		weft_h2_count_buffered(stream, before);
	}
	stream->whole = true;
	submit(stream, &head);
	fields_end(&head);
	go_on(stream, false);
	weft_exchange_let_go(exchange);
	exchange->state = WEFT_CONNECTION_SENDING;
	weft_h2_send(stream->session);
}

const weft_http_framing weft_h2_stream_framing = {
	.send = h2_send,
	.send_file = h2_send_file,
	.begin_early = h2_begin_early,
	.interim = h2_interim,
	.error = h2_error,
	.done = h2_done,
	.cut = h2_cut,
	.taken = h2_taken,
	.give_up = h2_give_up,
	.may_wait = h2_may_wait,
	.hold = weft_h2_stream_hold,
#ifdef WEFT_WEBSOCKET
	.websocket = &weft_h2_ws_carrier,
#endif
};
