/*
 * A frame of a module that is never left: while one is on the stack of a coroutine, no other coroutine runs.
 */
#ifndef WEFT_UNLEFT_H
#define WEFT_UNLEFT_H

#include "interpose/weft_wait.h"

typedef struct {
	weft_coroutine *coroutine;
	uint64_t id;
	const void *outer; /* the module whose frame is below */
} weft_unleft;

/* It may have kept the worker waiting: says so when that was for long. */
void weft_unleft_blocked(const zend_module_entry *module);
/* A Fiber that was suspended inside of the frame goes on in another coroutine. */
void weft_unleft_end_elsewhere(const weft_unleft *unleft);

static zend_always_inline void weft_unleft_begin(weft_unleft *unleft, const zend_module_entry *module)
{
	weft_coroutine *self = weft_current;

	unleft->coroutine = self;
	if (EXPECTED(self != NULL)) {
		unleft->id = self->id;
		unleft->outer = self->unleft;
		if (!unleft->outer) {
			weft_blocked.since = 0;
		}
		self->unleft = module;
		self->no_switch++;
	}
}

/* Not called after a bailout, which ends all such regions of its coroutine (weft_engine_state_after_bailout()). */
static zend_always_inline void weft_unleft_end(const weft_unleft *unleft)
{
	weft_coroutine *self = weft_current;

	if (UNEXPECTED(self != unleft->coroutine || (self && self->id != unleft->id))) {
		weft_unleft_end_elsewhere(unleft);
	} else if (EXPECTED(self != NULL)) {
		if (UNEXPECTED(weft_blocked.since) && !unleft->outer) {
			weft_unleft_blocked(self->unleft);
		}
		self->unleft = unleft->outer;
		if (EXPECTED(self->no_switch > 0)) {
			self->no_switch--;
		}
	}
}

#endif /* WEFT_UNLEFT_H */
