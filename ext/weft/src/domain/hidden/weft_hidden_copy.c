/*
 * Copies of hidden state.
 *
 * What makes the exchange of bytes sound: no pointer leads into the bytes themselves, from inside or from outside. Read
 * in the source of PHP 8.2 and 8.4 for every class that weft_hidden_classes.c calls copied;
 * docs/internals/isolation.md has the table. Clone handlers forget some of what is hidden (how far an iteration has
 * come, say), since a clone begins anew; a domain's copy must not, so three classes are copied here field by field.
 */
#include "domain/hidden/weft_hidden.h"
#include "domain/hidden/weft_spl.h"
#include "weft_classes.h"
#include "zend_exceptions.h"
#include "ext/spl/spl_array.h"
#include "ext/spl/spl_observer.h"
#include "ext/spl/spl_dllist.h"

/* --- ArrayObject, ArrayIterator --- */

/* Where in the copy of an array an iteration stands: the copy has no holes. */
static HashPosition position_in_copy(const HashTable *array, HashPosition position, const HashTable *copy)
{
	HashPosition seen = 0;

	if (copy->nNumUsed == array->nNumUsed) {
		return position;
	}
	for (HashPosition i = 0; i < position && i < array->nNumUsed; i++) {
		const zval *value = HT_IS_PACKED(array) ? &array->arPacked[i] : &array->arData[i].val;

		seen += Z_TYPE_P(value) != IS_UNDEF;
	}
	return seen;
}

static void copy_array_iteration(weft_spl_array *to, const weft_spl_array *from)
{
	const HashTableIterator *iteration = &EG(ht_iterators)[from->ht_iter];

#if WEFT_SPL_OF_8_4
	if (iteration->ht == from->sentinel) {
		return; /* nothing to go on with */
	}
#endif
	if (Z_TYPE(to->array) == IS_ARRAY) {
		HashTable *copy = Z_ARR(to->array);

		to->ht_iter = zend_hash_iterator_add(copy, position_in_copy(Z_ARR(from->array), iteration->pos, copy));
	} else {
		to->ht_iter = zend_hash_iterator_add(iteration->ht, iteration->pos);
	}
}

static zend_object *copy_array(zend_object *object)
{
	zend_object *copy = object->ce->create_object(object->ce);
	const weft_spl_array *from = WEFT_SPL_STATE(weft_spl_array, object);
	weft_spl_array *to = WEFT_SPL_STATE(weft_spl_array, copy);

	to->ar_flags = from->ar_flags;
	to->ce_get_iterator = from->ce_get_iterator;
	zval_ptr_dtor(&to->array);
	if (Z_TYPE(from->array) == IS_ARRAY) {
		ZVAL_ARR(&to->array, zend_array_dup(Z_ARR(from->array)));
	} else {
		ZVAL_COPY(&to->array, &from->array);
	}
	if (from->ht_iter != (uint32_t) -1) {
		copy_array_iteration(to, from);
	}
	return copy;
}

/* --- SplObjectStorage, MultipleIterator --- */

static zend_object *copy_storage(zend_object *object)
{
	zend_object *copy = object->ce->create_object(object->ce);
	weft_spl_storage *from = WEFT_SPL_STATE(weft_spl_storage, object);
	weft_spl_storage *to = WEFT_SPL_STATE(weft_spl_storage, copy);
	const weft_spl_storage_element *element;
	zend_string *name;
	zend_ulong number;

	ZEND_HASH_FOREACH_KEY_PTR(&from->storage, number, name, element) {
		weft_spl_storage_element *own = emalloc(sizeof(*own));

		own->object = element->object;
		GC_ADDREF(own->object);
		ZVAL_COPY(&own->data, &element->data);
		if (name) {
			zend_hash_add_new_ptr(&to->storage, name, own);
		} else {
			zend_hash_index_add_new_ptr(&to->storage, number, own);
		}
	}
	ZEND_HASH_FOREACH_END();
	to->index = from->index;
	to->pos = position_in_copy(&from->storage, from->pos, &to->storage);
	to->flags = from->flags;
	return copy;
}

/* --- SplDoublyLinkedList, SplQueue, SplStack --- */

static weft_spl_list_element *counterpart(const weft_spl_list *from, const weft_spl_list *to,
	const weft_spl_list_element *wanted)
{
	weft_spl_list_element *own = to->head;

	for (const weft_spl_list_element *element = from->head; element; element = element->next, own = own->next) {
		if (element == wanted) {
			return own;
		}
	}
	return NULL;
}

/* The clone stands at the head. */
static zend_object *copy_list(zend_object *object)
{
	zend_object *copy = object->handlers->clone_obj(object);
	const weft_spl_list_object *from = WEFT_SPL_STATE(weft_spl_list_object, object);
	weft_spl_list_object *to = WEFT_SPL_STATE(weft_spl_list_object, copy);
	weft_spl_list_element *place = counterpart(from->list, to->list, from->traverse_pointer);

	if (to->traverse_pointer) {
		Z_EXTRA(to->traverse_pointer->data)--;
	}
	if (place) {
		Z_EXTRA(place->data)++;
	}
	to->traverse_pointer = place;
	to->traverse_position = from->traverse_position;
	return copy;
}

/* --- whether a copy is needed --- */

/* The very same value: arrays and strings separate when they are written to, so their address tells. */
static bool is_same_value(const zval *a, const zval *b)
{
	return Z_TYPE_INFO_P(a) == Z_TYPE_INFO_P(b) && (Z_TYPE_P(a) <= IS_TRUE || Z_LVAL_P(a) == Z_LVAL_P(b));
}

/* An iterator knows the table by its address: who iterates must have it again. */
static bool is_plain_table(const HashTable *table)
{
	return table->nNumUsed == table->nNumOfElements && !HT_HAS_ITERATORS(table);
}

static bool is_same_table(const HashTable *a, const HashTable *b)
{
	if (a->nNumUsed != b->nNumUsed || a->nNextFreeElement != b->nNextFreeElement ||
		a->nInternalPointer != b->nInternalPointer || HT_IS_PACKED(a) != HT_IS_PACKED(b) || !is_plain_table(a) ||
		!is_plain_table(b)) {
		return false;
	}
	for (uint32_t i = 0; i < a->nNumUsed; i++) {
		if (HT_IS_PACKED(a)) {
			if (!is_same_value(&a->arPacked[i], &b->arPacked[i])) {
				return false;
			}
		} else if (a->arData[i].h != b->arData[i].h || a->arData[i].key != b->arData[i].key ||
			!is_same_value(&a->arData[i].val, &b->arData[i].val)) {
			return false;
		}
	}
	return true;
}

static bool is_same_array(const weft_spl_array *a, const weft_spl_array *b)
{
	return a->ar_flags == b->ar_flags && a->ht_iter == (uint32_t) -1 && b->ht_iter == (uint32_t) -1 &&
		a->nApplyCount == b->nApplyCount && Z_TYPE(a->array) == IS_ARRAY && Z_TYPE(b->array) == IS_ARRAY &&
		is_same_table(Z_ARR(a->array), Z_ARR(b->array));
}

bool weft_hidden_is_as(const zend_object *object, const zend_object *pristine)
{
	return instanceof_function(pristine->ce, spl_ce_ArrayObject) &&
		is_same_array(WEFT_SPL_STATE(weft_spl_array, object), WEFT_SPL_STATE(weft_spl_array, pristine));
}

static zend_object *copy_under_class(zend_object *object)
{
	zend_class_entry *ancestor = weft_internal_ancestor(object->ce);

	if (instanceof_function(ancestor, spl_ce_ArrayObject) || instanceof_function(ancestor, spl_ce_ArrayIterator)) {
		return copy_array(object);
	}
	if (ancestor == spl_ce_SplObjectStorage || ancestor == spl_ce_MultipleIterator) {
		return copy_storage(object);
	}
	if (instanceof_function(ancestor, spl_ce_SplDoublyLinkedList)) {
		return copy_list(object);
	}
	return object->handlers->clone_obj(object);
}

/* The class as it is, but without what the copy must not have: declared slots, guards and a __clone() to call. The
 * methods stay, since the objects remember which ones a subclass has replaced. */
static void make_stripped(zend_class_entry *stripped, zend_class_entry *class, const zend_class_entry *ancestor)
{
	*stripped = *class;
	stripped->clone = NULL;
	stripped->default_properties_count = ancestor->default_properties_count;
	/* from 8.4 on some of PHP's own classes have a slot for guards; it is the ancestor that the copy is freed as */
	stripped->ce_flags &= ~ZEND_ACC_USE_GUARDS;
	stripped->ce_flags |= ancestor->ce_flags & ZEND_ACC_USE_GUARDS;
}

/* False: it has ended in a fatal error, for want of memory, say. */
static zend_never_inline bool try_copy(zend_object *object, zend_object **copy)
{
	volatile bool done = true;

	zend_try {
		*copy = copy_under_class(object);
	} zend_catch {
		done = false;
	} zend_end_try();
	return done;
}

/* One that was on its way before stays there: who is left may be unwinding. */
static void drop_thrown(const zend_object *before)
{
	if (before) {
		zend_object *thrown = EG(exception);

		EG(exception) = NULL;
		OBJ_RELEASE(thrown);
	} else {
		zend_clear_exception();
	}
}

zend_object *weft_hidden_copy(zend_object *object, zend_class_entry *class)
{
	zend_class_entry *ancestor = weft_internal_ancestor(class), *own_class = object->ce, stripped;
	HashTable *properties = object->properties;
	zend_object *copy = NULL, *unwinding = EG(exception);
	bool done;

	EG(exception) = NULL;
	object->properties = NULL;
	if (class == ancestor) {
		object->ce = class;
	} else {
		make_stripped(&stripped, class, ancestor);
		object->ce = &stripped;
	}
	done = try_copy(object, &copy);
	object->ce = own_class;
	object->properties = properties;
	if (!done) {
		EG(exception) = unwinding;
		zend_bailout();
	}
	copy->ce = ancestor;
	if (EG(exception)) {
		drop_thrown(unwinding);
		OBJ_RELEASE(copy);
		copy = NULL;
	}
	EG(exception) = unwinding;
	return copy;
}

void weft_hidden_exchange(zend_object *object, zend_object *copy)
{
	size_t size = object->handlers->offset;
	char *a = (char *) object - size, *b = (char *) copy - size;

	/* pointers and pointer-sized parts, as the allocator aligns them */
	for (size_t i = 0; i < size; i += sizeof(uintptr_t)) {
		uintptr_t word;

		memcpy(&word, a + i, sizeof(word));
		memcpy(a + i, b + i, sizeof(word));
		memcpy(b + i, &word, sizeof(word));
	}
}
