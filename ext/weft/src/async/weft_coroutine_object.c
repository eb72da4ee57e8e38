/*
 * Async\Coroutine as a PHP object: made, its task run, what it returned or threw kept for those who await it,
 * reported when nobody has looked, and freed.
 */
#include "async/weft_coroutine_object.h"
#include "globals/weft_c_output.h"

#include "zend_exceptions.h"
#include "zend_interfaces.h"

zend_class_entry *weft_ce_coroutine;
static zend_object_handlers handlers;

static zend_object *coroutine_create(zend_class_entry *ce)
{
	weft_coroutine_object *self = zend_object_alloc(sizeof(*self), ce);

	zend_object_std_init(&self->std, ce);
	object_properties_init(&self->std, ce);
	self->std.handlers = &handlers;
	self->awaitable.what = "coroutine";
	return &self->std;
}

static void drop_task(weft_coroutine_object *self)
{
	for (uint32_t i = 0; i < self->argc; i++) {
		zval_ptr_dtor(&self->argv[i]);
	}
	if (self->argv) {
		efree(self->argv);
		self->argv = NULL;
		self->argc = 0;
	}
	if (self->named) {
		zend_array_release(self->named);
		self->named = NULL;
	}
	zval_ptr_dtor(&self->callable);
	ZVAL_UNDEF(&self->callable);
}

static void report_unseen_exception(weft_coroutine_object *self)
{
	zend_object *exception = self->exception;
	zval text;

	self->exception_seen = true;
	if (instanceof_function(exception->ce, weft_ce_cancellation)) {
		return; /* it ended as it was told to */
	}
	ZVAL_UNDEF(&text);
	zend_call_known_instance_method_with_0_params(exception->ce->__tostring, exception, &text);
	if (EG(exception)) {
		zend_clear_exception();
	}
	zend_error_at(E_WARNING, self->spawn_file ? self->spawn_file : ZSTR_EMPTY_ALLOC(), self->spawn_line,
		"Uncaught %s\n  in coroutine #%" PRIu64 ", spawned",
		Z_TYPE(text) == IS_STRING ? Z_STRVAL(text) : ZSTR_VAL(exception->ce->name), self->awaitable.id);
	zval_ptr_dtor(&text);
}

static void coroutine_destruct(zend_object *object)
{
	weft_coroutine_object *self = weft_coroutine_object_from(object);
	zend_execute_data *frame = EG(current_execute_data);
	zend_object *unwinding = EG(exception);
	const zend_op *opline;

	if (!self->exception || self->exception_seen) {
		return;
	}
	/* The object may be dropped while another exception unwinds the code that held it; destructors in PHP code
	 * are called in the same way. */
	if (unwinding && frame && frame->func && ZEND_USER_CODE(frame->func->type)) {
		zend_rethrow_exception(frame); /* the frame above the one that is left: it is to go on there */
	}
	opline = EG(opline_before_exception);
	EG(exception) = NULL;
	report_unseen_exception(self);
	if (!unwinding) {
		return;
	}
	EG(opline_before_exception) = opline;
	if (EG(exception)) {
		zend_exception_set_previous(EG(exception), unwinding);
	} else {
		EG(exception) = unwinding;
	}
}

static void coroutine_destroy(zend_object *object)
{
	weft_coroutine_object *self = weft_coroutine_object_from(object);

	if (UNEXPECTED(self->coroutine != NULL)) {
		self->coroutine->object = NULL; /* at the end of a PHP request, which frees its objects whoever has them */
	}
	drop_task(self);
	zval_ptr_dtor(&self->result);
	zval_ptr_dtor(&self->finally);
	if (self->exception) {
		OBJ_RELEASE(self->exception);
	}
	if (self->spawn_file) {
		zend_string_release(self->spawn_file);
	}
	zend_object_std_dtor(object);
}

static HashTable *get_gc(zend_object *object, zval **table, int *count)
{
	weft_coroutine_object *self = weft_coroutine_object_from(object);
	zend_get_gc_buffer *buffer = zend_get_gc_buffer_create();

	zend_get_gc_buffer_add_zval(buffer, &self->callable);
	zend_get_gc_buffer_add_zval(buffer, &self->result);
	zend_get_gc_buffer_add_zval(buffer, &self->finally);
	for (uint32_t i = 0; i < self->argc; i++) {
		zend_get_gc_buffer_add_zval(buffer, &self->argv[i]);
	}
	if (self->exception) {
		zend_get_gc_buffer_add_obj(buffer, self->exception);
	}
	zend_get_gc_buffer_use(buffer, table, count);
	return NULL;
}

/* --- running the task --- */

void weft_coroutine_object_call_finally(weft_coroutine_object *self)
{
	zval list, *closure, argument, ignored;

	if (Z_TYPE(self->finally) != IS_ARRAY) {
		return;
	}
	ZVAL_COPY_VALUE(&list, &self->finally);
	ZVAL_UNDEF(&self->finally);
	ZVAL_OBJ(&argument, &self->std);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(list), closure) {
		ZVAL_UNDEF(&ignored);
		call_user_function(NULL, NULL, closure, &ignored, 1, &argument);
		zval_ptr_dtor(&ignored);
		if (EG(exception)) {
			zend_exception_error(EG(exception), E_WARNING);
		}
	} ZEND_HASH_FOREACH_END();
	zval_ptr_dtor(&list);
}

/* exit() in a coroutine ends the script or the request, as it does elsewhere. */
void weft_coroutine_exit(void)
{
	zend_object *unwind;

	if (UNEXPECTED(weft_memory_ran_out())) {
		zend_bailout(); /* a fatal error like others, which jump */
	}
	zend_clear_exception();
	if (weft_on_exit) {
		weft_on_exit(weft_current, false);
		return;
	}
	if (!weft_main || weft_main == weft_current) {
		return;
	}
	weft_script_exits = true;
	unwind = zend_create_unwind_exit();
	weft_cancel(weft_main, unwind);
	OBJ_RELEASE(unwind);
}

static void coroutine_take_exception(weft_coroutine_object *self)
{
	zend_object *exception = EG(exception);

	if (zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception)) {
		weft_coroutine_exit();
		return;
	}
	GC_ADDREF(exception);
	self->exception = exception;
	self->awaitable.cancelled = self->coroutine->cancel_requested &&
		instanceof_function(exception->ce, weft_ce_cancellation);
	zend_clear_exception();
}

/* Nobody is left to do something with their results. */
static void cancel_children(weft_coroutine_object *self)
{
	zend_object *cancellation;

	if (EXPECTED(!self->coroutine->children)) {
		return;
	}
	cancellation = weft_async_exception(weft_ce_cancellation,
		"Coroutine #%" PRIu64 ", which spawned this one, ended with an exception", self->awaitable.id);
	weft_cancel_children(self->coroutine, cancellation);
	OBJ_RELEASE(cancellation);
}

static void end_own(weft_coroutine_object *self)
{
	weft_output_end_own();
	weft_fiber_end(self->coroutine, self->exception ? NULL : &self->result);
	if (UNEXPECTED(EG(exception))) {
		zend_exception_error(EG(exception), E_WARNING);
	}
}

static void run_task(weft_coroutine *coroutine, void *arg)
{
	weft_coroutine_object *self = arg;

	if (coroutine->cancellation) {
		/* Cancelled before it began: it never begins. */
		self->exception = coroutine->cancellation;
		self->awaitable.cancelled = true;
		coroutine->cancellation = NULL;
	} else {
		zend_fcall_info fci = {
			.size = sizeof(fci),
			.retval = &self->result,
			.params = self->argv,
			.param_count = self->argc,
			.named_params = self->named,
		};

		ZVAL_COPY_VALUE(&fci.function_name, &self->callable);
		self->started = true;
		zend_call_function(&fci, &self->fcc);
		if (EG(exception)) {
			coroutine_take_exception(self);
		}
	}
	drop_task(self);
	weft_coroutine_object_call_finally(self);
	end_own(self);
	if (self->exception) {
		cancel_children(self);
	}
	self->cancel_requested = coroutine->cancel_requested;
	self->coroutine = NULL;
	coroutine->object = NULL;
	/* Awaiters see it and get its exception, so it counts as seen from here on. */
	self->exception_seen |= self->awaitable.awaiters != NULL;
	weft_awaitable_complete(&self->awaitable);
	OBJ_RELEASE(&self->std);
}

static void task_finished(weft_coroutine *coroutine, void *arg)
{
	weft_coroutine_object *self = arg;

	weft_spawn_end(coroutine);
	weft_output_forget_own(coroutine);
	weft_fiber_forget(coroutine);
	if (!coroutine->object) {
		return; /* the ordinary end: run_task has done it all */
	}
	/* No stack could be had, or a fatal error jumped out of the task. Its object stays: PHP code (a destructor)
	 * could not run here. */
	self->cancel_requested = coroutine->cancel_requested;
	self->coroutine = NULL;
	self->exception = weft_async_exception(weft_ce_async_exception,
		coroutine->stackless ? "No memory for the stack of coroutine #%" PRIu64
							   ": too many coroutines, or weft.stack_size is too large"
							 : "Coroutine #%" PRIu64 " ended in a fatal error",
		self->awaitable.id);
	coroutine->object = NULL;
	weft_awaitable_complete(&self->awaitable);
}

const zend_execute_data *weft_innermost_php(const zend_execute_data *frame)
{
	while (frame && !(frame->func && ZEND_USER_CODE(frame->func->type))) {
		frame = frame->prev_execute_data;
	}
	return frame;
}

const char *weft_frame_location(const zend_execute_data *frame, uint32_t *line)
{
	frame = weft_innermost_php(frame);
	*line = frame ? frame->opline->lineno : 0;
	return frame ? ZSTR_VAL(frame->func->op_array.filename) : NULL;
}

static void remember_spawn_place(weft_coroutine_object *self)
{
	const zend_execute_data *frame = weft_innermost_php(EG(current_execute_data));

	if (frame) {
		self->spawn_file = zend_string_copy(frame->func->op_array.filename);
		self->spawn_line = frame->opline->lineno;
	}
}

zend_object *weft_coroutine_object_spawn(zval *callable, zend_fcall_info_cache *fcc, uint32_t argc, zval *argv,
	HashTable *named)
{
	weft_coroutine_object *self;

	if (!weft_spawn_begin()) {
		return NULL;
	}
	self = weft_coroutine_object_from(coroutine_create(weft_ce_coroutine));
	ZVAL_COPY(&self->callable, callable);
	self->fcc = *fcc;
	if (argc) {
		self->argv = safe_emalloc(argc, sizeof(zval), 0);
		self->argc = argc;
		for (uint32_t i = 0; i < argc; i++) {
			ZVAL_COPY(&self->argv[i], &argv[i]);
		}
	}
	if (named) {
		GC_TRY_ADDREF(named);
		self->named = named;
	}
	remember_spawn_place(self);
	GC_ADDREF(&self->std); /* the task's own, until it has ended */
	self->coroutine = weft_coroutine_spawn(run_task, self, task_finished);
	self->coroutine->own_output = true;
	weft_family_join(self->coroutine);
	self->coroutine->object = &self->std;
	self->awaitable.id = self->coroutine->id;
	return &self->std;
}

zend_object *weft_coroutine_object_of(weft_coroutine *coroutine)
{
	weft_coroutine_object *self;

	if (coroutine->object) {
		GC_ADDREF(coroutine->object);
		return coroutine->object;
	}
	self = weft_coroutine_object_from(coroutine_create(weft_ce_coroutine));
	self->coroutine = coroutine;
	self->awaitable.id = coroutine->id;
	self->started = true;
	coroutine->object = &self->std;
	GC_ADDREF(&self->std);
	return &self->std;
}

/* The main script or a request, of which PHP code made an object, has ended; or the process ends before its coroutines.
 * An object of another domain is left to that domain: it may be in another store than the one in place. */
static void on_gone(weft_coroutine *coroutine)
{
	weft_coroutine_object *self = weft_coroutine_object_from(coroutine->object);

	coroutine->object = NULL;
	self->cancel_requested = coroutine->cancel_requested;
	self->coroutine = NULL;
	if (coroutine->domain == weft_domain_in_place) {
		weft_awaitable_complete(&self->awaitable);
		OBJ_RELEASE(&self->std);
	}
}

void weft_coroutine_object_callable(const weft_coroutine *coroutine, zval *callable)
{
	const zval *own = coroutine->object ? &weft_coroutine_object_from(coroutine->object)->callable : NULL;

	if (own && Z_TYPE_P(own) != IS_UNDEF) {
		ZVAL_COPY(callable, own);
	} else {
		ZVAL_NULL(callable);
	}
}

bool weft_coroutine_object_failed(zend_object *object)
{
	return weft_coroutine_object_from(object)->exception != NULL;
}

zend_object *weft_coroutine_object_outcome(zend_object *object, zval *result)
{
	weft_coroutine_object *self = weft_coroutine_object_from(object);

	if (self->exception) {
		self->exception_seen = true;
		GC_ADDREF(self->exception);
		return self->exception;
	}
	if (Z_TYPE(self->result) == IS_UNDEF) {
		ZVAL_NULL(result);
	} else {
		ZVAL_COPY_DEREF(result, &self->result);
	}
	return NULL;
}

void weft_coroutine_object_ignore(zend_object *object)
{
	weft_coroutine_object_from(object)->exception_seen = true;
}

void weft_coroutine_object_cancel(zend_object *object, zend_object *cancellation)
{
	weft_coroutine_object *self = weft_coroutine_object_from(object);

	if (self->coroutine) {
		weft_cancel_family(self->coroutine, cancellation);
	}
}

void weft_coroutine_object_minit(void)
{
	weft_ce_coroutine->create_object = coroutine_create;
	weft_on_gone = on_gone;
	memcpy(&handlers, &std_object_handlers, sizeof(handlers));
	handlers.offset = offsetof(weft_coroutine_object, std);
	handlers.dtor_obj = coroutine_destruct;
	handlers.free_obj = coroutine_destroy;
	handlers.get_gc = get_gc;
	handlers.clone_obj = NULL;
}
