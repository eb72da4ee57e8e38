/*
 * Output buffers of a coroutine (async/output_buffers.phpt). While it runs they lie on top of the request's in PHP's
 * own stack, so that what they flush goes there by itself; whenever the coroutine is left they are taken off. The
 * functions of PHP that look at the stack, or take from it, see no more of it than the coroutine's own.
 */
#include "globals/weft_c_output.h"
#include "coroutine/weft_wrap.h"

#include "php_output.h"

typedef struct {
	weft_aside aside;
	const void *domain;              /* whose stack they lie on */
	int base;                        /* how many of the request's lie below them */
	php_output_handler *main_active; /* OG(active) without them. Not the top one while that is being flushed */
	php_output_handler **own;        /* while the coroutine is left, the lowest first */
	php_output_handler *own_active;  /* likewise; NULL: the top one of the whole stack */
	int count;
	bool is_left;
} own_buffers;

static void buffers_exchange(weft_aside *aside);

static int depth(void)
{
	return zend_stack_count(&OG(handlers));
}

static php_output_handler *top(void)
{
	php_output_handler **handler = zend_stack_top(&OG(handlers));

	return handler ? *handler : NULL;
}

static own_buffers *buffers_of(const weft_coroutine *coroutine)
{
	return (own_buffers *) weft_aside_find(coroutine, buffers_exchange);
}

/* How many the running coroutine has. */
static int count_own(const own_buffers *buffers)
{
	return buffers && buffers->domain == weft_domain_in_place ? MAX(depth() - buffers->base, 0) : 0;
}

/* --- the coroutine is left, and goes on --- */

static bool is_of_the_request(const php_output_handler *handler, const own_buffers *buffers)
{
	php_output_handler **handlers = OG(handlers).elements;

	for (int i = 0; i < buffers->base; i++) {
		if (handlers[i] == handler) {
			return true;
		}
	}
	return handler == buffers->main_active;
}

static void take_off(own_buffers *buffers)
{
	if (depth() < buffers->base) {
		/* the end of all output has ended them, too */
		buffers->own_active = NULL;
		buffers->count = 0;
		return;
	}
	buffers->own_active = is_of_the_request(OG(active), buffers) ? NULL : OG(active);
	buffers->count = depth() - buffers->base;
	buffers->own = safe_perealloc(buffers->own, (size_t) buffers->count + 1, sizeof(*buffers->own), 0, 1);
	for (int i = buffers->count - 1; i >= 0; i--) {
		buffers->own[i] = top();
		zend_stack_del_top(&OG(handlers));
	}
	OG(active) = buffers->main_active;
}

static void put_on(own_buffers *buffers)
{
	buffers->base = depth();
	buffers->main_active = OG(active);
	for (int i = 0; i < buffers->count; i++) {
		zend_stack_push(&OG(handlers), &buffers->own[i]);
		buffers->own[i]->level = depth() - 1;
		OG(active) = buffers->own[i];
	}
	if (buffers->own_active) {
		OG(active) = buffers->own_active;
	}
}

static void buffers_exchange(weft_aside *aside)
{
	own_buffers *buffers = (own_buffers *) aside;

	if (buffers->is_left) {
		put_on(buffers);
		buffers->is_left = false;
	} else if (buffers->domain == weft_domain_in_place) {
		take_off(buffers);
		buffers->is_left = true;
	}
}

/* --- the running coroutine gets some, and has none any more --- */

static own_buffers *buffers_make(void)
{
	own_buffers *buffers = buffers_of(weft_current);

	if (!buffers) {
		buffers = pecalloc(1, sizeof(*buffers), 1);
		buffers->aside.exchange = buffers_exchange;
		buffers->base = depth();
		weft_aside_add(weft_current, &buffers->aside);
	}
	if (count_own(buffers) == 0) {
		buffers->domain = weft_domain_in_place;
		buffers->base = depth();
		buffers->main_active = OG(active);
	}
	return buffers;
}

static void buffers_free(weft_coroutine *coroutine, own_buffers *buffers)
{
	weft_aside_remove(coroutine, &buffers->aside);
	pefree(buffers->own, 1);
	pefree(buffers, 1);
}

static void free_when_empty(own_buffers *buffers)
{
	if (count_own(buffers) == 0) {
		if (buffers->domain == weft_domain_in_place) {
			OG(active) = buffers->main_active;
		}
		buffers_free(weft_current, buffers);
	}
}

void weft_output_end_own(void)
{
	own_buffers *buffers = buffers_of(weft_current);

	weft_current->own_output = false;
	if (EXPECTED(!buffers)) {
		return;
	}
	for (int rest = count_own(buffers); rest > 0; rest--) {
		OG(active)->flags |= PHP_OUTPUT_HANDLER_REMOVABLE; /* as at a request's end */
		php_output_end();
	}
	free_when_empty(buffers);
}

void weft_output_forget_own(weft_coroutine *coroutine)
{
	own_buffers *buffers = buffers_of(coroutine);

	if (EXPECTED(!buffers)) {
		return;
	}
	if (count_own(buffers) > 0) {
		take_off(buffers); /* a fatal error has left them on the request's */
		for (int i = 0; i < buffers->count; i++) {
			php_output_handler_free(&buffers->own[i]);
		}
	}
	buffers_free(coroutine, buffers);
}

/* --- PHP's functions --- */

static bool has_own_output(void)
{
	return weft_current && weft_current->own_output;
}

static zif_handler plain_ob_start, plain_ob_get_level, plain_ob_list_handlers, plain_ob_get_status;

static ZEND_FUNCTION(weft_ob_start)
{
	own_buffers *buffers = has_own_output() ? buffers_make() : NULL;

	plain_ob_start(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (buffers) {
		free_when_empty(buffers);
	}
}

static ZEND_FUNCTION(weft_ob_get_level)
{
	plain_ob_get_level(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (has_own_output() && !EG(exception)) {
		RETURN_LONG(count_own(buffers_of(weft_current)));
	}
}

static void lower_level(zval *status, int by)
{
	zval *level = Z_TYPE_P(status) == IS_ARRAY ? zend_hash_str_find(Z_ARRVAL_P(status), ZEND_STRL("level")) : NULL;

	if (level) {
		Z_LVAL_P(level) -= by;
	}
}

/* A list of all, from the lowest on: without the request's. */
static void keep_own(zval *list)
{
	int base = depth() - count_own(buffers_of(weft_current)), i = 0;
	zval own, *one;

	array_init(&own);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(list), one) {
		if (i++ >= base) {
			Z_TRY_ADDREF_P(one);
			add_next_index_zval(&own, one);
		}
	} ZEND_HASH_FOREACH_END();
	zval_ptr_dtor(list);
	ZVAL_COPY_VALUE(list, &own);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(list), one) {
		lower_level(one, base);
	} ZEND_HASH_FOREACH_END();
}

static ZEND_FUNCTION(weft_ob_list_handlers)
{
	plain_ob_list_handlers(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (has_own_output() && Z_TYPE_P(return_value) == IS_ARRAY) {
		keep_own(return_value);
	}
}

static ZEND_FUNCTION(weft_ob_get_status)
{
	plain_ob_get_status(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (!has_own_output() || Z_TYPE_P(return_value) != IS_ARRAY) {
		return;
	}
	if (zend_array_is_list(Z_ARRVAL_P(return_value))) {
		keep_own(return_value);
	} else if (count_own(buffers_of(weft_current)) > 0) {
		lower_level(return_value, buffers_of(weft_current)->base);
	} else {
		zval_ptr_dtor(return_value);
		array_init(return_value);
	}
}

/* Those that act on the top one, and what they say without one. They have no arguments. */
#define OF_THE_TOP(ITEM) \
	ITEM(ob_flush, "Failed to flush buffer. No buffer to flush") \
	ITEM(ob_clean, "Failed to delete buffer. No buffer to delete") \
	ITEM(ob_end_flush, "Failed to delete and flush buffer. No buffer to delete or flush") \
	ITEM(ob_end_clean, "Failed to delete buffer. No buffer to delete") \
	ITEM(ob_get_flush, "Failed to delete and flush buffer. No buffer to delete or flush") \
	ITEM(ob_get_clean, NULL) \
	ITEM(ob_get_contents, NULL) \
	ITEM(ob_get_length, NULL)

static void act_on_top(zif_handler plain, const char *without, INTERNAL_FUNCTION_PARAMETERS)
{
	own_buffers *buffers = has_own_output() ? buffers_of(weft_current) : NULL;

	if (count_own(buffers) > 0) {
		plain(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		free_when_empty(buffers);
	} else if (!has_own_output() || ZEND_NUM_ARGS() > 0) {
		plain(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	} else {
		RETVAL_FALSE;
		if (without) {
			php_error_docref("ref.outcontrol", E_NOTICE, "%s", without);
		}
	}
}

#define WRAPPER(name, without) \
	static zif_handler plain_##name; \
	static ZEND_FUNCTION(weft_##name) \
	{ \
		act_on_top(plain_##name, without, INTERNAL_FUNCTION_PARAM_PASSTHRU); \
	}
OF_THE_TOP(WRAPPER)

void weft_output_rinit(void)
{
	if (plain_ob_start) {
		return;
	}
	plain_ob_start = weft_wrap("standard", NULL, "ob_start", ZEND_FN(weft_ob_start));
	plain_ob_get_level = weft_wrap("standard", NULL, "ob_get_level", ZEND_FN(weft_ob_get_level));
	plain_ob_list_handlers = weft_wrap("standard", NULL, "ob_list_handlers", ZEND_FN(weft_ob_list_handlers));
	plain_ob_get_status = weft_wrap("standard", NULL, "ob_get_status", ZEND_FN(weft_ob_get_status));
#define WRAP(name, without) plain_##name = weft_wrap("standard", NULL, #name, ZEND_FN(weft_##name));
	OF_THE_TOP(WRAP)
}
