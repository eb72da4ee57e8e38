/*
 * One element after the other of an array or a Traversable, as foreach sees them. The iterator's code may wait.
 */
#ifndef WEFT_ITERABLE_H
#define WEFT_ITERABLE_H

#include "php.h"
#include "zend_interfaces.h"

typedef struct {
	zval source;                    /* a reference of our own: nobody changes the array meanwhile */
	HashPosition position;          /* of an array */
	zend_object_iterator *iterator; /* of a Traversable */
	bool begun;
} weft_iterable;

/* False when an exception was thrown. */
bool weft_iterable_begin(weft_iterable *self, zval *source);
/* Copies of the next element's key and value; false at the end, and when an exception was thrown. */
bool weft_iterable_next(weft_iterable *self, zval *key, zval *value);
void weft_iterable_end(weft_iterable *self);

#endif /* WEFT_ITERABLE_H */
