/*
 * Semaphores and message queues, System V and POSIX. Tried without waiting, then again after growing pauses, as
 * for file locks; POSIX queues are descriptors and are waited for as such.
 */
#include "interpose/weft_calls.h"
#include <stdlib.h>
#include <string.h>

/* More operations than this in one semop() are left to the kernel; nobody passes so many. */
#define WEFT_SEMAPHORE_OPERATIONS 32

static bool ipc_try_again(uint64_t *pause, uint64_t deadline, const char *what)
{
	int error = weft_wait_retry(pause, deadline, what, true);

	if (error != 0) {
		errno = error;
	}
	return error == 0;
}

static bool any_nowait(const struct sembuf *operations, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (operations[i].sem_flg & IPC_NOWAIT) {
			return true;
		}
	}
	return false;
}

int weft_call_semtimedop(int id, struct sembuf *operations, size_t count, const struct timespec *timeout)
{
	struct sembuf attempt[WEFT_SEMAPHORE_OPERATIONS];
	uint64_t pause = 0;

	/* With IPC_NOWAIT on some of several operations only the kernel knows which one would have waited. */
	if (count > WEFT_SEMAPHORE_OPERATIONS || !weft_may_wait() || any_nowait(operations, count) ||
		(timeout && !weft_timespec_valid(timeout))) {
		return semtimedop(id, operations, count, timeout);
	}
	uint64_t deadline = timeout ? weft_deadline_in(weft_timespec_ns(timeout)) : WEFT_NO_DEADLINE;
	memcpy(attempt, operations, count * sizeof(*attempt));
	for (size_t i = 0; i < count; i++) {
		attempt[i].sem_flg |= IPC_NOWAIT;
	}
	int result;
	while ((result = semop(id, attempt, count)) != 0 && errno == EAGAIN) {
		if (!ipc_try_again(&pause, deadline, "semop")) {
			return -1;
		}
	}
	return result;
}

int weft_call_semop(int id, struct sembuf *operations, size_t count)
{
	if (!weft_may_wait()) {
		return semop(id, operations, count);
	}
	return weft_call_semtimedop(id, operations, count, NULL);
}

int weft_call_msgsnd(int id, const void *message, size_t size, int flags)
{
	uint64_t pause = 0;

	if ((flags & IPC_NOWAIT) || !weft_may_wait()) {
		return msgsnd(id, message, size, flags);
	}
	int result;
	while ((result = msgsnd(id, message, size, flags | IPC_NOWAIT)) != 0 && errno == EAGAIN) {
		if (!ipc_try_again(&pause, WEFT_NO_DEADLINE, "msgsnd")) {
			return -1;
		}
	}
	return result;
}

ssize_t weft_call_msgrcv(int id, void *message, size_t size, long type, int flags)
{
	uint64_t pause = 0;

	if ((flags & IPC_NOWAIT) || !weft_may_wait()) {
		return msgrcv(id, message, size, type, flags);
	}
	ssize_t got;
	while ((got = msgrcv(id, message, size, type, flags | IPC_NOWAIT)) < 0 && errno == ENOMSG) {
		if (!ipc_try_again(&pause, WEFT_NO_DEADLINE, "msgrcv")) {
			return -1;
		}
	}
	return got;
}

static int semaphore_until(sem_t *semaphore, uint64_t deadline)
{
	uint64_t pause = 0;
	int result;

	while ((result = sem_trywait(semaphore)) != 0 && errno == EAGAIN) {
		if (!ipc_try_again(&pause, deadline, "sem_wait")) {
			if (errno == EAGAIN) {
				errno = ETIMEDOUT;
			}
			return -1;
		}
	}
	return result;
}

int weft_call_sem_wait(sem_t *semaphore)
{
	return weft_may_wait() ? semaphore_until(semaphore, WEFT_NO_DEADLINE) : sem_wait(semaphore);
}

int weft_call_sem_timedwait(sem_t *semaphore, const struct timespec *deadline)
{
	if (!weft_may_wait() || !weft_timespec_valid(deadline)) {
		return sem_timedwait(semaphore, deadline);
	}
	return semaphore_until(semaphore, weft_deadline_at(CLOCK_REALTIME, deadline));
}

int weft_call_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline)
{
	if (!weft_may_wait() || !weft_timespec_valid(deadline) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)) {
		return sem_clockwait(semaphore, clock, deadline);
	}
	return semaphore_until(semaphore, weft_deadline_at(clock, deadline));
}

/* A deadline in the past makes the timed calls report ETIMEDOUT where they would have waited, and EAGAIN for a
 * queue in non-blocking mode. */
static const struct timespec long_ago = {0, 0};

static uint64_t queue_deadline(const struct timespec *deadline)
{
	return deadline ? weft_deadline_at(CLOCK_REALTIME, deadline) : WEFT_NO_DEADLINE;
}

/* Returns true to try again, false with errno set. */
static bool wait_for_queue(mqd_t queue, uint32_t event, uint64_t deadline, const char *what)
{
	if (errno != ETIMEDOUT) {
		return false;
	}
	weft_fd_drained((int) queue, event);
	int error = weft_wait_fd((int) queue, event, deadline, what);
	if (error != 0) {
		errno = error == EAGAIN ? ETIMEDOUT : error;
	}
	return error == 0;
}

int weft_call_mq_timedsend(mqd_t queue, const char *message, size_t size, unsigned int priority,
	const struct timespec *deadline)
{
	int result;

	if (!weft_may_wait() || (deadline && !weft_timespec_valid(deadline))) {
		return mq_timedsend(queue, message, size, priority, deadline);
	}
	uint64_t until = queue_deadline(deadline);
	do {
		result = mq_timedsend(queue, message, size, priority, &long_ago);
	} while (result != 0 && wait_for_queue(queue, WEFT_OUT, until, "mq_send"));
	return result;
}

ssize_t weft_call_mq_timedreceive(mqd_t queue, char *message, size_t size, unsigned int *priority,
	const struct timespec *deadline)
{
	ssize_t result;

	if (!weft_may_wait() || (deadline && !weft_timespec_valid(deadline))) {
		return mq_timedreceive(queue, message, size, priority, deadline);
	}
	uint64_t until = queue_deadline(deadline);
	do {
		result = mq_timedreceive(queue, message, size, priority, &long_ago);
	} while (result < 0 && wait_for_queue(queue, WEFT_IN, until, "mq_receive"));
	return result;
}

int weft_call_mq_send(mqd_t queue, const char *message, size_t size, unsigned int priority)
{
	return weft_may_wait() ? weft_call_mq_timedsend(queue, message, size, priority, NULL)
						   : mq_send(queue, message, size, priority);
}

ssize_t weft_call_mq_receive(mqd_t queue, char *message, size_t size, unsigned int *priority)
{
	return weft_may_wait() ? weft_call_mq_timedreceive(queue, message, size, priority, NULL)
						   : mq_receive(queue, message, size, priority);
}
