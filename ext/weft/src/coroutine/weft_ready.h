/*
 * The coroutines that could run, in the order of their turns. Private to the coroutine floor.
 *
 * Round robin over domains, and first come, first served among the coroutines of one. So a request with 10,000
 * coroutines that are ready has one turn in each round, like any other. A request that has not begun has a run queue of
 * its own, in its coroutine, since its domain does not exist yet.
 *
 * Domains that were computing when they lost their turn stand in a ring of their own and run when that of the others is
 * empty: one after the other, each to its next wait or its end, but those that have computed for WEFT_LONG, which take
 * turns. So what computes for long keeps nobody waiting who needs a moment, and pages that all compute don't share the
 * CPU's caches and don't all end late.
 */
#ifndef WEFT_READY_H
#define WEFT_READY_H

#include "coroutine/weft_coroutine.h"

typedef struct {
	weft_coroutine *due;  /* whose turn it is: the first one of the first queue. A switch need not look further */
	weft_run_queue *last; /* of those that hold a coroutine; its next is the first: the turn passes by one store */
	uint32_t count;
} weft_ready_ring;

extern weft_ready_ring weft_ready, weft_ready_preempted;
/* Of coroutines without a domain. */
extern weft_run_queue weft_base_run_queue;

/* The queue has its turn after all others. Inlined with the rest: every switch passes here. */
static zend_always_inline void weft_ready_append(weft_ready_ring *ring, weft_run_queue *queue)
{
	if (ring->last) {
		queue->next = ring->last->next;
		ring->last->next = queue;
	} else {
		queue->next = queue;
		ring->due = queue->first;
	}
	ring->last = queue;
	ring->count++;
}

/* `before` stands before it in the ring. */
static zend_always_inline void weft_ready_remove(weft_ready_ring *ring, weft_run_queue *queue, weft_run_queue *before)
{
	before->next = queue->next;
	if (ring->last == queue) {
		ring->last = before == queue ? NULL : before;
	}
	ring->due = ring->last ? ring->last->next->first : NULL;
	ring->count--;
}

/* At the back of its domain's queue, in whatever ring that is. */
static inline void weft_ready_add(weft_coroutine *coroutine)
{
	weft_run_queue *queue = coroutine->queue;

	coroutine->next = NULL;
	if (queue->last) {
		queue->last->next = coroutine;
	} else {
		queue->first = coroutine;
		weft_ready_append(&weft_ready, queue);
	}
	queue->last = coroutine;
}

/* At the front of its domain's queue: coroutines of one domain may rely on each other's not running between two waits.
 * The queue goes to the front of those that were preempted when it has been there already, unless it takes turns. */
void weft_ready_add_preempted(weft_coroutine *coroutine, bool takes_turns);

/* Whose turn it is; there must be one. */
static inline weft_coroutine *weft_ready_take(void)
{
	weft_coroutine *coroutine = weft_ready.due;
	weft_run_queue *queue = coroutine->queue;

	queue->first = coroutine->next;
	if (queue->first) {
		weft_ready.last = queue;
		weft_ready.due = queue->next->first;
	} else {
		queue->last = NULL;
		weft_ready_remove(&weft_ready, queue, weft_ready.last);
	}
	return coroutine;
}

/* The same among those that were preempted. */
weft_coroutine *weft_ready_take_preempted(void);
/* Whether one of those should have a turn although others could run: none has had one for a while. */
bool weft_ready_owes_preempted(uint64_t now);

/* Whether a coroutine of another domain than this one's could run, of those that were not preempted or of all. */
bool weft_ready_has_fresh(const weft_coroutine *coroutine);
bool weft_ready_has_other_domain(const weft_coroutine *coroutine);
void weft_ready_clear(void);

#endif /* WEFT_READY_H */
