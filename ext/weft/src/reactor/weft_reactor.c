/*
 * One epoll set, everything registered once and edge-triggered. An edge is kept in weft_fd.ready until somebody
 * reports it used up, so that nothing is lost when an event comes while nobody waits.
 */
#include "reactor/weft_reactor.h"
#include "reactor/weft_alarm.h"
#include "reactor/weft_dns.h"
#include "reactor/weft_fd_owners.h"
#include "reactor/weft_fd_table.h"
#include "reactor/weft_timer_heap.h"

#include <errno.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>

/* How many events one epoll_wait takes: enough to make the call cheap per event, small enough to stay fair to
 * timers between two calls. */
#define EVENTS_A_ROUND 256

static int epoll_fd = -1;
static int wake_fd = -1;
static weft_timer_heap timers;
static weft_round *rounds;
static uint32_t watch_count;
static uint32_t expected;
static _Atomic(weft_completion *) posted;
/* Kernels before 5.11 have no epoll_pwait2: waits are rounded up to milliseconds there. */
static bool no_pwait2;

uint64_t weft_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t) now.tv_sec * WEFT_NS_PER_SEC + (uint64_t) now.tv_nsec;
}

static uint64_t noted;

uint64_t weft_now_noted(void)
{
	return noted = weft_now();
}

uint64_t weft_just_now(void)
{
	return noted;
}

uint64_t weft_lately(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t) now.tv_sec * WEFT_NS_PER_SEC + (uint64_t) now.tv_nsec;
}

bool weft_reactor_started(void)
{
	return epoll_fd >= 0;
}

static int listen_for_completions(void)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = UINT64_MAX};

	wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, wake_fd, &event) != 0) {
		return errno;
	}
	return 0;
}

int weft_reactor_start(void)
{
	int error;

	if (epoll_fd >= 0) {
		return 0;
	}
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (epoll_fd < 0) {
		return errno;
	}
	error = listen_for_completions();
	if (error) {
		weft_reactor_stop();
		return error;
	}
	return 0;
}

static void close_descriptor(int *fd)
{
	if (*fd >= 0) {
		close(*fd);
		*fd = -1;
	}
}

static void forget_rounds(void)
{
	while (rounds) {
		weft_round_forget(rounds);
	}
}

void weft_reactor_stop(void)
{
	weft_dns_stop();
	weft_timer_heap_clear(&timers);
	forget_rounds();
	weft_fd_table_free();
	watch_count = expected = 0;
	atomic_store(&posted, NULL);
	weft_alarm_close();
	close_descriptor(&wake_fd);
	close_descriptor(&epoll_fd);
}

void weft_reactor_after_fork(void)
{
	/* Closing our copies leaves the parent's set as it is; an epoll_ctl would change it, for the set is shared. */
	weft_dns_after_fork();
	weft_timer_heap_clear(&timers);
	forget_rounds();
	weft_fd_table_reset();
	watch_count = expected = 0;
	atomic_store(&posted, NULL);
	weft_alarm_close();
	close_descriptor(&wake_fd);
	close_descriptor(&epoll_fd);
}

/* --- descriptors --- */

static struct epoll_event registration(int fd, const weft_fd *entry)
{
	return (struct epoll_event){
		.events = EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | EPOLLET,
		.data.u64 = (uint64_t) entry->generation << 32 | (uint32_t) fd,
	};
}

static int register_fd(int fd, weft_fd *entry)
{
	struct epoll_event event = registration(fd, entry);
	int error = weft_reactor_start(); /* a forked child starts its own set when it first waits */

	if (error) {
		return error;
	}
	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0) {
		entry->registered = true;
		return 0;
	}
	/* The number was closed and reused behind our back while a duplicate kept the registration alive. */
	if (errno == EEXIST && epoll_ctl(epoll_fd, EPOLL_CTL_MOD, fd, &event) == 0) {
		entry->registered = true;
		return 0;
	}
	if (errno == EPERM) {
		entry->kind = WEFT_FD_ALWAYS_READY;
	}
	return errno;
}

/* Calls every watch of the entry that wants one of the events. A callback may remove any watch, so the list is
 * moved aside and given back one by one: a removed watch leaves whichever list it is in. */
static int fire_watches(weft_fd *entry, uint32_t revents)
{
	weft_watch *pending = entry->watches;
	int fired = 0;

	entry->watches = NULL;
	if (pending) {
		pending->link = &pending;
	}
	while (pending) {
		weft_watch *watch = pending;

		pending = watch->next;
		if (pending) {
			pending->link = &pending;
		}
		watch->next = entry->watches;
		watch->link = &entry->watches;
		if (watch->next) {
			watch->next->link = &watch->next;
		}
		entry->watches = watch;
		if (revents & (watch->events | WEFT_ALWAYS)) {
			fired++;
			watch->fire(watch, revents);
		}
	}
	return fired;
}

void weft_fd_sent(int fd)
{
	weft_fd *entry = weft_fd_peek(fd);

	if (entry) {
		__atomic_fetch_add(&entry->sends, 1, __ATOMIC_RELAXED);
	}
}

void weft_fd_forget(int fd)
{
	weft_fd *entry = weft_fd_peek(fd);
	int error = errno;

	if (!entry) {
		return;
	}
	if (entry->registered) {
		/* Another descriptor of the same file (a duplicate, a child's) would keep the registration alive. */
		epoll_ctl(epoll_fd, EPOLL_CTL_DEL, fd, NULL);
		entry->registered = false;
	}
	entry->generation++;
	entry->ready = 0;
	entry->kind = WEFT_FD_UNKNOWN;
	entry->mode_known = entry->timeouts_known = entry->standard_error = false;
	if (entry->owner) {
		weft_fd_give_back(entry->owner);
		entry->owner = NULL;
	}
	if (entry->watches) {
		fire_watches(entry, WEFT_CLOSED);
	}
	errno = error;
}

int weft_watch_add(weft_watch *watch)
{
	weft_fd *entry = weft_fd_get(watch->fd);
	int error;

	if (!entry) {
		return EBADF;
	}
	if (!entry->registered) {
		error = register_fd(watch->fd, entry);
		if (error) {
			return error;
		}
	}
	watch->next = entry->watches;
	watch->link = &entry->watches;
	if (watch->next) {
		watch->next->link = &watch->next;
	}
	entry->watches = watch;
	watch_count++;
	return 0;
}

void weft_watch_remove(weft_watch *watch)
{
	if (!watch->link) {
		return;
	}
	*watch->link = watch->next;
	if (watch->next) {
		watch->next->link = watch->link;
	}
	watch->link = NULL;
	watch->next = NULL;
	watch_count--;
}

/* --- timers --- */

void weft_timer_arm(weft_timer *timer, uint64_t deadline)
{
	weft_timer_heap_put(&timers, timer, deadline);
}

void weft_timer_disarm(weft_timer *timer)
{
	weft_timer_heap_take(&timers, timer);
}

bool weft_timer_is_due(void)
{
	const weft_timer *first = weft_timer_heap_first(&timers);

	return first && first->deadline <= weft_just_now();
}

static int fire_timers(void)
{
	weft_timer *timer = weft_timer_heap_first(&timers);
	uint64_t now;
	int fired = 0;

	if (!timer || weft_alarm_covers(timer->deadline)) {
		return 0;
	}
	now = weft_now_noted();
	while (timer && timer->deadline <= now) {
		weft_timer_heap_take(&timers, timer);
		timer->fire(timer);
		fired++;
		timer = weft_timer_heap_first(&timers);
	}
	return fired;
}

/* --- rounds --- */

void weft_round_await(weft_round *round)
{
	if (round->link) {
		return;
	}
	round->next = rounds;
	round->link = &rounds;
	if (rounds) {
		rounds->link = &round->next;
	}
	rounds = round;
}

void weft_round_forget(weft_round *round)
{
	if (!round->link) {
		return;
	}
	*round->link = round->next;
	if (round->next) {
		round->next->link = round->link;
	}
	round->link = NULL;
}

/* Those that are awaited again meanwhile have their turn in the next one. */
static int fire_rounds(void)
{
	weft_round *now = rounds;
	int fired = 0;

	rounds = NULL;
	if (now) {
		now->link = &now;
	}
	while (now) {
		weft_round *round = now;

		weft_round_forget(round);
		round->fire(round);
		fired++;
	}
	return fired;
}

/* --- completions --- */

void weft_reactor_expect(void)
{
	weft_reactor_start();
	expected++;
}

void weft_reactor_post(weft_completion *completion)
{
	uint64_t one = 1;
	ssize_t written;

	completion->next = atomic_load(&posted);
	while (!atomic_compare_exchange_weak(&posted, &completion->next, completion)) {
	}
	/* A full counter means that the wake-up is pending already. */
	written = write(wake_fd, &one, sizeof(one));
	(void) written;
}

static int fire_completions(void)
{
	weft_completion *reversed = NULL, *completion;
	uint64_t count;
	int fired = 0;
	ssize_t taken = read(wake_fd, &count, sizeof(count));

	(void) taken;
	completion = atomic_exchange(&posted, NULL);
	while (completion) {
		weft_completion *next = completion->next;

		completion->next = reversed;
		reversed = completion;
		completion = next;
	}
	while (reversed) {
		completion = reversed;
		reversed = completion->next;
		expected--;
		completion->fire(completion);
		fired++;
	}
	return fired;
}

/* --- the loop --- */

bool weft_reactor_expects(void)
{
	return watch_count || expected || timers.count || rounds;
}

/* How long to wait for events: not at all before a round that is awaited, else until the next timer, unless the alarm
 * wakes us for that. */
static int64_t shorten_timeout(int64_t timeout)
{
	weft_timer *timer = weft_timer_heap_first(&timers);
	uint64_t now, left;

	if (rounds) {
		return 0;
	}
	if (!timer || timeout == 0 || weft_alarm_covers(timer->deadline)) {
		return timeout;
	}
	now = weft_now();
	left = timer->deadline > now ? timer->deadline - now : 0;
	if (timeout >= 0 && left >= (uint64_t) timeout) {
		return timeout;
	}
	if (left >= WEFT_ALARM_FAR_OFF && weft_alarm_set(epoll_fd, timer->deadline)) {
		return timeout;
	}
	return left > INT64_MAX ? INT64_MAX : (int64_t) left;
}

static int wait_for_events(struct epoll_event *events, int64_t timeout)
{
	timeout = shorten_timeout(timeout);
	/* Without a time to wait the plain call is the same and needs no timespec. */
	if (timeout > 0 && !no_pwait2) {
		struct timespec time = {
			.tv_sec = timeout / (int64_t) WEFT_NS_PER_SEC,
			.tv_nsec = timeout % (int64_t) WEFT_NS_PER_SEC,
		};
		int count = (int) syscall(SYS_epoll_pwait2, epoll_fd, events, EVENTS_A_ROUND, &time, NULL, (size_t) 0);

		if (count >= 0 || errno != ENOSYS) {
			return count;
		}
		no_pwait2 = true;
	}
	if (timeout > 0) {
		int64_t milliseconds = (timeout + (int64_t) WEFT_NS_PER_MS - 1) / (int64_t) WEFT_NS_PER_MS;

		timeout = milliseconds > INT32_MAX ? INT32_MAX : milliseconds;
	}
	return (int) syscall(SYS_epoll_pwait, epoll_fd, events, EVENTS_A_ROUND, (int) timeout, NULL, (size_t) 0);
}

static int fire_event(const struct epoll_event *event)
{
	int fd = (int) (uint32_t) event->data.u64;
	weft_fd *entry;

	if (event->data.u64 == UINT64_MAX) {
		return fire_completions();
	}
	if (event->data.u64 == WEFT_ALARM_MARK) {
		weft_alarm_rang();
		return 0;
	}
	entry = weft_fd_peek(fd);
	if (!entry || !entry->registered || entry->generation != (uint32_t) (event->data.u64 >> 32)) {
		return 0;
	}
	entry->ready |= event->events;
	return entry->watches ? fire_watches(entry, event->events) : 0;
}

int weft_reactor_poll(int64_t timeout)
{
	struct epoll_event events[EVENTS_A_ROUND];
	int error, count, fired = 0;

	error = weft_reactor_start();
	if (error) {
		errno = error;
		return -1;
	}
	count = wait_for_events(events, timeout);
	if (count < 0) {
		return -1;
	}
	weft_now_noted();
	for (int i = 0; i < count; i++) {
		fired += fire_event(&events[i]);
	}
	fired += fire_timers();
	return rounds ? fired + fire_rounds() : fired;
}
