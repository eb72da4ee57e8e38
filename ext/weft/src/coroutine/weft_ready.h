/*
 * The coroutines that could run, in the order of their turns. Private to the coroutine floor.
 */
#ifndef WEFT_READY_H
#define WEFT_READY_H

#include "coroutine/weft_coroutine.h"

typedef struct {
	weft_coroutine *first, *last;
	weft_coroutine *preempted; /* those of them that wait since weft_preempt(), newest first */
	uint32_t count, preempted_count;
} weft_ready_queue;

extern weft_ready_queue weft_ready;

/* At the back. Inlined with weft_ready_take(): every switch passes here. */
static inline void weft_ready_add(weft_coroutine *coroutine)
{
	coroutine->next = NULL;
	if (weft_ready.last) {
		weft_ready.last->next = coroutine;
	} else {
		weft_ready.first = coroutine;
	}
	weft_ready.last = coroutine;
	weft_ready.count++;
}

void weft_ready_add_preempted(weft_coroutine *coroutine);
/* Private to this pair of files. */
weft_coroutine *weft_ready_pass_siblings_of_preempted(weft_coroutine *due);

static inline weft_coroutine *weft_ready_dequeue(void)
{
	weft_coroutine *coroutine = weft_ready.first;

	if (coroutine) {
		weft_ready.count--;
		weft_ready.first = coroutine->next;
		if (!weft_ready.first) {
			weft_ready.last = NULL;
		}
	}
	return coroutine;
}

/* Whose turn it is; the queue must not be empty. */
static inline weft_coroutine *weft_ready_take(void)
{
	weft_coroutine *due = weft_ready_dequeue();

	return EXPECTED(!weft_ready.preempted) ? due : weft_ready_pass_siblings_of_preempted(due);
}

/* Brings one of another domain than this to the front. Does not look behind a crowd of that domain's own. */
bool weft_ready_bring_other_domain(const void *domain);
void weft_ready_clear(void);

#endif /* WEFT_READY_H */
