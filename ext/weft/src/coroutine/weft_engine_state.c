#include "coroutine/weft_engine_state.h"
#include "coroutine/weft_coroutine.h"

#include "zend_exceptions.h"
#include "zend_fibers.h"
#include "zend_gc.h"
#include "ext/standard/basic_functions.h"

bool weft_collecting;
static int (*plain_gc_collect_cycles)(void);

struct weft_engine_state {
	/* An exception in flight: destructors and finally blocks may wait. */
	zend_object *exception;
	zend_object *prev_exception;
	const zend_op *opline_before_exception;
	/* PDO's constructor and others turn warnings into exceptions for as long as they run. */
	zend_error_handling_t error_handling;
	zend_class_entry *exception_class;
	/* usort()'s callback, which may wait. */
	zend_fcall_info user_compare_fci;
	zend_fcall_info_cache user_compare_fci_cache;
	/* serialize() and unserialize() number the objects they meet; __serialize() may wait. */
	unsigned serialize_lock;
	struct php_serialize_data *serialize_data;
	unsigned serialize_level;
	struct php_unserialize_data *unserialize_data;
	unsigned unserialize_level;
	/* How often Fiber switches are blocked: PHP before 8.4 does that around every destructor. A coroutine may wait
	 * there (Laravel's Sleep and its queue work in destructors); the block is its own, not the others'. */
	unsigned switch_blocks;
#ifdef WEFT_HAVE_DELAYED_OOM
	/* Exhausted memory unwinds whoever exhausted it, and nobody else. */
	zend_oom_info delayed_oom;
#endif
};

static zend_always_inline bool is_clean(void)
{
	return !EG(exception) && !EG(prev_exception) && EG(error_handling) == EH_NORMAL &&
		BG(user_compare_fci).size == 0 && BG(serialize_lock) == 0 && BG(serialize).level == 0 &&
		BG(unserialize).level == 0 && !zend_fiber_switch_blocked()
#ifdef WEFT_HAVE_DELAYED_OOM
		&& !ZEND_HAS_OOM()
#endif
		;
}

static unsigned unblock_switches(void)
{
	unsigned count = 0;

	while (zend_fiber_switch_blocked()) {
		zend_fiber_switch_unblock();
		count++;
	}
	return count;
}

static void clean(void)
{
	EG(exception) = NULL;
	EG(prev_exception) = NULL;
	EG(opline_before_exception) = NULL;
	EG(error_handling) = EH_NORMAL;
	EG(exception_class) = NULL;
	BG(user_compare_fci) = empty_fcall_info;
	BG(user_compare_fci_cache) = empty_fcall_info_cache;
	BG(serialize_lock) = 0;
	BG(serialize).data = NULL;
	BG(serialize).level = 0;
	BG(unserialize).data = NULL;
	BG(unserialize).level = 0;
#ifdef WEFT_HAVE_DELAYED_OOM
	memset(&EG(delayed_oom), 0, sizeof(EG(delayed_oom)));
#endif
}

weft_engine_state *weft_engine_state_take(void)
{
	weft_engine_state *state;

	if (EXPECTED(is_clean())) {
		return NULL;
	}
	/* Not from PHP's heap: running out of its memory may be the very state that is saved. */
	state = pemalloc(sizeof(*state), 1);
	state->exception = EG(exception);
	state->prev_exception = EG(prev_exception);
	state->opline_before_exception = EG(opline_before_exception);
	state->error_handling = EG(error_handling);
	state->exception_class = EG(exception_class);
	state->user_compare_fci = BG(user_compare_fci);
	state->user_compare_fci_cache = BG(user_compare_fci_cache);
	state->serialize_lock = BG(serialize_lock);
	state->serialize_data = BG(serialize).data;
	state->serialize_level = BG(serialize).level;
	state->unserialize_data = BG(unserialize).data;
	state->unserialize_level = BG(unserialize).level;
#ifdef WEFT_HAVE_DELAYED_OOM
	state->delayed_oom = EG(delayed_oom);
#endif
	state->switch_blocks = unblock_switches();
	clean();
	return state;
}

void weft_engine_state_put(weft_engine_state *state)
{
	if (EXPECTED(!state)) {
		return;
	}
	EG(exception) = state->exception;
	EG(prev_exception) = state->prev_exception;
	EG(opline_before_exception) = state->opline_before_exception;
	EG(error_handling) = state->error_handling;
	EG(exception_class) = state->exception_class;
	BG(user_compare_fci) = state->user_compare_fci;
	BG(user_compare_fci_cache) = state->user_compare_fci_cache;
	BG(serialize_lock) = state->serialize_lock;
	BG(serialize).data = state->serialize_data;
	BG(serialize).level = state->serialize_level;
	BG(unserialize).data = state->unserialize_data;
	BG(unserialize).level = state->unserialize_level;
#ifdef WEFT_HAVE_DELAYED_OOM
	EG(delayed_oom) = state->delayed_oom;
	if (ZEND_HAS_OOM()) {
		/* The VM looks at it when interrupted; the interrupt that announced it may have gone to somebody else. */
		WEFT_SET_VM_INTERRUPT();
	}
#endif
	while (state->switch_blocks > 0) {
		zend_fiber_switch_block();
		state->switch_blocks--;
	}
	pefree(state, 1);
}

static void drop(void)
{
	if (EG(exception)) {
		OBJ_RELEASE(EG(exception));
	}
	if (EG(prev_exception)) {
		OBJ_RELEASE(EG(prev_exception));
	}
#ifdef WEFT_HAVE_DELAYED_OOM
	/* what zend_mm_oom_info_dtor() does, which the PHP binary does not export */
	if (EG(delayed_oom).message) {
		zend_string_release(EG(delayed_oom).message);
	}
	if (EG(delayed_oom).filename) {
		zend_string_release(EG(delayed_oom).filename);
	}
#endif
	clean();
	/* A jump out of a destructor skips its unblock. */
	unblock_switches();
}

void weft_engine_state_drop(void)
{
	if (UNEXPECTED(!is_clean())) {
		drop();
	}
}

void weft_engine_state_after_bailout(void)
{
	drop();
	if (EG(in_autoload)) {
		zend_hash_clean(EG(in_autoload));
	}
	weft_collecting = false;
	if (weft_current) {
		weft_current->no_switch = 0;
	}
	/* A fatal error stops the collector for good, since a request normally ends there. */
	gc_protect(false);
}

static int collect_without_switching(void)
{
	bool before = weft_collecting;
	int collected;

	weft_collecting = true;
	collected = plain_gc_collect_cycles();
	weft_collecting = before;
	return collected;
}

void weft_engine_state_minit(void)
{
	plain_gc_collect_cycles = gc_collect_cycles;
	gc_collect_cycles = collect_without_switching;
}
