/*
 * The list of a coroutine's engine state, and whether the engine holds anything of it that weft_engine_state_take()
 * would have to save. Private to the coroutine floor.
 */
#ifndef WEFT_ENGINE_CLEAN_H
#define WEFT_ENGINE_CLEAN_H

#include "coroutine/weft_engine_state.h"

#include "zend_fibers.h"
#include "ext/json/php_json.h"
#include "ext/pcre/php_pcre.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/file.h"

/* clang-format off */
/* Each with the test that fails without it: its name, where it lies, and what is not 0 when there is something. 0 where
 * another line tells. Clean is zeros. */
#define WEFT_ENGINE_STATE(ITEM) \
	/* coroutine/engine-state-per-coroutine.phpt. An exception in flight: destructors and finally blocks may wait. */ \
	ITEM(exception, EG(exception), EG(exception)) \
	WEFT_ENGINE_STATE_PREVIOUS(ITEM) \
	ITEM(opline_before_exception, EG(opline_before_exception), 0) \
	/* engine_state/error_handling.phpt. PDO's constructor and others turn warnings into exceptions while they run. */ \
	ITEM(error_handling, EG(error_handling), EG(error_handling)) \
	ITEM(exception_class, EG(exception_class), 0) \
	/* coroutine/engine-state-per-coroutine.phpt. usort()'s callback may wait. */ \
	ITEM(user_compare_fci, BG(user_compare_fci), BG(user_compare_fci).size) \
	ITEM(user_compare_fci_cache, BG(user_compare_fci_cache), 0) \
	/* coroutine/engine-state-per-coroutine.phpt. serialize() and unserialize() number the objects they meet; \
	 * __serialize() may wait. */ \
	ITEM(serialize_lock, BG(serialize_lock), BG(serialize_lock)) \
	ITEM(serialize_data, BG(serialize).data, 0) \
	ITEM(serialize_level, BG(serialize).level, BG(serialize).level) \
	ITEM(unserialize_data, BG(unserialize).data, 0) \
	ITEM(unserialize_level, BG(unserialize).level, BG(unserialize).level) \
	/* engine_state/last_errors.phpt. What json_last_error() and preg_last_error() tell. */ \
	WEFT_ENGINE_STATE_JSON(ITEM) \
	ITEM(pcre_error, PCRE_G(error_code), PCRE_G(error_code)) \
	/* engine_state/streams.phpt. What a wrapper has complained about, for the warning at the end of an open; the path \
	 * that a wrapper in PHP is opening, which it must not open again; whether proc_close() waits for the process. */ \
	ITEM(wrapper_errors, FG(WEFT_WRAPPER_ERRORS), FG(WEFT_WRAPPER_ERRORS)) \
	WEFT_ENGINE_STATE_STREAM_ERRORS(ITEM) \
	ITEM(user_stream_current_filename, FG(user_stream_current_filename), FG(user_stream_current_filename)) \
	ITEM(pclose_wait, FG(pclose_wait), FG(pclose_wait)) \
	WEFT_ENGINE_STATE_OOM(ITEM)
#if PHP_VERSION_ID >= 80600
# define WEFT_WRAPPER_ERRORS wrapper_logged_errors
# define WEFT_ENGINE_STATE_PREVIOUS(ITEM)
# define WEFT_ENGINE_STATE_JSON(ITEM) ITEM(json_error, JSON_G(error_details), JSON_G(error_details).code)
/* The operations under way, which collect their errors. The errors of operations that are over stay where they are
 * (weft_engine_state.c): they belong to the request. */
# define WEFT_ENGINE_STATE_STREAM_ERRORS(ITEM) \
	ITEM(stream_errors, FG(stream_error_state), FG(stream_error_state).operation_depth)
#else
# define WEFT_WRAPPER_ERRORS wrapper_errors
# define WEFT_ENGINE_STATE_PREVIOUS(ITEM) ITEM(prev_exception, EG(prev_exception), EG(prev_exception))
# define WEFT_ENGINE_STATE_JSON(ITEM) ITEM(json_error, JSON_G(error_code), JSON_G(error_code))
# define WEFT_ENGINE_STATE_STREAM_ERRORS(ITEM)
#endif
#ifdef WEFT_HAVE_DELAYED_OOM
/* http/fatal-in-one-request.phpt. Exhausted memory unwinds whoever exhausted it, and nobody else. */
# define WEFT_ENGINE_STATE_OOM(ITEM) ITEM(delayed_oom, EG(delayed_oom), EG(delayed_oom).state)
_Static_assert(ZEND_OOM_STATE_NONE == 0, "clean is zeros");
#else
# define WEFT_ENGINE_STATE_OOM(ITEM)
#endif
/* clang-format on */

_Static_assert(EH_NORMAL == 0 && PHP_JSON_ERROR_NONE == 0 && PHP_PCRE_NO_ERROR == 0, "clean is zeros");

/* One branch for all: this runs at every switch. */
static zend_always_inline bool weft_engine_is_clean(void)
{
#define WEFT_ENGINE_DIRT(name, place, dirt) | (uintptr_t) (dirt)
	return !(0 WEFT_ENGINE_STATE(WEFT_ENGINE_DIRT)) && !zend_fiber_switch_blocked() && EG(active);
#undef WEFT_ENGINE_DIRT
}

#endif /* WEFT_ENGINE_CLEAN_H */
