/*
 * The bus: by it each worker tells all workers, of all generations, what is done with rooms (http/ws/weft_rooms.h).
 *
 *     worker  --SOCK_STREAM-->  supervisor  --SOCK_STREAM-->  every worker, the sender included
 *
 * A worker makes a pair of sockets and hands one of them to the supervisor by the door, a socket that all zygotes have
 * inherited. The supervisor relays what comes from any of them to each of them, in the order in which it came
 * (weft_relay.h), and tells of who comes and goes. It knows nothing of what it relays.
 */
#ifndef WEFT_BUS_H
#define WEFT_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
	WEFT_BUS_OPERATION = 1, /* up: `node` is who gets it, 0: all. Down: `node` is whose it is. The operation follows */
	WEFT_BUS_COME = 2,      /* down: a node, which may be the reader */
	WEFT_BUS_FOUND = 3,     /* down: a node that has been there for longer than the reader */
	WEFT_BUS_GONE = 4,      /* down: a node; nothing of it comes any more */
	WEFT_BUS_AGAIN = 5 /* down: a node, some of whose operations are missed: it is about to tell of its members again */
} weft_bus_kind;

/* Of an operation, beyond weft.bus_buffer: of one that publishes there are the names of rooms beside the message. */
#define WEFT_BUS_BESIDE 65536

/* Before each, in the order of bytes of this machine. */
typedef struct {
	uint32_t length; /* of what follows */
	uint32_t node;
	uint32_t kind;
} weft_bus_head;

/* With the socket, by the door. */
typedef struct {
	uint32_t node;
	uint32_t patience_ms; /* that the worker may be behind by so many bytes */
	uint64_t buffer;
} weft_bus_entry;

#ifdef WEFT_WEBSOCKET
/* The worker's end. `lost` is called when the supervisor has cut it off while it lives: this worker must be
 * replaced. */
void weft_bus_join(int door, void (*lost)(void *arg), void *arg);
/* The server stops or goes: who loses the supervisor now has lost nothing else. */
void weft_bus_expect_end(void);
/* What has not gone yet goes, unless that takes too long. */
void weft_bus_leave(void);
#else
#define weft_bus_join(door, lost, arg) ((void) (lost))
#define weft_bus_expect_end() ((void) 0)
#define weft_bus_leave() ((void) 0)
#endif

#endif /* WEFT_BUS_H */
