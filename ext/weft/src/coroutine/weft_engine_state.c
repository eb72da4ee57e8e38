/*
 * The list of a coroutine's engine state, and how it is taken out at a switch, put back, and dropped after the end.
 */
#include "coroutine/weft_engine_clean.h"
#include "coroutine/weft_coroutine.h"

#include "zend_exceptions.h"
#include "zend_gc.h"

bool weft_collecting;
static int (*plain_gc_collect_cycles)(void);

/* Each with the test that fails without it. */
struct weft_engine_state {
	/* coroutine/engine-state-per-coroutine.phpt. An exception in flight: destructors and finally blocks may wait. */
	zend_object *exception;
	zend_object *prev_exception;
	const zend_op *opline_before_exception;
	/* engine_state/error_handling.phpt. PDO's constructor and others turn warnings into exceptions for as long as they run. */
	zend_error_handling_t error_handling;
	zend_class_entry *exception_class;
	/* coroutine/engine-state-per-coroutine.phpt. usort()'s callback may wait. */
	zend_fcall_info user_compare_fci;
	zend_fcall_info_cache user_compare_fci_cache;
	/* coroutine/engine-state-per-coroutine.phpt. serialize() and unserialize() number the objects they meet; __serialize() may wait. */
	unsigned serialize_lock;
	struct php_serialize_data *serialize_data;
	unsigned serialize_level;
	struct php_unserialize_data *unserialize_data;
	unsigned unserialize_level;
	/* engine_state/last_errors.phpt. What json_last_error() and preg_last_error() tell. */
	php_json_error_code json_error;
	php_pcre_error_code pcre_error;
	/* engine_state/streams.phpt. What a wrapper has complained about, for the warning at the end of an open; the path
	 * that a wrapper in PHP is opening, which it must not open again; whether proc_close() waits for the process. */
	HashTable *wrapper_errors;
	const char *user_stream_current_filename;
	int pclose_wait;
	/* coroutine/destructor-waits.phpt. How often Fiber switches are blocked: PHP before 8.4 does that around every destructor. A coroutine may wait
	 * there (Laravel's Sleep and its queue work in destructors); the block is its own, not the others'. */
	unsigned switch_blocks;
#ifdef WEFT_HAVE_DELAYED_OOM
	/* http/fatal-in-one-request.phpt. Exhausted memory unwinds whoever exhausted it, and nobody else. */
	zend_oom_info delayed_oom;
#endif
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

static void engine_state_clean(void)
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
	JSON_G(error_code) = PHP_JSON_ERROR_NONE;
	PCRE_G(error_code) = PHP_PCRE_NO_ERROR;
	FG(wrapper_errors) = NULL;
	FG(user_stream_current_filename) = NULL;
	FG(pclose_wait) = 0;
#ifdef WEFT_HAVE_DELAYED_OOM
	memset(&EG(delayed_oom), 0, sizeof(EG(delayed_oom)));
#endif
}

/* The table stays once it was needed; empty, it is as good as none. */
static void free_wrapper_errors(void)
{
	if (FG(wrapper_errors)) {
		zend_hash_destroy(FG(wrapper_errors));
		efree(FG(wrapper_errors));
		FG(wrapper_errors) = NULL;
	}
}

weft_engine_state *weft_engine_state_take(void)
{
	weft_engine_state *state;

	if (FG(wrapper_errors) && zend_hash_num_elements(FG(wrapper_errors)) == 0) {
		free_wrapper_errors();
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
	state->json_error = JSON_G(error_code);
	state->pcre_error = PCRE_G(error_code);
	state->wrapper_errors = FG(wrapper_errors);
	state->user_stream_current_filename = FG(user_stream_current_filename);
	state->pclose_wait = FG(pclose_wait);
#ifdef WEFT_HAVE_DELAYED_OOM
	state->delayed_oom = EG(delayed_oom);
#endif
	state->switch_blocks = unblock_switches();
	engine_state_clean();
	return state;
}

void weft_engine_state_put(weft_engine_state *state)
{
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
	JSON_G(error_code) = state->json_error;
	PCRE_G(error_code) = state->pcre_error;
	FG(wrapper_errors) = state->wrapper_errors;
	FG(user_stream_current_filename) = state->user_stream_current_filename;
	FG(pclose_wait) = state->pclose_wait;
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

static void engine_state_drop(void)
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

void weft_engine_state_after_bailout(void)
{
	engine_state_drop();
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
