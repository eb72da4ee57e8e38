/*
 * Values that functions and classes of a domain hold: put back to what is declared when the domain ends, and counted,
 * to tell whether anybody else holds one of its objects.
 *
 * Tables of variables and of static properties stay where they are as long as the code does: f(...) may be called and
 * code may be run by an object after the end, and both remember the address.
 */
#include "domain/weft_tables.h"

/* NULL: it has none of its own. */
static HashTable *variables_of(const zend_op_array *function)
{
	HashTable *table = ZEND_MAP_PTR(function->static_variables_ptr) ? ZEND_MAP_PTR_GET(function->static_variables_ptr)
																	: NULL;

	return table == function->static_variables ? NULL : table;
}

/* --- visited --- */

static void visit_all(zval *values, int size, weft_value_visitor visit, void *context)
{
	for (int i = 0; values && i < size; i++) {
		visit(&values[i], context);
	}
}

void weft_values_visit_function(const zend_op_array *function, weft_value_visitor visit, void *context)
{
	HashTable *table = variables_of(function);
	zval *value;

	if (!table) {
		return;
	}
	ZEND_HASH_FOREACH_VAL(table, value) {
		visit(value, context);
	}
	ZEND_HASH_FOREACH_END();
}

static void visit_class_statics(zend_class_entry *ce, weft_value_visitor visit, void *context)
{
	if (ZEND_MAP_PTR(ce->static_members_table)) {
		visit_all(CE_STATIC_MEMBERS(ce), ce->default_static_members_count, visit, context);
	}
}

void weft_values_visit_class(zend_class_entry *ce, weft_value_visitor visit, void *context)
{
	const zend_op_array *method;

	visit_class_statics(ce, visit, context);
	ZEND_HASH_MAP_FOREACH_PTR(&ce->function_table, method) {
		/* an inherited one is the parent's */
		if (method->type == ZEND_USER_FUNCTION && method->scope == ce) {
			weft_values_visit_function(method, visit, context);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* --- back to what is declared --- */

static void declared_put_back(zval *slot, const zval *declared)
{
	zval old;

	ZVAL_COPY_VALUE(&old, slot);
	ZVAL_COPY(slot, declared);
	zval_ptr_dtor(&old);
}

void weft_values_reset_function(const zend_op_array *function)
{
	HashTable *table = variables_of(function);
	zend_string *name;
	zval *slot;

	if (!table) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(table, name, slot) {
		const zval *declared = zend_hash_find(function->static_variables, name);

		if (declared) {
			declared_put_back(slot, declared);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Who shares the variable from now on need not keep to the property's type. */
static void declared_forget_type(zend_reference *reference, const zend_property_info *info)
{
	zend_property_info *source;

	ZEND_REF_FOREACH_TYPE_SOURCES(reference, source) {
		if (source->ce == info->ce && source->offset == info->offset) {
			ZEND_REF_DEL_TYPE_SOURCE(reference, source);
			break; /* the list may have moved */
		}
	}
	ZEND_REF_FOREACH_TYPE_SOURCES_END();
}

/* A constant expression is not evaluated again: there is no value, as if none were declared. */
static void reset_static_property(const zend_property_info *info, zval *slot, const zval *declared)
{
	bool typed = ZEND_TYPE_IS_SET(info->type);
	zval none;

	if (Z_TYPE_P(declared) == IS_CONSTANT_AST) {
		ZVAL_NULL(&none);
		Z_TYPE_INFO(none) = typed ? IS_UNDEF : IS_NULL;
		declared = &none;
	}
	if (typed && Z_ISREF_P(slot)) {
		declared_forget_type(Z_REF_P(slot), info);
	}
	declared_put_back(slot, declared);
}

static void reset_static_properties(zend_class_entry *ce)
{
	zval *slots = ZEND_MAP_PTR(ce->static_members_table) ? CE_STATIC_MEMBERS(ce) : NULL;
	const zend_property_info *info;

	if (!ce->default_static_members_count || !slots) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_PTR(&ce->properties_info, info) {
		/* an inherited one is the parent's */
		if (info->ce == ce && (info->flags & ZEND_ACC_STATIC) && Z_TYPE(slots[info->offset]) != IS_INDIRECT) {
			reset_static_property(info, &slots[info->offset], &ce->default_static_members_table[info->offset]);
		}
	}
	ZEND_HASH_FOREACH_END();
}

void weft_values_reset_class(zend_class_entry *ce)
{
	const zend_op_array *method;

	if (ce->type != ZEND_USER_CLASS) {
		return;
	}
	reset_static_properties(ce);
	ZEND_HASH_MAP_FOREACH_PTR(&ce->function_table, method) {
		if (method->type == ZEND_USER_FUNCTION && method->scope == ce) {
			weft_values_reset_function(method);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* --- who holds it --- */

static zval *count_of(const HashTable *counts, const void *address)
{
	return zend_hash_index_find(counts, weft_key_of_address(address));
}

static bool is_counted(const zval *value)
{
	return Z_REFCOUNTED_P(value) && (Z_TYPE_P(value) == IS_OBJECT || Z_TYPE_P(value) == IS_ARRAY);
}

/* An array holds what is in it once, however many hold the array. */
void weft_values_count(HashTable *counts, const zval *value)
{
	zval *found, one, *element;

	if (!is_counted(value)) {
		return;
	}
	found = count_of(counts, Z_COUNTED_P(value));
	if (found) {
		Z_LVAL_P(found)++;
		return;
	}
	ZVAL_LONG(&one, 1);
	zend_hash_index_add_new(counts, weft_key_of_address(Z_COUNTED_P(value)), &one);
	if (Z_TYPE_P(value) == IS_ARRAY) {
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), element) {
			weft_values_count(counts, element);
		}
		ZEND_HASH_FOREACH_END();
	}
}

static void count_one(zval *value, void *counts)
{
	weft_values_count(counts, value);
}

void weft_values_count_class(HashTable *counts, zend_class_entry *ce)
{
	zend_class_mutable_data *data = ZEND_MAP_PTR(ce->mutable_data) ? ZEND_MAP_PTR_GET_IMM(ce->mutable_data) : NULL;
	const zend_class_constant *constant;

	ZEND_HASH_MAP_FOREACH_PTR(data && data->constants_table ? data->constants_table : &ce->constants_table, constant) {
		if (constant->ce == ce || (Z_CONSTANT_FLAGS(constant->value) & CONST_OWNED)) {
			weft_values_count(counts, &constant->value);
		}
	}
	ZEND_HASH_FOREACH_END();
	visit_all(data && data->default_properties_table ? data->default_properties_table : ce->default_properties_table,
		ce->default_properties_count, count_one, counts);
}

void weft_values_count_statics(HashTable *counts, zend_class_entry *ce)
{
	visit_class_statics(ce, count_one, counts);
}

/* What is in an array that others hold too is held by them. */
static void uncount_elements(HashTable *counts, HashTable *array)
{
	zval *element, *found;

	ZEND_HASH_FOREACH_VAL(array, element) {
		found = is_counted(element) ? count_of(counts, Z_COUNTED_P(element)) : NULL;
		if (found && Z_LVAL_P(found)) {
			Z_LVAL_P(found) = 0;
			if (Z_TYPE_P(element) == IS_ARRAY) {
				uncount_elements(counts, Z_ARRVAL_P(element));
			}
		}
	}
	ZEND_HASH_FOREACH_END();
}

void weft_values_counted(HashTable *counts)
{
	zend_ulong address;
	zval *found;

	ZEND_HASH_FOREACH_NUM_KEY_VAL(counts, address, found) {
		zend_refcounted *value = (zend_refcounted *) (uintptr_t) (address << 3);

		if (GC_TYPE(value) == IS_ARRAY && GC_REFCOUNT(value) > Z_LVAL_P(found)) {
			uncount_elements(counts, (HashTable *) value);
		}
	}
	ZEND_HASH_FOREACH_END();
}

bool weft_values_hold_alone(const HashTable *counts, const zend_object *object)
{
	const zval *found = zend_hash_num_elements(counts) ? count_of(counts, object) : NULL;

	return found && GC_REFCOUNT(object) == Z_LVAL_P(found);
}
