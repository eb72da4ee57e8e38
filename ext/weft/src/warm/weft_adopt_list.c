/*
 * Lists that grow: callbacks and listeners are appended when a service is made, and the service would not append them
 * again. So what is appended is adopted one by one; what each request appends is its own.
 */
#include "warm/weft_adopt.h"
#include "zend_closures.h"

uint32_t weft_list_length(const zval *list)
{
	return Z_TYPE_P(list) == IS_ARRAY ? zend_hash_num_elements(Z_ARR_P(list)) : 0;
}

static bool is_list(const zval *value)
{
	return Z_TYPE_P(value) == IS_ARRAY && zend_array_is_list(Z_ARR_P(value));
}

static bool list_begins_with(const zval *list, const zval *with)
{
	for (uint32_t i = 0; i < weft_list_length(with); i++) {
		const zval *element = zend_hash_index_find(Z_ARR_P(list), i);

		if (!element || !weft_same_value(element, zend_hash_index_find(Z_ARR_P(with), i))) {
			return false;
		}
	}
	return true;
}

bool weft_lists_grow(const zval *cold, const zval *a, const zval *b)
{
	return is_list(cold) && is_list(a) && is_list(b) && list_begins_with(a, cold) && list_begins_with(b, cold);
}

static bool are_alike(const zval *a, const zval *b);

static bool are_alike_tables(HashTable *a, HashTable *b)
{
	zend_string *key;
	zend_ulong number;
	zval *in_a, *in_b;

	if (!a || !b || zend_hash_num_elements(a) != zend_hash_num_elements(b)) {
		return a == b;
	}
	ZEND_HASH_FOREACH_KEY_VAL(a, number, key, in_a) {
		in_b = key ? zend_hash_find(b, key) : zend_hash_index_find(b, number);
		if (!in_b || !are_alike(in_a, in_b)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static HashTable *bound_variables(const zend_function *function)
{
	return function->type == ZEND_USER_FUNCTION && function->op_array.static_variables
		? ZEND_MAP_PTR_GET(function->op_array.static_variables_ptr)
		: NULL;
}

static bool are_alike_closures(zend_object *a, zend_object *b)
{
	const zend_function *function_a = zend_get_closure_method_def(a), *function_b = zend_get_closure_method_def(b);

	return weft_same_function(function_a, function_b) &&
		are_alike_tables(bound_variables(function_a), bound_variables(function_b));
}

/* The same code appended them, to the same end as far as plain values tell. What their objects hold does not count:
 * parts of it may be put back. */
static bool are_alike(const zval *a, const zval *b)
{
	ZVAL_DEREF(a);
	ZVAL_DEREF(b);
	if (Z_TYPE_P(a) != Z_TYPE_P(b)) {
		return false;
	}
	if (Z_TYPE_P(a) == IS_ARRAY) {
		return are_alike_tables(Z_ARR_P(a), Z_ARR_P(b));
	}
	if (Z_TYPE_P(a) != IS_OBJECT) {
		return zend_is_identical((zval *) a, (zval *) b);
	}
	if (Z_OBJCE_P(a) == zend_ce_closure && Z_OBJCE_P(b) == zend_ce_closure) {
		return are_alike_closures(Z_OBJ_P(a), Z_OBJ_P(b));
	}
	return Z_OBJCE_P(a) == Z_OBJCE_P(b);
}

weft_unit *weft_list_match(const weft_root *root, const zval *value)
{
	for (uint32_t i = root->first; i; i = weft_adopted.units[i].next) {
		if (are_alike(&weft_adopted.units[i].value, value)) {
			return &weft_adopted.units[i];
		}
	}
	return NULL;
}

/* How many elements are the cold list and the standing units; 0 when they are not all there, in this order. */
static uint32_t adopted_length(const weft_root *root, const zval *value)
{
	uint32_t length = weft_list_length(&root->cold);

	if (!is_list(value) || !list_begins_with(value, &root->cold)) {
		return 0;
	}
	for (uint32_t i = root->first; i; i = weft_adopted.units[i].next) {
		const weft_unit *unit = &weft_adopted.units[i];

		if (weft_unit_stands(unit)) {
			const zval *element = zend_hash_index_find(Z_ARR_P(value), length++);

			if (!element || !weft_same_value(element, &unit->value)) {
				return 0;
			}
		}
	}
	return length;
}

void weft_list_scrub(const weft_root *root, const zval *value)
{
	uint32_t from = adopted_length(root, value);

	if (!from) {
		for (uint32_t i = root->first; i; i = weft_adopted.units[i].next) {
			if (weft_unit_stands(&weft_adopted.units[i])) {
				weft_unit_drop(&weft_adopted.units[i], "a request writes the list again");
			}
		}
		return;
	}
	for (; from < weft_list_length(value); from++) {
		weft_unit *unit = weft_list_match(root, zend_hash_index_find(Z_ARR_P(value), from));

		if (unit && weft_unit_stands(unit)) {
			weft_unit_drop(unit, "each request appends it");
		}
	}
}

static bool knows(const zval *list, const zval *value)
{
	const zval *element;

	ZEND_HASH_FOREACH_VAL(Z_ARR_P(list), element) {
		if (are_alike(value, element)) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

void weft_list_without_surplus(const weft_root *root, const zval *value, const zval *other, zval *result)
{
	uint32_t length = adopted_length(root, value), at = 0, cold = weft_list_length(&root->cold);
	zval *element;

	array_init(result);
	ZEND_HASH_FOREACH_VAL(Z_ARR_P(value), element) {
		if (at < cold || at >= length || Z_TYPE_P(other) != IS_ARRAY || knows(other, element)) {
			zval copy;

			if (Z_ISREF_P(element) && Z_REFCOUNT_P(element) == 1) {
				element = Z_REFVAL_P(element); /* held by both lists, it would be shared */
			}
			ZVAL_COPY(&copy, element);
			zend_hash_next_index_insert_new(Z_ARR_P(result), &copy);
		}
		at++;
	}
	ZEND_HASH_FOREACH_END();
}
