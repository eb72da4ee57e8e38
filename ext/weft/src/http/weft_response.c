/*
 * A response: what the application says and prints. It is kept until it is known whether it is all (Content-Length) or
 * there is more; weft_framing.c makes the message of it.
 */
#include "http/weft_coding.h"
#include "http/weft_http_internal.h"
#include "http/weft_sending.h"
#include "http/files/weft_file_redirect.h"
#include "reactor/weft_log.h"

#include <errno.h>
#include <unistd.h>
#include "SAPI.h"

void weft_response_free(weft_http_response *response)
{
	weft_compress_end(response);
	weft_buffer_free(&response->head);
	weft_buffer_free(&response->body);
	free(response->ranges);
	response->ranges = NULL;
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

static void append_line(weft_buffer *buffer, const char *line, size_t length)
{
	char *place = weft_buffer_reserve(buffer, length + 2);

	memcpy(place, line, length);
	memcpy(place + length, "\r\n", 2);
	buffer->end += length + 2;
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
	if (response->status == 304 && name_is(line, name_length, "Content-Type")) {
		return; /* PHP adds its default one, and a cache would take it for the page's */
	}
	response->has_date |= name_is(line, name_length, "Date");
	response->has_server |= name_is(line, name_length, "Server");
	response->has_hsts |= name_is(line, name_length, "Strict-Transport-Security");
	append_line(&response->head, line, length);
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
	const char *redirect = NULL;

	response->status = headers->http_response_code ? headers->http_response_code : 200;
	if (headers->http_status_line) {
		take_reason(response, headers->http_status_line);
	}
	header = zend_llist_get_first_ex(&headers->headers, &position);
	while (header) {
		if (UNEXPECTED(weft_file_redirect_is(header->header))) {
			redirect = header->header;
		} else {
			add_header(response, header->header, header->header_len);
		}
		header = zend_llist_get_next_ex(&headers->headers, &position);
	}
	refuse_status(request);
	if (UNEXPECTED(redirect)) {
		weft_file_redirect(request, redirect);
	}
	response->head_ready = true;
}

/* Nobody is told beforehand how long the answer is that comes in the end, or who has made it. */
static bool is_for_interim(const char *line)
{
	static const char *const others[] = {"Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Status",
		"X-Powered-By"};
	size_t length = strcspn(line, ":");

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (name_is(line, length, others[i])) {
			return false;
		}
	}
	return line[length] == ':';
}

void weft_response_interim(weft_http_request *request, int status, sapi_headers_struct *headers)
{
	zend_llist_position position;
	weft_buffer lines = {0};

	if (!request->exchange || request->response.committed || UNEXPECTED(weft_http_forked)) {
		return;
	}
	for (sapi_header_struct *header = zend_llist_get_first_ex(&headers->headers, &position); header;
		 header = zend_llist_get_next_ex(&headers->headers, &position)) {
		if (is_for_interim(header->header)) {
			append_line(&lines, header->header, header->header_len);
		}
	}
	request->exchange->framing->interim(request, status, &lines);
	weft_buffer_free(&lines);
}

/* --- back-pressure --- */

/* What waits for the client, and how much may. A file counts in whole until it has left in whole. */
static uint64_t waiting(const weft_http_exchange *exchange)
{
	return weft_buffer_length(&exchange->out) + (exchange->spools ? exchange->file_offset + exchange->file_left : 0) +
		weft_buffer_length(&exchange->behind);
}

static uint64_t response_may_wait(const weft_http_exchange *exchange)
{
	size_t in_memory = exchange->framing->may_wait(exchange);

	return exchange->spools && !weft_spool_full(exchange->server) && weft_buffer_length(&exchange->behind) == 0
		? MAX(exchange->server->config.spool, in_memory)
		: in_memory;
}

void weft_response_writable(weft_http_request *request)
{
	if (!request->exchange || waiting(request->exchange) <= response_may_wait(request->exchange) / 2) {
		weft_writers_wake(request->writers);
	}
}

/* Waits until the client has taken most of what was written; or gone; or this coroutine was told to end. Where
 * it can't wait (output callbacks), the buffer grows instead. */
static void response_wait_for_room(weft_http_request *request)
{
	int result = 0;

	while (result == 0 && request->exchange && waiting(request->exchange) > response_may_wait(request->exchange) &&
		weft_can_suspend()) {
		if (weft_http_server_has_slow_clients(request->server) && weft_spool_begin(request->exchange)) {
			continue;
		}
		weft_wait_info info = {.what = "http write", .fd = request->exchange->connection->watch.fd};
		request->server->slow++;
		result = weft_writers_wait(&request->writers, &info);
		request->server->slow--;
		request->limit.since = weft_lately();
	}
}

/* --- what the SAPI calls --- */

/* To a client that may be gone. */
void weft_response_send(weft_http_request *request, const char *data, size_t length, bool whole)
{
	if (request->exchange) {
		request->exchange->framing->send(request, data, length, whole);
	}
}

void weft_response_write(weft_http_request *request, const char *data, size_t length)
{
	weft_http_response *response = &request->response;
	size_t most = request->server->config.write_buffer;

	if (response->is_settled) {
		return;
	}
	if (weft_buffer_length(&response->body) + length <= most) {
		weft_buffer_append(&response->body, data, length);
		return;
	}
	while (length > 0 && request->exchange && !response->ended) {
		size_t piece = MIN(length, most);
		weft_compress_send(request, data, piece, WEFT_CODEC_GO_ON);
		data += piece;
		length -= piece;
		response_wait_for_room(request);
		if (weft_compress_runs(response) && length > 0 && weft_can_suspend()) {
			weft_end_turn_after_slice(); /* that was work, and there is more of it */
		}
	}
}

void weft_response_flush(weft_http_request *request)
{
	const weft_http_response *response = &request->response;

	if (response->is_settled) {
		return; /* all of it leaves at the end */
	}
	if (!response->committed || weft_buffer_length(&response->body) > 0 || response->compression.holds) {
		weft_compress_send(request, NULL, 0, WEFT_CODEC_FLUSH);
		response_wait_for_room(request);
	}
}

/* A fatal error or an uncaught exception: if the client has not seen a status yet, it is 500, but not where PHP shows
 * errors on the page: PHP leaves the status as it is then (php_error_cb()). */
static void mark_failure(weft_http_request *request)
{
	weft_http_response *response = &request->response;
	bool ended = (request->fatal || request->failed) && !PG(display_errors);

	if (ended && !response->committed && response->status < 400) {
		response->status = 500;
		response->reason[0] = '\0';
		response->file_length = 0;
	}
}

void weft_response_end(weft_http_request *request, bool cut)
{
	weft_http_response *response = &request->response;
	weft_http_exchange *exchange;

	if (UNEXPECTED(weft_http_forked)) {
		response->ended = true; /* the answer is the parent's to give, and to end */
		return;
	}
	mark_failure(request);
	cut = cut && response->committed;
	if (!cut) {
		weft_compress_send(request, NULL, 0, WEFT_CODEC_FINISH);
		if (request->exchange) {
			request->exchange->framing->send_file(request);
		}
		cut = response->compression.cut;
	}
	weft_compress_end(response);
	response->ended = true;
	weft_outcome_of_request(request, response->status);
	weft_time_limit_answered(request);
	exchange = request->exchange; /* may be gone by now */
	if (!exchange) {
		return;
	}
	if (cut || (response->has_length && weft_framing_sends_body(request) && response->sent < response->length)) {
		exchange->framing->cut(exchange);
	} else {
		exchange->framing->done(exchange, !response->close);
	}
}

/* What runs nowhere has nobody who keeps it. */
void weft_response_end_alone(weft_http_request *request)
{
	weft_http_server *server = request->server;

	request->references++;
	weft_request_take_client(request);
	weft_response_end(request, false);
	weft_request_release(request);
	weft_http_server_show_load(server);
}

/* Behind the header lines that there are. */
static void say(weft_http_response *response, int status, const char *words)
{
	static const char type[] = "Content-Type: text/plain; charset=utf-8\r\n";

	response->status = status;
	weft_buffer_append(&response->head, type, sizeof(type) - 1);
	weft_buffer_append(&response->body, words, strlen(words));
}

void weft_response_end_with_status(weft_http_request *request, int status, const char *words)
{
	request->response.status = status;
	if (words) {
		say(&request->response, status, words);
	}
	weft_response_end_alone(request);
}

void weft_response_replace(weft_http_request *request, int status, const char *message)
{
	weft_http_response *response = &request->response;
	size_t early = response->early;

	weft_response_free(response);
	memset(response, 0, sizeof(*response));
	response->early = early;
	response->file = -1;
	say(response, status, message);
}

void weft_response_end_with_file(weft_http_request *request, int file, uint64_t offset, uint64_t length)
{
	weft_buffer_free(&request->response.body); /* what was printed makes way for it */
	if (request->response.file >= 0) {
		close(request->response.file); /* a header has named another one */
	}
	request->response.file = file;
	request->response.file_offset = offset;
	request->response.file_length = length;
	weft_response_end(request, false);
}
