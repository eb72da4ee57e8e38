/*
 * When every coroutine waits for something that cannot happen: says which waits, where and for what. And which
 * coroutines one waits for.
 */
#include "async/weft_async.h"
#include "async/weft_coroutine_object.h"

#include "zend_smart_str.h"

static void describe_coroutine(weft_coroutine *coroutine, void *arg)
{
	smart_str *text = arg;
	const weft_awaitable *on = coroutine->wait.awaitable ? coroutine->wait.on : NULL;
	const char *file;
	uint32_t line;

	if (coroutine->state != WEFT_COROUTINE_SUSPENDED) {
		return;
	}
	smart_str_append_printf(text, "\n  coroutine #%" PRIu64, coroutine->id);
	if (coroutine->is_main) {
		smart_str_appends(text, " (the main script)");
	}
	smart_str_append_printf(text, " waits for %s", coroutine->wait.what);
	if (on && on->id) {
		smart_str_append_printf(text, " #%" PRIu64, on->id);
	}
	file = weft_frame_location(coroutine->suspended_at, &line);
	if (file) {
		smart_str_append_printf(text, " at %s:%u", file, line);
	}
}

static bool each_awaited(const weft_coroutine *waiter, weft_awaited_visitor visit, void *arg)
{
	const weft_coroutine_object *object = waiter->wait.on;

	if (!waiter->wait.awaitable) {
		return weft_group_each(waiter, visit, arg);
	}
	/* that of a Timeout begins alike, and ends by itself */
	return object->awaitable.id && object->coroutine && visit(object->coroutine, arg);
}

static void report_deadlock(void)
{
	smart_str text = {0};
	zend_object *error;

	if (!weft_main || weft_main->state != WEFT_COROUTINE_SUSPENDED) {
		return;
	}
	smart_str_appends(&text, "Every coroutine waits for something that cannot happen:");
	weft_scheduler_each(describe_coroutine, &text);
	smart_str_0(&text);
	error = weft_async_exception(weft_ce_deadlock, "%s", ZSTR_VAL(text.s));
	weft_cancel(weft_main, error);
	OBJ_RELEASE(error);
	smart_str_free(&text);
}

void weft_deadlock_minit(void)
{
	weft_on_deadlock = report_deadlock;
	weft_each_awaited = each_awaited;
}
