/*
 * Joining the line, sleeping in it, being woken, and leaving it.
 */
#include "pdo/weft_pdo_line.h"
#include "pdo/weft_pdo_server.h"
#include "domain/weft_domain.h"
#include "php_weft.h"

/* So often the age of a request counts: more statements than most pages have. */
#define TURNS_AHEAD 100
/* And so much of it: this part of weft.pdo_acquire_timeout. */
#define TIME_AHEAD 2

uint64_t weft_pdo_line_rank(uint64_t since)
{
	uint64_t ahead = (uint64_t) (WEFT_G(pdo_acquire_timeout) * (double) WEFT_NS_PER_SEC) / TIME_AHEAD;
	uint64_t began;

	if (!weft_domain_in_place || weft_domain_queries_in_place()->turns++ >= TURNS_AHEAD) {
		return since;
	}
	began = weft_domain_began(weft_domain_in_place);
	return since > ahead ? MAX(began, since - ahead) : began;
}

static bool goes_behind(const weft_pdo_waiter *waiter, uint64_t rank)
{
	return waiter->rank > rank && !waiter->opens;
}

/* Behind whom; NULL: it is the first. Looks from both ends at once, since nearly all that come belong near one of them:
 * who is new near the last, and who has had links before near the first. */
static weft_pdo_waiter *find_place(const weft_pdo_pool *pool, uint64_t rank)
{
	weft_pdo_waiter *front = pool->waiters, *back = pool->waiters_last;

	while (back && goes_behind(back, rank)) {
		if (goes_behind(front, rank)) {
			return front->previous;
		}
		front = front->next;
		back = back->previous;
	}
	return back;
}

static void line_enqueue(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	weft_pdo_waiter *before = waiter->opens ? NULL : find_place(pool, waiter->rank);

	waiter->queued = true;
	waiter->previous = before;
	waiter->next = before ? before->next : pool->waiters;
	*(before ? &before->next : &pool->waiters) = waiter;
	*(waiter->next ? &waiter->next->previous : &pool->waiters_last) = waiter;
	pool->server->waiters++;
}

static void line_dequeue(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	waiter->queued = false;
	*(waiter->previous ? &waiter->previous->next : &pool->waiters) = waiter->next;
	*(waiter->next ? &waiter->next->previous : &pool->waiters_last) = waiter->previous;
	pool->server->waiters--;
}

void weft_pdo_line_wake_all(weft_pdo_pool *pool)
{
	while (pool->waiters) {
		weft_pdo_waiter *waiter = pool->waiters;

		line_dequeue(pool, waiter);
		weft_wake(waiter->coroutine);
	}
}

void weft_pdo_line_wake(weft_pdo_waiter *waiter)
{
	if (waiter->asleep) {
		waiter->asleep = false;
		weft_wake(waiter->coroutine);
	}
}

void weft_pdo_line_wake_next(weft_pdo_pool *pool)
{
	if (pool->waiters) {
		weft_pdo_line_wake(pool->waiters);
	}
}

weft_pdo_waiter *weft_pdo_line_first_of(const weft_pdo_pool *pool, const void *domain)
{
	weft_pdo_waiter *waiter = pool->waiters;

	while (waiter && (waiter->domain != domain || !waiter->asleep)) {
		waiter = waiter->next;
	}
	return waiter;
}

void weft_pdo_line_wake_wanting(const weft_pdo_link *link)
{
	for (weft_pdo_waiter *waiter = link->pool->wanting; waiter; waiter = waiter->next) {
		if (waiter->wanted == link) {
			weft_pdo_line_wake(waiter);
		}
	}
}

uint32_t weft_pdo_pool_waiting(const weft_pdo_pool *pool)
{
	uint32_t count = 0;

	for (const weft_pdo_waiter *waiter = pool->waiters; waiter; waiter = waiter->next) {
		count++;
	}
	return count;
}

void weft_pdo_line_join(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	if (!waiter->wanted) {
		line_enqueue(pool, waiter);
		return;
	}
	waiter->next = pool->wanting;
	pool->wanting = waiter;
}

void weft_pdo_line_leave(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	weft_pdo_waiter **place = &pool->wanting;

	if (!waiter->wanted) {
		line_dequeue(pool, waiter);
		return;
	}
	while (*place != waiter) {
		place = &(*place)->next;
	}
	*place = waiter->next;
}

bool weft_pdo_line_sleep(const weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	weft_wait_info info = {.what = "a database connection", .fd = -1, .on = pool};
	bool woken;

	waiter->asleep = true;
	waiter->called = false;
	woken = weft_suspend(&info) == 0;
	waiter->asleep = false;
	return woken;
}

bool weft_pdo_line_may_try(const weft_pdo_pool *pool, const weft_pdo_waiter *waiter)
{
	return waiter->wanted ? waiter->wanted->idle || waiter->wanted->broken : pool->waiters == waiter || waiter->called;
}

bool weft_pdo_pool_waits_to_open(const weft_pdo_pool *pool)
{
	return pool->waiters && pool->waiters->opens;
}

bool weft_pdo_pool_wait_for_first(weft_pdo_pool *pool)
{
	uint64_t now = weft_now();
	weft_pdo_waiter waiter = {.coroutine = weft_current,
		.pool = pool,
		.domain = weft_domain_in_place,
		.since = now,
		.rank = weft_pdo_line_rank(now)};
	bool woken;

	line_enqueue(pool, &waiter);
	woken = weft_pdo_line_sleep(pool, &waiter);
	if (waiter.queued) {
		line_dequeue(pool, &waiter);
	}
	return woken;
}
