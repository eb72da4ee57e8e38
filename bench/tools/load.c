/*
 * Load over HTTP/1.1, TLS or HTTP/2 (wire.h), open or closed loop. Every answer is checked.
 *
 *     load [-s http|https|h2] [-g GAP_MS] [-n NEWCOMERS] [-r ROUNDS] [-o] PORT SECONDS CONNECTIONS RATE SCRIPT
 *          [WARM_UP_SECONDS [HANG_UP_PERCENT [REQUESTS_EACH]]]
 *
 * RATE > 0, open loop: so many requests a second are due at equal distances, whether or not the server has answered
 * the ones before. A request's time counts from when it was due, so a server that stalls is charged for everybody
 * who would have come meanwhile. When all connections are busy a request waits for one; when it has waited for
 * DROP_AFTER_NS, it is dropped. RATE 0, closed loop: a connection sends its next request when it has its answer.
 *
 * SCRIPT has a line per kind of request (requests.h). Kinds take turns in the proportion of their weights. "{tag}" in
 * path and text becomes a token of this request alone, so that an answer meant for somebody else is a wrong one.
 *
 * Of the clients so many in a hundred hang up: in the head of the request, while they wait, or at the first byte of the
 * answer; and one request in ten is sent with "Connection: close". Chance is the same in each run. With REQUESTS_EACH
 * above 0, a client goes on with a new connection after so many.
 *
 * Of a closed loop, -g opens the connections one after the other, so many milliseconds apart; -n lets so many new
 * clients a second connect, ask once and leave, whose times are told apart; -r lasts until each connection has had so
 * many answers on average, but not four times as long; -o has each connection ask once.
 *
 * The program measures itself: how late it noticed that a request was due, and its own CPU time. Who is late cannot
 * say that a server is. {"warm":true} is printed when the measurement begins, a line of JSON at the end; complaints
 * about answers go to standard error (the first hundred). Exit status 0, unless it was used wrongly.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "answer.h"
#include "requests.h"
#include "samples.h"
#include "wire.h"

/* Longer than any answer that is worth waiting for. */
#define GIVE_UP_NS 30000000000ull
#define DROP_AFTER_NS 5000000000ull
/* What is under way at the end may still arrive. */
#define DRAIN_NS 8000000000ull
/* The measurement begins at the latest so long after the warm-up, answered or not. */
#define WARM_UP_LIMIT_NS 8000000000ull
/* A closed loop may take so many times its length, or as long as the warm-up may, until every connection has had an
 * answer. Sample.php waits as long. */
#define LONGEST 4
#define MAX_COMPLAINTS 100
#define EVENTS_PER_ROUND 256
/* The generator must not wait for the processor behind those it measures. Only root may. */
#define PRIORITY (-10)
/* A client that hangs up does so within this time. */
#define HANG_UP_WITHIN_US 30000
/* One request in so many asks for the end of its connection when some clients hang up. */
#define CLOSE_ONE_IN 10
/* New clients at once; one more is dropped. */
#define NEWCOMERS_AT_ONCE 1024

typedef enum { STAYS, LEAVES_IN_HEAD, LEAVES_WAITING, LEAVES_READING, FATES } fate;

typedef enum { CLOSED, IDLE, CONNECTING, SENDING, READING } phase;

typedef struct connection {
	wire wire;
	phase phase;
	bool newcomer, reused, retried, has_answered;
	uint32_t listening;
	unsigned asked;    /* on this socket */
	uint64_t answered; /* while it is measured */
	kind *kind;
	fate fate;
	uint64_t due, started, leave_at;
	/* those of the kind, or its own */
	const char *request, *needle;
	char own_request[2 * MAX_TEXT], own_needle[MAX_TEXT];
	size_t length, sent;
	struct connection *next_idle;
} connection;

static unsigned connection_count, busy, complaints, hang_up_percent, requests_per_connection;
static unsigned opened, rounds = 1; /* of a closed loop: so many may ask, and so often on average */
static bool once;
static connection *connections, *idle, *idle_newcomers;
static int epoll_fd;
static double rate, newcomers_a_second;
static uint64_t begin, gap, measure_from, measure_to, last_answer, newcomers_asked;
static uint64_t next_arrival, next_to_send; /* numbers of arrivals: noticed, and given to a connection */
static uint64_t answered, failed, refused, wrong, dropped, timed, hung_up;
static double app_ms, db_ms;
static samples latencies, served, lateness, newcomers; /* served: of right answers alone */
static volatile sig_atomic_t stopping;

static bool counts(uint64_t due)
{
	return measure_from > 0 && due >= measure_from && due < measure_to;
}

static uint64_t due_of(uint64_t number)
{
	return begin + (uint64_t) ((double) number * 1e9 / rate);
}

static void complain(const connection *c, const char *what, const char *text)
{
	if (complaints++ < MAX_COMPLAINTS) {
		fprintf(stderr, "%s: %s%s; received %zu bytes: %.300s\n", c->kind->path, what,
			c->reused ? " (reused connection)" : "", c->wire.received, text);
	}
}

static void listen_for(connection *c, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = c};
	if (c->listening != events) {
		epoll_ctl(epoll_fd, c->listening == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, c->wire.fd, &event);
		c->listening = events;
	}
}

static void rest(connection *c, bool keep)
{
	connection *asked, **list = c->newcomer ? &idle_newcomers : once ? &asked : &idle;

	keep = keep && !c->newcomer && !once;
	if (!keep && c->phase != CLOSED) {
		wire_close(&c->wire);
	}
	c->phase = keep ? IDLE : CLOSED;
	c->next_idle = *list;
	*list = c;
	busy--;
}

static void leave(connection *c)
{
	if (random_below(2) == 0) {
		struct linger now = {.l_onoff = 1, .l_linger = 0};
		setsockopt(c->wire.fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
	}
	hung_up++;
	rest(c, false);
}

/* A request without a right answer stays in the latencies with the time it has taken: to leave the worst out
 * flatters. Those served are counted apart: where a server is asked for more than it can do, 503 at once is right. */
static void count_bad(connection *c, uint64_t *which, const char *what, const char *text)
{
	complain(c, what, text);
	if (counts(c->due)) {
		(*which)++;
		sample_add(c->newcomer ? &newcomers : &latencies, now_ns() - c->due);
	}
}

static void open_socket(connection *c)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
	int one = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->reused = false;
	c->sent = c->listening = 0;
	c->asked = 1;
	wire_open(&c->wire, socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
	setsockopt(c->wire.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	c->phase = CONNECTING;
	listen_for(c, EPOLLOUT);
	if (connect(c->wire.fd, (struct sockaddr *) &address, sizeof address) != 0 && errno != EINPROGRESS) {
		count_bad(c, &failed, "could not connect", "");
		rest(c, false);
	}
}

/* A server may close a connection that rests just as a request sets out on it: ask once more, on a new one. */
static void lose(connection *c, const char *what)
{
	if (c->reused && c->wire.received == 0 && !c->retried) {
		c->retried = true;
		wire_close(&c->wire);
		open_socket(c);
		return;
	}
	count_bad(c, &failed, what, c->wire.received > 0 ? c->wire.answer : "");
	rest(c, false);
}

/* What is the same each time was written once: see requests.h. */
static void write_own(connection *c)
{
	char path[MAX_TEXT];
	tag_number++;
	fill_in(path, c->kind->path);
	fill_in(c->own_needle, c->kind->needle);
	c->request = c->own_request;
	c->needle = c->own_needle;
	c->length = write_request(c->own_request, path, hang_up_percent > 0 && random_below(CLOSE_ONE_IN) == 0);
	if (random_below(100) < hang_up_percent) {
		c->fate = 1 + random_below(FATES - 1);
		c->leave_at = c->started + (uint64_t) random_below(HANG_UP_WITHIN_US) * 1000;
		c->length = c->fate == LEAVES_IN_HEAD ? 1 + random_below((unsigned) c->length - 1) : c->length;
	}
}

static void send_rest(connection *c)
{
	int state = wire_write(&c->wire, c->request, c->length, &c->sent);
	if (state < 0) {
		lose(c, "could not send");
		return;
	}
	c->phase = state > 0 ? READING : c->phase;
	listen_for(c, state > 0 ? EPOLLIN : c->wire.wants);
}

static void ask(connection **list, uint64_t due)
{
	connection *c = *list;
	*list = c->next_idle;
	busy++;
	c->kind = next_kind();
	c->due = due;
	c->started = now_ns();
	c->retried = false;
	c->fate = STAYS;
	c->request = c->kind->request;
	c->needle = c->kind->needle;
	c->length = c->kind->length;
	if (c->kind->tagged || (hang_up_percent > 0 && !c->kind->posts)) {
		write_own(c);
	}
	if (c->phase == CLOSED) {
		open_socket(c);
		return;
	}
	c->reused = true;
	c->asked++;
	c->sent = 0;
	wire_begin(&c->wire);
	c->phase = SENDING;
	send_rest(c);
}

/* "Server-Timing: app;dur=3.1, db;dur=2.0" is how the example application tells where the time went. */
static void read_timing(const char *head)
{
	const char *value = answer_header(head, "Server-Timing"), *app, *db;
	if (value != NULL && (app = strstr(value, "app;dur=")) != NULL && (db = strstr(value, "db;dur=")) != NULL) {
		app_ms += strtod(app + 8, NULL);
		db_ms += strtod(db + 7, NULL);
		timed++;
	}
}

static void judge(connection *c, int state, const char *body, bool server_closes)
{
	uint64_t now = now_ns();
	if (state < 0) {
		count_bad(c, &wrong, "malformed answer", c->wire.answer);
	} else if (strncmp(c->wire.answer, "HTTP/1.1 200 ", 13) != 0) {
		refused += strncmp(c->wire.answer, "HTTP/1.1 503 ", 13) == 0 && counts(c->due);
		count_bad(c, &failed, "not a 200", c->wire.answer);
	} else if (!is_right(body, c->needle)) {
		count_bad(c, &wrong, "not the body that was expected", body);
	} else {
		c->has_answered = true;
		if (measure_from > 0 && now >= measure_from && now < measure_to) {
			answered++;
			c->answered++;
			last_answer = now;
		}
		if (counts(c->due) && c->newcomer) {
			sample_add(&newcomers, now - c->due);
		} else if (counts(c->due)) {
			sample_add(&latencies, now - c->due);
			sample_add(&served, now - c->due);
			read_timing(c->wire.answer);
		}
	}
	rest(c, state > 0 && !server_closes && (requests_per_connection == 0 || c->asked < requests_per_connection));
}

/* Returns whether the answer is not there yet. */
static bool read_answer(connection *c)
{
	char *body = "";
	bool server_closes = true;
	ssize_t n = wire_read(&c->wire);

	if (n < 0 && errno == EAGAIN) {
		return true;
	}
	if (c->fate == LEAVES_IN_HEAD || c->fate == LEAVES_READING || (c->fate == LEAVES_WAITING && n <= 0)) {
		leave(c);
		return false;
	}
	if (n <= 0) {
		lose(c, "connection closed before the answer was complete");
		return false;
	}
	int state = wire_answer(&c->wire, &body, &server_closes);
	if (state != 0 || c->wire.received == MAX_ANSWER) {
		judge(c, state == 0 ? -1 : state, body, server_closes);
		return false;
	}
	return true;
}

static void handle(connection *c)
{
	switch (c->phase) {
		case CONNECTING: {
			int error = 0;
			socklen_t length = sizeof error;
			getsockopt(c->wire.fd, SOL_SOCKET, SO_ERROR, &error, &length);
			if (error != 0) {
				lose(c, strerror(error));
				return;
			}
			c->phase = SENDING;
		} /* fall through */
		case SENDING: send_rest(c); return;
		case READING:
			while (read_answer(c) && wire_has_more(&c->wire)) {
			}
			return;
		case IDLE:
			if (!wire_rests(&c->wire)) {
				wire_close(&c->wire);
				c->phase = CLOSED;
			}
			return;
		case CLOSED: return;
	}
}

static void look_after_all(uint64_t now)
{
	for (unsigned i = 0; i < connection_count + NEWCOMERS_AT_ONCE; i++) {
		connection *c = &connections[i];
		if (c->phase > IDLE && c->fate != STAYS && now >= c->leave_at) {
			leave(c);
		} else if (c->phase > IDLE && now > c->started + GIVE_UP_NS) {
			c->retried = true;
			lose(c, "no answer within 30 seconds");
		}
	}
}

static void drop(uint64_t due, uint64_t now)
{
	if (counts(due)) {
		dropped++;
		sample_add(&latencies, now - due);
	}
}

/* A closed loop: whoever has an answer asks again, and new clients come beside them. */
static void ask_in_turn(uint64_t now, uint64_t last)
{
	for (; opened < connection_count && now >= begin + gap * opened; opened++) {
		connections[opened].next_idle = idle;
		idle = &connections[opened];
	}
	while (idle != NULL && now < last && (!once || next_to_send < connection_count)) {
		next_arrival = ++next_to_send;
		ask(&idle, now_ns());
	}
	for (; now < last && (double) newcomers_asked < (double) (now - begin) / 1e9 * newcomers_a_second;
		 newcomers_asked++) {
		if (idle_newcomers != NULL) {
			ask(&idle_newcomers, now_ns());
		} else {
			dropped += counts(now);
		}
	}
}

static void send_what_is_due(uint64_t now, uint64_t last)
{
	uint64_t due;
	if (rate <= 0) {
		ask_in_turn(now, last);
		return;
	}
	while ((due = due_of(next_arrival)) <= now && due < last) {
		if (counts(due)) {
			sample_add(&lateness, now - due);
		}
		next_arrival++;
	}
	while (next_to_send < next_arrival) {
		due = due_of(next_to_send);
		if (now - due > DROP_AFTER_NS) {
			drop(due, now);
		} else if (idle != NULL) {
			ask(&idle, due);
		} else {
			break;
		}
		next_to_send++;
	}
}

static bool all_have_answered(void)
{
	for (unsigned i = 0; i < connection_count; i++) {
		if (!connections[i].has_answered) {
			return false;
		}
	}
	return true;
}

static void wait_and_handle(uint64_t now, uint64_t last)
{
	struct epoll_event events[EVENTS_PER_ROUND];
	uint64_t due = rate > 0 ? due_of(next_arrival) : now + 1000000, pause = 1000000;
	if (due < last) {
		pause = due > now ? due - now : 0;
	}
	/* Never longer than a millisecond: signals, the end, late ones. */
	pause = pause > 1000000 ? 1000000 : pause;
	struct timespec timeout = {.tv_sec = 0, .tv_nsec = (long) pause};
	int n = epoll_pwait2(epoll_fd, events, EVENTS_PER_ROUND, &timeout, NULL);
	for (int i = 0; i < n; i++) {
		handle(events[i].data.ptr);
	}
}

static void run(uint64_t length, uint64_t warm_up, double *cpu)
{
	uint64_t last = UINT64_MAX, looked = begin = now_ns();
	uint64_t longest = LONGEST * length > WARM_UP_LIMIT_NS ? LONGEST * length : WARM_UP_LIMIT_NS;
	double cpu_before = 0;

	warm_up = once ? 0 : warm_up > 0 ? warm_up + gap * connection_count : 0;
	for (;;) {
		uint64_t now = now_ns();
		if (measure_from == 0 && now - begin >= warm_up &&
			(rate > 0 || warm_up == 0 || all_have_answered() || now - begin > warm_up + WARM_UP_LIMIT_NS)) {
			measure_from = now;
			measure_to = last = now + length;
			cpu_before = cpu_seconds();
			printf("{\"warm\":true}\n");
			fflush(stdout);
		}
		/* Clients in a closed loop fall into step: a window that ends before each has had a turn would say chance. */
		if (rate <= 0 && !once && measure_from > 0 && now >= last && answered < (uint64_t) rounds * connection_count &&
			now < measure_from + longest && !stopping) {
			measure_to = last = now + length / 10;
		}
		if ((stopping || (once && next_to_send == connection_count && busy == 0)) && last > now) {
			measure_to = last = now;
		}
		if (*cpu == 0 && measure_from > 0 && now >= last) {
			*cpu = cpu_seconds() - cpu_before;
		}
		send_what_is_due(now, last);
		if (now >= last && ((busy == 0 && next_to_send == next_arrival) || now - last > DRAIN_NS)) {
			break;
		}
		if (now - looked > (hang_up_percent > 0 ? 1000000 : 100000000)) {
			look_after_all(now);
			looked = now;
		}
		wait_and_handle(now, last);
	}
	for (uint64_t now = now_ns(); next_to_send < next_arrival; next_to_send++) {
		drop(due_of(next_to_send), now);
	}
	for (unsigned i = 0; i < connection_count + NEWCOMERS_AT_ONCE; i++) {
		if (connections[i].phase > IDLE) {
			count_bad(&connections[i], &failed, "no answer at the end", "");
		}
	}
}

/* Clients in a closed loop ask for as much as they get: whether they get the same shows how fair a server is. */
static void report_clients(void)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (unsigned i = 0; i < connection_count; i++) {
		least = connections[i].answered < least ? connections[i].answered : least;
		most = connections[i].answered > most ? connections[i].answered : most;
	}
	printf("\"client_least\":%llu,\"client_most\":%llu,", (unsigned long long) least, (unsigned long long) most);
}

static void report(double cpu)
{
	static const double points[] = {0, 5, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 95, 97.5, 99, 99.5, 99.9, 100};
	/* A closed loop is measured from answer to answer, or the last round of clients in step would count in part. */
	uint64_t end = rate <= 0 && last_answer > measure_from ? last_answer : measure_to;
	double seconds = (double) (end - measure_from) / 1e9;

	samples_sort(&latencies);
	samples_sort(&served);
	samples_sort(&lateness);
	samples_sort(&newcomers);
	printf("{\"hung_up\":%llu,\"seconds\":%.3f,\"answered\":%llu,\"failed\":%llu,\"wrong\":%llu,\"dropped\":%llu,",
		(unsigned long long) hung_up, seconds, (unsigned long long) answered, (unsigned long long) failed,
		(unsigned long long) wrong, (unsigned long long) dropped);
	printf("\"p50_ms\":%.3f,\"p95_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f,", percentile(&latencies, 50),
		percentile(&latencies, 95), percentile(&latencies, 99), percentile(&latencies, 100));
	printf("\"refused\":%llu,\"served_p50_ms\":%.3f,\"served_p99_ms\":%.3f,", (unsigned long long) refused,
		percentile(&served, 50), percentile(&served, 99));
	report_clients();
	printf("\"newcomers\":%zu,\"newcomers_p50_ms\":%.3f,\"newcomers_p99_ms\":%.3f,", newcomers.count,
		percentile(&newcomers, 50), percentile(&newcomers, 99));
	printf("\"late_p99_ms\":%.3f,\"cpu_share\":%.3f,", percentile(&lateness, 99), seconds > 0 ? cpu / seconds : 0);
	printf("\"timed\":%llu,\"app_ms\":%.3f,\"db_ms\":%.3f,\"distribution\":[", (unsigned long long) timed,
		timed > 0 ? app_ms / (double) timed : 0, timed > 0 ? db_ms / (double) timed : 0);
	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		printf("%s[%g,%.3f]", i > 0 ? "," : "", points[i], percentile(&latencies, points[i]));
	}
	printf("]}\n");
}

static void on_signal(int number)
{
	(void) number;
	stopping = 1;
}

static int usage(void)
{
	fprintf(stderr,
		"usage: load [-s http|https|h2] [-g GAP_MS] [-n NEWCOMERS] [-r ROUNDS] [-o] PORT SECONDS CONNECTIONS RATE "
		"SCRIPT [WARM_UP_SECONDS [HANG_UP_PERCENT [REQUESTS_EACH]]]\n");
	return 2;
}

static bool read_options(int argc, char **argv)
{
	bool understood = true;
	for (int option; understood && (option = getopt(argc, argv, "+s:g:n:r:o")) != -1;) {
		switch (option) {
			case 's': understood = wire_speak(optarg); break;
			case 'g': gap = (uint64_t) (atof(optarg) * 1e6); break;
			case 'n': newcomers_a_second = atof(optarg); break;
			case 'r': rounds = (unsigned) atoi(optarg); break;
			case 'o': once = true; break;
			default: return false;
		}
	}
	return understood;
}

static void make_connections(void)
{
	connections = calloc(connection_count + NEWCOMERS_AT_ONCE, sizeof *connections);
	for (unsigned i = connection_count + NEWCOMERS_AT_ONCE; i-- > 0;) {
		connection *c = &connections[i];
		connection **list = i < connection_count ? &idle : &idle_newcomers;
		c->wire.answer = malloc(MAX_ANSWER + 1);
		c->newcomer = i >= connection_count;
		if (rate > 0 || c->newcomer) {
			c->next_idle = *list;
			*list = c;
		}
	}
}

int main(int argc, char **argv)
{
	bool understood = read_options(argc, argv);
	argc -= optind - 1;
	argv += optind - 1;
	if (!understood || argc < 6 || argc > 9 || atoi(argv[1]) <= 0 || atof(argv[2]) <= 0 || atoi(argv[3]) <= 0 ||
		atof(argv[4]) < 0) {
		return usage();
	}
	struct rlimit files;
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	setpriority(PRIO_PROCESS, 0, PRIORITY);
	port = (uint16_t) atoi(argv[1]);
	connection_count = (unsigned) atoi(argv[3]);
	rate = atof(argv[4]);
	hang_up_percent = argc > 7 ? (unsigned) atoi(argv[7]) : 0;
	requests_per_connection = argc > 8 ? (unsigned) atoi(argv[8]) : 0;
	read_script(argv[5]);
	make_connections();
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_signal}, NULL);
	sigaction(SIGINT, &(struct sigaction){.sa_handler = on_signal}, NULL);
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	double cpu = 0;
	run((uint64_t) (atof(argv[2]) * 1e9), argc > 6 ? (uint64_t) (atof(argv[6]) * 1e9) : 0, &cpu);
	report(cpu);
	return 0;
}
