/*
 * The relay's insides, for its parts. Private to them.
 */
#ifndef WEFT_RELAY_INTERNAL_H
#define WEFT_RELAY_INTERNAL_H

#include "server/weft_bus.h"
#include "server/weft_peers.h"
#include "server/weft_relay.h"

/* What is relayed, once for all who get it. */
typedef struct {
	uint32_t references;
	uint32_t length; /* with the head */
	char bytes[];
} weft_relay_block;

typedef struct weft_relay_worker weft_relay_worker;
struct weft_relay_worker {
	int fd;
	uint32_t node;
	uint64_t buffer; /* bytes that it may be behind by */
	uint32_t patience_ms;
	/* what comes of it: the head, then a block of the length that is said there */
	weft_bus_head head;
	uint32_t got; /* bytes of the head, then of the block */
	weft_relay_block *coming;
	/* what waits for it: a ring */
	weft_relay_block **waiting;
	uint32_t first, count, room;
	size_t sent;           /* bytes of the first one */
	size_t behind;         /* bytes of all */
	uint64_t behind_since; /* by more than it may, and not by less than half of that again; 0: it is not */
	bool gone;             /* nothing can be sent to it any more */
	bool ended;            /* and nothing comes: to be freed */
	uint32_t awaits;       /* what epoll tells of it */
	weft_relay_worker *next;
};

struct weft_relay {
	int epoll;
	int door, outer; /* the supervisor's end, and the one that zygotes inherit */
	bool paused;     /* somebody is behind */
	weft_relay_worker *workers;
	weft_peers *peers; /* on other machines; NULL: none */
	char *joined;      /* what has joined them, as the zygote has sent it */
	size_t joined_length;
};

/* --- weft_relay_worker.c --- */
/* NULL with errno. Takes over the socket, if it can. */
weft_relay_worker *weft_relay_worker_new(int fd, const weft_bus_entry *entry);
void weft_relay_worker_free(weft_relay_worker *worker);
weft_relay_block *weft_relay_block_new(const weft_bus_head *head, size_t length);
void weft_relay_block_release(weft_relay_block *block);
void weft_relay_worker_queue(weft_relay_worker *worker, weft_relay_block *block);
/* As much as goes without waiting. */
void weft_relay_worker_write(weft_relay_worker *worker);
/* Some of what has come; `take` gets each operation, whole. */
void weft_relay_worker_read(weft_relay_worker *worker,
	void (*take)(void *arg, weft_relay_worker *from, weft_relay_block *block, uint32_t to), void *arg);

#endif /* WEFT_RELAY_INTERNAL_H */
