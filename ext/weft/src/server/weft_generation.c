/*
 * Starts a zygote with its descriptors and its configuration, and ends what is left of a generation.
 */
#include "server/weft_generation.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors move above this before they take their final numbers, so that none overwrites another. */
#define WEFT_OUT_OF_THE_WAY (WEFT_FIRST_LISTENER_FD + WEFT_MAX_LISTENERS)

/* How often, and how long, to look whether a killed process group is gone. */
#define WEFT_GONE_TRIES 200
#define WEFT_GONE_PAUSE_US 5000

static void move_descriptor(int from, int to)
{
	/* dup2() drops close-on-exec, which is the point */
	if (dup2(from, to) < 0) {
		_exit(127);
	}
}

static void close_from(int first)
{
	if (close_range((unsigned) first, ~0u, 0) == 0) {
		return;
	}
	long limit = sysconf(_SC_OPEN_MAX);
	for (int fd = first; fd < (limit > 0 ? limit : 1024); fd++) {
		close(fd);
	}
}

static void arrange_descriptors(int control, const weft_listeners *listeners)
{
	int high[1 + WEFT_MAX_LISTENERS];
	high[0] = fcntl(control, F_DUPFD, WEFT_OUT_OF_THE_WAY);
	for (uint32_t i = 0; i < listeners->count; i++) {
		high[1 + i] = fcntl(listeners->fds[i], F_DUPFD, WEFT_OUT_OF_THE_WAY);
	}
	/* the application must not read the terminal: it is in the background there and would be stopped */
	int null = open("/dev/null", O_RDONLY);
	if (null >= 0) {
		move_descriptor(null, STDIN_FILENO);
	}
	for (uint32_t i = 0; i < 1 + listeners->count; i++) {
		move_descriptor(high[i], WEFT_CONTROL_FD + (int) i);
	}
	close_from(WEFT_FIRST_LISTENER_FD + (int) listeners->count);
}

static ZEND_NORETURN void become_zygote(char *const *argv, int control, const weft_listeners *listeners,
	pid_t supervisor)
{
	sigset_t none;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != supervisor) {
		_exit(0);
	}
	for (int number = 1; number < NSIG; number++) {
		signal(number, SIG_DFL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	arrange_descriptors(control, listeners);
	execv(argv[0], argv);
	weft_process_say("%s can't be executed: %s", argv[0], strerror(errno));
	_exit(127);
}

static bool send_configuration(int control, uint32_t listeners, bool cold, const char *json, size_t length)
{
	char message[WEFT_MESSAGE_MAX];
	if (length + 2 > sizeof(message)) {
		errno = EMSGSIZE;
		return false;
	}
	message[0] = (char) listeners;
	message[1] = (char) cold;
	memcpy(message + 2, json, length);
	return weft_message_send(control, WEFT_MESSAGE_CONFIGURE, message, length + 2);
}

weft_generation *weft_generation_start(char *const *argv, const weft_listeners *listeners, bool cold,
	const char *configuration, size_t configuration_length)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		return NULL;
	}
	pid_t supervisor = getpid();
	pid_t pid = -1;
	if (send_configuration(pair[0], listeners->count, cold, configuration, configuration_length)) {
		pid = fork();
	}
	if (pid == 0) {
		become_zygote(argv, pair[1], listeners, supervisor);
	}
	int error = errno;
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		errno = error;
		return NULL;
	}
	/* on both sides, since either may come first */
	setpgid(pid, pid);
	weft_generation *generation = calloc(1, sizeof(*generation));
	if (generation == NULL) {
		kill(pid, SIGKILL);
		close(pair[0]);
		return NULL;
	}
	generation->pid = pid;
	generation->control = pair[0];
	return generation;
}

bool weft_generation_lives(const weft_generation *generation)
{
	return kill(-generation->pid, 0) == 0;
}

void weft_generation_kill(const weft_generation *generation)
{
	kill(-generation->pid, SIGKILL);
}

void weft_generation_free(weft_generation *generation)
{
	for (int i = 0; i < WEFT_GONE_TRIES && weft_generation_lives(generation); i++) {
		/* whose parent died has become a child of the supervisor, which is a subreaper */
		while (waitpid(-generation->pid, NULL, WNOHANG) > 0) {
		}
		usleep(WEFT_GONE_PAUSE_US);
	}
	if (generation->control >= 0) {
		close(generation->control);
	}
	free(generation);
}
