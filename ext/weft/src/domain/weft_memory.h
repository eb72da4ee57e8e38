/*
 * memory_limit, for each domain. All have one heap; a heap for each would be the end of what extensions keep in C
 * variables from one request to the next (docs/internals/architecture.md). So what a domain allocates is added up at
 * switches, and while it is in place, the heap's limit is the heap's size and what this domain may still have: who asks
 * for too much has PHP's fatal error, and nobody else.
 *
 * The heap's size counts chunks of 2 MB. What is free in those costs a domain nothing, so it may come to use that much
 * more than its limit, and never less.
 */
#ifndef WEFT_MEMORY_H
#define WEFT_MEMORY_H

#include "php.h"

/* The domain whose account that is is about to be left: what it has allocated since it was entered is added. Until
 * another one is entered there is no limit, since a switch must not fail. */
void weft_memory_leave(zend_long *account);
void weft_memory_enter(const zend_long *account);
/* There is none until the next switch: what the server does in a domain is not the domain's doing. */
void weft_memory_lift(void);
/* The limit of the domain in place holds again, without a switch. */
void weft_memory_limit(void);
/* Around the end of a domain that may not be in place: what it gives back is not credited to the one that is. Returns
 * by how much the heap has shrunk, as a number below 0. */
size_t weft_memory_end_begins(void);
zend_long weft_memory_end_is_over(size_t before);
/* What the domain in place has; 0: it is no request's. */
size_t weft_memory_of_domain(void);
/* Of a domain that PHP has ended because its memory was used up: more, so that what the boot has registered for the end
 * can log that. Frameworks free what they have reserved for this; of a request the boot's reserve is no part. */
void weft_memory_grant_end(void);
/* A limit of all domains together; 0: none. */
void weft_memory_set_total(size_t bytes);
size_t weft_memory_total(void);
/* Memory that a domain needs outside of the heap, for stacks: counts against its limit and that of all; below 0: it is
 * given back. Who is beyond the domain's limit has PHP's fatal error. */
void weft_memory_charge(zend_long *account, zend_long bytes);
size_t weft_memory_charged(void);
/* What all domains use: the heap and what was charged. */
size_t weft_memory_in_use(void);

void weft_memory_minit(void);
void weft_memory_mshutdown(void);

#endif /* WEFT_MEMORY_H */
