/*
 * A thread of a worker that ends it when the one that runs PHP doesn't: because it computes, or waits in C, and never
 * comes back to its loop. Only a thread of the same process can tell where PHP code stands then.
 */
#ifndef WEFT_GUARD_H
#define WEFT_GUARD_H

#include "http/weft_board.h"

/* How often it looks. */
#define WEFT_GUARD_LOOK_MS 500
/* A worker that has stood still for this part of the limit is told of, and another takes its place. */
#define WEFT_GUARD_TELLS_AFTER 10

typedef struct {
	int leash;               /* its end: there is no supervisor */
	int channel;             /* to the zygote */
	uint32_t grace_ms;       /* from then on to the end */
	uint32_t stuck_ms;       /* for as long may it stand still; 0: for ever */
	uint32_t number;         /* of the worker */
	weft_board_entry *entry; /* with the worker's beat; NULL: it isn't watched */
} weft_guard;

/* False with errno. */
bool weft_guard_start(const weft_guard *guard);

#endif /* WEFT_GUARD_H */
