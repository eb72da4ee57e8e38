/*
 * A rehearsal: what may crash or never end is tried in a child first.
 */
#include "warm/weft_warm.h"
#include "coroutine/weft_coroutine.h"
#include "zend_exceptions.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* what a pipe takes in one piece */
#define WEFT_LINE 4096

static void rehearsal_say(int to, const char *line, size_t length)
{
	ssize_t written = write(to, line, length > WEFT_LINE ? WEFT_LINE : length);

	(void) written;
}

static void be_quiet(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
}

static _Noreturn void be_child(zend_fcall_info *call, zend_fcall_info_cache *cache, int to)
{
	zval result;
	volatile bool complete = false;

	be_quiet();
	weft_coroutine_after_fork();
	ZVAL_UNDEF(&result);
	call->retval = &result;
	zend_try
	{
		zend_call_function(call, cache);
		complete = true;
	}
	zend_end_try();
	/* a fatal error may also unwind */
	if (!complete || (EG(exception) && zend_is_unwind_exit(EG(exception)))) {
		const char *line = PG(last_error_message) ? ZSTR_VAL(PG(last_error_message)) : "it ended by exit()";

		rehearsal_say(to, line, strlen(line));
	} else if (EG(exception)) {
		zval *message, room;

		message = zend_read_property(EG(exception)->ce, EG(exception), ZEND_STRL("message"), true, &room);
		if (Z_TYPE_P(message) == IS_STRING) {
			rehearsal_say(to, Z_STRVAL_P(message), Z_STRLEN_P(message));
		}
	} else if (Z_TYPE(result) == IS_STRING) {
		rehearsal_say(to, Z_STRVAL(result), Z_STRLEN(result));
	} else {
		rehearsal_say(to, "", 1);
	}
	_exit(0);
}

/* Length of the line, or -1 when the time is over. */
static ssize_t hear(int from, char *line, double seconds)
{
	struct pollfd polled = {.fd = from, .events = POLLIN};
	uint64_t deadline = weft_now() + (uint64_t) (seconds * (double) WEFT_NS_PER_SEC), now;

	while ((now = weft_now()) < deadline) {
		int ready = poll(&polled, 1, (int) ((deadline - now) / WEFT_NS_PER_MS) + 1);

		if (ready > 0) {
			return read(from, line, WEFT_LINE);
		}
		if (ready < 0 && errno != EINTR) {
			return 0;
		}
	}
	return -1;
}

ZEND_FUNCTION(Weft_Internal_rehearse)
{
	zend_fcall_info call;
	zend_fcall_info_cache cache;
	double seconds;
	int pipes[2], status;
	char line[WEFT_LINE];
	ssize_t length;
	pid_t pid;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_FUNC(call, cache)
		Z_PARAM_DOUBLE(seconds)
	ZEND_PARSE_PARAMETERS_END();

	if (pipe2(pipes, O_CLOEXEC) != 0) {
		RETURN_STR(strpprintf(0, "no pipe: %s", strerror(errno)));
	}
	pid = fork();
	if (pid == 0) {
		close(pipes[0]);
		be_child(&call, &cache, pipes[1]);
	}
	close(pipes[1]);
	if (pid < 0) {
		close(pipes[0]);
		RETURN_STR(strpprintf(0, "no process: %s", strerror(errno)));
	}
	length = hear(pipes[0], line, seconds);
	close(pipes[0]);
	if (length <= 0) {
		kill(pid, SIGKILL);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
	}
	if (length < 0) {
		RETURN_STR(strpprintf(0, "it took longer than %g s", seconds));
	}
	if (length == 0) {
		RETURN_STR(strpprintf(0, "it crashed%s%s", WIFSIGNALED(status) ? " with " : "",
			WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : ""));
	}
	if (*line) {
		RETURN_STRINGL(line, (size_t) length);
	}
}
