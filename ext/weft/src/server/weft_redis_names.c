/*
 * Looks up a host name in a thread.
 */
#ifdef WEFT_REDIS

#include "server/weft_redis.h"

#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Of a numeric address, with the zone that it may be in. */
#define LONGEST 128

typedef struct {
	int fd;
	char host[WEFT_REDIS_TEXT];
} name;

static size_t write_addresses(char *to, const struct addrinfo *found)
{
	size_t length = 0;

	for (; found != NULL && WEFT_REDIS_ADDRESSES - length > LONGEST; found = found->ai_next) {
		if (getnameinfo(found->ai_addr, found->ai_addrlen, to + length, LONGEST, NULL, 0, NI_NUMERICHOST) == 0) {
			length += strlen(to + length) + 1;
		}
	}
	return length;
}

static void *look_up(void *arg)
{
	name *looked_up = arg;
	struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
	char answer[WEFT_REDIS_ADDRESSES] = "";
	int error = getaddrinfo(looked_up->host, NULL, &wanted, &found);
	size_t length;

	if (error == 0) {
		length = write_addresses(answer, found);
		freeaddrinfo(found);
	} else {
		length = (size_t) snprintf(answer, sizeof(answer) - 1, "!%s", gai_strerror(error)) + 1;
	}
	/* the reader may have gone */
	send(looked_up->fd, answer, length + 1, MSG_NOSIGNAL);
	close(looked_up->fd);
	free(looked_up);
	return NULL;
}

static bool start_thread(name *looked_up)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, before;

	/* signals are the loop's */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	bool started = pthread_create(&thread, &attributes, look_up, looked_up) == 0;
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

int weft_redis_find_addresses(const char *host)
{
	int pair[2];
	name *looked_up = malloc(sizeof(*looked_up));

	if (looked_up == NULL || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		free(looked_up);
		return -1;
	}
	looked_up->fd = pair[1];
	memcpy(looked_up->host, host, strlen(host) + 1);
	if (!start_thread(looked_up)) {
		close(pair[0]);
		close(pair[1]);
		free(looked_up);
		return -1;
	}
	return pair[0];
}

#endif /* WEFT_REDIS */
