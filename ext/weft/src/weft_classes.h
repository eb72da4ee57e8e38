/*
 * What is asked of classes in several rooms.
 */
#ifndef WEFT_CLASSES_H
#define WEFT_CLASSES_H

#include "php.h"

/* The class of the engine or of an extension that this one is or extends; NULL: none. */
static inline zend_class_entry *weft_internal_ancestor(zend_class_entry *ce)
{
	while (ce && ce->type == ZEND_USER_CLASS) {
		ce = ce->parent;
	}
	return ce;
}

#endif
