/*
 * How this floor starts, what it does at the snapshot, and what it tells of handles.
 */
#include "handles/weft_handles_internal.h"
#include "handles/weft_handles_arginfo.h"
#include "coroutine/weft_wrap.h"
#include "domain/weft_base.h"
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
		"that uses it, or let the first use make it (docs/isolation.md, \"What is not isolated\")",
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
	weft_refused_take();
	weft_handle_streams_take();
}

/* --- for the lists of what can't be isolated --- */

/* Coroutines, timeouts: whoever makes one at boot wants requests to meet there. */
static bool is_ours(const zend_object *object)
{
	const zend_module_entry *module = weft_internal_ancestor(object->ce)->info.internal.module;

	return module && strcmp(module->name, "weft") == 0;
}

static weft_hidden_kind handle_classify(const zend_object *object)
{
	const weft_handle_class *class = weft_handle_class_of(object);
	const weft_handle_story *story = class ? weft_handle_story_of(object) : NULL;

	if (!class) {
		if (is_ours(object) || weft_shared_class(object->ce)) {
			return WEFT_HIDDEN_UNCOVERED;
		}
		return weft_refused_only_to_change(object->ce) ? WEFT_HIDDEN_NONE : WEFT_HIDDEN_REFUSED;
	}
	if (weft_handle_story_is_closed(story)) {
		return WEFT_HIDDEN_NONE;
	}
	return class->way == WEFT_HANDLE_REFUSED || weft_handle_story_hindrance(story) ? WEFT_HIDDEN_REFUSED
																				   : WEFT_HIDDEN_NONE;
}

static bool is_connection(zend_class_entry *ce)
{
	return weft_handle_class_find(ce) != NULL;
}

static const char *made_at(const zend_object *object)
{
	const weft_handle_story *story = weft_handle_story_of(object);

	return story ? weft_handle_story_place(story) : weft_made_at(object);
}

static const weft_handle_knowledge knowledge = {
	.classify = handle_classify,
	.is_connection = is_connection,
	.made_at = made_at,
	.refuses_stream = weft_handle_stream_is_refused,
	.opened_at = weft_handle_stream_place,
};

/* An interface has something else in the place of create_object(); a class that php.ini disables has no module. */
static bool may_be_refused(const zend_class_entry *ce)
{
	return ce->type == ZEND_INTERNAL_CLASS && ce->info.internal.module && !(ce->ce_flags & ZEND_ACC_INTERFACE) &&
		ce->create_object && weft_hidden_is_unknown(ce);
}

static void guard_classes(void)
{
	zend_class_entry *ce;

	ZEND_HASH_MAP_FOREACH_PTR(CG(class_table), ce) {
		if (may_be_refused(ce)) {
			weft_made_at_class(ce);
			weft_refused_class(ce);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* A module that comes during boot brings classes as well. */
static zif_handler plain_dl;

static ZEND_FUNCTION(weft_handles_dl)
{
	plain_dl(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (!weft_domain_in_place && !weft_snapshot_taken()) {
		guard_classes();
	}
}

static zend_result (*plain_post_startup)(void);

/* Before the first script is compiled, even one that OPcache preloads. */
static zend_result install(void)
{
	if (plain_post_startup && plain_post_startup() != SUCCESS) {
		return FAILURE;
	}
	weft_handle_calls_install();
	weft_handle_streams_install();
	weft_stream_turns_install();
	guard_classes();
	if (zend_hash_str_exists(CG(function_table), "dl", strlen("dl"))) {
		plain_dl = weft_wrap("standard", NULL, "dl", zif_weft_handles_dl);
	}
	return SUCCESS;
}

void weft_handles_minit(void)
{
	weft_made_at_minit();
	plain_post_startup = zend_post_startup_cb;
	zend_post_startup_cb = install;
	error_class = register_class_Weft_Isolation_HandleOfBootError(zend_ce_error);
	weft_handle_calls_minit();
	weft_stand_ins_minit();
	weft_snapshot_on_take(before_snapshot);
	weft_handles_known = &knowledge;
}

void weft_handles_rshutdown(void)
{
	weft_refused_forget();
	weft_handle_streams_forget();
	weft_made_at_forget();
	weft_stand_ins_rshutdown();
	weft_handle_stories_forget();
}
