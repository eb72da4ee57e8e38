/*
 * The opening handshake (RFC 6455, 4.2): whether a request is one for a WebSocket, from whom, and what for.
 */
#include "http/ws/weft_ws_internal.h"

#include <fnmatch.h>
#include "ext/standard/base64.h"
#include "ext/standard/sha1.h"
#include "zend_exceptions.h"

#define KEY_BYTES 16
/* RFC 6455, 1.3. */
#define PROOF "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

/* --- what it says --- */

static const char *header(const weft_http_request *request, const char *name)
{
	int64_t index = weft_request_find_header(request, name, 0);

	return index < 0 ? NULL : request->head + request->parser.headers[index].value;
}

/* The next of a list: its length, 0 at the end. */
static size_t next_token(const char **at)
{
	size_t length;

	*at += strspn(*at, " \t,");
	length = strcspn(*at, ",");
	while (length > 0 && ((*at)[length - 1] == ' ' || (*at)[length - 1] == '\t')) {
		length--;
	}
	return length;
}

/* Whether one of the header's lists has it: of protocols case counts, of options it does not. */
static bool has_token(const weft_http_request *request, const char *name, const char *token, bool exactly)
{
	size_t wanted = strlen(token), length;

	for (int64_t i = -1; (i = weft_request_find_header(request, name, (uint32_t) (i + 1))) >= 0;) {
		for (const char *at = request->head + request->parser.headers[i].value; (length = next_token(&at)) > 0;
			 at += length) {
			if (length == wanted && (exactly ? memcmp(at, token, length) == 0 : strncasecmp(at, token, length) == 0)) {
				return true;
			}
		}
	}
	return false;
}

static bool is_upgrade(const weft_http_request *request)
{
	bool is_old = request->parser.major == 1 && request->parser.minor == 0;

	return request->parser.llhttp.method == HTTP_GET && !is_old && has_token(request, "upgrade", "websocket", false) &&
		has_token(request, "connection", "upgrade", false);
}

static bool is_key(const char *key)
{
	zend_string *bytes = key ? php_base64_decode_ex((const unsigned char *) key, strlen(key), true) : NULL;
	bool fits = bytes && ZSTR_LEN(bytes) == KEY_BYTES;

	if (bytes) {
		zend_string_release(bytes);
	}
	return fits;
}

void weft_ws_accept_of(const char *key, char to[WEFT_WS_ACCEPT_LENGTH + 1])
{
	PHP_SHA1_CTX context;
	unsigned char digest[20];
	zend_string *text;

	PHP_SHA1Init(&context);
	PHP_SHA1Update(&context, (const unsigned char *) key, strlen(key));
	PHP_SHA1Update(&context, (const unsigned char *) PROOF, sizeof(PROOF) - 1);
	PHP_SHA1Final(digest, &context);
	text = php_base64_encode(digest, sizeof(digest));
	memcpy(to, ZSTR_VAL(text), WEFT_WS_ACCEPT_LENGTH + 1);
	zend_string_release(text);
}

/* --- who is refused --- */

static bool refuse(weft_http_request *request, int status, const char *lines, zend_class_entry *ce, const char *why)
{
	char text[256];

	snprintf(text, sizeof(text), "%s\n", why);
	weft_response_replace(request, status, text);
	weft_buffer_append(&request->response.head, lines, strlen(lines));
	weft_response_end(request, false);
	zend_throw_exception_ex(ce, 0, "%s %d was answered", why, status);
	return false;
}

/* It would end at once, or its request would hold what others need. */
static bool check_room(weft_http_request *request)
{
	static const char lines[] = "Retry-After: " WEFT_HTTP_RETRY_AFTER "\r\n";
	const weft_http_server *server = request->server;

	if (server->draining) {
		return refuse(request, 503, lines, weft_ws_ce_refused, "The server is about to restart.");
	}
	if (server->ws_waiting >= server->config.ws_waiting) {
		return refuse(request, 503, lines, weft_ws_ce_refused,
			"Too many requests wait for messages of their WebSockets now (weft.ws_waiting).");
	}
	return true;
}

static bool check_version(weft_http_request *request)
{
	static const char lines[] = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n";
	const char *version = header(request, "sec-websocket-version");

	if (!(request->exchange->framing->websocket && is_upgrade(request))) {
		return refuse(request, 426, lines, weft_ws_ce_upgrade_required,
			"Only WebSockets are served here: the request is no GET of HTTP/1.1 with Upgrade: websocket.");
	}
	if (!version || strcmp(version, "13") != 0) {
		return refuse(request, 426, lines, weft_ws_ce_upgrade_required,
			"The WebSocket protocol is served in version 13 only (Sec-WebSocket-Version).");
	}
	if (!request->exchange->framing->websocket->without_key && !is_key(header(request, "sec-websocket-key"))) {
		return refuse(request, 400, "", weft_ws_ce_refused, "Sec-WebSocket-Key must be 16 bytes in base64.");
	}
	return true;
}

/* "https://host:port" or "null": the host, and the port when it is told. */
static void host_of_origin(const char *origin, char *to, size_t room)
{
	const char *host = strstr(origin, "://");

	snprintf(to, room, "%.*s", (int) strcspn(host ? host + 3 : origin, "/"), host ? host + 3 : origin);
}

/* Without a port: of "[::1]:8000" and "host:8000". */
static void drop_port(char *host)
{
	char *end = strrchr(host, ']'), *colon = strrchr(end ? end : host, ':');

	if (colon) {
		*colon = '\0';
	}
}

static bool fits(const char *pattern, const char *host)
{
	return fnmatch(pattern, host, FNM_CASEFOLD) == 0;
}

/* A pattern with a port is for that one, others are for any. */
static bool is_allowed(const weft_http_request *request, HashTable *origins, const char *origin)
{
	char host[256], own[256], bare[256];
	zval *pattern;

	host_of_origin(origin, host, sizeof(host));
	snprintf(bare, sizeof(bare), "%s", host);
	drop_port(bare);
	if (!origins) {
		snprintf(own, sizeof(own), "%s", request->host ? request->host : "");
		drop_port(own);
		return *own && strcasecmp(own, bare) == 0;
	}
	ZEND_HASH_FOREACH_VAL(origins, pattern) {
		if (fits(Z_STRVAL_P(pattern), bare) || fits(Z_STRVAL_P(pattern), host)) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static bool check_origin(weft_http_request *request, HashTable *origins)
{
	const char *origin = header(request, "origin");

	if (!origin || is_allowed(request, origins, origin)) {
		return true;
	}
	return refuse(request, 403, "", weft_ws_ce_refused,
		origins
			? "Pages of this origin may not open WebSockets here: it is none of those that accept() names."
			: "Pages of this origin may not open WebSockets here: it is not this host, and accept() names no other.");
}

/* The first of ours that the client asks for. */
static bool choose_protocol(weft_http_request *request, HashTable *protocols, const char **protocol)
{
	zval *one;

	*protocol = NULL;
	if (!protocols || zend_hash_num_elements(protocols) == 0) {
		return true;
	}
	ZEND_HASH_FOREACH_VAL(protocols, one) {
		if (has_token(request, "sec-websocket-protocol", Z_STRVAL_P(one), true)) {
			*protocol = Z_STRVAL_P(one);
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return refuse(request, 400, "", weft_ws_ce_refused,
		"The client asks for no subprotocol that is spoken here (Sec-WebSocket-Protocol).");
}

bool weft_ws_agree(weft_http_request *request, HashTable *protocols, HashTable *origins, const char **protocol)
{
	return check_version(request) && check_origin(request, origins) && choose_protocol(request, protocols, protocol) &&
		check_room(request);
}
