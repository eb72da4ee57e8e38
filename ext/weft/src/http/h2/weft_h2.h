/*
 * HTTP/2 (RFC 9113), with libnghttp2: a session is what a connection has instead of HTTP/1.1's exchange, and each of
 * its streams is an exchange of its own. Without the library there is none, and nobody asks for one.
 */
#ifndef WEFT_H2_H
#define WEFT_H2_H

#include "http/weft_http_internal.h"

#ifdef WEFT_HTTP2

#define WEFT_SPEAKS_HTTP2 true

/* The connection speaks HTTP/2 from its first byte on, and `length` bytes of it have come. False: it does not here
 * (weft.http2), and nothing has changed. */
bool weft_h2_begin(weft_http_connection *connection, const char *data, size_t length);
/* More bytes have come. May close the connection. */
void weft_h2_receive(weft_http_connection *connection, const char *data, size_t length);
/* All that was to be sent has left. May close the connection. */
void weft_h2_writable(weft_http_connection *connection);
/* Its turn has come: sends the next share, if it waits for that. May close the connection. */
void weft_h2_take_turn(weft_http_connection *connection);
/* The client sends no more, and streams are open: has it answered what it has asked for, and ends the connection
 * then. */
void weft_h2_half_closed(weft_http_connection *connection);
/* No new request is wanted: what clients have sent meanwhile is served. May close the connection. */
void weft_h2_drain(weft_http_connection *connection);
/* Says that it ends, if it has not said so. */
void weft_h2_say_goodbye(weft_http_connection *connection);
/* The connection is closed: its streams have no client any more. */
void weft_h2_close(weft_http_connection *connection);
/* Frees the session of a closed connection. Not while its code is on the stack. */
void weft_h2_free(weft_h2_session *session);
/* Of a server that ends. */
void weft_h2_server_free(weft_http_server *server);

#else

#define WEFT_SPEAKS_HTTP2 false

static inline bool weft_h2_begin(weft_http_connection *connection, const char *data, size_t length)
{
	return false;
}
#define weft_h2_receive(connection, data, length) ((void) 0)
#define weft_h2_writable(connection) ((void) 0)
#define weft_h2_take_turn(connection) ((void) 0)
#define weft_h2_half_closed(connection) ((void) 0)
#define weft_h2_drain(connection) ((void) 0)
#define weft_h2_say_goodbye(connection) ((void) 0)
#define weft_h2_close(connection) ((void) 0)
#define weft_h2_free(session) ((void) 0)
#define weft_h2_server_free(server) ((void) 0)

#endif /* WEFT_HTTP2 */

#endif /* WEFT_H2_H */
