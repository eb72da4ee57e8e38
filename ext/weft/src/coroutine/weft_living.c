/*
 * The list of coroutines that exist, in both directions, so that one leaves it without a search. What depends on all
 * of them is here: how many there are, whether a domain waits for itself, and giving up those that a fork or an end
 * leaves.
 */
#include "coroutine/weft_living.h"
#include "coroutine/weft_context.h"
#include "coroutine/weft_ready.h"

weft_living_list weft_living;
void (*weft_on_gone)(weft_coroutine *coroutine);
void (*weft_after_wait)(void);
void (*weft_monitors_release)(weft_coroutine *coroutine, bool bailed_out);
bool (*weft_monitors_may_wait)(const weft_wait_info *info);
bool (*weft_each_awaited)(const weft_coroutine *waiter, weft_awaited_visitor visit, void *arg);
static weft_coroutine_spawned_hook spawned_hook;
static weft_coroutine_ended_hook ended_hook;
static uint64_t last_id;
static weft_coroutine *free_coroutines;

static void coroutine_enlist(weft_coroutine *coroutine)
{
	coroutine->id = ++last_id;
	coroutine->all_next = weft_living.newest;
	coroutine->all_link = &weft_living.newest;
	if (weft_living.newest) {
		weft_living.newest->all_link = &coroutine->all_next;
	}
	weft_living.newest = coroutine;
	weft_living.count++;
}

static void coroutine_delist(weft_coroutine *coroutine)
{
	*coroutine->all_link = coroutine->all_next;
	if (coroutine->all_next) {
		coroutine->all_next->all_link = coroutine->all_link;
	}
	if (!coroutine->background) {
		weft_living.count--;
	}
}

weft_coroutine *weft_living_new(void)
{
	weft_coroutine *coroutine = free_coroutines;

	if (coroutine) {
		free_coroutines = coroutine->next;
	} else {
		/* Not from PHP's heap: a memory limit that one request has hit must not stop the server. */
		coroutine = pemalloc(sizeof(*coroutine), 1);
	}
	memset(coroutine, 0, sizeof(*coroutine));
	coroutine->wait.fd = -1;
	coroutine_enlist(coroutine);
	return coroutine;
}

void weft_coroutine_observe(weft_coroutine_spawned_hook spawned, weft_coroutine_ended_hook ended)
{
	ZEND_ASSERT(!spawned_hook);
	spawned_hook = spawned;
	ended_hook = ended;
}

void weft_living_free(weft_coroutine *coroutine)
{
	if (ended_hook) {
		ended_hook(coroutine);
	}
	if (UNEXPECTED(coroutine->monitors)) {
		weft_monitors_release(coroutine, false);
	}
	if (coroutine->object) {
		weft_on_gone(coroutine);
	}
	weft_family_leave(coroutine);
	coroutine_delist(coroutine);
	coroutine->next = free_coroutines;
	free_coroutines = coroutine;
}

static weft_coroutine *spawn(void *domain, void (*entry)(weft_coroutine *, void *), void *arg,
	void (*finished)(weft_coroutine *, void *), weft_domain_maker apart)
{
	weft_coroutine *coroutine = weft_living_new();

	coroutine->state = WEFT_COROUTINE_QUEUED;
	coroutine->entry = entry;
	coroutine->arg = arg;
	coroutine->finished = finished;
	coroutine->apart = apart;
	coroutine->queue = apart ? &coroutine->not_begun : &weft_base_run_queue;
	if (domain) {
		coroutine->domain = coroutine->queue = weft_domains.inherit(domain);
	}
	if (spawned_hook) {
		spawned_hook(weft_current, coroutine);
	}
	weft_ready_add(coroutine);
	return coroutine;
}

weft_coroutine *weft_coroutine_spawn(void (*entry)(weft_coroutine *, void *), void *arg,
	void (*finished)(weft_coroutine *, void *))
{
	return spawn(weft_current ? weft_current->domain : NULL, entry, arg, finished, NULL);
}

weft_coroutine *weft_coroutine_spawn_in(void *domain, void (*entry)(weft_coroutine *, void *), void *arg,
	void (*finished)(weft_coroutine *, void *))
{
	return spawn(domain, entry, arg, finished, NULL);
}

weft_coroutine *weft_coroutine_spawn_apart(void (*entry)(weft_coroutine *, void *), void *arg,
	void (*finished)(weft_coroutine *, void *), weft_domain_maker domain)
{
	return spawn(NULL, entry, arg, finished, domain);
}

void weft_coroutine_set_background(weft_coroutine *coroutine)
{
	coroutine->background = true;
	weft_living.count--;
}

uint32_t weft_coroutine_count(void)
{
	return weft_living.count;
}

bool weft_coroutine_alone(void)
{
	return !weft_living.newest->all_next;
}

/* Else it runs, is about to, or waits for a descriptor, a signal or a time. */
static bool waits_for_others(const weft_coroutine *coroutine)
{
	return coroutine->state == WEFT_COROUTINE_SUSPENDED && coroutine->wait.fd < 0 && !coroutine->wait.interruptible;
}

bool weft_domain_waits_for_itself(const void *domain)
{
	for (const weft_coroutine *c = weft_living.newest; c; c = c->all_next) {
		bool runs = c->state == WEFT_COROUTINE_RUNNING;

		if (c->domain == domain && !c->background && !runs && !waits_for_others(c)) {
			return false;
		}
	}
	return true;
}

void weft_scheduler_each(void (*visit)(weft_coroutine *, void *), void *arg)
{
	weft_coroutine *next;

	for (weft_coroutine *c = weft_living.newest; c; c = next) {
		next = c->all_next;
		visit(c, arg);
	}
}

void weft_living_abandon_others(const weft_coroutine *survivor)
{
	for (weft_coroutine *c = weft_living.newest, *next; c; c = next) {
		next = c->all_next;
		if (c != survivor && c != weft_main) {
			/* What it holds stays allocated: unwinding it would run its code a second time. Done, nothing that it
			 * waits for here can wake it. */
			c->state = WEFT_COROUTINE_DONE;
			weft_family_leave(c);
			coroutine_delist(c);
		}
	}
}

void weft_living_forget(void)
{
	for (weft_coroutine *c = weft_living.newest, *next; c; c = next) {
		next = c->all_next;
		if (c->object) {
			weft_on_gone(c);
		}
		if (c->home) {
			weft_context_destroy(c->home);
		}
		pefree(c, 1);
	}
	while (free_coroutines) {
		weft_coroutine *c = free_coroutines;

		free_coroutines = c->next;
		pefree(c, 1);
	}
	memset(&weft_living, 0, sizeof(weft_living));
	last_id = 0;
}
