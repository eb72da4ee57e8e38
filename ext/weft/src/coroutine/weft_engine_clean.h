/*
 * Whether the engine holds anything that weft_engine_state_take() would have to save. Private to the coroutine floor.
 */
#ifndef WEFT_ENGINE_CLEAN_H
#define WEFT_ENGINE_CLEAN_H

#include "coroutine/weft_engine_state.h"

#include "zend_fibers.h"
#include "ext/json/php_json.h"
#include "ext/pcre/php_pcre.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/file.h"

/* One branch for all: this runs at every switch. */
static zend_always_inline bool weft_engine_is_clean(void)
{
	uintptr_t dirt = (uintptr_t) EG(exception) | (uintptr_t) EG(prev_exception) | (uintptr_t) EG(error_handling) |
		BG(user_compare_fci).size | BG(serialize_lock) | BG(serialize).level |
		BG(unserialize).level | (uintptr_t) FG(wrapper_errors) | (uintptr_t) FG(user_stream_current_filename) |
		(uintptr_t) FG(pclose_wait) | JSON_G(error_code) | PCRE_G(error_code);

	_Static_assert(EH_NORMAL == 0, "the mode without a window is the zero one");
	return !dirt && !zend_fiber_switch_blocked()
#ifdef WEFT_HAVE_DELAYED_OOM
		&& !ZEND_HAS_OOM()
#endif
		;
}

#endif /* WEFT_ENGINE_CLEAN_H */
