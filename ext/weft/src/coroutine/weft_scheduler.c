#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_context.h"
#include "coroutine/weft_errors.h"
#include "coroutine/weft_never_left.h"
#include "coroutine/weft_scheduler.h"
#include "coroutine/weft_stack.h"
#include "coroutine/weft_stress.h"
#include "coroutine/weft_switch.h"
#include "php_weft.h"

#include <errno.h>
#include <pthread.h>
#include "main/php_output.h"
#include "zend_exceptions.h"

/* Coroutines that are always ready must not starve descriptors and timers: after so many turns the reactor is
 * asked without waiting. A prime, so that it does not beat in time with a group of coroutines. */
#define TURNS_BETWEEN_POLLS 61

/* How far weft_preempt() looks for a coroutine of another domain. */
#define SIBLINGS_TO_PASS 256

weft_coroutine *weft_current;
weft_coroutine *weft_main;
weft_domain_hooks weft_domains;
void *weft_domain_in_place;
void (*weft_on_deadlock)(void);
void (*weft_on_fatal)(weft_coroutine *coroutine);
void (*weft_on_gone)(weft_coroutine *coroutine);
static weft_coroutine_spawned_hook spawned_hook;
static weft_coroutine_ended_hook ended_hook;

static weft_coroutine *ready_first, *ready_last;
static weft_coroutine *all;
static uint32_t living;
static uint64_t last_id;
static uint32_t turns;
static weft_coroutine *free_coroutines;
static bool script_must_end;
static uint32_t preempted; /* coroutines that wait in the ready queue since weft_preempt() */
/* In a child that a coroutine forked: when that coroutine ends, so does the child. */
static weft_coroutine *forked_by;

/* --- the ready queue --- */

static void enqueue(weft_coroutine *coroutine)
{
	coroutine->next = NULL;
	if (ready_last) {
		ready_last->next = coroutine;
	} else {
		ready_first = coroutine;
	}
	ready_last = coroutine;
}

static void enqueue_first(weft_coroutine *coroutine)
{
	coroutine->next = ready_first;
	ready_first = coroutine;
	if (!ready_last) {
		ready_last = coroutine;
	}
}

static weft_coroutine *dequeue(void)
{
	weft_coroutine *coroutine = ready_first;

	if (coroutine) {
		ready_first = coroutine->next;
		if (!ready_first) {
			ready_last = NULL;
		}
	}
	return coroutine;
}

static void unqueue(weft_coroutine *before, const weft_coroutine *coroutine)
{
	if (!before) {
		(void) dequeue();
		return;
	}
	before->next = coroutine->next;
	if (ready_last == coroutine) {
		ready_last = before;
	}
}

/* Takes the preempted one of a domain out of the queue, when there is one. */
static weft_coroutine *take_preempted(const void *domain)
{
	weft_coroutine *before = NULL, *coroutine = ready_first;

	while (coroutine && !(coroutine->preempted && coroutine->domain == domain)) {
		before = coroutine;
		coroutine = coroutine->next;
	}
	if (coroutine) {
		unqueue(before, coroutine);
	}
	return coroutine;
}

/* Coroutines of one domain may rely on each other's not running between two waits. So when one of them was preempted,
 * it goes first, whoever of them is due. */
static weft_coroutine *make_way_for_preempted(weft_coroutine *due)
{
	weft_coroutine *first = due->preempted ? due : take_preempted(due->domain);

	if (!first) {
		return due;
	}
	if (first != due) {
		enqueue_first(due);
	}
	first->preempted = false;
	preempted--;
	return first;
}

void weft_wake(weft_coroutine *coroutine)
{
	if (coroutine->state == WEFT_COROUTINE_SUSPENDED) {
		coroutine->state = WEFT_COROUTINE_READY;
		enqueue(coroutine);
	}
}

/* --- life --- */

static void enlist(weft_coroutine *coroutine)
{
	coroutine->id = ++last_id;
	coroutine->all_next = all;
	coroutine->all_link = &all;
	if (all) {
		all->all_link = &coroutine->all_next;
	}
	all = coroutine;
	living++;
}

static void delist(weft_coroutine *coroutine)
{
	*coroutine->all_link = coroutine->all_next;
	if (coroutine->all_next) {
		coroutine->all_next->all_link = coroutine->all_link;
	}
	if (!coroutine->background) {
		living--;
	}
}

static weft_coroutine *new_coroutine(void)
{
	weft_coroutine *coroutine = free_coroutines;

	if (coroutine) {
		free_coroutines = coroutine->next;
	} else {
		/* Not from PHP's heap: a memory limit that one request has hit must not stop the server. */
		coroutine = pemalloc(sizeof(*coroutine), 1);
	}
	memset(coroutine, 0, sizeof(*coroutine));
	coroutine->wait.fd = -1;
	enlist(coroutine);
	return coroutine;
}

void weft_coroutine_observe(weft_coroutine_spawned_hook spawned, weft_coroutine_ended_hook ended)
{
	ZEND_ASSERT(!spawned_hook);
	spawned_hook = spawned;
	ended_hook = ended;
}

static void free_coroutine(weft_coroutine *coroutine)
{
	if (ended_hook) {
		ended_hook(coroutine);
	}
	if (coroutine->object) {
		weft_on_gone(coroutine);
	}
	delist(coroutine);
	coroutine->next = free_coroutines;
	free_coroutines = coroutine;
}

weft_coroutine *weft_coroutine_spawn(void (*entry)(weft_coroutine *, void *), void *arg,
	void (*finished)(weft_coroutine *, void *))
{
	weft_coroutine *coroutine = new_coroutine();

	coroutine->state = WEFT_COROUTINE_QUEUED;
	coroutine->entry = entry;
	coroutine->arg = arg;
	coroutine->finished = finished;
	if (weft_current && weft_domains.inherit) {
		coroutine->domain = weft_domains.inherit(weft_current->domain);
	}
	if (spawned_hook) {
		spawned_hook(weft_current, coroutine);
	}
	enqueue(coroutine);
	return coroutine;
}

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

	coroutine->state = WEFT_COROUTINE_DONE;
	if (UNEXPECTED(coroutine->bailed_out) && !weft_on_fatal) {
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
	if (coroutine->finished) {
		coroutine->finished(coroutine, coroutine->arg);
	}
	if (coroutine->spawn_file) {
		zend_string_release(coroutine->spawn_file);
	}
	weft_current = NULL;
	free_coroutine(coroutine);
	if (domain && weft_domains.drop) {
		weft_domains.drop(domain);
	}
	if (living == 1 && weft_main && weft_main->wait.on == &weft_main) {
		weft_wake(weft_main); /* it waits in weft_scheduler_wait_for_others() for this */
	}
}

/* --- choosing who runs --- */

static void poll_reactor(int64_t timeout)
{
	turns = 0;
	if (EXPECTED(weft_reactor_poll(timeout) >= 0)) {
		return;
	}
	if (errno != EINTR) {
		/* Somebody closed the epoll set, say. No wait could ever end: better to die than to spin. */
		fprintf(stderr, "weft: waiting for events failed: %s\n", strerror(errno));
		abort();
	}
	/* A signal. In plain PHP the script's sleep or poll would end early: whose it is can't be told, so it is
	 * the main script's if that waits so, else the youngest's. */
	weft_coroutine *chosen = NULL;

	if (weft_main && weft_main->state == WEFT_COROUTINE_SUSPENDED && weft_main->wait.interruptible) {
		chosen = weft_main;
	}
	for (weft_coroutine *c = all; c && !chosen; c = c->all_next) {
		if (c->state == WEFT_COROUTINE_SUSPENDED && c->wait.interruptible) {
			chosen = c;
		}
	}
	if (chosen) {
		chosen->interrupted = true;
		weft_wake(chosen);
	}
}

weft_coroutine *weft_scheduler_pick(void)
{
	if (++turns >= TURNS_BETWEEN_POLLS) {
		poll_reactor(0);
	}
	while (!ready_first) {
		if (UNEXPECTED(!weft_reactor_expects()) && weft_on_deadlock) {
			weft_on_deadlock();
			if (ready_first) {
				break;
			}
		}
		poll_reactor(-1);
	}
	return EXPECTED(!preempted) ? dequeue() : make_way_for_preempted(dequeue());
}

void weft_scheduler_make_current(weft_coroutine *next)
{
	weft_current = next;
	next->state = WEFT_COROUTINE_RUNNING;
	if (next->domain != weft_domain_in_place && weft_domains.enter) {
		weft_domains.enter(next->domain);
	}
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

/* Leaves the running coroutine, whose state says already what becomes of it; returns when it runs again.
 * Inlined, since every return after a change of stack is mispredicted: each frame between the VM and
 * zend_fiber_switch_context() costs some 5 ns a switch. */
static zend_always_inline void switch_away(void)
{
	weft_coroutine *self = weft_current;
	int error = errno;

	self->engine = weft_engine_state_take();
	for (;;) {
		weft_coroutine *next = weft_scheduler_pick();
		zend_fiber_context *context;

		if (next == self) {
			weft_scheduler_make_current(self);
			break;
		}
		context = context_of(next);
		if (UNEXPECTED(!context)) {
			next->stackless = true;
			weft_scheduler_finish(next);
			weft_current = self;
			continue;
		}
		self->context = EG(current_fiber_context);
		weft_scheduler_make_current(next);
		weft_switch_context(context);
		break;
	}
	weft_engine_state_put(self->engine);
	self->engine = NULL;
	errno = error;
	if (UNEXPECTED(script_must_end) && self == weft_main) {
		script_must_end = false;
		zend_bailout();
	}
}

/* --- waiting --- */

bool weft_can_suspend(void)
{
	return EXPECTED(weft_current != NULL) && !weft_current->no_switch && !weft_collecting &&
		!CG(in_compilation) && !CG(current_linking_class) &&
		!(EG(in_autoload) && zend_hash_num_elements(EG(in_autoload))) && !OG(running);
}

static int deliver_cancellation(weft_coroutine *self)
{
	zend_object *exception = self->cancellation;

	self->cancellation = NULL;
	zend_throw_exception_internal(exception);
	return ECANCELED;
}

int weft_suspend(const weft_wait_info *info)
{
	weft_coroutine *self = weft_current;

	if (UNEXPECTED(self->cancellation)) {
		return deliver_cancellation(self);
	}
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
	weft_current->state = WEFT_COROUTINE_READY;
	enqueue(weft_current);
	switch_away();
	if (UNEXPECTED(weft_current->cancellation)) {
		deliver_cancellation(weft_current);
	}
}

/* Brings one of another domain to the front of the queue. Does not look behind a crowd of the running one's own. */
static bool another_domain_is_ready(void)
{
	weft_coroutine *before = NULL, *coroutine = ready_first;

	for (int i = 0; coroutine && coroutine->domain == weft_current->domain; i++) {
		before = coroutine;
		coroutine = i < SIBLINGS_TO_PASS ? coroutine->next : NULL;
	}
	if (coroutine && before) {
		unqueue(before, coroutine);
		enqueue_first(coroutine);
	}
	return coroutine != NULL;
}

bool weft_preempt(void)
{
	weft_coroutine *self = weft_current;

	if (!another_domain_is_ready()) {
		poll_reactor(0);
		if (!another_domain_is_ready()) {
			return false;
		}
	}
	self->suspended_at = EG(current_execute_data);
	self->state = WEFT_COROUTINE_READY;
	self->preempted = true;
	preempted++;
	enqueue(self);
	switch_away();
	return true;
}

bool weft_domain_was_preempted(const void *domain)
{
	for (weft_coroutine *c = preempted ? ready_first : NULL; c; c = c->next) {
		if (c->preempted && c->domain == domain) {
			return true;
		}
	}
	return false;
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
	return result;
}

void weft_cancel(weft_coroutine *coroutine, zend_object *exception)
{
	if (coroutine->state == WEFT_COROUTINE_DONE || coroutine->cancellation) {
		return;
	}
	GC_ADDREF(exception);
	coroutine->cancellation = exception;
	weft_wake(coroutine);
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
	weft_main = new_coroutine();
	weft_main->is_main = true;
	weft_main->state = WEFT_COROUTINE_RUNNING;
	weft_main->context = EG(main_fiber_context);
	weft_current = weft_main;
	if (weft_domains.inherit) {
		/* the script may be inside a domain already */
		weft_main->domain = weft_domains.inherit(weft_domain_in_place);
	}
	return true;
}

bool weft_scheduler_wait_for_others(void)
{
	weft_wait_info info = {.what = "the end of the others", .fd = -1, .on = &weft_main};

	while (living > 1) {
		if (weft_suspend(&info) != 0 || EG(exception)) {
			return false;
		}
	}
	return true;
}

void weft_coroutine_set_background(weft_coroutine *coroutine)
{
	coroutine->background = true;
	living--;
}

uint32_t weft_coroutine_count(void)
{
	return living;
}

bool weft_coroutine_alone(void)
{
	return !all->all_next;
}

void weft_scheduler_each(void (*visit)(weft_coroutine *, void *), void *arg)
{
	weft_coroutine *next;

	for (weft_coroutine *c = all; c; c = next) {
		next = c->all_next;
		visit(c, arg);
	}
}

void weft_coroutine_set_domain(weft_coroutine *coroutine, void *domain)
{
	void *before = coroutine->domain;

	if (before == domain) {
		return;
	}
	coroutine->domain = domain;
	if (coroutine == weft_current && domain != weft_domain_in_place) {
		weft_domains.enter(domain);
	}
	if (before) {
		weft_domains.drop(before);
	}
}

static void forget_all(void)
{
	for (weft_coroutine *c = all, *next; c; c = next) {
		next = c->all_next;
		if (c->object) {
			weft_on_gone(c);
		}
		if (c->home) {
			weft_context_destroy(c->home);
		}
		pefree(c, 1);
	}
	while (free_coroutines) {
		weft_coroutine *c = free_coroutines;

		free_coroutines = c->next;
		pefree(c, 1);
	}
	all = ready_first = ready_last = weft_current = weft_main = NULL;
	living = 0;
	preempted = 0;
	last_id = 0;
	forked_by = NULL;
}

/* fork() copies one thread and, of its coroutines, the one that called it: the others must not run twice. */
static void after_fork_in_child(void)
{
	weft_stress_start();
	if (weft_main) {
		weft_coroutine_after_fork();
	} else {
		weft_reactor_after_fork();
	}
}

void weft_coroutine_after_fork(void)
{
	weft_coroutine *survivor = weft_current;

	ready_first = ready_last = NULL;
	preempted = 0;
	if (survivor != weft_main) {
		weft_main->state = WEFT_COROUTINE_SUSPENDED;
		weft_main->preempted = false;
		forked_by = survivor;
	}
	for (weft_coroutine *c = all, *next; c; c = next) {
		next = c->all_next;
		if (c != survivor && c != weft_main) {
			/* What it holds stays allocated: unwinding it would run its code a second time. Done, nothing that it
			 * waits for here can wake it. */
			c->state = WEFT_COROUTINE_DONE;
			delist(c);
		}
	}
	weft_reactor_after_fork();
}

void weft_coroutine_minit(void)
{
	weft_engine_state_minit();
	weft_errors_minit();
	weft_stress_minit();
	weft_never_left_minit();
	pthread_atfork(NULL, NULL, after_fork_in_child);
}

void weft_coroutine_rinit(void)
{
	weft_collecting = false;
	weft_never_left_rinit();
	weft_stress_start();
}

void weft_coroutine_mshutdown(void)
{
	weft_stress_mshutdown();
	weft_errors_mshutdown();
}

void weft_coroutine_rshutdown(void)
{
	weft_errors_rshutdown();
	if (!weft_main) {
		return;
	}
	/* Timers and watches of coroutines that still wait lie on their stacks. */
	weft_reactor_stop();
	forget_all();
	weft_context_end_idle();
	weft_stack_free_all();
}
