/*
 * Finds out whether this PHP keeps the state of SPL's objects as weft_spl.h says: makes objects, uses them, and looks.
 * A layout of the right size with other fields is none of ours.
 */
#include "domain/hidden/weft_spl.h"
#include "zend_interfaces.h"
#include "ext/spl/spl_array.h"
#include "ext/spl/spl_observer.h"
#include "ext/spl/spl_dllist.h"

static void call(zval *object, const char *method, int count, zval *first, zval *second)
{
	zval result;

	ZVAL_UNDEF(&result);
	zend_call_method(Z_OBJ_P(object), Z_OBJCE_P(object), NULL, method, strlen(method), &result, count, first, second);
	zval_ptr_dtor(&result);
}

static void call_with_number(zval *object, const char *method, zend_long number)
{
	zval argument;

	ZVAL_LONG(&argument, number);
	call(object, method, 1, &argument, NULL);
}

/* Nothing is overridden in SPL's own classes. */
static bool are_empty(zend_function *const overridden[5])
{
	for (int i = 0; i < 5; i++) {
		if (overridden[i]) {
			return false;
		}
	}
	return true;
}

static bool shows_array(const zend_object *object)
{
	const weft_spl_array *state = WEFT_SPL_STATE(weft_spl_array, object);

	return Z_TYPE(state->array) == IS_ARRAY && zend_hash_num_elements(Z_ARR(state->array)) == 2 &&
		state->ht_iter < EG(ht_iterators_used) && EG(ht_iterators)[state->ht_iter].ht == Z_ARR(state->array) &&
		EG(ht_iterators)[state->ht_iter].pos == 1 && state->ar_flags == 2 && are_empty(state->overridden) &&
		state->ce_get_iterator == spl_ce_ArrayIterator;
}

static bool probe_array(void)
{
	zval object, array, flags;
	bool known;

	object_init_ex(&object, spl_ce_ArrayIterator);
	array_init(&array);
	add_next_index_long(&array, 10);
	add_next_index_long(&array, 20);
	ZVAL_LONG(&flags, 2); /* ARRAY_AS_PROPS */
	call(&object, "__construct", 2, &array, &flags);
	call(&object, "next", 0, NULL, NULL);
	known = Z_OBJ_HT(object)->offset == sizeof(weft_spl_array) && shows_array(Z_OBJ(object));
	zval_ptr_dtor(&array);
	zval_ptr_dtor(&object);
	return known;
}

/* The element's place has the number of its object, if all numbers are small, or that in the order. */
static bool shows_storage(const zend_object *object, const zval *second)
{
	weft_spl_storage *state = WEFT_SPL_STATE(weft_spl_storage, object);
	const weft_spl_storage_element *element;

	if (zend_hash_num_elements(&state->storage) != 2 || state->index != 1 || state->get_hash) {
		return false;
	}
	element = zend_hash_index_find_ptr(&state->storage, Z_OBJ_HANDLE_P(second));
	return element && element == zend_hash_get_current_data_ptr_ex(&state->storage, &state->pos) &&
		element->object == Z_OBJ_P(second) && Z_TYPE(element->data) == IS_LONG && Z_LVAL(element->data) == 20;
}

static bool probe_flags(void)
{
	zval object;
	bool known;

	object_init_ex(&object, spl_ce_MultipleIterator);
	call_with_number(&object, "setflags", 3);
	known = Z_OBJ_HT(object)->offset == sizeof(weft_spl_storage) &&
		WEFT_SPL_STATE(weft_spl_storage, Z_OBJ(object))->flags == 3;
	zval_ptr_dtor(&object);
	return known;
}

static bool probe_storage(void)
{
	zval object, first, second, data;
	bool known;

	object_init_ex(&object, spl_ce_SplObjectStorage);
	object_init(&first);
	object_init(&second);
	ZVAL_LONG(&data, 10);
	call(&object, "offsetset", 2, &first, &data);
	ZVAL_LONG(&data, 20);
	call(&object, "offsetset", 2, &second, &data);
	call(&object, "rewind", 0, NULL, NULL);
	call(&object, "next", 0, NULL, NULL);
	known = Z_OBJ_HT(object)->offset == sizeof(weft_spl_storage) && shows_storage(Z_OBJ(object), &second);
	zval_ptr_dtor(&object);
	zval_ptr_dtor(&first);
	zval_ptr_dtor(&second);
	return known && probe_flags();
}

static bool element_is(const weft_spl_list_element *element, zend_long number)
{
	return element && Z_TYPE(element->data) == IS_LONG && Z_LVAL(element->data) == number;
}

static bool shows_list(const zend_object *object)
{
	const weft_spl_list_object *state = WEFT_SPL_STATE(weft_spl_list_object, object);
	const weft_spl_list *list = state->list;

	return list && list->count == 2 && element_is(list->head, 10) && list->head->next == list->tail &&
		element_is(list->tail, 20) && list->tail->prev == list->head && state->traverse_pointer == list->tail &&
		state->traverse_position == 1 && state->flags == 1
#if PHP_VERSION_ID < 80600
		&& are_empty(state->overridden)
#endif
		;
}

static bool probe_list(void)
{
	zval object;
	bool known;

	object_init_ex(&object, spl_ce_SplDoublyLinkedList);
	call_with_number(&object, "push", 10);
	call_with_number(&object, "push", 20);
	call(&object, "rewind", 0, NULL, NULL);
	call(&object, "next", 0, NULL, NULL);
	call_with_number(&object, "setiteratormode", 1);
	known = Z_OBJ_HT(object)->offset == sizeof(weft_spl_list_object) && shows_list(Z_OBJ(object));
	zval_ptr_dtor(&object);
	return known;
}

bool weft_spl_is_known(weft_spl_layout layout, const zend_object *object)
{
	static const struct {
		bool (*probe)(void);
		size_t size;
	} layouts[WEFT_SPL_LAYOUTS] = {
		[WEFT_SPL_ARRAY] = {probe_array, sizeof(weft_spl_array)},
		[WEFT_SPL_STORAGE] = {probe_storage, sizeof(weft_spl_storage)},
		[WEFT_SPL_LIST] = {probe_list, sizeof(weft_spl_list_object)},
	};
	static enum { UNKNOWN, RIGHT, WRONG } found[WEFT_SPL_LAYOUTS];

	if (found[layout] == UNKNOWN) {
		found[layout] = layouts[layout].probe() ? RIGHT : WRONG;
	}
	return found[layout] == RIGHT && (size_t) object->handlers->offset == layouts[layout].size;
}

bool weft_spl_is_child(const zend_object *array_iterator)
{
#if WEFT_SPL_OF_8_4
	return false; /* each has an array of its own */
#else
	return WEFT_SPL_STATE(weft_spl_array, array_iterator)->is_child;
#endif
}
