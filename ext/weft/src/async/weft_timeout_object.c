/*
 * Async\Timeout: an awaitable that a timer completes, with the exception that whoever awaited it gets.
 */
#include "async/weft_async.h"

/* A century, far below where nanoseconds would wrap around. */
#define MOST_MILLISECONDS (INT64_C(100) * 365 * 86400 * 1000)

typedef struct {
	weft_awaitable awaitable;
	weft_timer timer;
	zend_long milliseconds;
	zend_object *cancellation;
	zend_object std;
} timeout_object;

zend_class_entry *weft_ce_timeout;
static zend_object_handlers handlers;

static timeout_object *from_object(zend_object *object)
{
	return (timeout_object *) weft_awaitable_of(object);
}

static void timeout_is_up(weft_timer *timer)
{
	timeout_object *timeout = (timeout_object *) ((char *) timer - offsetof(timeout_object, timer));

	weft_awaitable_complete(&timeout->awaitable);
}

static zend_object *timeout_create(zend_class_entry *ce)
{
	timeout_object *timeout = zend_object_alloc(sizeof(*timeout), ce);

	zend_object_std_init(&timeout->std, ce);
	object_properties_init(&timeout->std, ce);
	timeout->std.handlers = &handlers;
	timeout->awaitable.what = "timeout";
	timeout->timer.fire = timeout_is_up;
	return &timeout->std;
}

static void timeout_destroy(zend_object *object)
{
	timeout_object *timeout = from_object(object);

	weft_timer_disarm(&timeout->timer);
	if (timeout->cancellation) {
		OBJ_RELEASE(timeout->cancellation);
		timeout->cancellation = NULL;
	}
	zend_object_std_dtor(object);
}

uint64_t weft_async_deadline(zend_long milliseconds)
{
	return weft_now() + (uint64_t) MIN(milliseconds, MOST_MILLISECONDS) * WEFT_NS_PER_MS;
}

zend_object *weft_timeout_object_new(zend_long milliseconds)
{
	timeout_object *timeout = from_object(timeout_create(weft_ce_timeout));

	timeout->milliseconds = milliseconds;
	weft_timer_arm(&timeout->timer, weft_async_deadline(milliseconds));
	return &timeout->std;
}

zend_object *weft_timeout_object_outcome(zend_object *object)
{
	timeout_object *timeout = from_object(object);

	if (timeout->cancellation) {
		GC_ADDREF(timeout->cancellation);
		return timeout->cancellation;
	}
	return weft_async_exception(weft_ce_timeout_exception, "The time limit of " ZEND_LONG_FMT " ms has passed",
		timeout->milliseconds);
}

static void timeout_cancel(zend_object *object, zend_object *cancellation)
{
	timeout_object *timeout = from_object(object);

	if (timeout->awaitable.completed) {
		return;
	}
	weft_timer_disarm(&timeout->timer);
	timeout->cancellation = cancellation ? cancellation
										 : weft_async_exception(weft_ce_cancellation, "The timeout was cancelled");
	if (cancellation) {
		GC_ADDREF(cancellation);
	}
	timeout->awaitable.cancelled = true;
	weft_awaitable_complete(&timeout->awaitable);
}

ZEND_METHOD(Async_Timeout, __construct)
{
	ZEND_PARSE_PARAMETERS_NONE();
	zend_throw_error(NULL, "Async\\timeout() makes timeouts");
}

ZEND_METHOD(Async_Timeout, cancel)
{
	zend_object *cancellation = NULL;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(cancellation, weft_ce_cancellation)
	ZEND_PARSE_PARAMETERS_END();
	timeout_cancel(Z_OBJ_P(ZEND_THIS), cancellation);
}

ZEND_METHOD(Async_Timeout, isCompleted)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(weft_awaitable_of(Z_OBJ_P(ZEND_THIS))->completed);
}

ZEND_METHOD(Async_Timeout, isCancelled)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(weft_awaitable_of(Z_OBJ_P(ZEND_THIS))->cancelled);
}

void weft_timeout_object_minit(void)
{
	weft_ce_timeout->create_object = timeout_create;
	memcpy(&handlers, &std_object_handlers, sizeof(handlers));
	handlers.offset = offsetof(timeout_object, std);
	handlers.free_obj = timeout_destroy;
	handlers.clone_obj = NULL;
}
