/*
 * What Fiber::getCurrent() returns in a coroutine that was spawned: a Fiber of the coroutine's own. Libraries use it as
 * the key of what they keep for each flow of control (Monolog: how deep its logger is in itself).
 *
 * Other callers mean to suspend: "if there is a fiber, its creator resumes it; else I run the event loop here" (Revolt,
 * ReactPHP). Nobody has started a coroutine by Fiber::start(), so nobody would resume it. A class that calls suspend()
 * itself, or a function outside of classes, gets null as before, and its event loop runs in the coroutine.
 *
 * The object looks like a Fiber that runs, until the coroutine ends. PHP refuses to start or resume such a Fiber, and
 * it refuses Fiber::suspend() where no Fiber of the script's own runs: nothing can switch to the object.
 */
#include "async/weft_coroutine_object.h"
#include "coroutine/weft_wrap.h"

#include "zend_exceptions.h"
#include "zend_fibers.h"

static zif_handler plain_get_current;
/* What ReflectionFiber finds on the stack of one: nothing. */
static zend_execute_data no_frames = {.func = (zend_function *) &zend_pass_function};

static bool calls_suspend(const zend_op *op)
{
	return (op->opcode == ZEND_INIT_STATIC_METHOD_CALL || op->opcode == ZEND_INIT_METHOD_CALL) &&
		op->op2_type == IS_CONST && zend_string_equals_literal_ci(Z_STR_P(RT_CONSTANT(op, op->op2)), "suspend");
}

/* In its own code or that of a closure in it. */
static bool suspends(const zend_op_array *code)
{
	for (const zend_op *op = code->opcodes, *end = op + code->last; op < end; op++) {
		if (UNEXPECTED(calls_suspend(op))) {
			return true;
		}
	}
	for (uint32_t i = 0; i < code->num_dynamic_func_defs; i++) {
		if (suspends(code->dynamic_func_defs[i])) {
			return true;
		}
	}
	return false;
}

static bool class_suspends(zend_class_entry *class)
{
	zend_function *method;

	ZEND_HASH_FOREACH_PTR(&class->function_table, method) {
		if (method->type == ZEND_USER_FUNCTION && suspends(&method->op_array)) {
			return true;
		}
	} ZEND_HASH_FOREACH_END();
	return false;
}

static bool caller_suspends(void)
{
	const zend_execute_data *frame = weft_innermost_php(EG(current_execute_data));

	return frame &&
		(suspends(&frame->func->op_array) || (frame->func->common.scope && class_suspends(frame->func->common.scope)));
}

static zend_object *fiber_new(const weft_coroutine *coroutine)
{
	zend_fiber *fiber;
	zval object;

	object_init_ex(&object, zend_ce_fiber);
	fiber = (zend_fiber *) Z_OBJ(object);
	fiber->context.status = ZEND_FIBER_STATUS_RUNNING;
	fiber->execute_data = fiber->stack_bottom = &no_frames;
	weft_coroutine_object_callable(coroutine, &fiber->fci.function_name);
	return &fiber->std;
}

static ZEND_FUNCTION(weft_fiber_get_current)
{
	weft_coroutine *self = weft_current;

	ZEND_PARSE_PARAMETERS_NONE();
	if (EG(active_fiber) || !self || !self->own_output || caller_suspends()) {
		plain_get_current(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		return;
	}
	if (!self->fiber) {
		self->fiber = fiber_new(self);
	}
	RETURN_OBJ_COPY(self->fiber);
}

void weft_fiber_end(weft_coroutine *coroutine, const zval *result)
{
	zend_fiber *fiber = (zend_fiber *) coroutine->fiber;

	if (EXPECTED(!fiber)) {
		return;
	}
	coroutine->fiber = NULL;
	fiber->context.status = ZEND_FIBER_STATUS_DEAD;
	zval_ptr_dtor(&fiber->fci.function_name);
	ZVAL_UNDEF(&fiber->fci.function_name);
	if (!result) {
		fiber->flags |= ZEND_FIBER_FLAG_THREW;
	} else if (Z_TYPE_P(result) == IS_UNDEF) {
		ZVAL_NULL(&fiber->result);
	} else {
		ZVAL_COPY(&fiber->result, result);
	}
	OBJ_RELEASE(&fiber->std);
}

void weft_fiber_forget(weft_coroutine *coroutine)
{
	zend_fiber *fiber = (zend_fiber *) coroutine->fiber;

	if (UNEXPECTED(fiber)) {
		coroutine->fiber = NULL;
		fiber->context.status = ZEND_FIBER_STATUS_DEAD;
		fiber->flags |= ZEND_FIBER_FLAG_BAILOUT;
	}
}

void weft_fiber_minit(void)
{
	plain_get_current = weft_wrap("core", "fiber", "getcurrent", ZEND_FN(weft_fiber_get_current));
}
