/*
 * The ring of run queues, and the one reason why a coroutine runs before others of its domain.
 */
#include "coroutine/weft_ready.h"

weft_ready_ring weft_ready;
weft_run_queue weft_base_run_queue;

static void move_to_back(weft_run_queue *queue)
{
	weft_run_queue *before = queue;

	while (before->next != queue) {
		before = before->next;
	}
	weft_ready_remove(queue, before);
	weft_ready_append(queue);
}

void weft_ready_add_preempted(weft_coroutine *coroutine)
{
	weft_run_queue *queue = coroutine->queue;

	coroutine->next = queue->first;
	queue->first = coroutine; /* if it was first in the ring, it is not when this is over, or it is alone */
	if (queue->last) {
		move_to_back(queue);
	} else {
		queue->last = coroutine;
		weft_ready_append(queue);
	}
	if (!queue->preempted) {
		queue->preempted = true;
		weft_ready.preempted_count++;
	}
}

void weft_ready_preempted_goes_on(weft_coroutine *coroutine)
{
	if (coroutine->queue->preempted) {
		coroutine->queue->preempted = false;
		weft_ready.preempted_count--;
	}
}

bool weft_domain_was_preempted(const void *domain)
{
	const weft_run_queue *queue = domain ? (const weft_run_queue *) domain : &weft_base_run_queue;

	return queue->preempted;
}

bool weft_ready_has_other_domain(const weft_coroutine *coroutine)
{
	return weft_ready.count > 1 || (weft_ready.last && weft_ready.last != coroutine->queue);
}

uint32_t weft_ready_count(void)
{
	return weft_ready.count;
}

uint32_t weft_preempted_count(void)
{
	return weft_ready.preempted_count;
}

void weft_ready_clear(void)
{
	while (weft_ready.due) {
		weft_run_queue *queue = weft_ready.due->queue;

		weft_ready_remove(queue, weft_ready.last);
		memset(queue, 0, sizeof(*queue));
	}
	memset(&weft_ready, 0, sizeof(weft_ready));
}
