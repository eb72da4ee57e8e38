/*
 * One coroutine at a time in a call on a handle. A stream, or a connection to a server, has a buffer, a protocol and
 * memory of which the C code of PHP assumes that no other call changes or frees them while it waits. Coroutines of a
 * request may share a handle, so the second of two calls waits until the first is over.
 *
 * Handles of one coroutine cost a look at whether there are others.
 */
#ifndef WEFT_HANDLE_TURN_H
#define WEFT_HANDLE_TURN_H

#include "interpose/guard/weft_monitor.h"

typedef struct {
	weft_monitor *monitor; /* NULL: no turn was taken */
	uint64_t turn;
} weft_handle_turn;

/* Whether the running coroutine shares its request with others. */
static zend_always_inline bool weft_among_others(void)
{
	return weft_current && (weft_current->children || weft_current->parent);
}

/* `handle`: an address that stands for it; NULL: nothing is shared. `name`: what it is in a message, "the same stream".
 * False: an exception was thrown, and the call must not be made. */
static zend_always_inline bool weft_handle_turn_begin(weft_handle_turn *turn, const void *handle, const char *name)
{
	turn->monitor = handle ? weft_monitor_of_handle(handle, name) : NULL;
	if (!turn->monitor) {
		return true;
	}
	if (!weft_monitor_enter(turn->monitor, false)) {
		weft_monitor_forget_handle(turn->monitor);
		turn->monitor = NULL;
		return false;
	}
	turn->turn = turn->monitor->turn;
	return true;
}

/* Not after a bailout, which ends all turns of its coroutine. */
static zend_always_inline void weft_handle_turn_end(const weft_handle_turn *turn)
{
	if (turn->monitor) {
		weft_monitor_leave(turn->monitor, turn->turn);
		weft_monitor_forget_handle(turn->monitor);
	}
}

/* weft_client_handle.c: the connection that a call of a client is for; NULL: none, or it looks after itself. */
const void *weft_client_handle(const zend_execute_data *call);

#endif /* WEFT_HANDLE_TURN_H */
