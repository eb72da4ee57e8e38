/*
 * The thread that watches, and what the one that runs PHP does for it.
 */
#include "coroutine/weft_time_slice.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_preempt.h"
#include "coroutine/weft_scheduler.h"
#include "php_weft.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <sys/prctl.h>

/* The thread sleeps and counts. */
#define STACK 65536
/* Shorter naps would be mostly overhead. */
#define SHORTEST_NAP 10000
/* Who has used up this part of a slice less is not worth another nap. */
#define TOLERANCE 16
/* How long somebody computes before his limits are looked at, where there are no slices (weft.time_slice=0). */
#define LOOK_AT_LIMITS (10 * WEFT_NS_PER_MS)

weft_time_slice_state weft_time_slice = {.used_up = UINT32_MAX};

static void (*plain_interrupt)(zend_execute_data *execute_data);
static bool ends_turns; /* the directive says so */
static bool allowed;    /* who has computed for a slice may be left */
static bool watched;    /* who has must be looked at */
static uint64_t slice;  /* nanoseconds; 0: nobody is interrupted */
static bool running;
static pthread_t thread;
static clockid_t php_clock; /* CPU time of the thread that runs PHP */
static sem_t wanted;
static atomic_bool ended;

/* --- in the watching thread --- */

typedef struct {
	uint32_t turn;
	uint64_t since; /* CPU time when that turn was first seen */
	bool used_up;
	uint64_t until; /* CPU time when it was last told so */
} watched_turn;

static uint64_t computed(void)
{
	struct timespec time;

	clock_gettime(php_clock, &time);
	return (uint64_t) time.tv_sec * WEFT_NS_PER_SEC + (uint64_t) time.tv_nsec;
}

static void nap(uint64_t nanoseconds)
{
	struct timespec time;

	if (nanoseconds < SHORTEST_NAP) {
		nanoseconds = SHORTEST_NAP;
	}
	time.tv_sec = (time_t) (nanoseconds / WEFT_NS_PER_SEC);
	time.tv_nsec = (long) (nanoseconds % WEFT_NS_PER_SEC);
	nanosleep(&time, NULL);
}

static bool is_idle(const watched_turn *watched)
{
	return atomic_load_explicit(&weft_time_slice.idle, memory_order_relaxed) &&
		atomic_load_explicit(&weft_time_slice.turns, memory_order_relaxed) == watched->turn;
}

/* One more look after saying so: a turn that began without seeing `asleep` shows by then. */
static void sleep_while_idle(const watched_turn *watched)
{
	atomic_store(&weft_time_slice.asleep, true);
	nap(slice / 2);
	if (is_idle(watched) || !atomic_exchange(&weft_time_slice.asleep, false)) {
		while (sem_wait(&wanted) != 0 && errno == EINTR) {
		}
	}
}

/* When it began is not known, unless it took over from one that had used up its slice. */
static uint64_t see_next_turn(watched_turn *watched, uint32_t turn)
{
	uint64_t now = computed();
	bool known = watched->used_up && turn == watched->turn + 1;

	watched->since = known ? watched->until : now;
	watched->turn = turn;
	watched->used_up = false;
	atomic_store_explicit(&weft_time_slice.look, true, memory_order_relaxed);
	return known && now - watched->since < slice / 2 ? slice - (now - watched->since) : slice / 2;
}

/* The slice is one of CPU time: on a busy machine a request must not lose its turn for what others compute. Who can't
 * be left now, or has nobody waiting, is asked again soon. Returns when to look again. */
static uint64_t watcher_look(watched_turn *watched)
{
	uint32_t turn = atomic_load_explicit(&weft_time_slice.turns, memory_order_relaxed);
	uint64_t now;

	if (turn != watched->turn) {
		return see_next_turn(watched, turn);
	}
	now = computed();
	if (!watched->used_up && now - watched->since + slice / TOLERANCE < slice) {
		return slice - (now - watched->since);
	}
	if (!watched->used_up) {
		atomic_fetch_add_explicit(&weft_time_slice.slices, 1, memory_order_relaxed);
	}
	watched->used_up = true;
	watched->until = now;
	atomic_store_explicit(&weft_time_slice.used_up, turn, memory_order_relaxed);
	atomic_store_explicit(&weft_time_slice.look, true, memory_order_relaxed);
	WEFT_SET_VM_INTERRUPT();
	return slice / 4;
}

static void *watcher_run(void *unused)
{
	watched_turn watched = {0};

	prctl(PR_SET_NAME, "weft-slice");
	while (!ended) {
		if (is_idle(&watched)) {
			sleep_while_idle(&watched);
		} else {
			nap(watcher_look(&watched));
		}
	}
	return NULL;
}

/* --- in the thread that runs PHP --- */

/* Signals are for this thread. */
static bool watcher_start(void)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	bool started;

	if (pthread_getcpuclockid(pthread_self(), &php_clock) != 0) {
		return false;
	}
	ended = false;
	sem_init(&wanted, 0, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = pthread_create(&thread, &attributes, watcher_run, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return started;
}

void weft_time_slice_wake(void)
{
	if (!atomic_exchange(&weft_time_slice.asleep, false)) {
		return;
	}
	if (running) {
		sem_post(&wanted);
	} else {
		/* Without a thread, for want of memory or processes, requests take turns where they wait. */
		running = watcher_start();
	}
}

/* The next turn starts it. */
static void want_thread(void)
{
	if (!running) {
		weft_time_slice.asleep = allowed || watched;
	}
}

void weft_time_slice_allow(bool allow)
{
	allowed = allow && slice && ends_turns && weft_interrupts_are_harmless();
	want_thread();
}

void weft_time_slice_watch(void)
{
	watched = slice && weft_interrupts_are_harmless();
	want_thread();
}

uint64_t weft_time_slice_length(void)
{
	return allowed ? slice : 0;
}

uint32_t weft_time_slices_used(void)
{
	return atomic_load_explicit(&weft_time_slice.slices, memory_order_relaxed);
}

bool weft_interrupts_come(void)
{
	return slice && weft_interrupts_are_harmless();
}

uint32_t weft_interrupts_served(void)
{
	return atomic_load_explicit(&weft_time_slice.served, memory_order_relaxed);
}

void weft_time_slice_stop(void)
{
	if (!running) {
		return;
	}
	ended = true;
	sem_post(&wanted);
	pthread_join(thread, NULL);
	running = false;
	weft_time_slice.asleep = weft_time_slice.idle = false;
}

void weft_time_slice_after_fork(void)
{
	running = false;
	watched = false;
	want_thread();
	weft_time_slice.idle = false;
}

void (*weft_at_slice_end)(void);

void weft_end_turn_after_slice(void)
{
	if (allowed && weft_time_slice.used_up == weft_time_slice.turns) {
		weft_preempt_after_slice();
	}
}

static void time_slice_on_interrupt(zend_execute_data *execute_data)
{
	atomic_fetch_add_explicit(&weft_time_slice.served, 1, memory_order_relaxed);
	if (plain_interrupt) {
		plain_interrupt(execute_data);
	}
	/* It may have been meant for the turn before. */
	if (weft_time_slice.used_up == weft_time_slice.turns && weft_current) {
		if (weft_at_slice_end) {
			weft_at_slice_end();
		}
		if (allowed && weft_may_preempt(execute_data)) {
			weft_preempt_after_slice();
		}
	}
	/* without a frame nobody could catch it */
	if (weft_current && UNEXPECTED(weft_current->cancel_at_once) && execute_data) {
		weft_scheduler_throw_at_once();
	}
}

/* Stress mode takes turns away more often than any slice. */
void weft_time_slice_minit(void)
{
	ends_turns = WEFT_G(time_slice) > 0;
	slice = ends_turns ? (uint64_t) (WEFT_G(time_slice) * (double) WEFT_NS_PER_MS) : LOOK_AT_LIMITS;
	if (WEFT_G(stress)) {
		slice = 0;
	} else {
		plain_interrupt = zend_interrupt_function;
		zend_interrupt_function = time_slice_on_interrupt;
	}
}

void weft_time_slice_mshutdown(void)
{
	weft_time_slice_stop();
	if (zend_interrupt_function == time_slice_on_interrupt) {
		zend_interrupt_function = plain_interrupt;
	}
}
