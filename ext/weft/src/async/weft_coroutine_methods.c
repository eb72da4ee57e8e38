/*
 * The methods of Async\Coroutine.
 */
#include "async/weft_coroutine_object.h"

#include "zend_closures.h"
#include "zend_exceptions.h"

#define SELF weft_coroutine_object_from(Z_OBJ_P(ZEND_THIS))

static bool has_state(weft_coroutine_object *self, weft_coroutine_state state)
{
	return self->coroutine && self->coroutine->state == state;
}

ZEND_METHOD(Async_Coroutine, __construct)
{
	ZEND_PARSE_PARAMETERS_NONE();
	zend_throw_error(NULL, "Async\\spawn() makes coroutines");
}

ZEND_METHOD(Async_Coroutine, getId)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_LONG((zend_long) SELF->awaitable.id);
}

ZEND_METHOD(Async_Coroutine, getResult)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (Z_TYPE(SELF->result) == IS_UNDEF || !SELF->awaitable.completed) {
		RETURN_NULL();
	}
	RETURN_COPY_DEREF(&SELF->result);
}

ZEND_METHOD(Async_Coroutine, getException)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (!SELF->exception || !SELF->awaitable.completed) {
		RETURN_NULL();
	}
	SELF->exception_seen = true;
	RETURN_OBJ_COPY(SELF->exception);
}

static void return_place(zval *return_value, const char *file, uint32_t line)
{
	array_init_size(return_value, 2);
	if (file) {
		add_next_index_string(return_value, file);
	} else {
		add_next_index_null(return_value);
	}
	add_next_index_long(return_value, line);
}

static void return_location(zval *return_value, const char *file, uint32_t line)
{
	if (!file) {
		RETURN_STRING("unknown");
	}
	RETURN_STR(zend_strpprintf(0, "%s:%u", file, line));
}

ZEND_METHOD(Async_Coroutine, getSpawnFileAndLine)
{
	ZEND_PARSE_PARAMETERS_NONE();
	return_place(return_value, SELF->spawn_file ? ZSTR_VAL(SELF->spawn_file) : NULL, SELF->spawn_line);
}

ZEND_METHOD(Async_Coroutine, getSpawnLocation)
{
	ZEND_PARSE_PARAMETERS_NONE();
	return_location(return_value, SELF->spawn_file ? ZSTR_VAL(SELF->spawn_file) : NULL, SELF->spawn_line);
}

static const char *suspend_place(weft_coroutine_object *self, uint32_t *line)
{
	*line = 0;
	return has_state(self, WEFT_COROUTINE_SUSPENDED) ? weft_frame_location(self->coroutine->suspended_at, line) : NULL;
}

ZEND_METHOD(Async_Coroutine, getSuspendFileAndLine)
{
	const char *file;
	uint32_t line;

	ZEND_PARSE_PARAMETERS_NONE();
	file = suspend_place(SELF, &line);
	return_place(return_value, file, line);
}

ZEND_METHOD(Async_Coroutine, getSuspendLocation)
{
	const char *file;
	uint32_t line;

	ZEND_PARSE_PARAMETERS_NONE();
	file = suspend_place(SELF, &line);
	return_location(return_value, file, line);
}

ZEND_METHOD(Async_Coroutine, isStarted)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(SELF->started);
}

ZEND_METHOD(Async_Coroutine, isQueued)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(has_state(SELF, WEFT_COROUTINE_QUEUED) || has_state(SELF, WEFT_COROUTINE_READY));
}

ZEND_METHOD(Async_Coroutine, isRunning)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(has_state(SELF, WEFT_COROUTINE_RUNNING));
}

ZEND_METHOD(Async_Coroutine, isSuspended)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(has_state(SELF, WEFT_COROUTINE_SUSPENDED));
}

ZEND_METHOD(Async_Coroutine, isCancelled)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(SELF->awaitable.completed && SELF->awaitable.cancelled);
}

ZEND_METHOD(Async_Coroutine, isCancellationRequested)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(SELF->coroutine ? SELF->coroutine->cancel_requested : SELF->cancel_requested);
}

ZEND_METHOD(Async_Coroutine, isCompleted)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(SELF->awaitable.completed);
}

ZEND_METHOD(Async_Coroutine, getAwaitingInfo)
{
	weft_coroutine_object *self = SELF;
	const weft_wait_info *wait;
	const weft_awaitable *on;

	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	if (!has_state(self, WEFT_COROUTINE_SUSPENDED)) {
		return;
	}
	wait = &self->coroutine->wait;
	add_assoc_string(return_value, "what", wait->what ? wait->what : "");
	if (wait->fd >= 0) {
		add_assoc_long(return_value, "fd", wait->fd);
	}
	on = wait->awaitable ? wait->on : NULL;
	if (on && on->id) {
		add_assoc_long(return_value, "coroutine", (zend_long) on->id);
	}
}

ZEND_METHOD(Async_Coroutine, cancel)
{
	weft_coroutine_object *self = SELF;
	zend_object *cancellation = NULL;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(cancellation, weft_ce_cancellation)
	ZEND_PARSE_PARAMETERS_END();
	if (!self->coroutine) {
		return;
	}
	if (cancellation) {
		weft_cancel_family(self->coroutine, cancellation);
		return;
	}
	cancellation = weft_async_exception(weft_ce_cancellation, "Coroutine #%" PRIu64 " was cancelled",
		self->awaitable.id);
	weft_cancel_family(self->coroutine, cancellation);
	OBJ_RELEASE(cancellation);
}

ZEND_METHOD(Async_Coroutine, finally)
{
	weft_coroutine_object *self = SELF;
	zval *closure;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_OBJECT_OF_CLASS(closure, zend_ce_closure)
	ZEND_PARSE_PARAMETERS_END();
	if (Z_TYPE(self->finally) != IS_ARRAY) {
		array_init(&self->finally);
	}
	Z_ADDREF_P(closure);
	add_next_index_zval(&self->finally, closure);
	if (self->awaitable.completed) {
		weft_coroutine_object_call_finally(self);
	}
}
