/*
 * APCu's cache, which all workers share.
 *
 * apcu_entry() of APCu calls PHP code under the lock of the whole cache. The lock is shared by processes and counted
 * by process: a second coroutine of a worker would pass it, all other workers would wait, and for ever when the worker
 * is killed. So apcu_entry() is one of ours: it fetches, waits for the lock of this key in this worker, fetches again,
 * calls, and stores. No lock of APCu's is held while PHP code runs. Two workers may compute the same value at once.
 *
 * In quarantine, while made-up visitors ask for pages, nothing is written: real visitors would get it.
 */
#include "interpose/guard/weft_modules.h"
#include "interpose/weft_quarantine.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_wrap.h"

/* How many waits are followed one after another in search of a circle. */
#define CIRCLE_MAX 32

typedef struct key_lock key_lock;

typedef struct key_waiter {
	weft_coroutine *coroutine;
	struct key_waiter *next;
} key_waiter;

/* There is one for each key whose value is being computed. */
struct key_lock {
	key_lock *next;
	weft_coroutine *owner;
	key_waiter *first, **last;
	size_t length;
	char key[];
};

static key_lock *locks;

/* --- locks --- */

static key_lock *lock_find(const zend_string *key)
{
	key_lock *lock = locks;

	while (lock && (lock->length != ZSTR_LEN(key) || memcmp(lock->key, ZSTR_VAL(key), lock->length) != 0)) {
		lock = lock->next;
	}
	return lock;
}

static key_lock *lock_new(const zend_string *key)
{
	key_lock *lock = pemalloc(sizeof(*lock) + ZSTR_LEN(key), 1);

	*lock = (key_lock){.next = locks, .owner = weft_current, .length = ZSTR_LEN(key)};
	lock->last = &lock->first;
	memcpy(lock->key, ZSTR_VAL(key), lock->length);
	return locks = lock;
}

/* The eldest that waits gets it. */
static void lock_release(key_lock *lock)
{
	key_waiter *next = lock->first;
	key_lock **link = &locks;

	if (next) {
		lock->first = next->next;
		lock->last = lock->first ? lock->last : &lock->first;
		lock->owner = next->coroutine;
		weft_wake(next->coroutine);
		return;
	}
	while (*link != lock) {
		link = &(*link)->next;
	}
	*link = lock->next;
	free(lock);
}

static void leave_queue(key_lock *lock, const key_waiter *waiter)
{
	key_waiter **link = &lock->first;

	while (*link != waiter) {
		link = &(*link)->next;
	}
	*link = waiter->next;
	lock->last = *link ? lock->last : link;
}

static bool descends(const weft_coroutine *coroutine, const weft_coroutine *from)
{
	while (coroutine && coroutine != from) {
		coroutine = coroutine->parent;
	}
	return coroutine != NULL;
}

/* Whether `owner` may be waiting for the running coroutine: a coroutine waits for those that it has spawned, and those
 * for locks. Without the lock of the whole cache there may be such a circle. */
static bool may_wait_for_us(const weft_coroutine *owner, int depth)
{
	if (descends(weft_current, owner) || depth == CIRCLE_MAX) {
		return true;
	}
	for (const key_lock *lock = locks; lock; lock = lock->next) {
		for (const key_waiter *waiter = lock->first; waiter; waiter = waiter->next) {
			if (descends(waiter->coroutine, owner) && may_wait_for_us(lock->owner, depth + 1)) {
				return true;
			}
		}
	}
	return false;
}

/* False: its wait was cancelled, and an exception is thrown. */
static bool lock_wait(key_lock *lock)
{
	weft_wait_info info = {.what = "apcu_entry", .fd = -1, .on = lock};
	key_waiter waiter = {.coroutine = weft_current};
	int error = 0;

	*lock->last = &waiter;
	lock->last = &waiter.next;
	while (error == 0 && lock->owner != weft_current) {
		error = weft_suspend(&info);
	}
	if (error != 0 && lock->owner == weft_current) {
		lock_release(lock);
	} else if (error != 0) {
		leave_queue(lock, &waiter);
	}
	return error == 0;
}

/* --- apcu_entry() --- */

static zif_handler plain_entry;
static zend_function *fetch_function, *store_function, *enabled_function;

static bool is_enabled(void)
{
	zval result;

	zend_call_known_function(enabled_function, NULL, NULL, &result, 0, NULL, NULL);
	return Z_TYPE(result) == IS_TRUE;
}

static bool fetch(zend_string *key, zval *to)
{
	zval arguments[2];
	bool found;

	ZVAL_STR(&arguments[0], key);
	ZVAL_NEW_EMPTY_REF(&arguments[1]);
	ZVAL_FALSE(Z_REFVAL(arguments[1]));
	zend_call_known_function(fetch_function, NULL, NULL, to, 2, arguments, NULL);
	found = !EG(exception) && zend_is_true(Z_REFVAL(arguments[1]));
	zval_ptr_dtor(&arguments[1]);
	if (!found) {
		zval_ptr_dtor(to);
		ZVAL_NULL(to);
	}
	return found;
}

/* False after a fatal error. */
static bool compute(zend_fcall_info *call, zend_fcall_info_cache *cache, zend_string *key, zend_long lifetime, zval *to)
{
	volatile bool ended = false;
	zval arguments[3], result;

	ZVAL_STR(&arguments[0], key);
	call->params = arguments;
	call->param_count = 1;
	call->retval = to;
	zend_try
	{
		zend_call_function(call, cache);
		if (!EG(exception) && !Z_ISUNDEF_P(to)) {
			ZVAL_COPY_VALUE(&arguments[1], to);
			ZVAL_LONG(&arguments[2], lifetime);
			zend_call_known_function(store_function, NULL, NULL, &result, 3, arguments, NULL);
			zval_ptr_dtor(&result);
		}
		ended = true;
	}
	zend_end_try();
	return ended;
}

/* With the lock of its key, if any is needed. False after a fatal error. */
static bool compute_once(zend_fcall_info *call, zend_fcall_info_cache *cache, zend_string *key, zend_long lifetime,
	zval *to)
{
	key_lock *lock = weft_current ? lock_find(key) : NULL;
	bool ended;

	if (!lock && weft_current) {
		lock = lock_new(key);
	} else if (!lock || !weft_can_suspend() || may_wait_for_us(lock->owner, 0)) {
		lock = NULL; /* it can't wait: computed twice is better than never */
	} else if (!lock_wait(lock)) {
		return true;
	} else if (fetch(key, to) || EG(exception)) {
		lock_release(lock);
		return true;
	}
	ended = compute(call, cache, key, lifetime, to);
	if (lock) {
		lock_release(lock);
	}
	return ended;
}

static ZEND_FUNCTION(weft_apcu_entry)
{
	zend_fcall_info call;
	zend_fcall_info_cache cache;
	zend_string *key;
	zend_long lifetime = 0;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(key)
		Z_PARAM_FUNC(call, cache)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(lifetime)
	ZEND_PARSE_PARAMETERS_END();
	if (!is_enabled()) {
		zend_release_fcall_info_cache(&cache);
		plain_entry(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		return;
	}
	if (!fetch(key, return_value) && !EG(exception) && !compute_once(&call, &cache, key, lifetime, return_value)) {
		zend_bailout();
	}
	zend_release_fcall_info_cache(&cache);
}

/* --- what writes --- */

/* As if there were no room: a list of the keys, when a list of them was given. */
static void refuse(zend_execute_data *execute_data, zval *return_value, bool is_delete)
{
	zval *keys = ZEND_NUM_ARGS() > 0 ? ZEND_CALL_ARG(execute_data, 1) : NULL, *success, *key;
	zend_string *name;
	zend_ulong number;

	if (keys && Z_TYPE_P(keys) == IS_ARRAY) {
		array_init(return_value);
		ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(keys), number, name, key) {
			if (is_delete) {
				Z_TRY_ADDREF_P(key);
				add_next_index_zval(return_value, key);
			} else if (name) {
				add_assoc_long_ex(return_value, ZSTR_VAL(name), ZSTR_LEN(name), -1);
			} else {
				add_index_long(return_value, number, -1);
			}
		}
		ZEND_HASH_FOREACH_END();
		return;
	}
	success = ZEND_NUM_ARGS() > 2 ? ZEND_CALL_ARG(execute_data, 3) : NULL;
	if (success && Z_ISREF_P(success)) {
		ZEND_TRY_ASSIGN_REF_FALSE(success); /* of apcu_inc() and apcu_dec() */
	}
	RETURN_FALSE;
}

#define WRITERS(_) \
	_(apcu_store, false) \
	_(apcu_add, false) \
	_(apcu_inc, false) \
	_(apcu_dec, false) \
	_(apcu_cas, false) \
	_(apcu_delete, true) \
	_(apcu_clear_cache, false)

#define WRITER(name, is_delete) \
	static zif_handler plain_##name; \
	static ZEND_FUNCTION(weft_##name) \
	{ \
		if (UNEXPECTED(weft_quarantine_begun())) { \
			refuse(execute_data, return_value, is_delete); \
		} else { \
			plain_##name(INTERNAL_FUNCTION_PARAM_PASSTHRU); \
		} \
	}
WRITERS(WRITER)

/* --- module life --- */

void weft_apcu_rinit(void)
{
	if (plain_entry || !zend_hash_str_exists(&module_registry, ZEND_STRL("apcu"))) {
		return;
	}
#define WRAP_WRITER(name, is_delete) plain_##name = weft_wrap("apcu", NULL, #name, zif_weft_##name);
	WRITERS(WRAP_WRITER)
	fetch_function = weft_wrap_find("apcu", NULL, "apcu_fetch");
	store_function = weft_wrap_find("apcu", NULL, "apcu_store");
	enabled_function = weft_wrap_find("apcu", NULL, "apcu_enabled");
	if (fetch_function && store_function && enabled_function) {
		plain_entry = weft_wrap("apcu", NULL, "apcu_entry", zif_weft_apcu_entry);
	}
}
