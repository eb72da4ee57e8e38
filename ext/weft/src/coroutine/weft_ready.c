/*
 * The rings of run queues, and when one of those that were preempted has a turn.
 */
#include "coroutine/weft_ready.h"
#include "coroutine/weft_cpu_time.h"

/* So long a ring may wait for those before it: beside any number of short requests a long one has a slice (10 ms) in
 * each such time, and ends. */
#define LONGEST_WAIT (50 * WEFT_NS_PER_MS)

typedef struct {
	weft_ready_ring ring;
	uint64_t ran; /* when one of them last had a turn */
} preempted_ring;

weft_ready_ring weft_ready;
weft_run_queue weft_base_run_queue;
static preempted_ring computing, computing_for_long;

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

weft_preempted_place weft_ready_place_after_slice(const weft_coroutine *self)
{
	if (weft_cpu_time_of_present(weft_now()) >= WEFT_LONG) {
		return WEFT_PREEMPTED_LONG;
	}
	return self->queue->has_used_up_slice ? WEFT_PREEMPTED_FIRST : WEFT_PREEMPTED_LAST;
}

void weft_ready_add_preempted(weft_coroutine *coroutine, weft_preempted_place place)
{
	preempted_ring *to = place == WEFT_PREEMPTED_LONG ? &computing_for_long : &computing;
	weft_run_queue *queue = coroutine->queue;

	if (queue->last) { /* others of its domain could run */
		remove_from_ready(queue);
	} else {
		queue->last = coroutine;
	}
	coroutine->next = queue->first;
	queue->first = coroutine;
	if (to->ring.count == 0) {
		to->ran = weft_just_now();
	}
	if (place == WEFT_PREEMPTED_FIRST) {
		put_first(&to->ring, queue);
	} else {
		weft_ready_append(&to->ring, queue);
	}
	queue->preempted = true;
	queue->computed = weft_cpu_time_of_present(weft_now());
}

static bool is_owed(const preempted_ring *of)
{
	return of->ring.due && weft_just_now() > of->ran + LONGEST_WAIT;
}

static weft_coroutine *take_from(preempted_ring *from)
{
	weft_coroutine *coroutine = from->ring.due;
	weft_run_queue *queue = coroutine->queue;

	weft_ready_remove(&from->ring, queue, from->ring.last);
	from->ran = weft_just_now();
	queue->preempted = false;
	queue->first = coroutine->next;
	if (queue->first) {
		weft_ready_append(&weft_ready, queue);
	} else {
		queue->last = NULL;
	}
	return coroutine;
}

weft_coroutine *weft_ready_take_preempted(void)
{
	if (computing.ring.due && !is_owed(&computing_for_long)) {
		return take_from(&computing);
	}
	return computing_for_long.ring.due ? take_from(&computing_for_long) : NULL;
}

bool weft_ready_owes_preempted(void)
{
	return is_owed(&computing) || is_owed(&computing_for_long);
}

bool weft_domain_was_preempted(const void *domain)
{
	const weft_run_queue *queue = domain ? (const weft_run_queue *) domain : &weft_base_run_queue;

	return queue->preempted;
}

static bool has_other(const weft_coroutine *coroutine)
{
	return weft_ready.count > 1 || (weft_ready.last && weft_ready.last != coroutine->queue);
}

bool weft_ready_has_fresh(const weft_coroutine *coroutine)
{
	return has_other(coroutine) || is_owed(&computing_for_long);
}

bool weft_ready_has_other_domain(const weft_coroutine *coroutine)
{
	return weft_preempted_count() > 0 || has_other(coroutine);
}

uint32_t weft_ready_count(void)
{
	return weft_ready.count + weft_preempted_count();
}

uint32_t weft_preempted_count(void)
{
	return computing.ring.count + computing_for_long.ring.count;
}

uint64_t weft_computed_least(void)
{
	const weft_run_queue *last = computing.ring.last, *queue = last;
	uint64_t least = UINT64_MAX;

	if (weft_current && weft_current->state == WEFT_COROUTINE_RUNNING) {
		least = weft_cpu_time_of_present(weft_now());
	}
	for (uint32_t i = 0; i < computing.ring.count; i++, queue = queue->next) {
		least = queue->computed < least ? queue->computed : least;
	}
	return least;
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
	clear(&computing.ring);
	clear(&computing_for_long.ring);
}
