/*
 * The reactor: file descriptors (epoll), timers, rounds and completions from other threads.
 *
 * This floor knows no PHP value and no coroutine. Whoever wants to hear of something embeds one of the
 * structs below and gives a callback; the callback runs inside weft_reactor_poll(), must not block, must not
 * run PHP code, and may add or remove any watch or timer, its own included.
 *
 * Every descriptor is registered once, edge-triggered, for everything, and its readiness is remembered until
 * somebody reports it used up (weft_fd_drained) or the descriptor is closed (weft_fd_forget). So a wait on a
 * known descriptor costs no epoll_ctl.
 *
 * All functions are for the thread that called weft_reactor_start(), except weft_reactor_post().
 */
#ifndef WEFT_REACTOR_H
#define WEFT_REACTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

/* Everything here counts time in nanoseconds. */
#define WEFT_NS_PER_SEC UINT64_C(1000000000)
#define WEFT_NS_PER_MS UINT64_C(1000000)
#define WEFT_NS_PER_US UINT64_C(1000)

#define WEFT_IN EPOLLIN
#define WEFT_OUT EPOLLOUT
#define WEFT_PRI EPOLLPRI
#define WEFT_RDHUP EPOLLRDHUP
#define WEFT_ERR EPOLLERR
#define WEFT_HUP EPOLLHUP
/* The descriptor was closed while somebody waited on it. Never comes from the kernel. */
#define WEFT_CLOSED (1u << 27)
/* What is reported to every watch, wanted or not. */
#define WEFT_ALWAYS (WEFT_ERR | WEFT_HUP | WEFT_CLOSED)

/* One interest in one descriptor. */
typedef struct weft_watch weft_watch;
struct weft_watch {
	int fd;
	uint32_t events;                                   /* WEFT_IN, WEFT_OUT, WEFT_PRI, WEFT_RDHUP */
	void (*fire)(weft_watch *watch, uint32_t revents); /* may be called again and again until removed */
	weft_watch *next;                                  /* the reactor's */
	weft_watch **link;                                 /* the reactor's; NULL when not added */
};

/* One deadline. */
typedef struct weft_timer weft_timer;
struct weft_timer {
	uint64_t deadline;               /* nanoseconds of weft_now() */
	void (*fire)(weft_timer *timer); /* called once; the timer is no longer armed by then */
	uint32_t position;               /* the reactor's: place in the heap, 0 when not armed */
};

/* Work that goes on in the next round, behind who has become ready meanwhile. Unlike a timer that is due, it keeps
 * nobody waiting who asks whether somebody could go on. */
typedef struct weft_round weft_round;
struct weft_round {
	void (*fire)(weft_round *round); /* called once; it is no longer awaited by then */
	weft_round *next;                /* the reactor's */
	weft_round **link;               /* the reactor's; NULL when not awaited */
};

/* Something another thread has finished. */
typedef struct weft_completion weft_completion;
struct weft_completion {
	void (*fire)(weft_completion *completion); /* runs on the reactor's thread */
	weft_completion *next;                     /* the reactor's */
};

typedef enum {
	WEFT_FD_UNKNOWN = 0,
	WEFT_FD_SOCKET_STREAM_INET, /* TCP: a short read means that the buffer is empty */
	WEFT_FD_SOCKET,             /* any other socket */
	WEFT_FD_PIPE,               /* pipe or FIFO */
	WEFT_FD_POLLABLE,           /* terminals, eventfd, timerfd, pidfd, epoll … */
	WEFT_FD_ALWAYS_READY,       /* regular files and directories: epoll refuses them */
	WEFT_FD_INVALID
} weft_fd_kind;

/* What the reactor remembers of a descriptor. */
typedef struct {
	weft_watch *watches;
	struct weft_fd_owner *owner; /* who has it open (weft_fd_owners.h); NULL: the server */
	uint32_t generation;         /* tells a reused number from the descriptor that had it before */
	uint32_t ready;              /* edges seen and not used up: a hint to be verified, never a promise */
	uint8_t kind;                /* weft_fd_kind */
	bool registered;             /* in the epoll set */
	bool nonblocking;            /* valid when mode_known */
	bool mode_known;             /* the application's O_NONBLOCK has been asked for and nobody changed it since */
	bool standard_error;         /* a duplicate of descriptor 2 */
	bool timeouts_known;         /* SO_RCVTIMEO and SO_SNDTIMEO have been asked for */
	uint64_t receive_timeout;    /* nanoseconds, 0: none */
	uint64_t send_timeout;
	uint32_t sends; /* counts sends that the kernel has taken bytes of; goes on when the number is reused */
} weft_fd;

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t weft_now(void);
/* The same, and kept for weft_just_now(). In the thread that runs PHP. */
uint64_t weft_now_noted(void);
/* What that has said last: at the last switch between domains, say, or when the reactor got its events. For what
 * follows such a moment at once: a look at the clock takes as long as a hundred instructions. */
uint64_t weft_just_now(void);
/* The same clock as the kernel's last tick left it: some milliseconds behind at most, and five times cheaper. For ages
 * and limits of seconds. It may be behind a weft_now() of before. */
uint64_t weft_lately(void);

/* Opens the epoll set. Idempotent. Returns 0 or an errno. */
int weft_reactor_start(void);
bool weft_reactor_started(void);
/* Closes everything and frees all memory; watches and timers still armed are forgotten without a call. */
void weft_reactor_stop(void);
/* In a child of fork(): forgets the parent's epoll set, threads and registrations without touching them.
 * Watches and timers are dropped without a call. The coroutine floor calls it, by pthread_atfork(). */
void weft_reactor_after_fork(void);

/* The table of entries grows by chunks that never move, since watches point into their entry. */
#define WEFT_FD_CHUNK 256
#define WEFT_FD_CHUNKS 4096 /* a million descriptors: above any RLIMIT_NOFILE in use (fs.nr_open's default) */
extern weft_fd *weft_fd_chunks[WEFT_FD_CHUNKS];
/* The entry if there is one already. */
static inline weft_fd *weft_fd_peek(int fd)
{
	unsigned int number = (unsigned int) fd;
	/* weft_fd_sent() may come from another thread */
	weft_fd *chunk = number < WEFT_FD_CHUNK * WEFT_FD_CHUNKS
		? __atomic_load_n(&weft_fd_chunks[number / WEFT_FD_CHUNK], __ATOMIC_ACQUIRE)
		: NULL;

	return chunk ? &chunk[number % WEFT_FD_CHUNK] : NULL;
}
/* For weft_fd_get(): makes the one that is not there yet. */
weft_fd *weft_fd_add(int fd);
/* The entry of a descriptor, created when new; NULL for a number that can't be one. Valid until the
 * reactor stops. */
static inline weft_fd *weft_fd_get(int fd)
{
	weft_fd *entry = weft_fd_peek(fd);

	return __builtin_expect(entry != NULL, 1) ? entry : weft_fd_add(fd);
}
/* For weft_fd_classify(): the kind is not known yet. */
void weft_fd_find_kind(int fd, weft_fd *entry);
/* Like weft_fd_get(), and finds out the kind (one fstat, remembered). */
static inline weft_fd *weft_fd_classify(int fd)
{
	weft_fd *entry = weft_fd_get(fd);

	if (entry && entry->kind == WEFT_FD_UNKNOWN) {
		weft_fd_find_kind(fd, entry);
	}
	return entry;
}
/* The number is a new socket of this kind: there is nothing left to find out. */
void weft_fd_note_socket(int fd, int domain, int type, int protocol);
/* The kernel has taken bytes for it: counted when it has an entry already. From any thread. */
void weft_fd_sent(int fd);
/* Somebody saw EAGAIN, or a short read on a kind where that proves emptiness: those events are not ready. */
static inline void weft_fd_drained(int fd, uint32_t events)
{
	weft_fd *entry = weft_fd_peek(fd);

	if (entry) {
		entry->ready &= ~events;
	}
}
/* The number is about to be closed or replaced (dup2): wakes its watches with WEFT_CLOSED, leaves the epoll
 * set, and forgets all. To be called BEFORE the close. Keeps errno. */
void weft_fd_forget(int fd);

/* Begins to listen. Registers the descriptor when it is not. Returns 0 or an errno: EPERM when the descriptor
 * is always ready (regular file), EBADF when it is not open. An edge that was seen before counts only through
 * weft_fd.ready: verify that with poll(2) before waiting. */
int weft_watch_add(weft_watch *watch);
/* Idempotent. */
void weft_watch_remove(weft_watch *watch);

/* Arms or re-arms. Never fires before its deadline. */
void weft_timer_arm(weft_timer *timer, uint64_t deadline);
/* Idempotent. */
void weft_timer_disarm(weft_timer *timer);
static inline bool weft_timer_armed(const weft_timer *timer)
{
	return timer->position != 0;
}
/* Whether one that is armed is due at weft_just_now(), and has not fired. */
bool weft_timer_is_due(void);

/* Idempotent, both. */
void weft_round_await(weft_round *round);
void weft_round_forget(weft_round *round);

/* Counts something that will come through weft_reactor_post(), so that weft_reactor_expects() knows of it. */
void weft_reactor_expect(void);
/* From any thread: hands over a completion announced with weft_reactor_expect(). */
void weft_reactor_post(weft_completion *completion);

/* Whether anything is armed that could still fire: a watch, a timer or an expected completion. */
bool weft_reactor_expects(void);

/* One round: waits at most `timeout` nanoseconds (0: don't wait, -1: for ever) or until the next timer, not at all when
 * one of weft_round is awaited, and fires what is due. Returns how many callbacks ran, or -1 with errno EINTR when a
 * signal came first. */
int weft_reactor_poll(int64_t timeout);

#endif /* WEFT_REACTOR_H */
