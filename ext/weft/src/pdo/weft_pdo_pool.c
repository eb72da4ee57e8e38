#include "pdo/weft_pdo_pool.h"
#include "pdo/weft_pdo.h"
#include "pdo/weft_pdo_cache.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_handle.h"
#include "php_weft.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"

#define SECOND UINT64_C(1000000000)
/* A statement in a message is cut after so many bytes. */
#define SHOWN_SQL 200

weft_pdo_pool *weft_pdo_pools;

/* --- keys --- */

/* False for a value that has no lasting text: an object, a resource. */
static bool append_value(smart_str *key, zval *value)
{
	zend_string *name;
	zend_ulong index;
	zval *element;

	ZVAL_DEREF(value);
	switch (Z_TYPE_P(value)) {
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE:
			smart_str_append_printf(key, "%d;", Z_TYPE_P(value));
			return true;
		case IS_LONG:
			smart_str_append_printf(key, "i" ZEND_LONG_FMT ";", Z_LVAL_P(value));
			return true;
		case IS_DOUBLE:
			smart_str_append_printf(key, "d%.17g;", Z_DVAL_P(value));
			return true;
		case IS_STRING:
			smart_str_append_printf(key, "s%zu:", Z_STRLEN_P(value));
			smart_str_append(key, Z_STR_P(value));
			return true;
		case IS_ARRAY:
			smart_str_appendc(key, '{');
			ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(value), index, name, element) {
				/* every connection of a pool may outlive a request, as a persistent one does */
				if (!name && index == PDO_ATTR_PERSISTENT) {
					continue;
				}
				if (name) {
					smart_str_append_printf(key, "k%zu:", ZSTR_LEN(name));
					smart_str_append(key, name);
				} else {
					smart_str_append_printf(key, "n" ZEND_ULONG_FMT "=", index);
				}
				if (!append_value(key, element)) {
					return false;
				}
			}
			ZEND_HASH_FOREACH_END();
			smart_str_appendc(key, '}');
			return true;
		default:
			return false;
	}
}

zend_string *weft_pdo_pool_key(uint32_t count, zval *arguments)
{
	smart_str key = {0};

	if (WEFT_G(pdo_pool_max) == 0) {
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!append_value(&key, &arguments[i])) {
			smart_str_free(&key);
			return NULL;
		}
	}
	return smart_str_extract(&key);
}

weft_pdo_pool *weft_pdo_pool_find(zend_string *key)
{
	for (weft_pdo_pool *pool = weft_pdo_pools; pool; pool = pool->next) {
		if (zend_string_equals(pool->key, key)) {
			return pool;
		}
	}
	return NULL;
}

/* "pgsql:host=db;dbname=shop as app": what comes after `password=` in a DSN is nobody's business. */
static zend_string *name_of(const weft_pdo_driver *driver, const pdo_dbh_t *fresh)
{
	smart_str name = {0};
	const char *source = fresh->data_source ? fresh->data_source : "", *end;

	smart_str_append_printf(&name, "%s:", driver->driver->driver_name);
	for (; *source; source = *end ? end + 1 : end) {
		end = source + strcspn(source, "; ");
		if (strncasecmp(source, "password", strlen("password")) == 0) {
			continue;
		}
		if (ZSTR_VAL(name.s)[ZSTR_LEN(name.s) - 1] != ':') {
			smart_str_appendc(&name, ';');
		}
		smart_str_appendl(&name, source, (size_t) (end - source));
	}
	if (fresh->username) {
		smart_str_append_printf(&name, " as %s", fresh->username);
	}
	return smart_str_extract(&name);
}

static void keep_pristine(weft_pdo_pool *pool, const pdo_dbh_t *fresh)
{
	pdo_dbh_t *pristine = &pool->pristine;

	*pristine = *fresh;
	pristine->data_source = fresh->data_source ? estrdup(fresh->data_source) : NULL;
	pristine->username = fresh->username ? estrdup(fresh->username) : NULL;
	pristine->password = fresh->password ? estrdup(fresh->password) : NULL;
	Z_TRY_ADDREF(pristine->def_stmt_ctor_args);
	strcpy(pristine->error_code, PDO_ERR_NONE);
}

static void reap(weft_timer *timer);

weft_pdo_pool *weft_pdo_pool_new(zend_string *key, uint32_t count, zval *arguments)
{
	weft_pdo_pool *pool = pecalloc(1, sizeof(*pool), 1);

	pool->key = zend_string_copy(key);
	pool->argument_count = count;
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY_DEREF(&pool->arguments[i], &arguments[i]);
	}
	pool->waiters_end = &pool->waiters;
	pool->reaper.fire = reap;
	pool->opening = true;
	pool->next = weft_pdo_pools;
	weft_pdo_pools = pool;
	return pool;
}

static void enqueue(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	waiter->link = pool->waiters_end;
	waiter->next = NULL;
	*pool->waiters_end = waiter;
	pool->waiters_end = &waiter->next;
}

static void dequeue(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	*waiter->link = waiter->next;
	if (waiter->next) {
		waiter->next->link = waiter->link;
	} else {
		pool->waiters_end = waiter->link;
	}
}

/* Those who wait for the first connection stand in no line: all may go on. */
static void wake_all(weft_pdo_pool *pool)
{
	while (pool->waiters) {
		weft_pdo_waiter *waiter = pool->waiters;

		dequeue(pool, waiter);
		waiter->link = NULL;
		weft_wake(waiter->coroutine);
	}
}

void weft_pdo_pool_opened(weft_pdo_pool *pool, weft_pdo_driver *driver, const pdo_dbh_t *fresh)
{
	pool->driver = driver;
	pool->name = name_of(driver, fresh);
	keep_pristine(pool, fresh);
	pool->opening = false;
	pool->total = 1;
	pool->statistics.opened = 1;
	wake_all(pool);
}

static void free_pool(weft_pdo_pool *pool);

void weft_pdo_pool_failed(weft_pdo_pool *pool)
{
	weft_pdo_pool **place = &weft_pdo_pools;

	while (*place != pool) {
		place = &(*place)->next;
	}
	*place = pool->next;
	wake_all(pool);
	free_pool(pool);
}

/* --- idle links --- */

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
	pool->idle_count--;
}

static void wake(weft_pdo_waiter *waiter)
{
	if (waiter->asleep) {
		waiter->asleep = false;
		weft_wake(waiter->coroutine);
	}
}

/* When the first in the line is at work on a link already, it wakes the next one itself. */
static void wake_next(weft_pdo_pool *pool)
{
	if (pool->waiters) {
		wake(pool->waiters);
	}
}

static void wake_wanting(weft_pdo_link *link)
{
	for (weft_pdo_waiter *waiter = link->pool->wanting; waiter; waiter = waiter->next) {
		if (waiter->wanted == link) {
			wake(waiter);
		}
	}
}

static void close_link(weft_pdo_link *link)
{
	weft_pdo_pool *pool = link->pool;

	pool->total--;
	weft_pdo_link_close(link);
	wake_next(pool);
}

/* Only a worker cleans up by the clock: a script ends soon, and a timer would keep its deadlocks from being seen. */
static void plan_reaping(weft_pdo_pool *pool)
{
	if (!pool->reaping && weft_pdo_generation() && weft_reactor_started() && WEFT_G(pdo_idle_time) > 0) {
		pool->reaping = true;
		weft_timer_arm(&pool->reaper, weft_now() + (uint64_t) WEFT_G(pdo_idle_time) * SECOND / 2);
	}
}

void weft_pdo_pool_release(weft_pdo_link *link)
{
	link->user = NULL;
	if (link->broken || link->generation != weft_pdo_generation()) {
		close_link(link);
		return;
	}
	link->idle_since = weft_now();
	push_idle(link);
	wake_wanting(link);
	wake_next(link->pool);
	plan_reaping(link->pool);
}

static bool has_expired(const weft_pdo_link *link, uint64_t now)
{
	return WEFT_G(pdo_max_life) > 0 && now > link->expires_at;
}

static bool is_idle_for_too_long(const weft_pdo_link *link, uint64_t now)
{
	return WEFT_G(pdo_idle_time) > 0 && now - link->idle_since > (uint64_t) WEFT_G(pdo_idle_time) * SECOND &&
		link->pool->total > (uint32_t) WEFT_G(pdo_pool_min);
}

static void reap_in_coroutine(weft_coroutine *coroutine, void *arg)
{
	weft_pdo_pool *pool = arg;
	uint64_t now = weft_now();

	while (pool->idle_last && (is_idle_for_too_long(pool->idle_last, now) || has_expired(pool->idle_last, now))) {
		weft_pdo_link *link = pool->idle_last;

		weft_pdo_pool_take(link);
		close_link(link);
	}
	pool->reaping = false;
	if (pool->total) {
		plan_reaping(pool);
	}
}

static void reap(weft_timer *timer)
{
	weft_coroutine_spawn(reap_in_coroutine, (weft_pdo_pool *) ((char *) timer - offsetof(weft_pdo_pool, reaper)), NULL);
}

/* --- acquiring --- */

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
		wake_next(pool);
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
		if (!link->broken && !has_expired(link, weft_now()) && weft_pdo_link_is_alive(link)) {
			return link;
		}
		close_link(link);
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
		close_link(wanted);
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
		close_link(link);
		if (EG(exception) || !(link = open_link(pool))) {
			return NULL;
		}
	}
	return link;
}

static void time_is_up(weft_timer *timer)
{
	weft_pdo_waiter *waiter = (weft_pdo_waiter *) ((char *) timer - offsetof(weft_pdo_waiter, timer));

	waiter->timed_out = true;
	weft_wake(waiter->coroutine);
}

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

uint32_t weft_pdo_pool_waiting(const weft_pdo_pool *pool)
{
	uint32_t count = 0;

	for (const weft_pdo_waiter *waiter = pool->waiters; waiter; waiter = waiter->next) {
		count++;
	}
	return count;
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

static void note_wait(weft_pdo_pool *pool, uint64_t since)
{
	uint64_t waited = weft_now() - since;

	pool->statistics.waits[waited ? 63 - __builtin_clzll(waited) : 0]++;
}

static void enlist(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	if (!waiter->wanted) {
		enqueue(pool, waiter);
		return;
	}
	waiter->next = pool->wanting;
	pool->wanting = waiter;
}

static void delist(weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	weft_pdo_waiter **place = &pool->wanting;

	if (!waiter->wanted) {
		dequeue(pool, waiter);
		return;
	}
	while (*place != waiter) {
		place = &(*place)->next;
	}
	*place = waiter->next;
}

/* Sleeps until something may have become free for it. False when it was cancelled. */
static bool sleep_in_line(const weft_pdo_pool *pool, weft_pdo_waiter *waiter)
{
	weft_wait_info info = {.what = "a database connection", .fd = -1, .on = pool};
	bool woken;

	waiter->asleep = true;
	woken = weft_suspend(&info) == 0;
	waiter->asleep = false;
	return woken;
}

static bool may_try(const weft_pdo_pool *pool, const weft_pdo_waiter *waiter)
{
	return waiter->wanted ? waiter->wanted->idle || waiter->wanted->broken : pool->waiters == waiter;
}

static void throw_too_long(weft_pdo_pool *pool)
{
	char why[96];

	snprintf(why, sizeof(why), "No connection became free within %g s (weft.pdo_acquire_timeout)",
		WEFT_G(pdo_acquire_timeout));
	throw_timeout(pool, why);
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
	enlist(pool, &waiter);
	while (wait) {
		if (may_try(pool, &waiter)) {
			link = try_acquire(pool, profile, wanted, only_wanted, &wait);
		}
		if (wait && (waiter.timed_out || !sleep_in_line(pool, &waiter))) {
			break;
		}
	}
	weft_timer_disarm(&waiter.timer);
	if (!link && waiter.timed_out && !EG(exception)) {
		throw_too_long(pool);
	}
	delist(pool, &waiter);
	if (pool->idle || has_room(pool)) {
		wake_next(pool);
	}
	pool->statistics.waited++;
	note_wait(pool, since);
	return link;
}

bool weft_pdo_pool_wait_for_first(weft_pdo_pool *pool)
{
	weft_pdo_waiter waiter = {.coroutine = weft_current};
	bool woken;

	enqueue(pool, &waiter);
	woken = sleep_in_line(pool, &waiter);
	if (waiter.link) {
		dequeue(pool, &waiter);
	}
	return woken;
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

/* --- life --- */

void weft_pdo_pool_close_idle(void)
{
	for (weft_pdo_pool *pool = weft_pdo_pools; pool; pool = pool->next) {
		while (pool->idle) {
			weft_pdo_link *link = pool->idle;

			weft_pdo_pool_take(link);
			close_link(link);
		}
	}
}

static void free_pool(weft_pdo_pool *pool)
{
	weft_timer_disarm(&pool->reaper);
	weft_pdo_profile_free_children(&pool->root);
	if (pool->pristine.data_source) {
		efree((char *) pool->pristine.data_source);
	}
	if (pool->pristine.username) {
		efree(pool->pristine.username);
	}
	if (pool->pristine.password) {
		efree(pool->pristine.password);
	}
	zval_ptr_dtor(&pool->pristine.def_stmt_ctor_args);
	for (uint32_t i = 0; i < pool->argument_count; i++) {
		zval_ptr_dtor(&pool->arguments[i]);
	}
	zend_string_release(pool->key);
	if (pool->name) {
		zend_string_release(pool->name);
	}
	free(pool);
}

/* Handles of objects that still live need their pool: it goes with the last of them. */
void weft_pdo_pool_rshutdown(void)
{
	weft_pdo_pool_close_idle();
	while (weft_pdo_pools) {
		weft_pdo_pool *pool = weft_pdo_pools;

		weft_pdo_pools = pool->next;
		free_pool(pool);
	}
}
