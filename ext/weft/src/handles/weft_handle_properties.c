/*
 * What an object's own handlers do, which no function passes: mysqli's properties (insert_id, errno …) are read from
 * the connection, and a clone of a curl handle has its options. For a handle of the base the domain's stand-in is
 * asked.
 */
#include "handles/weft_handles_internal.h"

static zend_object_read_property_t plain_read;
static zend_object_has_property_t plain_has;
static zend_object_get_debug_info_t plain_debug_info;
static zend_object_clone_obj_t plain_clone;

static weft_base_handle *handle_in_domain(const zend_object *object)
{
	return weft_handle_count && weft_domain_in_place ? weft_base_handle_find(object) : NULL;
}

static zval *read_property(zend_object *object, zend_string *name, int type, void **cache_slot, zval *rv)
{
	weft_base_handle *handle = handle_in_domain(object);
	weft_stand_in *stand_in;
	zval *value;

	if (!handle || !zend_hash_exists(&weft_internal_ancestor(object->ce)->properties_info, name)) {
		return plain_read(object, name, type, cache_slot, rv);
	}
	stand_in = weft_stand_in_take(handle);
	if (!stand_in) {
		return &EG(uninitialized_zval);
	}
	value = plain_read(weft_stand_in_object(stand_in), name, type, NULL, rv);
	weft_stand_in_give(stand_in);
	return value;
}

static int has_property(zend_object *object, zend_string *name, int check_empty, void **cache_slot)
{
	weft_base_handle *handle = handle_in_domain(object);
	weft_stand_in *stand_in;
	int has;

	if (!handle || !zend_hash_exists(&weft_internal_ancestor(object->ce)->properties_info, name)) {
		return plain_has(object, name, check_empty, cache_slot);
	}
	stand_in = weft_stand_in_take(handle);
	if (!stand_in) {
		return 0;
	}
	has = plain_has(weft_stand_in_object(stand_in), name, check_empty, NULL);
	weft_stand_in_give(stand_in);
	return has;
}

static HashTable *get_debug_info(zend_object *object, int *is_temporary)
{
	weft_base_handle *handle = handle_in_domain(object);
	weft_stand_in *stand_in = handle ? weft_stand_in_take(handle) : NULL;
	HashTable *info;

	if (!stand_in) {
		return plain_debug_info(object, is_temporary);
	}
	info = plain_debug_info(weft_stand_in_object(stand_in), is_temporary);
	weft_stand_in_give(stand_in);
	return info;
}

static zend_object *clone(zend_object *object)
{
	weft_base_handle *handle = handle_in_domain(object);
	weft_stand_in *stand_in = handle ? weft_stand_in_take(handle) : NULL;
	zend_object *copy;

	if (handle && !stand_in) {
		/* the engine wants an object all the same */
		copy = zend_objects_new(zend_standard_class_def);
		return copy;
	}
	copy = plain_clone(stand_in ? weft_stand_in_object(stand_in) : object);
	if (stand_in) {
		weft_stand_in_give(stand_in);
	}
	return copy;
}

zend_object *weft_handle_copy(zend_object *object)
{
	return plain_clone ? plain_clone(object) : NULL;
}

static void replace_clone(zend_object_handlers *handlers)
{
	if (handlers->clone_obj && handlers->clone_obj != clone) {
		plain_clone = handlers->clone_obj;
		handlers->clone_obj = clone;
	}
}

/* All objects of a class share one table of handlers; the first one shows where it is. */
void weft_handle_properties_of(zend_object *object)
{
	zend_object_handlers *handlers = (zend_object_handlers *) object->handlers;
	const char *name = ZSTR_VAL(weft_internal_ancestor(object->ce)->name);

	if (strcmp(name, "CurlHandle") == 0) {
		replace_clone(handlers);
	}
	if (strcmp(name, "mysqli") != 0 || handlers->read_property == read_property) {
		return;
	}
	plain_read = handlers->read_property;
	plain_has = handlers->has_property;
	plain_debug_info = handlers->get_debug_info;
	handlers->read_property = read_property;
	handlers->has_property = has_property;
	if (plain_debug_info) {
		handlers->get_debug_info = get_debug_info;
	}
}
