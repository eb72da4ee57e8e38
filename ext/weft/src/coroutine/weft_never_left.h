/*
 * C functions that keep state in globals while they call PHP code, where it can be neither saved nor told from
 * outside: a coroutine is never left inside one. What waits there blocks.
 */
#ifndef WEFT_NEVER_LEFT_H
#define WEFT_NEVER_LEFT_H

#include "php.h"

/* Wraps PHP functions; from MINIT. */
void weft_never_left_minit(void);
/* Wraps the compiler, from RINIT: by then OPcache has put itself before it. */
void weft_never_left_rinit(void);

#endif /* WEFT_NEVER_LEFT_H */
