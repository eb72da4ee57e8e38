/*
 * The supervisor's connections with a Redis: one subscribes to a channel, the other publishes there. Redis delivers
 * what is published to all who subscribe, in one order, and keeps nothing: what is to be heard is for weft_peers.h to
 * see to.
 *
 * Nothing here waits. A connection that fails is made again after a pause that grows; the reason is logged once, and
 * again when it is another one.
 */
#ifndef WEFT_REDIS_H
#define WEFT_REDIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of each part of a URL. */
#define WEFT_REDIS_TEXT 512

typedef struct {
	char host[WEFT_REDIS_TEXT]; /* "": a Unix socket */
	char path[WEFT_REDIS_TEXT];
	char user[WEFT_REDIS_TEXT], password[WEFT_REDIS_TEXT]; /* "": none */
	int port;
} weft_redis_url;

/* redis://user:password@host:port/db, or unix:/path. The number of the database is looked at and left alone: channels
 * are the same in all. NULL, or what is wrong. */
const char *weft_redis_url_read(weft_redis_url *url, const char *text);

#ifdef WEFT_REDIS
typedef struct weft_redis weft_redis;

/* All are called from weft_redis_handle() and weft_redis_look(). */
typedef struct {
	void (*joined)(void *arg);                                  /* it may publish, and hears */
	void (*lost)(void *arg);                                    /* not any more, what is unanswered included */
	void (*heard)(void *arg, const char *bytes, size_t length); /* of the channel */
	void (*published)(void *arg);                               /* the next of those that are to be answered */
	void *arg;
} weft_redis_listener;

/* `longest` is what one message may have. NULL with errno. */
weft_redis *weft_redis_new(const weft_redis_url *url, const char *channel, size_t longest,
	const weft_redis_listener *listener);
/* Readable when there is something to handle. */
int weft_redis_fd(const weft_redis *redis);
void weft_redis_handle(weft_redis *redis);
/* While it is joined. With `answer`, published() is called when Redis has it. */
void weft_redis_publish(weft_redis *redis, const char *bytes, size_t length, bool answer);
/* Something of one's own has come back: all is well. */
void weft_redis_proven(weft_redis *redis);
/* Gives up the connections, and makes them again. */
void weft_redis_fail(weft_redis *redis, const char *why);
/* Reads nothing of the channel meanwhile. */
void weft_redis_pause(weft_redis *redis, bool paused);
/* Writes what there is, unless that takes longer. */
void weft_redis_flush(weft_redis *redis, uint64_t until);
/* When to look; 0: never. */
uint64_t weft_redis_deadline(const weft_redis *redis);
void weft_redis_look(weft_redis *redis, uint64_t now);
void weft_redis_free(weft_redis *redis);

/* --- weft_redis_names.c --- */
/* A numeric address each, in a row, with an empty one behind the last; or '!' and why there is none. Comes by the
 * socket in one message: the look-up runs in a thread, since a name server may take its time. -1 with errno. */
int weft_redis_find_addresses(const char *host);
#define WEFT_REDIS_ADDRESSES 1024
#endif

#endif /* WEFT_REDIS_H */
