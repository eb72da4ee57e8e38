/*
 * What happens rarely around such a frame.
 */
#include "interpose/guard/weft_unleft.h"

static void end_of(weft_coroutine *coroutine, void *arg)
{
	const weft_unleft *unleft = arg;

	if (coroutine == unleft->coroutine && coroutine->id == unleft->id && coroutine->no_switch > 0) {
		coroutine->unleft = unleft->outer;
		coroutine->no_switch--;
	}
}

/* The coroutine that began it may have ended. */
void weft_unleft_end_elsewhere(const weft_unleft *unleft)
{
	if (unleft->coroutine) {
		weft_scheduler_each(end_of, (void *) unleft);
	}
}
