/*
 * A timerfd in the epoll set: set, heard and closed.
 */
#include "reactor/weft_alarm.h"

#include <time.h>
#include <unistd.h>
#include <sys/timerfd.h>

uint64_t weft_alarm_at;
static int alarm_fd = -1;

static bool open_alarm(int epoll_fd)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = WEFT_ALARM_MARK};

	alarm_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (alarm_fd >= 0 && epoll_ctl(epoll_fd, EPOLL_CTL_ADD, alarm_fd, &event) != 0) {
		weft_alarm_close();
	}
	return alarm_fd >= 0;
}

bool weft_alarm_set(int epoll_fd, uint64_t deadline)
{
	struct itimerspec when = {
		.it_value = {.tv_sec = (time_t) (deadline / WEFT_NS_PER_SEC), .tv_nsec = (long) (deadline % WEFT_NS_PER_SEC)},
	};

	if (alarm_fd < 0 && !open_alarm(epoll_fd)) {
		return false;
	}
	if (timerfd_settime(alarm_fd, TFD_TIMER_ABSTIME, &when, NULL) != 0) {
		return false;
	}
	weft_alarm_at = deadline;
	return true;
}

void weft_alarm_rang(void)
{
	weft_alarm_at = 0;
}

void weft_alarm_close(void)
{
	if (alarm_fd >= 0) {
		close(alarm_fd);
		alarm_fd = -1;
	}
	weft_alarm_at = 0;
}
