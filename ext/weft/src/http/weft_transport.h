/*
 * What carries a client's bytes: TCP (or a Unix socket) as it is, or TLS over it. The calls are like those of the
 * kernel, and nobody else makes those on a client's socket.
 */
#ifndef WEFT_TRANSPORT_H
#define WEFT_TRANSPORT_H

#include "http/weft_http_internal.h"
#include "tls/weft_tls.h"

#include <sys/uio.h>

/* Of a file, for one call: sendfile() takes a size_t and nobody needs more. */
#define WEFT_TRANSPORT_FILE_PIECE (1024 * 1024)

/* All three return what the kernel's call of that name returns; -1 with EAGAIN: the socket must be waited for. What the
 * socket has taken is counted in the sent of its exchange. None closes the connection. */

/* The protocols that a TLS client may choose from, by ALPN: the best first. */
weft_tls_acceptor *weft_transport_acceptor(const weft_http_config *config);
/* The handshake is done: whether that is HTTP/2. */
bool weft_transport_chose_http2(const weft_http_connection *connection);
/* The socket is a client's of TLS: it has to shake hands. False: no memory. */
bool weft_transport_begin_tls(weft_http_connection *connection);
/* Goes on with that. */
weft_tls_result weft_transport_handshake(weft_http_connection *connection);
/* The client speaks without TLS, and will be told so. */
void weft_transport_drop_tls(weft_http_connection *connection);

/* As recv(). Less than there is room for: nothing more has come, and what does makes a new edge. 0: the client's stream
 * has ended. */
ssize_t weft_transport_receive(weft_http_connection *connection, char *to, size_t room);
/* As sendmsg(), and may take less. After EAGAIN the same bytes must come first at the next call, from wherever they are
 * kept meanwhile, with as many or more behind them. */
ssize_t weft_transport_send(weft_http_connection *connection, const struct iovec *parts, int count);
/* As sendfile(), of at most WEFT_TRANSPORT_FILE_PIECE. 0: the file is shorter than that. The same rule after EAGAIN. */
ssize_t weft_transport_send_file(weft_http_connection *connection, int file, uint64_t offset, uint64_t length);
/* All is sent: the client is told that nothing more comes. Over TLS it is told that nothing is missing, unless the
 * answer was cut. */
void weft_transport_end(weft_http_connection *connection);
/* Closes the socket. `whole`: nothing that the client should have got is missing. */
void weft_transport_close(weft_http_connection *connection, bool whole);

/* --- weft_handshake.c --- */
/* How long it may take, from a connection's opening on. */
void weft_handshake_await(weft_http_connection *connection);
/* As far as the bytes that are there allow. May close the connection. */
void weft_handshake_go_on(weft_http_connection *connection);
/* Whether a client begins one on a port without TLS. */
bool weft_handshake_misplaced(const weft_http_connection *connection, const char *data);
/* Tells the log, and nobody else: there is no answer that such a client would understand. */
void weft_handshake_refuse(weft_http_connection *connection);

#endif /* WEFT_TRANSPORT_H */
