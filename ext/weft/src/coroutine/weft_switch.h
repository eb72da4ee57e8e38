/*
 * The switch between two contexts: what zend_fiber_switch_context() does, cheaper. Private to the coroutine floor.
 *
 * The engine's own switch is a call into PHP, while what it saves and restores is inlined here. On x86-64 it jumps to
 * the other stack, besides. The processor predicts where a function returns to from the calls it has seen, and a jump
 * leaves its record one call too long: from there on every return is predicted wrong, which costs more than all the
 * rest of the switch. weft_jump() goes to the other stack by returning, so the record stays right when both coroutines
 * wait in the same place, which they mostly do. On aarch64 the engine returns, too.
 *
 * Both switches leave the same picture on the stack and in the context, so each may resume what the other has
 * suspended.
 */
#ifndef WEFT_SWITCH_H
#define WEFT_SWITCH_H

#include "php.h"
#include "zend_fibers.h"
#include "zend_observer.h"
#include "weft_compat.h"

/* With a shadow stack (of aarch64: a guarded control stack) the picture on the stack is another one, and returning
 * elsewhere is forbidden. */
#if (defined(__x86_64__) || defined(__aarch64__)) && WEFT_KNOWN_SWITCH && !defined(ZEND_FIBER_UCONTEXT) && \
	!defined(__SANITIZE_ADDRESS__) && !(defined(SHADOW_STACK_SYSCALL) && SHADOW_STACK_SYSCALL) && \
	!defined(__ARM_FEATURE_GCS_DEFAULT)
#define WEFT_OWN_SWITCH 1

typedef struct {
	void *handle;
	zend_fiber_transfer *transfer;
} weft_jump_data;

/* Same contract as the engine's jump_fcontext(). */
weft_jump_data weft_jump(void *to, zend_fiber_transfer *transfer);

static zend_always_inline void weft_switch_context(zend_fiber_context *to)
{
	zend_fiber_context *from = EG(current_fiber_context);
	zend_fiber_transfer transfer = {.context = from};
	zend_vm_stack vm_stack = EG(vm_stack);
	zval *vm_stack_top = EG(vm_stack_top);
	zval *vm_stack_end = EG(vm_stack_end);
	size_t vm_stack_page_size = EG(vm_stack_page_size);
	zend_execute_data *execute_data = EG(current_execute_data);
	int error_reporting = EG(error_reporting);
	uint32_t jit_trace_num = EG(jit_trace_num);
	JMP_BUF *bailout = EG(bailout);
	zend_fiber *active_fiber = EG(active_fiber);
#ifdef ZEND_CHECK_STACK_LIMIT
	void *stack_base = EG(stack_base);
	void *stack_limit = EG(stack_limit);
#endif
	weft_jump_data resumed;

	ZVAL_NULL(&transfer.value);
	zend_observer_fiber_switch_notify(from, to);
	to->status = ZEND_FIBER_STATUS_RUNNING;
	if (EXPECTED(from->status == ZEND_FIBER_STATUS_RUNNING)) {
		from->status = ZEND_FIBER_STATUS_SUSPENDED;
	}
	EG(current_fiber_context) = to;

	resumed = weft_jump(to->handle, &transfer);

	/* `to` is now who resumed us: what it runs next time begins here. */
	to = resumed.transfer->context;
	to->handle = resumed.handle;
	EG(current_fiber_context) = from;
	EG(vm_stack) = vm_stack;
	EG(vm_stack_top) = vm_stack_top;
	EG(vm_stack_end) = vm_stack_end;
	EG(vm_stack_page_size) = vm_stack_page_size;
	EG(current_execute_data) = execute_data;
	EG(error_reporting) = error_reporting;
	EG(jit_trace_num) = jit_trace_num;
	EG(bailout) = bailout;
	EG(active_fiber) = active_fiber;
#ifdef ZEND_CHECK_STACK_LIMIT
	EG(stack_base) = stack_base;
	EG(stack_limit) = stack_limit;
#endif
	if (UNEXPECTED(to->status == ZEND_FIBER_STATUS_DEAD)) {
		zend_fiber_destroy_context(to);
	}
}

#else

static zend_always_inline void weft_switch_context(zend_fiber_context *to)
{
	zend_fiber_transfer transfer = {.context = to};

	ZVAL_NULL(&transfer.value);
	zend_fiber_switch_context(&transfer);
}

#endif
#endif /* WEFT_SWITCH_H */
