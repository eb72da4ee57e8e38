/*
 * A table of an object of the base that stays empty until a method asks it for something: then a closure may put
 * there what lies ready. For frameworks that keep what they have made in such a table, and look there first.
 */
#ifndef WEFT_DEMAND_H
#define WEFT_DEMAND_H

#include "php.h"

/* The property must be an empty table now. When the method of its class reads it, called with a string as its first
 * argument, the closure gets the string. False: the property or its object is of another kind. */
bool weft_demand_begin(zend_object *object, zend_string *property, zend_string *method, zval *closure);
/* The property is an empty table again. */
void weft_demand_end(zend_object *object);
/* Lets go of all objects and closures. */
void weft_demand_rshutdown(void);

#endif
