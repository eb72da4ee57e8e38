/*
 * read and write, whatever is behind the descriptor. Sockets go the sockets' way, regular files are plain calls,
 * and pipes, terminals and the like are waited for first.
 */
#include "interpose/weft_calls.h"
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* Cleared when the kernel (before 6.5) does not know RWF_NOWAIT for pipes. */
static bool pipes_know_nowait = true;

/* Where the bytes go or come from: reads and writes share the code that waits. */
typedef enum { WEFT_READ, WEFT_WRITE } weft_direction;

static weft_fd_kind descriptor_kind(int fd)
{
	const weft_fd *entry = fd >= 0 ? weft_fd_classify(fd) : NULL;

	return entry ? (weft_fd_kind) entry->kind : WEFT_FD_INVALID;
}

static ssize_t transfer_plainly(int fd, weft_direction direction, const struct iovec *parts, int count)
{
	return direction == WEFT_READ ? readv(fd, parts, count) : weft_note_sent(fd, writev(fd, parts, count));
}

/* After poll(2) has said that there is room: PIPE_BUF bytes fit, more need not. */
static ssize_t write_one_piece(int fd, const struct iovec *parts, int count)
{
	while (count > 0 && parts->iov_len == 0) {
		parts++;
		count--;
	}
	if (count == 0) {
		return 0;
	}
	/* One write of up to PIPE_BUF bytes is atomic; so gather a small message instead of splitting it. */
	char piece[PIPE_BUF];
	size_t used = 0;
	for (int i = 0; i < count && used < sizeof(piece); i++) {
		size_t take = MIN(parts[i].iov_len, sizeof(piece) - used);
		memcpy(piece + used, parts[i].iov_base, take);
		used += take;
	}
	return write(fd, piece, used);
}

/* One try that does not wait although the descriptor is in blocking mode. -1 with EAGAIN when it would. */
static ssize_t transfer_now(int fd, weft_fd_kind kind, weft_direction direction, const struct iovec *parts, int count)
{
	if (kind == WEFT_FD_PIPE && pipes_know_nowait) {
		ssize_t done = direction == WEFT_READ ? preadv2(fd, parts, count, -1, RWF_NOWAIT)
											  : pwritev2(fd, parts, count, -1, RWF_NOWAIT);
		if (done >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)) {
			return done;
		}
		pipes_know_nowait = false;
	}
	struct pollfd one = {.fd = fd, .events = direction == WEFT_READ ? POLLIN : POLLOUT};
	if (poll(&one, 1, 0) == 0) {
		errno = EAGAIN;
		return -1;
	}
	return direction == WEFT_READ ? readv(fd, parts, count) : write_one_piece(fd, parts, count);
}

static size_t parts_size(const struct iovec *parts, int count)
{
	size_t size = 0;

	for (int i = 0; i < count; i++) {
		size += parts[i].iov_len;
	}
	return size;
}

static void parts_skip(struct iovec *parts, int count, size_t done)
{
	for (int i = 0; i < count && done > 0; i++) {
		size_t used = MIN(done, parts[i].iov_len);
		parts[i].iov_base = (char *) parts[i].iov_base + used;
		parts[i].iov_len -= used;
		done -= used;
	}
}

/* A pipe or a terminal in blocking mode. Uses `parts` up. A read returns what there is; a write returns when all
 * is written. */
static ssize_t transfer_waiting(int fd, weft_fd_kind kind, weft_direction direction, struct iovec *parts, int count)
{
	uint32_t event = direction == WEFT_READ ? WEFT_IN : WEFT_OUT;
	size_t size = parts_size(parts, count), total = 0;
	int saved_errno = errno;

	for (;;) {
		ssize_t done = transfer_now(fd, kind, direction, parts, count);
		if (done >= 0) {
			total += (size_t) done;
			if (direction == WEFT_READ || total >= size || done == 0) {
				errno = saved_errno;
				return (ssize_t) total;
			}
			parts_skip(parts, count, (size_t) done);
			continue;
		}
		int error = errno;
		if (error == EAGAIN) {
			weft_fd_drained(fd, event);
			error = weft_wait_fd(fd, event, WEFT_NO_DEADLINE, direction == WEFT_READ ? "read" : "write");
		}
		if (error != 0) {
			errno = error;
			return total > 0 ? (ssize_t) total : -1;
		}
	}
}

static ssize_t transfer(int fd, weft_fd_kind kind, weft_direction direction, struct iovec *parts, int count)
{
	if (weft_mode_nonblocking(fd)) {
		ssize_t done = transfer_plainly(fd, direction, parts, count);
		if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			weft_fd_drained(fd, direction == WEFT_READ ? WEFT_IN : WEFT_OUT);
		}
		return done;
	}
	return transfer_waiting(fd, kind, direction, parts, count);
}

ssize_t weft_call_read(int fd, void *buffer, size_t size)
{
	if (size == 0 || !weft_may_wait()) {
		return read(fd, buffer, size);
	}
	weft_fd_kind kind = descriptor_kind(fd);
	switch (kind) {
		case WEFT_FD_SOCKET_STREAM_INET:
		case WEFT_FD_SOCKET: return weft_call_recv(fd, buffer, size, 0);
		case WEFT_FD_PIPE:
		case WEFT_FD_POLLABLE: {
			struct iovec part = {.iov_base = buffer, .iov_len = size};
			return transfer(fd, kind, WEFT_READ, &part, 1);
		}
		default: return read(fd, buffer, size);
	}
}

ssize_t weft_call_read_chk(int fd, void *buffer, size_t size, size_t room)
{
	if (size > room) {
		weft_fortify_failed();
	}
	return weft_call_read(fd, buffer, size);
}

static ssize_t write_as_it_is(int fd, const void *buffer, size_t size)
{
	if (size == 0 || !weft_may_wait()) {
		return weft_note_sent(fd, write(fd, buffer, size));
	}
	weft_fd_kind kind = descriptor_kind(fd);
	switch (kind) {
		case WEFT_FD_SOCKET_STREAM_INET:
		case WEFT_FD_SOCKET: return weft_call_send(fd, buffer, size, 0);
		case WEFT_FD_PIPE:
		case WEFT_FD_POLLABLE: {
			struct iovec part = {.iov_base = (void *) buffer, .iov_len = size};
			return transfer(fd, kind, WEFT_WRITE, &part, 1);
		}
		default: return write(fd, buffer, size);
	}
}

char *(*weft_standard_error)(const char *data, size_t size, size_t *length);

/* Nobody but us knows that it is other bytes. What does not fit in now is lost, as it is when nobody reads the log. */
static ssize_t write_records(int fd, const void *buffer, size_t size)
{
	size_t length = 0;
	char *records = weft_standard_error(buffer, size, &length);
	ssize_t written = records ? write_as_it_is(fd, records, length) : 0;
	int error = errno;

	free(records);
	errno = error;
	return written < 0 ? written : (ssize_t) size;
}

ssize_t weft_call_write(int fd, const void *buffer, size_t size)
{
	if (weft_thread == WEFT_THREAD_ARMED && weft_standard_error && UNEXPECTED(weft_is_standard_error(fd))) {
		return write_records(fd, buffer, size);
	}
	return write_as_it_is(fd, buffer, size);
}

static ssize_t transfer_parts(int fd, weft_fd_kind kind, weft_direction direction, const struct iovec *parts, int count)
{
	struct iovec *copy = malloc((size_t) count * sizeof(*copy));

	if (!copy) {
		errno = ENOMEM;
		return -1;
	}
	memcpy(copy, parts, (size_t) count * sizeof(*copy));
	ssize_t done = transfer(fd, kind, direction, copy, count);
	int error = errno;
	free(copy);
	errno = error;
	return done;
}

static ssize_t vector_call(int fd, weft_direction direction, const struct iovec *parts, int count)
{
	if (count <= 0 || count > IOV_MAX || !weft_may_wait()) {
		return transfer_plainly(fd, direction, parts, count);
	}
	weft_fd_kind kind = descriptor_kind(fd);
	switch (kind) {
		case WEFT_FD_SOCKET_STREAM_INET:
		case WEFT_FD_SOCKET: {
			struct msghdr message = {.msg_iov = (struct iovec *) parts, .msg_iovlen = (size_t) count};
			return direction == WEFT_READ ? weft_call_recvmsg(fd, &message, 0) : weft_call_sendmsg(fd, &message, 0);
		}
		case WEFT_FD_PIPE:
		case WEFT_FD_POLLABLE: return transfer_parts(fd, kind, direction, parts, count);
		default: return transfer_plainly(fd, direction, parts, count);
	}
}

ssize_t weft_call_readv(int fd, const struct iovec *parts, int count)
{
	return vector_call(fd, WEFT_READ, parts, count);
}

ssize_t weft_call_writev(int fd, const struct iovec *parts, int count)
{
	return vector_call(fd, WEFT_WRITE, parts, count);
}

/* --- from descriptor to descriptor --- */

/* One round of a sendfile() by hand. */
#define WEFT_SENDFILE_CHUNK 65536

static bool waits(int fd)
{
	weft_fd_kind kind = descriptor_kind(fd);

	return kind != WEFT_FD_ALWAYS_READY && kind != WEFT_FD_INVALID && !weft_mode_nonblocking(fd);
}

/* sendfile() into a descriptor in blocking mode would hold up everybody, and there is no flag against it. So the
 * bytes take the way through a buffer. */
static ssize_t sendfile_by_hand(int out, int in, off_t *offset, size_t size)
{
	off_t position = offset ? *offset : lseek(in, 0, SEEK_CUR);
	size_t total = 0;
	ssize_t sent = 0;

	if (position < 0) {
		return -1;
	}
	char *chunk = malloc(WEFT_SENDFILE_CHUNK);
	if (!chunk) {
		errno = ENOMEM;
		return -1;
	}
	while (total < size) {
		ssize_t got = pread(in, chunk, MIN(size - total, WEFT_SENDFILE_CHUNK), position);
		sent = got > 0 ? weft_call_write(out, chunk, (size_t) got) : got;
		if (sent <= 0) {
			break;
		}
		total += (size_t) sent;
		position += sent;
		if (sent < got) {
			break;
		}
	}
	int error = errno;
	free(chunk);
	if (offset) {
		*offset = position;
	} else {
		lseek(in, position, SEEK_SET);
	}
	errno = error;
	return total > 0 ? (ssize_t) total : sent;
}

ssize_t weft_call_sendfile(int out, int in, off_t *offset, size_t size)
{
	if (!weft_may_wait() || !waits(out) || descriptor_kind(in) != WEFT_FD_ALWAYS_READY) {
		return sendfile(out, in, offset, size);
	}
	return sendfile_by_hand(out, in, offset, size);
}

ssize_t weft_call_splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size, unsigned int flags)
{
	if (!weft_may_wait() || (flags & SPLICE_F_NONBLOCK)) {
		return splice(in, in_offset, out, out_offset, size, flags);
	}
	bool in_waits = waits(in), out_waits = waits(out);
	for (;;) {
		struct pollfd ends[2] = {
			{.fd = in_waits ? in : -1, .events = POLLIN},
			{.fd = out_waits ? out : -1, .events = POLLOUT},
		};
		int ready = poll(ends, 2, 0);
		if (ready == in_waits + out_waits) {
			ssize_t done = splice(in, in_offset, out, out_offset, size, flags | SPLICE_F_NONBLOCK);
			if (done >= 0 || errno != EAGAIN || (!in_waits && !out_waits)) {
				return done;
			}
		}
		/* Whichever end is not ready is the one to wait for; when both claimed to be, the pipe is full. */
		bool wait_in = in_waits && (ends[0].revents == 0 || !out_waits);
		weft_fd_drained(wait_in ? in : out, wait_in ? WEFT_IN : WEFT_OUT);
		int error = weft_wait_fd(wait_in ? in : out, wait_in ? WEFT_IN : WEFT_OUT, WEFT_NO_DEADLINE, "splice");
		if (error != 0) {
			errno = error;
			return -1;
		}
	}
}
