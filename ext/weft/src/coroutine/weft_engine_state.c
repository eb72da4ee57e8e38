/*
 * A coroutine's engine state (the list is in weft_engine_clean.h): taken out at a switch, put back, and dropped after
 * the end.
 */
#include "coroutine/weft_engine_clean.h"
#include "coroutine/weft_client_call.h"

#include "zend_exceptions.h"
#include "zend_gc.h"

bool weft_collecting;
bool (*weft_collects_later)(void);
static int (*plain_gc_collect_cycles)(void);

struct weft_engine_state {
#define MEMBER(name, place, dirt) __typeof__(place) name;
	WEFT_ENGINE_STATE(MEMBER)
#undef MEMBER
	/* coroutine/destructor-waits.phpt. How often Fiber switches are blocked: PHP before 8.4 does that around every
	 * destructor. A coroutine may wait there (Laravel's Sleep and its queue work in destructors); the block is its own,
	 * not the others'. */
	unsigned switch_blocks;
	/* neighbours/end_that_waits.phpt. Whether PHP code is no longer called: at a PHP request's very end. */
	bool inactive;
};

static unsigned unblock_switches(void)
{
	unsigned count = 0;

	while (zend_fiber_switch_blocked()) {
		zend_fiber_switch_unblock();
		count++;
	}
	return count;
}

/* 8.6 keeps the errors of streams' operations: those under way are the coroutine's, what is stored of others is the
 * request's. */
#if PHP_VERSION_ID >= 80600
typedef struct {
	php_stream_stored_error *errors;
	uint32_t count;
} stored_stream_errors;

static stored_stream_errors stream_errors_stored(void)
{
	const php_stream_error_state *state = &FG(stream_error_state);

	return (stored_stream_errors){state->stored_errors, state->stored_count};
}

static void stream_errors_store(stored_stream_errors stored)
{
	FG(stream_error_state).stored_errors = stored.errors;
	FG(stream_error_state).stored_count = stored.count;
}
#else
typedef char stored_stream_errors;

static stored_stream_errors stream_errors_stored(void)
{
	return 0;
}

static void stream_errors_store(stored_stream_errors stored)
{
	(void) stored;
}
#endif

static void engine_state_clean(void)
{
	stored_stream_errors stored = stream_errors_stored();

#define CLEAN(name, place, dirt) memset(&(place), 0, sizeof(place));
	WEFT_ENGINE_STATE(CLEAN)
#undef CLEAN
	stream_errors_store(stored);
	EG(active) = true;
}

/* The table stays once it was needed; empty, it is as good as none. */
static void free_wrapper_errors(void)
{
	if (FG(WEFT_WRAPPER_ERRORS)) {
		zend_hash_destroy(FG(WEFT_WRAPPER_ERRORS));
		efree(FG(WEFT_WRAPPER_ERRORS));
		FG(WEFT_WRAPPER_ERRORS) = NULL;
	}
}

weft_engine_state *weft_engine_state_take(void)
{
	weft_engine_state *state;

	if (FG(WEFT_WRAPPER_ERRORS) && zend_hash_num_elements(FG(WEFT_WRAPPER_ERRORS)) == 0) {
		free_wrapper_errors();
	}
	/* Not from PHP's heap: running out of its memory may be the very state that is saved. */
	state = pemalloc(sizeof(*state), 1);
#define TAKE(name, place, dirt) state->name = (place);
	WEFT_ENGINE_STATE(TAKE)
#undef TAKE
	state->switch_blocks = unblock_switches();
	state->inactive = !EG(active);
	engine_state_clean();
	return state;
}

void weft_engine_state_put(weft_engine_state *state)
{
	stored_stream_errors stored = stream_errors_stored();

#define PUT(name, place, dirt) (place) = state->name;
	WEFT_ENGINE_STATE(PUT)
#undef PUT
	stream_errors_store(stored);
#ifdef WEFT_HAVE_DELAYED_OOM
	if (ZEND_HAS_OOM()) {
		/* The VM looks at it when interrupted; the interrupt that announced it may have gone to somebody else. */
		WEFT_SET_VM_INTERRUPT();
	}
#endif
	EG(active) = !state->inactive;
	while (state->switch_blocks > 0) {
		zend_fiber_switch_block();
		state->switch_blocks--;
	}
	pefree(state, 1);
}

static void engine_state_drop(void)
{
	if (EG(exception)) {
		OBJ_RELEASE(EG(exception));
	}
#if PHP_VERSION_ID < 80600
	if (EG(prev_exception)) {
		OBJ_RELEASE(EG(prev_exception));
	}
#endif
#ifdef WEFT_HAVE_DELAYED_OOM
	/* what zend_mm_oom_info_dtor() does, which the PHP binary does not export */
	if (EG(delayed_oom).message) {
		zend_string_release(EG(delayed_oom).message);
	}
	if (EG(delayed_oom).filename) {
		zend_string_release(EG(delayed_oom).filename);
	}
#endif
	free_wrapper_errors();
	engine_state_clean();
	/* A jump out of a destructor skips its unblock. */
	unblock_switches();
}

void weft_engine_state_drop(void)
{
	if (UNEXPECTED(!weft_engine_is_clean())) {
		engine_state_drop();
	}
}

static void free_table(HashTable **table)
{
	if (*table) {
		zend_hash_destroy(*table);
		FREE_HASHTABLE(*table);
		*table = NULL;
	}
}

/* classic/fatal_while_compiling.phpt. Nobody switches while code is compiled or a class is linked, but one may jump
 * out. What shutdown_compiler() does. */
static void compiler_clean(void)
{
	zend_stack_clean(&CG(loop_var_stack), NULL, true);
	zend_stack_clean(&CG(delayed_oplines_stack), NULL, true);
	zend_stack_clean(&CG(short_circuiting_opnums), NULL, true);
	free_table(&CG(delayed_variance_obligations));
	free_table(&CG(delayed_autoloads));
	free_table(&CG(unlinked_uses));
	CG(current_linking_class) = NULL;
	CG(active_class_entry) = NULL;
	CG(active_op_array) = NULL;
	CG(in_compilation) = false;
}

void weft_engine_state_after_bailout(void)
{
	compiler_clean();
	engine_state_drop();
	if (weft_autoloading_count()) {
		zend_hash_clean(WEFT_AUTOLOADING);
	}
	/* engine_state/recorded_errors.phpt. Nobody switches while PHP puts off what it has to say; one may jump out. */
	zend_free_recorded_errors();
	EG(record_errors) = false;
	weft_collecting = false;
	if (weft_current) {
		weft_current->no_switch = 0;
		weft_current->unleft = NULL;
		if (weft_current->monitors) {
			weft_monitors_release(weft_current, true);
		}
		weft_client_call_forget(weft_current);
	}
	/* A fatal error stops the collector for good, since a request normally ends there. */
	gc_protect(false);
}

bool weft_memory_ran_out(void)
{
#ifdef WEFT_HAVE_DELAYED_OOM
	if (EG(delayed_oom).state == ZEND_OOM_STATE_PENDING) {
		zend_handle_delayed_oom(); /* no PHP code has run since, which would have reported it */
	}
	return ZEND_HAS_OOM();
#else
	return false;
#endif
}

void weft_aside_exchange_all(weft_aside *first)
{
	for (weft_aside *aside = first; aside; aside = aside->next) {
		aside->exchange(aside);
	}
}

static int collect_without_switching(void)
{
	bool before = weft_collecting;
	int collected;

	if (weft_collects_later && weft_collects_later()) {
		return 0;
	}
	weft_collecting = true;
	weft_base_undisturbed = false; /* destructors may run, wherever we are */
	collected = plain_gc_collect_cycles();
	weft_collecting = before;
	return collected;
}

void weft_engine_state_minit(void)
{
	plain_gc_collect_cycles = gc_collect_cycles;
	gc_collect_cycles = collect_without_switching;
}
