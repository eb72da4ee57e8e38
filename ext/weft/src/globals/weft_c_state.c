/*
 * All kinds of state in C globals, made, left and entered in one order; and how to reach what other modules keep.
 */
#include "globals/weft_c_state.h"
#include "globals/weft_process_calls.h"
#include "php_main.h"
#include "weft_compat.h"

#define MAX_ITEMS 24

/* In the order in which a domain's state is put in place; it leaves in reverse. Ini directives write into what
 * other items move, so they come last of this room's.
 *
 * Beside each item: how it is kept, and the test that fails without it. What is state of the process on purpose, and
 * what is not isolated, is in docs/internals/engine-state.md. */
static const weft_c_item *items[MAX_ITEMS] = {
	&weft_c_spans,        /* moved when changed; a list with a test for each, weft_spans_engine.c and others */
	&weft_c_stat_cache,   /* forgotten; isolation/process_state.phpt */
	&weft_c_timezone,     /* exchanged when it differs; isolation/process_state.phpt */
	&weft_c_locale,       /* setlocale() when it differs; isolation/process_state.phpt */
	&weft_c_umask,        /* umask() when the domain has called it; isolation/process_state.phpt */
	&weft_c_directory,    /* chdir() when the domain has called it; c_state/relative_includes.phpt */
	&weft_c_environment,  /* exchanged for what putenv() has set; isolation/environment.phpt */
	&weft_c_random,       /* copied when seeded; each domain seeds its own; isolation/process_state.phpt */
	&weft_c_detect_order, /* exchanged when it differs; isolation/process_state.phpt */
	&weft_c_assertions,   /* by PHP's functions when changed; c_state/registered.phpt */
	&weft_c_text_domain,  /* textdomain() when it differs; c_state/registered.phpt */
	&weft_c_syslog,       /* openlog() when the domain has called it; c_state/registered.phpt */
	&weft_c_signals,      /* moved when in use; c_state/signals.phpt, c_state/alarms.phpt */
	&weft_c_ini,          /* by the directive's own on_modify when changed; c_state/ini.phpt */
};

/* What has something to do, found once. */
typedef struct {
	void (*call)(void *saved);
	size_t place;
} item_call;

typedef struct {
	item_call calls[2 * MAX_ITEMS];
	size_t count;
} item_calls;

static item_calls fresh_calls, enter_calls, discard_calls;
static item_calls leave_calls, leave_again_calls;     /* in reverse; the latter: leave_again, or leave */
static item_calls bare_leave_calls, bare_enter_calls; /* of those alone that have leave_again */
static struct {
	void (*calls[MAX_ITEMS])(void);
	size_t count;
} finish_calls;
/* For the next domain: what it is to have again is made of what is there, the others discard and are fresh. */
static item_calls again_calls, again_discards, again_fresh;
/* Of a renewal: renew, or leave; what the others discard; fresh, then enter. */
static item_calls renewals, renewal_discards, renewal_begins;

#define ROUND(size) (((size) + 15) & ~(size_t) 15)

static bool captured;
/* Where each item's part of a domain's state lies; how large all of it is, and what of that begins as zeros. */
static size_t places[MAX_ITEMS], state_size, zeros_size;
/* Those that can be had again come first: so large are they. */
static size_t again_size;
/* What those that come behind have saved when a domain has nothing of its own there. To enter or discard that changes
 * nothing: who leaves puts back what the base has. */
static char *nothing;
/* The state that had nothing there when it was left last, after nothing had changed: it need not be looked at. */
static const void *bare;
/* What a domain that is over has left for the next one. */
static void *spare;

void weft_c_state_add(const weft_c_item *item)
{
	size_t count = 0;

	while (items[count]) {
		count++;
	}
	ZEND_ASSERT(count + 1 < MAX_ITEMS);
	items[count] = item;
}

static void wrap_functions(void)
{
	weft_c_process_wrap();
	weft_c_environment_wrap();
	weft_c_callbacks_wrap();
	weft_c_registered_wrap();
	weft_c_signals_wrap();
	weft_c_messages_wrap();
	weft_process_calls_wrap();
}

void weft_c_state_rinit(void)
{
	static bool wrapped;

	if (!wrapped) {
		wrapped = true;
		wrap_functions();
		weft_c_private_rinit();
		weft_c_resources_rinit();
	}
}

static void add_call(item_calls *list, void (*call)(void *saved), size_t place)
{
	if (call) {
		list->calls[list->count++] = (item_call){call, place};
	}
}

static void find_calls_of(const weft_c_item *item, size_t place)
{
	add_call(&fresh_calls, item->fresh, place);
	add_call(&enter_calls, item->enter, place);
	add_call(&discard_calls, item->discard, place);
	if (item->finish) {
		finish_calls.calls[finish_calls.count++] = item->finish;
	}
	if (item->leave_again) {
		add_call(&bare_enter_calls, item->enter, place);
	}
	if (item->again) {
		add_call(&again_calls, item->again, place);
		again_size = place + ROUND(item->size);
	} else {
		add_call(&again_discards, item->discard, place);
		add_call(&again_fresh, item->fresh, place);
	}
	if (!item->renew) {
		add_call(&renewal_discards, item->discard, place);
		add_call(&renewal_begins, item->fresh, place);
		add_call(&renewal_begins, item->enter, place);
	}
}

static void find_leaving_calls_of(const weft_c_item *item, size_t place)
{
	add_call(&leave_calls, item->leave, place);
	add_call(&leave_again_calls, item->leave_again ? item->leave_again : item->leave, place);
	add_call(&bare_leave_calls, item->leave_again, place);
	add_call(&renewals, item->renew ? item->renew : item->leave, place);
}

static void find_calls(size_t count)
{
	item_calls *const all[] = {&fresh_calls, &enter_calls, &discard_calls, &leave_calls, &leave_again_calls,
		&bare_leave_calls, &bare_enter_calls, &again_calls, &again_discards, &again_fresh, &renewals, &renewal_discards,
		&renewal_begins};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		all[i]->count = 0;
	}
	again_size = finish_calls.count = 0;
	for (size_t i = 0; i < count; i++) {
		find_calls_of(items[i], places[i]);
		find_leaving_calls_of(items[count - 1 - i], places[count - 1 - i]);
	}
}

static void call_all(const item_calls *list, void *state)
{
	for (size_t i = 0; i < list->count; i++) {
		list->calls[i].call((char *) state + list->calls[i].place);
	}
}

/* What an item needs in addition lies behind all that has to be zeros. */
static void lay_out_items(void)
{
	size_t count = 0;

	state_size = 0;
	for (; items[count]; count++) {
		places[count] = state_size;
		state_size += ROUND(items[count]->size);
	}
	find_calls(count);
	zeros_size = state_size;
	for (size_t i = 0; items[i]; i++) {
		if (items[i]->more) {
			state_size += ROUND(items[i]->more(state_size - places[i]));
		}
	}
}

static void forget_nothing(void)
{
	free(nothing);
	nothing = NULL;
	bare = NULL;
}

/* As a domain is fresh: some have other than zeros then. */
static void make_nothing(void)
{
	char *state = weft_c_state_new_in_place();

	call_all(&again_fresh, state);
	forget_nothing();
	nothing = pemalloc(zeros_size - again_size, 1);
	memcpy(nothing, state + again_size, zeros_size - again_size);
	call_all(&again_discards, state);
	free(state);
}

static void destroy(void *state)
{
	call_all(&discard_calls, state);
	free(state);
}

static void destroy_spare(void)
{
	void *state = spare;

	spare = NULL;
	if (state) {
		destroy(state);
	}
}

void weft_c_state_capture(void)
{
	destroy_spare();
	for (size_t i = 0; items[i]; i++) {
		if (items[i]->capture) {
			items[i]->capture();
		}
	}
	lay_out_items();
	make_nothing();
	captured = true;
}

bool weft_c_state_captured(void)
{
	return captured;
}

void weft_c_state_forget(void)
{
	destroy_spare();
	forget_nothing();
	weft_c_registered_forget();
	for (size_t i = 0; captured && items[i]; i++) {
		if (items[i]->forget) {
			items[i]->forget();
		}
	}
	captured = false;
}

void *weft_c_state_new_in_place(void)
{
	return memset(pemalloc(state_size, 1), 0, zeros_size);
}

void *weft_c_state_new(void)
{
	void *state = spare;

	spare = NULL;
	if (state) {
		return state;
	}
	state = weft_c_state_new_in_place();
	call_all(&fresh_calls, state);
	return state;
}

void weft_c_state_leave(void *state)
{
	call_all(&leave_calls, state);
	if (bare == state) {
		bare = NULL;
	}
}

static bool is_bare(const void *state)
{
	return memcmp((const char *) state + again_size, nothing, zeros_size - again_size) == 0;
}

void weft_c_state_leave_again(void *state)
{
	if (EXPECTED(bare == state) && !ZEND_DEBUG) {
		call_all(&bare_leave_calls, state);
		return;
	}
	call_all(&leave_again_calls, state);
	ZEND_ASSERT(bare != state || is_bare(state));
	if (is_bare(state)) {
		bare = state;
	}
}

void weft_c_state_enter(void *state)
{
	call_all(bare == state || is_bare(state) ? &bare_enter_calls : &enter_calls, state);
}

void weft_c_state_finish(void)
{
	for (size_t i = 0; i < finish_calls.count; i++) {
		finish_calls.calls[i]();
	}
}

static void make_again(void *state)
{
	call_all(&again_calls, state);
	if (!is_bare(state)) {
		call_all(&again_discards, state);
		memset((char *) state + again_size, 0, zeros_size - again_size);
		call_all(&again_fresh, state);
	}
}

void weft_c_state_free(void *state)
{
	if (!spare && captured) {
		make_again(state);
	}
	if (spare || !captured) { /* values that go may run code, which may end a domain */
		destroy(state);
	} else {
		spare = state;
	}
}

void weft_c_state_renew(void *state)
{
	call_all(&renewals, state);
	call_all(&renewal_discards, state);
	memset(state, 0, zeros_size);
	call_all(&renewal_begins, state);
}

static bool interrupted;

static void note_interrupt(zend_execute_data *execute_data)
{
	interrupted = true;
}

/* The engine serves interrupts after such a call. In the middle of a switch nobody may run, be it a signal's handler or
 * another domain: they are served when the VM looks next. One that was served before must not come again, though, or
 * a switch that an interrupt has asked for would ask for the next. */
static void call_uninterrupted(zend_function *function, zval *result, uint32_t count, zval *arguments)
{
	void (*interrupt)(zend_execute_data *) = zend_interrupt_function;

	interrupted = false;
	zend_interrupt_function = note_interrupt;
	zend_call_known_function(function, NULL, NULL, result, count, arguments, NULL);
	zend_interrupt_function = interrupt;
	if (interrupted) {
		WEFT_SET_VM_INTERRUPT();
	}
}

void weft_c_call(const char *name, zval *result, uint32_t count, zval *arguments)
{
	zend_function *function = zend_hash_str_find_ptr(CG(function_table), name, strlen(name));
	zval ignored;

	ZVAL_UNDEF(result ? result : &ignored);
	if (function) {
		call_uninterrupted(function, result ? result : &ignored, count, arguments);
	}
	if (!result && function) {
		zval_ptr_dtor(&ignored);
	}
}
