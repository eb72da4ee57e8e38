/*
 * The property is unset in the base. An unset property is the one kind of slot that the engine doesn't read by itself:
 * it asks the handlers of the object. Ours ask the closure when the method reads, and pretend to everybody else that
 * the table is there and empty. Who writes gets one. From then on the slot holds a table, as any other slot of the
 * request, and nothing of this is in the way until the request has ended.
 */
#include "isolation/weft_demand.h"

typedef struct demand {
	struct demand *next;
	zend_object *object;
	const zend_property_info *property;
	zend_string *method; /* of the property's class */
	zval ask;
} demand;

static demand *demands;
static zend_object_handlers handlers;

static demand *find(const zend_object *object)
{
	demand *found = demands;

	while (found && found->object != object) {
		found = found->next;
	}
	return found;
}

static zval *slot_of(const demand *of)
{
	return OBJ_PROP(of->object, of->property->offset);
}

static bool is_waiting(const demand *of)
{
	return of && Z_TYPE_P(slot_of(of)) == IS_UNDEF;
}

/* Whether this is about the property, from code that may read it. */
static bool concerns(const demand *of, zend_string *name)
{
	return is_waiting(of) && zend_get_property_info(of->object->ce, name, 1) == of->property;
}

/* From now on there is a table. */
static demand *give_up(zend_object *object)
{
	demand *of = find(object);

	if (is_waiting(of)) {
		ZVAL_EMPTY_ARRAY(slot_of(of));
	}
	return of;
}

/* What the method has been called with; NULL: it is not the method that reads. */
static zval *asked_for(const demand *of)
{
	zend_execute_data *reader = EG(current_execute_data);
	zval *argument;

	if (!reader || !reader->func || reader->func->type != ZEND_USER_FUNCTION || reader->func->op_array.num_args == 0 ||
		Z_TYPE(reader->This) != IS_OBJECT || Z_OBJ(reader->This) != of->object ||
		reader->func->common.scope != of->property->ce || !zend_string_equals(reader->func->common.function_name, of->method)) {
		return NULL;
	}
	argument = ZEND_CALL_VAR_NUM(reader, 0);
	ZVAL_DEREF(argument);
	return Z_TYPE_P(argument) == IS_STRING ? argument : NULL;
}

static void ask(const demand *of, const zval *argument)
{
	zval copy, result;

	ZVAL_COPY(&copy, argument);
	ZVAL_UNDEF(&result);
	call_user_function(NULL, NULL, (zval *) &of->ask, &result, 1, &copy);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&copy);
}

static zval *read_property(zend_object *object, zend_string *name, int type, void **cache_slot, zval *rv)
{
	const demand *of = find(object);

	if ((type == BP_VAR_R || type == BP_VAR_IS) && concerns(of, name)) {
		zval *argument = type == BP_VAR_IS ? asked_for(of) : NULL;

		if (argument) {
			ask(of, argument);
			if (EG(exception)) {
				return &EG(uninitialized_zval);
			}
		}
		if (is_waiting(of)) {
			ZVAL_EMPTY_ARRAY(rv);
			return rv;
		}
	}
	return zend_std_read_property(object, name, type, cache_slot, rv);
}

static zval *get_property_ptr_ptr(zend_object *object, zend_string *name, int type, void **cache_slot)
{
	if (concerns(find(object), name)) {
		give_up(object);
	}
	return zend_std_get_property_ptr_ptr(object, name, type, cache_slot);
}

static int has_property(zend_object *object, zend_string *name, int check, void **cache_slot)
{
	if (concerns(find(object), name)) {
		give_up(object);
	}
	return zend_std_has_property(object, name, check, cache_slot);
}

static HashTable *get_properties(zend_object *object)
{
	give_up(object);
	return zend_std_get_properties(object);
}

/* The engine's own would ask get_properties(): the collector's visit would put a table into the slot. */
static HashTable *get_gc(zend_object *object, zval **values, int *count)
{
	*values = object->properties ? NULL : object->properties_table;
	*count = object->properties ? 0 : object->ce->default_properties_count;
	return object->properties;
}

static zend_object *clone_obj(zend_object *object)
{
	give_up(object);
	return zend_objects_clone_obj(object);
}

static void set_handlers(zend_object *object)
{
	if (!handlers.read_property) {
		/* as they are now: the floor has put one of its own among them */
		memcpy(&handlers, &std_object_handlers, sizeof(handlers));
		handlers.read_property = read_property;
		handlers.get_property_ptr_ptr = get_property_ptr_ptr;
		handlers.has_property = has_property;
		handlers.get_properties = get_properties;
		handlers.get_gc = get_gc;
		handlers.clone_obj = clone_obj;
	}
	object->handlers = &handlers;
}

static void forget(demand **link)
{
	demand *of = *link;

	*link = of->next;
	give_up(of->object);
	of->object->handlers = &std_object_handlers;
	zend_string_release(of->method);
	zval_ptr_dtor(&of->ask);
	OBJ_RELEASE(of->object);
	efree(of);
}

static bool can_wait(const zend_object *object, const zend_property_info *property)
{
	const zend_class_entry *ce = object->ce;
	const zval *value;

	if (object->handlers != &std_object_handlers || !property || property == ZEND_WRONG_PROPERTY_INFO ||
		(property->flags & ZEND_ACC_STATIC) || ZEND_TYPE_IS_SET(property->type) || ce->__get || ce->__set || ce->__isset ||
		ce->__unset) {
		return false;
	}
	value = OBJ_PROP(object, property->offset);
	return Z_TYPE_P(value) == IS_ARRAY && zend_hash_num_elements(Z_ARRVAL_P(value)) == 0;
}

bool weft_demand_begin(zend_object *object, zend_string *name, zend_string *method, zval *closure)
{
	const zend_property_info *property = zend_hash_find_ptr(&object->ce->properties_info, name);
	demand *of;

	if (!can_wait(object, property)) {
		return false;
	}
	of = emalloc(sizeof(*of));
	*of = (demand){.next = demands, .object = object, .property = property, .method = zend_string_copy(method)};
	GC_ADDREF(object);
	ZVAL_COPY(&of->ask, closure);
	demands = of;
	zval_ptr_dtor(slot_of(of));
	ZVAL_UNDEF(slot_of(of));
	set_handlers(object);
	return true;
}

void weft_demand_end(zend_object *object)
{
	for (demand **link = &demands; *link; link = &(*link)->next) {
		if ((*link)->object == object) {
			forget(link);
			return;
		}
	}
}

void weft_demand_rshutdown(void)
{
	while (demands) {
		forget(&demands);
	}
}
