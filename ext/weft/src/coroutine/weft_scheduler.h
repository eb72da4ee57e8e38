/*
 * What the contexts need of the scheduler. Private to the coroutine floor.
 */
#ifndef WEFT_SCHEDULER_H
#define WEFT_SCHEDULER_H

#include "coroutine/weft_coroutine.h"

/* The running coroutine's entry has returned: tells who waits, frees it. No coroutine runs afterwards. */
void weft_scheduler_finish(weft_coroutine *coroutine);
/* The next coroutine to run; serves the reactor until there is one. */
weft_coroutine *weft_scheduler_pick(void);
/* Makes `next` the running coroutine: its domain is in place afterwards. The caller then goes to its context. */
void weft_scheduler_make_current(weft_coroutine *next);
/* In the VM's interrupt: throws a cancellation that may not wait. */
void weft_scheduler_throw_at_once(void);

#endif /* WEFT_SCHEDULER_H */
