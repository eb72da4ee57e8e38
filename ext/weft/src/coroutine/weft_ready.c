/*
 * The two rings of run queues, and when one in the second has a turn.
 */
#include "coroutine/weft_ready.h"

/* So long those that were preempted may wait for the others: beside any number of short requests they have a slice
 * (10 ms) in each such time, and a long one ends. */
#define LONGEST_WAIT (50 * WEFT_NS_PER_MS)

weft_ready_ring weft_ready, weft_ready_preempted;
weft_run_queue weft_base_run_queue;
static uint64_t preempted_ran; /* when one of them last had a turn */

static void remove_from_ready(weft_run_queue *queue)
{
	weft_run_queue *before = queue;

	while (before->next != queue) {
		before = before->next;
	}
	weft_ready_remove(&weft_ready, queue, before);
}

static void put_first(weft_ready_ring *ring, weft_run_queue *queue)
{
	weft_run_queue *last = ring->last;

	weft_ready_append(ring, queue);
	if (last) {
		ring->last = last;
		ring->due = queue->first;
	}
}

void weft_ready_add_preempted(weft_coroutine *coroutine, bool takes_turns)
{
	weft_run_queue *queue = coroutine->queue;

	if (queue->last) { /* others of its domain could run */
		remove_from_ready(queue);
	} else {
		queue->last = coroutine;
	}
	coroutine->next = queue->first;
	queue->first = coroutine;
	if (weft_ready_preempted.count == 0) {
		preempted_ran = weft_just_now();
	}
	if (queue->has_been_preempted && !takes_turns) {
		put_first(&weft_ready_preempted, queue);
	} else {
		weft_ready_append(&weft_ready_preempted, queue);
	}
	queue->preempted = queue->has_been_preempted = true;
}

weft_coroutine *weft_ready_take_preempted(void)
{
	weft_coroutine *coroutine = weft_ready_preempted.due;
	weft_run_queue *queue = coroutine->queue;

	weft_ready_remove(&weft_ready_preempted, queue, weft_ready_preempted.last);
	queue->preempted = false;
	queue->first = coroutine->next;
	if (queue->first) {
		weft_ready_append(&weft_ready, queue);
	} else {
		queue->last = NULL;
	}
	preempted_ran = weft_just_now();
	return coroutine;
}

bool weft_ready_owes_preempted(uint64_t now)
{
	return weft_ready_preempted.due && now > preempted_ran + LONGEST_WAIT;
}

bool weft_domain_was_preempted(const void *domain)
{
	const weft_run_queue *queue = domain ? (const weft_run_queue *) domain : &weft_base_run_queue;

	return queue->preempted;
}

bool weft_ready_has_fresh(const weft_coroutine *coroutine)
{
	return weft_ready.count > 1 || (weft_ready.last && weft_ready.last != coroutine->queue);
}

bool weft_ready_has_other_domain(const weft_coroutine *coroutine)
{
	return weft_ready_preempted.due || weft_ready_has_fresh(coroutine);
}

uint32_t weft_ready_count(void)
{
	return weft_ready.count + weft_ready_preempted.count;
}

uint32_t weft_preempted_count(void)
{
	return weft_ready_preempted.count;
}

static void clear(weft_ready_ring *ring)
{
	while (ring->due) {
		weft_run_queue *queue = ring->due->queue;

		weft_ready_remove(ring, queue, ring->last);
		memset(queue, 0, sizeof(*queue));
	}
	memset(ring, 0, sizeof(*ring));
}

void weft_ready_clear(void)
{
	clear(&weft_ready);
	clear(&weft_ready_preempted);
}
