/*
 * What a request's complete head says, and whether it may.
 */
#include "weft_parser_internal.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	uint32_t length;
} known_names[WEFT_HEADER_KNOWN] = {
	[WEFT_HEADER_HOST] = {"host", 4},
	[WEFT_HEADER_CONTENT_TYPE] = {"content-type", 12},
	[WEFT_HEADER_CONTENT_LENGTH] = {"content-length", 14},
	[WEFT_HEADER_COOKIE] = {"cookie", 6},
	[WEFT_HEADER_AUTHORIZATION] = {"authorization", 13},
	[WEFT_HEADER_EXPECT] = {"expect", 6},
	[WEFT_HEADER_TRANSFER_ENCODING] = {"transfer-encoding", 17},
};

/* Also cuts the blanks that llhttp leaves at the end of values. */
static void find_known_headers(weft_parser *parser)
{
	for (uint32_t i = 0; i < parser->header_count; i++) {
		weft_parser_header *header = &parser->headers[i];
		while (header->value_length > 0 && is_blank(parser->base[header->value + header->value_length - 1])) {
			header->value_length--;
		}
		for (int k = 0; k < WEFT_HEADER_KNOWN; k++) {
			if (header->name_length == known_names[k].length &&
				strncasecmp(parser->base + header->name, known_names[k].name, header->name_length) == 0) {
				if (parser->known[k] < 0) {
					parser->known[k] = (int32_t) i;
				}
				if (parser->known_count[k] < 255) {
					parser->known_count[k]++;
				}
				break;
			}
		}
	}
}

static bool value_is(const weft_parser *parser, weft_parser_known known, const char *text)
{
	const weft_parser_header *header = &parser->headers[parser->known[known]];

	return header->value_length == strlen(text) &&
		strncasecmp(parser->base + header->value, text, header->value_length) == 0;
}

/* --- uri-host [":" port] of RFC 3986, 3.2: the application builds links out of it --- */

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Those of "unreserved" and "sub-delims", without the quote, comma and semicolon that would end a header's value or an
 * attribute. */
static const bool name_chars[256] = {
	['a' ... 'z'] = true,
	['A' ... 'Z'] = true,
	['0' ... '9'] = true,
	['-'] = true,
	['.'] = true,
	['_'] = true,
	['~'] = true,
	['!'] = true,
	['$'] = true,
	['&'] = true,
	['('] = true,
	[')'] = true,
	['*'] = true,
	['+'] = true,
	['='] = true,
};

static bool is_name_char(char c)
{
	return name_chars[(unsigned char) c];
}

/* "reg-name", or an IPv4 address, which is one, too. */
static bool is_name(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '%') {
			if (length - i < 3 || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) {
				return false;
			}
			i += 2;
		} else if (!is_name_char(text[i])) {
			return false;
		}
	}
	return length > 0;
}

/* "v1.anything", for addresses to come. */
static bool is_future_address(const char *text, size_t length)
{
	size_t i = 1;

	if (length == 0 || (text[0] != 'v' && text[0] != 'V')) {
		return false;
	}
	while (i < length && is_hex(text[i])) {
		i++;
	}
	if (i == 1 || i + 1 >= length || text[i] != '.') {
		return false;
	}
	for (i++; i < length; i++) {
		if (!is_name_char(text[i]) && text[i] != ':') {
			return false;
		}
	}
	return true;
}

/* What stands in brackets. */
static bool is_address(const char *text, size_t length)
{
	char address[INET6_ADDRSTRLEN];
	struct in6_addr ignored;

	if (is_future_address(text, length)) {
		return true;
	}
	if (length == 0 || length >= sizeof(address)) {
		return false;
	}
	memcpy(address, text, length);
	address[length] = '\0';
	return inet_pton(AF_INET6, address, &ignored) == 1;
}

static bool is_port(const char *text, size_t length)
{
	uint32_t port = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' || (port = port * 10 + (uint32_t) (text[i] - '0')) > 65535) {
			return false;
		}
	}
	return true;
}

static bool is_host(const char *text, size_t length)
{
	const char *end = text + length, *host_end;

	if (length > 0 && text[0] == '[') {
		host_end = memchr(text, ']', length);
		if (!host_end || !is_address(text + 1, (size_t) (host_end - text) - 1)) {
			return false;
		}
		host_end++;
	} else {
		host_end = memchr(text, ':', length);
		host_end = host_end ? host_end : end;
		if (!is_name(text, (size_t) (host_end - text))) {
			return false;
		}
	}
	return host_end == end || (*host_end == ':' && is_port(host_end + 1, (size_t) (end - host_end) - 1));
}

/* Origin form, absolute form, or `*` for OPTIONS; nothing else has a meaning here. */
static weft_parser_result check_target(weft_parser *parser)
{
	const char *target = parser->base + parser->target;

	if (parser->target_length == 0) {
		return weft_parser_refuse(parser, 400, "The request has no target.");
	}
	if (memchr(target, '#', parser->target_length)) {
		return weft_parser_refuse(parser, 400, "The request target has a fragment (\"#\"), which is the client's own.");
	}
	if (target[0] == '/') {
		return WEFT_PARSER_MORE;
	}
	if (parser->target_length == 1 && target[0] == '*') {
		return parser->llhttp.method == HTTP_OPTIONS
			? WEFT_PARSER_MORE
			: weft_parser_refuse(parser, 400, "The target \"*\" is only for OPTIONS.");
	}
	size_t scheme = 0;
	if (parser->target_length > 7 && strncasecmp(target, "http://", 7) == 0) {
		scheme = 7;
	} else if (parser->target_length > 8 && strncasecmp(target, "https://", 8) == 0) {
		scheme = 8;
	}
	if (scheme) {
		size_t host = strcspn(target + scheme, "/? ");
		if (is_host(target + scheme, host)) {
			return WEFT_PARSER_MORE;
		}
	}
	return weft_parser_refuse(parser, 400, "The request target is neither a path nor an http URL.");
}

static weft_parser_result check_host(weft_parser *parser)
{
	uint8_t count = parser->known_count[WEFT_HEADER_HOST];

	if (count > 1) {
		return weft_parser_refuse(parser, 400, "The request has more than one Host header.");
	}
	if (count == 0) {
		return parser->minor >= 1 ? weft_parser_refuse(parser, 400, "An HTTP/1.1 request needs a Host header.")
								  : WEFT_PARSER_MORE;
	}
	const weft_parser_header *header = &parser->headers[parser->known[WEFT_HEADER_HOST]];
	/* who has none to name sends an empty one (RFC 9112, 3.2) */
	if (header->value_length > 0 && !is_host(parser->base + header->value, header->value_length)) {
		return weft_parser_refuse(parser, 400, "The Host header is not a host.");
	}
	return WEFT_PARSER_MORE;
}

static weft_parser_result check_framing(weft_parser *parser)
{
	bool length = parser->known[WEFT_HEADER_CONTENT_LENGTH] >= 0;

	if (parser->known[WEFT_HEADER_TRANSFER_ENCODING] >= 0) {
		if (length) {
			return weft_parser_refuse(parser, 400, "The request has both Content-Length and Transfer-Encoding.");
		}
		if (parser->minor == 0) {
			return weft_parser_refuse(parser, 400, "Transfer-Encoding does not exist in HTTP/1.0.");
		}
		if (parser->known_count[WEFT_HEADER_TRANSFER_ENCODING] > 1 ||
			!value_is(parser, WEFT_HEADER_TRANSFER_ENCODING, "chunked")) {
			return weft_parser_refuse(parser, 501, "The only Transfer-Encoding known here is \"chunked\".");
		}
		parser->chunked = true;
	} else if (length) {
		const weft_parser_header *header = &parser->headers[parser->known[WEFT_HEADER_CONTENT_LENGTH]];
		const char *value = parser->base + header->value;
		uint64_t declared = 0;

		if (parser->known_count[WEFT_HEADER_CONTENT_LENGTH] > 1) {
			return weft_parser_refuse(parser, 400, "The request has more than one Content-Length.");
		}
		for (uint32_t i = 0; i < header->value_length; i++) {
			/* far beyond any file system, and room to multiply by ten */
			if (value[i] < '0' || value[i] > '9' || declared > UINT64_C(100000000000000000)) {
				return weft_parser_refuse(parser, 400, "Content-Length is not a number.");
			}
			declared = declared * 10 + (uint64_t) (value[i] - '0');
		}
		if (header->value_length == 0) {
			return weft_parser_refuse(parser, 400, "Content-Length is empty.");
		}
		parser->content_length = declared;
		if (parser->limits->max_body && declared > parser->limits->max_body) {
			return weft_parser_refuse(parser, 413,
				"The request body has %llu bytes; the limit is %llu (post_max_size).", (unsigned long long) declared,
				(unsigned long long) parser->limits->max_body);
		}
	}
	return WEFT_PARSER_MORE;
}

static weft_parser_result check_expect(weft_parser *parser)
{
	if (parser->known[WEFT_HEADER_EXPECT] >= 0 && parser->minor >= 1) {
		if (!value_is(parser, WEFT_HEADER_EXPECT, "100-continue")) {
			return weft_parser_refuse(parser, 417, "The only expectation known here is \"100-continue\".");
		}
		parser->expect_continue = true;
	}
	return WEFT_PARSER_MORE;
}

weft_parser_result weft_parser_head_complete(weft_parser *parser)
{
	static weft_parser_result (*const checks[])(weft_parser *) = {
		check_target,
		check_host,
		check_framing,
		check_expect,
	};

	if (parser->llhttp.method == HTTP_CONNECT) {
		return weft_parser_refuse(parser, 501, "This server is no proxy: CONNECT is not served.");
	}
	if (parser->llhttp.method == HTTP_SOURCE) {
		return weft_parser_refuse(parser, 501, "This server does not know that method.");
	}
	find_known_headers(parser);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		if (checks[i](parser) == WEFT_PARSER_ERROR) {
			return WEFT_PARSER_ERROR;
		}
	}
	parser->keep_alive = !parser->connection_close && (parser->minor >= 1 || parser->connection_keep_alive);
	return WEFT_PARSER_DONE;
}
