/*
 * Rooms: names, and which of this worker's sockets are in each. What is published in a room reaches its sockets in all
 * workers, and each worker knows the members of all rooms (presence), wherever their sockets are.
 *
 * What one worker wants all to do is an operation (weft_operation.h). It goes to all of them, the sender included, by a
 * carrier: the bus, which has one order for all. So each worker applies the same operations in the same order, and
 * whoever joins, leaves and publishes is seen everywhere as he is here. A worker is a node, and has a number.
 */
#ifndef WEFT_ROOMS_H
#define WEFT_ROOMS_H

#include "http/ws/weft_operation.h"

typedef struct weft_ws weft_ws;

/* Bytes of a room's name. Pusher's channels have 164 at most. */
#define WEFT_ROOM_NAME 200
/* Of each text that is kept with a member, in all workers. Pusher's are below 2 KB. */
#define WEFT_ROOM_TEXT 16384

/* --- what carries operations --- */

typedef struct {
	/* To one node, 0: to all. Takes whatever comes; who can wait looks before how much is under way. */
	void (*send)(uint32_t to, const void *operation, size_t length);
	/* Bytes that have not gone yet. */
	size_t (*unsent)(void);
} weft_rooms_carrier;

/* The number of this worker. */
uint32_t weft_rooms_node(void);
/* This process is a worker from now on. NULL: there is no other, and what it sends comes back in the reactor's next
 * round. */
void weft_rooms_begin(const weft_rooms_carrier *carrier);
/* Called by the carrier before each of what follows, and behind the last: what the one before sends to many, and the
 * members of a node that is gone, go in turns. False: that is not over yet, and the carrier asks again in the reactor's
 * next round, before anything else. */
bool weft_rooms_go_on(void);
/* Called by the carrier, for each operation that is for this node, in order. */
void weft_rooms_apply(uint32_t node, const void *operation, size_t length);
/* Called by the carrier, in the same order. This node comes as well, behind all that are found. */
void weft_rooms_node_come(uint32_t node);
/* The same, of one that has been there: it has members, and is about to tell of them. */
void weft_rooms_node_found(uint32_t node);
void weft_rooms_node_gone(uint32_t node);
/* Some of its operations are missed, and it is about to tell of its members again: those that it does not name have
 * left. */
void weft_rooms_node_again(uint32_t node);
/* Called by the carrier when less is under way than was. */
void weft_rooms_sent(void);
/* The carrier is gone, and what the others do is not heard any more. With `missed` every socket in a room is closed:
 * its client comes again, to another worker, and asks for what it needs. */
void weft_rooms_cut(bool missed);

/* Bytes that may be under way. */
size_t weft_rooms_buffer(void);
/* For how long a worker may be behind by so many, in milliseconds. */
uint32_t weft_rooms_patience(void);
/* Bytes that may wait for Redis, and for how long a server on another machine may say nothing. */
size_t weft_rooms_redis_buffer(void);
uint32_t weft_rooms_silence_ms(void);

/* --- what is done with rooms --- */

typedef enum {
	WEFT_ROOMS_DONE,
	WEFT_ROOMS_CANCELLED, /* while it waited; an exception is pending */
	WEFT_ROOMS_TOO_MANY,  /* weft.ws_rooms: the socket is in as many */
	WEFT_ROOMS_FULL,      /* nobody may wait here, and far too much is under way */
	WEFT_ROOMS_NO_WORKER  /* this process is none */
} weft_rooms_result;

/* What a room tells of a member. */
typedef struct {
	weft_bytes name; /* no bytes: the socket is no member */
	weft_bytes about;
	weft_bytes joined; /* for the others, when it is the member's first socket; no bytes: nothing */
	weft_bytes left;   /* for the others, when it was the last */
} weft_rooms_member;

/* A member's socket is in the room, and this returns, when all workers know. One that is there already stays as
 * it is. */
weft_rooms_result weft_rooms_enter(weft_ws *socket, weft_bytes room, const weft_rooms_member *member);
void weft_rooms_leave(weft_ws *socket, weft_bytes room);
/* The socket has ended. */
void weft_rooms_leave_all(weft_ws *socket);
/* Whom a message does not reach. Node 0: it reaches all. */
typedef struct {
	uint32_t node;
	uint64_t serial;
} weft_rooms_except;
/* Waits while as much is under way as may be, and until this worker has heard of it itself: what anybody publishes
 * after that comes behind it. */
weft_rooms_result weft_rooms_publish(const weft_bytes *rooms, uint32_t count, weft_bytes message, bool binary,
	weft_rooms_except except);
weft_rooms_result weft_rooms_close_all(weft_bytes room, uint16_t code, weft_bytes reason);

/* The rooms of a socket, members of a room and counts: `tell` is called for each and may throw, but not suspend. */
typedef void weft_rooms_tell(void *arg, weft_bytes name, weft_bytes about, uint32_t count);
void weft_rooms_of(weft_ws *socket, weft_rooms_tell *tell, void *arg);
/* Waits, for a second at most, until this worker has heard of all members: it may be new. */
weft_rooms_result weft_rooms_members(weft_bytes room, weft_rooms_tell *tell, void *arg);
/* Asks all workers, and waits for a second at most. The same room may be told of more than once. Each worker looks at
 * all of its rooms, or, when the name is `exact` and no prefix, at that one. */
weft_rooms_result weft_rooms_count(weft_bytes name, bool exact, weft_rooms_tell *tell, void *arg);

void weft_rooms_minit(int module_number);

#endif /* WEFT_ROOMS_H */
