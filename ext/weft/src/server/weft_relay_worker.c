/*
 * What comes of one worker, and what waits for it.
 */
#include "server/weft_relay_internal.h"
#include "server/weft_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* Bytes read of one worker before others have their turn, and blocks written at once. */
#define PIECE 65536
#define AT_ONCE 64

weft_relay_block *weft_relay_block_new(const weft_bus_head *head, size_t length)
{
	weft_relay_block *block = malloc(sizeof(*block) + sizeof(*head) + length);

	if (block != NULL) {
		block->references = 1;
		block->length = (uint32_t) (sizeof(*head) + length);
		memcpy(block->bytes, head, sizeof(*head));
	}
	return block;
}

void weft_relay_block_release(weft_relay_block *block)
{
	if (--block->references == 0) {
		free(block);
	}
}

weft_relay_worker *weft_relay_worker_new(int fd, const weft_bus_entry *entry)
{
	weft_relay_worker *worker = calloc(1, sizeof(*worker));

	if (worker != NULL) {
		worker->fd = fd;
		worker->node = entry->node;
		worker->buffer = entry->buffer;
		worker->patience_ms = entry->patience_ms;
	}
	return worker;
}

/* Nobody will take it. */
static void drop_waiting(weft_relay_worker *worker)
{
	for (uint32_t i = 0; i < worker->count; i++) {
		weft_relay_block_release(worker->waiting[(worker->first + i) % worker->room]);
	}
	worker->count = 0;
	worker->sent = worker->behind = 0;
	worker->behind_since = 0;
}

void weft_relay_worker_free(weft_relay_worker *worker)
{
	drop_waiting(worker);
	if (worker->coming != NULL) {
		weft_relay_block_release(worker->coming);
	}
	free(worker->waiting);
	close(worker->fd);
	free(worker);
}

/* --- to it --- */

static void will_take_nothing(weft_relay_worker *worker)
{
	worker->gone = true;
	shutdown(worker->fd, SHUT_RDWR); /* it hears of that, and is replaced */
	drop_waiting(worker);
}

static bool make_room(weft_relay_worker *worker)
{
	uint32_t room = worker->room > 0 ? worker->room * 2 : AT_ONCE;
	weft_relay_block **waiting = malloc(room * sizeof(*waiting));

	if (waiting == NULL) {
		return false;
	}
	for (uint32_t i = 0; i < worker->count; i++) {
		waiting[i] = worker->waiting[(worker->first + i) % worker->room];
	}
	free(worker->waiting);
	worker->waiting = waiting;
	worker->first = 0;
	worker->room = room;
	return true;
}

void weft_relay_worker_queue(weft_relay_worker *worker, weft_relay_block *block)
{
	if (worker->gone) {
		return;
	}
	if (worker->count == worker->room && !make_room(worker)) {
		/* it would miss something: better to have it replaced */
		weft_process_say("out of memory: a worker is cut off from the others' rooms");
		will_take_nothing(worker);
		return;
	}
	block->references++;
	worker->waiting[(worker->first + worker->count++) % worker->room] = block;
	worker->behind += block->length;
	if (worker->behind > worker->buffer && worker->behind_since == 0) {
		worker->behind_since = weft_process_now();
	}
}

static void has_taken(weft_relay_worker *worker, size_t bytes)
{
	worker->behind -= bytes;
	worker->sent += bytes;
	while (worker->count > 0 && worker->sent >= worker->waiting[worker->first]->length) {
		weft_relay_block *block = worker->waiting[worker->first];
		worker->sent -= block->length;
		worker->first = (worker->first + 1) % worker->room;
		worker->count--;
		weft_relay_block_release(block);
	}
	if (worker->behind <= worker->buffer / 2) {
		worker->behind_since = 0;
	}
}

void weft_relay_worker_write(weft_relay_worker *worker)
{
	struct iovec parts[AT_ONCE];

	while (worker->count > 0) {
		struct msghdr message = {.msg_iov = parts};
		for (uint32_t i = 0; i < worker->count && i < AT_ONCE; i++) {
			weft_relay_block *block = worker->waiting[(worker->first + i) % worker->room];
			size_t done = i == 0 ? worker->sent : 0;
			parts[message.msg_iovlen++] = (struct iovec){block->bytes + done, block->length - done};
		}
		ssize_t sent = sendmsg(worker->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && errno == EAGAIN) {
			return;
		}
		if (sent < 0 && errno != EINTR) {
			will_take_nothing(worker);
			return;
		}
		has_taken(worker, sent > 0 ? (size_t) sent : 0);
	}
}

/* --- of it --- */

/* It has written something else, or is gone. */
static void has_ended(weft_relay_worker *worker)
{
	worker->ended = true;
	will_take_nothing(worker);
}

/* False when it can't be one. */
static bool begin_block(weft_relay_worker *worker)
{
	const weft_bus_head head = {worker->head.length, worker->node, WEFT_BUS_OPERATION};

	worker->got = 0;
	if (worker->head.kind != WEFT_BUS_OPERATION || worker->head.length == 0 ||
		worker->head.length > worker->buffer + WEFT_BUS_BESIDE) {
		weft_process_say("a worker is cut off from the others' rooms: it has sent what is no operation");
		return false;
	}
	worker->coming = weft_relay_block_new(&head, worker->head.length);
	return worker->coming != NULL;
}

/* Takes a part of the bytes, and says of how many; 0: it can't go on. */
static size_t take_part(weft_relay_worker *worker, const char *bytes, size_t length)
{
	bool in_head = worker->coming == NULL;
	size_t whole = in_head ? sizeof(worker->head) : worker->head.length;
	size_t part = whole - worker->got < length ? whole - worker->got : length;
	char *to = in_head ? (char *) &worker->head : worker->coming->bytes + sizeof(worker->head);

	memcpy(to + worker->got, bytes, part);
	worker->got += (uint32_t) part;
	return in_head && worker->got == whole && !begin_block(worker) ? 0 : part;
}

void weft_relay_worker_read(weft_relay_worker *worker,
	void (*take)(void *arg, weft_relay_worker *from, weft_relay_block *block, uint32_t to), void *arg)
{
	static char bytes[PIECE];
	ssize_t got = recv(worker->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	size_t part;

	if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	if (got <= 0) {
		has_ended(worker);
		return;
	}
	for (size_t at = 0; at < (size_t) got; at += part) {
		part = take_part(worker, bytes + at, (size_t) got - at);
		if (part == 0) {
			has_ended(worker);
			return;
		}
		if (worker->coming != NULL && worker->got == worker->head.length) {
			weft_relay_block *block = worker->coming;
			worker->coming = NULL;
			worker->got = 0;
			take(arg, worker, block, worker->head.node);
			weft_relay_block_release(block);
		}
	}
}
