/*
 * How a replaced call waits: for descriptors, for a moment, or for its turn to try again.
 */
#ifndef WEFT_WAIT_H
#define WEFT_WAIT_H

#include "php.h"
#include "coroutine/weft_coroutine.h"
#include "interpose/weft_interpose.h"
#include "reactor/weft_reactor.h"
#include <poll.h>
#include <time.h>
#include <unistd.h>

#define WEFT_NO_DEADLINE UINT64_MAX

/* A wait rests on the edges that epoll reports. Should one ever be missed (a descriptor that another thread or a
 * library closed behind our back), the wait asks the kernel again after this long. */
#define WEFT_REVERIFY_NS WEFT_NS_PER_SEC
/* The same for a descriptor that the epoll set would not take, and for signals that only the wait unblocks. */
#define WEFT_POLLING_NS (10 * WEFT_NS_PER_MS)
/* Calls that can only be tried again (locks, System V IPC): first pause, and the longest one. */
#define WEFT_RETRY_FIRST_NS (100 * WEFT_NS_PER_US)
#define WEFT_RETRY_LONGEST_NS (10 * WEFT_NS_PER_MS)
/* Poll sets up to this size are kept on the stack. */
#define WEFT_WAIT_ON_STACK 64

/* What this thread is. Initial-exec: one load, no call. */
typedef enum {
	WEFT_THREAD_FOREIGN, /* a library's, or the DNS pool's: its calls are plain */
	WEFT_THREAD_PHP,     /* runs PHP, but calls are plain: a forked child before its scheduler starts */
	WEFT_THREAD_ARMED    /* runs PHP, and calls may suspend */
} weft_thread_kind;
extern __thread weft_thread_kind weft_thread __attribute__((tls_model("initial-exec")));

/* The first call that may have blocked in the frame of a module that is never left; `since` is 0: none has. */
typedef struct {
	uint64_t since, computed; /* weft_now(), and the CPU time of the thread */
} weft_blocked_call;
extern weft_blocked_call weft_blocked;
/* CPU time of this thread, in nanoseconds. */
uint64_t weft_thread_computed(void);
/* The running coroutine is in such a frame, and is about to make a call that may block. */
void weft_note_blocked(void);

/* Whether a call may wait by suspending its coroutine. Everything else is the plain libc call. */
static inline bool weft_may_wait(void)
{
	if (weft_thread != WEFT_THREAD_ARMED) {
		return false;
	}
	if (UNEXPECTED(!weft_can_suspend())) {
		if (weft_current && weft_current->unleft && !weft_blocked.since) {
			weft_note_blocked();
		}
		return false;
	}
	return true;
}

/* Whether the reactor's table is to be told of what happens to descriptors. */
static inline bool weft_tracking(void)
{
	return weft_thread == WEFT_THREAD_ARMED && weft_reactor_started();
}

/* poll(2) for coroutines. `fresh_mask`: signals to unblock for the wait, or NULL. `empty`: the caller has just
 * seen that nothing is ready, so the kernel need not be asked first. Returns like poll(2). */
typedef struct {
	uint64_t deadline;
	const char *what;
	const sigset_t *fresh_mask;
	bool empty;
	bool interruptible;
} weft_wait_options;
int weft_wait_set(struct pollfd *fds, nfds_t count, const weft_wait_options *options);

/* Waits for one descriptor on which the caller has just seen EAGAIN. Returns 0 when it is worth trying again,
 * else an errno: EAGAIN when the deadline has passed, EBADF when it was closed meanwhile, ECANCELED. */
int weft_wait_fd(int fd, uint32_t events, uint64_t deadline, const char *what);

/* Ends the connection, without closing the descriptor: nothing can be sent on it, and nothing is left to be read. */
void weft_hang_up(int fd);

/* Sleeps. Returns 0, EINTR or ECANCELED. */
int weft_wait_until(uint64_t deadline, const char *what, bool interruptible);

/* One pause between two tries; *pause grows, 0 at first. Returns 0, EAGAIN when the deadline has passed, EINTR
 * or ECANCELED. */
int weft_wait_retry(uint64_t *pause, uint64_t deadline, const char *what, bool interruptible);

/* weft_now() after so many nanoseconds, without overflow. */
uint64_t weft_deadline_in(uint64_t nanoseconds);
uint64_t weft_timespec_ns(const struct timespec *time);
bool weft_timespec_valid(const struct timespec *time);
/* The weft_now() time of a moment on another clock. */
uint64_t weft_deadline_at(clockid_t clock, const struct timespec *moment);

/* --- what is known of a descriptor (weft_fd_mode.c) --- */

/* Descriptor 2, or a duplicate of it, as php://stderr is one. */
static inline bool weft_is_standard_error(int fd)
{
	const weft_fd *entry = weft_fd_peek(fd);

	return fd == STDERR_FILENO || (entry && entry->standard_error);
}

/* Whether the application set O_NONBLOCK. */
bool weft_mode_nonblocking(int fd);
void weft_mode_set(int fd, bool nonblocking);
/* Two numbers now share one open file, and so one mode: neither can be remembered. */
void weft_mode_shared(int fd, int other);
/* SO_RCVTIMEO or SO_SNDTIMEO as a deadline from now. */
uint64_t weft_receive_deadline(int fd);
uint64_t weft_send_deadline(int fd);
void weft_timeouts_changed(int fd);

/* The number is about to be closed or replaced, on whichever thread. */
void weft_fd_closing(int fd);
/* Descriptors that other threads have closed since. */
void weft_fd_apply_foreign_closes(void);
void weft_fd_drop_foreign_closes(void);
void weft_fd_mode_after_fork(void);

#endif /* WEFT_WAIT_H */
