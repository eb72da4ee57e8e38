/*
 * A request's head. It becomes the head that the same request would have in HTTP/1.1, and goes through the same parser:
 * so the same limits, checks and answers hold for both, and what reads it knows one form. nghttp2 has seen to what
 * RFC 9113, 8.2 and 8.3 ask of the fields: no byte in them can end a line here.
 *
 * An extended CONNECT (RFC 8441) becomes the GET with an Upgrade that asks for the same in HTTP/1.1. Nothing else can
 * become that: fields of the connection are none of HTTP/2's.
 */
#include "http/h2/weft_h2_internal.h"
#include "http/weft_coding.h"

/* What each field adds to the size of its name and value (RFC 9113, 6.5.2). */
#define FIELD_OVERHEAD 32
/* A header list so many times too large is nothing that an answer could explain. */
#define FAR_TOO_LARGE 8
/* The only protocol that a stream can be made to carry. */
#define WEBSOCKET "websocket"

static const struct {
	const char *name;
	size_t length;
} pseudo_names[WEFT_H2_PSEUDO] = {
	[WEFT_H2_METHOD] = {":method", 7},
	[WEFT_H2_SCHEME] = {":scheme", 7},
	[WEFT_H2_AUTHORITY] = {":authority", 10},
	[WEFT_H2_PATH] = {":path", 5},
	[WEFT_H2_PROTOCOL] = {":protocol", 9},
};

static bool vec_is(nghttp2_vec vec, const char *text, size_t length)
{
	return vec.len == length && memcmp(vec.base, text, length) == 0;
}

static nghttp2_vec vec_of(nghttp2_rcbuf *value)
{
	return value ? nghttp2_rcbuf_get_buf(value) : (nghttp2_vec){NULL, 0};
}

static void forget_pseudo(weft_h2_head *head)
{
	for (int i = 0; i < WEFT_H2_PSEUDO; i++) {
		if (head->pseudo[i]) {
			nghttp2_rcbuf_decref(head->pseudo[i]);
			head->pseudo[i] = NULL;
		}
	}
}

void weft_h2_head_free(weft_h2_session *session)
{
	weft_http_server *server = session->connection->server;
	weft_h2_head *head = &session->head;

	forget_pseudo(head);
	weft_input_free(server, &head->fields);
	weft_input_free(server, &head->cookies);
}

void weft_h2_head_begin(weft_h2_session *session)
{
	weft_h2_head_free(session);
	session->head.size = 0;
	session->head.count = 0;
	session->head.has_host = false;
}

static void take_pseudo(weft_h2_head *head, nghttp2_vec name, nghttp2_rcbuf *value)
{
	for (int i = 0; i < WEFT_H2_PSEUDO; i++) {
		if (vec_is(name, pseudo_names[i].name, pseudo_names[i].length)) {
			nghttp2_rcbuf_incref(value);
			head->pseudo[i] = value;
		}
	}
}

static void put(weft_http_server *server, weft_buffer *buffer, nghttp2_vec part)
{
	weft_input_append(server, buffer, (const char *) part.base, part.len);
}

static void take_field(weft_h2_session *session, nghttp2_vec name, nghttp2_vec value)
{
	weft_http_server *server = session->connection->server;
	weft_h2_head *head = &session->head;

	if (vec_is(name, ZEND_STRL("cookie"))) {
		weft_input_append(server, &head->cookies,
			weft_buffer_length(&head->cookies) ? "; " : "cookie: ", weft_buffer_length(&head->cookies) ? 2 : 8);
		put(server, &head->cookies, value);
		return;
	}
	head->has_host |= vec_is(name, ZEND_STRL("host"));
	head->count++;
	put(server, &head->fields, name);
	weft_input_append(server, &head->fields, ": ", 2);
	put(server, &head->fields, value);
	weft_input_append(server, &head->fields, "\r\n", 2);
}

static size_t allowed(const weft_h2_session *session)
{
	const weft_http_config *config = &session->connection->server->config;

	return config->max_header_bytes + config->max_request_line;
}

/* The fields that are too many are not kept: of one so large only its size matters. */
bool weft_h2_head_field(weft_h2_session *session, nghttp2_rcbuf *name, nghttp2_rcbuf *value)
{
	weft_h2_head *head = &session->head;
	nghttp2_vec name_vec = nghttp2_rcbuf_get_buf(name), value_vec = nghttp2_rcbuf_get_buf(value);

	head->size += name_vec.len + value_vec.len + FIELD_OVERHEAD;
	if (head->size > allowed(session) * FAR_TOO_LARGE) {
		return false;
	}
	if (name_vec.len > 0 && name_vec.base[0] == ':') {
		take_pseudo(head, name_vec, value);
	} else if (head->size <= allowed(session) && head->count <= session->connection->server->config.max_header_count) {
		take_field(session, name_vec, value_vec);
	}
	return true;
}

static void put_pseudo(weft_http_server *server, weft_buffer *to, nghttp2_rcbuf *value)
{
	if (value) {
		put(server, to, nghttp2_rcbuf_get_buf(value));
	}
}

/* nghttp2 has seen to it that :scheme, :path and :authority are there, and lets no other method have a :protocol. */
static bool is_extended_connect(const weft_h2_head *head)
{
	return head->pseudo[WEFT_H2_PROTOCOL] != NULL;
}

static bool protocol_is_known(nghttp2_rcbuf *protocol)
{
	nghttp2_vec vec = vec_of(protocol);

	return vec.len == strlen(WEBSOCKET) && strncasecmp((const char *) vec.base, WEBSOCKET, vec.len) == 0;
}

static void compose_method(weft_h2_session *session, weft_buffer *to)
{
	weft_http_server *server = session->connection->server;

	if (is_extended_connect(&session->head)) {
		weft_input_append(server, to, ZEND_STRL("GET"));
	} else {
		put_pseudo(server, to, session->head.pseudo[WEFT_H2_METHOD]);
	}
}

/* The same request in HTTP/1.1. A target of neither form ("*" aside) is refused by the parser. */
static void compose(weft_h2_session *session, weft_buffer *to)
{
	weft_http_server *server = session->connection->server;
	weft_h2_head *head = &session->head;

	compose_method(session, to);
	weft_input_append(server, to, " ", 1);
	put_pseudo(server, to, head->pseudo[WEFT_H2_PATH]);
	weft_input_append(server, to, ZEND_STRL(" HTTP/1.1\r\n"));
	if (head->pseudo[WEFT_H2_AUTHORITY] && !head->has_host) {
		weft_input_append(server, to, ZEND_STRL("host: "));
		put_pseudo(server, to, head->pseudo[WEFT_H2_AUTHORITY]);
		weft_input_append(server, to, "\r\n", 2);
	}
	if (is_extended_connect(head)) {
		weft_input_append(server, to, ZEND_STRL("upgrade: " WEBSOCKET "\r\nconnection: upgrade\r\n"));
	}
	weft_input_append(server, to, weft_buffer_data(&head->fields), weft_buffer_length(&head->fields));
	if (weft_buffer_length(&head->cookies) > 0) {
		weft_input_append(server, to, weft_buffer_data(&head->cookies), weft_buffer_length(&head->cookies));
		weft_input_append(server, to, "\r\n", 2);
	}
	weft_input_append(server, to, "\r\n", 2);
}

/* Both name the host: they must name the same one (RFC 9113, 8.3.1). */
static bool hosts_differ(const weft_http_request *request, nghttp2_rcbuf *authority)
{
	const weft_parser *parser = &request->parser;
	const char *host = weft_request_header(request, WEFT_HEADER_HOST);
	nghttp2_vec vec;

	if (!authority || !host) {
		return false;
	}
	vec = nghttp2_rcbuf_get_buf(authority);
	return vec.len != parser->headers[parser->known[WEFT_HEADER_HOST]].value_length ||
		strncasecmp(host, (const char *) vec.base, vec.len) != 0;
}

static bool scheme_is_known(nghttp2_rcbuf *scheme)
{
	nghttp2_vec vec = vec_of(scheme);

	return vec_is(vec, ZEND_STRL("http")) || vec_is(vec, ZEND_STRL("https"));
}

/* Whether what it asks for, and how, is right; else it is refused. */
static bool check_extended_connect(weft_h2_stream *stream)
{
	weft_http_exchange *exchange = &stream->exchange;
	const weft_h2_head *head = &stream->session->head;

	if (!protocol_is_known(head->pseudo[WEFT_H2_PROTOCOL])) {
		exchange->framing->error(exchange, 501, "The only :protocol that a CONNECT can ask for here is \"websocket\".");
	} else if (exchange->request->parser.known[WEFT_HEADER_CONTENT_LENGTH] >= 0) {
		exchange->framing->error(exchange, 400, "A CONNECT has no body, and no Content-Length.");
	} else {
		stream->tunnel = true;
	}
	return stream->tunnel;
}

static void parse(weft_h2_stream *stream, const weft_buffer *composed)
{
	weft_http_exchange *exchange = &stream->exchange;
	weft_http_request *request = exchange->request = weft_request_new(exchange);
	weft_parser *parser = &request->parser;
	const weft_h2_head *head = &stream->session->head;
	size_t used;

	if (weft_parser_head(parser, weft_buffer_data(composed), weft_buffer_length(composed), &used) != WEFT_PARSER_DONE) {
		weft_h2_stream_refuse(stream);
		return;
	}
	parser->major = 2;
	parser->minor = 0;
	parser->keep_alive = true;
	weft_request_take_head(request, weft_buffer_data(composed), used);
	if (hosts_differ(request, head->pseudo[WEFT_H2_AUTHORITY])) {
		exchange->framing->error(exchange, 400, ":authority and the Host header name different hosts.");
	} else if (!scheme_is_known(head->pseudo[WEFT_H2_SCHEME])) {
		exchange->framing->error(exchange, 400, "The scheme is neither http nor https.");
	} else if (is_extended_connect(head) && !check_extended_connect(stream)) {
		return;
	} else if (!weft_address_limit_request(request)) {
		exchange->framing->error(exchange, 429, WEFT_ADDRESS_RATE_EXCEEDED);
	}
}

static void await_body(weft_h2_stream *stream)
{
	weft_http_exchange *exchange = &stream->exchange;
	weft_parser *parser = &exchange->request->parser;

	if (!weft_decompress_begin(exchange->request)) {
		weft_h2_stream_refuse(stream);
		return;
	}
	exchange->state = WEFT_CONNECTION_BODY;
	parser->chunked = parser->content_length == 0; /* its length is not known */
	weft_exchange_await_body(exchange);
	if (parser->expect_continue) {
		weft_h2_send_continue(stream);
	}
}

void weft_h2_head_complete(weft_h2_stream *stream, bool ended)
{
	weft_h2_session *session = stream->session;
	weft_http_exchange *exchange = &stream->exchange;
	weft_buffer composed = {0};

	stream->request_ended = ended;
	if (session->head.size > allowed(session)) {
		char message[128];

		snprintf(message, sizeof(message),
			"The request headers are longer than %zu bytes (weft.http_max_header_bytes).",
			exchange->server->config.max_header_bytes);
		exchange->framing->error(exchange, 431, message);
	} else {
		compose(session, &composed);
		parse(stream, &composed);
		weft_input_free(exchange->server, &composed);
	}
	weft_h2_head_free(session);
	if (!exchange->request) {
		return; /* refused */
	}
	if (stream->tunnel) {
		weft_h2_stream_complete(stream);
	} else if (ended) {
		weft_h2_stream_end(stream);
	} else {
		await_body(stream);
	}
}
