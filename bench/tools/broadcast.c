/*
 * Clients of WebSocket who listen to what is sent to all of them.
 *
 *     broadcast PORT CLIENTS PATH [HELLO [WELCOME]]
 *
 * Opens them, sends each text HELLO, if there is one, and awaits a text that has WELCOME in it. Says {"ready":…} when
 * all are there. What counts from then on are texts with "#NUMBER@NANOSECONDS@" in them: the number goes up by one with
 * each, and the time is that of the monotonic clock when it was sent. A line on standard input is answered with a line
 * of JSON about what has come since the last one; at its end the program ends. A source address has some 28,000
 * ports, so connections come from 127.0.0.2, 127.0.0.3 …
 */
#define _GNU_SOURCE
#include "samples.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PER_ADDRESS 10000
/* Under way at once: an accept queue is not endless. */
#define AT_ONCE 128
#define EVENTS_PER_ROUND 512
#define READ_ROOM 65536
/* Between two reports. */
#define MESSAGES 4096
#define TEXT 0x81
#define CLOSE 0x88
#define PING 0x89

typedef enum { CONNECTING, ASKED, GREETED, LISTENING, GONE } phase;

typedef struct {
	int fd;
	phase phase;
	unsigned number; /* of the last message; 0: none has come */
	char *left;      /* what is incomplete */
	size_t left_length;
} client;

static client *clients;
static unsigned count, opened, under_way, listening, gone, wrong;
static uint16_t port;
static int epoll_fd;
static const char *path, *hello = "", *welcome = "";
static samples times;
static uint64_t slowest[MESSAGES]; /* of each message: until the last client had it */
static uint64_t last_came;

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

static void lose(client *c)
{
	under_way -= c->phase < LISTENING;
	listening -= c->phase == LISTENING;
	gone++;
	close(c->fd);
	free(c->left);
	c->left = NULL;
	c->phase = GONE;
}

static void say(client *c, const void *data, size_t length)
{
	if (send(c->fd, data, length, MSG_NOSIGNAL) != (ssize_t) length) {
		lose(c);
	}
}

/* With a mask of zeros, which leaves it as it is. */
static void say_frame(client *c, unsigned char first, const char *payload, size_t length)
{
	unsigned char frame[1024] = {first};
	size_t head = length < 126 ? 2 : 4;

	if (length > sizeof(frame) - 8) {
		return;
	}
	frame[1] = (unsigned char) (0x80 | (length < 126 ? length : 126));
	if (head == 4) {
		frame[2] = (unsigned char) (length >> 8);
		frame[3] = (unsigned char) length;
	}
	memcpy(frame + head + 4, payload, length);
	say(c, frame, head + 4 + length);
}

static void open_one(client *c)
{
	struct sockaddr_in from = {.sin_family = AF_INET}, to = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct epoll_event event = {.events = EPOLLOUT, .data.ptr = c};
	int one = 1;

	from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + (unsigned) (c - clients) / PER_ADDRESS);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	under_way++;
	/* closed with a reset, so that no port stays reserved for a minute after */
	setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
	setsockopt(c->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof(one));
	if (c->fd < 0 || bind(c->fd, (struct sockaddr *) &from, sizeof(from)) != 0 ||
		(connect(c->fd, (struct sockaddr *) &to, sizeof(to)) != 0 && errno != EINPROGRESS)) {
		lose(c);
		return;
	}
	epoll_ctl(epoll_fd, EPOLL_CTL_ADD, c->fd, &event);
}

static void connected(client *c)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
	char request[1024];
	int length = snprintf(request, sizeof(request),
		"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
		path, port);

	epoll_ctl(epoll_fd, EPOLL_CTL_MOD, c->fd, &event);
	c->phase = ASKED;
	say(c, request, (size_t) length);
}

static void listens(client *c)
{
	c->phase = LISTENING;
	under_way--;
	listening++;
}

/* The head of the answer: how many bytes of these it has; 0: it is incomplete. */
static size_t answered(client *c, const char *data, size_t length)
{
	const char *end = memmem(data, length, "\r\n\r\n", 4);

	if (!end) {
		return 0;
	}
	if (strncmp(data, "HTTP/1.1 101 ", 13) != 0) {
		fprintf(stderr, "broadcast: %.*s\n", (int) strcspn(data, "\r"), data);
		lose(c);
		return length;
	}
	c->phase = GREETED;
	if (*hello) {
		say_frame(c, TEXT, hello, strlen(hello));
	}
	if (!*welcome && c->phase != GONE) {
		listens(c);
	}
	return (size_t) (end - data) + 4;
}

static void count_message(client *c, const char *text, size_t length)
{
	const char *number = memchr(text, '#', length), *sent;
	char *end;
	uint64_t came;

	if (!number || !(sent = memchr(number, '@', length - (size_t) (number - text)))) {
		return;
	}
	unsigned its = (unsigned) strtoul(number + 1, &end, 10);

	wrong += end != sent || (c->number != 0 && its != c->number + 1);
	c->number = its;
	came = now();
	last_came = came;
	came -= strtoull(sent + 1, NULL, 10);
	sample_add(&times, came);
	if (slowest[its % MESSAGES] < came) {
		slowest[its % MESSAGES] = came;
	}
}

static void take_frame(client *c, unsigned char first, const char *payload, size_t length)
{
	if (first == PING) {
		say_frame(c, 0x8a, payload, length);
	} else if (first == CLOSE) {
		lose(c);
	} else if (c->phase == GREETED && memmem(payload, length, welcome, strlen(welcome))) {
		listens(c);
	} else if (c->phase == LISTENING) {
		count_message(c, payload, length);
	}
}

/* How many of these bytes were complete. */
static size_t take_frames(client *c, const unsigned char *data, size_t length)
{
	size_t at = 0;

	while (c->phase != GONE && length - at >= 2) {
		size_t payload = data[at + 1], head = payload < 126 ? 2 : payload == 126 ? 4 : 10;

		if (length - at < head) {
			break;
		}
		if (head > 2) {
			payload = 0;
			for (size_t i = 2; i < head; i++) {
				payload = payload << 8 | data[at + i];
			}
		}
		if (length - at < head + payload) {
			break;
		}
		take_frame(c, data[at], (const char *) data + at + head, payload);
		at += head + payload;
	}
	return at;
}

static void readable(client *c)
{
	static unsigned char room[READ_ROOM + 1];
	size_t length = c->left_length, used;
	ssize_t got;

	if (length > 0) {
		memcpy(room, c->left, length);
	}
	got = recv(c->fd, room + length, READ_ROOM - length, 0);
	if (got < 0 && errno == EAGAIN) {
		return;
	}
	if (got <= 0) {
		lose(c);
		return;
	}
	length += (size_t) got;
	room[length] = '\0';
	used = c->phase == ASKED ? answered(c, (const char *) room, length) : 0;
	if (c->phase == GREETED || c->phase == LISTENING) {
		used += take_frames(c, room + used, length - used);
	}
	if (c->phase == GONE) {
		return;
	}
	free(c->left);
	c->left_length = length - used;
	c->left = c->left_length ? memcpy(malloc(c->left_length), room + used, c->left_length) : NULL;
}

static void handle(client *c)
{
	int error = 0;
	socklen_t length = sizeof(error);

	if (c->phase == GONE) {
		return;
	}
	if (c->phase != CONNECTING) {
		readable(c);
		return;
	}
	getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &length);
	if (error) {
		lose(c);
	} else {
		connected(c);
	}
}

/* Until all have a typical message, which a hiccup of the machine does not change as it does a P99. */
static double usual_ms(void)
{
	static samples all;

	all.count = 0;
	for (size_t i = 0; i < MESSAGES; i++) {
		if (slowest[i] > 0) {
			sample_add(&all, slowest[i]);
		}
		slowest[i] = 0;
	}
	samples_sort(&all);
	return percentile(&all, 50);
}

static void report(void)
{
	samples_sort(&times);
	printf("{\"received\":%zu,\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"most_ms\":%.3f,", times.count, percentile(&times, 50),
		percentile(&times, 99), percentile(&times, 100));
	printf("\"usual_ms\":%.3f,\"last\":%llu,\"wrong\":%u,\"listening\":%u,\"gone\":%u}\n", usual_ms(),
		(unsigned long long) last_came, wrong, listening, gone);
	fflush(stdout);
	times.count = 0;
	last_came = 0;
}

static void go_on(void)
{
	struct epoll_event events[EVENTS_PER_ROUND];
	bool ready = false;
	char line[16];

	for (;;) {
		while (opened < count && under_way < AT_ONCE) {
			open_one(&clients[opened++]);
		}
		if (!ready && opened == count && under_way == 0) {
			ready = true;
			printf("{\"ready\":true,\"listening\":%u,\"gone\":%u}\n", listening, gone);
			fflush(stdout);
		}
		int n = epoll_wait(epoll_fd, events, EVENTS_PER_ROUND, 1000);
		for (int i = 0; i < n; i++) {
			if (events[i].data.ptr) {
				handle(events[i].data.ptr);
			} else if (read(STDIN_FILENO, line, sizeof(line)) <= 0) {
				return;
			} else {
				report();
			}
		}
	}
}

int main(int argc, char **argv)
{
	struct epoll_event input = {.events = EPOLLIN};
	struct rlimit files;

	if (argc < 4 || argc > 6 || atoi(argv[1]) <= 0 || atoi(argv[2]) <= 0) {
		fprintf(stderr, "usage: broadcast PORT CLIENTS PATH [HELLO [WELCOME]]\n");
		return 2;
	}
	port = (uint16_t) atoi(argv[1]);
	count = (unsigned) atoi(argv[2]);
	path = argv[3];
	hello = argc > 4 ? argv[4] : hello;
	welcome = argc > 5 ? argv[5] : welcome;
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	signal(SIGPIPE, SIG_IGN);
	clients = calloc(count, sizeof(*clients));
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	epoll_ctl(epoll_fd, EPOLL_CTL_ADD, STDIN_FILENO, &input);
	go_on();
	return 0;
}
