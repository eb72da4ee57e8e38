/*
 * Recordings: runs a callable in a fresh domain, as a request would run, and keeps what it has changed.
 */
#include "warm/weft_warm.h"
#include "domain/weft_slot_names.h"
#include "coroutine/weft_coroutine.h"
#include "php_output.h"
#include "zend_exceptions.h"

zend_class_entry *weft_recording_class;
static zend_object_handlers handlers;

weft_recording *weft_recording_of(zend_object *object)
{
	return (weft_recording *) ((char *) object - offsetof(weft_recording, std));
}

weft_recorded *weft_recording_find(const weft_recording *recording, const zval *place)
{
	const zval *found = zend_hash_index_find(&recording->places, weft_key_of_address(place));

	return found ? &recording->items[Z_LVAL_P(found)] : NULL;
}

/* --- recording --- */

/* The value is about to live without its property: a reference must not believe that it still has the type. */
static void recorded_forget_type(const weft_recorded *item)
{
	zend_property_info *info = NULL;

	if (!Z_ISREF(item->value) || !ZEND_REF_HAS_TYPE_SOURCES(Z_REF(item->value))) {
		return;
	}
	if (item->kind == WEFT_SLOT_PROPERTY) {
		info = zend_get_typed_property_info_for_slot(item->object, item->place);
	} else if (item->kind == WEFT_SLOT_STATIC && item->name) {
		info = zend_hash_str_find_ptr(&item->class->properties_info, item->name, strlen(item->name));
	}
	if (info && ZEND_TYPE_IS_SET(info->type)) {
		ZEND_REF_DEL_TYPE_SOURCE(Z_REF(item->value), info);
	}
}

static void keep_item(weft_recording *recording, const weft_private *private)
{
	weft_recorded *item = &recording->items[recording->count];
	weft_slot slot = {0};
	zval number;

	weft_private_describe(private, &slot);
	*item = (weft_recorded){.kind = slot.kind, .object = slot.object, .class = slot.class};
	ZVAL_COPY_VALUE(&item->value, &private->value);
	if (slot.kind == WEFT_SLOT_GLOBAL) {
		zend_string_release(private->place.name);
	} else if (slot.kind != WEFT_SLOT_DYNAMIC) {
		item->place = slot.place;
		item->name = slot.name;
		item->function = slot.function;
		recorded_forget_type(item);
		if (Z_ISREF(item->value) && Z_REFCOUNT(item->value) == 1) {
			weft_reference_unwrap(&item->value);
		}
		ZVAL_LONG(&number, recording->count);
		zend_hash_index_update(&recording->places, weft_key_of_address(slot.place), &number);
	}
	recording->count++;
}

static void keep_values(weft_recording *recording)
{
	weft_private_list list = {0};

	weft_slots_leave(&list, false);
	recording->items = safe_emalloc(list.used + 1, sizeof(weft_recorded), 0);
	for (uint32_t i = 0; i < list.used; i++) {
		if (list.items[i].kind == WEFT_PRIVATE_LAZY) {
			weft_lazy_destroy(&list.items[i]); /* never adopted */
		} else {
			keep_item(recording, &list.items[i]);
		}
	}
	free(list.items);
}

static void destroy_value(weft_recorded *item)
{
	if (item->kind == WEFT_SLOT_DYNAMIC) {
		if (Z_PTR(item->value)) {
			weft_dynamic_properties_release(Z_PTR(item->value));
		}
	} else if (item->kind == WEFT_SLOT_GUARD) {
		weft_guard_destroy(&item->value);
	} else {
		zval_ptr_dtor(&item->value);
	}
}

void weft_recording_release(weft_recording *recording)
{
	weft_domain *outer = weft_domain_in_place, *domain = recording->domain;
	weft_recorded *items = recording->items;
	uint32_t count = recording->count;
	const zend_op *before;
	zend_object *pending;

	if (!domain) {
		return;
	}
	recording->domain = NULL;
	recording->items = NULL;
	recording->count = 0;
	zend_hash_clean(&recording->places);
	/* one that unwinds our caller is none of this domain's */
	pending = EG(exception);
	before = EG(opline_before_exception);
	EG(exception) = NULL;
	if (outer) {
		weft_domain_addref(outer);
	}
	weft_domain_move_into(domain);
	for (uint32_t i = 0; i < count; i++) {
		destroy_value(&items[i]);
	}
	gc_collect_cycles();
	weft_domain_end_callable(domain);
	weft_domain_move_to(outer);
	weft_domain_release(domain);
	if (outer) {
		weft_domain_release(outer);
	}
	EG(exception) = pending;
	EG(opline_before_exception) = before;
	efree(items);
}

/* As a request ends, but that the values stay. */
static bool run_and_keep(weft_recording *recording, zend_fcall_info *call, zend_fcall_info_cache *cache,
	zval *exception)
{
	bool complete = false;

	zend_try {
		zend_call_function(call, cache);
		weft_take_exception(exception);
		weft_domain_end_step(WEFT_END_SHUTDOWN_FUNCTIONS, 1);
		php_output_discard_all();
		gc_collect_cycles();
		keep_values(recording);
		complete = true;
	} zend_end_try();
	return complete;
}

ZEND_FUNCTION(Weft_Internal_record)
{
	zend_fcall_info call;
	zend_fcall_info_cache cache;
	weft_recording *recording;
	int error_reporting = EG(error_reporting);
	zval result, exception;
	bool complete;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC(call, cache)
	ZEND_PARSE_PARAMETERS_END();

	if (!weft_snapshot_taken() || weft_domain_in_place) {
		zend_throw_error(NULL,
			"A recording starts from the base: take the snapshot first, and stay outside of domains");
		RETURN_THROWS();
	}
	object_init_ex(return_value, weft_recording_class);
	recording = weft_recording_of(Z_OBJ_P(return_value));
	recording->domain = weft_domain_new();
	weft_domain_move_into(recording->domain);
	ZVAL_UNDEF(&result);
	ZVAL_UNDEF(&exception);
	call.retval = &result;
	complete = run_and_keep(recording, &call, &cache, &exception);
	weft_domain_move_to(NULL);
	EG(error_reporting) = error_reporting;
	if (!complete) {
		weft_domain_pass_on_fatal();
	}
	if (Z_TYPE(exception) == IS_OBJECT) {
		zval_ptr_dtor(&result);
		zend_throw_exception_object(&exception);
		RETURN_THROWS();
	}
	if (Z_TYPE(result) == IS_UNDEF) {
		ZVAL_NULL(&result); /* exit() */
	}
	ZVAL_COPY_VALUE(OBJ_PROP_NUM(Z_OBJ_P(return_value), 0), &result);
}

ZEND_METHOD(Weft_Internal_Recording, __construct)
{
}

ZEND_METHOD(Weft_Internal_Recording, release)
{
	ZEND_PARSE_PARAMETERS_NONE();
	weft_recording_release(weft_recording_of(Z_OBJ_P(ZEND_THIS)));
}

/* --- the class --- */

static zend_object *recorded_create(zend_class_entry *class)
{
	weft_recording *recording = zend_object_alloc(sizeof(weft_recording), class);

	memset(recording, 0, offsetof(weft_recording, std));
	zend_hash_init(&recording->places, 64, NULL, NULL, 0);
	zend_object_std_init(&recording->std, class);
	object_properties_init(&recording->std, class);
	recording->std.handlers = &handlers;
	return &recording->std;
}

static void destroy_object(zend_object *object)
{
	weft_recording_release(weft_recording_of(object));
}

static void free_object(zend_object *object)
{
	weft_recording *recording = weft_recording_of(object);

	zend_hash_destroy(&recording->places);
	zend_object_std_dtor(object);
}

void weft_recording_register(void)
{
	weft_recording_class->create_object = recorded_create;
	memcpy(&handlers, &std_object_handlers, sizeof(handlers));
	handlers.offset = offsetof(weft_recording, std);
	handlers.dtor_obj = destroy_object;
	handlers.free_obj = free_object;
	handlers.clone_obj = NULL;
}
