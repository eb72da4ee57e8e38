/*
 * The list of pools: found by their key, made, named, forgotten when nobody has used them for long.
 */
#include "pdo/weft_pdo_beyond.h"
#include "pdo/weft_pdo_key.h"
#include "pdo/weft_pdo_line.h"
#include "pdo/weft_pdo_list.h"
#include "pdo/weft_pdo_server.h"

/* Of pools that nobody uses so many are remembered: for what was learned of their settings, and for their numbers. */
#define MOST_UNUSED 64

weft_pdo_pool *weft_pdo_pools;
static uint32_t unused;
static uint64_t times_unused;

weft_pdo_pool *weft_pdo_pool_find(zend_string *key)
{
	for (weft_pdo_pool *pool = weft_pdo_pools; pool; pool = pool->next) {
		if (zend_string_equals(pool->key, key)) {
			return pool;
		}
	}
	return NULL;
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

static void free_pool(weft_pdo_pool *pool)
{
	weft_timer_disarm(&pool->reaper);
	weft_timer_disarm(&pool->watch);
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
	zend_string_release(pool->environment);
	zend_string_release(pool->name);
	if (pool->refusal) {
		zend_string_release(pool->refusal);
	}
	weft_pdo_server_leave(pool->server);
	free(pool);
}

void weft_pdo_pool_hold(weft_pdo_pool *pool)
{
	unused -= pool->references == 0;
	pool->references++;
}

static void hide(weft_pdo_pool *pool)
{
	if (pool->place) {
		WEFT_PDO_LIST_REMOVE(pool);
		pool->place = NULL;
	}
}

static weft_pdo_pool *longest_unused(void)
{
	weft_pdo_pool *longest = NULL;

	for (weft_pdo_pool *pool = weft_pdo_pools; pool; pool = pool->next) {
		if (!pool->references && (!longest || pool->unused_since < longest->unused_since)) {
			longest = pool;
		}
	}
	return longest;
}

void weft_pdo_pool_let_go(weft_pdo_pool *pool)
{
	if (--pool->references) {
		return;
	}
	if (!pool->place) {
		free_pool(pool);
		return;
	}
	pool->unused_since = ++times_unused;
	if (++unused > MOST_UNUSED) {
		pool = longest_unused();
		unused--;
		hide(pool);
		free_pool(pool);
	}
}

/* What people call it before its first connection is there. */
static zend_string *name_by_arguments(uint32_t count, zval *arguments)
{
	const char *dsn = Z_STRVAL(arguments[0]), *source = strchr(dsn, ':');
	zend_string *driver = zend_string_init(dsn, (size_t) (source - dsn), 0), *name;

	name = weft_pdo_pool_name(ZSTR_VAL(driver), source + 1,
		count > 1 && Z_TYPE(arguments[1]) == IS_STRING ? Z_STRVAL(arguments[1]) : NULL);
	zend_string_release(driver);
	return name;
}

weft_pdo_pool *weft_pdo_pool_new(zend_string *key, uint32_t count, zval *arguments, zend_string *environment)
{
	weft_pdo_pool *pool = pecalloc(1, sizeof(*pool), 1);

	pool->references = 1;
	pool->key = zend_string_copy(key);
	pool->name = name_by_arguments(count, arguments);
	pool->server = weft_pdo_server_join(&arguments[0], environment);
	pool->environment = zend_string_copy(environment);
	pool->argument_count = count;
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY_DEREF(&pool->arguments[i], &arguments[i]);
	}
	pool->reaper.fire = weft_pdo_pool_reap;
	pool->watch.fire = weft_pdo_beyond_look;
	pool->opening = true;
	WEFT_PDO_LIST_ADD(&weft_pdo_pools, pool);
	return pool;
}

void weft_pdo_pool_opened(weft_pdo_pool *pool, weft_pdo_driver *driver, const pdo_dbh_t *fresh)
{
	pool->driver = driver;
	zend_string_release(pool->name);
	pool->name = weft_pdo_pool_name(driver->driver->driver_name, fresh->data_source, fresh->username);
	keep_pristine(pool, fresh);
	pool->opening = false;
	pool->connecting = 0;
	pool->refused_until = 0;
	pool->server->closed_at = 0;
	pool->statistics.opened = 1;
	weft_pdo_line_wake_all(pool);
}

void weft_pdo_pool_failed(weft_pdo_pool *pool)
{
	weft_pdo_server_count(pool, -(int) pool->total);
	hide(pool);
	weft_pdo_line_wake_all(pool);
	weft_pdo_server_wake(pool->server);
	weft_pdo_pool_let_go(pool);
}

/* Handles of objects that still live need their pool: it goes with the last of them. */
void weft_pdo_pool_rshutdown(void)
{
	weft_pdo_pool_close_idle();
	while (weft_pdo_pools) {
		weft_pdo_pool *pool = weft_pdo_pools;

		weft_timer_disarm(&pool->reaper);
		weft_timer_disarm(&pool->watch);
		weft_pdo_pool_hold(pool);
		hide(pool);
		weft_pdo_pool_let_go(pool);
	}
}
