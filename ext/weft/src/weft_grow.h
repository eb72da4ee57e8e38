/*
 * Room for one more item in an array that belongs to the process.
 */
#ifndef WEFT_GROW_H
#define WEFT_GROW_H

#include "php.h"

/* ITEMS (NULL at first), of which USED are in use, has room for SIZE; SIZE and USED are of one type. Each is an
 * lvalue without effects. */
#define WEFT_GROW(items, used, size) \
	do { \
		if (!(items) || (used) == (size)) { \
			(size) = (size) ? 2 * (size) : 16; \
			(items) = safe_perealloc((items), (size), sizeof(*(items)), 0, 1); \
		} \
	} while (0)

#endif /* WEFT_GROW_H */
