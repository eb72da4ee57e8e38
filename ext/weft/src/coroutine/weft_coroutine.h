/*
 * Coroutines and their scheduler.
 *
 * A coroutine is a task that runs on a pooled zend_fiber_context. Switching is symmetric: who suspends picks
 * the next ready coroutine itself and enters the reactor only when none is ready. The main script is a
 * coroutine too, on the context it already has.
 *
 * This floor knows domains only as opaque pointers with hooks (floor domain installs them).
 */
#ifndef WEFT_COROUTINE_H
#define WEFT_COROUTINE_H

#include "php.h"
#include "main/php_output.h"
#include "zend_fibers.h"
#include "coroutine/weft_engine_state.h"
#include "reactor/weft_reactor.h"

/* Makes a domain, with a reference for the caller. */
typedef void *(*weft_domain_maker)(void);

typedef struct weft_coroutine weft_coroutine;

typedef enum {
	WEFT_COROUTINE_QUEUED,    /* never ran */
	WEFT_COROUTINE_RUNNING,   /* the one whose code runs */
	WEFT_COROUTINE_READY,     /* suspended, in the ready queue */
	WEFT_COROUTINE_SUSPENDED, /* waits for a wake-up */
	WEFT_COROUTINE_DONE
} weft_coroutine_state;

/* What a suspended coroutine waits for: read by DeadlockError, by Coroutine::getAwaitingInfo() and by people
 * in gdb. Strings are static or outlive the wait. */
typedef struct {
	const char *what;   /* "poll", "sleep", "await", "recv", "http write" … */
	int fd;             /* -1: none */
	const void *on;     /* what it waits for when that is no descriptor, or NULL */
	bool awaitable;     /* `on` is an awaitable of the async floor */
	bool interruptible; /* a signal ends this wait (poll, sleep, select): weft_suspend() returns EINTR */
} weft_wait_info;

/* What a coroutine has put in place for itself alone. Others must not see it: whenever it is left, and when it goes on,
 * `exchange` is called. C only. */
typedef struct weft_aside {
	void (*exchange)(struct weft_aside *aside);
	struct weft_aside *next;
} weft_aside;

/* Those of a domain that could run, in the order of their turns. A domain begins with its own. */
typedef struct weft_run_queue weft_run_queue;
struct weft_run_queue {
	weft_coroutine *first, *last;
	weft_run_queue *next; /* in the ring of those that are not empty */
	bool preempted;       /* the first one was computing when it lost its turn: weft_preempt() */
	bool has_used_up_slice;
	uint64_t computed; /* CPU time of its domain when the turn was lost */
};

/* What every switch reads and writes comes first, in one cache line. */
struct weft_coroutine {
	weft_coroutine_state state;
	bool is_main;
	bool background;             /* nobody waits for its end, and nobody cancels it at the script's */
	bool interrupted;            /* a signal ended its wait */
	bool own_output;             /* spawned: it has output buffers (weft_c_output.h) and a Fiber of its own, or none */
	bool stackless;              /* no stack could be had for it: entry never ran */
	bool cancel_requested;       /* weft_cancel() was called for it, whatever it made of that */
	bool bailed_out;             /* a fatal error ended it */
	bool cancel_at_once;         /* its cancellation is thrown where it computes, too */
	bool cancelled_no_more;      /* weft_cancel_no_more() */
	weft_domain_maker apart;     /* weft_coroutine_spawn_apart(): in the base it runs no PHP code; NULL: another one */
	bool unwinds;                /* it has been told to end by what nothing can catch */
	uint32_t no_switch;          /* >0: this coroutine must not suspend (weft_no_switch_begin) */
	uint32_t monitors;           /* >0: it is in a call of so many libraries that one coroutine at a time may use */
	uint32_t waits_cut;          /* how many of its waits for descriptors a cancellation has cut short */
	zend_fiber_context *context; /* where it was suspended: its own or a user Fiber's inside it */
	weft_coroutine *next;        /* run queue */
	void *domain;                /* floor domain's, begins with its weft_run_queue; NULL is the base */
	weft_run_queue *queue;       /* its domain's; of a request that has not begun its own */
	weft_engine_state *engine;   /* NULL: clean */
	weft_aside *aside;           /* NULL: nothing */
	zend_object *cancellation;   /* a Throwable waiting to be thrown into it; owned */
	const void *cut_call;        /* the call of a client that one has cut short: weft_client_call.h */
	zend_object *cut;            /* that one; owned */
	const void *client_call;     /* the frame of the innermost call whose client's own code runs; NULL: none */
	const void *client_row; /* foreach fetches the next of a client's rows: a call without a frame; NULL: it doesn't */
	void (*entry)(weft_coroutine *coroutine, void *arg); /* runs on the coroutine's own stack */
	void *arg;
	void (*finished)(weft_coroutine *coroutine, void *arg); /* after the last line of entry; off its VM stack */
	weft_run_queue not_begun;                               /* of `apart`, until it runs */
	weft_coroutine *all_next, **all_link;
	weft_coroutine *parent, *children;
	weft_coroutine *sibling_next, **sibling_link; /* a link only when it has a parent */
	weft_wait_info wait;
	zend_execute_data *suspended_at; /* the innermost frame while it waits */
	const void *unleft;              /* the module that is never left in whose frame it is; NULL: none */
	struct weft_context *home;       /* the context that runs it; NULL for the main script */
	uint64_t id;                     /* 1, 2, … ; the main script is 1 */
	zend_object *fiber;              /* its Fiber, when PHP code has asked for one */
	zend_object *object;             /* its Async\Coroutine, when PHP code has asked for one */
	zend_string *spawn_file;
	uint32_t spawn_line;
};

/* The running one; NULL before the scheduler has started and while the reactor runs after one has ended. */
extern weft_coroutine *weft_current;
/* Callbacks of the reactor run, and no coroutine's code, whichever is the running one. */
extern bool weft_reacting;

/* --- life --- */

/* Queues a new coroutine in the current domain. `entry` runs inside zend_try (a bailout is caught and noted in
 * bailed_out). It gets its stack when it first runs; when none can be had, only `finished` is called, with
 * stackless set. Never returns NULL. */
weft_coroutine *weft_coroutine_spawn(void (*entry)(weft_coroutine *, void *), void *arg,
	void (*finished)(weft_coroutine *, void *));

/* The same in that domain (NULL: the base). */
weft_coroutine *weft_coroutine_spawn_in(void *domain, void (*entry)(weft_coroutine *, void *), void *arg,
	void (*finished)(weft_coroutine *, void *));

/* The same in a domain of its own, which `domain` makes when the coroutine first runs and which it leaves when it ends:
 * a request. This is the one place where such a domain begins, and the one where it is left. */
weft_coroutine *weft_coroutine_spawn_apart(void (*entry)(weft_coroutine *, void *), void *arg,
	void (*finished)(weft_coroutine *, void *), weft_domain_maker domain);

/* For floors that keep something per coroutine. `parent` is NULL when no coroutine was running. C only. */
typedef void (*weft_coroutine_spawned_hook)(const weft_coroutine *parent, const weft_coroutine *child);
typedef void (*weft_coroutine_ended_hook)(const weft_coroutine *coroutine);
void weft_coroutine_observe(weft_coroutine_spawned_hook spawned, weft_coroutine_ended_hook ended);

/* --- waiting --- */

/* Whether the running code may suspend: on the PHP thread, in a coroutine, and not in a region where a switch
 * is forbidden (compiler, autoloader, GC, output callback). What zend_fiber_switch_blocked() says does not count:
 * PHP before 8.4 blocks switches in every destructor for the sake of those that the collector runs, and those are
 * known here. Hot. */
static zend_always_inline bool weft_can_suspend(void)
{
	return EXPECTED(weft_current != NULL) && !weft_current->no_switch && !weft_collecting && !CG(in_compilation) &&
		!CG(current_linking_class) && weft_autoloading_count() == 0 && !OG(running);
}

/* Suspends until weft_wake(). The caller has arranged for that before. Returns 0 when woken, ECANCELED when
 * the coroutine was cancelled meanwhile (the exception is thrown when control returns to the VM), EINTR when
 * info->interruptible and a signal came, EDEADLK when nothing can ever wake it (a DeadlockError is pending).
 * Must only be called when weft_can_suspend(). Keeps errno. */
int weft_suspend(const weft_wait_info *info);

/* Makes a suspended coroutine ready. Harmless when it is ready, running or done. From reactor callbacks and
 * from other coroutines. */
void weft_wake(weft_coroutine *coroutine);

/* What a signal does to the sleep of a process: ends the wait of one coroutine of that domain, the main script's if it
 * is one, when one of them waits interruptibly. */
bool weft_interrupt(const void *domain);

/* From the handler of a signal that is the server's, not the application's: it ends nobody's sleep. */
void weft_signal_is_ours(void);

/* Back of the queue; returns when it is this coroutine's turn again. */
void weft_yield(void);

/* Lets a coroutine of another domain run when one is ready (descriptors and timers are looked at). No other one of its
 * domain runs before it goes on: they count on being interrupted only where they wait. For the same reason no
 * cancellation is delivered here. False when nobody else is ready. Must only be called when weft_can_suspend(). */
bool weft_preempt(void);
/* The same at the end of a time slice. Who has used up one before goes on before others that have, until it has
 * computed for WEFT_LONG. */
bool weft_preempt_after_slice(void);
/* For C that computes: if the running turn has lasted for a time slice. */
void weft_end_turn_after_slice(void);
/* CPU time, in nanoseconds, of a domain. A request that has computed for so long keeps nobody waiting. */
#define WEFT_LONG (250 * WEFT_NS_PER_MS)
/* Whether one of that domain is in the middle of something: weft_yield() lets it go on. */
bool weft_domain_was_preempted(const void *domain);
/* Domains share no PHP value from now on (or do again): who computes for longer than weft.time_slice may be left
 * anywhere in its code. */
void weft_time_slice_allow(bool allow);
/* Nanoseconds; 0: nobody loses a turn for having computed. */
uint64_t weft_time_slice_length(void);
/* How many turns have lasted for weft.time_slice since the process began; it may wrap. */
uint32_t weft_time_slices_used(void);
/* Whether who computes in PHP is asked from time to time, be it for his turn or for his limits. Not with a JIT that an
 * interrupt would mislead, nor in stress mode. */
bool weft_interrupts_come(void);
/* How often that has been; it may wrap. From any thread. */
uint32_t weft_interrupts_served(void);
/* Domains of which a coroutine could run and has not got its turn; a request that has not begun counts as one. */
uint32_t weft_ready_count(void);
/* Those of them whose coroutine was computing when it lost its turn. */
uint32_t weft_preempted_count(void);
/* Of the domains that compute, but for those that have for WEFT_LONG: what the one has computed that has for the
 * shortest time, in nanoseconds. UINT64_MAX: none does. From the reactor, which may have been asked at the end of a
 * slice. */
uint64_t weft_computed_least(void);
/* Whoever computes for longer is at least interrupted from now on, where nobody may be left as well: for limits. */
void weft_time_slice_watch(void);
/* Called on a coroutine that has computed for a time slice, and at every quarter of one after that, in whatever region
 * it is. C only. NULL: nobody wants to know. */
extern void (*weft_at_slice_end)(void);

/* Called on a coroutine that has waited for time or a descriptor, or let others run; not where it has waited for
 * another coroutine. May suspend it again, so that it goes on later. NULL: nobody wants to know. */
extern void (*weft_after_wait)(void);

/* Suspends until the deadline (weft_now() time). Returns as weft_suspend(). */
int weft_sleep_until(uint64_t deadline, const char *what);

/* Throws `exception` (a Throwable; a reference is taken) into the coroutine at its next chance, and wakes it. */
void weft_cancel(weft_coroutine *coroutine, zend_object *exception);
/* The same, but it need not wait for that: it is interrupted where it computes. In place of a cancellation that has not
 * been thrown yet. */
void weft_cancel_at_once(weft_coroutine *coroutine, zend_object *exception);
/* Takes back a cancellation that has not been thrown yet. */
void weft_cancel_withdraw(weft_coroutine *coroutine);
/* And there will be none: it frees the objects of its domain, of which a cancellation is one. */
void weft_cancel_no_more(weft_coroutine *coroutine);

/* --- families: who was spawned by whom --- */

/* Makes a new coroutine the child of the running one. Who ends leaves the children it still has to its own parent. */
void weft_family_join(weft_coroutine *child);
/* The scheduler's: it has ended. */
void weft_family_leave(weft_coroutine *coroutine);
/* weft_cancel() for all that descend from it. Who was cancelled before is at work on its end, with those that it has
 * spawned for that: it is left alone. */
void weft_cancel_children(weft_coroutine *coroutine, zend_object *exception);
/* And for itself. */
void weft_cancel_family(weft_coroutine *coroutine, zend_object *exception);
/* Suspends until the running one has no child left. Returns as weft_suspend(). */
int weft_wait_for_children(void);

/* --- the scheduler --- */

/* So many come and go all the time: as many idle stacks are kept for them at least, more if weft.stack_pool says so. */
void weft_stacks_for(uint32_t coroutines);
/* Makes the running script a coroutine and starts the reactor. Idempotent, cheap when started. */
bool weft_scheduler_start(void);
/* From the main coroutine: suspends it until no other is left. False when an exception came first. */
bool weft_scheduler_wait_for_others(void);
/* PHP code in a coroutine has called exit(), or has ended in a fatal error. Called on its stack, its domain in place.
 * C only. NULL in a script: then the whole script ends, as it does in plain PHP. A server installs one. */
extern void (*weft_on_exit)(weft_coroutine *coroutine, bool fatal);
/* A coroutine that has an object is gone, or about to leave its domain; the async floor installs it to tell the object.
 * Runs no PHP code. */
extern void (*weft_on_gone)(weft_coroutine *coroutine);
/* The main script's coroutine; NULL before the scheduler has started. */
extern weft_coroutine *weft_main;
/* Called when every coroutine waits for something that cannot happen: must wake or cancel at least one. The
 * async floor installs it (it knows the exception classes). */
extern void (*weft_on_deadlock)(void);
/* Takes a coroutine out of those that keep a script alive. */
void weft_coroutine_set_background(weft_coroutine *coroutine);
/* How many coroutines exist that are not DONE, the main script included, those in the background not. */
uint32_t weft_coroutine_count(void);
/* Around PHP code that may go deep, once in a coroutine: gives it a page of the VM stack that stays until the end, when
 * such code has gone deep before. An exception passes; after a bailout the coroutine's end does the rest. */
void weft_vm_stack_widen(void);
void weft_vm_stack_narrow(void);
/* Whether there is none beside the running one, not even in the background. */
bool weft_coroutine_alone(void);
/* Whether each coroutine of that domain, the running one left out, waits for another coroutine: nothing from outside
 * will wake any of them, as long as those of other domains don't. */
bool weft_domain_waits_for_itself(const void *domain);
void weft_scheduler_each(void (*visit)(weft_coroutine *, void *), void *arg);

static inline void weft_aside_add(weft_coroutine *coroutine, weft_aside *aside)
{
	aside->next = coroutine->aside;
	coroutine->aside = aside;
}

/* Nothing when it is not there. */
static inline void weft_aside_remove(weft_coroutine *coroutine, const weft_aside *aside)
{
	weft_aside **link = &coroutine->aside;

	while (*link && *link != aside) {
		link = &(*link)->next;
	}
	if (*link) {
		*link = aside->next;
	}
}

/* The one of those that does that; NULL: none. */
static inline weft_aside *weft_aside_find(const weft_coroutine *coroutine, void (*exchange)(weft_aside *aside))
{
	weft_aside *aside = coroutine->aside;

	while (aside && aside->exchange != exchange) {
		aside = aside->next;
	}
	return aside;
}

/* The scheduler's: all of a coroutine. */
void weft_aside_exchange_all(weft_aside *first);

/* --- libraries that one coroutine at a time may use (interpose/guard/weft_monitor.h). C only; NULL: none --- */

/* A coroutine that is in calls of some ends, or was ended by a fatal error. */
extern void (*weft_monitors_release)(weft_coroutine *coroutine, bool bailed_out);
/* The running one is in such a call and is about to wait for no descriptor. False: that would be for ever, and an
 * exception says why. */
extern bool (*weft_monitors_may_wait)(const weft_wait_info *info);
/* The collector must not run now, and will be called later. */
extern bool (*weft_collects_later)(void);
/* Calls `visit` for the coroutines whose ends a suspended one waits for, until one is what is looked for. The async
 * floor knows them. C only. */
typedef bool (*weft_awaited_visitor)(const weft_coroutine *awaited, void *arg);
extern bool (*weft_each_awaited)(const weft_coroutine *waiter, weft_awaited_visitor visit, void *arg);

/* Regions in which the running coroutine must not suspend: interposed calls are then the plain libc call. */
void weft_no_switch_begin(void);
void weft_no_switch_end(void);

/* Hooks of floor domain. */
typedef struct {
	void *(*inherit)(void *parent_domain); /* for a new coroutine; takes a reference */
	void (*drop)(void *domain);            /* the coroutine is done */
	void (*enter)(void *domain);           /* put this domain's values in place (called before its code runs,
	                                          only when another domain's are in place) */
	void (*prepare)(void);                 /* the running coroutine is about to be left, and may still end in a fatal
	                                          error of its own: take the memory that takes. May be NULL */
} weft_domain_hooks;
extern weft_domain_hooks weft_domains;
/* The domain whose values are in place now. */
extern void *weft_domain_in_place;
/* What is in place is as the base is, and no PHP code has run since, nor has there been an error. */
extern bool weft_base_undisturbed;
/* Moves the running coroutine into another domain, which is entered at once. */
void weft_coroutine_set_domain(weft_coroutine *coroutine, void *domain);

/* Module life. */
void weft_coroutine_minit(void);
void weft_coroutine_mshutdown(void);
void weft_coroutine_rinit(void);
void weft_coroutine_rshutdown(void);
/* In a worker after fork(): the other coroutines do not exist here. */
void weft_coroutine_after_fork(void);

#endif /* WEFT_COROUTINE_H */
