/*
 * Lazy objects (PHP 8.4): whether an object of the base has been initialised, and by what it will be or has been. The
 * engine keeps the first in the object's extra flags, the rest in EG(lazy_objects_store), by the object's handle. Both
 * together are one more slot of the object: what a domain has made of it leaves with the domain's values, and the
 * base's flags and a copy of the base's entry come in place.
 */
#include "domain/weft_slots.h"
#include "weft_compat.h"

#if WEFT_HAVE_LAZY_OBJECTS
#include "zend_lazy_objects.h"
#include "coroutine/weft_wrap.h"
#include "weft_grow.h"

#define LAZY_FLAGS (IS_OBJ_LAZY_UNINITIALIZED | IS_OBJ_LAZY_PROXY)

/* An entry of the store, which the engine doesn't publish; is_as_engine_says() compares it with what the engine tells.
 */
typedef struct {
	union {
		struct {
			zend_fcall_info_cache call;
			zval given;
		} initializer;
		zend_object *instance; /* of a proxy that has been initialised */
	} u;
	zend_lazy_object_flags_t flags;
	int properties_left;
} lazy_entry;

typedef struct {
	zend_object *object;
	uint32_t flags;
	lazy_entry *entry; /* the base's own, never in the store; NULL: the object is not lazy */
} lazy_object;

static lazy_object *lazy;
static uint32_t lazy_count, lazy_size;

/* --- entries --- */

static lazy_entry *entry_in_place(const zend_object *object)
{
	return zend_hash_index_find_ptr(&EG(lazy_objects_store).infos, object->handle);
}

static bool is_initialized(const lazy_entry *entry)
{
	return (entry->flags & ZEND_LAZY_OBJECT_INITIALIZED) != 0;
}

static lazy_entry *copy_entry(const lazy_entry *entry)
{
	lazy_entry *copy = emalloc(sizeof(*copy));

	copy->flags = entry->flags;
	copy->properties_left = entry->properties_left;
	if (is_initialized(entry)) {
		copy->u.instance = entry->u.instance;
		GC_ADDREF(copy->u.instance);
	} else {
		zend_fcc_dup(&copy->u.initializer.call, &entry->u.initializer.call);
		ZVAL_COPY(&copy->u.initializer.given, &entry->u.initializer.given);
	}
	return copy;
}

static void free_entry(lazy_entry *entry)
{
	if (!entry) {
		return;
	}
	if (is_initialized(entry)) {
		OBJ_RELEASE(entry->u.instance);
	} else {
		zval_ptr_dtor(&entry->u.initializer.given);
		zend_fcc_dtor(&entry->u.initializer.call);
	}
	efree(entry);
}

static bool is_same_entry(const lazy_entry *a, const lazy_entry *b)
{
	if (!a || !b) {
		return a == b;
	}
	if (a->flags != b->flags || a->properties_left != b->properties_left) {
		return false;
	}
	if (is_initialized(a)) {
		return a->u.instance == b->u.instance;
	}
	return memcmp(&a->u.initializer.call, &b->u.initializer.call, sizeof(a->u.initializer.call)) == 0 &&
		weft_same_value(&a->u.initializer.given, &b->u.initializer.given);
}

/* Whatever was in place is somebody else's by now. */
static void put_in_place(zend_object *object, uint32_t flags, lazy_entry *entry)
{
	HashTable *entries = &EG(lazy_objects_store).infos;
	zval *found = zend_hash_index_find(entries, object->handle);
	dtor_func_t destructor = entries->pDestructor;

	OBJ_EXTRA_FLAGS(object) = (OBJ_EXTRA_FLAGS(object) & ~LAZY_FLAGS) | flags;
	if (found && entry) {
		Z_PTR_P(found) = entry;
	} else if (entry) {
		zend_hash_index_add_new_ptr(entries, object->handle, entry);
	} else if (found) {
		entries->pDestructor = NULL;
		zend_hash_index_del(entries, object->handle);
		entries->pDestructor = destructor;
	}
}

/* --- the snapshot --- */

/* What get_gc() tells of a lazy object begins with these values. */
static int expected_values(const lazy_entry *entry, zval expected[3])
{
	const zend_fcall_info_cache *call = &entry->u.initializer.call;
	int count = 0;

	if (is_initialized(entry)) {
		ZVAL_OBJ(&expected[count++], entry->u.instance);
		return count;
	}
	if (call->object) {
		ZVAL_OBJ(&expected[count++], call->object);
	}
	if (call->closure) {
		ZVAL_OBJ(&expected[count++], call->closure);
	}
	ZVAL_COPY_VALUE(&expected[count++], &entry->u.initializer.given);
	return count;
}

static int count_lazy_properties(const zend_object *object)
{
	int count = 0;

	for (int i = 0; i < object->ce->default_properties_count; i++) {
		const zend_property_info *info = object->ce->properties_info_table[i];

		count += info && (Z_PROP_FLAG_P(OBJ_PROP(object, info->offset)) & IS_PROP_LAZY);
	}
	return count;
}

static bool is_as_engine_says(zend_object *object, const lazy_entry *entry)
{
	bool proxy = zend_object_is_lazy_proxy(object), initialized = zend_lazy_object_initialized(object);
	zend_lazy_object_flags_t strategy = proxy ? ZEND_LAZY_OBJECT_STRATEGY_PROXY : ZEND_LAZY_OBJECT_STRATEGY_GHOST;
	zval expected[3], *values;
	int expected_count, count;

	if ((entry->flags & ZEND_LAZY_OBJECT_STRATEGY_MASK) != strategy || is_initialized(entry) != initialized) {
		return false;
	}
	if (!initialized && entry->properties_left != count_lazy_properties(object)) {
		return false;
	}
	object->handlers->get_gc(object, &values, &count);
	expected_count = expected_values(entry, expected);
	for (int i = 0; i < expected_count; i++) {
		bool told = i < count && weft_same_value(&values[i], &expected[i]);

		/* the name of a function is nothing that a collector has to know of */
		if (!told && Z_COLLECTABLE(expected[i])) {
			return false;
		}
	}
	return true;
}

bool weft_is_lazy(const zend_object *object)
{
	return zend_object_is_lazy((zend_object *) object);
}

/* A method that only __call() has is the one of that call: the engine copies it for one entry. */
static bool calls_a_copy(const lazy_entry *entry)
{
	return !is_initialized(entry) &&
		(entry->u.initializer.call.function_handler->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE);
}

bool weft_lazy_is_known(const zend_object *object)
{
	const lazy_entry *entry = entry_in_place(object);

	return entry && is_as_engine_says((zend_object *) object, entry) && !calls_a_copy(entry);
}

static void remember(zend_object *object, lazy_entry *entry)
{
	WEFT_GROW(lazy, lazy_count, lazy_size);
	lazy[lazy_count++] = (lazy_object){
		.object = object,
		.flags = OBJ_EXTRA_FLAGS(object) & LAZY_FLAGS,
		.entry = entry,
	};
	weft_base_state.stats.slots++;
}

void weft_lazy_snapshot(zend_object *object)
{
	if (weft_is_lazy(object) && weft_lazy_is_known(object)) {
		remember(object, copy_entry(entry_in_place(object)));
	}
}

void weft_lazy_forget(void)
{
	for (uint32_t i = 0; i < lazy_count; i++) {
		free_entry(lazy[i].entry);
	}
	free(lazy);
	lazy = NULL;
	lazy_count = lazy_size = 0;
}

/* --- a domain's --- */

void weft_lazy_leave(weft_private_list *list)
{
	for (uint32_t i = 0; i < lazy_count; i++) {
		const lazy_object *item = &lazy[i];
		lazy_entry *entry = entry_in_place(item->object);
		uint32_t flags = OBJ_EXTRA_FLAGS(item->object) & LAZY_FLAGS;
		lazy_entry *of_base;
		weft_private *private;

		if (flags == item->flags && is_same_entry(entry, item->entry)) {
			continue;
		}
		of_base = item->entry ? copy_entry(item->entry) : NULL;
		private = weft_private_add(list, WEFT_PRIVATE_LAZY);
		private->owner = item->object;
		private->place.flags = flags;
		ZVAL_PTR(&private->value, entry);
		put_in_place(item->object, item->flags, of_base);
	}
}

void weft_lazy_enter(const weft_private *private)
{
	lazy_entry *of_base = entry_in_place(private->owner);

	put_in_place(private->owner, private->place.flags, Z_PTR(private->value));
	free_entry(of_base);
}

void weft_lazy_destroy(const weft_private *private)
{
	free_entry(Z_PTR(private->value));
}

void weft_lazy_instance(const weft_private *private, zval *instance)
{
	const lazy_entry *entry = Z_PTR(private->value);

	if (entry && is_initialized(entry)) {
		ZVAL_OBJ(instance, entry->u.instance);
	} else {
		ZVAL_UNDEF(instance);
	}
}

/* --- objects of the base that become lazy in a request --- */

static void note_reset(const zend_execute_data *execute_data)
{
	const zval *argument = ZEND_CALL_ARG(execute_data, 1);
	zend_object *object;

	if (!weft_base_state.taken || !ZEND_CALL_NUM_ARGS(execute_data) || Z_TYPE_P(argument) != IS_OBJECT ||
		!weft_base_holds(Z_OBJ_P(argument))) {
		return;
	}
	object = Z_OBJ_P(argument);
	for (uint32_t i = 0; i < lazy_count; i++) {
		if (lazy[i].object == object) {
			return;
		}
	}
	if (!weft_is_lazy(object)) {
		remember(object, NULL);
	}
}

static zif_handler plain_reset_ghost, plain_reset_proxy;

static ZEND_FUNCTION(weft_reset_as_lazy_ghost)
{
	note_reset(execute_data);
	plain_reset_ghost(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static ZEND_FUNCTION(weft_reset_as_lazy_proxy)
{
	note_reset(execute_data);
	plain_reset_proxy(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void weft_lazy_rinit(void)
{
	if (plain_reset_ghost) {
		return;
	}
	plain_reset_ghost = weft_wrap("reflection", "reflectionclass", "resetaslazyghost", zif_weft_reset_as_lazy_ghost);
	plain_reset_proxy = weft_wrap("reflection", "reflectionclass", "resetaslazyproxy", zif_weft_reset_as_lazy_proxy);
}

#else

bool weft_is_lazy(const zend_object *object)
{
	return false;
}

bool weft_lazy_is_known(const zend_object *object)
{
	return false;
}

void weft_lazy_snapshot(zend_object *object)
{
}

void weft_lazy_forget(void)
{
}

void weft_lazy_leave(weft_private_list *list)
{
}

void weft_lazy_enter(const weft_private *private)
{
}

void weft_lazy_destroy(const weft_private *private)
{
}

void weft_lazy_instance(const weft_private *private, zval *instance)
{
	ZVAL_UNDEF(instance);
}

void weft_lazy_rinit(void)
{
}

#endif
