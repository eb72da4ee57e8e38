/*
 * A monitor for each library whose state belongs to the process: one coroutine at a time is in a call of it, while
 * others run. Modules that share the library share its monitor. And one for each handle that coroutines of a request
 * use at once (weft_handle_turn.h).
 */
#ifndef WEFT_MONITOR_H
#define WEFT_MONITOR_H

#include "interpose/guard/weft_modules.h"
#include "interpose/weft_wait.h"

typedef struct weft_monitor_waiter weft_monitor_waiter;

typedef struct weft_monitor {
	const char *library; /* or what the handle is: "the same stream" */
	const void *handle;  /* NULL: a library */
	/* Whose call is under way. NULL while `depth` is not 0: it was abandoned in the middle, by a fork say, and nobody
	 * may enter any more. */
	weft_coroutine *owner;
	uint64_t turn;    /* the same for all frames between two moments in which nobody was inside */
	uint32_t depth;   /* how many frames; 0: nobody is inside */
	bool has_objects; /* the collector can't free them while another coroutine is inside */
	weft_monitor_waiter *first, **last;
	struct weft_monitor *next, **link; /* all that are in use */
} weft_monitor;

/* By the number of the module; NULL: it is not guarded. */
#define WEFT_MONITORED_MODULES 256
extern weft_monitor *weft_monitors[WEFT_MONITORED_MODULES];

/* Gives the module the monitor of that library. False: there are too many. */
bool weft_monitor_add(const zend_module_entry *module, const char *library);
void weft_monitors_minit(void);
/* The monitor of a handle: any address that stands for it while somebody is inside or waits. */
weft_monitor *weft_monitor_of_handle(const void *handle, const char *name);
/* NULL: nobody is inside, and nobody waits. */
weft_monitor *weft_monitor_find_handle(const void *handle);
/* When nobody is inside and nobody waits, the monitor of a handle is given up. */
void weft_monitor_forget_handle(weft_monitor *monitor);
/* After a fork, and when the script is over. */
void weft_monitors_abandon_others(void);

static zend_always_inline weft_monitor *weft_monitor_of(const zend_module_entry *module)
{
	return EXPECTED((uint32_t) module->module_number < WEFT_MONITORED_MODULES) ? weft_monitors[module->module_number]
																			   : NULL;
}

/* Another coroutine is inside: waits for its turn. False with an exception when there is none to be had, and when the
 * wait was cancelled. `frees`: what is to be done must be done, so a cancellation has to wait; no exception. */
bool weft_monitor_wait(weft_monitor *monitor, bool frees);
/* The outermost frame is over, and others wait, or the collector does. */
void weft_monitor_hand_over(weft_monitor *monitor);
/* Whether the running code would have to wait, and can't. */
bool weft_monitor_is_out_of_reach(const weft_monitor *monitor);

/* The collector was asked to run while a coroutine was in the middle of a call of a library whose objects it might have
 * freed. */
extern bool weft_monitor_owes_collection;

static zend_always_inline void weft_monitor_take(weft_monitor *monitor)
{
	monitor->owner = weft_current;
	monitor->turn++;
	monitor->depth = 1;
	weft_current->monitors++;
}

static zend_always_inline bool weft_monitor_enter(weft_monitor *monitor, bool frees)
{
	if (EXPECTED(!monitor->depth)) {
		weft_monitor_take(monitor);
		return true;
	}
	if (EXPECTED(monitor->owner == weft_current)) {
		monitor->depth++;
		return true;
	}
	return weft_monitor_wait(monitor, frees);
}

static zend_always_inline void weft_monitor_leave(weft_monitor *monitor, uint64_t turn)
{
	/* not after its coroutine has ended, or was ended by a fatal error: a Fiber may go on in another one */
	if (UNEXPECTED(monitor->turn != turn) || --monitor->depth) {
		return;
	}
	monitor->owner->monitors--;
	monitor->owner = NULL;
	if (UNEXPECTED(monitor->first != NULL || weft_monitor_owes_collection)) {
		weft_monitor_hand_over(monitor);
	}
}

#endif /* WEFT_MONITOR_H */
