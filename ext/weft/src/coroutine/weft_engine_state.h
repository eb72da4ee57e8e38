/*
 * The engine's own globals that belong to whoever runs, beyond what zend_fiber_switch_context() saves.
 * Interleaved without this they turn one coroutine's warning into another's exception, or corrupt memory.
 */
#ifndef WEFT_ENGINE_STATE_H
#define WEFT_ENGINE_STATE_H

#include "php.h"
#include "weft_compat.h"

/* The garbage collector is at work: nobody may be left there, since others would see its half-coloured graph. */
extern bool weft_collecting;

typedef struct weft_engine_state weft_engine_state;

/* Takes the running coroutine's state out of the engine and leaves a clean one. Who switches asks
 * weft_engine_is_clean() first: nearly always there is nothing to take. */
weft_engine_state *weft_engine_state_take(void);
/* Puts a state taken before back and frees it. */
void weft_engine_state_put(weft_engine_state *state);
/* The running coroutine has ended: nothing of its state may meet who runs next. */
void weft_engine_state_drop(void);
/* After a fatal error has left the running coroutine by a long jump: a clean engine again. */
void weft_engine_state_after_bailout(void);
/* Exhausted memory unwinds the code on some versions of PHP, instead of the jump of other fatal errors. True when it
 * has, and what has unwound still lies there. */
bool weft_memory_ran_out(void);

void weft_engine_state_minit(void);

#endif /* WEFT_ENGINE_STATE_H */
