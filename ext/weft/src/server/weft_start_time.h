/*
 * A constant that says when the request began. Constants are the process's, so its value is put in place with
 * each domain.
 */
#ifndef WEFT_START_TIME_H
#define WEFT_START_TIME_H

#include "php.h"

/* False when there is no such constant, or it is no float. */
bool weft_start_time_constant(zend_string *name);

#endif /* WEFT_START_TIME_H */
