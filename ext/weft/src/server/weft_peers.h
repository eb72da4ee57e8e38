/*
 * Other machines' servers that share rooms with this one, by a channel of Redis (weft_redis.h). What the workers of
 * this one send to all is published there as well; what comes of the others is relayed to the workers here.
 *
 * A server has a random number and numbers what it sends. So what comes twice is left out, and who has missed something
 * knows: the members of rooms are told to it again. Publishes that it has missed are lost to it, and the log says so.
 */
#ifndef WEFT_PEERS_H
#define WEFT_PEERS_H

#include "server/weft_bus.h"

typedef struct weft_peers weft_peers;

/* What is joined, as the zygote sends it: this, then the URL and the channel, a zero byte behind each. */
typedef struct {
	uint64_t buffer;     /* bytes that are kept while Redis can't be reached */
	uint64_t longest;    /* of an operation */
	uint32_t silence_ms; /* after that, a server is gone */
} weft_peers_limits;

/* To workers of this server: an operation (of `node`), or news of it. */
typedef void weft_peers_deliver(void *arg, uint32_t to, uint32_t node, weft_bus_kind kind, const void *operation,
	size_t length);
/* Whether a worker here has that number; and the workers, one after another, 0 behind the last. */
typedef bool weft_peers_is_own(void *arg, uint32_t node);
typedef uint32_t weft_peers_own(void *arg, uint32_t index);

typedef struct {
	weft_peers_deliver *deliver;
	weft_peers_is_own *is_own;
	weft_peers_own *own;
	void *arg;
} weft_peers_side;

#ifdef WEFT_REDIS
/* The URL has been looked at. NULL: it has said why. */
weft_peers *weft_peers_new(const weft_peers_limits *limits, const char *url, const char *channel,
	const weft_peers_side *side);
int weft_peers_fd(const weft_peers *peers);
void weft_peers_handle(weft_peers *peers);
/* An operation of a worker here; `to` is 0 or a node that weft_peers_knows(). */
void weft_peers_send(weft_peers *peers, uint32_t node, uint32_t to, const void *operation, size_t length);
/* A worker here has come, or is gone. */
void weft_peers_tell(weft_peers *peers, uint32_t node, weft_bus_kind kind);
bool weft_peers_knows(const weft_peers *peers, uint32_t node);
/* Calls `tell` for each node of the others. */
void weft_peers_each(const weft_peers *peers, void (*tell)(void *arg, uint32_t node), void *arg);
/* More waits for Redis than should, which answers: who sends should wait. */
bool weft_peers_are_behind(const weft_peers *peers);
/* Takes nothing of the others meanwhile. */
void weft_peers_pause(weft_peers *peers, bool paused);
uint64_t weft_peers_deadline(const weft_peers *peers);
void weft_peers_look(weft_peers *peers, uint64_t now);
/* Says goodbye, unless that takes too long. Workers hear that all the others are gone. */
void weft_peers_leave(weft_peers *peers);
#else
/* Without hiredis there are none. */
static inline weft_peers *weft_peers_new(const weft_peers_limits *limits, const char *url, const char *channel,
	const weft_peers_side *side)
{
	return NULL;
}

static inline int weft_peers_fd(const weft_peers *peers)
{
	return -1;
}

static inline void weft_peers_handle(weft_peers *peers)
{
}

static inline void weft_peers_send(weft_peers *peers, uint32_t node, uint32_t to, const void *operation, size_t length)
{
}

static inline void weft_peers_tell(weft_peers *peers, uint32_t node, weft_bus_kind kind)
{
}

static inline bool weft_peers_knows(const weft_peers *peers, uint32_t node)
{
	return false;
}

static inline void weft_peers_each(const weft_peers *peers, void (*tell)(void *arg, uint32_t node), void *arg)
{
}

static inline bool weft_peers_are_behind(const weft_peers *peers)
{
	return false;
}

static inline void weft_peers_pause(weft_peers *peers, bool paused)
{
}

static inline uint64_t weft_peers_deadline(const weft_peers *peers)
{
	return 0;
}

static inline void weft_peers_look(weft_peers *peers, uint64_t now)
{
}

static inline void weft_peers_leave(weft_peers *peers)
{
}
#endif

#endif /* WEFT_PEERS_H */
