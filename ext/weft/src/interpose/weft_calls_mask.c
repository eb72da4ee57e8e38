/*
 * Blocking signals. ext/pcntl and libraries block all of them for a while, in which PHP code may run and write to a
 * still page: the kernel ends a process whose fault is blocked. Nothing else is lost: who means this signal alone, by
 * pcntl_sigprocmask(), has it.
 */
#include "interpose/weft_calls.h"
#include "interpose/weft_interpose.h"
#include "php_weft.h"

bool weft_faults_may_be_blocked;

static const sigset_t *without_faults(int how, const sigset_t *set, sigset_t *copy)
{
	if (!set || how == SIG_UNBLOCK || weft_thread == WEFT_THREAD_FOREIGN || weft_faults_may_be_blocked ||
		!WEFT_G(still_pages)) {
		return set;
	}
	*copy = *set;
	sigdelset(copy, SIGSEGV);
	return copy;
}

int weft_call_sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t copy;

	return sigprocmask(how, without_faults(how, set, &copy), before);
}

int weft_call_pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	sigset_t copy;

	return pthread_sigmask(how, without_faults(how, set, &copy), before);
}
