/*
 * Time slices: takes the turn from a request that computes for long (weft.time_slice), so that others go on. Private
 * to the coroutine floor; weft_time_slice_allow() is in weft_coroutine.h.
 *
 * A thread watches the one that runs PHP. It compares a count of turns with what it saw before, so a switch costs an
 * increment and one look at a flag, no system call. When the worker waits for events, the thread soon goes to sleep as
 * well, and the next turn wakes it.
 */
#ifndef WEFT_TIME_SLICE_H
#define WEFT_TIME_SLICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
	_Atomic uint32_t turns;   /* the PHP thread's: one more whenever a coroutine begins to run */
	_Atomic uint32_t used_up; /* the watching thread's: the turn that has lasted for a slice */
	_Atomic uint32_t slices;  /* the watching thread's: so many turns have */
	_Atomic uint32_t served;  /* the PHP thread's: interrupts that the VM has come to */
	atomic_bool idle;         /* the PHP thread waits for events */
	atomic_bool asleep;       /* the watching thread wants to be woken at the next turn */
	atomic_bool look;         /* for half a slice nobody has looked at descriptors and timers */
} weft_time_slice_state;

extern weft_time_slice_state weft_time_slice;

void weft_time_slice_wake(void);

/* A coroutine begins to run. Hot: only this thread writes the count, so it needs no atomic increment. */
static inline void weft_time_slice_begin(void)
{
	uint32_t turn = atomic_load_explicit(&weft_time_slice.turns, memory_order_relaxed);

	atomic_store_explicit(&weft_time_slice.turns, turn + 1, memory_order_relaxed);
	if (__builtin_expect(atomic_load_explicit(&weft_time_slice.asleep, memory_order_relaxed), 0)) {
		weft_time_slice_wake();
	}
}

/* Whether the reactor should be asked although somebody could run. */
static inline bool weft_time_slice_look_is_due(void)
{
	return atomic_load_explicit(&weft_time_slice.look, memory_order_relaxed);
}

static inline void weft_time_slice_looked(void)
{
	atomic_store_explicit(&weft_time_slice.look, false, memory_order_relaxed);
}

static inline void weft_time_slice_set_idle(bool idle)
{
	atomic_store_explicit(&weft_time_slice.idle, idle, memory_order_relaxed);
}

void weft_time_slice_minit(void);
void weft_time_slice_mshutdown(void);
/* Ends the thread. */
void weft_time_slice_stop(void);
/* In a child of fork(), which has no such thread. */
void weft_time_slice_after_fork(void);

#endif /* WEFT_TIME_SLICE_H */
