/*
 * How a replaced call waits.
 *
 * Why no wake-up is lost. A descriptor is registered once, edge-triggered, for everything. weft_fd.ready keeps
 * the edges that were reported; a bit is cleared only by somebody who has just seen the kernel say "nothing
 * there": EAGAIN, a short read from TCP, or poll(2) below. So
 *   - bit set: it may be stale, poll(2) decides;
 *   - bit clear: the kernel said "nothing" after the last reported edge, or an edge is queued in the epoll set
 *     that nobody has fetched yet. Whatever arrives after that "nothing" is a new edge, and it stays queued
 *     until the reactor fetches it, which it does only while we are listening or to set the bit.
 * Readers that pass us by (other threads, other processes, libc itself) only take data away: that makes a bit
 * stale, never a clear bit wrong. A descriptor that is not registered is added after poll(2) said "nothing", and
 * adding reports what is ready at that moment. The end of a stream is an edge of its own (EPOLLRDHUP), which
 * weft_fd_drained(WEFT_IN) leaves in place.
 */
#include "interpose/weft_wait.h"
#include "coroutine/weft_client_call.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

weft_blocked_call weft_blocked;

uint64_t weft_thread_computed(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return weft_timespec_ns(&time);
}

void weft_note_blocked(void)
{
	weft_blocked = (weft_blocked_call){weft_now(), weft_thread_computed()};
}

/* Readiness that poll(2) would report for these events. */
#define WEFT_STICKY (WEFT_RDHUP | WEFT_HUP | WEFT_ERR)

typedef struct {
	weft_timer timer;
	weft_coroutine *coroutine;
} weft_waiter;

typedef struct {
	weft_watch watch;
	weft_waiter *waiter;
	uint32_t revents;
} weft_waited;

static void waiter_expired(weft_timer *timer)
{
	weft_waiter *waiter = (weft_waiter *) ((char *) timer - offsetof(weft_waiter, timer));
	weft_wake(waiter->coroutine);
}

static void waited_fired(weft_watch *watch, uint32_t revents)
{
	weft_waited *waited = (weft_waited *) ((char *) watch - offsetof(weft_waited, watch));

	waited->revents |= revents;
	weft_wake(waited->waiter->coroutine);
}

/* The reactor knows EPOLLIN and EPOLLOUT; poll's "normal" names mean the same. */
#define OTHER_NAMES (POLLRDNORM | POLLWRNORM | POLLRDBAND | POLLWRBAND)

static inline uint32_t events_wanted(short events)
{
	uint32_t wanted = (uint16_t) events & (WEFT_IN | WEFT_OUT | WEFT_PRI | WEFT_RDHUP);

	if (EXPECTED(!(events & OTHER_NAMES))) {
		return wanted;
	}
	if (events & POLLRDNORM) {
		wanted |= WEFT_IN;
	}
	if (events & (POLLWRNORM | POLLWRBAND)) {
		wanted |= WEFT_OUT;
	}
	if (events & POLLRDBAND) {
		wanted |= WEFT_PRI;
	}
	return wanted;
}

static inline short revents_for(short events, uint32_t seen)
{
	uint32_t revents = seen & ((uint16_t) events | WEFT_ERR | WEFT_HUP);

	if (seen & WEFT_CLOSED) {
		return POLLNVAL;
	}
	if (EXPECTED(!(events & OTHER_NAMES))) {
		return (short) revents;
	}
	if (seen & WEFT_IN) {
		revents |= events & POLLRDNORM;
	}
	if (seen & WEFT_OUT) {
		revents |= events & POLLWRNORM;
	}
	if (seen & WEFT_PRI) {
		revents |= events & POLLRDBAND;
	}
	return (short) revents;
}

static zend_always_inline int set_revents(struct pollfd *fds, nfds_t count, const weft_waited *waited)
{
	int ready = 0;

	for (nfds_t i = 0; i < count; i++) {
		fds[i].revents = waited[i].revents ? revents_for(fds[i].events, waited[i].revents) : 0;
		ready += fds[i].revents != 0;
	}
	return ready;
}

/* Whether anything is unknown or hinted at, so that the kernel must be asked before we wait. */
static bool must_ask(const struct pollfd *fds, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++) {
		if (fds[i].fd >= 0) {
			const weft_fd *entry = weft_fd_get(fds[i].fd);
			if (!entry || !entry->registered || (entry->ready & (events_wanted(fds[i].events) | WEFT_STICKY))) {
				return true;
			}
		}
	}
	return false;
}

/* poll(2) found nothing: hints that said otherwise were stale. */
static void forget_hints(const struct pollfd *fds, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++) {
		if (fds[i].fd >= 0) {
			const weft_fd *entry = weft_fd_get(fds[i].fd);
			uint32_t stale = events_wanted(fds[i].events);
			/* An end of stream shows itself to whoever asks for input, and only to them. */
			stale |= WEFT_HUP | WEFT_ERR | (stale & WEFT_IN ? WEFT_RDHUP : 0);
			if (entry && (entry->ready & stale)) {
				weft_fd_drained(fds[i].fd, stale);
			}
		}
	}
}

/* Asks the kernel, without waiting. With a mask, signals that it lets through are delivered here. */
static int wait_ask(struct pollfd *fds, nfds_t count, const sigset_t *mask)
{
	if (mask) {
		static const struct timespec now = {0, 0};
		return ppoll(fds, count, &now, mask);
	}
	return poll(fds, count, 0);
}

static bool is_connected(int fd)
{
	struct sockaddr_storage peer;
	socklen_t length = sizeof(peer), size = sizeof(int);
	int type = 0;

	/* one end of a pair has no name, and stays with the library that wakes itself by it */
	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM &&
		getpeername(fd, (struct sockaddr *) &peer, &length) == 0 && length > sizeof(sa_family_t);
}

void weft_hang_up(int fd)
{
	static char nowhere[16384];

	shutdown(fd, SHUT_RDWR);
	while (recv(fd, nowhere, sizeof(nowhere), MSG_DONTWAIT) > 0) {
	}
}

/* A client that was cut short does not know which answer comes next. It is shown the end of its connection, which every
 * client knows how to meet. Returns as poll(2). */
static int hang_up(struct pollfd *fds, nfds_t count)
{
	bool any = false;

	if (!weft_client_call_hangs_up()) {
		return 0;
	}
	for (nfds_t i = 0; i < count; i++) {
		if (fds[i].fd >= 0 && is_connected(fds[i].fd)) {
			weft_hang_up(fds[i].fd);
			any = true;
		}
	}
	return any ? poll(fds, count, 0) : 0;
}

/* Suspends until something fires, the deadline passes, or the wait is broken off. */
static zend_always_inline int wait_listening(struct pollfd *fds, nfds_t count, const weft_wait_options *options,
	weft_waiter *waiter, weft_waited *waited, uint64_t interval)
{
	weft_wait_info info = {
		.what = options->what,
		.fd = count > 0 ? fds[0].fd : -1,
		.interruptible = options->interruptible,
	};

	for (;;) {
		uint64_t next_look = count > 0 ? weft_lately() + interval : WEFT_NO_DEADLINE;
		uint64_t until = MIN(options->deadline, next_look);
		if (until != WEFT_NO_DEADLINE) {
			weft_timer_arm(&waiter->timer, until);
		}
		int status = weft_suspend(&info);
		int ready = set_revents(fds, count, waited);
		if (ready > 0) {
			return ready;
		}
		if (status != 0) {
			weft_current->waits_cut += status != EINTR;
			ready = status == ECANCELED ? hang_up(fds, count) : 0;
			if (ready > 0) {
				return ready;
			}
			errno = status == EINTR ? EINTR : ECANCELED;
			return -1;
		}
		uint64_t now = weft_now();
		if (now >= options->deadline) {
			return 0;
		}
		if (now >= next_look) {
			ready = wait_ask(fds, count, options->fresh_mask);
			if (ready != 0) {
				return ready;
			}
		}
	}
}

/* Inlined for the one descriptor that nearly everybody waits for, where the loops fall away. */
static zend_always_inline int wait_with(struct pollfd *fds, nfds_t count, const weft_wait_options *options,
	weft_waited *waited)
{
	weft_waiter waiter = {.timer.fire = waiter_expired, .coroutine = weft_current};
	uint64_t interval = options->fresh_mask ? WEFT_POLLING_NS : WEFT_REVERIFY_NS;
	int saved_errno = errno;

	for (nfds_t i = 0; i < count; i++) {
		waited[i].waiter = &waiter;
		waited[i].revents = 0;
		waited[i].watch = (weft_watch){
			.fd = fds[i].fd,
			.events = events_wanted(fds[i].events),
			.fire = waited_fired,
		};
		if (fds[i].fd >= 0) {
			int error = weft_watch_add(&waited[i].watch);
			if (error != 0 && error != EPERM) {
				interval = WEFT_POLLING_NS;
			}
		}
	}

	int ready = wait_listening(fds, count, options, &waiter, waited, interval);
	int error = errno;

	weft_timer_disarm(&waiter.timer);
	for (nfds_t i = 0; i < count; i++) {
		weft_watch_remove(&waited[i].watch);
	}
	if (weft_after_wait && ready >= 0) {
		weft_after_wait();
	}
	errno = ready < 0 ? error : saved_errno;
	return ready;
}

int weft_wait_set(struct pollfd *fds, nfds_t count, const weft_wait_options *options)
{
	weft_fd_apply_foreign_closes();
	if (options->fresh_mask || (!options->empty && must_ask(fds, count))) {
		int ready = wait_ask(fds, count, options->fresh_mask);
		if (ready != 0) {
			return ready;
		}
		forget_hints(fds, count);
	}
	if (EXPECTED(count == 1)) {
		weft_waited only;
		return wait_with(fds, 1, options, &only);
	}
	if (count <= WEFT_WAIT_ON_STACK) {
		return wait_with(fds, count, options, alloca(MAX(count, 1) * sizeof(weft_waited)));
	}

	weft_waited *waited = malloc(count * sizeof(weft_waited));
	if (!waited) {
		errno = ENOMEM;
		return -1;
	}
	int ready = wait_with(fds, count, options, waited);
	int error = errno;
	free(waited);
	errno = error;
	return ready;
}

int weft_wait_fd(int fd, uint32_t events, uint64_t deadline, const char *what)
{
	struct pollfd one = {.fd = fd, .events = (short) events};
	weft_wait_options options = {.deadline = deadline, .what = what, .empty = true};
	int saved_errno = errno;
	int ready = weft_wait_set(&one, 1, &options);
	int error = errno;

	errno = saved_errno;
	if (ready < 0) {
		return error;
	}
	if (ready == 0) {
		return EAGAIN;
	}
	return one.revents & POLLNVAL ? EBADF : 0;
}

int weft_wait_until(uint64_t deadline, const char *what, bool interruptible)
{
	weft_wait_options options = {.deadline = deadline, .what = what, .interruptible = interruptible};
	int saved_errno = errno;
	int error = weft_wait_set(NULL, 0, &options) < 0 ? errno : 0;

	errno = saved_errno;
	return error;
}

int weft_wait_retry(uint64_t *pause, uint64_t deadline, const char *what, bool interruptible)
{
	uint64_t now = weft_now();

	if (now >= deadline) {
		return EAGAIN;
	}
	*pause = *pause == 0 ? WEFT_RETRY_FIRST_NS : MIN(*pause * 2, WEFT_RETRY_LONGEST_NS);
	return weft_wait_until(MIN(now + *pause, deadline), what, interruptible);
}

uint64_t weft_deadline_in(uint64_t nanoseconds)
{
	uint64_t now = weft_now();

	return nanoseconds >= WEFT_NO_DEADLINE - now ? WEFT_NO_DEADLINE : now + nanoseconds;
}

uint64_t weft_timespec_ns(const struct timespec *time)
{
	if ((uint64_t) time->tv_sec >= WEFT_NO_DEADLINE / WEFT_NS_PER_SEC) {
		return WEFT_NO_DEADLINE;
	}
	return (uint64_t) time->tv_sec * WEFT_NS_PER_SEC + (uint64_t) time->tv_nsec;
}

bool weft_timespec_valid(const struct timespec *time)
{
	return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < (long) WEFT_NS_PER_SEC;
}

uint64_t weft_deadline_at(clockid_t clock, const struct timespec *moment)
{
	struct timespec now;

	clock_gettime(clock, &now);
	uint64_t then_ns = weft_timespec_ns(moment), now_ns = weft_timespec_ns(&now);
	return weft_deadline_in(then_ns > now_ns ? then_ns - now_ns : 0);
}
