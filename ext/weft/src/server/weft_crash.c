/*
 * A handler on a stack of its own, since the fault may be that there is no more stack. It allocates nothing, takes no
 * lock that it knows of, and an alarm ends it where it waits for one all the same.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "server/weft_crash.h"
#include "coroutine/weft_frames.h"
#include "http/weft_http.h"
#include "reactor/weft_log.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define HANDLER_STACK (128 << 10)
#define FRAMES 6000
/* An access so near to the end of the stack in use is one to the stack. */
#define NEAR 65536
/* Seconds until the handler itself is given up. */
#define PATIENCE 2

static const struct {
	int number;
	const char *name;
} faults[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};

#define FAULTS (sizeof(faults) / sizeof(faults[0]))

static char handler_stack[HANDLER_STACK];
static uint32_t crash_worker;

static uintptr_t stack_pointer(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (uintptr_t) context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	return (uintptr_t) context->uc_mcontext.sp;
#else
	return 0;
#endif
}

static bool is_overflow(int number, const siginfo_t *info, const void *context)
{
	uintptr_t pointer = stack_pointer(context), fault = (uintptr_t) info->si_addr;

	return number == SIGSEGV && pointer && (fault < pointer ? pointer - fault : fault - pointer) < NEAR;
}

static const char *name_of(int number)
{
	size_t i = 0;

	while (i < FAULTS - 1 && faults[i].number != number) {
		i++;
	}
	return faults[i].name;
}

/* Ends the process if the handler hangs. The application may have uses of its own for the signal. */
static void arm_alarm(void)
{
	sigset_t alone;

	signal(SIGALRM, SIG_DFL);
	sigemptyset(&alone);
	sigaddset(&alone, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &alone, NULL);
	alarm(PATIENCE);
}

static void on_fault(int number, siginfo_t *info, void *context);

static void hear(int number)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};

	sigfillset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	static char frames[FRAMES], text[FRAMES + 600];
	weft_board_request request;
	bool known;

	if (info->si_code <= 0 && info->si_pid != getpid()) {
		hear(number); /* somebody has sent it: nothing is broken */
		return;
	}
	arm_alarm();
	weft_log_request_id = NULL; /* what it would look at may be what is broken */
	known = weft_http_running_request(&request);
	weft_frames_describe(EG(current_execute_data), frames, sizeof(frames));
	snprintf(text, sizeof(text), "weft: worker %u (%d) dies of %s%s. It runs %s%s%s%s%s%s", crash_worker,
		(int) getpid(), name_of(number),
		is_overflow(number, info, context) ? ": its stack is used up, by a recursion (weft.stack_size)" : "",
		known ? request.method : "no request", known ? " " : "", known ? request.path : "", known ? " (request " : "",
		known ? request.id : "", known ? ")" : "");
	strncat(text, frames, sizeof(text) - strlen(text) - 1);
	weft_log_in_handler("error", text);
	raise(number); /* once this handler returns: its default action, which may leave a core */
}

void weft_crash_tell(uint32_t worker)
{
	stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof(handler_stack)};
	struct sigaction before;

	crash_worker = worker;
	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < FAULTS; i++) {
		if (sigaction(faults[i].number, NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
			hear(faults[i].number);
		}
	}
}
