/*
 * Sockets: what comes in and what goes out.
 *
 * A socket in blocking mode stays in blocking mode: the call is made with MSG_DONTWAIT, and only when the kernel
 * has nothing do we ask whether the application would have waited. Then its coroutine does.
 */
#include "interpose/weft_calls.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool would_block(int error)
{
	return error == EAGAIN || error == EWOULDBLOCK;
}

/* A short read from TCP proves that nothing is left, unless urgent data cut it short. The end of the stream has
 * its own sticky bit. */
static inline void note_short_read(int fd)
{
	const weft_fd *entry = weft_fd_peek(fd);

	if (entry && entry->registered && (entry->ready & (WEFT_IN | WEFT_PRI)) == WEFT_IN &&
		weft_fd_classify(fd)->kind == WEFT_FD_SOCKET_STREAM_INET) {
		weft_fd_drained(fd, WEFT_IN);
	}
}

/* After EAGAIN: waits if the application would have. Returns false with errno set when the call is to fail. */
static bool wait_to_receive(int fd, int flags, uint64_t *deadline, const char *what)
{
	if (flags & MSG_ERRQUEUE) {
		return false;
	}
	weft_fd_drained(fd, WEFT_IN);
	if ((flags & MSG_DONTWAIT) || weft_mode_nonblocking(fd)) {
		errno = EAGAIN;
		return false;
	}
	if (*deadline == 0) {
		*deadline = weft_receive_deadline(fd);
	}
	int error = weft_wait_fd(fd, flags & MSG_OOB ? WEFT_PRI : WEFT_IN, *deadline, what);
	if (error != 0) {
		errno = error;
	}
	return error == 0;
}

static bool wait_to_send(int fd, int flags, uint64_t *deadline, const char *what)
{
	weft_fd_drained(fd, WEFT_OUT);
	if ((flags & MSG_DONTWAIT) || weft_mode_nonblocking(fd)) {
		errno = EAGAIN;
		return false;
	}
	if (*deadline == 0) {
		*deadline = weft_send_deadline(fd);
	}
	int error = weft_wait_fd(fd, WEFT_OUT, *deadline, what);
	if (error != 0) {
		errno = error;
	}
	return error == 0;
}

static size_t total_size(const struct iovec *parts, size_t count)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++) {
		size += parts[i].iov_len;
	}
	return size;
}

/* --- receiving --- */

/* MSG_WAITALL means something to streams only, and not to a socket in non-blocking mode. */
static bool wants_all(int fd, int flags)
{
	const weft_fd *entry;

	if (!(flags & MSG_WAITALL) || (flags & (MSG_DONTWAIT | MSG_PEEK | MSG_OOB)) || weft_mode_nonblocking(fd)) {
		return false;
	}
	int type = 0;
	socklen_t size = sizeof(type);
	entry = weft_fd_get(fd);
	return (entry && entry->kind == WEFT_FD_SOCKET_STREAM_INET) ||
		(getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM);
}

static ssize_t receive(int fd, void *buffer, size_t size, int flags, struct sockaddr *from, socklen_t *from_size,
	const char *what)
{
	uint64_t deadline = 0;
	size_t done = 0;
	int saved_errno = errno;
	bool all = false;

	for (;;) {
		ssize_t got = recvfrom(fd, (char *) buffer + done, size - done, flags | MSG_DONTWAIT, from, from_size);
		if (got >= 0) {
			if ((size_t) got < size - done && got > 0 && !(flags & (MSG_PEEK | MSG_OOB))) {
				note_short_read(fd);
			}
			done += (size_t) got;
			if (done < size && got > 0 && (flags & MSG_WAITALL) && (all || (all = wants_all(fd, flags)))) {
				continue;
			}
			errno = saved_errno;
			return (ssize_t) done;
		}
		if (!would_block(errno) || !wait_to_receive(fd, flags, &deadline, what)) {
			return done > 0 ? (ssize_t) done : -1;
		}
	}
}

ssize_t weft_call_recvfrom(int fd, void *buffer, size_t size, int flags, struct sockaddr *from, socklen_t *from_size)
{
	if (!weft_may_wait()) {
		return recvfrom(fd, buffer, size, flags, from, from_size);
	}
	return receive(fd, buffer, size, flags, from, from_size, "recvfrom");
}

ssize_t weft_call_recv(int fd, void *buffer, size_t size, int flags)
{
	if (!weft_may_wait()) {
		return recv(fd, buffer, size, flags);
	}
	return receive(fd, buffer, size, flags, NULL, NULL, "recv");
}

ssize_t weft_call_recv_chk(int fd, void *buffer, size_t size, size_t room, int flags)
{
	if (size > room) {
		weft_fortify_failed();
	}
	return weft_call_recv(fd, buffer, size, flags);
}

ssize_t weft_call_recvfrom_chk(int fd, void *buffer, size_t size, size_t room, int flags, struct sockaddr *from,
	socklen_t *from_size)
{
	if (size > room) {
		weft_fortify_failed();
	}
	return weft_call_recvfrom(fd, buffer, size, flags, from, from_size);
}

/* The rest of the parts once `done` bytes of them are used. `rest` has room for all. */
static size_t parts_after(const struct iovec *parts, size_t count, size_t done, struct iovec *rest)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		if (done >= parts[i].iov_len) {
			done -= parts[i].iov_len;
			continue;
		}
		rest[used].iov_base = (char *) parts[i].iov_base + done;
		rest[used].iov_len = parts[i].iov_len - done;
		used++;
		done = 0;
	}
	return used;
}

/* recvmsg(MSG_WAITALL) that came back short: the rest goes where the message left off. */
static ssize_t receive_rest(int fd, const struct msghdr *message, int flags, size_t size, size_t done)
{
	struct iovec *rest = malloc(message->msg_iovlen * sizeof(*rest));
	uint64_t deadline = 0;

	while (rest && done < size) {
		struct msghdr more = {.msg_iov = rest};
		more.msg_iovlen = parts_after(message->msg_iov, message->msg_iovlen, done, rest);
		ssize_t got = recvmsg(fd, &more, flags | MSG_DONTWAIT);
		if (got == 0 || (got < 0 && (!would_block(errno) || !wait_to_receive(fd, flags, &deadline, "recvmsg")))) {
			break;
		}
		done += got > 0 ? (size_t) got : 0;
	}
	free(rest);
	return (ssize_t) done;
}

ssize_t weft_call_recvmsg(int fd, struct msghdr *message, int flags)
{
	uint64_t deadline = 0;
	int saved_errno = errno;

	if (!weft_may_wait()) {
		return recvmsg(fd, message, flags);
	}
	/* The kernel writes the sizes it used over those it was given, even when it then has nothing. */
	socklen_t name_size = message->msg_namelen;
	size_t control_size = message->msg_controllen;
	for (;;) {
		message->msg_namelen = name_size;
		message->msg_controllen = control_size;
		ssize_t got = recvmsg(fd, message, flags | MSG_DONTWAIT);
		if (got >= 0) {
			size_t size = total_size(message->msg_iov, message->msg_iovlen);
			/* With control data (TLS in the kernel sends record types that way) a message ends where its kind
			 * changes: a short one proves nothing. */
			if (got > 0 && (size_t) got < size && !(flags & (MSG_PEEK | MSG_OOB)) && control_size == 0) {
				note_short_read(fd);
			}
			if (got > 0 && (size_t) got < size && (flags & MSG_WAITALL) && wants_all(fd, flags)) {
				got = receive_rest(fd, message, flags, size, (size_t) got);
			}
			errno = saved_errno;
			return got;
		}
		if (!would_block(errno) || !wait_to_receive(fd, flags, &deadline, "recvmsg")) {
			return -1;
		}
	}
}

int weft_call_recvmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags, struct timespec *timeout)
{
	if (!weft_may_wait() || (timeout && !weft_timespec_valid(timeout))) {
		return recvmmsg(fd, messages, count, flags, timeout);
	}
	/* As in the kernel, the time limit is looked at after each message only. */
	uint64_t end = timeout ? weft_deadline_in(weft_timespec_ns(timeout)) : WEFT_NO_DEADLINE;
	int one_flags = flags & ~MSG_WAITFORONE;
	unsigned int done = 0;
	while (done < count) {
		ssize_t got = weft_call_recvmsg(fd, &messages[done].msg_hdr, one_flags);
		if (got < 0) {
			break;
		}
		messages[done++].msg_len = (unsigned int) got;
		if (flags & MSG_WAITFORONE) {
			one_flags |= MSG_DONTWAIT;
		}
		if (timeout && weft_now() >= end) {
			break;
		}
	}
	if (timeout) {
		uint64_t now = weft_now(), left = end > now ? end - now : 0;
		timeout->tv_sec = (time_t) (left / WEFT_NS_PER_SEC);
		timeout->tv_nsec = (long) (left % WEFT_NS_PER_SEC);
	}
	return done > 0 || count == 0 ? (int) done : -1;
}

/* --- sending --- */

ssize_t weft_note_sent(int fd, ssize_t sent)
{
	if (sent > 0) {
		weft_fd_sent(fd);
	}
	return sent;
}

/* A send in blocking mode returns when everything is with the kernel; a datagram goes whole or not at all. */
static bool must_send_rest(int fd, int flags)
{
	return !(flags & MSG_DONTWAIT) && !weft_mode_nonblocking(fd);
}

static ssize_t transmit(int fd, const void *buffer, size_t size, int flags, const struct sockaddr *to,
	socklen_t to_size, const char *what)
{
	uint64_t deadline = 0;
	size_t done = 0;
	int saved_errno = errno;

	for (;;) {
		ssize_t sent = sendto(fd, (const char *) buffer + done, size - done, flags | MSG_DONTWAIT, to, to_size);
		if (sent >= 0) {
			done += (size_t) sent;
			if (done < size && must_send_rest(fd, flags)) {
				continue;
			}
			errno = saved_errno;
			return weft_note_sent(fd, (ssize_t) done);
		}
		if (!would_block(errno) || !wait_to_send(fd, flags, &deadline, what)) {
			return done > 0 ? weft_note_sent(fd, (ssize_t) done) : -1;
		}
	}
}

ssize_t weft_call_sendto(int fd, const void *buffer, size_t size, int flags, const struct sockaddr *to,
	socklen_t to_size)
{
	if (!weft_may_wait()) {
		return weft_note_sent(fd, sendto(fd, buffer, size, flags, to, to_size));
	}
	return transmit(fd, buffer, size, flags, to, to_size, "sendto");
}

ssize_t weft_call_send(int fd, const void *buffer, size_t size, int flags)
{
	if (!weft_may_wait()) {
		return weft_note_sent(fd, send(fd, buffer, size, flags));
	}
	return transmit(fd, buffer, size, flags, NULL, 0, "send");
}

/* What sendmsg() left over, as a message without its control data (that went with the first byte). */
static ssize_t transmit_rest(int fd, const struct msghdr *message, int flags, size_t size, size_t done)
{
	struct iovec *rest = malloc(message->msg_iovlen * sizeof(*rest));
	uint64_t deadline = 0;

	while (rest && done < size) {
		struct msghdr more = {.msg_iov = rest, .msg_name = message->msg_name, .msg_namelen = message->msg_namelen};
		more.msg_iovlen = parts_after(message->msg_iov, message->msg_iovlen, done, rest);
		ssize_t sent = sendmsg(fd, &more, flags | MSG_DONTWAIT);
		if (sent < 0 && (!would_block(errno) || !wait_to_send(fd, flags, &deadline, "sendmsg"))) {
			break;
		}
		done += sent > 0 ? (size_t) sent : 0;
	}
	free(rest);
	return (ssize_t) done;
}

ssize_t weft_call_sendmsg(int fd, const struct msghdr *message, int flags)
{
	uint64_t deadline = 0;
	int saved_errno = errno;

	if (!weft_may_wait()) {
		return weft_note_sent(fd, sendmsg(fd, message, flags));
	}
	for (;;) {
		ssize_t sent = sendmsg(fd, message, flags | MSG_DONTWAIT);
		if (sent >= 0) {
			size_t size = total_size(message->msg_iov, message->msg_iovlen);
			if ((size_t) sent < size && must_send_rest(fd, flags)) {
				sent = transmit_rest(fd, message, flags, size, (size_t) sent);
			}
			errno = saved_errno;
			return weft_note_sent(fd, sent);
		}
		if (!would_block(errno) || !wait_to_send(fd, flags, &deadline, "sendmsg")) {
			return -1;
		}
	}
}

int weft_call_sendmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags)
{
	unsigned int done = 0;

	if (!weft_may_wait()) {
		return sendmmsg(fd, messages, count, flags);
	}
	while (done < count) {
		ssize_t sent = weft_call_sendmsg(fd, &messages[done].msg_hdr, flags);
		if (sent < 0) {
			break;
		}
		messages[done++].msg_len = (unsigned int) sent;
	}
	return done > 0 || count == 0 ? (int) done : -1;
}
