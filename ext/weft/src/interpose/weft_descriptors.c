/*
 * Raises the limit of descriptors for ourselves, and lowers it again for what is started.
 */
#include "interpose/weft_descriptors.h"
#include "reactor/weft_reactor.h"

#include <pthread.h>
#include <sys/resource.h>

/* The reactor's table ends there. */
#define MOST (WEFT_FD_CHUNK * WEFT_FD_CHUNKS)

static struct rlimit former, raised;
static bool is_raised;

static void descriptors_after_fork_in_child(void)
{
	if (is_raised) {
		is_raised = false;
		setrlimit(RLIMIT_NOFILE, &former);
	}
}

void weft_descriptors_raise(void)
{
	if (is_raised || getrlimit(RLIMIT_NOFILE, &former) != 0) {
		return;
	}
	raised = former;
	raised.rlim_cur = former.rlim_max < MOST ? former.rlim_max : MOST;
	if (raised.rlim_cur > former.rlim_cur && setrlimit(RLIMIT_NOFILE, &raised) == 0) {
		is_raised = true;
		pthread_atfork(NULL, NULL, descriptors_after_fork_in_child);
	}
}

/* What is open above the lower limit stays open, and new numbers are taken from below. */
void weft_descriptors_lower(void)
{
	if (is_raised) {
		setrlimit(RLIMIT_NOFILE, &former);
	}
}

void weft_descriptors_restore(void)
{
	if (is_raised) {
		setrlimit(RLIMIT_NOFILE, &raised);
	}
}

uint32_t weft_descriptors_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
		return 1024;
	}
	return limit.rlim_cur < MOST ? (uint32_t) limit.rlim_cur : MOST;
}
