/*
 * What some SPL objects of PHP 8.2 keep before their zend_object. SPL doesn't publish it; 8.2 gets no changes but
 * security fixes. Before a layout is used, its size is compared with the engine's.
 */
#ifndef WEFT_SPL_H
#define WEFT_SPL_H

#include "php.h"
#include "weft_compat.h"

#define WEFT_SPL_STATE(type, object) ((type *) ((char *) (object) - (object)->handlers->offset))

typedef struct {
	zval array;       /* an array, an object whose properties are used, or UNDEF: its own properties */
	uint32_t ht_iter; /* how far an iteration has come: index into EG(ht_iterators), or -1 */
	int ar_flags;
	unsigned char nApplyCount;
	bool is_child; /* a RecursiveArrayIterator over an element of another one */
	Bucket *bucket;
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
	int traverse_position;
	weft_spl_list_element *traverse_pointer;
	int flags;
	zend_function *overridden[5];
	zend_class_entry *ce_get_iterator;
} weft_spl_list_object;

#endif /* WEFT_SPL_H */
