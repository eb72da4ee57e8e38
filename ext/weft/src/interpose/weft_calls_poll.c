/*
 * poll, select and epoll_wait: another event loop, or a library that waits for its own sockets.
 */
#include "interpose/weft_calls.h"
#include <stdlib.h>
#include <string.h>

/* A caller that polls with a time limit of zero again and again waits in its own way. After so many fruitless
 * looks without any suspension in between, let the others run. */
#define WEFT_FRUITLESS_LOOKS 16

static unsigned fruitless_looks;

static int looked(int ready)
{
	if (ready == 0 && ++fruitless_looks >= WEFT_FRUITLESS_LOOKS) {
		fruitless_looks = 0;
		weft_yield();
	}
	return ready;
}

/* The mask, when it lets a signal through that is blocked now; else the wait needs no mask at all. */
static const sigset_t *mask_that_unblocks(const sigset_t *mask)
{
	sigset_t now;

	if (!mask || pthread_sigmask(SIG_SETMASK, NULL, &now) != 0) {
		return NULL;
	}
	for (int number = 1; number < NSIG; number++) {
		if (sigismember(&now, number) == 1 && sigismember(mask, number) == 0) {
			return mask;
		}
	}
	return NULL;
}

static int poll_until(struct pollfd *fds, nfds_t count, uint64_t deadline, const sigset_t *mask, const char *what)
{
	weft_wait_options options = {
		.deadline = deadline,
		.what = what,
		.fresh_mask = mask_that_unblocks(mask),
		.interruptible = true,
	};

	fruitless_looks = 0;
	return weft_wait_set(fds, count, &options);
}

int weft_call_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	if (!weft_may_wait()) {
		return poll(fds, count, timeout);
	}
	if (timeout == 0) {
		return looked(poll(fds, count, 0));
	}
	return poll_until(fds, count,
		timeout < 0 ? WEFT_NO_DEADLINE : weft_deadline_in((uint64_t) timeout * WEFT_NS_PER_MS), NULL, "poll");
}

int weft_call_poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size)
{
	if (size / sizeof(*fds) < count) {
		weft_fortify_failed();
	}
	return weft_call_poll(fds, count, timeout);
}

int weft_call_ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
	if (!weft_may_wait() || (timeout && !weft_timespec_valid(timeout))) {
		return ppoll(fds, count, timeout, mask);
	}
	if (timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0) {
		return looked(ppoll(fds, count, timeout, mask));
	}
	return poll_until(fds, count, timeout ? weft_deadline_in(weft_timespec_ns(timeout)) : WEFT_NO_DEADLINE, mask,
		"ppoll");
}

int weft_call_ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask,
	size_t size)
{
	if (size / sizeof(*fds) < count) {
		weft_fortify_failed();
	}
	return weft_call_ppoll(fds, count, timeout, mask);
}

/* --- select, as a poll --- */

/* What select() calls readable, writable and exceptional. */
#define WEFT_SELECT_IN (POLLIN | POLLRDNORM | POLLHUP | POLLERR)
#define WEFT_SELECT_OUT (POLLOUT | POLLWRNORM | POLLERR)
#define WEFT_SELECT_EXCEPT POLLPRI

/* Programs that grow their sets beyond FD_SETSIZE pass larger ones, so FD_ISSET is not used (nor fortified). */
static unsigned long word_of(const fd_set *set, int fd)
{
	return set ? ((const unsigned long *) set)[fd / NFDBITS] : 0;
}

static bool in_set(const fd_set *set, int fd)
{
	return word_of(set, fd) >> (fd % NFDBITS) & 1;
}

static void put_in_set(fd_set *set, int fd)
{
	((unsigned long *) set)[fd / NFDBITS] |= 1ul << (fd % NFDBITS);
}

static size_t set_bytes(int count)
{
	return (size_t) (count + NFDBITS - 1) / NFDBITS * sizeof(unsigned long);
}

static nfds_t poll_of_select(int count, const fd_set *in, const fd_set *out, const fd_set *except, struct pollfd *fds)
{
	nfds_t used = 0;

	for (int fd = 0; fd < count; fd++) {
		if (fd % NFDBITS == 0 && !(word_of(in, fd) | word_of(out, fd) | word_of(except, fd))) {
			fd += NFDBITS - 1;
			continue;
		}
		short events = (in_set(in, fd) ? POLLIN : 0) | (in_set(out, fd) ? POLLOUT : 0) |
			(in_set(except, fd) ? POLLPRI : 0);
		if (events) {
			if (fds) {
				fds[used] = (struct pollfd){.fd = fd, .events = events};
			}
			used++;
		}
	}
	return used;
}

static int select_of_poll(int count, fd_set *in, fd_set *out, fd_set *except, const struct pollfd *fds, nfds_t used)
{
	int ready = 0;

	for (nfds_t i = 0; i < used; i++) {
		if (fds[i].revents & POLLNVAL) {
			errno = EBADF;
			return -1;
		}
	}
	fd_set *sets[] = {in, out, except};
	for (int i = 0; i < 3; i++) {
		if (sets[i]) {
			memset(sets[i], 0, set_bytes(count));
		}
	}
	for (nfds_t i = 0; i < used; i++) {
		short events = fds[i].events, revents = fds[i].revents;
		if ((events & POLLIN) && (revents & WEFT_SELECT_IN)) {
			put_in_set(in, fds[i].fd);
			ready++;
		}
		if ((events & POLLOUT) && (revents & WEFT_SELECT_OUT)) {
			put_in_set(out, fds[i].fd);
			ready++;
		}
		if ((events & POLLPRI) && (revents & WEFT_SELECT_EXCEPT)) {
			put_in_set(except, fds[i].fd);
			ready++;
		}
	}
	return ready;
}

static int select_with(int count, fd_set *in, fd_set *out, fd_set *except, uint64_t deadline, const sigset_t *mask,
	struct pollfd *fds, nfds_t used)
{
	poll_of_select(count, in, out, except, fds);
	for (;;) {
		int ready = poll_until(fds, used, deadline, mask, "select");
		if (ready < 0) {
			return -1;
		}
		int selected = select_of_poll(count, in, out, except, fds, used);
		/* poll() reports a hang-up to writers too, select() does not. */
		if (selected != 0 || ready == 0) {
			return selected;
		}
		int error = weft_wait_until(MIN(deadline, weft_deadline_in(WEFT_POLLING_NS)), "select", true);
		if (error != 0) {
			errno = error;
			return -1;
		}
		if (weft_now() >= deadline) {
			return 0;
		}
	}
}

static int select_until(int count, fd_set *in, fd_set *out, fd_set *except, uint64_t deadline, const sigset_t *mask)
{
	nfds_t used = poll_of_select(count, in, out, except, NULL);

	if (used <= WEFT_WAIT_ON_STACK) {
		return select_with(count, in, out, except, deadline, mask, alloca(MAX(used, 1) * sizeof(struct pollfd)), used);
	}
	struct pollfd *fds = malloc(used * sizeof(*fds));
	if (!fds) {
		errno = ENOMEM;
		return -1;
	}
	int ready = select_with(count, in, out, except, deadline, mask, fds, used);
	int error = errno;
	free(fds);
	errno = error;
	return ready;
}

int weft_call_select(int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
	if (!weft_may_wait() || count < 0 || (timeout && (timeout->tv_sec < 0 || timeout->tv_usec < 0))) {
		return select(count, in, out, except, timeout);
	}
	if (timeout && timeout->tv_sec == 0 && timeout->tv_usec == 0) {
		return looked(select(count, in, out, except, timeout));
	}

	uint64_t deadline = WEFT_NO_DEADLINE;
	if (timeout) {
		struct timespec time = {.tv_sec = timeout->tv_sec, .tv_nsec = timeout->tv_usec * 1000};
		deadline = weft_deadline_in(weft_timespec_ns(&time));
	}
	int ready = select_until(count, in, out, except, deadline, NULL);
	if (timeout) {
		/* Linux leaves what is left of the time limit there. */
		uint64_t now = weft_now(), left = deadline > now ? deadline - now : 0;
		timeout->tv_sec = (time_t) (left / WEFT_NS_PER_SEC);
		timeout->tv_usec = (suseconds_t) (left % WEFT_NS_PER_SEC / WEFT_NS_PER_US);
	}
	return ready;
}

int weft_call_pselect(int count, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
	const sigset_t *mask)
{
	if (!weft_may_wait() || count < 0 || (timeout && !weft_timespec_valid(timeout))) {
		return pselect(count, in, out, except, timeout, mask);
	}
	if (timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0) {
		return looked(pselect(count, in, out, except, timeout, mask));
	}
	return select_until(count, in, out, except,
		timeout ? weft_deadline_in(weft_timespec_ns(timeout)) : WEFT_NO_DEADLINE, mask);
}

/* --- epoll, nested in ours --- */

/* An epoll set is itself a descriptor that becomes readable when something in it is ready. After epoll_wait() has
 * found nothing its ready list is empty, so the next event is an edge for us. */
static int epoll_until(int epfd, struct epoll_event *events, int max, uint64_t deadline, const sigset_t *mask)
{
	const sigset_t *fresh_mask = mask_that_unblocks(mask);

	for (;;) {
		int ready = epoll_pwait(epfd, events, max, 0, fresh_mask);
		if (ready != 0) {
			return ready;
		}
		fruitless_looks = 0;
		weft_fd_drained(epfd, WEFT_IN);
		struct pollfd one = {.fd = epfd, .events = POLLIN};
		weft_wait_options options = {
			.deadline = deadline,
			.what = "epoll_wait",
			.fresh_mask = fresh_mask,
			.empty = true,
			.interruptible = true,
		};
		ready = weft_wait_set(&one, 1, &options);
		if (ready <= 0) {
			return ready;
		}
		if (one.revents & POLLNVAL) {
			errno = EBADF;
			return -1;
		}
	}
}

int weft_call_epoll_pwait(int epfd, struct epoll_event *events, int max, int timeout, const sigset_t *mask)
{
	if (!weft_may_wait()) {
		return epoll_pwait(epfd, events, max, timeout, mask);
	}
	if (timeout == 0) {
		return looked(epoll_pwait(epfd, events, max, 0, mask));
	}
	return epoll_until(epfd, events, max,
		timeout < 0 ? WEFT_NO_DEADLINE : weft_deadline_in((uint64_t) timeout * WEFT_NS_PER_MS), mask);
}

int weft_call_epoll_wait(int epfd, struct epoll_event *events, int max, int timeout)
{
	return weft_call_epoll_pwait(epfd, events, max, timeout, NULL);
}

int weft_call_epoll_pwait2(int epfd, struct epoll_event *events, int max, const struct timespec *timeout,
	const sigset_t *mask)
{
	if (!weft_may_wait() || (timeout && !weft_timespec_valid(timeout))) {
		return epoll_pwait2(epfd, events, max, timeout, mask);
	}
	if (timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0) {
		return looked(epoll_pwait2(epfd, events, max, timeout, mask));
	}
	return epoll_until(epfd, events, max, timeout ? weft_deadline_in(weft_timespec_ns(timeout)) : WEFT_NO_DEADLINE,
		mask);
}
