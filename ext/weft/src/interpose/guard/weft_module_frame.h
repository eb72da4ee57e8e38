/*
 * A frame of a module that is not proven. While one of a module that is never left is on the stack of a coroutine, no
 * other coroutine runs; while one of a guarded module is, no other coroutine enters its library.
 */
#ifndef WEFT_MODULE_FRAME_H
#define WEFT_MODULE_FRAME_H

#include "interpose/guard/weft_monitor.h"

typedef struct {
	weft_monitor *monitor; /* NULL: it is never left */
	weft_coroutine *coroutine;
	uint64_t id;       /* of the coroutine; of a guarded module: the monitor's turn */
	const void *outer; /* the module that is never left whose frame is below */
} weft_module_frame;

/* It may have kept the worker waiting: says so when that was for long. */
void weft_module_frame_blocked(const zend_module_entry *module);
/* A Fiber that was suspended inside of the frame goes on in another coroutine. */
void weft_module_frame_end_elsewhere(const weft_module_frame *frame);

static zend_always_inline bool weft_module_frame_begin(weft_module_frame *frame, const zend_module_entry *module,
	bool frees)
{
	weft_coroutine *self = weft_current;

	frame->coroutine = self;
	frame->monitor = weft_monitor_of(module);
	if (UNEXPECTED(self == NULL)) {
		/* the script is over: what was abandoned in the middle never goes on */
		return !frame->monitor || !frame->monitor->depth;
	}
	if (frame->monitor) {
		if (UNEXPECTED(!weft_monitor_enter(frame->monitor, frees))) {
			return false;
		}
		frame->id = frame->monitor->turn;
		return true;
	}
	frame->id = self->id;
	frame->outer = self->unleft;
	if (!frame->outer) {
		weft_blocked.since = 0;
	}
	self->unleft = module;
	self->no_switch++;
	return true;
}

/* False: the module must not be entered, since another coroutine is inside; an exception says why. */
static zend_always_inline bool weft_module_enter(weft_module_frame *frame, const zend_module_entry *module)
{
	return weft_module_frame_begin(frame, module, false);
}

/* For what frees: waits even if cancelled. False without an exception where there is no waiting. */
static zend_always_inline bool weft_module_enter_to_free(weft_module_frame *frame, const zend_module_entry *module)
{
	return weft_module_frame_begin(frame, module, true);
}

/* --- weft_module_later.c --- */

/* Something of a guarded module must be freed while another coroutine is inside of its library, where there is no
 * waiting: a coroutine of the same domain does it later. */
void weft_module_later(void (*run)(void *arg), void *arg);
/* Not even that: it stays as it is until the process ends. */
void weft_module_given_up(const zend_module_entry *module);

/* Not called after a bailout, which ends all frames of its coroutine (weft_engine_state_after_bailout()). */
static zend_always_inline void weft_module_leave(const weft_module_frame *frame)
{
	weft_coroutine *self = weft_current;

	if (UNEXPECTED(!frame->coroutine)) {
		return;
	}
	if (frame->monitor) {
		weft_monitor_leave(frame->monitor, frame->id);
	} else if (UNEXPECTED(self != frame->coroutine || self->id != frame->id)) {
		weft_module_frame_end_elsewhere(frame);
	} else {
		if (UNEXPECTED(weft_blocked.since) && !frame->outer) {
			weft_module_frame_blocked(self->unleft);
		}
		self->unleft = frame->outer;
		if (EXPECTED(self->no_switch > 0)) {
			self->no_switch--;
		}
	}
}

#endif /* WEFT_MODULE_FRAME_H */
