/*
 * iterate(): a callback for each element, so many at a time.
 *
 * A coroutine of its own, the driver, draws the elements and spawns a child for each; the caller waits for the driver.
 * So a failing callback can cancel an iterator that waits, and whatever the callbacks spawn is the driver's in the end.
 */
#include "async/weft_async.h"
#include "async/weft_iterable.h"
#include "globals/weft_c_output.h"

#include "zend_exceptions.h"

typedef struct call call;

typedef struct {
	zval iterable;
	zval callback;
	zend_fcall_info_cache fcc;
	zend_long concurrency; /* 0: no limit */
	bool cancel_pending;
	weft_coroutine *caller; /* NULL: it has given up waiting */
	weft_coroutine *driver;
	call *ended; /* to be dropped by the driver */
	zend_long running;
	bool driver_waits; /* for one of its calls to end */
	bool stopped;      /* no further elements */
	bool done;
	zend_object *failure; /* the first exception */
} iteration;

struct call {
	weft_awaiter awaiter;
	iteration *iteration;
	zend_object *coroutine;
	call *next_ended;
};

static void drop_ended(iteration *self)
{
	while (self->ended) {
		call *one = self->ended;

		self->ended = one->next_ended;
		OBJ_RELEASE(one->coroutine);
		efree(one);
	}
}

static void iteration_drop(iteration *self)
{
	if (self->running) {
		return; /* a fatal error ended the driver: its calls still refer to this */
	}
	drop_ended(self);
	zval_ptr_dtor(&self->iterable);
	zval_ptr_dtor(&self->callback);
	if (self->failure) {
		OBJ_RELEASE(self->failure);
	}
	efree(self);
}

static void cancel_calls(const iteration *self, const char *why)
{
	zend_object *cancellation;

	if (!self->driver->children) {
		return;
	}
	cancellation = weft_async_exception(weft_ce_cancellation, "%s", why);
	weft_cancel_children(self->driver, cancellation);
	OBJ_RELEASE(cancellation);
}

/* No further elements; an iterator that waits is to end now. */
static void stop(iteration *self)
{
	zend_object *cancellation;

	self->stopped = true;
	if (self->driver_waits) {
		return; /* not in the iterator */
	}
	cancellation = weft_async_exception(weft_ce_cancellation, "The iteration has ended");
	weft_cancel(self->driver, cancellation);
	OBJ_RELEASE(cancellation);
}

/* Takes over the reference. */
static void fail(iteration *self, zend_object *exception)
{
	self->failure = exception;
	cancel_calls(self, "The iteration has failed");
}

/* --- a call of the callback, in a coroutine of its own --- */

/* Runs no PHP code: what could run a destructor is left to the driver. */
static void iteration_on_end(weft_awaiter *awaiter)
{
	call *one = (call *) awaiter;
	iteration *self = one->iteration;
	zval result;
	zend_object *exception = weft_awaitable_outcome(one->coroutine, &result);

	weft_awaitable_unlink(awaiter);
	one->next_ended = self->ended;
	self->ended = one;
	self->running--;
	if (exception && !self->failure) {
		stop(self);
		fail(self, exception);
	} else if (exception) {
		GC_DELREF(exception); /* the coroutine's object has it too */
	} else {
		if (Z_TYPE(result) == IS_FALSE && !self->stopped) {
			stop(self);
		}
		Z_TRY_DELREF(result); /* likewise */
	}
	if (self->driver_waits) {
		weft_wake(self->driver);
	}
}

/* Takes over key and value. */
static void spawn_call(iteration *self, zval *key, zval *value)
{
	call *one = emalloc(sizeof(*one));
	zval arguments[2];

	ZVAL_COPY_VALUE(&arguments[0], value);
	ZVAL_COPY_VALUE(&arguments[1], key);
	memset(one, 0, sizeof(*one));
	one->iteration = self;
	one->awaiter.notify = iteration_on_end;
	one->coroutine = weft_coroutine_object_spawn(&self->callback, &self->fcc, 2, arguments, NULL);
	if (EXPECTED(one->coroutine)) {
		weft_awaitable_link(weft_awaitable_of(one->coroutine), &one->awaiter);
		self->running++;
	} else {
		efree(one);
	}
	zval_ptr_dtor(&arguments[0]);
	zval_ptr_dtor(&arguments[1]);
}

/* --- the driver --- */

/* Later exceptions than the first have nobody to go to. */
static void report_ended(const iteration *self)
{
	for (const call *one = self->ended; one; one = one->next_ended) {
		zval result;
		zend_object *exception = weft_awaitable_outcome(one->coroutine, &result);

		if (!exception) {
			zval_ptr_dtor(&result);
		} else if (exception == self->failure || instanceof_function(exception->ce, weft_ce_cancellation)) {
			OBJ_RELEASE(exception);
		} else {
			zend_exception_error(exception, E_WARNING);
		}
	}
}

/* The iterator's exception, or a cancellation. */
static void iteration_take_exception(iteration *self)
{
	zend_object *exception = EG(exception);

	if (!exception) {
		return;
	}
	if (zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception)) {
		self->stopped = true;
		weft_coroutine_exit();
		return;
	}
	GC_ADDREF(exception);
	zend_clear_exception();
	if (self->stopped && instanceof_function(exception->ce, weft_ce_cancellation)) {
		OBJ_RELEASE(exception);
		return;
	}
	self->stopped = true;
	if (self->failure) {
		zend_exception_error(exception, E_WARNING);
	} else {
		fail(self, exception);
	}
}

/* Until fewer than `limit` are running. */
static void wait_for_calls(iteration *self, zend_long limit)
{
	weft_wait_info info = {.what = "a callback of iterate()", .fd = -1};

	self->driver_waits = true;
	while (self->running >= limit && !(self->stopped && limit > 1)) {
		if (weft_suspend(&info) != 0) {
			iteration_take_exception(self);
		}
	}
	self->driver_waits = false;
	report_ended(self);
	drop_ended(self);
}

static void draw(iteration *self)
{
	weft_iterable source;
	zval key, value;
	bool more = weft_iterable_begin(&source, &self->iterable);

	while (more && !self->stopped && weft_iterable_next(&source, &key, &value)) {
		if (self->stopped) {
			zval_ptr_dtor(&key);
			zval_ptr_dtor(&value);
			break;
		}
		spawn_call(self, &key, &value);
		if (UNEXPECTED(EG(exception))) {
			break;
		}
		if (self->concurrency) {
			wait_for_calls(self, self->concurrency);
		}
	}
	iteration_take_exception(self);
	weft_iterable_end(&source);
	iteration_take_exception(self);
}

static void drive(weft_coroutine *coroutine, void *arg)
{
	iteration *self = arg;

	draw(self);
	wait_for_calls(self, 1);
	while (coroutine->children) {
		if (self->cancel_pending) {
			cancel_calls(self, "The iteration has ended");
		}
		if (weft_wait_for_children() != 0) {
			iteration_take_exception(self);
		}
	}
	weft_output_end_own();
	weft_fiber_end(coroutine, self->failure ? NULL : &EG(uninitialized_zval));
	iteration_take_exception(self);
	self->done = true;
}

static void drive_finished(weft_coroutine *coroutine, void *arg)
{
	iteration *self = arg;

	weft_spawn_end(coroutine);
	weft_output_forget_own(coroutine);
	weft_fiber_forget(coroutine);
	if (!self->done) {
		if (!self->failure) {
			self->failure = weft_async_exception(weft_ce_async_exception,
				coroutine->stackless
					? "No memory for the stack of an iteration's coroutine: too many coroutines, or weft.stack_size is "
					  "too large"
					: "The iteration ended in a fatal error");
		}
		self->done = true;
	}
	if (self->caller) {
		weft_wake(self->caller);
	} else {
		iteration_drop(self);
	}
}

/* --- the caller --- */

static void cancel_iteration(const iteration *self)
{
	zend_object *cancellation;

	if (self->driver->cancel_requested) {
		return; /* with its parent */
	}
	if (instanceof_function(EG(exception)->ce, weft_ce_cancellation)) {
		weft_cancel_family(self->driver, EG(exception));
		return;
	}
	cancellation = weft_async_exception(weft_ce_cancellation, "The coroutine that iterates was ended");
	weft_cancel_family(self->driver, cancellation);
	OBJ_RELEASE(cancellation);
}

/* A first cancellation is passed on and the end of all awaited; a second one ends the wait. In a child process that a
 * callback has forked, no driver exists. */
static void wait_for_driver(const iteration *self)
{
	weft_wait_info info = {.what = "the end of iterate()", .fd = -1};
	bool cancelled = false;

	while (!self->done && self->driver->state != WEFT_COROUTINE_DONE) {
		if (weft_suspend(&info) == 0) {
			continue;
		}
		if (cancelled) {
			return;
		}
		cancelled = true;
		cancel_iteration(self);
	}
}

ZEND_FUNCTION(Async_iterate)
{
	zval *iterable;
	zend_fcall_info fci;
	zend_fcall_info_cache fcc;
	zend_long concurrency = 0;
	bool cancel_pending = true;
	iteration *self;

	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_ITERABLE(iterable)
		Z_PARAM_FUNC(fci, fcc)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(concurrency)
		Z_PARAM_BOOL(cancel_pending)
	ZEND_PARSE_PARAMETERS_END();
	if (concurrency < 0) {
		zend_argument_value_error(3, "must be greater than or equal to 0");
		RETURN_THROWS();
	}
	if (!weft_async_may_wait("Async\\iterate()")) {
		RETURN_THROWS();
	}
	if (!weft_spawn_begin()) {
		RETURN_THROWS();
	}
	self = ecalloc(1, sizeof(*self));
	ZVAL_COPY(&self->iterable, iterable);
	ZVAL_COPY(&self->callback, &fci.function_name);
	self->fcc = fcc;
	self->concurrency = concurrency;
	self->cancel_pending = cancel_pending;
	self->caller = weft_current;
	self->driver = weft_coroutine_spawn(drive, self, drive_finished);
	self->driver->own_output = true;
	weft_family_join(self->driver);
	wait_for_driver(self);
	if (!self->done) {
		self->caller = NULL;
		return;
	}
	if (self->failure && !EG(exception)) {
		GC_ADDREF(self->failure);
		zend_throw_exception_internal(self->failure);
	}
	iteration_drop(self);
}
