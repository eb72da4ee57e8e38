/*
 * Whose child a process is. All requests of a worker have one parent, and "any child" would be another request's: it
 * would be told of an end that it does not know, and the other would wait for good. What a request has started is kept
 * in a list until its end was told; what is still there when the request ends is nobody's, and asked for later.
 */
#include "interpose/weft_children.h"
#include "coroutine/weft_coroutine.h"
#include "interpose/weft_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
	pid_t pid;
	const void *domain; /* NULL: its request has ended */
} child;

static child *children;
static size_t count, size;

static const void *present(void)
{
	return weft_thread != WEFT_THREAD_FOREIGN && weft_current ? weft_current->domain : NULL;
}

bool weft_children_apart(void)
{
	return present() != NULL;
}

void weft_child_begun(pid_t pid)
{
	const void *domain = present();

	if (!domain) {
		return;
	}
	weft_child_ended(pid); /* as a number that comes again */
	if (count == size) {
		size_t more = size ? size * 2 : 16;
		child *longer = realloc(children, more * sizeof(child));

		if (!longer) {
			return; /* it is found by its number only */
		}
		children = longer;
		size = more;
	}
	children[count++] = (child){pid, domain};
}

void weft_child_ended(pid_t pid)
{
	if (weft_thread == WEFT_THREAD_FOREIGN) {
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (children[i].pid == pid) {
			children[i] = children[--count];
			return;
		}
	}
}

void weft_children_forget(void)
{
	count = 0;
}

/* Those that have ended meanwhile would stay in the table of processes. */
static void collect_of_nobody(void)
{
	for (size_t i = 0; i < count;) {
		if (!children[i].domain && waitpid(children[i].pid, NULL, WNOHANG) != 0) {
			children[i] = children[--count];
		} else {
			i++;
		}
	}
}

void weft_children_orphan(const void *domain)
{
	for (size_t i = 0; i < count; i++) {
		if (children[i].domain == domain) {
			children[i].domain = NULL;
		}
	}
	collect_of_nobody();
}

/* 0: none has ended yet. */
static pid_t ask_own(int *status, int options, struct rusage *usage)
{
	const void *domain = present();
	bool any = false;

	for (size_t i = 0; i < count;) {
		pid_t pid = children[i].pid, found;

		if (children[i].domain != domain) {
			i++;
			continue;
		}
		found = wait4(pid, status, options | WNOHANG, usage);
		if (found > 0) {
			return found;
		}
		if (found < 0 && errno == ECHILD) {
			weft_child_ended(pid); /* PHP ignores SIGCHLD, say */
			continue;
		}
		if (found < 0) {
			return -1; /* the options are none: it would never end */
		}
		any = true;
		i++;
	}
	if (!any) {
		errno = ECHILD;
	}
	return any ? 0 : -1;
}

pid_t weft_children_wait(int *status, int options, struct rusage *usage)
{
	static const struct timespec moment = {0, 1000000};
	uint64_t pause = 0;
	pid_t found;

	while ((found = ask_own(status, options, usage)) == 0 && !(options & WNOHANG)) {
		int error = 0;

		if (weft_may_wait()) {
			error = weft_wait_retry(&pause, WEFT_NO_DEADLINE, "waitpid", true);
		} else if (nanosleep(&moment, NULL) != 0) {
			error = errno;
		}
		if (error != 0) {
			errno = error;
			return -1;
		}
	}
	return found;
}
