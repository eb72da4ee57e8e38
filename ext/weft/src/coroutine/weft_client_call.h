/*
 * Calls of clients of servers (mysqli, pg_*(), Redis, Memcached, curl, PDO) that a cancellation cuts short.
 *
 * The client sees a wait that fails, and answers with an error of its own: "gone away". An application that catches
 * that error and tries again would run a cancelled query twice. So the cancellation is remembered with the call, and
 * thrown in place of whatever the client has made of it; warnings of the client's are not heard. A call that was cut
 * short waits no more.
 */
#ifndef WEFT_CLIENT_CALL_H
#define WEFT_CLIENT_CALL_H

#include "coroutine/weft_coroutine.h"

/* Calls of this function or method are such; its handler calls weft_client_call_begin() and _end(). */
bool weft_client_call_is_one(const zend_internal_function *function);

/* Whether it is guarded (interpose/guard/weft_modules.h), and so a client. C only. NULL: none is. */
extern bool (*weft_is_guarded)(const zend_module_entry *module);

/* The innermost such call, without PHP code in between; NULL: there is none. */
const zend_execute_data *weft_client_call(void);
/* Whether what it waits for is to be hung up when it is cut short. */
bool weft_client_call_hangs_up(void);

/* The running coroutine, which has just been given this exception, was in such a call. */
void weft_client_call_note_cut(zend_object *cancellation);
/* The running call was cut short, and must not wait again. */
static zend_always_inline bool weft_client_call_is_cut(const weft_coroutine *self)
{
	return UNEXPECTED(self->cut_call != NULL) && EG(exception) && weft_client_call() == self->cut_call;
}

/* Puts the cancellation back that was thrown into the call. */
void weft_client_call_restore(void);
/* The client's own code runs from here on: what waits before, for a pool say, or an interrupt after it, is not cut
 * short in it. Returns what _end() is given. */
static zend_always_inline const void *weft_client_call_begin(const void *call)
{
	const void *outer = weft_current ? weft_current->client_call : NULL;

	if (EXPECTED(weft_current)) {
		weft_current->client_call = call;
	}
	return outer;
}
/* The call is over. */
static zend_always_inline void weft_client_call_end(const void *call, const void *outer)
{
	if (EXPECTED(weft_current)) {
		weft_current->client_call = outer;
		if (UNEXPECTED(weft_current->cut_call == call)) {
			weft_client_call_restore();
		}
	}
}
/* It never comes to its end. */
void weft_client_call_forget(weft_coroutine *coroutine);

#endif /* WEFT_CLIENT_CALL_H */
