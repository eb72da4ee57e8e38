/*
 * Who is on the bus, and what goes to whom.
 */
#include "server/weft_relay_internal.h"
#include "server/weft_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Workers looked at before the supervisor sees to its other duties. */
#define AT_ONCE 64

/* What a worker may ask for. */
#define LEAST_BUFFER 65536
#define MOST_BUFFER (UINT64_C(1) << 30)

weft_relay *weft_relay_new(void)
{
	weft_relay *relay = calloc(1, sizeof(*relay));
	int pair[2];

	if (relay == NULL) {
		return NULL;
	}
	relay->epoll = relay->door = relay->outer = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0) {
		relay->door = pair[0];
		relay->outer = pair[1];
		relay->epoll = epoll_create1(EPOLL_CLOEXEC);
	}
	/* the door is who has no worker behind */
	struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = NULL}};
	if (relay->epoll < 0 || epoll_ctl(relay->epoll, EPOLL_CTL_ADD, relay->door, &event) != 0) {
		int error = errno;
		weft_relay_free(relay);
		errno = error;
		return NULL;
	}
	return relay;
}

int weft_relay_door(const weft_relay *relay)
{
	return relay->outer;
}

int weft_relay_fd(const weft_relay *relay)
{
	return relay->epoll;
}

/* --- what epoll tells --- */

static void await(const weft_relay *relay, weft_relay_worker *worker)
{
	uint32_t events = (relay->paused ? 0 : EPOLLIN) | (worker->count > 0 ? EPOLLOUT : 0);

	weft_process_await(relay->epoll, worker->fd, &worker->awaits, events, worker);
}

static void await_all(weft_relay *relay)
{
	bool behind = false;

	for (const weft_relay_worker *w = relay->workers; w != NULL; w = w->next) {
		behind |= w->behind_since != 0;
	}
	relay->paused = behind || (relay->peers != NULL && weft_peers_are_behind(relay->peers));
	if (relay->peers != NULL) {
		weft_peers_pause(relay->peers, behind);
	}
	for (weft_relay_worker *w = relay->workers; w != NULL; w = w->next) {
		await(relay, w);
	}
}

/* --- relaying --- */

static void settle(weft_relay *relay);

/* 0: for all. */
static void queue_for(weft_relay *relay, weft_relay_block *block, uint32_t node)
{
	for (weft_relay_worker *w = relay->workers; w != NULL; w = w->next) {
		if (node == 0 || w->node == node) {
			weft_relay_worker_queue(w, block);
		}
	}
}

static void relay_operation(void *arg, weft_relay_worker *from, weft_relay_block *block, uint32_t to)
{
	weft_relay *relay = arg;

	queue_for(relay, block, to);
	if (relay->peers != NULL && (to == 0 || weft_peers_knows(relay->peers, to))) {
		const size_t head = sizeof(weft_bus_head);
		weft_peers_send(relay->peers, from->node, to, block->bytes + head, block->length - head);
	}
}

static weft_relay_block *news_of(uint32_t node, weft_bus_kind kind)
{
	return weft_relay_block_new(&(weft_bus_head){0, node, kind}, 0);
}

static void tell_all(weft_relay *relay, uint32_t node, weft_bus_kind kind)
{
	weft_relay_block *block = news_of(node, kind);

	if (block != NULL) {
		queue_for(relay, block, 0);
		weft_relay_block_release(block);
	}
	if (relay->peers != NULL) {
		weft_peers_tell(relay->peers, node, kind);
	}
}

/* --- other machines --- */

static void deliver(void *arg, uint32_t to, uint32_t node, weft_bus_kind kind, const void *operation, size_t length)
{
	weft_relay_block *block = weft_relay_block_new(&(weft_bus_head){(uint32_t) length, node, kind}, length);

	if (block != NULL) {
		if (length > 0) {
			memcpy(block->bytes + sizeof(weft_bus_head), operation, length);
		}
		queue_for(arg, block, to);
		weft_relay_block_release(block);
	}
}

static bool is_own(void *arg, uint32_t node)
{
	const weft_relay *relay = arg;
	const weft_relay_worker *w = relay->workers;

	while (w != NULL && w->node != node) {
		w = w->next;
	}
	return w != NULL;
}

static uint32_t own(void *arg, uint32_t index)
{
	const weft_relay *relay = arg;
	const weft_relay_worker *w = relay->workers;

	for (; w != NULL && index > 0; index--) {
		w = w->next;
	}
	return w != NULL ? w->node : 0;
}

static void leave_peers(weft_relay *relay)
{
	if (relay->peers != NULL) {
		weft_peers *peers = relay->peers;
		epoll_ctl(relay->epoll, EPOLL_CTL_DEL, weft_peers_fd(peers), NULL);
		weft_peers_leave(peers);
		relay->peers = NULL;
	}
	free(relay->joined);
	relay->joined = NULL;
}

void weft_relay_join(weft_relay *relay, const char *wanted, size_t length)
{
	weft_peers_limits limits;
	bool same = wanted == NULL
		? relay->joined == NULL
		: relay->joined != NULL && relay->joined_length == length && memcmp(relay->joined, wanted, length) == 0;

	if (same) {
		return;
	}
	leave_peers(relay);
	relay->joined = wanted != NULL && length > sizeof(limits) ? malloc(length) : NULL;
	if (relay->joined != NULL) {
		const weft_peers_side side = {deliver, is_own, own, relay};
		struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = relay}};
		memcpy(relay->joined, wanted, length);
		relay->joined_length = length;
		memcpy(&limits, wanted, sizeof(limits));
		const char *url = relay->joined + sizeof(limits);
		relay->peers = weft_peers_new(&limits, url, url + strlen(url) + 1, &side);
		if (relay->peers != NULL) {
			epoll_ctl(relay->epoll, EPOLL_CTL_ADD, weft_peers_fd(relay->peers), &event);
		}
	}
	settle(relay);
}

/* --- who comes and goes --- */

static void tell_of_one(void *arg, uint32_t node)
{
	weft_relay_block *block = news_of(node, WEFT_BUS_FOUND);

	if (block != NULL) {
		weft_relay_worker_queue(arg, block);
		weft_relay_block_release(block);
	}
}

static void introduce(weft_relay *relay, weft_relay_worker *worker)
{
	for (const weft_relay_worker *w = relay->workers; w != NULL; w = w->next) {
		tell_of_one(worker, w->node);
	}
	if (relay->peers != NULL) {
		weft_peers_each(relay->peers, tell_of_one, worker);
	}
	worker->next = relay->workers;
	relay->workers = worker;
	tell_all(relay, worker->node, WEFT_BUS_COME);
}

static bool is_acceptable(weft_relay *relay, const weft_bus_entry *entry)
{
	/* one in four thousand million has the number of another, and is replaced */
	bool taken = is_own(relay, entry->node) || (relay->peers != NULL && weft_peers_knows(relay->peers, entry->node));

	return !taken && entry->node != 0 && entry->buffer >= LEAST_BUFFER && entry->buffer <= MOST_BUFFER;
}

/* False when there is nobody at the door. */
static bool let_in(weft_relay *relay)
{
	weft_bus_entry entry;
	struct iovec part = {&entry, sizeof(entry)};
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr aligned;
	} control;
	struct msghdr message = {.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = CMSG_LEN(sizeof(int))}; /* no room for another */
	ssize_t got = recvmsg(relay->door, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	const struct cmsghdr *rights = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	int fd;

	if (got <= 0) {
		return false;
	}
	if (rights == NULL || rights->cmsg_type != SCM_RIGHTS || rights->cmsg_len != CMSG_LEN(sizeof(int))) {
		return true;
	}
	memcpy(&fd, CMSG_DATA(rights), sizeof(fd));
	bool whole = got == (ssize_t) sizeof(entry) && is_acceptable(relay, &entry);
	weft_relay_worker *worker = whole ? weft_relay_worker_new(fd, &entry) : NULL;
	if (worker == NULL) {
		close(fd);
		return true;
	}
	introduce(relay, worker);
	return true;
}

static void drop_ended(weft_relay *relay)
{
	for (weft_relay_worker **link = &relay->workers; *link != NULL;) {
		weft_relay_worker *worker = *link;
		if (!worker->ended) {
			link = &worker->next;
			continue;
		}
		*link = worker->next;
		/* a zygote that has just been forked may have it still: then close() takes it out of no epoll */
		epoll_ctl(relay->epoll, EPOLL_CTL_DEL, worker->fd, NULL);
		tell_all(relay, worker->node, WEFT_BUS_GONE);
		weft_relay_worker_free(worker);
		/* what was just said may be too much for one that was looked at before */
		link = &relay->workers;
	}
}

static void write_all(weft_relay *relay)
{
	for (weft_relay_worker *w = relay->workers; w != NULL; w = w->next) {
		weft_relay_worker_write(w);
	}
}

/* --- the loop's side --- */

static void settle(weft_relay *relay)
{
	drop_ended(relay);
	write_all(relay);
	await_all(relay);
}

void weft_relay_handle(weft_relay *relay)
{
	struct epoll_event events[AT_ONCE];
	int count = epoll_wait(relay->epoll, events, AT_ONCE, 0);

	for (int i = 0; i < count; i++) {
		weft_relay_worker *worker = events[i].data.ptr;
		if (events[i].data.ptr == relay) {
			weft_peers_handle(relay->peers);
		} else if (worker == NULL) {
			while (let_in(relay)) {
			}
		} else if (events[i].events & EPOLLIN || (events[i].events & (EPOLLHUP | EPOLLERR) && !relay->paused)) {
			weft_relay_worker_read(worker, relay_operation, relay);
		}
	}
	if (count > 0) {
		settle(relay);
	}
}

uint64_t weft_relay_deadline(const weft_relay *relay)
{
	uint64_t next = relay->peers != NULL ? weft_peers_deadline(relay->peers) : 0;

	for (const weft_relay_worker *w = relay->workers; w != NULL; w = w->next) {
		next = weft_process_earlier(next, w->behind_since != 0 ? w->behind_since + w->patience_ms : 0);
	}
	return next;
}

void weft_relay_look(weft_relay *relay, uint64_t now)
{
	bool any = false;

	for (weft_relay_worker *w = relay->workers; w != NULL; w = w->next) {
		if (w->behind_since != 0 && now >= w->behind_since + w->patience_ms) {
			weft_process_say(
				"a worker has not read for %u ms what the others say of rooms: it is cut off, and replaced",
				w->patience_ms);
			w->ended = any = true;
		}
	}
	if (relay->peers != NULL) {
		uint64_t due = weft_peers_deadline(relay->peers);
		any |= due != 0 && now >= due;
		weft_peers_look(relay->peers, now);
	}
	if (any) {
		settle(relay);
	}
}

void weft_relay_free(weft_relay *relay)
{
	if (relay == NULL) {
		return;
	}
	leave_peers(relay);
	for (weft_relay_worker *next, *w = relay->workers; w != NULL; w = next) {
		next = w->next;
		weft_relay_worker_free(w);
	}
	const int fds[] = {relay->epoll, relay->door, relay->outer};
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (fds[i] >= 0) {
			close(fds[i]);
		}
	}
	free(relay);
}
