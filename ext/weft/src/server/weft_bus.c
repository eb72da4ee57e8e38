/*
 * A worker's end of the bus: a queue of bytes that goes out when the reactor has its next round, and what comes in.
 */
#ifdef WEFT_WEBSOCKET

#include "server/weft_bus.h"
#include "server/weft_process.h"
#include "server/weft_unix_socket.h"

#include "http/weft_buffer.h"
#include "http/ws/weft_rooms.h"
#include "interpose/weft_interpose.h"
#include "reactor/weft_reactor.h"

#include "php.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bytes read at once. */
#define PIECE 65536
/* Of one round of the reactor, for what comes: then others have their turn. */
#define SHARE (2 * WEFT_NS_PER_MS)
/* That the last operations of a worker may take to go. */
#define FLUSH_MS 2000

static struct {
	int fd; /* -1: none */
	weft_watch in, out;
	weft_round flush, read_on;
	weft_buffer unsent, came;
	void (*lost)(void *arg);
	void *arg;
	bool end_expected;
} bus = {.fd = -1};

/* A large one that is empty is not kept. */
static void give_back(weft_buffer *buffer)
{
	if (weft_buffer_length(buffer) == 0 && buffer->room > 4 * PIECE) {
		weft_buffer_free(buffer);
	}
}

static void forget(weft_buffer *buffer)
{
	weft_buffer_consume(buffer, weft_buffer_length(buffer));
}

static void bus_close(void)
{
	weft_watch_remove(&bus.in);
	weft_watch_remove(&bus.out);
	weft_round_forget(&bus.flush);
	weft_round_forget(&bus.read_on);
	weft_fd_forget(bus.fd);
	close(bus.fd);
	bus.fd = -1;
	forget(&bus.unsent);
	forget(&bus.came);
	give_back(&bus.unsent);
	give_back(&bus.came);
}

/* The supervisor has closed it, or is gone. */
static void bus_lost(void)
{
	bus_close();
	weft_rooms_cut(!bus.end_expected);
	if (!bus.end_expected) {
		bus.lost(bus.arg);
	}
}

/* --- out --- */

/* Bytes that have not gone yet. */
static size_t bus_unsent(void)
{
	return weft_buffer_length(&bus.unsent);
}

/* False when it is gone. */
static bool send_some(void)
{
	while (bus_unsent() > 0) {
		ssize_t sent = send(bus.fd, weft_buffer_data(&bus.unsent), bus_unsent(), MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && errno == EAGAIN) {
			weft_fd_drained(bus.fd, WEFT_OUT);
			return true;
		}
		if (sent < 0 && errno != EINTR) {
			return false;
		}
		weft_buffer_consume(&bus.unsent, sent > 0 ? (size_t) sent : 0);
	}
	give_back(&bus.unsent);
	return true;
}

static void flush(void)
{
	if (!send_some()) {
		forget(&bus.unsent);
		shutdown(bus.fd, SHUT_RDWR); /* half of an operation may have gone; its end is heard where it is read */
	}
	if (bus_unsent() == 0) {
		weft_watch_remove(&bus.out);
	} else if (bus.out.link == NULL) {
		weft_watch_add(&bus.out);
	}
	weft_rooms_sent();
}

static void on_flush(weft_round *round)
{
	flush();
}

static void on_writable(weft_watch *watch, uint32_t revents)
{
	flush();
}

static void bus_send(uint32_t to, const void *operation, size_t length)
{
	weft_bus_head head = {.length = (uint32_t) length, .node = to, .kind = WEFT_BUS_OPERATION};

	weft_buffer_append(&bus.unsent, (const char *) &head, sizeof(head));
	weft_buffer_append(&bus.unsent, operation, length);
	if (bus.out.link == NULL) {
		weft_round_await(&bus.flush);
	}
}

static const weft_rooms_carrier carrier = {bus_send, bus_unsent};

/* --- in --- */

static void take(const weft_bus_head *head, const char *operation)
{
	switch (head->kind) {
		case WEFT_BUS_OPERATION: weft_rooms_apply(head->node, operation, head->length); break;
		case WEFT_BUS_COME: weft_rooms_node_come(head->node); break;
		case WEFT_BUS_FOUND: weft_rooms_node_found(head->node); break;
		case WEFT_BUS_GONE: weft_rooms_node_gone(head->node); break;
		case WEFT_BUS_AGAIN: weft_rooms_node_again(head->node); break;
	}
}

/* Its head, when all of the next operation has come. */
static bool is_whole(weft_bus_head *head)
{
	size_t length = weft_buffer_length(&bus.came);

	if (length < sizeof(*head)) {
		return false;
	}
	memcpy(head, weft_buffer_data(&bus.came), sizeof(*head));
	return length >= sizeof(*head) + head->length;
}

/* False when the time is over before the bytes are, or what they mean wants another turn. */
static bool take_all(uint64_t until)
{
	weft_bus_head head;

	while (weft_rooms_go_on()) {
		const char *bytes = weft_buffer_data(&bus.came);
		if (!is_whole(&head)) {
			give_back(&bus.came);
			return true;
		}
		weft_buffer_consume(&bus.came, sizeof(head) + head.length);
		take(&head, bytes + sizeof(head));
		if (weft_now() >= until) {
			return false;
		}
	}
	return false;
}

/* Bytes of the operation that is not whole yet, or of any. */
static size_t wanted(void)
{
	size_t length = weft_buffer_length(&bus.came);
	weft_bus_head head;

	if (length < sizeof(head)) {
		return PIECE;
	}
	memcpy(&head, weft_buffer_data(&bus.came), sizeof(head));
	return MAX(PIECE, sizeof(head) + head.length - length);
}

/* What came, 0: nothing now, -1: it is gone. */
static ssize_t read_some(void)
{
	size_t length = wanted();
	char *to = weft_buffer_reserve(&bus.came, length);
	ssize_t got;

	do {
		got = recv(bus.fd, to, length, MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	if (got > 0) {
		bus.came.end += (size_t) got;
		return got;
	}
	return got < 0 && errno == EAGAIN ? 0 : -1;
}

static void read_on(void)
{
	uint64_t until = weft_now() + SHARE;

	while (take_all(until)) {
		ssize_t got = read_some();
		if (got < 0) {
			bus_lost();
			return;
		}
		if (got == 0) {
			weft_fd_drained(bus.fd, WEFT_IN);
			return;
		}
	}
	weft_round_await(&bus.read_on);
}

static void on_read_on(weft_round *round)
{
	read_on();
}

static void on_readable(weft_watch *watch, uint32_t revents)
{
	read_on();
}

/* --- the beginning and the end --- */

/* Who has forked by himself is no worker: it must not keep the supervisor from seeing this one's end. */
static void bus_after_fork_in_child(void)
{
	if (bus.fd >= 0) {
		close(bus.fd);
		bus.fd = -1;
	}
}

static bool enter(int door, int fd)
{
	weft_bus_entry entry = {weft_rooms_node(), weft_rooms_patience(), weft_rooms_buffer()};
	struct iovec part = {&entry, sizeof(entry)};

	return weft_unix_socket_send(door, &part, 1, &fd, 1, 0);
}

void weft_bus_join(int door, void (*lost)(void *arg), void *arg)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) {
		weft_process_say("this worker can't join the others' rooms: %s", strerror(errno));
		weft_rooms_begin(NULL);
		return;
	}
	if (!enter(door, pair[1])) {
		weft_process_say("this worker can't join the others' rooms: %s", strerror(errno));
		close(pair[0]);
		close(pair[1]);
		weft_rooms_begin(NULL);
		return;
	}
	close(pair[1]);
	weft_fd_fresh(pair[0]);
	bus.fd = bus.in.fd = bus.out.fd = pair[0];
	bus.in.events = WEFT_IN | WEFT_RDHUP;
	bus.in.fire = on_readable;
	bus.out.events = WEFT_OUT;
	bus.out.fire = on_writable;
	bus.flush.fire = on_flush;
	bus.read_on.fire = on_read_on;
	bus.lost = lost;
	bus.arg = arg;
	pthread_atfork(NULL, NULL, bus_after_fork_in_child);
	weft_watch_add(&bus.in);
	weft_rooms_begin(&carrier);
}

void weft_bus_expect_end(void)
{
	bus.end_expected = true;
}

void weft_bus_leave(void)
{
	uint64_t until = weft_process_now() + FLUSH_MS;

	/* while the supervisor has much for this worker it reads nothing of it */
	while (bus.fd >= 0 && bus_unsent() > 0 && weft_process_now() < until && send_some()) {
		struct pollfd polled = {bus.fd, POLLIN | POLLOUT, 0};
		if (bus_unsent() == 0 || poll(&polled, 1, weft_process_timeout(until, -1)) <= 0) {
			break;
		}
		forget(&bus.came);
		if ((polled.revents & POLLIN) && read_some() < 0) {
			break;
		}
	}
	if (bus.fd >= 0) {
		bus_close();
	}
}

#endif /* WEFT_WEBSOCKET */
