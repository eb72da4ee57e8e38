/*
 * Pooled execution contexts: a zend_fiber_context whose entry function runs one coroutine after another.
 * Private to the coroutine floor.
 */
#ifndef WEFT_CONTEXT_H
#define WEFT_CONTEXT_H

#include "coroutine/weft_coroutine.h"

typedef struct weft_context weft_context;
struct weft_context {
	zend_fiber_context fiber;
	weft_coroutine *coroutine; /* the one it runs, or is to run when switched to */
	weft_context *next;        /* in the list of idle or of dead ones */
};

/* An idle context, or a new one; NULL when no stack can be had (nothing is thrown). It runs `coroutine` when it
 * is switched to. */
weft_context *weft_context_take(weft_coroutine *coroutine);
/* Frees a context that never runs again, with what its stack holds lost. */
void weft_context_destroy(weft_context *context);
/* Ends every idle context, and frees the memory of dead ones. Not from a coroutine's context. */
void weft_context_end_idle(void);

#endif /* WEFT_CONTEXT_H */
