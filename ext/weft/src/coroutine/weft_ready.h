/*
 * The coroutines that could run, in the order of their turns. Private to the coroutine floor.
 *
 * Two levels: round robin over domains, and first come, first served among the coroutines of one. So a request with
 * 10,000 coroutines that are ready has one turn in each round, like any other. A request that has not begun has a run
 * queue of its own, in its coroutine, since its domain does not exist yet.
 */
#ifndef WEFT_READY_H
#define WEFT_READY_H

#include "coroutine/weft_coroutine.h"

typedef struct {
	weft_coroutine *due;  /* whose turn it is: the first one of the first queue. A switch need not look further */
	weft_run_queue *last; /* of those that hold a coroutine; its next is the first: the turn passes by one store */
	uint32_t count, preempted_count;
} weft_ready_ring;

extern weft_ready_ring weft_ready;
/* Of coroutines without a domain. */
extern weft_run_queue weft_base_run_queue;

/* The queue has its turn after all others. Inlined with the rest: every switch passes here. */
static zend_always_inline void weft_ready_append(weft_run_queue *queue)
{
	if (weft_ready.last) {
		queue->next = weft_ready.last->next;
		weft_ready.last->next = queue;
	} else {
		queue->next = queue;
		weft_ready.due = queue->first;
	}
	weft_ready.last = queue;
	weft_ready.count++;
}

/* `before` stands before it in the ring. */
static zend_always_inline void weft_ready_remove(weft_run_queue *queue, weft_run_queue *before)
{
	before->next = queue->next;
	if (weft_ready.last == queue) {
		weft_ready.last = before == queue ? NULL : before;
	}
	weft_ready.due = weft_ready.last ? weft_ready.last->next->first : NULL;
	weft_ready.count--;
}

/* At the back of its domain's queue. */
static inline void weft_ready_add(weft_coroutine *coroutine)
{
	weft_run_queue *queue = coroutine->queue;

	coroutine->next = NULL;
	if (queue->last) {
		queue->last->next = coroutine;
	} else {
		queue->first = coroutine;
		weft_ready_append(queue);
	}
	queue->last = coroutine;
}

/* At the front of its domain's queue, which goes to the back: coroutines of one domain may rely on each other's not
 * running between two waits. */
void weft_ready_add_preempted(weft_coroutine *coroutine);
/* It runs again. */
void weft_ready_preempted_goes_on(weft_coroutine *coroutine);

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
		weft_ready_remove(queue, weft_ready.last);
	}
	return coroutine;
}

/* Whether a coroutine of another domain than this one's could run. */
bool weft_ready_has_other_domain(const weft_coroutine *coroutine);
void weft_ready_clear(void);

#endif /* WEFT_READY_H */
