/*
 * Sleeps, and waiting for a signal.
 */
#include "interpose/weft_calls.h"
#include <string.h>
#include <unistd.h>

/* Sleeps for so long. On EINTR *left says how much was not slept. */
static int sleep_for(uint64_t nanoseconds, const char *what, uint64_t *left)
{
	uint64_t deadline = weft_deadline_in(nanoseconds);
	int error = weft_wait_until(deadline, what, true);
	uint64_t now = weft_now();

	*left = error != 0 && deadline > now ? deadline - now : 0;
	return error;
}

unsigned int weft_call_sleep(unsigned int seconds)
{
	uint64_t left;

	if (!weft_may_wait()) {
		return sleep(seconds);
	}
	if (seconds == 0) {
		weft_yield();
		return 0;
	}
	int error = sleep_for(seconds * WEFT_NS_PER_SEC, "sleep", &left);
	if (error != 0) {
		errno = error;
	}
	return (unsigned int) ((left + WEFT_NS_PER_SEC / 2) / WEFT_NS_PER_SEC);
}

static int sleep_result(int error, uint64_t left, struct timespec *remaining)
{
	if (error != 0 && remaining) {
		remaining->tv_sec = (time_t) (left / WEFT_NS_PER_SEC);
		remaining->tv_nsec = (long) (left % WEFT_NS_PER_SEC);
	}
	return error;
}

int weft_call_usleep(useconds_t microseconds)
{
	uint64_t left;

	if (!weft_may_wait()) {
		return usleep(microseconds);
	}
	if (microseconds == 0) {
		weft_yield();
		return 0;
	}
	int error = sleep_for(microseconds * WEFT_NS_PER_US, "usleep", &left);
	if (error != 0) {
		errno = error;
		return -1;
	}
	return 0;
}

int weft_call_nanosleep(const struct timespec *time, struct timespec *remaining)
{
	uint64_t left;

	if (!weft_may_wait() || !weft_timespec_valid(time)) {
		return nanosleep(time, remaining);
	}
	int error = sleep_for(weft_timespec_ns(time), "nanosleep", &left);
	if (error != 0) {
		errno = sleep_result(error, left, remaining);
		return -1;
	}
	return 0;
}

/* An absolute time on a clock that can be set is looked at again this often. */
#define WEFT_CLOCK_STEP_NS WEFT_NS_PER_SEC

static int sleep_to(clockid_t clock, const struct timespec *moment)
{
	for (;;) {
		uint64_t deadline = weft_deadline_at(clock, moment);
		if (deadline <= weft_now()) {
			return 0;
		}
		if (clock != CLOCK_MONOTONIC) {
			deadline = MIN(deadline, weft_deadline_in(WEFT_CLOCK_STEP_NS));
		}
		int error = weft_wait_until(deadline, "clock_nanosleep", true);
		if (error != 0) {
			return error;
		}
	}
}

int weft_call_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *remaining)
{
	uint64_t left;

	if (!weft_may_wait() || !weft_timespec_valid(time) ||
		(clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME && clock != CLOCK_TAI)) {
		return clock_nanosleep(clock, flags, time, remaining);
	}
	if (flags & TIMER_ABSTIME) {
		return sleep_to(clock, time);
	}
	int error = sleep_for(weft_timespec_ns(time), "clock_nanosleep", &left);
	return sleep_result(error, left, remaining);
}

/* How many wait for a signal, and those that had to be blocked for them. */
static uint32_t waiting_for[_NSIG];
static sigset_t blocked_for_them;

/* Who waits for a signal gets it, whether it is blocked or has a handler. Between two looks it must not go to the
 * handler, so it is blocked as long as somebody waits for it. */
static void hold_signals(const sigset_t *set)
{
	sigset_t before, wanted;

	pthread_sigmask(SIG_BLOCK, NULL, &before);
	sigemptyset(&wanted);
	for (int number = 1; number < _NSIG; number++) {
		if (sigismember(set, number) == 1 && waiting_for[number]++ == 0 && !sigismember(&before, number)) {
			sigaddset(&wanted, number);
			sigaddset(&blocked_for_them, number);
		}
	}
	pthread_sigmask(SIG_BLOCK, &wanted, NULL);
}

static void let_signals_go(const sigset_t *set)
{
	sigset_t done;

	sigemptyset(&done);
	for (int number = 1; number < _NSIG; number++) {
		if (sigismember(set, number) == 1 && --waiting_for[number] == 0 && sigismember(&blocked_for_them, number)) {
			sigaddset(&done, number);
			sigdelset(&blocked_for_them, number);
		}
	}
	pthread_sigmask(SIG_UNBLOCK, &done, NULL);
}

void weft_signals_forget_waits(void)
{
	pthread_sigmask(SIG_UNBLOCK, &blocked_for_them, NULL);
	sigemptyset(&blocked_for_them);
	memset(waiting_for, 0, sizeof(waiting_for));
}

/* A signal that is pending can only be fetched, not waited for beside other things: so fetch again and again, with
 * growing pauses. */
static int fetch_signal(const sigset_t *set, siginfo_t *info, uint64_t deadline)
{
	static const struct timespec none = {0, 0};
	uint64_t pause = 0;

	for (;;) {
		int number = sigtimedwait(set, info, &none);
		if (number >= 0 || errno != EAGAIN) {
			return number;
		}
		int error = weft_wait_retry(&pause, deadline, "sigtimedwait", true);
		if (error != 0) {
			errno = error;
			return -1;
		}
	}
}

int weft_call_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	if (!weft_may_wait() || (timeout && !weft_timespec_valid(timeout))) {
		return sigtimedwait(set, info, timeout);
	}
	hold_signals(set);
	int number = fetch_signal(set, info, timeout ? weft_deadline_in(weft_timespec_ns(timeout)) : WEFT_NO_DEADLINE);
	int error = errno;
	let_signals_go(set);
	errno = error;
	return number;
}

int weft_call_sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	if (!weft_may_wait()) {
		return sigwaitinfo(set, info);
	}
	return weft_call_sigtimedwait(set, info, NULL);
}

int weft_call_sigwait(const sigset_t *set, int *number)
{
	if (!weft_may_wait()) {
		return sigwait(set, number);
	}
	int got;
	do {
		got = weft_call_sigtimedwait(set, NULL, NULL);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		return errno;
	}
	*number = got;
	return 0;
}
