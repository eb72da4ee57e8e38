/*
 * A response: status line, headers, framing. What the application prints is kept until it is known whether it is
 * all (Content-Length) or there is more (chunks); nothing printed can break the message's frame.
 */
#include "http/weft_http_internal.h"
#include "http/weft_text.h"
#include "reactor/weft_log.h"

#include <errno.h>
#include <unistd.h>
#include "SAPI.h"

/* What every answer begins with. */
#define PROTOCOL "HTTP/1.1 "
/* Enough to hold status line and framing. */
#define FRAMING_ROOM 512
#define LINE(text) text "\r\n"

static const struct {
	int status;
	const char *reason;
} reasons[] = {
	{200, "OK"},
	{201, "Created"},
	{202, "Accepted"},
	{203, "Non-Authoritative Information"},
	{204, "No Content"},
	{205, "Reset Content"},
	{206, "Partial Content"},
	{207, "Multi-Status"},
	{300, "Multiple Choices"},
	{301, "Moved Permanently"},
	{302, "Found"},
	{303, "See Other"},
	{304, "Not Modified"},
	{307, "Temporary Redirect"},
	{308, "Permanent Redirect"},
	{400, "Bad Request"},
	{401, "Unauthorized"},
	{402, "Payment Required"},
	{403, "Forbidden"},
	{404, "Not Found"},
	{405, "Method Not Allowed"},
	{406, "Not Acceptable"},
	{407, "Proxy Authentication Required"},
	{408, "Request Timeout"},
	{409, "Conflict"},
	{410, "Gone"},
	{411, "Length Required"},
	{412, "Precondition Failed"},
	{413, "Content Too Large"},
	{414, "URI Too Long"},
	{415, "Unsupported Media Type"},
	{416, "Range Not Satisfiable"},
	{417, "Expectation Failed"},
	{418, "I'm a teapot"},
	{419, "Page Expired"},
	{421, "Misdirected Request"},
	{422, "Unprocessable Content"},
	{423, "Locked"},
	{424, "Failed Dependency"},
	{425, "Too Early"},
	{426, "Upgrade Required"},
	{428, "Precondition Required"},
	{429, "Too Many Requests"},
	{431, "Request Header Fields Too Large"},
	{451, "Unavailable For Legal Reasons"},
	{500, "Internal Server Error"},
	{501, "Not Implemented"},
	{502, "Bad Gateway"},
	{503, "Service Unavailable"},
	{504, "Gateway Timeout"},
	{505, "HTTP Version Not Supported"},
	{507, "Insufficient Storage"},
	{508, "Loop Detected"},
	{511, "Network Authentication Required"},
};

const char *weft_http_reason(int status)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].status == status) {
			return reasons[i].reason;
		}
	}
	return "Unknown";
}

void weft_response_free(weft_http_response *response)
{
	weft_buffer_free(&response->head);
	weft_buffer_free(&response->body);
	if (response->file >= 0) {
		close(response->file);
	}
}

/* --- the application's headers --- */

static bool name_is(const char *line, size_t length, const char *name)
{
	return length == strlen(name) && strncasecmp(line, name, length) == 0;
}

static bool has_token(const char *value, const char *token)
{
	size_t length = strlen(token);

	while (*value) {
		value += strspn(value, " \t,");
		size_t part = strcspn(value, ",");
		if (part >= length && strncasecmp(value, token, length) == 0 &&
			strspn(value + length, " \t") == part - length) {
			return true;
		}
		value += part;
	}
	return false;
}

static void declare_length(weft_http_response *response, const char *value)
{
	char *end;
	unsigned long long length;

	errno = 0;
	length = strtoull(value, &end, 10);
	if (*value >= '0' && *value <= '9' && *end == '\0' && errno == 0) {
		response->has_length = true;
		response->length = length;
	}
}

/* Framing is ours: what the application says about it is noted, and not sent as it stands. */
static void add_header(weft_http_response *response, const char *line, size_t length)
{
	const char *colon = memchr(line, ':', length);
	size_t name_length;
	const char *value;

	if (!colon) {
		return;
	}
	name_length = (size_t) (colon - line);
	value = colon + 1 + strspn(colon + 1, " \t");
	if (name_is(line, name_length, "Content-Length")) {
		declare_length(response, value);
		return;
	}
	if (name_is(line, name_length, "Transfer-Encoding") || name_is(line, name_length, "Keep-Alive")) {
		return;
	}
	if (name_is(line, name_length, "Connection")) {
		response->close |= has_token(value, "close");
		return;
	}
	if (name_is(line, name_length, "Status")) {
		if (*value >= '0' && *value <= '9') {
			response->status = atoi(value);
			response->reason[0] = '\0';
		}
		return;
	}
	response->has_date |= name_is(line, name_length, "Date");
	response->has_server |= name_is(line, name_length, "Server");
	weft_buffer_append(&response->head, line, length);
	weft_buffer_append(&response->head, "\r\n", 2);
}

/* "HTTP/1.1 404 Nobody here": keeps the wording when it fits and is printable. */
static void take_reason(weft_http_response *response, const char *status_line)
{
	const char *reason = strchr(status_line, ' ');
	size_t length;

	if (!reason || !(reason = strchr(reason + 1, ' '))) {
		return;
	}
	reason++;
	length = strlen(reason);
	if (length == 0 || length >= sizeof(response->reason)) {
		return;
	}
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char) reason[i] < ' ' || reason[i] == 127) {
			return;
		}
	}
	memcpy(response->reason, reason, length + 1);
}

/* An interim status can't end an exchange, and no client knows what to do with the others (RFC 9110, 15). */
static void refuse_status(weft_http_request *request)
{
	weft_http_response *response = &request->response;

	if (response->status >= 200 && response->status <= 599) {
		return;
	}
	weft_log("weft: %s %.*s: the application's status is %d, which can't end an answer; 500 was sent. Use 200 to 599.",
		weft_parser_method(&request->parser), (int) strcspn(request->uri, "?"), request->uri, response->status);
	response->status = 500;
	response->reason[0] = '\0';
}

void weft_response_headers(weft_http_request *request, sapi_headers_struct *headers)
{
	weft_http_response *response = &request->response;
	zend_llist_position position;
	sapi_header_struct *header;

	response->status = headers->http_response_code ? headers->http_response_code : 200;
	if (headers->http_status_line) {
		take_reason(response, headers->http_status_line);
	}
	header = zend_llist_get_first_ex(&headers->headers, &position);
	while (header) {
		add_header(response, header->header, header->header_len);
		header = zend_llist_get_next_ex(&headers->headers, &position);
	}
	refuse_status(request);
	response->head_ready = true;
}

/* --- framing --- */

static bool is_head_request(const weft_http_request *request)
{
	return request->parser.llhttp.method == HTTP_HEAD;
}

static bool status_has_no_body(int status)
{
	return status == 204 || status == 205 || status == 304;
}

static bool sends_body(const weft_http_request *request)
{
	return !is_head_request(request) && !status_has_no_body(request->response.status);
}

/* Says how the body ends: a length, chunks, or the end of the connection. */
static void put_framing(weft_http_request *request, weft_text *text, bool whole)
{
	weft_http_response *response = &request->response;
	uint64_t length = weft_buffer_length(&response->body) + response->file_length;

	if (response->status == 204) {
		return;
	}
	if (response->status == 205) {
		weft_text_literal(text, LINE("Content-Length: 0")); /* has no content, yet is framed as if it could */
		return;
	}
	if (whole && sends_body(request)) {
		/* the truth, whatever was declared */
		response->has_length = true;
		response->length = length;
	} else if (is_head_request(request) && !response->has_length && length == 0) {
		/* frameworks leave the body of a HEAD out: how long it would have been is not known */
		return;
	} else if (whole && !response->has_length && response->status != 304) {
		response->has_length = true;
		response->length = length;
	}
	if (response->has_length) {
		weft_text_literal(text, "Content-Length: ");
		weft_text_number(text, response->length);
		weft_text_literal(text, "\r\n");
	} else if (response->status == 304) {
		return;
	} else if (request->parser.minor >= 1) {
		response->chunked = sends_body(request);
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

static void make_frame(weft_http_request *request, frame *frame, bool whole)
{
	weft_http_response *response = &request->response;
	weft_text before = {frame->before, frame->before + sizeof(frame->before)};
	weft_text behind = {frame->behind, frame->behind + sizeof(frame->behind)};

	response->close |= !request->parser.keep_alive || request->server->draining;
	weft_text_literal(&before, PROTOCOL);
	weft_text_number(&before, (uint64_t) response->status);
	weft_text_literal(&before, " ");
	weft_text_string(&before, response->reason[0] ? response->reason : weft_http_reason(response->status));
	weft_text_literal(&before, "\r\n");
	if (!response->has_date) {
		weft_text_bytes(&behind, weft_http_date_line(), WEFT_HTTP_DATE_LENGTH);
	}
	if (!response->has_server && PG(expose_php)) {
		weft_text_literal(&behind, LINE("Server: weft"));
	}
	put_framing(request, &behind, whole);
	put_connection(request, &behind);
	weft_text_literal(&behind, "\r\n");
	frame->before_length = (size_t) (before.at - frame->before);
	frame->behind_length = (size_t) (behind.at - frame->behind);
	response->committed = true;
}

/* Never more body than was declared. */
static size_t allowed(const weft_http_response *response, size_t length)
{
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

	length = allowed(response, length);
	if (length == 0 || !sends_body(request)) {
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

/* Sends the head if it was not sent yet, then what the buffer holds, then `data`. */
static void send_framed(weft_http_request *request, const char *data, size_t length, bool whole)
{
	static const char last_chunk[] = "0\r\n\r\n";
	weft_http_response *response = &request->response;
	struct iovec parts[10];
	char size_lines[2][24];
	frame head;
	int n = 0;

	if (!request->connection) {
		return;
	}
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
		weft_connection_send(request->connection, parts, n);
	}
	response->body.start = response->body.end = 0;
}

/* The connection has it from here on, so that neither a request nor a coroutine waits for the client. */
static void send_file(weft_http_request *request)
{
	weft_http_response *response = &request->response;

	if (request->connection && response->file >= 0 && sends_body(request)) {
		response->sent += response->file_length;
		weft_connection_send_file(request->connection, response->file, response->file_offset, response->file_length);
		response->file = -1;
	}
}

/* --- back-pressure --- */

/* What waits for the client, and how much may. A file counts in whole until it has left in whole. */
static uint64_t waiting(const weft_http_connection *connection)
{
	return weft_buffer_length(&connection->out) +
		(connection->spools ? connection->file_offset + connection->file_left : 0) +
		weft_buffer_length(&connection->behind);
}

static uint64_t response_may_wait(const weft_http_connection *connection)
{
	const weft_http_config *config = &connection->server->config;

	return connection->spools && !weft_spool_full(connection->server) && weft_buffer_length(&connection->behind) == 0
		? MAX(config->spool, config->write_buffer)
		: config->write_buffer;
}

void weft_response_writable(weft_http_request *request)
{
	bool room = !request->connection || waiting(request->connection) <= response_may_wait(request->connection) / 2;

	for (weft_http_writer *writer = request->writers; room && writer; writer = writer->next) {
		weft_wake(writer->coroutine);
	}
}

static void leave_writers(weft_http_request *request, weft_http_writer *writer)
{
	weft_http_writer **link = &request->writers;

	while (*link != writer) {
		link = &(*link)->next;
	}
	*link = writer->next;
}

/* Waits until the client has taken most of what was written; or gone; or this coroutine was told to end. Where
 * it can't wait (output callbacks), the buffer grows instead. */
static void response_wait_for_room(weft_http_request *request)
{
	weft_http_writer writer = {.coroutine = weft_current};
	int result = 0;

	request->references++;
	while (result == 0 && request->connection &&
		waiting(request->connection) > response_may_wait(request->connection) && weft_can_suspend()) {
		if (weft_http_server_full(request->server) && weft_spool_begin(request->connection)) {
			continue;
		}
		weft_wait_info info = {.what = "http write", .fd = request->connection->watch.fd};
		writer.next = request->writers;
		request->writers = &writer;
		request->server->slow++;
		result = weft_suspend(&info);
		request->server->slow--;
		request->limit.since = weft_lately();
		leave_writers(request, &writer);
	}
	weft_request_release(request);
}

/* --- what the SAPI calls --- */

void weft_response_write(weft_http_request *request, const char *data, size_t length)
{
	weft_http_response *response = &request->response;
	size_t most = request->server->config.write_buffer;

	if (weft_buffer_length(&response->body) + length <= most) {
		weft_buffer_append(&response->body, data, length);
		return;
	}
	while (length > 0 && request->connection && !response->ended) {
		size_t piece = MIN(length, most);
		send_framed(request, data, piece, false);
		data += piece;
		length -= piece;
		response_wait_for_room(request);
	}
}

void weft_response_flush(weft_http_request *request)
{
	if (!request->response.committed || weft_buffer_length(&request->response.body) > 0) {
		send_framed(request, NULL, 0, false);
		response_wait_for_room(request);
	}
}

void weft_response_begin_early(weft_http_request *request)
{
	static const char protocol[] = PROTOCOL;
	struct iovec part = {.iov_base = (void *) protocol, .iov_len = sizeof(protocol) - 1};

	if (!request->response.committed && !request->response.early) {
		request->response.early = part.iov_len;
		weft_connection_send(request->connection, &part, 1);
	}
}

/* A fatal error or an uncaught exception: if the client has not seen a status yet, it is 500. */
static void mark_failure(weft_http_request *request)
{
	weft_http_response *response = &request->response;

	if ((request->fatal || request->failed) && !response->committed && response->status < 400) {
		response->status = 500;
		response->reason[0] = '\0';
	}
}

void weft_response_end(weft_http_request *request, bool cut)
{
	weft_http_response *response = &request->response;
	weft_http_connection *connection;

	if (UNEXPECTED(weft_http_forked)) {
		response->ended = true; /* the answer is the parent's to give, and to end */
		return;
	}
	mark_failure(request);
	cut = cut && response->committed;
	if (!cut) {
		send_framed(request, NULL, 0, true);
		send_file(request);
	}
	response->ended = true;
	weft_outcome_of_request(request, response->status);
	connection = request->connection; /* may be gone by now */
	if (!connection) {
		return;
	}
	if (cut || (response->has_length && sends_body(request) && response->sent < response->length)) {
		weft_connection_end(connection);
	} else {
		weft_connection_response_done(connection, !response->close);
	}
}

void weft_response_replace(weft_http_request *request, int status, const char *message)
{
	static const char type[] = LINE("Content-Type: text/plain; charset=utf-8");
	weft_http_response *response = &request->response;
	size_t early = response->early;

	weft_response_free(response);
	memset(response, 0, sizeof(*response));
	response->status = status;
	response->early = early;
	response->file = -1;
	weft_buffer_append(&response->head, type, sizeof(type) - 1);
	weft_buffer_append(&response->body, message, strlen(message));
}

void weft_response_end_with_file(weft_http_request *request, int file, uint64_t offset, uint64_t length)
{
	weft_buffer_free(&request->response.body); /* what was printed makes way for it */
	request->response.file = file;
	request->response.file_offset = offset;
	request->response.file_length = length;
	weft_response_end(request, false);
}

/* --- answers of the server's own --- */

/* Seconds, of a 503: who is told not to come now shall not come again at once, nor long after the load has gone. */
#define RETRY_AFTER "2"

void weft_response_error(weft_http_connection *connection, int status, const char *message)
{
	char head[256];
	weft_http_request *request = connection->request;
	bool body = !(request && request->parser.llhttp.method == HTTP_HEAD && request->uri);
	int n = snprintf(head, sizeof(head),
		LINE("HTTP/1.1 %d %s") LINE("Content-Type: text/plain; charset=utf-8") LINE("Content-Length: %zu")
			LINE("Connection: close") "%s",
		status, weft_http_reason(status), strlen(message) + 1, status == 503 ? LINE("Retry-After: " RETRY_AFTER) : "");
	struct iovec parts[] = {
		{head, (size_t) n},
		{(void *) weft_http_date_line(), WEFT_HTTP_DATE_LENGTH},
		{(void *) "\r\n", 2},
		{(void *) message, strlen(message)},
		{(void *) "\n", 1},
	};

	weft_outcome_of_refusal(connection, status);
	weft_connection_send(connection, parts, body ? 5 : 3);
	if (connection->state != WEFT_CONNECTION_CLOSED) {
		weft_connection_end(connection);
	}
}
