/*
 * How many descriptors this process may have open, and what the programs get that it starts.
 */
#ifndef WEFT_DESCRIPTORS_H
#define WEFT_DESCRIPTORS_H

#include <stdint.h>

/* Raises the soft limit to the hard one. Programs that this process starts get the former soft limit: there are some
 * that use select(), whose sets end at 1,024, or that close every number up to the limit. */
void weft_descriptors_raise(void);
/* Around a posix_spawn(), whose child inherits what is set just then. Without effect unless raised. */
void weft_descriptors_lower(void);
void weft_descriptors_restore(void);
/* The soft limit as it is. */
uint32_t weft_descriptors_limit(void);

#endif /* WEFT_DESCRIPTORS_H */
