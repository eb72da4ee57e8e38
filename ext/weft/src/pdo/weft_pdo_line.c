/*
 * Joining the line, sleeping in it, being woken, and leaving it.
 */
#include "pdo/weft_pdo_line.h"
#include "pdo/weft_pdo_server.h"

static void line_enqueue(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	waiter->place = pool->waiters_end;
	waiter->next = NULL;
	*pool->waiters_end = waiter;
	pool->waiters_end = &waiter->next;
	pool->server->waiters++;
}

static void line_dequeue(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	*waiter->place = waiter->next;
	if (waiter->next) {
		waiter->next->place = waiter->place;
	} else {
		pool->waiters_end = waiter->place;
	}
	pool->server->waiters--;
}

void weft_pdo_line_wake_all(weft_pdo_pool *pool)
{
	while (pool->waiters) {
		weft_pdo_waiter *waiter = pool->waiters;

		line_dequeue(pool, waiter);
		waiter->place = NULL;
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

void weft_pdo_line_join_first(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	waiter->place = &pool->waiters;
	waiter->next = pool->waiters;
	*(waiter->next ? &waiter->next->place : &pool->waiters_end) = &waiter->next;
	pool->waiters = waiter;
	pool->server->waiters++;
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
	weft_pdo_waiter waiter = {.coroutine = weft_current,
		.pool = pool,
		.domain = weft_domain_in_place,
		.since = weft_now()};
	bool woken;

	line_enqueue(pool, &waiter);
	woken = weft_pdo_line_sleep(pool, &waiter);
	if (waiter.place) {
		line_dequeue(pool, &waiter);
	}
	return woken;
}
