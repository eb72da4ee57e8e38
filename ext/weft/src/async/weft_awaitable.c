/*
 * What can be awaited and those who wait for it: the list of awaiters, their waking when it completes, and a wait
 * that a token ends before.
 */
#include "async/weft_async.h"

#include "zend_exceptions.h"

/* Not inlined: where GCC 14 sees a waiter on the stack enter a list it takes that for a pointer that outlives it, and
 * does not see that who waits leaves the list before it returns. */
zend_never_inline void weft_awaitable_link(weft_awaitable *awaitable, weft_awaiter *awaiter)
{
	awaiter->next = awaitable->awaiters;
	awaiter->link = &awaitable->awaiters;
	if (awaiter->next) {
		awaiter->next->link = &awaiter->next;
	}
	awaitable->awaiters = awaiter;
}

void weft_awaitable_unlink(weft_awaiter *awaiter)
{
	*awaiter->link = awaiter->next;
	if (awaiter->next) {
		awaiter->next->link = awaiter->link;
	}
}

static weft_awaiter *younger_than(const weft_awaiter *awaiter, weft_awaitable *awaitable)
{
	if (awaiter->link == &awaitable->awaiters) {
		return NULL;
	}
	return (weft_awaiter *) ((char *) awaiter->link - offsetof(weft_awaiter, next));
}

void weft_awaitable_complete(weft_awaitable *awaitable)
{
	weft_awaiter *awaiter = awaitable->awaiters, *younger;

	awaitable->completed = true;
	/* The list holds the youngest first. */
	while (awaiter && awaiter->next) {
		awaiter = awaiter->next;
	}
	for (; awaiter; awaiter = younger) {
		younger = younger_than(awaiter, awaitable);
		if (awaiter->coroutine) {
			weft_wake(awaiter->coroutine);
		} else {
			awaiter->notify(awaiter);
		}
	}
}

bool weft_awaitable_wait(weft_awaitable *awaitable, weft_awaitable *token)
{
	weft_awaiter on_awaitable = {.coroutine = weft_current}, on_token = {.coroutine = weft_current};
	weft_wait_info info = {.what = awaitable->what, .fd = -1, .on = awaitable, .awaitable = true};
	int result = 0;

	weft_awaitable_link(awaitable, &on_awaitable);
	if (token) {
		weft_awaitable_link(token, &on_token);
	}
	while (!awaitable->completed && !(token && token->completed) && result == 0) {
		result = weft_suspend(&info);
	}
	weft_awaitable_unlink(&on_awaitable);
	if (token) {
		weft_awaitable_unlink(&on_token);
	}
	return result == 0 && !EG(exception);
}

bool weft_awaitable_failed(zend_object *object)
{
	return object->ce == weft_ce_timeout || weft_coroutine_object_failed(object);
}

zend_object *weft_awaitable_outcome(zend_object *object, zval *result)
{
	return object->ce == weft_ce_timeout ? weft_timeout_object_outcome(object)
										 : weft_coroutine_object_outcome(object, result);
}

void weft_awaitable_give_up(zend_object *token)
{
	if (token->ce == weft_ce_timeout) {
		zend_throw_exception_internal(weft_timeout_object_outcome(token));
		return;
	}
	zend_throw_exception(weft_ce_canceled, "The wait was given up: its cancellation token completed", 0);
}
