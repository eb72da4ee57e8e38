/*
 * Links that nobody uses: kept for the next, handed to who waits, or closed when there are too many or they are old.
 */
#include "pdo/weft_pdo_limit.h"
#include "pdo/weft_pdo_line.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_server.h"
#include "php_weft.h"

static void push_idle(weft_pdo_link *link)
{
	weft_pdo_pool *pool = link->pool;

	link->idle = true;
	link->previous_idle = NULL;
	link->next_idle = pool->idle;
	if (pool->idle) {
		pool->idle->previous_idle = link;
	} else {
		pool->idle_last = link;
	}
	pool->idle = link;
	pool->idle_count++;
}

void weft_pdo_pool_take(weft_pdo_link *link)
{
	weft_pdo_pool *pool = link->pool;

	*(link->previous_idle ? &link->previous_idle->next_idle : &pool->idle) = link->next_idle;
	*(link->next_idle ? &link->next_idle->previous_idle : &pool->idle_last) = link->previous_idle;
	link->idle = false;
	/* until it is leased as well: nobody may talk on it while its taker makes it fit */
	link->user = weft_pdo_self();
	link->kept_for = NULL;
	pool->idle_count--;
}

void weft_pdo_pool_close_link(weft_pdo_link *link)
{
	weft_pdo_pool *pool = link->pool;

	weft_pdo_pool_hold(pool);
	weft_pdo_server_count(pool, -1);
	pool->server->closed_at = weft_lately();
	link->user = NULL;
	weft_pdo_link_close(link);
	weft_pdo_line_wake_next(pool);
	weft_pdo_server_wake(pool->server);
	weft_pdo_pool_let_go(pool);
}

/* The room goes to the line of another pool, before those who wait for this one hear of it. */
static void hand_over(weft_pdo_link *link)
{
	weft_pdo_waiter *first = weft_pdo_server_first_waiter(link->pool->server, link->pool);

	if (first) {
		weft_pdo_line_wake(first);
	}
	weft_pdo_pool_close_link(link);
}

/* Only a worker cleans up by the clock: a script ends soon, and a timer would keep its deadlocks from being seen. */
static void plan_reaping(weft_pdo_pool *pool)
{
	if (!pool->reaping && weft_pdo_generation() && weft_reactor_started() && WEFT_G(pdo_idle_time) > 0) {
		pool->reaping = true;
		weft_timer_arm(&pool->reaper, weft_now() + (uint64_t) WEFT_G(pdo_idle_time) * WEFT_NS_PER_SEC / 2);
	}
}

/* It was opened beyond a limit, or before the server said how many it takes. */
static bool is_one_too_many(const weft_pdo_pool *pool)
{
	return (pool->total > 1 && pool->total > weft_pdo_limit(pool)) ||
		pool->server->total > weft_pdo_limit_share(pool->server);
}

void weft_pdo_pool_release(weft_pdo_link *link, const void *domain)
{
	weft_pdo_waiter *next = NULL;

	link->user = NULL;
	if (link->broken || link->generation != weft_pdo_generation() ||
		(is_one_too_many(link->pool) && !(next = weft_pdo_line_first_of(link->pool, domain)))) {
		weft_pdo_pool_close_link(link);
		return;
	}
	if (!next && weft_pdo_server_wants_room_of(link->pool)) {
		hand_over(link);
		return;
	}
	link->idle_since = weft_lately();
	push_idle(link);
	weft_pdo_line_wake_wanting(link);
	if (next) {
		next->called = true;
		weft_pdo_line_wake(next);
		return;
	}
	weft_pdo_line_wake_next(link->pool);
	weft_pdo_server_wake(link->pool->server);
	plan_reaping(link->pool);
}

bool weft_pdo_pool_has_expired(const weft_pdo_link *link, uint64_t now)
{
	return !link->expires_at || (WEFT_G(pdo_max_life) > 0 && now > link->expires_at);
}

static bool is_idle_for_too_long(const weft_pdo_link *link, uint64_t now)
{
	return WEFT_G(pdo_idle_time) > 0 && now - link->idle_since > (uint64_t) WEFT_G(pdo_idle_time) * WEFT_NS_PER_SEC &&
		link->pool->total > (uint32_t) WEFT_G(pdo_pool_min);
}

static void reap_in_coroutine(weft_coroutine *coroutine, void *arg)
{
	weft_pdo_pool *pool = arg;
	uint64_t now = weft_now();

	while (pool->idle_last &&
		(is_idle_for_too_long(pool->idle_last, now) || weft_pdo_pool_has_expired(pool->idle_last, now))) {
		weft_pdo_link *link = pool->idle_last;

		weft_pdo_pool_take(link);
		weft_pdo_pool_close_link(link);
	}
	pool->reaping = false;
	if (pool->total) {
		plan_reaping(pool);
	}
	weft_pdo_pool_let_go(pool);
}

void weft_pdo_pool_reap(weft_timer *timer)
{
	weft_pdo_pool *pool = (weft_pdo_pool *) ((char *) timer - offsetof(weft_pdo_pool, reaper));

	weft_pdo_pool_hold(pool);
	weft_coroutine_spawn_in(NULL, reap_in_coroutine, pool, NULL); /* a timer fires while any request waits */
}

void weft_pdo_pool_close_idle(void)
{
	weft_pdo_pool *pool = weft_pdo_pools, *next;

	if (pool) {
		weft_pdo_pool_hold(pool);
	}
	for (; pool; pool = next) {
		while (pool->idle) {
			weft_pdo_link *link = pool->idle;

			weft_pdo_pool_take(link);
			weft_pdo_pool_close_link(link);
		}
		next = pool->next;
		if (next) {
			weft_pdo_pool_hold(next);
		}
		weft_pdo_pool_let_go(pool);
	}
}
