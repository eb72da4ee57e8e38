/*
 * What some SPL objects keep before their zend_object. SPL doesn't publish it, and it differs between versions. A
 * layout is used only when it has been seen to be the one: weft_spl.c looks where real objects keep what was put in.
 */
#ifndef WEFT_SPL_H
#define WEFT_SPL_H

#include "php.h"
#include "weft_compat.h"

#define WEFT_SPL_STATE(type, object) ((type *) ((char *) (object) - (object)->handlers->offset))

typedef struct {
	zval array; /* an array, an object whose properties are used, or UNDEF: its own properties */
#if WEFT_SPL_OF_8_4
	HashTable *sentinel; /* stands for the properties of a lazy object that could not be initialised */
#endif
	uint32_t ht_iter; /* how far an iteration has come: index into EG(ht_iterators), or -1 */
	int ar_flags;
	unsigned char nApplyCount;
#if !WEFT_SPL_OF_8_4
	bool is_child; /* a RecursiveArrayIterator over an element of another one */
	Bucket *bucket;
#endif
	zend_function *overridden[5];
	zend_class_entry *ce_get_iterator;
} weft_spl_array;

typedef struct {
	zend_object *object;
	zval data;
} weft_spl_storage_element;

typedef struct {
	HashTable storage; /* handle or hash => element */
	zend_long index;
	HashPosition pos;
	zend_long flags;
	zend_function *get_hash;
} weft_spl_storage;

typedef struct weft_spl_list_element {
	struct weft_spl_list_element *prev, *next;
	zval data; /* its u2 counts who holds the element */
} weft_spl_list_element;

typedef struct {
	weft_spl_list_element *head, *tail;
	int count;
} weft_spl_list;

typedef struct {
	weft_spl_list *list;
#if WEFT_SPL_OF_8_4
	weft_spl_list_element *traverse_pointer;
	int traverse_position;
#else
	int traverse_position;
	weft_spl_list_element *traverse_pointer;
#endif
	int flags;
#if PHP_VERSION_ID < 80600
	zend_function *overridden[5];
#endif
	zend_class_entry *ce_get_iterator;
} weft_spl_list_object;

typedef enum {
	WEFT_SPL_NONE, /* of no layout of these */
	WEFT_SPL_ARRAY,
	WEFT_SPL_STORAGE,
	WEFT_SPL_LIST,
	WEFT_SPL_LAYOUTS
} weft_spl_layout;

/* Whether this object's state lies as the layout says. Found out once for each layout. */
bool weft_spl_is_known(weft_spl_layout layout, const zend_object *object);
/* Whether an ArrayIterator writes into the array of another. */
bool weft_spl_is_child(const zend_object *array_iterator);

#endif /* WEFT_SPL_H */
