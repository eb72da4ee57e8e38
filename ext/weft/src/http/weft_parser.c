/*
 * The head and the body of a request: finds whole lines, checks what llhttp lets pass, and hands the rest to llhttp.
 */
#include "weft_parser_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What most requests have: the memory for so many is kept for another request. */
#define FEW_HEADERS 16
/* The first line of what an HTTP/2 client sends first (RFC 9113, 3.4). */
#define PREFACE "PRI * HTTP/2.0"

weft_parser_result weft_parser_refuse(weft_parser *parser, int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(parser->message, sizeof(parser->message), format, args);
	va_end(args);
	parser->status = status;
	parser->keep_alive = false;
	return WEFT_PARSER_ERROR;
}

/* Letters, digits and some others (RFC 9110, 5.6.2). */
static const bool token_chars[256] = {
	['a' ... 'z'] = true,
	['A' ... 'Z'] = true,
	['0' ... '9'] = true,
	['!'] = true,
	['#'] = true,
	['$'] = true,
	['%'] = true,
	['&'] = true,
	['\''] = true,
	['*'] = true,
	['+'] = true,
	['-'] = true,
	['.'] = true,
	['^'] = true,
	['_'] = true,
	['`'] = true,
	['|'] = true,
	['~'] = true,
};

bool weft_http_is_token_char(unsigned char c)
{
	return token_chars[c];
}

bool weft_http_is_token(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!weft_http_is_token_char((unsigned char) text[i])) {
			return false;
		}
	}
	return length > 0;
}

/* --- llhttp's callbacks --- */

static int on_url(llhttp_t *llhttp, const char *at, size_t length)
{
	weft_parser *parser = llhttp->data;

	if (parser->target_length == 0) {
		parser->target = (uint32_t) (at - parser->base);
	}
	parser->target_length += (uint32_t) length;
	return 0;
}

static weft_parser_header *next_header(weft_parser *parser)
{
	if (parser->header_count == parser->header_room) {
		uint32_t room = parser->header_room ? parser->header_room * 2 : FEW_HEADERS;
		weft_parser_header *headers = realloc(parser->headers, room * sizeof(*headers));
		if (!headers) {
			parser->out_of_memory = true;
			return NULL;
		}
		parser->headers = headers;
		parser->header_room = room;
	}
	weft_parser_header *header = &parser->headers[parser->header_count++];
	memset(header, 0, sizeof(*header));
	return header;
}

static int on_header_field(llhttp_t *llhttp, const char *at, size_t length)
{
	weft_parser *parser = llhttp->data;
	weft_parser_header *header;

	if (parser->header_count > 0 && !parser->in_value) {
		header = &parser->headers[parser->header_count - 1];
	} else {
		if (!(header = next_header(parser))) {
			return -1;
		}
		header->name = (uint32_t) (at - parser->base);
		parser->in_value = false;
	}
	header->name_length += (uint32_t) length;
	return 0;
}

static int on_header_value(llhttp_t *llhttp, const char *at, size_t length)
{
	weft_parser *parser = llhttp->data;

	weft_parser_header *header = &parser->headers[parser->header_count - 1];
	if (header->value == 0) {
		header->value = (uint32_t) (at - parser->base);
	}
	header->value_length += (uint32_t) length;
	parser->in_value = true;
	return 0;
}

static int on_header_value_complete(llhttp_t *llhttp)
{
	/* an empty value makes no on_header_value call */
	((weft_parser *) llhttp->data)->in_value = true;
	return 0;
}

static int on_headers_complete(llhttp_t *llhttp)
{
	weft_parser *parser = llhttp->data;

	/* When no body follows, llhttp clears these before it returns. */
	parser->minor = llhttp->http_minor;
	parser->connection_close = (llhttp->flags & F_CONNECTION_CLOSE) != 0;
	parser->connection_keep_alive = (llhttp->flags & F_CONNECTION_KEEP_ALIVE) != 0;
	/* `Upgrade` is an offer that a server may ignore; left on, llhttp would stop parsing here. */
	llhttp->upgrade = 0;
	return 0;
}

static const llhttp_settings_t settings = {
	.on_url = on_url,
	.on_header_field = on_header_field,
	.on_header_value = on_header_value,
	.on_header_value_complete = on_header_value_complete,
	.on_headers_complete = on_headers_complete,
};

void weft_parser_init(weft_parser *parser, const weft_parser_limits *limits, weft_parser_sink sink, void *arg)
{
	memset(parser, 0, sizeof(*parser));
	parser->major = parser->minor = 1;
	llhttp_init(&parser->llhttp, HTTP_REQUEST, &settings);
	parser->llhttp.data = parser;
	parser->limits = limits;
	parser->sink = sink;
	parser->sink_arg = arg;
	for (int i = 0; i < WEFT_HEADER_KNOWN; i++) {
		parser->known[i] = -1;
	}
}

void weft_parser_init_again(weft_parser *parser, const weft_parser_limits *limits, weft_parser_sink sink, void *arg)
{
	weft_parser_header *headers = parser->headers;
	uint32_t room = parser->header_room;

	weft_parser_init(parser, limits, sink, arg);
	parser->headers = headers;
	parser->header_room = room;
}

void weft_parser_free(weft_parser *parser)
{
	free(parser->headers);
	parser->headers = NULL;
	parser->header_count = parser->header_room = 0;
}

void weft_parser_empty(weft_parser *parser)
{
	if (parser->header_room > FEW_HEADERS) {
		weft_parser_free(parser);
	}
}

const char *weft_parser_method(const weft_parser *parser)
{
	return llhttp_method_name((llhttp_method_t) parser->llhttp.method);
}

/* --- the head --- */

/* llhttp stops at the first method, version or character that it does not know, and says little about it. The
 * request line's form is checked here, so that each fault gets its own status. */
static weft_parser_result check_request_line(weft_parser *parser, const char *line, size_t length)
{
	const char *space = memchr(line, ' ', length);
	const char *end = line + length;
	const char *target, *version;

	if (!space || !weft_http_is_token(line, (size_t) (space - line))) {
		return weft_parser_refuse(parser, 400, "The request line does not begin with a method and a space.");
	}
	target = space + 1;
	space = memchr(target, ' ', (size_t) (end - target));
	if (!space || space == target) {
		return weft_parser_refuse(parser, 400, "The request line is not \"METHOD target HTTP/version\".");
	}
	version = space + 1;
	if (end - version != 8 || memcmp(version, "HTTP/", 5) != 0 || version[5] < '0' || version[5] > '9' ||
		version[6] != '.' || version[7] < '0' || version[7] > '9') {
		return weft_parser_refuse(parser, 400, "The request line does not end in an HTTP version.");
	}
	if (version[5] != '1') {
		parser->preface = parser->blank == 0 && length == sizeof(PREFACE) - 1 && memcmp(line, PREFACE, length) == 0;
		return weft_parser_refuse(parser, 505, "This server speaks HTTP/1.1 and HTTP/1.0.");
	}
	return WEFT_PARSER_MORE;
}

static weft_parser_result llhttp_refused(weft_parser *parser, llhttp_errno_t error)
{
	const char *reason = llhttp_get_error_reason(&parser->llhttp);

	if (parser->out_of_memory) {
		return weft_parser_refuse(parser, 503, "The server is out of memory.");
	}
	switch (error) {
		case HPE_INVALID_METHOD: return weft_parser_refuse(parser, 501, "This server does not know that method.");
		case HPE_PAUSED_H2_UPGRADE: return weft_parser_refuse(parser, 505, "This server speaks HTTP/1.1 and HTTP/1.0.");
		case HPE_INVALID_CONSTANT:
			/* RTSP and ICE methods before an HTTP version */
			return weft_parser_refuse(parser, parser->lines <= 1 ? 501 : 400, "Malformed request: %s.",
				reason ? reason : "");
		default:
			return weft_parser_refuse(parser, 400, "Malformed request: %s.",
				reason && *reason ? reason : llhttp_errno_name(error));
	}
}

static weft_parser_result feed(weft_parser *parser, const char *data, size_t length)
{
	llhttp_errno_t error = llhttp_execute(&parser->llhttp, data, length);

	return error == HPE_OK ? WEFT_PARSER_MORE : llhttp_refused(parser, error);
}

/* A line that has all its bytes. `length` is without CR and LF. */
static weft_parser_result check_line(weft_parser *parser, const char *line, size_t length)
{
	if (parser->lines == 1) {
		if (length > parser->limits->max_request_line) {
			return weft_parser_refuse(parser, 414,
				"The request line is longer than %zu bytes (weft.http_max_request_line).",
				parser->limits->max_request_line);
		}
		return check_request_line(parser, line, length);
	}
	if (length == 0) {
		return WEFT_PARSER_MORE;
	}
	if (line[0] == ' ' || line[0] == '\t') {
		return weft_parser_refuse(parser, 400, "A header line begins with a space: folded headers are not allowed.");
	}
	if (line[0] == ':') {
		return weft_parser_refuse(parser, 400, "A header line has no name.");
	}
	if (parser->lines - 1 > parser->limits->max_header_count || parser->lines - 1 > WEFT_PARSER_HEADERS_MAX) {
		return weft_parser_refuse(parser, 431, "The request has more than %u headers (weft.http_max_header_count).",
			parser->limits->max_header_count);
	}
	return WEFT_PARSER_MORE;
}

/* What can be said of a line whose end has not come yet. */
static weft_parser_result check_unfinished(weft_parser *parser, const char *data, size_t length)
{
	size_t unfinished = length - parser->line;

	if (parser->lines == 0) {
		if (unfinished > 0 && !weft_http_is_token_char((unsigned char) data[parser->line]) &&
			data[parser->line] != '\r') {
			return weft_parser_refuse(parser, 400, "This is not an HTTP request.");
		}
		if (unfinished > parser->limits->max_request_line + 1) {
			return weft_parser_refuse(parser, 414,
				"The request line is longer than %zu bytes (weft.http_max_request_line).",
				parser->limits->max_request_line);
		}
	}
	return WEFT_PARSER_MORE;
}

/* All lines after the request line, up to `end`. */
static weft_parser_result check_header_bytes(weft_parser *parser, size_t end)
{
	if (parser->lines > 0 && end - (parser->start + parser->target_length) > parser->limits->max_header_bytes) {
		return weft_parser_refuse(parser, 431,
			"The request headers are longer than %zu bytes (weft.http_max_header_bytes).",
			parser->limits->max_header_bytes);
	}
	return WEFT_PARSER_MORE;
}

/* Gives llhttp what has come up to `end`. It only ever gets whole lines, or whole values: so offsets stay right when
 * the caller's buffer moves between calls. */
static weft_parser_result feed_until(weft_parser *parser, const char *data, size_t end)
{
	weft_parser_result result = WEFT_PARSER_MORE;

	if (end > parser->fed) {
		parser->base = data;
		result = feed(parser, data + parser->fed, end - parser->fed);
		parser->fed = end;
	}
	return result;
}

/* What follows HTTP/1.1 in its major version is answered as that (RFC 9110, 2.5). llhttp does not know it. */
static weft_parser_result feed_request_line(weft_parser *parser, const char *data, size_t end)
{
	static const char known[] = "1";
	size_t minor = end - 2;

	if (data[minor] == '0' || data[minor] == '1') {
		return feed_until(parser, data, end + 1);
	}
	if (feed_until(parser, data, minor) == WEFT_PARSER_ERROR || feed(parser, known, 1) == WEFT_PARSER_ERROR) {
		return WEFT_PARSER_ERROR;
	}
	parser->fed = minor + 1;
	return feed_until(parser, data, end + 1);
}

/* Blanks around a value are not part of it (RFC 9110, 5.5). llhttp knows that of spaces, but not of a tab behind one
 * that it looks into. */
static weft_parser_result skip_blanks_behind(weft_parser *parser, const char *data, const char *line, size_t length)
{
	size_t until = length;

	while (until > 0 && is_blank(line[until - 1])) {
		until--;
	}
	if (until < length) {
		if (feed_until(parser, data, (size_t) (line - data) + until) == WEFT_PARSER_ERROR) {
			return WEFT_PARSER_ERROR;
		}
		parser->fed = (size_t) (line - data) + length;
	}
	return WEFT_PARSER_MORE;
}

/* A line whose end has come, `end` being its LF: its form, its place, and what llhttp gets of it. DONE: it ended the
 * head. */
static weft_parser_result take_line(weft_parser *parser, const char *data, size_t end)
{
	const char *line = data + parser->line;
	size_t length = end - parser->line;

	if (length == 0 || line[length - 1] != '\r') {
		return weft_parser_refuse(parser, 400, "A line ends in LF without CR.");
	}
	length--;
	parser->scanned = end + 1;
	if (parser->lines == 0 && length == 0) {
		if (++parser->blank > WEFT_PARSER_BLANK_LINES_MAX) {
			return weft_parser_refuse(parser, 400, "Too many empty lines before the request.");
		}
		parser->start = parser->line = parser->fed = end + 1;
		return WEFT_PARSER_MORE;
	}
	if (memchr(line, '\r', length)) {
		return weft_parser_refuse(parser, 400, "A line contains a CR that is not followed by LF.");
	}
	if (check_header_bytes(parser, end) == WEFT_PARSER_ERROR) {
		return WEFT_PARSER_ERROR;
	}
	parser->lines++;
	if (check_line(parser, line, length) == WEFT_PARSER_ERROR) {
		return WEFT_PARSER_ERROR;
	}
	parser->line = end + 1;
	if (parser->lines == 1) {
		return feed_request_line(parser, data, end);
	}
	if (length == 0) {
		return feed_until(parser, data, end + 1) == WEFT_PARSER_ERROR ? WEFT_PARSER_ERROR : WEFT_PARSER_DONE;
	}
	return is_blank(line[length - 1]) ? skip_blanks_behind(parser, data, line, length) : WEFT_PARSER_MORE;
}

weft_parser_result weft_parser_head(weft_parser *parser, const char *data, size_t length, size_t *consumed)
{
	weft_parser_result result;
	const char *lf;

	*consumed = 0;
	parser->base = data;
	while (parser->scanned < length && (lf = memchr(data + parser->scanned, '\n', length - parser->scanned)) != NULL) {
		result = take_line(parser, data, (size_t) (lf - data));
		if (result == WEFT_PARSER_DONE) {
			*consumed = parser->line;
			result = weft_parser_head_complete(parser);
			parser->base = NULL;
			return result;
		}
		if (result == WEFT_PARSER_ERROR) {
			return result;
		}
	}
	parser->scanned = length;
	if (check_unfinished(parser, data, length) == WEFT_PARSER_ERROR ||
		check_header_bytes(parser, length) == WEFT_PARSER_ERROR) {
		return WEFT_PARSER_ERROR;
	}
	return feed_until(parser, data, parser->line);
}

/* --- the body --- */

bool weft_parser_has_body(const weft_parser *parser)
{
	return parser->chunked || parser->content_length > 0;
}

weft_parser_result weft_parser_keep(weft_parser *parser, const char *data, size_t length)
{
	if (length > 0 && !parser->sink(parser->sink_arg, data, length)) {
		return parser->status ? WEFT_PARSER_ERROR
							  : weft_parser_refuse(parser, 500, "The server could not store the request body.");
	}
	parser->received += length;
	return WEFT_PARSER_MORE;
}

weft_parser_result weft_parser_body(weft_parser *parser, const char *data, size_t length, size_t *consumed)
{
	*consumed = 0;
	if (parser->chunked) {
		return weft_parser_chunks(parser, data, length, consumed);
	}
	uint64_t left = parser->content_length - parser->received;
	size_t take = left < length ? (size_t) left : length;
	if (weft_parser_keep(parser, data, take) == WEFT_PARSER_ERROR) {
		return WEFT_PARSER_ERROR;
	}
	*consumed = take;
	return parser->received == parser->content_length ? WEFT_PARSER_DONE : WEFT_PARSER_MORE;
}
