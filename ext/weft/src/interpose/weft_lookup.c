/*
 * Hands a job to the DNS pool, and wakes the coroutine when it is done.
 */
#include "interpose/weft_lookup.h"
#include <errno.h>
#include <netdb.h>
#include <stddef.h>

static weft_lookup *lookup_of(weft_dns_job *job)
{
	return (weft_lookup *) ((char *) job - offsetof(weft_lookup, job));
}

static void lookup_work(weft_dns_job *job)
{
	weft_lookup *lookup = lookup_of(job);

	errno = 0;
	h_errno = 0;
	lookup->run(lookup);
	lookup->error = errno;
	lookup->h_error = h_errno;
}

static void lookup_done(weft_dns_job *job)
{
	weft_lookup *lookup = lookup_of(job);

	if (!lookup->waiter) {
		lookup->release(lookup);
		return;
	}
	lookup->finished = true;
	weft_wake(lookup->waiter);
}

int weft_lookup_wait(weft_lookup *lookup, const char *what)
{
	weft_wait_info info = {.what = what, .fd = -1};

	lookup->job.work = lookup_work;
	lookup->job.done = lookup_done;
	lookup->waiter = weft_current;
	lookup->finished = false;
	int error = weft_dns_submit(&lookup->job);
	if (error != 0) {
		lookup->release(lookup);
		return error;
	}
	while (!lookup->finished) {
		if (weft_suspend(&info) != 0 && !lookup->finished) {
			lookup->waiter = NULL;
			return ECANCELED;
		}
	}
	return 0;
}
