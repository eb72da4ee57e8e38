/*
 * Counts what values hold: bytes and elements, each thing once, by the property or variable that holds it. For
 * `weft audit`; speed doesn't matter here.
 */
#ifndef WEFT_CENSUS_H
#define WEFT_CENSUS_H

#include "php.h"

/* What stands under one label: the bytes of strings, arrays and objects; how many elements the arrays have, and how
 * many objects there are besides those. */
typedef struct {
	size_t bytes;
	size_t values;
} weft_census_count;

typedef struct weft_census weft_census;

/* Objects of the base count for nothing and are not entered: their own slots tell what is new in them. */
weft_census *weft_census_begin(void);
void weft_census_end(weft_census *census);

/* From now on these count for nothing: what the value reaches. */
void weft_census_skip(weft_census *census, const zval *value);
/* Counts what the value reaches and nothing has counted before. Returns the sum of it. With labels, an object's own
 * properties are counted under their own names, everything else under `label`. */
weft_census_count weft_census_add(weft_census *census, const zval *value, const char *label);

/* label => [bytes, values], into an initialised array. */
void weft_census_report(weft_census *census, zval *array);

#endif /* WEFT_CENSUS_H */
