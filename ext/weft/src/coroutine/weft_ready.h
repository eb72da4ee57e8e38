/*
 * The coroutines that could run, in the order of their turns. Private to the coroutine floor.
 *
 * Round robin over domains, and first come, first served among the coroutines of one. So a request with 10,000
 * coroutines that are ready has one turn in each round, like any other. A request that has not begun has a run queue of
 * its own, in its coroutine, since its domain does not exist yet.
 *
 * Domains that were computing when they lost their turn stand in two rings of their own, which run when that of the
 * others is empty: first those that have computed for less than WEFT_LONG, one after the other, each to its next wait
 * or its end; then the others, in turns. So what computes for long keeps nobody waiting who needs a moment, and pages
 * that all compute don't share the CPU's caches and don't all end late. A ring of which none has run for a while has a
 * turn all the same.
 */
#ifndef WEFT_READY_H
#define WEFT_READY_H

#include "coroutine/weft_coroutine.h"

typedef struct {
	weft_coroutine *due;  /* whose turn it is: the first one of the first queue. A switch need not look further */
	weft_run_queue *last; /* of those that hold a coroutine; its next is the first: the turn passes by one store */
	uint32_t count;
} weft_ready_ring;

extern weft_ready_ring weft_ready;
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

typedef enum {
	WEFT_PREEMPTED_FIRST, /* it goes on before the others */
	WEFT_PREEMPTED_LAST,
	WEFT_PREEMPTED_LONG, /* behind all, in the other ring */
} weft_preempted_place;

/* Where the running coroutine's domain belongs at the end of a slice. */
weft_preempted_place weft_ready_place_after_slice(const weft_coroutine *self);

/* At the front of its domain's queue: coroutines of one domain may rely on each other's not running between two
 * waits. */
void weft_ready_add_preempted(weft_coroutine *coroutine, weft_preempted_place place);

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

/* The same among those that were preempted; NULL: there is none. */
weft_coroutine *weft_ready_take_preempted(void);
/* Whether one of those should have a turn although others could run. */
bool weft_ready_owes_preempted(void);

/* Whether a coroutine of another domain than this one's could run that was not preempted, or should have a turn. */
bool weft_ready_has_fresh(const weft_coroutine *coroutine);
/* Whether one could run at all. */
bool weft_ready_has_other_domain(const weft_coroutine *coroutine);
void weft_ready_clear(void);

#endif /* WEFT_READY_H */
