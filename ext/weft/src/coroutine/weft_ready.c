/*
 * A queue of coroutines, and the few reasons why one runs out of turn.
 */
#include "coroutine/weft_ready.h"

/* How far weft_ready_bring_other_domain() looks. */
#define SIBLINGS_TO_PASS 256

weft_ready_queue weft_ready;

static void add_first(weft_coroutine *coroutine)
{
	coroutine->next = weft_ready.first;
	weft_ready.first = coroutine;
	weft_ready.count++;
	if (!weft_ready.last) {
		weft_ready.last = coroutine;
	}
}

static void unqueue(weft_coroutine *before, const weft_coroutine *coroutine)
{
	if (!before) {
		(void) weft_ready_dequeue();
		return;
	}
	before->next = coroutine->next;
	weft_ready.count--;
	if (weft_ready.last == coroutine) {
		weft_ready.last = before;
	}
}

void weft_ready_add_preempted(weft_coroutine *coroutine)
{
	coroutine->preempted = true;
	coroutine->preempted_next = weft_ready.preempted;
	weft_ready.preempted = coroutine;
	weft_ready.preempted_count++;
	weft_ready_add(coroutine);
}

static void forget_preempted(weft_coroutine *coroutine)
{
	weft_coroutine **link = &weft_ready.preempted;

	while (*link != coroutine) {
		link = &(*link)->preempted_next;
	}
	*link = coroutine->preempted_next;
	weft_ready.preempted_count--;
	coroutine->preempted = false;
}

/* Coroutines of one domain may rely on each other's not running between two waits. So while one of them is preempted,
 * its siblings go behind it, in their order. */
weft_coroutine *weft_ready_pass_siblings_of_preempted(weft_coroutine *due)
{
	while (!due->preempted && weft_domain_was_preempted(due->domain)) {
		weft_ready_add(due);
		due = weft_ready_dequeue();
	}
	if (due->preempted) {
		forget_preempted(due);
	}
	return due;
}

bool weft_domain_was_preempted(const void *domain)
{
	const weft_coroutine *c = weft_ready.preempted;

	while (c && c->domain != domain) {
		c = c->preempted_next;
	}
	return c != NULL;
}

bool weft_ready_bring_other_domain(const void *domain)
{
	weft_coroutine *before = NULL, *coroutine = weft_ready.first;

	for (int i = 0; coroutine && coroutine->domain == domain; i++) {
		before = coroutine;
		coroutine = i < SIBLINGS_TO_PASS ? coroutine->next : NULL;
	}
	if (coroutine && before) {
		unqueue(before, coroutine);
		add_first(coroutine);
	}
	return coroutine != NULL;
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
	memset(&weft_ready, 0, sizeof(weft_ready));
}
