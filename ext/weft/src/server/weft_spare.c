/*
 * Forks the spare of a zygote, has it wait, and makes a zygote of it.
 */
#include "server/weft_spare.h"

#include "pdo/weft_pdo.h"
#include "server/weft_entropy.h"
#include "server/weft_process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t supervisor;

/* It lives longer than its zygote may, so it is the supervisor's child: the process between the two ends at once. */
static void become_spare(void)
{
	pid_t spare = fork();

	if (spare != 0) {
		_exit(spare < 0);
	}
	setpgid(0, 0);
	prctl(PR_SET_NAME, "weft-spare");
	weft_entropy_after_fork();
}

bool weft_spare_fork(void)
{
	supervisor = getppid();
	/* two processes can't use one connection */
	weft_pdo_close_idle();
	pid_t between = fork();
	if (between == 0) {
		become_spare();
		return true;
	}
	while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR) {
	}
	close(WEFT_SPARE_FD);
	return false;
}

/* Length of the lines, -1 when nobody wants it to be a zygote any more. */
static ssize_t receive_lines(char *lines, size_t room, int given[WEFT_SPARE_GIVEN])
{
	char first = 0;
	struct iovec parts[2] = {{&first, 1}, {lines, room}};
	union {
		char bytes[CMSG_SPACE(WEFT_SPARE_GIVEN * sizeof(int))];
		struct cmsghdr aligned;
	} control;
	struct msghdr message = {.msg_iov = parts,
		.msg_iovlen = 2,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes)};
	const struct cmsghdr *rights;
	ssize_t got;

	do {
		got = recvmsg(WEFT_SPARE_FD, &message, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	rights = got > 0 && first == WEFT_MESSAGE_LEARN ? CMSG_FIRSTHDR(&message) : NULL;
	if (rights == NULL || rights->cmsg_type != SCM_RIGHTS ||
		rights->cmsg_len != CMSG_LEN(WEFT_SPARE_GIVEN * sizeof(int))) {
		return -1;
	}
	memcpy(given, CMSG_DATA(rights), WEFT_SPARE_GIVEN * sizeof(int));
	return got - 1;
}

/* What was given may have any number, also one of those it is to have. */
static void take_over(const int given[WEFT_SPARE_GIVEN])
{
	static const int numbers[WEFT_SPARE_GIVEN] = {WEFT_CONTROL_FD, WEFT_LEASH_FD, WEFT_BOARD_FD, WEFT_SPARE_FD};
	int high[WEFT_SPARE_GIVEN];

	for (int i = 0; i < WEFT_SPARE_GIVEN; i++) {
		high[i] = fcntl(given[i], F_DUPFD_CLOEXEC, WEFT_SPARE_FD + 1);
		close(given[i]);
	}
	for (int i = 0; i < WEFT_SPARE_GIVEN; i++) {
		if (dup3(high[i], numbers[i], O_CLOEXEC) < 0) {
			_exit(1);
		}
		close(high[i]);
	}
}

static void announce(uint32_t most, uint64_t after_ms)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "%d %" PRIu32 " %" PRIu64, (int) getpid(), most, after_ms);

	weft_message_send(WEFT_CONTROL_FD, WEFT_MESSAGE_SPARE, text, (size_t) length);
	/* the ends of those that tell the supervisor that its zygote is gone, and its workers */
	close(WEFT_CONTROL_FD);
	close(WEFT_LEASH_FD);
	close(WEFT_BOARD_FD);
}

zend_string *weft_spare_wait(uint32_t most, uint64_t after_ms)
{
	static char lines[WEFT_MESSAGE_MAX];
	int given[WEFT_SPARE_GIVEN];
	ssize_t length;

	announce(most, after_ms);
	length = receive_lines(lines, sizeof(lines), given);
	if (length < 0) {
		_exit(0);
	}
	take_over(given);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != supervisor) {
		_exit(0);
	}
	prctl(PR_SET_NAME, "weft-zygote");
	return zend_string_init(lines, (size_t) length, false);
}
