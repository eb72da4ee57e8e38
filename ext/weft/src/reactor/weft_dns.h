/*
 * Name look-ups on a small pool of threads, since the resolver waits inside libc.
 * Threads start at the first look-up and do not survive a fork (weft_reactor_after_fork() resets the pool).
 */
#ifndef WEFT_DNS_H
#define WEFT_DNS_H

#include "reactor/weft_reactor.h"

/* How many look-ups may run at once; further ones queue. Four, as libuv's pool: resolvers rarely gain more. */
#define WEFT_DNS_THREADS 4

/* A job for the pool: `work` runs on a thread of the pool (plain libc, no PHP), then `done` on the reactor's. */
typedef struct weft_dns_job weft_dns_job;
struct weft_dns_job {
	void (*work)(weft_dns_job *job);
	void (*done)(weft_dns_job *job);
	weft_dns_job *next;         /* the pool's */
	weft_completion completion; /* the pool's */
};

/* Queues the job; it must stay alive until `done` was called. Returns 0 or an errno (no thread could start). */
int weft_dns_submit(weft_dns_job *job);
/* What a look-up may read and is replaced can be freed when this number has grown by WEFT_DNS_PHASES since: the
 * look-ups that ran then have ended. It grows when it is asked for. */
#define WEFT_DNS_PHASES 2
uint64_t weft_dns_phase(void);
/* Ends the threads after the job each is at. */
void weft_dns_stop(void);
void weft_dns_after_fork(void);

#endif /* WEFT_DNS_H */
