/*
 * The reactor, the socket and the engine, as far as a connection sees them.
 */
#include "stand_ins.h"

#include "http/weft_transport.h"
#include "reactor/weft_log.h"

#include "main/php_globals.h"
#include "main/php_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void promise(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "broken promise: %s\n", what);
		abort();
	}
}

static unsigned dice;

unsigned stand_in_dice(void)
{
	dice = dice * 1103515245 + 12345;
	return dice >> 8;
}

/* --- the engine --- */

php_core_globals core_globals;
sapi_globals_struct sapi_globals;
zend_executor_globals executor_globals;
zend_compiler_globals compiler_globals;
zend_output_globals output_globals;
weft_coroutine *weft_current;
bool weft_reacting;
zend_string *zend_empty_string;

void *__zend_malloc(size_t size)
{
	return malloc(size);
}

void *__zend_calloc(size_t count, size_t size)
{
	return calloc(count, size);
}

void *__zend_realloc(void *block, size_t size)
{
	return realloc(block, size);
}

char *__zend_strdup(const char *text)
{
	return strdup(text);
}

void *_safe_malloc(size_t count, size_t size, size_t more)
{
	return malloc(count * size + more);
}

#undef snprintf
int ap_php_snprintf(char *to, size_t room, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = (vsnprintf) (to, room, format, arguments);
	va_end(arguments);
	return length;
}

#undef vsnprintf
int ap_php_vsnprintf(char *to, size_t room, const char *format, va_list arguments)
{
	return vsnprintf(to, room, format, arguments);
}

size_t zend_spprintf(char **to, size_t most, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(to, format, arguments);
	va_end(arguments);
	return (size_t) length;
}

void _efree(void *block)
{
	free(block);
}

const char *php_get_temporary_directory(void)
{
	return "/tmp";
}

/* --- the log: what is written is read, so that the sanitizers see where it is --- */

const char *(*weft_log_request_id)(void);

static void read_text(const char *format, va_list arguments)
{
	char text[512];

	vsnprintf(text, sizeof(text), format, arguments);
}

void weft_log(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	read_text(format, arguments);
	va_end(arguments);
}

void weft_log_at(const char *level, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	read_text(format, arguments);
	va_end(arguments);
}

bool weft_log_is_due(uint64_t *told, uint64_t every)
{
	return stand_in_dice() & 1;
}

/* --- the reactor --- */

static uint64_t now = 1000 * WEFT_NS_PER_SEC;
static weft_timer *timers[64];
static unsigned timer_count;
static weft_round *rounds;

uint64_t weft_now(void)
{
	return now += 1000;
}

uint64_t weft_now_noted(void)
{
	return now;
}

uint64_t weft_just_now(void)
{
	return now;
}

uint64_t weft_lately(void)
{
	return now;
}

void weft_timer_disarm(weft_timer *timer)
{
	if (timer->position) {
		timers[timer->position - 1] = timers[--timer_count];
		timers[timer->position - 1]->position = timer->position;
		timer->position = 0;
	}
}

void weft_timer_arm(weft_timer *timer, uint64_t deadline)
{
	if (!timer->position) {
		promise(timer_count < sizeof(timers) / sizeof(*timers), "few timers are armed");
		timers[timer_count++] = timer;
		timer->position = timer_count;
	}
	timer->deadline = deadline;
}

unsigned stand_in_timers(void)
{
	return timer_count;
}

void stand_in_wait(uint64_t time)
{
	weft_timer *due;

	now += time;
	do {
		due = NULL;
		for (unsigned i = 0; i < timer_count; i++) {
			due = timers[i]->deadline <= now && (!due || timers[i]->deadline < due->deadline) ? timers[i] : due;
		}
		if (due) {
			weft_timer_disarm(due);
			due->fire(due);
		}
	} while (due);
}

void weft_round_await(weft_round *round)
{
	if (!round->link) {
		round->next = rounds;
		round->link = &rounds;
		if (rounds) {
			rounds->link = &round->next;
		}
		rounds = round;
	}
}

void weft_round_forget(weft_round *round)
{
	if (round->link) {
		*round->link = round->next;
		if (round->next) {
			round->next->link = round->link;
		}
		round->link = NULL;
	}
}

void stand_in_rounds(void)
{
	for (int i = 0; rounds && i < 10; i++) {
		weft_round *round = rounds;

		weft_round_forget(round);
		round->fire(round);
	}
}

/* --- the socket --- */

static weft_watch *watch;
static char *arrived;
static size_t arrived_length;
static bool ended;
static size_t passes; /* bytes until it is full */
static bool full;
static bool broken;
static char *sent;
static size_t sent_length;

int weft_watch_add(weft_watch *of)
{
	watch = of;
	return 0;
}

void weft_watch_remove(weft_watch *of)
{
	promise(watch == of, "what is removed was added");
	watch = NULL;
}

uint32_t weft_descriptors_limit(void)
{
	return 1024;
}

ssize_t weft_transport_receive(weft_http_connection *connection, char *to, size_t room)
{
	size_t length = arrived_length < room ? arrived_length : room;

	if (broken) {
		errno = ECONNRESET;
		return -1;
	}
	if (length == 0 && !ended) {
		errno = EAGAIN;
		return -1;
	}
	memcpy(to, arrived, length);
	memmove(arrived, arrived + length, arrived_length - length);
	arrived_length -= length;
	return (ssize_t) length;
}

static ssize_t may_send(size_t length)
{
	if (broken) {
		errno = EPIPE;
		return -1;
	}
	full = length > passes;
	length = full ? passes : length;
	if (length == 0) {
		errno = EAGAIN;
		return -1;
	}
	passes -= length;
	return (ssize_t) length;
}

static void keep_sent(weft_http_connection *connection, const char *data, size_t length)
{
	sent = realloc(sent, sent_length + length);
	memcpy(sent + sent_length, data, length);
	sent_length += length;
	connection->exchange.sent += length;
}

ssize_t weft_transport_send(weft_http_connection *connection, const struct iovec *parts, int count)
{
	size_t all = 0, left;
	ssize_t may;

	for (int i = 0; i < count; i++) {
		all += parts[i].iov_len;
	}
	promise(all > 0, "something is sent");
	may = may_send(all);
	left = may > 0 ? (size_t) may : 0;
	for (int i = 0; i < count && left > 0; i++) {
		size_t length = parts[i].iov_len < left ? parts[i].iov_len : left;

		keep_sent(connection, parts[i].iov_base, length);
		left -= length;
	}
	return may;
}

ssize_t weft_transport_send_file(weft_http_connection *connection, int file, uint64_t offset, uint64_t length)
{
	char some[4096];
	ssize_t got = pread(file, some, length < sizeof(some) ? length : sizeof(some), (off_t) offset);
	ssize_t may = got > 0 ? may_send((size_t) got) : got;

	if (may > 0) {
		keep_sent(connection, some, (size_t) may);
	}
	return may;
}

void weft_transport_end(weft_http_connection *connection)
{
}

void weft_transport_close(weft_http_connection *connection, bool whole)
{
}

weft_tls_result weft_transport_handshake(weft_http_connection *connection)
{
	return WEFT_TLS_FAILED;
}

/* --- the client --- */

void stand_in_begin(weft_http_server *server, unsigned seed)
{
	weft_http_address peer = {.in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = 77}};

	dice = seed;
	arrived_length = sent_length = 0;
	ended = full = broken = false;
	passes = SIZE_MAX;
	weft_connection_open(server, -1, &peer, WEFT_PORT_PLAIN);
}

bool stand_in_is_open(void)
{
	return watch != NULL;
}

static void fire(uint32_t events)
{
	if (watch) {
		watch->fire(watch, events);
	}
}

void stand_in_deliver(const char *data, size_t length)
{
	arrived = realloc(arrived, arrived_length + length);
	memcpy(arrived + arrived_length, data, length);
	arrived_length += length;
	fire(WEFT_IN);
}

void stand_in_let_through(size_t length)
{
	passes = length;
}

void stand_in_fire_writable(void)
{
	if (full && passes > 0) {
		full = false;
		fire(WEFT_OUT);
	}
}

void stand_in_half_close(void)
{
	ended = true;
	fire(WEFT_IN | WEFT_RDHUP);
}

void stand_in_hang_up(void)
{
	ended = broken = true;
	fire(WEFT_IN | WEFT_RDHUP | WEFT_HUP);
}

void stand_in_reset(void)
{
	ended = broken = true;
	fire(WEFT_IN | WEFT_ERR | WEFT_HUP);
}

void stand_in_drain(weft_http_server *server)
{
	server->draining = true;
	weft_room_each(server, weft_connection_drain);
}

static void check_frames(const unsigned char *at, const unsigned char *end)
{
	while (end - at >= 9) {
		size_t length = (size_t) (at[0] << 16 | at[1] << 8 | at[2]);

		promise(length <= 16384, "frames are no longer than the default");
		promise(at[3] <= 9 && at[3] != 5, "frames are of a known type");
		promise((at[5] & 0x80) == 0, "a reserved bit is zero");
		at += 9;
		if ((size_t) (end - at) < length) {
			return;
		}
		at += length;
	}
}

void stand_in_check_sent(void)
{
	static const char http1[] = "HTTP/1.1 ", settings[] = {4, 0, 0, 0, 0, 0};
	size_t most = sizeof(http1) - 1;

	if (sent_length == 0) {
		return;
	}
	if (sent_length > 9 && sent[0] == 0 && memcmp(sent + 3, settings, sizeof(settings)) == 0) {
		check_frames((unsigned char *) sent, (unsigned char *) sent + sent_length);
	} else {
		promise(memcmp(sent, http1, sent_length < most ? sent_length : most) == 0 || sent[0] == 0, "it speaks HTTP");
	}
	promise(!memmem(sent, sent_length, "THIS IS SECRET", 14), "what is secret is not sent");
}
