/*
 * HTTP/1.1 load in a closed loop (a client sends its next request when it has its answer), from clients of whom
 * some may hang up in the middle. Every answer is checked.
 *
 *     client PORT SECONDS CLIENTS HANGUP_PERCENT SCRIPT SEED [WARM_UP_SECONDS]
 *
 * SCRIPT has a line per kind of request: weight, tab, path, tab, what a right answer contains. "{tag}" in the
 * last two becomes a token of this request alone, so an answer meant for somebody else is a wrong one.
 *
 * With a warm-up, SECONDS begin when that time has passed and every client has had an answer, so that a long
 * queue is full before its latency is measured; the line {"warm":true} says so. Every second, and at the end, a
 * line of JSON with the totals goes to standard output. Requests under way at the end are waited for, but not
 * counted. What went wrong goes to standard error (the first hundred). Exit status 0: every client that stayed
 * got a complete and right answer.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "answer.h"

#define MAX_KINDS 32
#define MAX_TEXT 512
/* A client that stayed gives up after this. Far above what any request may take under this load. */
#define GIVE_UP_NS 30000000000ull
/* A client that hangs up does so within this time. */
#define HANG_UP_WITHIN_US 30000
#define MAX_COMPLAINTS 100
/* A warm-up ends after this, even if some client has had no answer. */
#define WARM_UP_LIMIT_NS 30000000000ull
/* One answer in so many is asked for with "Connection: close" when some clients hang up. */
#define CLOSE_ONE_IN 10
#define LATENCIES_AT_FIRST 65536

typedef struct {
	unsigned weight;
	char path[MAX_TEXT], needle[MAX_TEXT];
} kind;

typedef enum {
	STAYS,
	LEAVES_IN_HEAD, /* half a request head, then gone */
	LEAVES_WAITING, /* a whole request, gone before or after the answer has begun */
	LEAVES_READING, /* gone at the first byte of the answer */
	FATES
} fate;

typedef enum { CLOSED, CONNECTING, SENDING, READING } phase;

typedef struct {
	int fd;
	phase phase;
	fate fate;
	const kind *kind;
	bool reused, ask_close;
	uint64_t started, leave_at;
	char request[2 * MAX_TEXT], needle[MAX_TEXT];
	size_t request_length, sent;
	char *answer;
	bool answered; /* at least once */
	size_t received;
} client;

static kind kinds[MAX_KINDS];
static unsigned kind_count, weight_total;
static client *clients;
static unsigned client_count, hang_up_percent, complaints;
static uint16_t port;
static int epoll_fd;
static uint64_t ok, wrong, lost, left[FATES], tag_number, random_state;
static bool measuring;
static uint32_t *latencies; /* microseconds */
static size_t latency_count, latency_room;
static volatile sig_atomic_t stopping;

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* xorshift: the same seed gives the same load. */
static unsigned random_below(unsigned limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned) (random_state >> 11) % limit;
}

static void complain(const client *c, const char *format, ...)
{
	va_list args;
	if (complaints++ >= MAX_COMPLAINTS) {
		return;
	}
	fprintf(stderr, "%s: ", c->kind->path);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "%s; received %zu bytes: %.300s\n", c->reused ? " (reused connection)" : "", c->received,
		c->received > 0 ? c->answer : "");
}

static void fill_in(char *to, const char *template, const char *tag)
{
	const char *mark = strstr(template, "{tag}");
	if (mark == NULL) {
		snprintf(to, MAX_TEXT, "%s", template);
	} else {
		snprintf(to, MAX_TEXT, "%.*s%s%s", (int) (mark - template), template, tag, mark + 5);
	}
}

static void prepare(client *c)
{
	char path[MAX_TEXT], tag[32];
	unsigned at = random_below(weight_total), i = 0;

	while (at >= kinds[i].weight) {
		at -= kinds[i++].weight;
	}
	c->kind = &kinds[i];
	snprintf(tag, sizeof tag, "soak%llu", (unsigned long long) ++tag_number);
	fill_in(path, c->kind->path, tag);
	fill_in(c->needle, c->kind->needle, tag);
	c->ask_close = hang_up_percent > 0 && random_below(CLOSE_ONE_IN) == 0;
	c->request_length = (size_t) snprintf(c->request, sizeof c->request,
		"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nAccept: application/json\r\n%s\r\n", path, port,
		c->ask_close ? "Connection: close\r\n" : "");
	c->sent = c->received = 0;
	c->started = now_ns();
	c->fate = random_below(100) < hang_up_percent ? 1 + random_below(FATES - 1) : STAYS;
	c->leave_at = c->started + (uint64_t) random_below(HANG_UP_WITHIN_US) * 1000;
	if (c->fate == LEAVES_IN_HEAD) {
		c->request_length = 1 + random_below((unsigned) c->request_length - 1);
	}
}

static void listen_for(client *c, uint32_t events, int operation)
{
	struct epoll_event event = {.events = events, .data.ptr = c};
	epoll_ctl(epoll_fd, operation, c->fd, &event);
}

static void close_client(client *c, bool reset)
{
	if (reset) {
		struct linger now = {.l_onoff = 1, .l_linger = 0};
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
	}
	close(c->fd);
	c->phase = CLOSED;
}

static void lose(client *c, const char *why, int error)
{
	lost++;
	complain(c, "lost: %s%s%s", why, error ? ": " : "", error ? strerror(error) : "");
	close_client(c, false);
}

static void leave(client *c)
{
	left[c->fate]++;
	close_client(c, random_below(2) == 0);
}

/* --- the answer --- */

static void count_right(client *c)
{
	c->answered = true;
	if (!measuring) {
		return;
	}
	ok++;
	if (latency_count == latency_room) {
		latency_room = latency_room > 0 ? 2 * latency_room : LATENCIES_AT_FIRST;
		latencies = realloc(latencies, latency_room * sizeof *latencies);
		if (latencies == NULL) {
			fprintf(stderr, "client: out of memory\n");
			exit(2);
		}
	}
	latencies[latency_count++] = (uint32_t) ((now_ns() - c->started) / 1000);
}

static void judge(client *c, int state, const char *body, bool server_closes)
{
	if (state < 0) {
		wrong++;
		complain(c, "malformed answer");
	} else if (strncmp(c->answer, "HTTP/1.1 200 ", 13) != 0) {
		wrong++;
		complain(c, "not a 200");
	} else if (strstr(body, c->needle) == NULL) {
		wrong++;
		complain(c, "without \"%s\", body %s", c->needle, body);
	} else {
		count_right(c);
		if (!server_closes && !c->ask_close && !stopping) {
			c->reused = true;
			prepare(c);
			c->phase = SENDING;
			listen_for(c, EPOLLOUT, EPOLL_CTL_MOD);
			return;
		}
	}
	close_client(c, false);
}

static void read_answer(client *c)
{
	char *body;
	bool server_closes;
	ssize_t n = recv(c->fd, c->answer + c->received, MAX_ANSWER - c->received, 0);

	if (n < 0 && errno == EAGAIN) {
		return;
	}
	if (n <= 0) {
		if (c->fate != STAYS) {
			leave(c);
		} else {
			lose(c, "connection closed before the answer was complete", n < 0 ? errno : 0);
		}
		return;
	}
	c->received += (size_t) n;
	c->answer[c->received] = 0;
	if (c->fate == LEAVES_READING) {
		leave(c);
		return;
	}
	int state = answer_complete(c->answer, c->received, &body, &server_closes);
	if (state != 0 || c->received == MAX_ANSWER) {
		judge(c, state == 0 ? -1 : state, body, server_closes);
	}
}

static void send_request(client *c)
{
	while (c->sent < c->request_length) {
		ssize_t n = send(c->fd, c->request + c->sent, c->request_length - c->sent, MSG_NOSIGNAL);
		if (n < 0 && errno == EAGAIN) {
			return;
		}
		if (n < 0) {
			lose(c, "could not send", errno);
			return;
		}
		c->sent += (size_t) n;
	}
	c->phase = READING;
	listen_for(c, EPOLLIN, EPOLL_CTL_MOD);
}

static void start(client *c)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
	int one = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->reused = false;
	prepare(c);
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	listen_for(c, EPOLLOUT, EPOLL_CTL_ADD);
	c->phase = CONNECTING;
	if (connect(c->fd, (struct sockaddr *) &address, sizeof address) != 0 && errno != EINPROGRESS) {
		lose(c, "could not connect", errno);
	}
}

static void handle(client *c)
{
	if (c->phase == CONNECTING) {
		int error = 0;
		socklen_t length = sizeof error;
		getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &length);
		if (error != 0) {
			lose(c, "could not connect", error);
			return;
		}
		c->phase = SENDING;
	}
	if (c->phase == SENDING) {
		send_request(c);
	} else if (c->phase == READING) {
		read_answer(c);
	}
}

/* --- the run --- */

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
	return (x > y) - (x < y);
}

static double percentile(double share)
{
	return latency_count > 0 ? latencies[(size_t) (share * (double) (latency_count - 1))] / 1000.0 : 0;
}

static void report(double seconds, bool last)
{
	if (last) {
		qsort(latencies, latency_count, sizeof *latencies, compare);
		printf("{\"p50_ms\":%.3f,\"p90_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f,", percentile(0.5),
			percentile(0.9), percentile(0.99), percentile(1));
	} else {
		printf("{");
	}
	printf("\"seconds\":%.3f,\"ok\":%llu,\"wrong\":%llu,\"lost\":%llu,"
		   "\"left_in_head\":%llu,\"left_waiting\":%llu,\"left_reading\":%llu}\n",
		seconds, (unsigned long long) ok, (unsigned long long) wrong, (unsigned long long) lost,
		(unsigned long long) left[LEAVES_IN_HEAD], (unsigned long long) left[LEAVES_WAITING],
		(unsigned long long) left[LEAVES_READING]);
	fflush(stdout);
}

/* Returns how many clients are busy. */
static unsigned look_after_all(uint64_t now, bool may_start)
{
	unsigned busy = 0;
	for (unsigned i = 0; i < client_count; i++) {
		client *c = &clients[i];
		if (c->phase != CLOSED && c->fate != STAYS && now >= c->leave_at) {
			leave(c);
		} else if (c->phase != CLOSED && now - c->started > GIVE_UP_NS) {
			lose(c, "no answer within 30 seconds", 0);
		}
		if (c->phase == CLOSED && may_start) {
			start(c);
		}
		busy += c->phase != CLOSED;
	}
	return busy;
}

static bool all_answered(void)
{
	for (unsigned i = 0; i < client_count; i++) {
		if (!clients[i].answered) {
			return false;
		}
	}
	return true;
}

static bool is_warm(uint64_t passed, uint64_t warm_up)
{
	return passed >= warm_up && (warm_up == 0 || all_answered() || passed >= WARM_UP_LIMIT_NS);
}

static void run(uint64_t duration, uint64_t warm_up)
{
	struct epoll_event events[256];
	uint64_t begin = now_ns(), next_report = begin + 1000000000u;

	for (;;) {
		uint64_t now = now_ns();
		if (!measuring && !stopping && is_warm(now - begin, warm_up)) {
			measuring = true;
			begin = now;
			next_report = begin + 1000000000u;
			printf("{\"warm\":true}\n");
			fflush(stdout);
		}
		if (measuring && (stopping || now - begin >= duration)) {
			report((double) (now - begin) / 1e9, true);
			measuring = false;
			stopping = 1;
		} else if (measuring && now >= next_report) {
			report((double) (now - begin) / 1e9, false);
			next_report += 1000000000u;
		}
		if (look_after_all(now, !stopping) == 0 && stopping) {
			break;
		}
		int n = epoll_wait(epoll_fd, events, 256, 1);
		for (int i = 0; i < n; i++) {
			handle(events[i].data.ptr);
		}
	}
}

static void read_script(const char *file)
{
	char line[3 * MAX_TEXT];
	FILE *in = fopen(file, "r");
	if (in == NULL) {
		fprintf(stderr, "client: cannot read %s: %s\n", file, strerror(errno));
		exit(2);
	}
	while (kind_count < MAX_KINDS && fgets(line, sizeof line, in) != NULL) {
		kind *k = &kinds[kind_count];
		if (sscanf(line, "%u\t%500[^\t]\t%500[^\n]", &k->weight, k->path, k->needle) == 3 && k->weight > 0) {
			weight_total += k->weight;
			kind_count++;
		}
	}
	fclose(in);
	if (kind_count == 0) {
		fprintf(stderr, "client: %s has no line \"weight<TAB>path<TAB>text\"\n", file);
		exit(2);
	}
}

static void on_signal(int number)
{
	(void) number;
	stopping = 1;
}

int main(int argc, char **argv)
{
	if (argc != 7 && argc != 8) {
		fprintf(stderr, "usage: client PORT SECONDS CLIENTS HANGUP_PERCENT SCRIPT SEED [WARM_UP_SECONDS]\n");
		return 2;
	}
	port = (uint16_t) atoi(argv[1]);
	client_count = (unsigned) atoi(argv[3]);
	hang_up_percent = (unsigned) atoi(argv[4]);
	read_script(argv[5]);
	random_state = 0x9e3779b97f4a7c15ull ^ strtoull(argv[6], NULL, 10);
	clients = calloc(client_count, sizeof *clients);
	for (unsigned i = 0; i < client_count; i++) {
		clients[i].answer = malloc(MAX_ANSWER + 1);
	}
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_signal}, NULL);
	sigaction(SIGINT, &(struct sigaction){.sa_handler = on_signal}, NULL);
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	run((uint64_t) (atof(argv[2]) * 1e9), argc == 8 ? (uint64_t) (atof(argv[7]) * 1e9) : 0);
	return wrong + lost > 0;
}
