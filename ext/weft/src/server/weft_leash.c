/*
 * A SOCK_SEQPACKET pair, read with MSG_PEEK, and a thread that waits for its end.
 */
#include "server/weft_leash.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define GUARD_STACK (64 << 10)

static struct {
	int fd, asked;
	uint32_t ms;
} guarded;

bool weft_leash_new(int pair[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0;
}

void weft_leash_tell(int fd, weft_leash_word word)
{
	char letter = (char) word;
	ssize_t ignored = send(fd, &letter, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	(void) ignored;
}

weft_leash_word weft_leash_heard(int fd)
{
	char letter = WEFT_LEASH_GONE;
	ssize_t got;
	do {
		got = recv(fd, &letter, 1, MSG_PEEK | MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	return got < 0 && errno == EAGAIN ? WEFT_LEASH_SILENT : (weft_leash_word) letter;
}

static void *guard_run(void *arg)
{
	/* of the leash, no event but the end is asked for: a word in it is the main thread's */
	struct pollfd polled[] = {{guarded.fd, 0, 0}, {guarded.asked, POLLIN, 0}};
	struct timespec left = {guarded.ms / 1000, (long) (guarded.ms % 1000) * 1000000};

	while (poll(polled, 2, -1) < 0 && errno == EINTR) {
	}
	while (nanosleep(&left, &left) != 0 && errno == EINTR) {
	}
	kill(getpid(), SIGKILL);
	return arg;
}

bool weft_leash_guard(int fd, int asked, uint32_t ms)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, before;

	guarded.fd = fd;
	guarded.asked = asked;
	guarded.ms = ms;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, GUARD_STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&thread, &attributes, guard_run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error == 0;
}
