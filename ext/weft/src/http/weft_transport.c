/*
 * The system calls on clients' sockets, and what TLS makes of them.
 */
#include "http/weft_transport.h"
#include "http/h2/weft_h2.h"
#include "reactor/weft_log.h"

#include <errno.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

/* An answer of so many bytes is sent from one place. */
#define TOGETHER 1024
#define COMPLAIN_EVERY WEFT_NS_PER_SEC

static ssize_t count_sent(weft_http_connection *connection, ssize_t sent)
{
	if (sent > 0) {
		connection->exchange.sent += (uint64_t) sent;
	}
	return sent;
}

ssize_t weft_transport_receive(weft_http_connection *connection, char *to, size_t room)
{
	ssize_t got;

	if (connection->tls) {
		got = weft_tls_receive(connection->tls, to, room);
		/* found behind the last bytes, perhaps: no edge will tell */
		connection->half_closed |= weft_tls_ended(connection->tls);
		return got;
	}
	do {
		got = recv(connection->watch.fd, to, room, 0);
	} while (got < 0 && errno == EINTR);
	return got;
}

/* Few bytes are put together here: the kernel takes longer to find out where the parts of a message are. */
static ssize_t send_parts(int fd, const struct iovec *parts, int count, int flags)
{
	struct msghdr message = {.msg_iov = (struct iovec *) parts, .msg_iovlen = (size_t) count};
	char together[TOGETHER];
	size_t length = 0;

	if (count == 1) {
		return send(fd, parts->iov_base, parts->iov_len, flags);
	}
	for (int i = 0; i < count; i++) {
		if (parts[i].iov_len > sizeof(together) - length) {
			return sendmsg(fd, &message, flags);
		}
		memcpy(together + length, parts[i].iov_base, parts[i].iov_len);
		length += parts[i].iov_len;
	}
	return send(fd, together, length, flags);
}

ssize_t weft_transport_send(weft_http_connection *connection, const struct iovec *parts, int count)
{
	int flags = MSG_NOSIGNAL | (connection->file_follows ? MSG_MORE : 0);
	ssize_t sent;

	if (connection->tls) {
		return weft_tls_send(connection->tls, parts, count, connection->file_follows);
	}
	do {
		sent = send_parts(connection->watch.fd, parts, count, flags);
	} while (sent < 0 && errno == EINTR);
	return count_sent(connection, sent);
}

ssize_t weft_transport_send_file(weft_http_connection *connection, int file, uint64_t offset, uint64_t length)
{
	off_t from = (off_t) offset;
	ssize_t sent;

	if (connection->tls) {
		return weft_tls_send_file(connection->tls, file, offset, length);
	}
	do {
		sent = sendfile(connection->watch.fd, file, &from, (size_t) MIN(length, WEFT_TRANSPORT_FILE_PIECE));
	} while (sent < 0 && errno == EINTR);
	return count_sent(connection, sent);
}

/* A forked child has the parent's keys and counters: what it sent would be taken for the parent's, and end that. */
static bool may_end_tls(const weft_http_connection *connection)
{
	return connection->tls && !weft_http_forked;
}

void weft_transport_end(weft_http_connection *connection)
{
	if (may_end_tls(connection) && !connection->cut) {
		weft_tls_end(connection->tls);
	}
	shutdown(connection->watch.fd, SHUT_WR);
}

void weft_transport_close(weft_http_connection *connection, bool whole)
{
	if (may_end_tls(connection) && whole && !connection->cut) {
		weft_tls_end(connection->tls);
	}
	weft_tls_free(connection->tls);
	connection->tls = NULL;
	weft_fd_forget(connection->watch.fd);
	close(connection->watch.fd);
}

/* --- TLS --- */

weft_tls_acceptor *weft_transport_acceptor(const weft_http_config *config)
{
	static const unsigned char protocols[] = "\x02h2"
											 "\x08http/1.1";
	size_t without = WEFT_SPEAKS_HTTP2 && config->h2 ? 0 : sizeof("\x02h2") - 1;

	return weft_tls_acceptor_new(config->vault, protocols + without, sizeof(protocols) - 1 - without);
}

bool weft_transport_chose_http2(const weft_http_connection *connection)
{
	unsigned int length = 0;
	const unsigned char *protocol = connection->tls ? weft_tls_protocol(connection->tls, &length) : NULL;

	return protocol && length == 2 && memcmp(protocol, "h2", 2) == 0;
}

bool weft_transport_begin_tls(weft_http_connection *connection)
{
	if (connection->server->acceptor) {
		connection->tls = weft_tls_new(connection->server->acceptor, connection->watch.fd, &connection->exchange.sent);
	}
	return connection->tls != NULL;
}

/* For who looks why clients don't come; scanners of the net would fill a log. */
static void tell_of_failure(weft_http_connection *connection)
{
	weft_http_server *server = connection->server;
	const char *problem = weft_tls_problem(connection->tls); /* also lest PHP's code find it */

	if (weft_log_is_due(&server->tls_told, COMPLAIN_EVERY)) {
		weft_log_at("info", "weft: TLS with %s was not begun: %s", connection->remote_address, problem);
	}
}

weft_tls_result weft_transport_handshake(weft_http_connection *connection)
{
	weft_tls_result result = weft_tls_handshake(connection->tls);

	if (result == WEFT_TLS_FAILED) {
		tell_of_failure(connection);
	}
	return result;
}

void weft_transport_drop_tls(weft_http_connection *connection)
{
	weft_tls_free(connection->tls);
	connection->tls = NULL;
}
