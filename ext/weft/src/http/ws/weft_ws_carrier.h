/*
 * What is below a socket: a connection of HTTP/1.1, or a stream of HTTP/2. A protocol that can carry sockets has such
 * a table, which its framing names (weft_http_framing).
 *
 * What comes in, it gives to weft_ws_receive() as long as weft_ws_wants() says so, and weft_ws_half_closed() at its
 * end. What goes out, it takes: weft_ws_unsent() shows pieces, weft_ws_have_left() says how much of those have gone.
 * It tells with weft_ws_writable() that it may take more, with weft_ws_look() that the exchange's deadline has passed,
 * and with weft_ws_gone() that its client is gone; from then on the socket calls it no more.
 */
#ifndef WEFT_WS_CARRIER_H
#define WEFT_WS_CARRIER_H

#include "http/ws/weft_ws.h"

struct weft_ws_carrier {
	/* RFC 8441: a request has no Sec-WebSocket-Key, and an answer no proof that it was understood */
	bool without_key;
	/* Sends the head of the answer, whose lines are in the response: from now on the exchange is a socket's. Detaches
	 * the request. */
	void (*begin)(weft_http_request *request);
	/* Something waits to be sent that did not before, or may be sent now. Ends no socket, whatever it finds: it is told
	 * by the next event of the reactor. */
	void (*flush)(weft_http_exchange *exchange);
	/* The socket wants bytes again. May end it. */
	void (*resume)(weft_http_exchange *exchange);
	/* All has been sent, and nothing more will be: ends the stream. The exchange has no socket any more. */
	void (*end)(weft_http_exchange *exchange);
	/* The client does not do its part: gives it up, and calls weft_ws_gone(). */
	void (*drop)(weft_http_exchange *exchange);
};

/* The first of what waits to be sent, at most `count` parts. Returns how many. */
int weft_ws_unsent(const weft_ws *socket, struct iovec *parts, int count);
/* So many bytes of those were taken. */
void weft_ws_have_left(weft_ws *socket, size_t length);

/* For begin(): the head was sent, if its client was there. */
void weft_ws_begun(weft_http_request *request);

extern const weft_ws_carrier weft_ws_http1;

#endif /* WEFT_WS_CARRIER_H */
