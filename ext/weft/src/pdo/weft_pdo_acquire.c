#include "pdo/weft_pdo_line.h"
#include "pdo/weft_pdo.h"
#include "php_weft.h"
#include "zend_smart_str.h"

/* A statement in a message is cut after so many bytes. */
#define SHOWN_SQL 200

/* The one used last is the likeliest to be warm; one with the same settings needs no word with the server. */
static weft_pdo_link *choose_idle(const weft_pdo_pool *pool, const weft_pdo_profile *profile, weft_pdo_link *wanted)
{
	weft_pdo_link *adaptable = NULL;

	if (wanted && wanted->idle && wanted->pool == pool) {
		return wanted;
	}
	for (weft_pdo_link *link = pool->idle; link; link = link->next_idle) {
		if (link->profile == profile) {
			return link;
		}
		if (!adaptable && weft_pdo_profile_is_ancestor(link->profile, profile)) {
			adaptable = link;
		}
	}
	return adaptable;
}

static bool has_room(const weft_pdo_pool *pool)
{
	return pool->total < (uint32_t) WEFT_G(pdo_pool_max);
}

static weft_pdo_link *open_link(weft_pdo_pool *pool)
{
	zend_object *hidden;

	pool->total++;
	hidden = weft_pdo_link_open(pool->argument_count, pool->arguments);
	if (!hidden) {
		pool->total--;
		weft_pdo_line_wake_next(pool);
		return NULL;
	}
	pool->statistics.opened++;
	return weft_pdo_link_new(hidden, pool->driver, pool, &pool->root);
}

/* An idle link that is still good; NULL when there is none. */
static weft_pdo_link *take_idle(weft_pdo_pool *pool, weft_pdo_profile *profile, weft_pdo_link *wanted)
{
	weft_pdo_link *link;

	while ((link = choose_idle(pool, profile, wanted)) || (!has_room(pool) && (link = pool->idle_last))) {
		weft_pdo_pool_take(link);
		if (!link->broken && !weft_pdo_pool_has_expired(link, weft_now()) && weft_pdo_link_is_alive(link)) {
			return link;
		}
		weft_pdo_pool_close_link(link);
	}
	return NULL;
}

static weft_pdo_link *take_wanted(weft_pdo_link *wanted, bool *wait)
{
	*wait = !wanted->broken && !wanted->idle;
	if (*wait) {
		return NULL;
	}
	if (wanted->idle) {
		weft_pdo_pool_take(wanted);
		if (!wanted->broken && weft_pdo_link_is_alive(wanted)) {
			return wanted;
		}
		weft_pdo_pool_close_link(wanted);
	}
	weft_pdo_throw("08006", "This statement's connection has ended; execute it again");
	return NULL;
}

/* NULL with *wait: somebody must give one back first; else with an exception. */
static weft_pdo_link *try_acquire(weft_pdo_pool *pool, weft_pdo_profile *profile, weft_pdo_link *wanted,
	bool only_wanted, bool *wait)
{
	weft_pdo_link *link;

	if (only_wanted) {
		return take_wanted(wanted, wait);
	}
	link = take_idle(pool, profile, wanted);
	*wait = !link && !has_room(pool);
	if (*wait) {
		return NULL;
	}
	if (!link && !(link = open_link(pool))) {
		return NULL;
	}
	while (!weft_pdo_link_adapt(link, profile)) {
		link->broken = true;
		weft_pdo_pool_close_link(link);
		if (EG(exception) || !(link = open_link(pool))) {
			return NULL;
		}
	}
	return link;
}

/* --- when it takes too long --- */

static void describe_holders(smart_str *text, const weft_pdo_pool *pool)
{
	uint64_t now = weft_now();

	for (const weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (link->pool != pool || link->idle || !link->handle) {
			continue;
		}
		smart_str_append_printf(text, "; %s for %.1f s", link->holder, (double) (now - link->leased_at) / 1e9);
		if (link->pins & WEFT_PIN_TRANSACTION) {
			smart_str_appends(text, " in a transaction");
		} else if (link->pins & WEFT_PIN_TOUCHED) {
			smart_str_appends(text, " for its session settings");
		}
		if (link->last_sql) {
			smart_str_append_printf(text, ", last statement: %.*s", SHOWN_SQL, ZSTR_VAL(link->last_sql));
		}
	}
}

static void throw_timeout(weft_pdo_pool *pool, const char *why)
{
	smart_str holders = {0};

	pool->statistics.timeouts++;
	describe_holders(&holders, pool);
	smart_str_0(&holders);
	weft_pdo_throw("HYT00", "%s. Pool %s: %u connections (weft.pdo_pool_max), %u waiting%s", why, ZSTR_VAL(pool->name),
		pool->total, weft_pdo_pool_waiting(pool), holders.s ? ZSTR_VAL(holders.s) : "");
	smart_str_free(&holders);
}

static void throw_too_long(weft_pdo_pool *pool)
{
	char why[96];

	snprintf(why, sizeof(why), "No connection became free within %g s (weft.pdo_acquire_timeout)",
		WEFT_G(pdo_acquire_timeout));
	throw_timeout(pool, why);
}

/* --- taking turns --- */

static void time_is_up(weft_timer *timer)
{
	weft_pdo_waiter *waiter = (weft_pdo_waiter *) ((char *) timer - offsetof(weft_pdo_waiter, timer));

	waiter->timed_out = true;
	weft_wake(waiter->coroutine);
}

static void note_wait(weft_pdo_pool *pool, uint64_t since)
{
	uint64_t waited = weft_now() - since;

	pool->statistics.waits[waited ? 63 - __builtin_clzll(waited) : 0]++;
}

static weft_pdo_link *wait_for_turn(weft_pdo_pool *pool, weft_pdo_profile *profile, weft_pdo_link *wanted,
	bool only_wanted)
{
	weft_pdo_waiter waiter = {.coroutine = weft_current, .wanted = only_wanted ? wanted : NULL,
		.timer = {.fire = time_is_up}};
	uint64_t since = weft_now();
	weft_pdo_link *link = NULL;
	bool wait = true;

	weft_timer_arm(&waiter.timer, since + (uint64_t) (WEFT_G(pdo_acquire_timeout) * 1e9));
	weft_pdo_line_join(pool, &waiter);
	while (wait) {
		if (weft_pdo_line_may_try(pool, &waiter)) {
			link = try_acquire(pool, profile, wanted, only_wanted, &wait);
		}
		if (wait && (waiter.timed_out || !weft_pdo_line_sleep(pool, &waiter))) {
			break;
		}
	}
	weft_timer_disarm(&waiter.timer);
	if (!link && waiter.timed_out && !EG(exception)) {
		throw_too_long(pool);
	}
	weft_pdo_line_leave(pool, &waiter);
	if (pool->idle || has_room(pool)) {
		weft_pdo_line_wake_next(pool);
	}
	pool->statistics.waited++;
	note_wait(pool, since);
	return link;
}

weft_pdo_link *weft_pdo_pool_acquire(weft_pdo_pool *pool, weft_pdo_profile *profile, weft_pdo_link *wanted,
	bool only_wanted)
{
	weft_pdo_link *link = NULL;
	bool wait = true;

	pool->statistics.acquired++;
	/* who comes now does not pass those who wait, but for what is kept for him */
	if (only_wanted || !pool->waiters || (wanted && wanted->idle)) {
		link = try_acquire(pool, profile, wanted, only_wanted, &wait);
	}
	if (link || !wait) {
		pool->statistics.waits[0]++;
		return link;
	}
	if (!weft_can_suspend()) {
		throw_timeout(pool, "No connection is free, and this code can't wait for one");
		return NULL;
	}
	return wait_for_turn(pool, profile, wanted, only_wanted);
}
