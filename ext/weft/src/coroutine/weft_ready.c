#include "coroutine/weft_ready.h"

/* How far weft_ready_bring_other_domain() looks. */
#define SIBLINGS_TO_PASS 256

weft_ready_queue weft_ready;

static void add_first(weft_coroutine *coroutine)
{
	coroutine->next = weft_ready.first;
	weft_ready.first = coroutine;
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
	if (weft_ready.last == coroutine) {
		weft_ready.last = before;
	}
}

void weft_ready_add_preempted(weft_coroutine *coroutine)
{
	coroutine->preempted = true;
	weft_ready.preempted++;
	weft_ready_add(coroutine);
}

/* Takes the preempted one of a domain out of the queue, when there is one. */
static weft_coroutine *take_preempted(const void *domain)
{
	weft_coroutine *before = NULL, *coroutine = weft_ready.first;

	while (coroutine && !(coroutine->preempted && coroutine->domain == domain)) {
		before = coroutine;
		coroutine = coroutine->next;
	}
	if (coroutine) {
		unqueue(before, coroutine);
	}
	return coroutine;
}

/* Coroutines of one domain may rely on each other's not running between two waits. So when one of them was preempted,
 * it goes first, whoever of them is due. */
weft_coroutine *weft_ready_make_way_for_preempted(weft_coroutine *due)
{
	weft_coroutine *first = due->preempted ? due : take_preempted(due->domain);

	if (!first) {
		return due;
	}
	if (first != due) {
		add_first(due);
	}
	first->preempted = false;
	weft_ready.preempted--;
	return first;
}

bool weft_domain_was_preempted(const void *domain)
{
	for (weft_coroutine *c = weft_ready.preempted ? weft_ready.first : NULL; c; c = c->next) {
		if (c->preempted && c->domain == domain) {
			return true;
		}
	}
	return false;
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

void weft_ready_clear(void)
{
	memset(&weft_ready, 0, sizeof(weft_ready));
}
