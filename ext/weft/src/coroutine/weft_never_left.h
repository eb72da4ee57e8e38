/*
 * C functions that keep state in globals while they call PHP code, where it can be neither saved nor told from
 * outside: a coroutine is never left inside one. What waits there blocks.
 */
#ifndef WEFT_NEVER_LEFT_H
#define WEFT_NEVER_LEFT_H

#include "php.h"

/* Wraps PHP functions and the compiler, from RINIT: by then all modules are there, and OPcache has put itself before
 * the compiler. */
void weft_never_left_rinit(void);

#endif /* WEFT_NEVER_LEFT_H */
