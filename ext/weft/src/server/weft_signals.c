/*
 * A handler for what nobody has a use for, and who has sent a signal.
 */
#include "server/weft_signals.h"
#include "coroutine/weft_coroutine.h"
#include "globals/weft_c_state.h"
#include "globals/weft_process_calls.h"
#include "zend_signal.h"

#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>

/* The first and the last signal that the C library keeps for its threads: sigaction(2) does not take them from us. */
#define FIRST_OF_LIBC 32
#define LAST_OF_LIBC 33
/* Of rt_sigaction(2). */
#define KERNEL_MASK_SIZE 8
/* Ancestors of a sender that are looked at. */
#define MOST_ANCESTORS 64

/* As in weft_crash.c. */
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static const int limits[] = {SIGXCPU, SIGXFSZ, SIGTRAP, SIGSYS};
static const int stops[] = {SIGTSTP, SIGTTIN, SIGTTOU};
static const int others[] = {SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, SIGPIPE};

#define CONTAINS(list, number) contains(list, sizeof(list) / sizeof(list[0]), number)

static bool contains(const int *list, size_t count, int number)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i] == number) {
			return true;
		}
	}
	return false;
}

static void survive(int number, siginfo_t *info, void *context)
{
	bool by_kernel = info->si_code > 0;
	/* abort(), say */
	bool by_itself = info->si_code <= 0 && info->si_pid == getpid();

	weft_signal_is_ours();
	if (by_kernel && CONTAINS(stops, number)) {
		raise(SIGSTOP);
	} else if (((by_kernel || by_itself) && CONTAINS(faults, number)) || (by_kernel && CONTAINS(limits, number))) {
		signal(number, SIG_DFL);
		raise(number); /* once this handler returns */
	}
}

static bool is_survived(int number)
{
	return CONTAINS(faults, number) || CONTAINS(limits, number) || CONTAINS(stops, number) ||
		CONTAINS(others, number) || (number >= SIGRTMIN && number <= SIGRTMAX);
}

static bool has_default_action(int number)
{
	struct sigaction before;

	if (number == SIGPROF) {
		return true; /* PHP's ends who runs, for a timer that no server has (weft_cpu_limit.c) */
	}
	/* PHP may have put a handler of its own before it */
	zend_sigaction(number, NULL, &before);
	return !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL;
}

/* Their handlers come with the first thread, and take the place of this. */
static void ignore_those_of_libc(void)
{
	struct {
		void (*handler)(int number);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask[KERNEL_MASK_SIZE / sizeof(unsigned long)];
	} action;

	for (int number = FIRST_OF_LIBC; number <= LAST_OF_LIBC; number++) {
		memset(&action, 0, sizeof(action));
		if (syscall(SYS_rt_sigaction, number, NULL, &action, KERNEL_MASK_SIZE) == 0 && action.handler == SIG_DFL) {
			action.handler = SIG_IGN;
			syscall(SYS_rt_sigaction, number, &action, NULL, KERNEL_MASK_SIZE);
		}
	}
}

void weft_signals_survive(void)
{
	struct sigaction action = {.sa_sigaction = survive, .sa_flags = SA_SIGINFO | SA_RESTART};

	/* one after the other: their frames, all at once, would be more than the stack of a coroutine holds */
	sigfillset(&action.sa_mask);
	for (int number = 1; number <= SIGRTMAX; number++) {
		if (is_survived(number) && has_default_action(number)) {
			sigaction(number, &action, NULL);
		}
	}
	ignore_those_of_libc();
}

void weft_signals_survive_in_worker(void)
{
	struct sigaction now;

	for (int number = 1; number <= SIGRTMAX; number++) {
		if (!is_survived(number) || sigaction(number, NULL, &now) != 0 || now.sa_sigaction != survive) {
			continue;
		}
		if (CONTAINS(faults, number)) {
			signal(number, SIG_DFL);
		} else {
			weft_c_signals_keep(number);
		}
	}
}

bool weft_signals_from_below(pid_t sender)
{
	for (int i = 0; i < MOST_ANCESTORS && sender > 1; i++) {
		if (sender == getpid()) {
			return true;
		}
		sender = weft_parent_of(sender);
	}
	return false;
}
