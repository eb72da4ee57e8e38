/*
 * The scheduler: who runs next, the switch to it, and everything that makes a coroutine wait, wake or end.
 */
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_context.h"
#include "coroutine/weft_cpu_time.h"
#include "coroutine/weft_engine_clean.h"
#include "coroutine/weft_errors.h"
#include "coroutine/weft_living.h"
#include "coroutine/weft_never_left.h"
#include "coroutine/weft_ready.h"
#include "coroutine/weft_scheduler.h"
#include "coroutine/weft_client_call.h"
#include "coroutine/weft_stack.h"
#include "coroutine/weft_stress.h"
#include "coroutine/weft_switch.h"
#include "coroutine/weft_time_slice.h"
#include "reactor/weft_log.h"
#include "php_weft.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include "zend_exceptions.h"

/* Coroutines that are always ready must not starve descriptors and timers: after so many turns, when the last look was
 * longer ago than this, the reactor is asked without waiting. Turns can be so short that asking each time would cost
 * them more than the clock does. A prime, so that it does not beat in time with a group of coroutines. */
#define TURNS_BETWEEN_LOOKS 61
#define NANOSECONDS_BETWEEN_LOOKS 20000

weft_coroutine *weft_current;
bool weft_reacting;
weft_coroutine *weft_main;
weft_domain_hooks weft_domains;
void *weft_domain_in_place;
bool weft_base_undisturbed;
void (*weft_on_deadlock)(void);
void (*weft_on_exit)(weft_coroutine *coroutine, bool fatal);
static uint32_t turns;
static uint64_t looked_at; /* when the reactor was last asked for the number of turns */
static bool script_must_end;
/* In a child that a coroutine forked: when that coroutine ends, so does the child. */
static weft_coroutine *forked_by;

void weft_wake(weft_coroutine *coroutine)
{
	if (coroutine->state == WEFT_COROUTINE_SUSPENDED) {
		coroutine->state = WEFT_COROUTINE_READY;
		weft_ready_add(coroutine);
	}
}

/* --- life --- */

/* The rest of the script is the parent's to run: the child ends as by exit(). */
static void end_forked_child(void)
{
	zend_object *unwind = zend_create_unwind_exit();

	forked_by = NULL;
	weft_cancel(weft_main, unwind);
	OBJ_RELEASE(unwind);
}

void weft_scheduler_finish(weft_coroutine *coroutine)
{
	void *domain = coroutine->domain;
	bool bailed_out = coroutine->bailed_out;

	coroutine->state = WEFT_COROUTINE_DONE;
	if (UNEXPECTED(bailed_out) && !weft_on_exit) {
		script_must_end = true;
		weft_wake(weft_main);
	}
	if (UNEXPECTED(coroutine == forked_by)) {
		end_forked_child();
	}
	if (coroutine->cancellation) {
		OBJ_RELEASE(coroutine->cancellation);
		coroutine->cancellation = NULL;
	}
	weft_client_call_forget(coroutine);
	if (coroutine->finished) {
		coroutine->finished(coroutine, coroutine->arg);
	}
	if (coroutine->spawn_file) {
		zend_string_release(coroutine->spawn_file);
	}
	weft_current = NULL;
	weft_living_free(coroutine);
	if (UNEXPECTED(bailed_out) && weft_domains.enter) {
		weft_domains.enter(NULL); /* whoever is next in that domain comes under its limits again */
	}
	if (domain && weft_domains.drop) {
		weft_domains.drop(domain);
	}
	if (weft_living.count == 1 && weft_main && weft_main->wait.on == &weft_main) {
		weft_wake(weft_main); /* it waits in weft_scheduler_wait_for_others() for this */
	}
}

/* --- choosing who runs --- */

static bool is_interruptible(const weft_coroutine *coroutine)
{
	return coroutine && coroutine->state == WEFT_COROUTINE_SUSPENDED && coroutine->wait.interruptible;
}

static weft_coroutine *find_interruptible(const void *domain, bool any)
{
	weft_coroutine *c = weft_main;

	if (is_interruptible(c) && (any || c->domain == domain)) {
		return c;
	}
	for (c = weft_living.newest; c && !(is_interruptible(c) && (any || c->domain == domain));) {
		c = c->all_next;
	}
	return c;
}

static bool interrupt(weft_coroutine *coroutine)
{
	if (coroutine) {
		coroutine->interrupted = true;
		weft_wake(coroutine);
	}
	return coroutine != NULL;
}

bool weft_interrupt(const void *domain)
{
	return interrupt(find_interruptible(domain, false));
}

static volatile sig_atomic_t signal_is_ours;

void weft_signal_is_ours(void)
{
	signal_is_ours = 1;
}

/* A clock costs more than all the rest of this: it is read where a domain is charged, not for scripts. */
static int serve_events(int64_t timeout)
{
	bool charged = weft_cpu_time_is_charged();
	int result;

	if (charged) {
		weft_cpu_time_end(weft_now());
	}
	weft_reacting = true;
	result = weft_reactor_poll(timeout);
	weft_reacting = false;
	if (charged) {
		weft_cpu_time_go_on(weft_now_noted());
	}
	return result;
}

static void poll_reactor(int64_t timeout)
{
	signal_is_ours = 0;
	turns = 0;
	weft_time_slice_looked();
	if (EXPECTED(serve_events(timeout) >= 0)) {
		return;
	}
	if (errno != EINTR) {
		/* Somebody closed the epoll set, say. No wait could ever end: better to die than to spin. */
		weft_log("weft: waiting for events failed: %s", strerror(errno));
		abort();
	}
	if (signal_is_ours) {
		return;
	}
	/* A signal. In plain PHP the script's sleep or poll would end early: whose it is can't be told, unless it is an
	 * alarm, which runs while its domain is in place. */
	if (!weft_interrupt(weft_domain_in_place)) {
		interrupt(find_interruptible(NULL, true));
	}
}

/* Returns whether one that was preempted has a turn now. Out of line, with pick_when_none_is_fresh(): their registers
 * would be saved at every switch. */
static zend_never_inline bool look_at_reactor(void)
{
	uint64_t now = weft_now();

	if (weft_time_slice_look_is_due() || now - looked_at >= NANOSECONDS_BETWEEN_LOOKS) {
		looked_at = now;
		poll_reactor(0);
	}
	turns = 0;
	return weft_ready_owes_preempted();
}

static zend_never_inline weft_coroutine *pick_when_none_is_fresh(void)
{
	while (!weft_ready.due) {
		weft_coroutine *preempted = weft_ready_take_preempted();

		if (preempted) {
			return preempted;
		}
		if (UNEXPECTED(!weft_reactor_expects()) && weft_on_deadlock) {
			weft_on_deadlock();
			if (weft_ready.due) {
				break;
			}
		}
		weft_time_slice_set_idle(true);
		poll_reactor(-1);
		weft_time_slice_set_idle(false);
	}
	return weft_ready_take();
}

static zend_always_inline weft_coroutine *pick(void)
{
	if (UNEXPECTED(++turns >= TURNS_BETWEEN_LOOKS) || UNEXPECTED(weft_time_slice_look_is_due())) {
		if (look_at_reactor()) {
			return weft_ready_take_preempted();
		}
	}
	return EXPECTED(weft_ready.due) ? weft_ready_take() : pick_when_none_is_fresh();
}

static zend_always_inline void make_current(weft_coroutine *next)
{
	weft_time_slice_begin();
	weft_current = next;
	next->state = WEFT_COROUTINE_RUNNING;
	if (next->domain != weft_domain_in_place && weft_domains.enter) {
		weft_domains.enter(next->domain);
	}
	weft_base_undisturbed &= next->apart != NULL;
}

weft_coroutine *weft_scheduler_pick(void)
{
	return pick();
}

void weft_scheduler_make_current(weft_coroutine *next)
{
	make_current(next);
}

/* Where `next` goes on; NULL when it never ran and no stack can be had. */
static zend_fiber_context *context_of(weft_coroutine *next)
{
	weft_context *context;

	if (next->context) {
		return next->context;
	}
	context = weft_context_take(next);
	return context ? &context->fiber : NULL;
}

/* As by exit(), which finally blocks and catch don't see. Not by a bailout: that would jump over those who wait for the
 * script in C, and leave timers and watches armed that lie on the stack it has left. */
static zend_never_inline void end_script(weft_coroutine *self)
{
	script_must_end = false;
	CG(unclean_shutdown) = 1;
	EG(exit_status) = 255; /* what the error has set it to was its own domain's, perhaps */
	weft_cancel_withdraw(self);
	self->cancellation = zend_create_unwind_exit();
}

/* Leaves the running coroutine, whose state says already what becomes of it; returns when it runs again.
 * Inlined, since every return after a change of stack is mispredicted: each frame between the VM and
 * zend_fiber_switch_context() costs some 5 ns a switch. */
static zend_always_inline void switch_away(void)
{
	weft_coroutine *self = weft_current;
	int error = errno;

	if (UNEXPECTED(!weft_engine_is_clean())) {
		self->engine = weft_engine_state_take();
	}
	if (UNEXPECTED(self->aside)) {
		weft_aside_exchange_all(self->aside);
	}
	for (;;) {
		weft_coroutine *next = pick();
		zend_fiber_context *context;

		if (next == self) {
			make_current(self);
			break;
		}
		context = context_of(next);
		if (UNEXPECTED(!context)) {
			next->stackless = true;
			if (next->domain != weft_domain_in_place && weft_domains.enter) {
				weft_domains.enter(next->domain); /* what is freed or made for it is its domain's */
			}
			weft_scheduler_finish(next);
			weft_current = self;
			continue;
		}
		self->context = EG(current_fiber_context);
		make_current(next);
		weft_switch_context(context);
		break;
	}
	if (UNEXPECTED(self->aside)) {
		weft_aside_exchange_all(self->aside);
	}
	if (UNEXPECTED(self->engine)) {
		weft_engine_state_put(self->engine);
		self->engine = NULL;
	}
	errno = error;
	if (UNEXPECTED(script_must_end) && self == weft_main) {
		end_script(self);
	}
}

/* --- waiting --- */

static zend_always_inline void prepare_to_be_left(void)
{
	if (UNEXPECTED(weft_domains.prepare != NULL)) {
		weft_domains.prepare();
	}
}

static int deliver_cancellation(weft_coroutine *self)
{
	zend_object *exception = self->cancellation;

	self->cancellation = NULL;
	self->cancel_at_once = false;
	self->unwinds = self->unwinds || zend_is_graceful_exit(exception);
	weft_client_call_note_cut(exception);
	zend_throw_exception_internal(exception);
	return ECANCELED;
}

int weft_suspend(const weft_wait_info *info)
{
	weft_coroutine *self = weft_current;

	if (UNEXPECTED(self->cancellation)) {
		return deliver_cancellation(self);
	}
	if (weft_client_call_is_cut(self)) {
		return ECANCELED;
	}
	if (UNEXPECTED(self->monitors) && info->fd < 0 && !weft_monitors_may_wait(info)) {
		return EDEADLK;
	}
	prepare_to_be_left();
	self->wait = *info;
	self->interrupted = false;
	self->suspended_at = EG(current_execute_data);
	self->state = WEFT_COROUTINE_SUSPENDED;
	switch_away();
	self->wait.what = NULL;
	self->wait.on = NULL;
	if (UNEXPECTED(self->cancellation)) {
		return deliver_cancellation(self);
	}
	return UNEXPECTED(self->interrupted) ? EINTR : 0;
}

void weft_yield(void)
{
	weft_current->suspended_at = EG(current_execute_data);
	prepare_to_be_left();
	weft_current->state = WEFT_COROUTINE_READY;
	weft_ready_add(weft_current);
	switch_away();
	if (UNEXPECTED(weft_current->cancellation)) {
		deliver_cancellation(weft_current);
	} else if (weft_after_wait) {
		weft_after_wait();
	}
}

static bool look_for_others(const weft_coroutine *self, bool (*has_others)(const weft_coroutine *self))
{
	bool looked = weft_time_slice_look_is_due();

	/* who has become ready meanwhile goes before it */
	if (looked) {
		poll_reactor(0);
	}
	if (!has_others(self) && !looked) {
		poll_reactor(0);
	}
	return has_others(self);
}

static void leave_preempted(weft_coroutine *self, weft_preempted_place place)
{
	prepare_to_be_left();
	self->suspended_at = EG(current_execute_data);
	self->state = WEFT_COROUTINE_READY;
	weft_ready_add_preempted(self, place);
	switch_away();
	/* a script that must end may never wait again */
	if (UNEXPECTED(self->cancellation && zend_is_unwind_exit(self->cancellation))) {
		deliver_cancellation(self);
	}
}

bool weft_preempt(void)
{
	if (!look_for_others(weft_current, weft_ready_has_other_domain)) {
		return false;
	}
	leave_preempted(weft_current, WEFT_PREEMPTED_LAST);
	return true;
}

bool weft_preempt_after_slice(void)
{
	weft_preempted_place place = weft_ready_place_after_slice(weft_current);

	if (!look_for_others(weft_current,
			place == WEFT_PREEMPTED_FIRST ? weft_ready_has_fresh : weft_ready_has_other_domain)) {
		return false;
	}
	weft_current->queue->has_used_up_slice = true;
	leave_preempted(weft_current, place);
	return true;
}

typedef struct {
	weft_timer timer;
	weft_coroutine *sleeper;
} sleep_timer;

static void wake_sleeper(weft_timer *timer)
{
	weft_wake(((sleep_timer *) timer)->sleeper);
}

int weft_sleep_until(uint64_t deadline, const char *what)
{
	sleep_timer alarm = {.timer.fire = wake_sleeper, .sleeper = weft_current};
	weft_wait_info info = {.what = what, .fd = -1, .interruptible = true};
	int result;

	weft_timer_arm(&alarm.timer, deadline);
	result = weft_suspend(&info);
	weft_timer_disarm(&alarm.timer);
	if (weft_after_wait && result == 0) {
		weft_after_wait();
	}
	return result;
}

void weft_scheduler_throw_at_once(void)
{
	if (weft_current->cancellation && !EG(exception)) {
		deliver_cancellation(weft_current);
	}
}

void weft_no_switch_begin(void)
{
	if (weft_current) {
		weft_current->no_switch++;
	}
}

void weft_no_switch_end(void)
{
	if (weft_current) {
		weft_current->no_switch--;
	}
}

/* --- the whole --- */

bool weft_scheduler_start(void)
{
	if (EXPECTED(weft_main)) {
		return true;
	}
	if (weft_reactor_start() != 0) {
		php_error_docref(NULL, E_WARNING, "Weft could not open its epoll set: %s", strerror(errno));
		return false;
	}
	weft_main = weft_living_new();
	weft_main->is_main = true;
	weft_main->state = WEFT_COROUTINE_RUNNING;
	weft_main->context = EG(main_fiber_context);
	weft_current = weft_main;
	if (weft_domains.inherit) {
		/* the script may be inside a domain already */
		weft_main->domain = weft_domains.inherit(weft_domain_in_place);
	}
	weft_main->queue = weft_main->domain ? weft_main->domain : &weft_base_run_queue;
	return true;
}

bool weft_scheduler_wait_for_others(void)
{
	weft_wait_info info = {.what = "the end of the others", .fd = -1, .on = &weft_main};

	while (weft_living.count > 1) {
		if (weft_suspend(&info) != 0 || EG(exception)) {
			return false;
		}
	}
	return true;
}

void weft_coroutine_set_domain(weft_coroutine *coroutine, void *domain)
{
	void *before = coroutine->domain;

	ZEND_ASSERT(coroutine == weft_current); /* another one may stand in its domain's run queue */
	if (before == domain) {
		return;
	}
	coroutine->domain = domain;
	coroutine->queue = domain ? domain : &weft_base_run_queue;
	if (domain != weft_domain_in_place) {
		weft_domains.enter(domain);
	}
	if (before) {
		weft_domains.drop(before);
	}
}

/* fork() copies one thread and, of its coroutines, the one that called it: the others must not run twice. */
static void scheduler_after_fork_in_child(void)
{
	weft_stress_start();
	weft_time_slice_after_fork();
	if (weft_main) {
		weft_coroutine_after_fork();
	} else {
		weft_reactor_after_fork();
	}
}

void weft_coroutine_after_fork(void)
{
	weft_coroutine *survivor = weft_current;

	weft_ready_clear();
	if (survivor != weft_main) {
		weft_main->state = WEFT_COROUTINE_SUSPENDED;
		forked_by = survivor;
		weft_time_slice_allow(false); /* of requests, this process has one */
	}
	weft_living_abandon_others(survivor);
	weft_reactor_after_fork();
}

void weft_coroutine_minit(void)
{
	weft_engine_state_minit();
	weft_errors_minit();
	weft_stress_minit();
	weft_time_slice_minit();
	pthread_atfork(NULL, NULL, scheduler_after_fork_in_child);
}

void weft_coroutine_rinit(void)
{
	weft_collecting = false;
	weft_never_left_rinit();
	weft_stress_rinit();
}

void weft_coroutine_mshutdown(void)
{
	weft_time_slice_mshutdown();
	weft_stress_mshutdown();
	weft_errors_mshutdown();
}

void weft_coroutine_rshutdown(void)
{
	weft_errors_rshutdown();
	weft_time_slice_stop();
	if (!weft_main) {
		return;
	}
	/* Timers and watches of coroutines that still wait lie on their stacks. */
	weft_reactor_stop();
	weft_ready_clear();
	weft_living_forget();
	weft_current = weft_main = NULL;
	forked_by = NULL;
	weft_context_end_idle();
	weft_stack_free_all();
}
