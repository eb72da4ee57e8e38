/*
 * Many connections that ask once and then stay.
 *
 *     hold PORT COUNT PATH idle|sleeping [FIRST]
 *
 * idle: each waits for its answer, then rests. sleeping: the requests are sent, the answers come when they come.
 * A line of JSON says when all have arrived there ({"ready":true}); another follows when the last answer is there, or
 * at SIGTERM or SIGINT. A source address has some 28,000 ports, so connections come from 127.0.0.2, 127.0.0.3 …
 * Where a process may not have as many descriptors, several hold a part each: FIRST is the number of the first one.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Half of the ports of an address: when those of one parity are taken, the kernel searches long for each connection. */
#define PER_ADDRESS 10000
/* Under way at once: an accept queue is not endless. */
#define AT_ONCE 256
#define EVENTS_PER_ROUND 512
#define HEAD_BYTES 2048
/* Longer than any connection needs that will come about at all. */
#define LIMIT_SECONDS 120

typedef enum { CONNECTING, ASKED, ANSWERED, FAILED } phase;

typedef struct {
	int fd;
	phase phase;
} connection;

static connection *connections;
static unsigned first, count, opened, under_way, asked, answered, failed;
static uint16_t port;
static int epoll_fd;
static bool sleeping;
static char request[HEAD_BYTES];
static volatile sig_atomic_t stopping;

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

static void fail(connection *c)
{
	under_way -= c->phase == CONNECTING || (c->phase == ASKED && !sleeping);
	close(c->fd);
	c->phase = FAILED;
	failed++;
}

static void open_one(connection *c)
{
	unsigned number = first + (unsigned) (c - connections);
	struct sockaddr_in from = {.sin_family = AF_INET}, to = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct epoll_event event = {.events = EPOLLOUT, .data.ptr = c};
	int one = 1;

	from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + number / PER_ADDRESS);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	under_way++;
	if (c->fd < 0) {
		fail(c);
		return;
	}
	/* Closed with a reset, so that no port stays reserved for a minute after. */
	setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
	/* The port is chosen at connect(), where the kernel knows both ends and can use one for several servers. */
	setsockopt(c->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
	if (bind(c->fd, (struct sockaddr *) &from, sizeof from) != 0 ||
		(connect(c->fd, (struct sockaddr *) &to, sizeof to) != 0 && errno != EINPROGRESS)) {
		fail(c);
		return;
	}
	epoll_ctl(epoll_fd, EPOLL_CTL_ADD, c->fd, &event);
}

static void handle(connection *c)
{
	char head[HEAD_BYTES];
	if (c->phase == CONNECTING) {
		int error = 0;
		socklen_t length = sizeof error;
		struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
		getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &length);
		if (error != 0 || send(c->fd, request, strlen(request), MSG_NOSIGNAL) < 0) {
			fail(c);
			return;
		}
		c->phase = ASKED;
		asked++;
		under_way -= sleeping;
		epoll_ctl(epoll_fd, EPOLL_CTL_MOD, c->fd, &event);
		return;
	}
	ssize_t n = recv(c->fd, head, sizeof head, 0);
	if (n < 0 && errno == EAGAIN) {
		return;
	}
	if (n <= 0 || (c->phase == ASKED && strncmp(head, "HTTP/1.1 200 ", 13) != 0)) {
		answered -= c->phase == ANSWERED;
		fail(c);
	} else if (c->phase == ASKED) {
		c->phase = ANSWERED;
		answered++;
		under_way -= !sleeping;
	}
}

static void say(const char *what, double began)
{
	printf("{\"%s\":true,\"seconds\":%.3f,\"asked\":%u,\"answered\":%u,\"failed\":%u}\n", what, seconds() - began,
		asked, answered, failed);
	fflush(stdout);
}

static void on_signal(int number)
{
	(void) number;
	stopping = 1;
}

int main(int argc, char **argv)
{
	struct epoll_event events[EVENTS_PER_ROUND];
	struct rlimit files;
	bool ready = false, done = false;

	if ((argc != 5 && argc != 6) || atoi(argv[1]) <= 0 || atoi(argv[2]) <= 0 || strlen(argv[3]) > HEAD_BYTES / 2) {
		fprintf(stderr, "usage: hold PORT COUNT PATH idle|sleeping [FIRST]\n");
		return 2;
	}
	port = (uint16_t) atoi(argv[1]);
	count = (unsigned) atoi(argv[2]);
	first = argc == 6 ? (unsigned) atoi(argv[5]) : 0;
	sleeping = strcmp(argv[4], "sleeping") == 0;
	snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", argv[3], port);
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_signal}, NULL);
	sigaction(SIGINT, &(struct sigaction){.sa_handler = on_signal}, NULL);
	connections = calloc(count, sizeof *connections);
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);

	double began = seconds();
	while (!stopping) {
		while (opened < count && under_way < AT_ONCE) {
			open_one(&connections[opened++]);
		}
		if (!ready && opened == count && under_way == 0) {
			ready = true;
			say("ready", began);
		}
		if (!done && opened == count && answered + failed == count) {
			done = true;
			say("done", began);
		}
		if (!ready && seconds() - began > LIMIT_SECONDS) {
			fprintf(stderr, "hold: not all connections within %d s: %u asked, %u answered, %u failed\n", LIMIT_SECONDS,
				asked, answered, failed);
			return 1;
		}
		int n = epoll_wait(epoll_fd, events, EVENTS_PER_ROUND, 100);
		for (int i = 0; i < n; i++) {
			handle(events[i].data.ptr);
		}
	}
	say("stopped", began);
	return 0;
}
