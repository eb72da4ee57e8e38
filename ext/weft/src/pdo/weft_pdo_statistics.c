/*
 * Weft\Pool: what people may ask of the pools of their worker.
 */
#include "pdo/weft_pdo_limit.h"
#include "pdo/weft_pdo.h"
#include "pdo/weft_pdo_arginfo.h"
#include "php_weft.h"

/* The wait that this part of all leases did not exceed, in milliseconds: the upper end of its power of two. */
static double wait_below(const weft_pdo_statistics *statistics, double part)
{
	uint64_t all = 0, seen = 0;

	for (int i = 0; i < 64; i++) {
		all += statistics->waits[i];
	}
	for (int i = 0; i < 64 && all; i++) {
		seen += statistics->waits[i];
		if ((double) seen >= part * (double) all) {
			/* who did not wait at all is counted as 0 */
			return i == 0 ? 0 : (double) (UINT64_C(2) << i) / 1e6;
		}
	}
	return 0;
}

static void describe_pool(zval *entry, const weft_pdo_pool *pool)
{
	const weft_pdo_statistics *statistics = &pool->statistics;

	array_init(entry);
	add_assoc_long(entry, "size", pool->total);
	add_assoc_long(entry, "idle", pool->idle_count);
	add_assoc_long(entry, "leased", (zend_long) pool->total - pool->idle_count);
	add_assoc_long(entry, "waiting", weft_pdo_pool_waiting(pool));
	add_assoc_long(entry, "maximum", weft_pdo_limit(pool));
	add_assoc_long(entry, "acquired", (zend_long) statistics->acquired);
	add_assoc_long(entry, "waited", (zend_long) statistics->waited);
	add_assoc_long(entry, "timeouts", (zend_long) statistics->timeouts);
	add_assoc_long(entry, "opened", (zend_long) statistics->opened);
	add_assoc_double(entry, "medianWaitMs", wait_below(statistics, 0.5));
	add_assoc_double(entry, "p99WaitMs", wait_below(statistics, 0.99));
	add_assoc_long(entry, "statementHits", (zend_long) statistics->cache_hits);
	add_assoc_long(entry, "statementMisses", (zend_long) statistics->cache_misses);
}

/* The list has the newest first; people want the first that was opened. */
static void add_pools(zval *list, const weft_pdo_pool *pool)
{
	zend_string *name;
	zval entry;

	if (!pool) {
		return;
	}
	add_pools(list, pool->next);
	if (pool->opening) {
		return;
	}
	name = zend_string_copy(pool->name);
	for (int number = 2; zend_hash_exists(Z_ARRVAL_P(list), name); number++) {
		zend_string_release(name);
		name = zend_strpprintf(0, "%s #%d", ZSTR_VAL(pool->name), number);
	}
	describe_pool(&entry, pool);
	zend_hash_add_new(Z_ARRVAL_P(list), name, &entry);
	zend_string_release(name);
}

weft_pdo_in_use weft_pdo_count_in_use(void)
{
	weft_pdo_in_use sum = {0};

	for (const weft_pdo_pool *pool = weft_pdo_pools; pool; pool = pool->next) {
		sum.idle += pool->idle_count;
		sum.leased += pool->total - pool->idle_count;
		sum.waiting += weft_pdo_pool_waiting(pool);
	}
	return sum;
}

ZEND_METHOD(Weft_Pool, closeIdle)
{
	ZEND_PARSE_PARAMETERS_NONE();
	weft_pdo_pool_close_idle();
}

ZEND_METHOD(Weft_Pool, stats)
{
	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	add_pools(return_value, weft_pdo_pools);
}

void weft_pdo_statistics_minit(void)
{
	zend_register_functions(NULL, ext_functions, NULL, MODULE_PERSISTENT);
	register_class_Weft_Pool();
}
