#include "pdo/weft_pdo_beyond.h"
#include "pdo/weft_pdo_key.h"
#include "pdo/weft_pdo_limit.h"
#include "pdo/weft_pdo_line.h"

weft_pdo_pool *weft_pdo_pools;

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
	if (pool->name) {
		zend_string_release(pool->name);
	}
	if (pool->refusal) {
		zend_string_release(pool->refusal);
	}
	free(pool);
}

weft_pdo_pool *weft_pdo_pool_new(zend_string *key, uint32_t count, zval *arguments, zend_string *environment)
{
	weft_pdo_pool *pool = pecalloc(1, sizeof(*pool), 1);

	pool->key = zend_string_copy(key);
	pool->environment = zend_string_copy(environment);
	pool->argument_count = count;
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY_DEREF(&pool->arguments[i], &arguments[i]);
	}
	pool->waiters_end = &pool->waiters;
	pool->reaper.fire = weft_pdo_pool_reap;
	pool->watch.fire = weft_pdo_beyond_look;
	pool->opening = true;
	pool->next = weft_pdo_pools;
	weft_pdo_pools = pool;
	return pool;
}

void weft_pdo_pool_opened(weft_pdo_pool *pool, weft_pdo_driver *driver, const pdo_dbh_t *fresh)
{
	pool->driver = driver;
	pool->name = weft_pdo_pool_name(driver, fresh);
	pool->server = weft_pdo_limit_server(fresh, pool->environment);
	keep_pristine(pool, fresh);
	pool->opening = false;
	pool->total = 1;
	weft_pdo_limit_share_out(pool->server);
	pool->statistics.opened = 1;
	weft_pdo_line_wake_all(pool);
}

void weft_pdo_pool_failed(weft_pdo_pool *pool)
{
	weft_pdo_pool **place = &weft_pdo_pools;

	while (*place != pool) {
		place = &(*place)->next;
	}
	*place = pool->next;
	weft_pdo_line_wake_all(pool);
	free_pool(pool);
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
	weft_pdo_limit_rshutdown();
}
