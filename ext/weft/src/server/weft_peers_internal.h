/*
 * What the parts of the peers know of each other. Private to them.
 */
#ifndef WEFT_PEERS_INTERNAL_H
#define WEFT_PEERS_INTERNAL_H

#include "server/weft_peers.h"
#include "server/weft_redis.h"

#include "http/ws/weft_operation.h"

/* Servers, and workers of each, at most: whoever can write to the channel can't fill the memory by them. */
#define WEFT_PEERS_MOST 256
#define WEFT_PEER_NODES 1024

/* Says of itself so many times within the silence after which it would be gone. */
#define WEFT_PEERS_ALIVE_TIMES 3

/* A message is the word, a version, a kind (bytes), the sender's id and the number of the message (serials); what
 * follows is as with operations (weft_operation.h). */
#define WEFT_PEERS_WORD "weft"
#define WEFT_PEERS_VERSION 1
#define WEFT_PEERS_HEAD (4 + 1 + 1 + 8 + 8)

typedef enum {
	WEFT_PEERS_ALIVE = 1, /* number: count of its workers, number each. Has the number of the message before */
	WEFT_PEERS_HELLO = 2, /* the same, and wants to hear it of the others: it hears from now on */
	WEFT_PEERS_AGAIN = 3, /* serial: who is to tell its members again. The rest as ALIVE */
	WEFT_PEERS_BYE = 4,
	/* those that are numbered */
	WEFT_PEERS_COME = 5, /* number: worker */
	WEFT_PEERS_GONE = 6,
	WEFT_PEERS_OPERATION =
		7 /* number: worker; serial and number: the server and the worker it is for, 0: all; the rest:
							  operation */
} weft_peers_kind;

/* What is to be published: kept until Redis has it. */
typedef struct weft_publication weft_publication;
struct weft_publication {
	weft_publication *next;
	size_t length;
	char bytes[];
};

typedef struct {
	weft_publication *first, **end;
	weft_publication *unsent; /* the first that has not gone; those before it are unanswered */
	size_t bytes, under_way;  /* of all, and of the unanswered ones */
	size_t room;
	bool complained;
} weft_publications;

/* A worker elsewhere. Here it has the same number, unless another one has it. */
typedef struct {
	uint32_t number, here;
} weft_peer_node;

typedef struct weft_peer weft_peer;
struct weft_peer {
	uint64_t id;
	uint64_t last; /* number of the last message */
	uint64_t heard_at;
	bool hears;  /* since this server has joined, it has said something */
	bool missed; /* something of it, which has been said */
	weft_peer_node *nodes;
	uint32_t count, room;
	weft_peer *next;
};

struct weft_peers {
	uint64_t id;
	uint64_t number; /* of the last message made */
	weft_peers_limits limits;
	weft_peers_side side;
	weft_redis *redis;
	bool joined;
	bool begun; /* it has been joined before */
	uint64_t joined_at;
	uint64_t own_at;   /* when something of its own came back */
	uint64_t alive_at; /* when to say that it lives */
	weft_publications publications;
	weft_peer *first;
	uint32_t count;
	bool unreadable; /* what somebody says, which has been logged */
};

/* --- weft_peers_queue.c --- */
void weft_publications_init(weft_publications *queue, size_t room);
/* False: the oldest that had not gone went beyond. */
bool weft_publications_add(weft_publications *queue, const weft_operation *message);
/* The next that may go now; NULL: none. */
const weft_publication *weft_publications_next(weft_publications *queue);
/* The eldest of those that have gone has arrived. */
void weft_publications_arrived(weft_publications *queue);
/* Those that are unanswered go again. */
void weft_publications_again(weft_publications *queue);
void weft_publications_free(weft_publications *queue);

/* --- weft_peers_heard.c --- */
void weft_peers_take(weft_peers *peers, const char *bytes, size_t length);
void weft_peer_forget(weft_peers *peers, weft_peer *peer);

/* --- weft_peers.c --- */
void weft_peers_say(weft_peers *peers, weft_peers_kind kind, uint64_t to);
/* Sends what waits, if all others hear it. */
void weft_peers_go_on(weft_peers *peers);

#endif /* WEFT_PEERS_INTERNAL_H */
