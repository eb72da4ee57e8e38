/*
 * Signal handlers and the alarm that a request sets. A signal comes to the process: every domain that has a handler of
 * its own for it gets it, those that are not in place when they next are. An alarm goes to the domain that has set it.
 */
#include "globals/weft_c_state.h"
#include "coroutine/weft_wrap.h"
#include "globals/weft_c_layouts.h"
#include "coroutine/weft_coroutine.h"
#include "reactor/weft_reactor.h"
#include "weft_compat.h"
#include "zend_exceptions.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

typedef struct {
	int number;
	bool calls;    /* PHP code, not SIG_DFL or SIG_IGN */
	bool missed;   /* came while the domain, which has left since, blocked it */
	uint32_t seen; /* how many had arrived when the domain left */
	zval before;   /* the base's handler */
} own_handler;

/* What the domain in place has changed; the members marked so change places with the live state at a switch. */
typedef struct {
	own_handler *handlers;
	uint32_t used;
	bool has_table;
	HashTable table; /* ext/pcntl's handlers: those of the base while this domain is in place, else its own */
	bool async_changed;
	bool async;         /* likewise */
	void *first, *last; /* signals that came and were not dispatched; NULL in place */
	int dispatching;    /* a handler of the domain waits */
	bool masked;        /* by pcntl_sigprocmask() */
	sigset_t mask; /* while the domain is away, when it is masked or dispatching: ext/pcntl blocks all for handlers */
	bool alarm;    /* has been set, may be over */
	uint64_t due;  /* 0: no alarm is running, or it runs in the process since the domain is in place */
	weft_timer timer; /* wakes the domain when it sleeps as long as its alarm */
	void *domain;
} signal_state;

static signal_state own;
/* NULL: not there or laid out otherwise; then handlers are everybody's until the domain ends. */
static weft_pcntl_layout *pcntl;
static sigset_t base_mask;
static zif_handler plain_signal, plain_alarm, plain_async, plain_mask;
static bool putting_back;

static _Atomic uint32_t arrived[NSIG]; /* counted in handlers */
static uint32_t users[NSIG];           /* domains that have PHP code for a signal */
static struct sigaction actions[NSIG], plain_actions[NSIG];

/* Signals that the process itself lives by: they always reach its own handlers. And those that it survives by one. */
static sigset_t reserved, kept;
static struct sigaction reserved_actions[NSIG];

static void signals_capture(void)
{
	pcntl = weft_layout("pcntl");
	sigprocmask(SIG_BLOCK, NULL, &base_mask);
}

/* --- handlers --- */

static bool is_to_note(void)
{
	return weft_domain_in_place && !putting_back;
}

static own_handler *find_handler(zend_long number)
{
	for (uint32_t i = 0; i < own.used; i++) {
		if (own.handlers[i].number == number) {
			return &own.handlers[i];
		}
	}
	return NULL;
}

static void begin_table(void)
{
	if (pcntl && !own.has_table) {
		own.table = pcntl->signal_table;
		zend_hash_init(&pcntl->signal_table, 16, NULL, ZVAL_PTR_DTOR, 0);
		zend_hash_copy(&pcntl->signal_table, &own.table, zval_add_ref);
		own.has_table = true;
	}
}

static void note_handler(zval *number)
{
	own_handler *handler;
	zval before;

	if (Z_TYPE_P(number) != IS_LONG || Z_LVAL_P(number) < 1 || Z_LVAL_P(number) >= NSIG ||
		find_handler(Z_LVAL_P(number))) {
		return;
	}
	weft_c_call("pcntl_signal_get_handler", &before, 1, number);
	zend_clear_exception(); /* it knows fewer numbers than pcntl_signal() */
	if (Z_ISUNDEF(before)) {
		return;
	}
	own.handlers = safe_perealloc(own.handlers, own.used + 1, sizeof(own_handler), 0, 1);
	handler = &own.handlers[own.used++];
	*handler = (own_handler){.number = (int) Z_LVAL_P(number), .before = before};
	begin_table();
}

static bool is_kept(int number)
{
	return sigismember(&reserved, number) == 1 || sigismember(&kept, number) == 1;
}

/* A child that a request forks is no server: nobody but a request's own code handles a signal there. */
static void signals_after_fork_in_child(void)
{
	for (int number = 1; number < NSIG; number++) {
		if (is_kept(number) && !users[number]) {
			signal(number, SIG_DFL);
		}
	}
	sigemptyset(&reserved);
	sigemptyset(&kept);
}

static void keep(sigset_t *signals, int number)
{
	static bool begun;

	if (!begun) {
		begun = true;
		pthread_atfork(NULL, NULL, signals_after_fork_in_child);
	}
	sigaction(number, NULL, &reserved_actions[number]);
	sigaddset(signals, number);
}

void weft_c_signals_reserve(int number)
{
	keep(&reserved, number);
}

void weft_c_signals_keep(int number)
{
	keep(&kept, number);
}

bool weft_c_signals_handled(int number)
{
	const zval *handler;
	struct sigaction now;

	if (number < 1 || number >= NSIG || sigaction(number, NULL, &now) != 0) {
		return false;
	}
	if (users[number] || sigismember(&kept, number) == 1 || now.sa_handler == SIG_IGN) {
		return true;
	}
	handler = pcntl ? zend_hash_index_find(&pcntl->signal_table, (zend_ulong) number) : NULL;
	return handler && Z_TYPE_P(handler) != IS_LONG;
}

static void keep_reserved(int number)
{
	if (is_kept(number) && !users[number]) {
		sigaction(number, &reserved_actions[number], NULL);
	}
}

/* What the domain in place gets from us, now or when it no longer blocks it: everybody has heard of it before. The
 * alarm of the process is that domain's as well. */
static bool signal_is_own(int number, const siginfo_t *info)
{
	return (info->si_code == SI_QUEUE && info->si_value.sival_ptr == &own) ||
		(number == SIGALRM && info->si_code == SI_KERNEL);
}

static void count_for_all(int number)
{
	arrived[number]++;
	if (sigismember(&reserved, number) == 1) {
		reserved_actions[number].sa_handler(number);
	}
}

static void relay(int number, siginfo_t *info, void *context)
{
	if (!signal_is_own(number, info)) {
		count_for_all(number);
	}
	plain_actions[number].sa_sigaction(number, info, context);
}

/* While any domain has code for a signal, it comes to that, whatever others want to be done with it. */
static void direct(own_handler *handler, bool calls)
{
	int number = handler->number;

	users[number] += (uint32_t) calls - (uint32_t) handler->calls;
	handler->calls = calls;
	if (calls) {
		sigaction(number, NULL, &plain_actions[number]);
		actions[number] = plain_actions[number];
		actions[number].sa_sigaction = relay;
	}
	if (users[number]) {
		sigaction(number, &actions[number], NULL);
	}
	keep_reserved(number);
}

static ZEND_FUNCTION(weft_pcntl_signal)
{
	own_handler *handler;

	if (!is_to_note() || ZEND_NUM_ARGS() < 2) {
		plain_signal(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		return;
	}
	note_handler(ZEND_CALL_ARG(execute_data, 1));
	plain_signal(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (Z_TYPE_P(return_value) == IS_TRUE) {
		bool calls = Z_TYPE_P(ZEND_CALL_ARG(execute_data, 2)) != IS_LONG;

		handler = find_handler(Z_LVAL_P(ZEND_CALL_ARG(execute_data, 1)));
		if (handler) {
			direct(handler, calls);
		} else if (!calls) {
			keep_reserved((int) Z_LVAL_P(ZEND_CALL_ARG(execute_data, 1))); /* of whose handlers nothing is known */
		}
	}
}

static ZEND_FUNCTION(weft_pcntl_async_signals)
{
	bool sets = ZEND_NUM_ARGS() > 0 && Z_TYPE_P(ZEND_CALL_ARG(execute_data, 1)) != IS_NULL;

	plain_async(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (is_to_note() && sets && !own.async_changed && !EG(exception)) {
		own.async_changed = true;
		own.async = Z_TYPE_P(return_value) == IS_TRUE;
	}
}

static ZEND_FUNCTION(weft_pcntl_sigprocmask)
{
	own.masked |= is_to_note();
	plain_mask(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	sigprocmask(SIG_UNBLOCK, &reserved, NULL);
}

/* To the domain that is in place. */
static void deliver(int number)
{
	pthread_sigqueue(pthread_self(), number, (union sigval){.sival_ptr = &own});
}

/* Signals that the domain blocks must not reach who comes next. */
static bool take_blocked(int number)
{
	const struct timespec none = {0};
	siginfo_t info;
	sigset_t one;
	bool taken = false;

	sigemptyset(&one);
	sigaddset(&one, number);
	while (sigtimedwait(&one, &info, &none) == number) {
		taken = true;
		if (!signal_is_own(number, &info)) {
			count_for_all(number);
		}
	}
	return taken;
}

/* --- the alarm: of the process while its domain is in place, of the reactor while it is not --- */

static void wake_for_alarm(weft_timer *timer)
{
	const signal_state *state = (const signal_state *) ((const char *) timer - offsetof(signal_state, timer));

	weft_interrupt(state->domain);
}

static ZEND_FUNCTION(weft_pcntl_alarm)
{
	own.alarm = true;
	plain_alarm(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static void suspend_alarm(signal_state *state)
{
	const struct itimerval none = {0};
	struct itimerval left;

	setitimer(ITIMER_REAL, &none, &left);
	if (!left.it_value.tv_sec && !left.it_value.tv_usec && !take_blocked(SIGALRM)) {
		return;
	}
	state->due = weft_now() + (uint64_t) left.it_value.tv_sec * WEFT_NS_PER_SEC +
		(uint64_t) left.it_value.tv_usec * WEFT_NS_PER_US;
	state->domain = weft_domain_in_place;
	state->timer = (weft_timer){.fire = wake_for_alarm};
	weft_timer_arm(&state->timer, state->due);
}

/* True when it is due. */
static bool resume_alarm(signal_state *state)
{
	uint64_t now = weft_now(), left = state->due > now ? (state->due - now + 999) / 1000 : 0;
	const struct itimerval rest = {
		.it_value = {.tv_sec = (time_t) (left / 1000000), .tv_usec = (suseconds_t) (left % 1000000)}};

	weft_timer_disarm(&state->timer);
	state->due = 0;
	setitimer(ITIMER_REAL, &rest, NULL);
	return left == 0;
}

/* --- switching --- */

static bool in_use(void)
{
	return own.used || own.async_changed || own.alarm || own.masked ||
		(pcntl && (pcntl->pending_signals || pcntl->processing_signal_queue));
}

static void block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
}

static void swap_tables(signal_state *state)
{
	HashTable table = pcntl->signal_table;
	bool async = pcntl->async_signals;

	if (state->has_table) {
		pcntl->signal_table = state->table;
		state->table = table;
	}
	if (state->async_changed) {
		pcntl->async_signals = state->async;
		state->async = async;
	}
}

static void take_pending(signal_state *state)
{
	state->first = pcntl->head;
	state->last = pcntl->tail;
	state->dispatching = pcntl->processing_signal_queue;
	pcntl->head = pcntl->tail = NULL;
	pcntl->pending_signals = 0;
	pcntl->processing_signal_queue = 0;
}

/* Each begins with a pointer to the next. */
static void append_pending(void **first, void **last, void *more, void *last_of_more)
{
	if (*first) {
		*(void **) *last = more;
	} else {
		*first = more;
	}
	*last = last_of_more;
}

static void put_pending(signal_state *state)
{
	pcntl->processing_signal_queue = state->dispatching;
	state->dispatching = 0;
	if (!state->first) {
		return;
	}
	if (pcntl->head) {
		append_pending(&state->first, &state->last, pcntl->head, pcntl->tail);
	}
	pcntl->head = state->first;
	pcntl->tail = state->last;
	pcntl->pending_signals = 1;
	state->first = state->last = NULL;
	WEFT_SET_VM_INTERRUPT();
}

static bool has_mask(const signal_state *state)
{
	return state->masked || state->dispatching;
}

static void signals_leave(void *saved)
{
	signal_state *state = saved;
	sigset_t before;

	if (EXPECTED(!in_use())) {
		return;
	}
	block_signals(&before);
	*state = own;
	memset(&own, 0, sizeof(own));
	if (state->alarm) {
		suspend_alarm(state);
	}
	for (uint32_t i = 0; i < state->used; i++) {
		own_handler *handler = &state->handlers[i];

		handler->missed |= handler->calls && take_blocked(handler->number);
		handler->seen = arrived[handler->number];
	}
	if (pcntl) {
		swap_tables(state);
		take_pending(state);
	}
	state->mask = before;
	sigprocmask(SIG_SETMASK, has_mask(state) ? &base_mask : &before, NULL);
}

static bool is_used(const signal_state *state)
{
	return state->used || state->async_changed || state->alarm || state->first || has_mask(state);
}

static void signals_enter(void *saved)
{
	signal_state *state = saved;
	sigset_t before;
	bool due;

	if (EXPECTED(!is_used(state))) {
		return;
	}
	block_signals(&before);
	if (has_mask(state)) {
		before = state->mask;
	}
	if (pcntl) {
		swap_tables(state);
		put_pending(state);
	}
	due = state->due && resume_alarm(state);
	own = *state;
	memset(saved, 0, sizeof(own));
	sigprocmask(SIG_SETMASK, &before, NULL);
	for (uint32_t i = 0; i < own.used; i++) {
		own_handler *handler = &own.handlers[i];

		if (handler->calls && (handler->missed || handler->seen != arrived[handler->number])) {
			handler->missed = false;
			deliver(handler->number);
		}
	}
	if (due) {
		deliver(SIGALRM);
	}
}

/* --- the end of a domain --- */

static void forget_handler(own_handler *handler)
{
	zval pair[2];

	users[handler->number] -= handler->calls;
	if (!users[handler->number]) {
		ZVAL_LONG(&pair[0], handler->number);
		ZVAL_COPY_VALUE(&pair[1], &handler->before);
		weft_c_call("pcntl_signal", NULL, 2, pair);
		keep_reserved(handler->number);
	}
	zval_ptr_dtor(&handler->before);
}

/* The base's state is live. */
static void signals_end(signal_state *state)
{
	zval async;

	putting_back = true;
	if (state->due) {
		weft_timer_disarm(&state->timer);
	}
	for (uint32_t i = 0; i < state->used; i++) {
		forget_handler(&state->handlers[i]);
	}
	if (!pcntl && state->async_changed) {
		ZVAL_BOOL(&async, state->async);
		weft_c_call("pcntl_async_signals", NULL, 1, &async);
	}
	putting_back = false;
	if (state->first) {
		append_pending(&state->first, &state->last, pcntl->spares, NULL);
		pcntl->spares = state->first;
	}
	free(state->handlers);
	if (state->has_table) {
		zend_hash_destroy(&state->table);
	}
	memset(state, 0, sizeof(*state));
}

static void signals_finish(void)
{
	signal_state state = {0};

	if (!in_use()) {
		return;
	}
	signals_leave(&state);
	signals_end(&state);
}

static void signals_discard(void *saved)
{
	signals_end(saved);
}

const weft_c_item weft_c_signals = {
	.name = "signals",
	.size = sizeof(signal_state),
	.capture = signals_capture,
	.leave = signals_leave,
	.enter = signals_enter,
	.finish = signals_finish,
	.discard = signals_discard,
};

void weft_c_signals_wrap(void)
{
	plain_signal = weft_wrap("pcntl", NULL, "pcntl_signal", zif_weft_pcntl_signal);
	plain_alarm = weft_wrap("pcntl", NULL, "pcntl_alarm", zif_weft_pcntl_alarm);
	plain_async = weft_wrap("pcntl", NULL, "pcntl_async_signals", zif_weft_pcntl_async_signals);
	plain_mask = weft_wrap("pcntl", NULL, "pcntl_sigprocmask", zif_weft_pcntl_sigprocmask);
}
