/*
 * How sockets come to be: socket, connect, accept.
 */
#include "interpose/weft_calls.h"
#include "coroutine/weft_client_call.h"
#include <fcntl.h>
#include <unistd.h>

static void created(int fd, int domain, int type, int protocol)
{
	weft_opened(fd, type & SOCK_NONBLOCK);
	weft_fd_note_socket(fd, domain, type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC), protocol);
}

int weft_call_socket(int domain, int type, int protocol)
{
	int fd = weft_may_open(1) ? socket(domain, type, protocol) : -1;

	if (fd >= 0 && weft_tracking()) {
		created(fd, domain, type, protocol);
	}
	return fd;
}

int weft_call_socketpair(int domain, int type, int protocol, int pair[2])
{
	int result = weft_may_open(2) ? socketpair(domain, type, protocol, pair) : -1;

	if (result == 0 && weft_tracking()) {
		for (int i = 0; i < 2; i++) {
			created(pair[i], domain, type, protocol);
		}
	}
	return result;
}

int weft_call_setsockopt(int fd, int level, int option, const void *value, socklen_t size)
{
	int result = setsockopt(fd, level, option, value, size);

	if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO) && weft_tracking()) {
		weft_timeouts_changed(fd);
	}
	return result;
}

/* O_NONBLOCK matters to connect() only while the call is made. So it is set for that moment; no other coroutine
 * runs before the mode is back. */
static int connect_without_waiting(int fd, const struct sockaddr *address, socklen_t size)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) {
		return connect(fd, address, size);
	}
	int result = connect(fd, address, size);
	int error = errno;
	fcntl(fd, F_SETFL, flags);
	errno = error;
	return result;
}

int weft_call_connect(int fd, const struct sockaddr *address, socklen_t size)
{
	bool may_wait = weft_may_wait();

	if (may_wait && weft_client_call_is_cut(weft_current)) {
		/* some clients ask again on a new connection */
		errno = ECANCELED;
		return -1;
	}
	if (!may_wait || weft_mode_nonblocking(fd)) {
		return connect(fd, address, size);
	}

	int saved_errno = errno;
	uint64_t deadline = weft_send_deadline(fd), pause = 0;
	int result;
	/* A Unix socket whose listener's queue is full reports EAGAIN, and nothing says when there is room. */
	while ((result = connect_without_waiting(fd, address, size)) != 0 && errno == EAGAIN &&
		address->sa_family == AF_UNIX) {
		int error = weft_wait_retry(&pause, deadline, "connect", false);
		if (error != 0) {
			errno = error;
			return -1;
		}
	}
	if (result == 0) {
		errno = saved_errno;
		return 0;
	}
	if (errno != EINPROGRESS && errno != EALREADY) {
		return -1;
	}

	int error = weft_wait_fd(fd, WEFT_OUT, deadline, "connect");
	if (error == EAGAIN) {
		/* What connect() reports when SO_SNDTIMEO passes. */
		error = EINPROGRESS;
	} else if (error == 0) {
		socklen_t error_size = sizeof(error);
		if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_size) != 0) {
			error = errno;
		}
	}
	errno = error != 0 ? error : saved_errno;
	return error != 0 ? -1 : 0;
}

/* There is no MSG_DONTWAIT for accept(). A listener in blocking mode is asked with poll(2) first. Should another
 * process that shares it take the connection in between, this accept() waits for the next one: whoever shares
 * a listener between processes sets O_NONBLOCK, as every server does. */
int weft_call_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
	uint64_t deadline = 0;

	if (weft_may_wait() && !weft_mode_nonblocking(fd)) {
		struct pollfd one = {.fd = fd, .events = POLLIN};
		while (poll(&one, 1, 0) == 0) {
			weft_fd_drained(fd, WEFT_IN);
			if (deadline == 0) {
				deadline = weft_receive_deadline(fd);
			}
			int error = weft_wait_fd(fd, WEFT_IN, deadline, "accept");
			if (error != 0) {
				errno = error;
				return -1;
			}
		}
	}
	int result = weft_may_open(1) ? accept4(fd, address, size, flags) : -1;
	if (result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && weft_tracking()) {
		weft_fd_drained(fd, WEFT_IN);
	}
	weft_opened(result, flags & SOCK_NONBLOCK);
	return result;
}

int weft_call_accept(int fd, struct sockaddr *address, socklen_t *size)
{
	return weft_call_accept4(fd, address, size, 0);
}
