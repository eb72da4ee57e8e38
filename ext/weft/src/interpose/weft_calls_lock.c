/*
 * File locks. The kernel has no way to be told when one comes free without waiting for it, so: try, sleep a
 * little longer each time (at most WEFT_RETRY_LONGEST_NS), try again. No queue is kept: under contention whoever
 * tries first after the release gets the lock. A deadlock that fcntl() would report as EDEADLK just goes on.
 */
#include "interpose/weft_calls.h"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

/* Sets errno and returns false when the wait is over. */
static bool lock_try_again(uint64_t *pause, const char *what)
{
	int error = weft_wait_retry(pause, WEFT_NO_DEADLINE, what, false);

	if (error != 0) {
		errno = error;
	}
	return error == 0;
}

int weft_call_flock(int fd, int operation)
{
	uint64_t pause = 0;
	int saved_errno = errno;

	if ((operation & (LOCK_NB | LOCK_UN)) || !weft_may_wait()) {
		return flock(fd, operation);
	}
	while (flock(fd, operation | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK || !lock_try_again(&pause, "flock")) {
			return -1;
		}
	}
	errno = saved_errno;
	return 0;
}

int weft_lock_record(int fd, int command, struct flock *lock)
{
	int attempt = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
	uint64_t pause = 0;
	int saved_errno = errno;

	if (!weft_may_wait()) {
		return fcntl(fd, command, lock);
	}
	while (fcntl(fd, attempt, lock) != 0) {
		if ((errno != EAGAIN && errno != EACCES) || !lock_try_again(&pause, "fcntl lock")) {
			return -1;
		}
	}
	errno = saved_errno;
	return 0;
}

int weft_call_lockf(int fd, int command, off_t size)
{
	uint64_t pause = 0;
	int saved_errno = errno;

	if (command != F_LOCK || !weft_may_wait()) {
		return lockf(fd, command, size);
	}
	while (lockf(fd, F_TLOCK, size) != 0) {
		if ((errno != EAGAIN && errno != EACCES) || !lock_try_again(&pause, "lockf")) {
			return -1;
		}
	}
	errno = saved_errno;
	return 0;
}
