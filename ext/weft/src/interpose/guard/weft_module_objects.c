/*
 * Objects of classes of modules that are not proven: the last reference to one may end a connection, foreach may ask
 * for more, and a property may be computed.
 */
#include "interpose/guard/weft_module_tables.h"

#include "zend_interfaces.h"

typedef struct {
	const zend_module_entry *module;
	zend_object *(*create)(zend_class_entry *class);
	zend_object_iterator *(*iterate)(zend_class_entry *class, zval *object, int by_reference);
} wrapped_class;

/* By the address of the internal class. */
static HashTable classes;
static bool any_class;

#define IN_OBJECT(otherwise, result, call) \
	WEFT_INSIDE(weft_module_enter, zend_object_handlers, object->handlers, otherwise, result, call)

static void object_free(zend_object *object)
{
	const weft_module_table *entry = weft_module_table_of(object->handlers);
	weft_module_frame frame;

	if (UNEXPECTED(!weft_module_enter_to_free(&frame, entry->module))) {
		weft_module_given_up(entry->module);
		zend_object_std_dtor(object);
		return;
	}
	((const zend_object_handlers *) entry->plain)->free_obj(object);
	weft_module_leave(&frame);
}

/* In a coroutine of its own. */
static void free_later(void *object)
{
	((zend_object *) object)->handlers->dtor_obj(object);
	OBJ_RELEASE((zend_object *) object);
}

/* Comes before object_free(), and can put it off: the last reference may go where there is no waiting. */
static void object_destruct(zend_object *object)
{
	const weft_module_table *entry = weft_module_table_of(object->handlers);
	const zend_object_handlers *plain = entry->plain;
	const weft_monitor *monitor = weft_monitor_of(entry->module);
	weft_module_frame frame;

	if (monitor && UNEXPECTED(weft_monitor_is_out_of_reach(monitor)) && weft_current && !weft_collecting) {
		GC_ADDREF(object);
		weft_module_later(free_later, object);
	} else if (plain->dtor_obj == zend_objects_destroy_object) {
		plain->dtor_obj(object); /* calls PHP code and nothing else */
	} else if (weft_module_enter_to_free(&frame, entry->module)) {
		plain->dtor_obj(object);
		weft_module_leave(&frame);
	}
}

static zend_object *object_clone(zend_object *object)
{
	IN_OBJECT(zend_objects_new(zend_standard_class_def), zend_object *result =, clone_obj(object));
	return result;
}

static zval *object_read_property(zend_object *object, zend_string *name, int type, void **slot, zval *value)
{
	IN_OBJECT(&EG(uninitialized_zval), zval *result =, read_property(object, name, type, slot, value));
	if (result) {
		weft_module_result_wrap(result);
	}
	return result;
}

static zval *object_write_property(zend_object *object, zend_string *name, zval *value, void **slot)
{
	IN_OBJECT(value, zval *result =, write_property(object, name, value, slot));
	return result;
}

static zval *object_read_dimension(zend_object *object, zval *offset, int type, zval *value)
{
	IN_OBJECT(NULL, zval *result =, read_dimension(object, offset, type, value));
	return result;
}

static void object_write_dimension(zend_object *object, zval *offset, zval *value)
{
	IN_OBJECT(, , write_dimension(object, offset, value));
}

static int object_has_property(zend_object *object, zend_string *name, int mode, void **slot)
{
	IN_OBJECT(0, int result =, has_property(object, name, mode, slot));
	return result;
}

static void object_unset_property(zend_object *object, zend_string *name, void **slot)
{
	IN_OBJECT(, , unset_property(object, name, slot));
}

static int object_has_dimension(zend_object *object, zval *offset, int check_empty)
{
	IN_OBJECT(0, int result =, has_dimension(object, offset, check_empty));
	return result;
}

static void object_unset_dimension(zend_object *object, zval *offset)
{
	IN_OBJECT(, , unset_dimension(object, offset));
}

static zend_result object_cast(zend_object *object, zval *value, int type)
{
	IN_OBJECT(FAILURE, zend_result result =, cast_object(object, value, type));
	return result;
}

static zend_result object_count(zend_object *object, zend_long *count)
{
	IN_OBJECT(FAILURE, zend_result result =, count_elements(object, count));
	return result;
}

/* What FFI makes of a C function. */
static zend_function *object_method(zend_object **object, zend_string *name, const zval *key)
{
	const weft_module_table *entry = weft_module_table_of((*object)->handlers);
	zend_function *function = ((const zend_object_handlers *) entry->plain)->get_method(object, name, key);

	if (function) {
		weft_module_function_wrap(function, entry->module);
	}
	return function;
}

static zend_result object_closure(zend_object *object, zend_class_entry **class, zend_function **function,
	zend_object **bound, bool check_only)
{
	const weft_module_table *entry = weft_module_table_of(object->handlers);
	zend_result result = ((const zend_object_handlers *) entry->plain)
							 ->get_closure(object, class, function, bound, check_only);

	if (result == SUCCESS && *function && !check_only) {
		weft_module_function_wrap(*function, entry->module);
	}
	return result;
}

static const zend_object_handlers object_wrapped = {
	.free_obj = object_free,
	.dtor_obj = object_destruct,
	.clone_obj = object_clone,
	.read_property = object_read_property,
	.write_property = object_write_property,
	.read_dimension = object_read_dimension,
	.write_dimension = object_write_dimension,
	.has_property = object_has_property,
	.unset_property = object_unset_property,
	.has_dimension = object_has_dimension,
	.unset_dimension = object_unset_dimension,
	.cast_object = object_cast,
	.count_elements = object_count,
	.get_method = object_method,
	.get_closure = object_closure,
};

/* --- foreach --- */

#define IN_ITERATOR(otherwise, result, call) \
	WEFT_INSIDE(weft_module_enter, zend_object_iterator_funcs, iterator->funcs, otherwise, result, call)

static void iterator_end(zend_object_iterator *iterator)
{
	WEFT_INSIDE(weft_module_enter_to_free, zend_object_iterator_funcs, iterator->funcs, , , dtor(iterator));
}

static int iterator_valid(zend_object_iterator *iterator)
{
	IN_ITERATOR(FAILURE, int result =, valid(iterator));
	return result;
}

static zval *iterator_current(zend_object_iterator *iterator)
{
	IN_ITERATOR(NULL, zval *result =, get_current_data(iterator));
	return result;
}

static void iterator_key(zend_object_iterator *iterator, zval *key)
{
	IN_ITERATOR(, , get_current_key(iterator, key));
}

static void iterator_forward(zend_object_iterator *iterator)
{
	IN_ITERATOR(, , move_forward(iterator));
}

static void iterator_rewind(zend_object_iterator *iterator)
{
	IN_ITERATOR(, , rewind(iterator));
}

static const zend_object_iterator_funcs iterator_wrapped = {
	.dtor = iterator_end,
	.valid = iterator_valid,
	.get_current_data = iterator_current,
	.get_current_key = iterator_key,
	.move_forward = iterator_forward,
	.rewind = iterator_rewind,
};

/* --- classes --- */

/* Classes of PHP code that extend it have inherited the hooks. */
static const wrapped_class *class_of(const zend_class_entry *class)
{
	const wrapped_class *found = NULL;

	while (class && any_class && !(found = zend_hash_index_find_ptr(&classes, (zend_ulong) (uintptr_t) class))) {
		class = class->parent;
	}
	return found;
}

/* The handlers of a module that is built into PHP can't be told from the engine's own by where they lie. */
static bool is_of(const zend_module_entry *module, const void *table)
{
	return module->handle ? weft_module_at(table) == module : true;
}

static void wrap_handlers(const wrapped_class *known, const zend_object *object)
{
	const void *handlers = object->handlers, *common = zend_get_std_object_handlers();
	weft_monitor *monitor = weft_monitor_of(known->module);
	zend_object_handlers untouched;

	if (handlers != common && !weft_module_table_of(handlers) && is_of(known->module, handlers)) {
		memcpy(&untouched, common, sizeof(untouched));
		if (monitor) {
			monitor->has_objects = true;
			untouched.dtor_obj = NULL; /* each has ours */
		}
		weft_module_table_wrap(known->module, (void *) handlers, &object_wrapped, &untouched, sizeof(object_wrapped));
	}
}

void weft_module_object_wrap(zend_object *object)
{
	const wrapped_class *known = object->handlers == zend_get_std_object_handlers() ? NULL : class_of(object->ce);

	if (known) {
		wrap_handlers(known, object);
	}
}

static zend_object *create(zend_class_entry *class)
{
	const wrapped_class *known = class_of(class);
	zend_object *object;
	weft_module_frame frame;

	/* a guarded module takes memory for it, and asks no library: there would be no way to fail */
	if (weft_monitor_of(known->module)) {
		object = known->create(class);
	} else {
		weft_module_enter(&frame, known->module);
		object = known->create(class);
		weft_module_leave(&frame);
	}
	wrap_handlers(known, object);
	return object;
}

static zend_object_iterator *iterate(zend_class_entry *class, zval *object, int by_reference)
{
	const wrapped_class *known = class_of(class);
	zend_object_iterator *iterator;
	weft_module_frame frame;

	if (UNEXPECTED(!weft_module_enter(&frame, known->module))) {
		return NULL;
	}
	iterator = known->iterate(class, object, by_reference);
	weft_module_leave(&frame);
	if (iterator && !weft_module_table_of(iterator->funcs) && weft_module_at(iterator->funcs) == known->module) {
		weft_module_table_wrap(known->module, (void *) iterator->funcs, &iterator_wrapped, NULL,
			sizeof(iterator_wrapped));
	}
	return iterator;
}

void weft_module_class_wrap(zend_class_entry *class, const zend_module_entry *module)
{
	const zend_class_entry *parent;
	wrapped_class *known;

	if (!any_class) {
		zend_hash_init(&classes, 8, NULL, NULL, 1);
		any_class = true;
	}
	if (zend_hash_index_exists(&classes, (zend_ulong) (uintptr_t) class)) {
		return;
	}
	known = pecalloc(1, sizeof(*known), 1);
	known->module = module;
	zend_hash_index_add_new_ptr(&classes, (zend_ulong) (uintptr_t) class, known);
	/* what it has from a class of a proven module is that one's */
	parent = class->parent;
	if (parent && weft_module_kind_of(parent->info.internal.module) != WEFT_MODULE_PROVEN) {
		parent = NULL;
	}
	if (class->create_object && class->create_object != create &&
		(!parent || parent->create_object != class->create_object)) {
		known->create = class->create_object;
		class->create_object = create;
	}
	if (class->get_iterator && class->get_iterator != iterate && class->get_iterator != zend_user_it_get_new_iterator &&
		(!parent || parent->get_iterator != class->get_iterator)) {
		known->iterate = class->get_iterator;
		class->get_iterator = iterate;
	}
}
