/*
 * How a protocol puts an exchange on the wire: one table of functions for each. What stands behind it (admission,
 * limits, the application's answer, temporary files) knows of no protocol.
 */
#ifndef WEFT_FRAMING_H
#define WEFT_FRAMING_H

#include "http/weft_buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_http_connection;
struct weft_http_exchange;
struct weft_http_request;
typedef struct weft_ws_carrier weft_ws_carrier;

typedef struct {
	/* Sends the head if it was not sent yet, then what the response holds, then `data`. `whole`: that is all, but for a
	 * file. */
	void (*send)(struct weft_http_request *request, const char *data, size_t length, bool whole);
	/* The response's file, which becomes the exchange's. */
	void (*send_file)(struct weft_http_request *request);
	/* Sends a few bytes that come next whatever the application does, where there are any: what every answer begins
	 * with, if nothing of it has left, or what every chunk may begin with. Once for a connection. */
	void (*begin_early)(struct weft_http_request *request);
	/* An answer that comes before the one that ends the exchange (RFC 9110, 15.2), with these header lines. Nothing
	 * where the protocol has none, or the other has begun. */
	void (*interim)(struct weft_http_request *request, int status, const weft_buffer *lines);
	/* A response of the server's own, without any PHP. */
	void (*error)(struct weft_http_exchange *exchange, int status, const char *message);
	/* The response is framed to the end: detaches the request. */
	void (*done)(struct weft_http_exchange *exchange, bool keep_alive);
	/* It can't be: what there is of it is sent, so that the client sees that its end is missing. */
	void (*cut)(struct weft_http_exchange *exchange);
	/* How many bytes the client has taken, as far as is known. */
	uint64_t (*taken)(const struct weft_http_exchange *exchange);
	/* Nothing more is expected of the client. */
	void (*give_up)(struct weft_http_exchange *exchange);
	/* How many bytes of an answer may wait in memory before the application does. */
	size_t (*may_wait)(const struct weft_http_exchange *exchange);
	/* The turn of its complete request has come. True: not yet, since its client lets other answers wait; it asks again
	 * by itself. NULL: never */
	bool (*hold)(struct weft_http_exchange *exchange);
	/* NULL: it carries no WebSockets. */
	const weft_ws_carrier *websocket;
} weft_http_framing;

/* RFC 9112. */
extern const weft_http_framing weft_framing_http1;
/* An answer of the server's own over HTTP/1.1, without any PHP: plain text, behind which the connection ends. `lines`:
 * of its head, besides. */
void weft_framing_answer(struct weft_http_connection *connection, int status, const char *lines, const char *body,
	size_t length);

/* Whether what the application prints is sent at all: not to a HEAD, nor with 204, 205 and 304. */
bool weft_framing_sends_body(const struct weft_http_request *request);
/* The line that tells browsers to come by HTTPS only, which every answer has (RFC 6797, 7.1); NULL: none. */
const char *weft_framing_hsts(const struct weft_http_connection *connection);
/* Whether the head says which server it is, and has that line: the application may have said so itself. */
bool weft_framing_tells_server(const struct weft_http_request *request);
bool weft_framing_tells_hsts(const struct weft_http_request *request);
/* Of so many bytes of a body, those that fit what was declared. */
size_t weft_framing_allows(const struct weft_http_request *request, size_t length);
/* Whether a head tells the body's length: that is response->length then. `whole`: it is known. */
bool weft_framing_settle_length(struct weft_http_request *request, bool whole);

/* Seconds, of a 503: who is told not to come now shall not come again at once, nor long after the load has gone. */
#define WEFT_HTTP_RETRY_AFTER "2"

#endif /* WEFT_FRAMING_H */
