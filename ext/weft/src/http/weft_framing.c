/*
 * HTTP/1.1's message (RFC 9112, 2): status line, the application's header lines, and how the body ends. Nothing printed
 * can break its frame.
 */
#include "http/weft_coding.h"
#include "http/weft_http_internal.h"
#include "http/weft_sending.h"
#include "http/weft_text.h"
#include "http/ws/weft_ws_carrier.h"

#include <sys/socket.h>

/* What every answer begins with. */
#define PROTOCOL "HTTP/1.1 "
/* Enough to hold status line and framing. */
#define FRAMING_ROOM 512
#define LINE(text) text "\r\n"

static bool is_head_request(const weft_http_request *request)
{
	return request->parser.llhttp.method == HTTP_HEAD;
}

static bool status_has_no_body(int status)
{
	return status == 204 || status == 205 || status == 304;
}

bool weft_framing_sends_body(const weft_http_request *request)
{
	return !is_head_request(request) && !status_has_no_body(request->response.status);
}

/* What the application has printed so far. */
static uint64_t length_so_far(const weft_http_response *response)
{
	return weft_buffer_length(&response->body) + response->file_length;
}

/* Frameworks leave the body of a HEAD out: how long it would have been is not known. */
static bool is_bare_head(const weft_http_request *request)
{
	return is_head_request(request) && !request->response.has_length && length_so_far(&request->response) == 0;
}

bool weft_framing_settle_length(weft_http_request *request, bool whole)
{
	weft_http_response *response = &request->response;

	if (response->status == 204 || response->status == 205) {
		return false;
	}
	if (whole &&
		(weft_framing_sends_body(request) || /* the truth, whatever was declared */
			(!response->has_length && response->status != 304 && !is_bare_head(request)))) {
		response->has_length = true;
		response->length = length_so_far(response);
	}
	return response->has_length;
}

/* Says how the body ends: a length, chunks, or the end of the connection. */
static void put_framing(weft_http_request *request, weft_text *text, bool whole)
{
	weft_http_response *response = &request->response;

	if (response->status == 205) {
		weft_text_literal(text, LINE("Content-Length: 0")); /* has no content, yet is framed as if it could */
	} else if (weft_framing_settle_length(request, whole)) {
		weft_text_literal(text, "Content-Length: ");
		weft_text_number(text, response->length);
		weft_text_literal(text, "\r\n");
	} else if (response->status == 204 || response->status == 304 || is_bare_head(request)) {
		return;
	} else if (request->parser.minor >= 1) {
		response->chunked = weft_framing_sends_body(request);
		weft_text_literal(text, LINE("Transfer-Encoding: chunked"));
	} else {
		response->close = true;
	}
}

static void put_connection(const weft_http_request *request, weft_text *text)
{
	if (request->response.close) {
		weft_text_literal(text, LINE("Connection: close"));
	} else if (request->parser.minor == 0) {
		weft_text_literal(text, LINE("Connection: keep-alive"));
	}
}

/* What goes before and behind the application's own header lines. */
typedef struct {
	char before[128];
	size_t before_length;
	char behind[FRAMING_ROOM];
	size_t behind_length;
} frame;

/* To another worker, unless it has sent its next request already. */
static bool sends_away(const weft_http_request *request)
{
	const weft_http_connection *connection = weft_request_connection(request);

	return connection && weft_buffer_length(&connection->in) == 0 && !connection->readable &&
		request->response.status != 101 && weft_http_server_sends_away(request->server);
}

static void make_frame(weft_http_request *request, frame *frame, bool whole)
{
	weft_http_response *response = &request->response;
	weft_text before = {frame->before, frame->before + sizeof(frame->before)};
	weft_text behind = {frame->behind, frame->behind + sizeof(frame->behind)};

	response->close |= !request->parser.keep_alive || request->server->draining || sends_away(request);
	weft_text_literal(&before, PROTOCOL);
	weft_text_number(&before, (uint64_t) response->status);
	weft_text_literal(&before, " ");
	weft_text_string(&before, response->reason[0] ? response->reason : weft_http_reason(response->status));
	weft_text_literal(&before, "\r\n");
	if (!response->has_date) {
		weft_text_bytes(&behind, weft_http_date_line(), WEFT_HTTP_DATE_LENGTH);
	}
	if (weft_framing_tells_server(request)) {
		weft_text_literal(&behind, LINE("Server: weft"));
	}
	if (UNEXPECTED(weft_framing_tells_hsts(request))) {
		weft_text_string(&behind, request->server->config.hsts);
	}
	if (UNEXPECTED(response->status == 101)) {
		weft_text_literal(&behind, LINE("Upgrade: websocket") LINE("Connection: Upgrade"));
	} else {
		put_framing(request, &behind, whole);
		put_connection(request, &behind);
	}
	weft_text_literal(&behind, "\r\n");
	frame->before_length = (size_t) (before.at - frame->before);
	frame->behind_length = (size_t) (behind.at - frame->behind);
	response->committed = true;
}

bool weft_framing_tells_server(const weft_http_request *request)
{
	return !request->response.has_server && PG(expose_php);
}

const char *weft_framing_hsts(const weft_http_connection *connection)
{
	return connection->tls ? connection->server->config.hsts : NULL;
}

bool weft_framing_tells_hsts(const weft_http_request *request)
{
	return weft_framing_hsts(request->exchange->connection) && !request->response.has_hsts;
}

size_t weft_framing_allows(const weft_http_request *request, size_t length)
{
	const weft_http_response *response = &request->response;

	if (response->has_length && response->length - response->sent < length) {
		return (size_t) (response->length - response->sent);
	}
	return length;
}

static int frame_body(weft_http_request *request, struct iovec *parts, char *size_line, size_t room, const char *data,
	size_t length)
{
	weft_http_response *response = &request->response;
	int n = 0;

	length = weft_framing_allows(request, length);
	if (length == 0 || !weft_framing_sends_body(request)) {
		return 0;
	}
	if (response->chunked) {
		parts[n].iov_base = size_line;
		parts[n++].iov_len = (size_t) snprintf(size_line, room, LINE("%zx"), length);
	}
	parts[n].iov_base = (void *) data;
	parts[n++].iov_len = length;
	if (response->chunked) {
		parts[n].iov_base = (void *) "\r\n";
		parts[n++].iov_len = 2;
	}
	response->sent += length;
	return n;
}

static void http1_send(weft_http_request *request, const char *data, size_t length, bool whole)
{
	static const char last_chunk[] = "0\r\n\r\n";
	weft_http_response *response = &request->response;
	weft_http_connection *connection = request->exchange->connection;
	struct iovec parts[10];
	char size_lines[2][24];
	frame head;
	int n = 0;

	request->limit.since = weft_lately();
	if (!response->committed) {
		make_frame(request, &head, whole);
		parts[n].iov_base = head.before + response->early;
		parts[n++].iov_len = head.before_length - response->early;
		if (weft_buffer_length(&response->head) > 0) {
			parts[n].iov_base = (void *) weft_buffer_data(&response->head);
			parts[n++].iov_len = weft_buffer_length(&response->head);
		}
		parts[n].iov_base = head.behind;
		parts[n++].iov_len = head.behind_length;
	}
	if (weft_buffer_length(&response->body) > 0) {
		n += frame_body(request, parts + n, size_lines[0], sizeof(size_lines[0]), weft_buffer_data(&response->body),
			weft_buffer_length(&response->body));
	}
	n += frame_body(request, parts + n, size_lines[1], sizeof(size_lines[1]), data, length);
	if (whole && response->chunked) {
		parts[n].iov_base = (void *) last_chunk;
		parts[n++].iov_len = sizeof(last_chunk) - 1;
	}
	if (n > 0) {
		connection->file_follows = whole && response->file_length > 0 && weft_framing_sends_body(request);
		weft_connection_send(connection, parts, n);
		connection->file_follows = false;
	}
	response->body.start = response->body.end = 0;
}

/* The connection has it from here on, so that neither a request nor a coroutine waits for the client. */
static void http1_send_file(weft_http_request *request)
{
	weft_http_response *response = &request->response;

	if (response->file >= 0 && weft_framing_sends_body(request)) {
		response->sent += response->file_length;
		if (response->ranges) {
			weft_connection_send_ranges(request->exchange->connection, response->file, response->ranges);
		} else {
			weft_connection_send_file(request->exchange->connection, response->file, response->file_offset,
				response->file_length);
		}
		response->file = -1;
		response->ranges = NULL;
	}
}

static void http1_begin_early(weft_http_request *request)
{
	/* A size of a chunk may have zeros before it, the last one's too (RFC 9112, 7.1). */
	static const char protocol[] = PROTOCOL, size[] = "0";
	const weft_http_response *response = &request->response;
	struct iovec part = {.iov_base = (void *) protocol, .iov_len = sizeof(protocol) - 1};

	if (response->chunked) {
		part = (struct iovec){.iov_base = (void *) size, .iov_len = sizeof(size) - 1};
	} else if (response->committed || response->early) {
		return;
	} else {
		request->response.early = part.iov_len;
	}
	weft_connection_send(request->exchange->connection, &part, 1);
}

static void http1_interim(weft_http_request *request, int status, const weft_buffer *lines)
{
	weft_http_response *response = &request->response;
	char first[128];
	weft_text text = {first, first + sizeof(first)};

	if (response->committed || request->parser.minor == 0) {
		return;
	}
	weft_text_literal(&text, PROTOCOL);
	weft_text_number(&text, (uint64_t) status);
	weft_text_literal(&text, " ");
	weft_text_string(&text, weft_http_reason(status));
	weft_text_literal(&text, "\r\n");

	struct iovec parts[] = {
		{first + response->early, (size_t) (text.at - first) - response->early},
		{(void *) weft_buffer_data(lines), weft_buffer_length(lines)},
		{(void *) "\r\n", 2},
	};

	response->early = 0;
	weft_connection_send(request->exchange->connection, parts, 3);
}

static size_t http1_may_wait(const weft_http_exchange *exchange)
{
	return exchange->server->config.write_buffer;
}

/* --- answers of the server's own --- */

void weft_framing_answer(weft_http_connection *connection, int status, const char *lines, const char *body,
	size_t length)
{
	weft_http_exchange *exchange = &connection->exchange;
	bool has_body = !(exchange->request && is_head_request(exchange->request));
	const char *hsts = weft_framing_hsts(connection) ? weft_framing_hsts(connection) : "";
	char head[256];
	int n = snprintf(head, sizeof(head),
		LINE("HTTP/1.1 %d %s") LINE("Content-Type: text/plain; charset=utf-8") LINE("Content-Length: %zu")
			LINE("Connection: close"),
		status, weft_http_reason(status), length);
	struct iovec parts[] = {
		{head, (size_t) n},
		{(void *) weft_http_date_line(), WEFT_HTTP_DATE_LENGTH},
		{(void *) lines, strlen(lines)},
		{(void *) hsts, strlen(hsts)},
		{(void *) "\r\n", 2},
		{(void *) body, length},
	};

	weft_outcome_of_refusal(exchange, status);
	weft_connection_send(connection, parts, has_body ? 6 : 5);
	if (exchange->state != WEFT_CONNECTION_CLOSED) {
		weft_connection_end(connection);
	}
}

static void http1_error(weft_http_exchange *exchange, int status, const char *message)
{
	char line[64] = "", text[512];

	if (status == 503 || status == 429) {
		snprintf(line, sizeof(line), LINE("Retry-After: " WEFT_HTTP_RETRY_AFTER));
	} else if (status == 415) {
		/* what it would be (RFC 9110, 12.5.3) */
		snprintf(line, sizeof(line), LINE("Accept-Encoding: %s"), weft_decompress_codings(exchange->server));
	}
	snprintf(text, sizeof(text), "%s\n", message);
	weft_framing_answer(exchange->connection, status, line, text, strlen(text));
}

static void http1_cut(weft_http_exchange *exchange)
{
	exchange->connection->cut = true;
	weft_connection_end(exchange->connection);
}

/* A reset frees what the kernel holds for who does not take it, and can't be mistaken for an end. */
static void http1_give_up(weft_http_exchange *exchange)
{
	struct linger at_once = {.l_onoff = 1, .l_linger = 0};

	if (weft_exchange_unsent(exchange)) {
		setsockopt(exchange->connection->watch.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	}
	weft_connection_close(exchange->connection);
}

const weft_http_framing weft_framing_http1 = {
	.send = http1_send,
	.send_file = http1_send_file,
	.begin_early = http1_begin_early,
	.interim = http1_interim,
	.error = http1_error,
	.done = weft_connection_response_done,
	.cut = http1_cut,
	.taken = weft_connection_taken,
	.give_up = http1_give_up,
	.may_wait = http1_may_wait,
#ifdef WEFT_WEBSOCKET
	.websocket = &weft_ws_http1,
#endif
};
