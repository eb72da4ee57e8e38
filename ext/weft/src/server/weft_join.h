/*
 * What the application says of other machines, on its way to the supervisor.
 */
#ifndef WEFT_JOIN_H
#define WEFT_JOIN_H

#include "php.h"

/* Both have no null bytes. Throws. -1: nobody is to be told. */
void weft_join_machines(const zend_string *url, const zend_string *channel, int control);

#endif /* WEFT_JOIN_H */
