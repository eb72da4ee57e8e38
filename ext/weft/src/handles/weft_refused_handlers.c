/*
 * What the engine does with a refused object without a function: properties and elements that its class has in C.
 * Objects of a class share one table of handlers; a refused one gets a copy that asks first. Cloning stays allowed: it
 * is how a request gets one of its own, where the class can.
 */
#include "handles/weft_handles_internal.h"

/* As long as the process lives. */
typedef struct guarded_handlers {
	zend_object_handlers handlers; /* first: it is what an object points to */
	const zend_object_handlers *plain;
	struct guarded_handlers *next;
} guarded_handlers;

static guarded_handlers *tables;

#define PLAIN(object) (((const guarded_handlers *) (object)->handlers)->plain)

/* What a class in PHP declares is a slot, and each request has its own. */
static bool property_is_refused(const zend_object *object, zend_string *name)
{
	const zend_property_info *info = zend_hash_find_ptr(&object->ce->properties_info, name);

	return !(info && info->ce->type == ZEND_USER_CLASS) && weft_refused_use(object);
}

static zval *refused_read_property(zend_object *object, zend_string *name, int type, void **cache_slot, zval *rv)
{
	return property_is_refused(object, name) ? &EG(uninitialized_zval)
											 : PLAIN(object)->read_property(object, name, type, cache_slot, rv);
}

static zval *refused_write_property(zend_object *object, zend_string *name, zval *value, void **cache_slot)
{
	return property_is_refused(object, name) ? value : PLAIN(object)->write_property(object, name, value, cache_slot);
}

static zval *refused_get_property_ptr_ptr(zend_object *object, zend_string *name, int type, void **cache_slot)
{
	return property_is_refused(object, name) ? &EG(error_zval)
											 : PLAIN(object)->get_property_ptr_ptr(object, name, type, cache_slot);
}

static int refused_has_property(zend_object *object, zend_string *name, int check, void **cache_slot)
{
	return property_is_refused(object, name) ? 0 : PLAIN(object)->has_property(object, name, check, cache_slot);
}

static void refused_unset_property(zend_object *object, zend_string *name, void **cache_slot)
{
	if (!property_is_refused(object, name)) {
		PLAIN(object)->unset_property(object, name, cache_slot);
	}
}

/* As an array, or in json_encode(). */
static HashTable *refused_get_properties(zend_object *object)
{
	return weft_refused_use(object) ? zend_std_get_properties(object) : PLAIN(object)->get_properties(object);
}

static zval *refused_read_dimension(zend_object *object, zval *offset, int type, zval *rv)
{
	return weft_refused_use(object) ? &EG(uninitialized_zval) : PLAIN(object)->read_dimension(object, offset, type, rv);
}

static void refused_write_dimension(zend_object *object, zval *offset, zval *value)
{
	if (!weft_refused_use(object)) {
		PLAIN(object)->write_dimension(object, offset, value);
	}
}

static int refused_has_dimension(zend_object *object, zval *offset, int check_empty)
{
	return weft_refused_use(object) ? 0 : PLAIN(object)->has_dimension(object, offset, check_empty);
}

static void refused_unset_dimension(zend_object *object, zval *offset)
{
	if (!weft_refused_use(object)) {
		PLAIN(object)->unset_dimension(object, offset);
	}
}

static zend_result refused_cast_object(zend_object *object, zval *result, int type)
{
	return weft_refused_use(object) ? FAILURE : PLAIN(object)->cast_object(object, result, type);
}

static zend_result refused_count_elements(zend_object *object, zend_long *count)
{
	*count = 0;
	return weft_refused_use(object) ? FAILURE : PLAIN(object)->count_elements(object, count);
}

/* The engine's own handlers know slots and call methods: both are looked after elsewhere. */
#define GUARD(name) \
	if (plain->name && plain->name != std->name) { \
		table->handlers.name = refused_##name; \
	}

static guarded_handlers *guard(const zend_object_handlers *plain)
{
	const zend_object_handlers *std = zend_get_std_object_handlers();
	guarded_handlers *table = tables;

	while (table && table->plain != plain) {
		table = table->next;
	}
	if (table) {
		return table;
	}
	table = pecalloc(1, sizeof(*table), 1);
	table->handlers = *plain;
	table->plain = plain;
	table->next = tables;
	tables = table;
	GUARD(read_property)
	GUARD(write_property)
	GUARD(get_property_ptr_ptr)
	GUARD(has_property)
	GUARD(unset_property)
	GUARD(get_properties)
	GUARD(read_dimension)
	GUARD(write_dimension)
	GUARD(has_dimension)
	GUARD(unset_dimension)
	GUARD(cast_object)
	GUARD(count_elements)
	return table;
}

void weft_refused_handlers(zend_object *object)
{
	for (const guarded_handlers *table = tables; table; table = table->next) {
		if (object->handlers == &table->handlers) {
			return;
		}
	}
	object->handlers = &guard(object->handlers)->handlers;
}
