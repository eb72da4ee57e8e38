/*
 * Stacks for coroutines, C's and the VM's, taken when one first runs, handed to the next when it has ended, and
 * returned when there are too many.
 */
#include "coroutine/weft_context.h"
#include "coroutine/weft_scheduler.h"
#include "coroutine/weft_stack.h"
#include "coroutine/weft_switch.h"
#include "php_weft.h"

#include "zend_exceptions.h"

/* The first page of a coroutine's VM stack lies on its C stack, at the top: so a coroutine that waits not far
 * below its entry touches two pages of memory in all. Frames that don't fit go to pages from PHP's heap. */
#define FIRST_VM_PAGE 3072
#define NEXT_VM_PAGES (32 * 1024)
/* With more coroutines than this each takes such a page only when it needs it: they may be asleep, not far below their
 * entry, and a page counts against memory_limit. */
#define WIDENED_COROUTINES 64

static weft_context *idle;
static weft_context *dead; /* structs to use again: the engine reads a dying context once more, so none is freed */
static zend_long idle_count;
static zend_long served_at_once; /* weft_stacks_for() */
static weft_context *starting;
static int context_kind; /* its address tells our contexts from a Fiber's */

/* The frame below every coroutine's first function. Messages ask it for a name, so it has one: an empty one. */
static zend_internal_function root_function = {.type = ZEND_INTERNAL_FUNCTION};

static void start_vm_stack(zend_vm_stack page, zend_fiber_stack *stack)
{
	zend_execute_data *root;

	page->top = ZEND_VM_STACK_ELEMENTS(page);
	page->end = (zval *) ((char *) page + FIRST_VM_PAGE);
	page->prev = NULL;
	root = (zend_execute_data *) page->top;
	memset(root, 0, sizeof(*root));
	root->func = (zend_function *) &root_function;

	EG(vm_stack) = page;
	EG(vm_stack_top) = page->top + ZEND_CALL_FRAME_SLOT;
	EG(vm_stack_end) = page->end;
	EG(vm_stack_page_size) = NEXT_VM_PAGES;
	EG(current_execute_data) = root;
	EG(jit_trace_num) = 0;
	/* Whoever we came from may have been inside a Fiber; we are not. */
	EG(active_fiber) = NULL;
	WEFT_SET_STACK_LIMIT(stack);
}

/* Code that was widened for has needed more than the first page. */
static bool goes_deep;

/* The engine frees a page when the call returns that it was taken for. Wherever the first page ends, some function
 * stands there and calls others, dozens in a request: each would take a page and give it back. */
void weft_vm_stack_widen(void)
{
	if (goes_deep && weft_coroutine_count() <= WIDENED_COROUTINES) {
		EG(vm_stack)->top = EG(vm_stack_top);
		EG(vm_stack) = zend_vm_stack_new_page(NEXT_VM_PAGES, EG(vm_stack));
		EG(vm_stack_top) = EG(vm_stack)->top;
		EG(vm_stack_end) = EG(vm_stack)->end;
	}
}

void weft_vm_stack_narrow(void)
{
	zend_vm_stack page = EG(vm_stack);

	if (page->prev) {
		EG(vm_stack) = page->prev;
		EG(vm_stack_top) = EG(vm_stack)->top;
		EG(vm_stack_end) = EG(vm_stack)->end;
		efree(page);
	} else if (page->top != ZEND_VM_STACK_ELEMENTS(page)) {
		goes_deep = true; /* where it was when another page was taken */
	}
}

/* A bailout leaves frames and pages behind; otherwise they are gone. The first page has all its room afterwards: a
 * function that the switch to another domain calls is given some there, although the coroutine has ended. */
static void free_further_vm_pages(void)
{
	while (EG(vm_stack)->prev) {
		zend_vm_stack gone = EG(vm_stack);

		EG(vm_stack) = gone->prev;
		efree(gone);
	}
	EG(vm_stack_top) = ZEND_VM_STACK_ELEMENTS(EG(vm_stack)) + ZEND_CALL_FRAME_SLOT;
	EG(vm_stack_end) = EG(vm_stack)->end;
}

/* Of what the parser of php.ini makes of E_ALL & ~E_NOTICE: few digits. strtol() takes four times as long. */
static int number_of(const zend_string *text)
{
	int number = 0;

	for (const char *c = ZSTR_VAL(text); *c; c++) {
		if (*c < '0' || *c > '9' || ZSTR_VAL(text)[0] == '0' || number > INT_MAX / 10 - 9) {
			return (int) ZEND_STRTOL(ZSTR_VAL(text), NULL, 0);
		}
		number = number * 10 + (*c - '0');
	}
	return number;
}

/* As a Fiber begins: without what the code that started it has silenced. */
static int configured_error_reporting(void)
{
	static const zend_ini_entry *entry; /* lives as long as the process */

	if (UNEXPECTED(!entry)) {
		entry = zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL("error_reporting"));
	}
	return entry->value ? number_of(entry->value) : E_ALL;
}

/* Not inlined: the jump buffer must not make the frame of context_main larger, which stays for good. */
static zend_never_inline void coroutine_run(weft_coroutine *coroutine, zend_vm_stack page)
{
	EG(error_reporting) = configured_error_reporting();
	root_function.function_name = ZSTR_EMPTY_ALLOC();
	start_vm_stack(page, coroutine->home->fiber.stack);
	zend_first_try {
		if (coroutine->apart) {
			weft_coroutine_set_domain(coroutine, coroutine->apart());
		}
		coroutine->entry(coroutine, coroutine->arg);
		if (UNEXPECTED(weft_memory_ran_out())) {
			zend_bailout(); /* a fatal error as others, that has unwound instead: neighbours/late_memory.phpt */
		}
	} zend_catch {
		coroutine->bailed_out = true;
		weft_engine_state_after_bailout();
		if (weft_on_exit) {
			weft_on_exit(coroutine, true);
		}
	} zend_end_try();
	weft_engine_state_drop();
	if (coroutine->apart && EXPECTED(!coroutine->bailed_out)) {
		weft_cancel_withdraw(coroutine); /* an object of the domain */
		if (coroutine->object) {
			weft_on_gone(coroutine); /* so is this one */
		}
		/* while there is a VM stack: it tells whether PHP code has run */
		weft_coroutine_set_domain(coroutine, NULL);
	}
	free_further_vm_pages();
	EG(vm_stack) = NULL;
	EG(current_execute_data) = NULL;
}

void weft_stacks_for(uint32_t coroutines)
{
	served_at_once = coroutines;
}

static bool context_park(weft_context *context)
{
	if (idle_count >= MAX(WEFT_G(stack_pool), served_at_once)) {
		context->next = dead;
		dead = context;
		return false;
	}
	context->next = idle;
	idle = context;
	idle_count++;
	return true;
}

static ZEND_STACK_ALIGNED void context_main(zend_fiber_transfer *transfer)
{
	weft_context *self = starting;
	_Alignas(16) char page[FIRST_VM_PAGE];

	for (;;) {
		weft_coroutine *next;

		coroutine_run(self->coroutine, (zend_vm_stack) page);
		weft_scheduler_finish(self->coroutine);
		next = weft_scheduler_pick();
		if (!next->context) {
			/* It never ran, and here is a context with nothing to do: no switch at all. */
			self->coroutine = next;
			next->home = self;
			weft_scheduler_make_current(next);
			continue;
		}
		weft_scheduler_make_current(next);
		if (!context_park(self)) {
			transfer->context = next->context;
			transfer->flags = 0;
			ZVAL_NULL(&transfer->value);
			return;
		}
		weft_switch_context(next->context);
	}
}

static weft_context *assign(weft_context *context, weft_coroutine *coroutine)
{
	context->coroutine = coroutine;
	coroutine->home = context;
	starting = context;
	return context;
}

weft_context *weft_context_take(weft_coroutine *coroutine)
{
	weft_context *context = idle;

	if (context) {
		idle = context->next;
		idle_count--;
		return assign(context, coroutine);
	}
	context = dead;
	if (context) {
		dead = context->next;
	} else {
		context = pemalloc(sizeof(*context), 1);
	}
	memset(context, 0, sizeof(*context));
	weft_stack_pool_armed = true;
	/* The result is a bool in some versions and a zend_result in others; the stack tells in all. */
	(void) zend_fiber_init_context(&context->fiber, &context_kind, context_main, (size_t) WEFT_G(stack_size));
	weft_stack_pool_armed = false;
	if (!context->fiber.stack) {
		zend_clear_exception();
		context->next = dead;
		dead = context;
		return NULL;
	}
	return assign(context, coroutine);
}

void weft_context_destroy(weft_context *context)
{
	zend_fiber_destroy_context(&context->fiber);
	pefree(context, 1);
}

void weft_context_end_idle(void)
{
	while (idle) {
		weft_context *context = idle;

		idle = context->next;
		weft_context_destroy(context);
	}
	idle_count = 0;
	while (dead) {
		weft_context *context = dead;

		dead = context->next;
		pefree(context, 1);
	}
}
