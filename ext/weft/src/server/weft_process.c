/*
 * Messages over a socket, the delays of restarts, and what is said of a process that has ended.
 */
#include "server/weft_process.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

uint64_t weft_process_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
}

uint32_t weft_restart_delay(weft_restart_policy *policy, uint64_t lifetime_ms)
{
	if (lifetime_ms >= WEFT_EARLY_DEATH_MS) {
		policy->early_deaths = 0;
		return 0;
	}
	uint32_t delay = WEFT_RESTART_DELAY_MS;
	for (uint32_t i = 0; i < policy->early_deaths && delay < WEFT_RESTART_DELAY_MAX_MS; i++) {
		delay *= 2;
	}
	policy->early_deaths++;
	return delay < WEFT_RESTART_DELAY_MAX_MS ? delay : WEFT_RESTART_DELAY_MAX_MS;
}

bool weft_message_send(int fd, weft_message kind, const char *text, size_t length)
{
	char first = (char) kind;
	struct iovec parts[2] = {{&first, 1}, {(void *) text, length}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = length > 0 ? 2 : 1};
	ssize_t sent;
	do {
		sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	} while (sent < 0 && errno == EINTR);
	return sent == (ssize_t) length + 1;
}

ssize_t weft_message_receive(int fd, char *buffer, size_t size)
{
	ssize_t got;
	do {
		got = recv(fd, buffer, size - 1, MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		/* a reset is an end like any other */
		return errno == EAGAIN ? -1 : 0;
	}
	buffer[got] = '\0';
	return got;
}

const char *weft_process_describe_status(int status, char *buffer, size_t size)
{
	if (WIFSIGNALED(status)) {
		snprintf(buffer, size, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	} else {
		snprintf(buffer, size, "exit status %d", WEXITSTATUS(status));
	}
	return buffer;
}

/* Requests that are named. */
#define NAMED 5

const char *weft_process_describe_lost(const weft_board_entry *entry, char *buffer, size_t size)
{
	weft_board_request request;
	uint32_t next = 0, lost = 0;
	int length = 0;

	buffer[0] = '\0';
	while (entry != NULL && weft_board_next_request(entry, &next, &request)) {
		uint64_t now = weft_process_now(), began = request.began / 1000000;
		if (lost++ < NAMED) {
			length += snprintf(buffer + length, size - (size_t) length, "%s%s %s (request %s, %" PRIu64 " ms)",
				lost == 1 ? "; lost with it: " : ", ", request.method, request.path, request.id,
				now > began ? now - began : 0);
		}
	}
	if (lost > NAMED) {
		snprintf(buffer + length, size - (size_t) length, " and %u more", lost - NAMED);
	}
	return buffer;
}

int weft_process_timeout(uint64_t deadline, int at_most)
{
	if (deadline == 0) {
		return at_most;
	}
	uint64_t now = weft_process_now();
	uint64_t left = deadline > now ? deadline - now : 0;
	if (left > INT_MAX) {
		left = INT_MAX;
	}
	return at_most >= 0 && (uint64_t) at_most < left ? at_most : (int) left;
}

void weft_process_await(int epoll, int fd, uint32_t *awaits, uint32_t events, void *whose)
{
	struct epoll_event event = {.events = events, .data = {.ptr = whose}};
	int change = events == 0 ? EPOLL_CTL_DEL : *awaits == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;

	if (events != *awaits && epoll_ctl(epoll, change, fd, &event) == 0) {
		*awaits = events;
	}
}
