/*
 * How this floor starts, what it does at the snapshot, and what it tells of handles.
 */
#include "handles/weft_handles_internal.h"
#include "handles/weft_handles_arginfo.h"
#include "domain/weft_domain.h"
#include "domain/hidden/weft_hidden.h"
#include "zend_exceptions.h"

static zend_class_entry *error_class;

void weft_handle_refuse(const char *what, const char *place, const char *why)
{
	if (EG(exception)) {
		return;
	}
	zend_throw_error(error_class,
		"The %s made during boot%s%s can't be used in a request: %s. Make it in the request "
		"that uses it, or let the first use make it (docs/isolation.md, \"Connections of the boot\")",
		what, place ? " at " : "", place ? place : "", why ? why : "all requests of all workers would share it");
}

/* --- clients in PHP that can let go of a connection: the next use opens one --- */

static const struct {
	const char *class, *method;
} clients[] = {
	{"predis\\clientinterface", "disconnect"},
};

static void disconnect_all(const zend_class_entry *ce, const char *method)
{
	for (uint32_t i = 1; i < EG(objects_store).top && !EG(exception); i++) {
		zend_object *object = EG(objects_store).object_buckets[i];
		zend_function *function;
		zval result;

		if (!IS_OBJ_VALID(object) || (OBJ_FLAGS(object) & IS_OBJ_FREE_CALLED) || !instanceof_function(object->ce, ce)) {
			continue;
		}
		function = zend_hash_str_find_ptr(&object->ce->function_table, method, strlen(method));
		if (function) {
			ZVAL_UNDEF(&result);
			zend_call_known_instance_method_with_0_params(function, object, &result);
			zval_ptr_dtor(&result);
		}
	}
}

static void before_snapshot(void)
{
	for (size_t i = 0; i < sizeof(clients) / sizeof(clients[0]); i++) {
		const zend_class_entry *ce = zend_hash_str_find_ptr(CG(class_table), clients[i].class,
			strlen(clients[i].class));

		if (ce) {
			disconnect_all(ce, clients[i].method);
		}
	}
	weft_base_handles_take();
	weft_handle_streams_take();
}

/* --- for the lists of what can't be isolated --- */

static weft_hidden_kind handle_classify(const zend_object *object)
{
	const weft_handle_class *class = weft_handle_class_of(object);
	const weft_handle_story *story = class ? weft_handle_story_of(object) : NULL;

	if (!class) {
		return WEFT_HIDDEN_UNCOVERED;
	}
	if (weft_handle_story_is_closed(story)) {
		return WEFT_HIDDEN_NONE;
	}
	return class->way == WEFT_HANDLE_REFUSED || weft_handle_story_hindrance(story) ? WEFT_HIDDEN_REFUSED
																				   : WEFT_HIDDEN_NONE;
}

static const char *made_at(const zend_object *object)
{
	return weft_handle_story_place(weft_handle_story_of(object));
}

static const weft_handle_knowledge knowledge = {
	.classify = handle_classify,
	.made_at = made_at,
	.refuses_stream = weft_handle_stream_is_refused,
	.opened_at = weft_handle_stream_place,
};

void weft_handles_minit(void)
{
	error_class = register_class_Weft_Isolation_HandleOfBootError(zend_ce_error);
	weft_handle_calls_minit();
	weft_stand_ins_minit();
	weft_snapshot_on_take(before_snapshot);
	weft_handles_known = &knowledge;
}

void weft_handles_rinit(void)
{
	weft_handle_calls_rinit();
}

void weft_handles_rshutdown(void)
{
	weft_stand_ins_rshutdown();
	weft_handle_stories_forget();
}
