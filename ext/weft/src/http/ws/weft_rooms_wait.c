/*
 * Coroutines that wait in a line: for room on the bus, for an operation of their own, for answers.
 */
#include "http/ws/weft_rooms_internal.h"

struct weft_rooms_waiter {
	weft_coroutine *coroutine;
	weft_timer timer;
	uint64_t number;
	bool over; /* woken, or too late */
	weft_rooms_waiter *next, **link;
};

static void leave_line(weft_rooms_line *line, weft_rooms_waiter *waiter)
{
	if (waiter->link == NULL) {
		return;
	}
	*waiter->link = waiter->next;
	if (waiter->next) {
		waiter->next->link = waiter->link;
	} else {
		line->end = waiter->link;
	}
	waiter->link = NULL;
}

static void waited_for_too_long(weft_timer *timer)
{
	weft_rooms_waiter *waiter = (weft_rooms_waiter *) ((char *) timer - offsetof(weft_rooms_waiter, timer));

	waiter->over = true;
	weft_wake(waiter->coroutine);
}

weft_rooms_result weft_rooms_wait(weft_rooms_line *line, uint64_t number, uint64_t deadline)
{
	static const weft_wait_info waiting = {.what = "rooms", .fd = -1};
	weft_rooms_waiter waiter = {.coroutine = weft_current, .timer = {.fire = waited_for_too_long}, .number = number};
	int error = 0;

	if (!line->first) {
		line->end = &line->first;
	}
	waiter.link = line->end;
	*line->end = &waiter;
	line->end = &waiter.next;
	if (deadline) {
		weft_timer_arm(&waiter.timer, deadline);
	}
	while (!waiter.over && error == 0) {
		error = weft_suspend(&waiting);
	}
	weft_timer_disarm(&waiter.timer);
	leave_line(line, &waiter);
	return error == 0 ? WEFT_ROOMS_DONE : WEFT_ROOMS_CANCELLED;
}

void weft_rooms_wake(weft_rooms_line *line, uint64_t number)
{
	weft_rooms_waiter *waiter;

	while ((waiter = line->first) != NULL && waiter->number <= number) {
		waiter->over = true;
		leave_line(line, waiter);
		weft_wake(waiter->coroutine);
	}
}
