/*
 * Forks, runs the callable in the child with its output gone, and waits for its end.
 */
#include "server/weft_scout.h"

#include "pdo/weft_pdo.h"
#include "server/weft_entropy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void say_nothing(void)
{
	int null = open("/dev/null", O_WRONLY);

	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
}

static ZEND_NORETURN void be_scout(zend_fcall_info *info, zend_fcall_info_cache *cache, pid_t parent)
{
	zval result;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) {
		_exit(0);
	}
	prctl(PR_SET_NAME, "weft-scout");
	say_nothing();
	weft_entropy_after_fork();
	ZVAL_UNDEF(&result);
	info->retval = &result;
	zend_try {
		zend_call_function(info, cache);
		weft_pdo_close_idle();
	} zend_end_try();
	/* no shutdown functions, no destructors: they are the zygote's and its workers' */
	_exit(0);
}

void weft_scout_send(zend_fcall_info *info, zend_fcall_info_cache *cache)
{
	pid_t zygote = getpid();
	pid_t scout = fork();

	if (scout == 0) {
		be_scout(info, cache, zygote);
	}
	while (scout > 0 && waitpid(scout, NULL, 0) < 0 && errno == EINTR) {
	}
}
