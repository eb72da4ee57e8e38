#include "async/weft_async.h"

static void link_awaiter(weft_awaitable *awaitable, weft_awaiter *awaiter)
{
	awaiter->coroutine = weft_current;
	awaiter->next = awaitable->awaiters;
	awaiter->link = &awaitable->awaiters;
	if (awaiter->next) {
		awaiter->next->link = &awaiter->next;
	}
	awaitable->awaiters = awaiter;
}

static void unlink_awaiter(weft_awaiter *awaiter)
{
	*awaiter->link = awaiter->next;
	if (awaiter->next) {
		awaiter->next->link = awaiter->link;
	}
}

/* The list holds the youngest first; wakes in the order in which they began to wait. */
static void wake_from_oldest(weft_awaiter *awaiter)
{
	weft_awaiter *oldest = awaiter, *newest = awaiter;

	if (!awaiter) {
		return;
	}
	while (oldest->next) {
		oldest = oldest->next;
	}
	for (;;) {
		weft_wake(oldest->coroutine);
		if (oldest == newest) {
			break;
		}
		oldest = (weft_awaiter *) ((char *) oldest->link - XtOffsetOf(weft_awaiter, next));
	}
}

void weft_awaitable_complete(weft_awaitable *awaitable)
{
	awaitable->completed = true;
	wake_from_oldest(awaitable->awaiters);
}

bool weft_awaitable_wait(weft_awaitable *awaitable, weft_awaitable *token)
{
	weft_awaiter on_awaitable, on_token;
	weft_wait_info info = {.what = awaitable->what, .fd = -1, .on = awaitable, .awaitable = true};
	int result = 0;

	link_awaiter(awaitable, &on_awaitable);
	if (token) {
		link_awaiter(token, &on_token);
	}
	while (!awaitable->completed && !(token && token->completed) && result == 0) {
		result = weft_suspend(&info);
	}
	unlink_awaiter(&on_awaitable);
	if (token) {
		unlink_awaiter(&on_token);
	}
	return result == 0 && !EG(exception);
}
