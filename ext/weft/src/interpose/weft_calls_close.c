/*
 * What happens to descriptors without anybody waiting: the reactor must hear of it, or it would take a reused
 * number for the descriptor that had it before.
 */
#include "interpose/weft_calls.h"
#include "reactor/weft_fd_owners.h"
#include <fcntl.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

bool weft_keep_standard_descriptors;

static bool counts(void)
{
	return weft_tracking() && weft_domain_in_place;
}

bool weft_may_open(uint32_t more)
{
	if (!counts() || weft_fd_may_own(weft_domain_in_place, more)) {
		return true;
	}
	weft_fd_refused(weft_domain_in_place);
	errno = EMFILE;
	return false;
}

void weft_opened(int fd, bool nonblocking)
{
	if (fd < 0 || !weft_tracking()) {
		return;
	}
	weft_fd_fresh(fd);
	weft_mode_set(fd, nonblocking);
	if (weft_domain_in_place) {
		weft_fd_own(fd, weft_domain_in_place);
	}
}

int weft_call_close(int fd)
{
	if (UNEXPECTED(fd <= STDERR_FILENO && fd >= 0) && weft_keep_standard_descriptors) {
		return 0;
	}
	weft_fd_closing(fd);
	return close(fd);
}

/* `fd` and `copy` are one open file now. */
static void duplicated(int fd, int copy)
{
	if (copy >= 0 && copy != fd && weft_tracking()) {
		weft_fd *entry = weft_fd_get(copy);

		weft_fd_fresh(copy);
		if (weft_domain_in_place) {
			weft_fd_own(copy, weft_domain_in_place);
		}
		weft_mode_shared(fd, copy);
		if (entry) {
			entry->standard_error = weft_is_standard_error(fd);
		}
	}
}

int weft_call_dup(int fd)
{
	int copy = weft_may_open(1) ? dup(fd) : -1;

	duplicated(fd, copy);
	return copy;
}

/* A call that can't succeed leaves the target open: whoever waits for it must go on waiting. */
static void replacing(int fd, int target, int flags)
{
	int saved_errno = errno;

	if (!(flags & ~O_CLOEXEC) && fcntl(fd, F_GETFD) >= 0) {
		weft_fd_closing(target);
	}
	errno = saved_errno;
}

int weft_call_dup2(int fd, int target)
{
	if (fd == target) {
		return dup2(fd, target);
	}
	replacing(fd, target, 0);
	int copy = dup2(fd, target);
	duplicated(fd, copy);
	return copy;
}

int weft_call_dup3(int fd, int target, int flags)
{
	if (fd == target) {
		return dup3(fd, target, flags);
	}
	replacing(fd, target, flags);
	int copy = dup3(fd, target, flags);
	duplicated(fd, copy);
	return copy;
}

static void closing_range(unsigned int first, unsigned int last)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
		return;
	}
	for (unsigned int fd = first; fd <= last && fd < limit.rlim_cur; fd++) {
		weft_fd_closing((int) fd);
	}
}

void weft_call_closefrom(int first)
{
	closing_range(first < 0 ? 0 : (unsigned int) first, ~0u);
	closefrom(first);
}

int weft_call_close_range(unsigned int first, unsigned int last, int flags)
{
	if (!(flags & CLOSE_RANGE_CLOEXEC)) {
		closing_range(first, last);
	}
	return close_range(first, last, flags);
}

int weft_call_fcntl(int fd, int command, ...)
{
	va_list list;
	int result;

	va_start(list, command);
	void *argument = va_arg(list, void *);
	va_end(list);

	if (command == F_SETLKW || command == F_OFD_SETLKW) {
		return weft_lock_record(fd, command, argument);
	}
	if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && !weft_may_open(1)) {
		return -1;
	}
	result = fcntl(fd, command, argument);
	if (result >= 0 && weft_tracking()) {
		if (command == F_SETFL) {
			weft_mode_set(fd, (uintptr_t) argument & O_NONBLOCK);
		} else if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
			duplicated(fd, result);
		}
	}
	return result;
}

int weft_call_ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	int result;

	va_start(list, request);
	void *argument = va_arg(list, void *);
	va_end(list);

	result = ioctl(fd, request, argument);
	if (request == FIONBIO && result == 0 && weft_tracking()) {
		weft_mode_set(fd, *(const int *) argument != 0);
	}
	return result;
}

int weft_call_pipe2(int ends[2], int flags)
{
	int result = weft_may_open(2) ? pipe2(ends, flags) : -1;

	if (result == 0) {
		weft_opened(ends[0], flags & O_NONBLOCK);
		weft_opened(ends[1], flags & O_NONBLOCK);
	}
	return result;
}

int weft_call_pipe(int ends[2])
{
	return weft_call_pipe2(ends, 0);
}

int weft_call_epoll_create(int size)
{
	int fd = weft_may_open(1) ? epoll_create(size) : -1;

	weft_opened(fd, false);
	return fd;
}

int weft_call_epoll_create1(int flags)
{
	int fd = weft_may_open(1) ? epoll_create1(flags) : -1;

	weft_opened(fd, false);
	return fd;
}

int weft_call_eventfd(unsigned int value, int flags)
{
	int fd = weft_may_open(1) ? eventfd(value, flags) : -1;

	weft_opened(fd, flags & EFD_NONBLOCK);
	return fd;
}
