/*
 * A TCP proxy that holds every byte back for a given time, each way.
 *
 *     delay-proxy LISTEN_PORT TARGET_PORT DELAY_US     on 127.0.0.1, until SIGTERM or SIGINT
 *                                                      at SIGUSR1 it prints what has passed so far
 *     delay-proxy --measure DELAY_US                   median round trips in µs: direct, without the delay, with it
 *
 * A database on the same machine answers in microseconds, which hides what coroutines are for. This puts it at
 * the distance of a server in the next room. The delay is the same for all bytes, so what arrived first is due
 * first: one queue in order of arrival is also the order of the deadlines, whatever the number of connections.
 *
 * Not simulated: the kernel accepts the connection at once, so a connect() does not pay its round trip.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* One read; larger answers become several chunks. */
#define CHUNK_BYTES 16384
/* Bytes on their way in one direction beyond which its sender is not read: what a real link would hold. */
#define MAX_IN_FLIGHT (4u << 20)
#define EVENTS_PER_ROUND 256
#define MEASURE_ROUNDS 4000

typedef struct connection connection;

/* One end of a connection. What is read here is written to `peer`. */
typedef struct {
	connection *owner;
	int fd;
	uint32_t armed;                       /* the epoll events asked for */
	size_t in_flight;                     /* bytes read here and not yet written to the peer */
	bool end_read;                        /* end of file was seen here */
	bool end_written;                     /* and passed on to this one */
	struct chunk *blocked, **blocked_end; /* due for this end, but its socket is full */
} end;

struct connection {
	end client, server;
	unsigned chunks; /* queued ones that point here: the struct outlives them */
	bool asked;      /* the client spoke last */
	bool dead;
	connection *next_dead;
};

typedef struct chunk {
	uint64_t due;
	end *to;
	struct chunk *next;
	uint32_t length, written; /* length 0: end of file */
	char bytes[];
} chunk;

static volatile sig_atomic_t stopping, asked_for_counts;
/* How often a client spoke after its server had, and connections. */
static unsigned long questions, opened;
static int epoll_fd;
static uint64_t delay_ns;
static chunk *queue, **queue_end = &queue;
static connection *graveyard;

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static void fail(const char *what)
{
	fprintf(stderr, "delay-proxy: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct sockaddr_in loopback(uint16_t port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return a;
}

static void no_delay(int fd)
{
	int one = 1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static end *peer_of(end *e)
{
	return e == &e->owner->client ? &e->owner->server : &e->owner->client;
}

static void arm(end *e)
{
	uint32_t want = 0;
	if (!e->end_read && e->in_flight < MAX_IN_FLIGHT) {
		want |= EPOLLIN;
	}
	if (e->blocked != NULL) {
		want |= EPOLLOUT;
	}
	if (want != e->armed) {
		struct epoll_event event = {.events = want, .data.ptr = e};
		epoll_ctl(epoll_fd, EPOLL_CTL_MOD, e->fd, &event);
		e->armed = want;
	}
}

/* Both ends go together; the struct is freed when no chunk and no event of this round points to it. */
static void kill_connection(connection *c)
{
	if (c->dead) {
		return;
	}
	c->dead = true;
	close(c->client.fd);
	close(c->server.fd);
	c->next_dead = graveyard;
	graveyard = c;
}

static void bury(void)
{
	connection **link = &graveyard;
	while (*link != NULL) {
		connection *c = *link;
		if (c->chunks == 0) {
			*link = c->next_dead;
			free(c);
		} else {
			link = &c->next_dead;
		}
	}
}

static void free_chunk(chunk *c)
{
	c->to->owner->chunks--;
	free(c);
}

static void drop_blocked(connection *c)
{
	end *ends[2] = {&c->client, &c->server};
	for (int i = 0; i < 2; i++) {
		while (ends[i]->blocked != NULL) {
			chunk *next = ends[i]->blocked->next;
			free_chunk(ends[i]->blocked);
			ends[i]->blocked = next;
		}
		ends[i]->blocked_end = &ends[i]->blocked;
	}
}

/* True when the chunk is done with (written, or its connection is gone); false when the socket is full. */
static bool deliver(chunk *c)
{
	end *to = c->to, *from = peer_of(to);
	connection *owner = to->owner;

	if (owner->dead) {
		return true;
	}
	if (c->length == 0) {
		shutdown(to->fd, SHUT_WR);
		to->end_written = true;
		if (from->end_written) {
			kill_connection(owner);
			drop_blocked(owner);
		}
		return true;
	}
	while (c->written < c->length) {
		ssize_t n = send(to->fd, c->bytes + c->written, c->length - c->written, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && errno == EAGAIN) {
			return false;
		}
		if (n < 0) {
			kill_connection(owner);
			drop_blocked(owner);
			return true;
		}
		c->written += (uint32_t) n;
	}
	from->in_flight -= c->length;
	arm(from);
	return true;
}

static void release_due(uint64_t now)
{
	while (queue != NULL && queue->due <= now) {
		chunk *c = queue;
		end *to = c->to;

		queue = c->next;
		if (queue == NULL) {
			queue_end = &queue;
		}
		c->next = NULL;
		if (to->blocked != NULL || !deliver(c)) {
			*to->blocked_end = c;
			to->blocked_end = &c->next;
			arm(to);
		} else {
			free_chunk(c);
		}
	}
}

static void writable(end *e)
{
	while (e->blocked != NULL) {
		chunk *c = e->blocked;
		if (!deliver(c)) {
			return;
		}
		if (e->owner->dead) {
			return; /* drop_blocked() freed it */
		}
		e->blocked = c->next;
		if (e->blocked == NULL) {
			e->blocked_end = &e->blocked;
		}
		free_chunk(c);
	}
	arm(e);
}

static void readable(end *e)
{
	end *to = peer_of(e);
	while (!e->end_read && e->in_flight < MAX_IN_FLIGHT) {
		chunk *c = malloc(sizeof *c + CHUNK_BYTES);
		if (c == NULL) {
			fail("out of memory");
		}
		ssize_t n = recv(e->fd, c->bytes, CHUNK_BYTES, MSG_DONTWAIT);
		if (n < 0) {
			int error = errno;
			free(c);
			if (error != EAGAIN) {
				kill_connection(e->owner);
				drop_blocked(e->owner);
			}
			return;
		}
		if (n > 0) {
			bool by_client = e == &e->owner->client;
			questions += by_client && !e->owner->asked;
			e->owner->asked = by_client;
		}
		/* Small reads are the rule; thousands of them may be in flight. */
		chunk *fitted = realloc(c, sizeof *c + (size_t) n);
		c = fitted != NULL ? fitted : c;
		c->due = now_ns() + delay_ns;
		c->to = to;
		c->next = NULL;
		c->length = (uint32_t) n;
		c->written = 0;
		e->owner->chunks++;
		e->in_flight += (size_t) n;
		e->end_read = n == 0;
		*queue_end = c;
		queue_end = &c->next;
		if (n < CHUNK_BYTES && n > 0) {
			break; /* level-triggered: more would be reported again */
		}
	}
	arm(e);
}

static void init_end(end *e, connection *owner, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = e};
	e->owner = owner;
	e->fd = fd;
	e->armed = EPOLLIN;
	e->blocked_end = &e->blocked;
	no_delay(fd);
	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
		fail("epoll_ctl");
	}
}

static void accept_all(int listener, uint16_t target_port)
{
	int client;
	while ((client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		struct sockaddr_in address = loopback(target_port);
		int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		/* On loopback a connect() ends at once, one way or the other. */
		if (server < 0 || connect(server, (struct sockaddr *) &address, sizeof address) != 0) {
			if (server >= 0) {
				close(server);
			}
			close(client);
			continue;
		}
		connection *c = calloc(1, sizeof *c);
		if (c == NULL) {
			fail("out of memory");
		}
		opened++;
		init_end(&c->client, c, client);
		init_end(&c->server, c, server);
	}
}

static void handle(struct epoll_event *event)
{
	end *e = event->data.ptr;
	if (!e->owner->dead && (event->events & EPOLLOUT)) {
		writable(e);
	}
	if (!e->owner->dead && (event->events & EPOLLIN)) {
		readable(e);
	}
	/* A reset, or a peer that closed both ways while reading is paused. */
	if (!e->owner->dead && (event->events & (EPOLLERR | EPOLLHUP)) && (e->end_read || (event->events & EPOLLERR))) {
		kill_connection(e->owner);
		drop_blocked(e->owner);
	}
}

static void serve(int listener, uint16_t target_port)
{
	struct epoll_event events[EVENTS_PER_ROUND];
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};

	prctl(PR_SET_TIMERSLACK, 1ul);
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (epoll_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, listener, &event) != 0) {
		fail("epoll");
	}
	while (!stopping) {
		struct timespec wait, *timeout = NULL;
		if (queue != NULL) {
			uint64_t now = now_ns(), left = queue->due > now ? queue->due - now : 0;
			wait.tv_sec = (time_t) (left / 1000000000u);
			wait.tv_nsec = (long) (left % 1000000000u);
			timeout = &wait;
		}
		int n = epoll_pwait2(epoll_fd, events, EVENTS_PER_ROUND, timeout, NULL);
		if (n < 0 && errno != EINTR) {
			fail("epoll_pwait2");
		}
		for (int i = 0; i < n; i++) {
			if (events[i].data.ptr == NULL) {
				accept_all(listener, target_port);
			} else {
				handle(&events[i]);
			}
		}
		release_due(now_ns());
		bury();
		if (asked_for_counts) {
			asked_for_counts = 0;
			printf("{\"round_trips\": %lu, \"connections\": %lu}\n", questions, opened);
			fflush(stdout);
		}
	}
}

static int listen_on(uint16_t port, uint16_t *got)
{
	struct sockaddr_in address = loopback(port);
	socklen_t length = sizeof address;
	int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (fd < 0 || bind(fd, (struct sockaddr *) &address, sizeof address) != 0 || listen(fd, 4096) != 0) {
		fail("cannot listen");
	}
	getsockname(fd, (struct sockaddr *) &address, &length);
	*got = ntohs(address.sin_port);
	return fd;
}

static void on_signal(int number)
{
	if (number == SIGUSR1) {
		asked_for_counts = 1;
	} else {
		stopping = 1;
	}
}

/* --- measuring itself --- */

static pid_t start_echo(uint16_t *port)
{
	int fd = listen_on(0, port);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		fcntl(fd, F_SETFL, 0);
		for (;;) {
			char buffer[64];
			ssize_t n;
			int client = accept(fd, NULL, NULL);
			no_delay(client);
			while ((n = recv(client, buffer, sizeof buffer, 0)) > 0) {
				send(client, buffer, (size_t) n, MSG_NOSIGNAL);
			}
			close(client);
		}
	}
	close(fd);
	return pid;
}

static pid_t start_proxy(uint16_t target, uint64_t delay, uint16_t *port)
{
	int fd = listen_on(0, port);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		delay_ns = delay;
		serve(fd, target);
		_exit(0);
	}
	close(fd);
	return pid;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;
	return (x > y) - (x < y);
}

static void round_trips(const char *label, uint16_t port, unsigned rounds, const char *after)
{
	struct sockaddr_in address = loopback(port);
	double *us = malloc(rounds * sizeof *us);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char byte = 'x';

	if (us == NULL || connect(fd, (struct sockaddr *) &address, sizeof address) != 0) {
		fail("cannot connect to the measuring partner");
	}
	no_delay(fd);
	for (unsigned i = 0; i < rounds; i++) {
		uint64_t start = now_ns();
		if (send(fd, &byte, 1, MSG_NOSIGNAL) != 1 || recv(fd, &byte, 1, 0) != 1) {
			fail("the measuring partner went away");
		}
		us[i] = (double) (now_ns() - start) / 1000;
	}
	close(fd);
	qsort(us, rounds, sizeof *us, compare);
	printf("\"%s\":%.1f%s", label, us[rounds / 2], after);
	free(us);
}

static int measure(uint64_t delay)
{
	uint16_t echo_port, zero_port, delay_port;
	pid_t pids[3];

	pids[0] = start_echo(&echo_port);
	pids[1] = start_proxy(echo_port, 0, &zero_port);
	pids[2] = start_proxy(echo_port, delay, &delay_port);
	printf("{");
	round_trips("direct", echo_port, MEASURE_ROUNDS, ",");
	round_trips("without", zero_port, MEASURE_ROUNDS, ",");
	round_trips("with", delay_port, MEASURE_ROUNDS / 10, "}\n");
	for (int i = 0; i < 3; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct rlimit files;
	uint16_t port;

	if (argc == 3 && strcmp(argv[1], "--measure") == 0) {
		return measure((uint64_t) (atof(argv[2]) * 1000));
	}
	if (argc != 4) {
		fprintf(stderr, "usage: delay-proxy LISTEN_PORT TARGET_PORT DELAY_US | --measure DELAY_US\n");
		return 2;
	}
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_signal}, NULL);
	sigaction(SIGINT, &(struct sigaction){.sa_handler = on_signal}, NULL);
	sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL);
	delay_ns = (uint64_t) (atof(argv[3]) * 1000);
	serve(listen_on((uint16_t) atoi(argv[1]), &port), (uint16_t) atoi(argv[2]));
	return 0;
}
