/*
 * Output buffers of a coroutine. One that was spawned starts without any: what it echoes outside of its own goes to the
 * buffers of the request (or script) that it belongs to, and so does what its own give on.
 */
#ifndef WEFT_C_OUTPUT_H
#define WEFT_C_OUTPUT_H

#include "coroutine/weft_coroutine.h"

/* Its code has ended: what it has left open is flushed. Runs output callbacks, which may throw. */
void weft_output_end_own(void);
/* A fatal error has ended it: what it has left open stays with the request's. Runs no PHP code. */
void weft_output_forget_own(weft_coroutine *coroutine);

void weft_output_rinit(void);

#endif /* WEFT_C_OUTPUT_H */
