/*
 * The engine's own globals that belong to whoever runs, beyond what zend_fiber_switch_context() saves.
 * Interleaved without this they turn one coroutine's warning into another's exception, or corrupt memory.
 */
#ifndef WEFT_ENGINE_STATE_H
#define WEFT_ENGINE_STATE_H

#include "php.h"
#include "ext/standard/basic_functions.h"
#include "weft_compat.h"

typedef struct {
	zend_object *exception;
	zend_object *prev_exception;
	const zend_op *opline_before_exception;
	zend_error_handling_t error_handling;
	zend_class_entry *exception_class;
	zend_fcall_info user_compare_fci;
	zend_fcall_info_cache user_compare_fci_cache;
	zend_fcall_info array_walk_fci;
	zend_fcall_info_cache array_walk_fci_cache;
	unsigned serialize_lock;
	struct php_serialize_data *serialize_data;
	unsigned serialize_level;
	struct php_unserialize_data *unserialize_data;
	unsigned unserialize_level;
#ifdef WEFT_HAVE_DELAYED_OOM
	zend_oom_info delayed_oom;
#endif
} weft_engine_state;

/* A clean state for a coroutine that has not run yet. */
void weft_engine_state_init(weft_engine_state *state);
void weft_engine_state_save(weft_engine_state *state);
void weft_engine_state_restore(const weft_engine_state *state);

#endif /* WEFT_ENGINE_STATE_H */
