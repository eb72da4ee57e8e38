/*
 * The system calls on clients' sockets.
 */
#include "http/weft_transport.h"

#include <errno.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

/* An answer of so many bytes is sent from one place. */
#define TOGETHER 1024

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

	do {
		got = recv(connection->watch.fd, to, room, 0);
	} while (got < 0 && errno == EINTR);
	return got;
}

/* Few bytes are put together here: the kernel takes longer to find out where the parts of a message are. */
static ssize_t send_parts(int fd, const struct iovec *parts, int count)
{
	struct msghdr message = {.msg_iov = (struct iovec *) parts, .msg_iovlen = (size_t) count};
	char together[TOGETHER];
	size_t length = 0;

	if (count == 1) {
		return send(fd, parts->iov_base, parts->iov_len, MSG_NOSIGNAL);
	}
	for (int i = 0; i < count; i++) {
		if (parts[i].iov_len > sizeof(together) - length) {
			return sendmsg(fd, &message, MSG_NOSIGNAL);
		}
		memcpy(together + length, parts[i].iov_base, parts[i].iov_len);
		length += parts[i].iov_len;
	}
	return send(fd, together, length, MSG_NOSIGNAL);
}

ssize_t weft_transport_send(weft_http_connection *connection, const struct iovec *parts, int count)
{
	ssize_t sent;

	do {
		sent = send_parts(connection->watch.fd, parts, count);
	} while (sent < 0 && errno == EINTR);
	return count_sent(connection, sent);
}

ssize_t weft_transport_send_file(weft_http_connection *connection, int file, uint64_t offset, uint64_t length)
{
	off_t from = (off_t) offset;
	ssize_t sent;

	do {
		sent = sendfile(connection->watch.fd, file, &from, (size_t) MIN(length, WEFT_TRANSPORT_FILE_PIECE));
	} while (sent < 0 && errno == EINTR);
	return count_sent(connection, sent);
}

void weft_transport_end(weft_http_connection *connection)
{
	shutdown(connection->watch.fd, SHUT_WR);
}

void weft_transport_close(weft_http_connection *connection)
{
	weft_fd_forget(connection->watch.fd);
	close(connection->watch.fd);
}
