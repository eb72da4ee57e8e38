/*
 * Cancellations on their way to a coroutine: its next wait throws them (weft_scheduler.c).
 */
#include "coroutine/weft_coroutine.h"

void weft_cancel(weft_coroutine *coroutine, zend_object *exception)
{
	if (coroutine->state == WEFT_COROUTINE_DONE || coroutine->cancellation || coroutine->cancelled_no_more) {
		return;
	}
	GC_ADDREF(exception);
	coroutine->cancellation = exception;
	coroutine->cancel_requested = true;
	weft_wake(coroutine);
}

void weft_cancel_at_once(weft_coroutine *coroutine, zend_object *exception)
{
	weft_cancel_withdraw(coroutine);
	weft_cancel(coroutine, exception);
	coroutine->cancel_at_once = coroutine->cancellation != NULL;
}

void weft_cancel_withdraw(weft_coroutine *coroutine)
{
	coroutine->cancel_at_once = false;
	if (coroutine->cancellation) {
		OBJ_RELEASE(coroutine->cancellation);
		coroutine->cancellation = NULL;
	}
}

void weft_cancel_no_more(weft_coroutine *coroutine)
{
	weft_cancel_withdraw(coroutine);
	coroutine->cancelled_no_more = true;
}
