/*
 * Escapes a record, for people or for machines, and writes it with one call.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "reactor/weft_log.h"
#include "reactor/weft_reactor.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What each line of a record after its first begins with. */
static const char continuation[] = "    ";

#define CONTINUATION (sizeof(continuation) - 1)
/* A byte becomes so many at most: \xNN, or a line break and what follows it. */
#define LONGEST (CONTINUATION + 1)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

const char *(*weft_log_request_id)(void);
static bool as_json;

/* Whether a character of several bytes that begins so can be printed: U+0080 to U+009F are control characters to some
 * terminals; what is longer than it need be, a surrogate, or beyond U+10FFFF is not UTF-8, and no JSON then. */
static bool second_byte_fits(const unsigned char *at)
{
	switch (*at) {
		case 0xc2: return at[1] >= 0xa0;
		case 0xe0: return at[1] >= 0xa0;
		case 0xed: return at[1] < 0xa0;
		case 0xf0: return at[1] >= 0x90;
		case 0xf4: return at[1] < 0x90;
		default: return true;
	}
}

/* The bytes of the UTF-8 character at `at` when it is one that can be printed; else 0: bytes that stand alone may be
 * control characters, too. */
static size_t printable(const unsigned char *at, const unsigned char *end)
{
	size_t length = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : *at >= 0xc2 ? 2 : 1;

	if (*at < 0x80) {
		return *at >= 0x20 && *at != 0x7f ? 1 : 0;
	}
	if (length == 1 || *at > 0xf4 || (size_t) (end - at) < length || !second_byte_fits(at)) {
		return 0;
	}
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80) {
			return 0;
		}
	}
	return length;
}

static size_t log_escape(char *to, const char *text, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = text, *end = text + length;
	size_t n = 0;

	while (at < end) {
		unsigned char c = (unsigned char) *at;
		size_t whole = printable((const unsigned char *) at, (const unsigned char *) end);

		if (whole > 0) {
			memcpy(to + n, at, whole);
			n += whole;
			at += whole;
			continue;
		}
		if (c == '\n') {
			to[n++] = '\n';
			memcpy(to + n, continuation, CONTINUATION);
			n += CONTINUATION;
		} else {
			to[n++] = '\\';
			to[n++] = 'x';
			to[n++] = digits[c >> 4];
			to[n++] = digits[c & 15];
		}
		at++;
	}
	return n;
}

static size_t put(char *to, const char *text, size_t length)
{
	memcpy(to, text, length);
	return length;
}

#define PUT(to, literal) put(to, literal, sizeof(literal) - 1)

/* The character, when it has an escape of two. */
static size_t json_short_escape(char *to, char c)
{
	static const char names[] = "\"\\\n\t\r", escapes[] = "\"\\ntr";
	const char *name = c ? strchr(names, c) : NULL;

	if (!name) {
		return 0;
	}
	to[0] = '\\';
	to[1] = escapes[name - names];
	return 2;
}

size_t weft_log_json(char *to, const char *text, size_t length)
{
	const char *at = text, *end = text + length;
	size_t n = 0;

	while (at < end) {
		size_t escaped = json_short_escape(to + n, *at);
		size_t whole = escaped ? 1 : printable((const unsigned char *) at, (const unsigned char *) end);

		if (escaped) {
			n += escaped;
		} else if (whole) {
			n += put(to + n, at, whole);
		} else if ((unsigned char) *at < 0x80) {
			n += (size_t) sprintf(to + n, "\\u%04x", *at);
		} else {
			n += PUT(to + n, "\\ufffd");
		}
		at += whole ? whole : 1;
	}
	return n;
}

void weft_log_time(char to[WEFT_LOG_TIME_LENGTH])
{
	/* the guard of a worker tells of it beside its own thread */
	static _Thread_local char seconds[32];
	static _Thread_local time_t formatted;
	struct timespec now;
	struct tm utc;
	char *fraction = to + WEFT_LOG_TIME_LENGTH - 4;
	int milliseconds;

	clock_gettime(CLOCK_REALTIME, &now);
	if (now.tv_sec != formatted) {
		formatted = now.tv_sec;
		gmtime_r(&now.tv_sec, &utc);
		strftime(seconds, sizeof(seconds), "%Y-%m-%dT%H:%M:%S.", &utc);
	}
	memcpy(to, seconds, WEFT_LOG_TIME_LENGTH - 4);
	/* each line of an access log has it: not worth a printf */
	milliseconds = (int) (now.tv_nsec / 1000000);
	fraction[0] = (char) ('0' + milliseconds / 100);
	fraction[1] = (char) ('0' + milliseconds / 10 % 10);
	fraction[2] = (char) ('0' + milliseconds % 10);
	fraction[3] = 'Z';
}

void weft_log_as_json(bool json)
{
	as_json = json;
}

bool weft_log_is_json(void)
{
	return as_json;
}

static const char *id_of_running(void)
{
	return as_json && weft_log_request_id ? weft_log_request_id() : NULL;
}

static size_t log_json_record(char *to, const char *id, const char *level, const char *source, const char *text,
	size_t length)
{
	size_t n = PUT(to, "{\"time\":\"");

	weft_log_time(to + n);
	n += WEFT_LOG_TIME_LENGTH;
	n += (size_t) sprintf(to + n, "\",\"level\":\"%s\",\"pid\":%d,", level, (int) getpid());
	if (id) {
		n += PUT(to + n, "\"request_id\":\"");
		n += weft_log_json(to + n, id, strlen(id));
		n += PUT(to + n, "\",");
	}
	if (source) {
		n += (size_t) sprintf(to + n, "\"source\":\"%s\",", source);
	}
	n += PUT(to + n, "\"message\":\"");
	n += weft_log_json(to + n, text, length);
	return n + PUT(to + n, "\"}");
}

/* How long to wait for who reads standard error, and for how many seconds not to, then. */
#define PATIENCE_MS 200
#define STALLED_FOR 5

#define LONGEST_IN_HANDLER 8000
/* Room for all of a record but its message. */
#define FRAME 1024

#define ROOM_FOR(length) ((length) *MAX(LONGEST, WEFT_LOG_JSON_LONGEST) + FRAME)

/* A reader that stands still (a pager, a terminal after Ctrl-S, a log driver that hangs) must not stop a process that
 * serves: it is waited for once, and not again for a while. What it does not take is dropped, as where nobody reads.
 * A pipe that poll(2) calls writable takes PIPE_BUF bytes. */
static bool takes_more(void)
{
	static _Atomic(time_t) stalled;
	struct pollfd polled = {STDERR_FILENO, POLLOUT, 0};
	time_t now = time(NULL);
	bool waits = now - stalled >= STALLED_FOR;

	if (poll(&polled, 1, waits ? PATIENCE_MS : 0) == 1) {
		return true;
	}
	if (waits) {
		stalled = now;
	}
	return false;
}

/* A file takes a record in one piece, so that those of several processes do not mix. */
static bool is_file(void)
{
	struct stat about;

	return fstat(STDERR_FILENO, &about) == 0 && S_ISREG(about.st_mode);
}

void weft_log_write(const char *record, size_t length)
{
	size_t most = is_file() ? length : PIPE_BUF;

	while (length > 0 && takes_more()) {
		ssize_t written = write(STDERR_FILENO, record, MIN(length, most));
		if (written < 0 && errno != EINTR) {
			return;
		}
		record += MAX(written, 0);
		length -= (size_t) MAX(written, 0);
	}
}

size_t weft_log_room(size_t length)
{
	return ROOM_FOR(length);
}

size_t weft_log_put(char *to, const char *id, const char *level, const char *source, const char *text, size_t length)
{
	size_t n = as_json ? log_json_record(to, id, level, source, text, length) : log_escape(to, text, length);

	to[n++] = '\n';
	return n;
}

static void write_record(char *room, const char *id, const char *level, const char *text, size_t length)
{
	size_t n = weft_log_put(room, id, level, NULL, text, length);

	weft_log_write(room, n);
}

void weft_log_in_handler(const char *level, const char *text)
{
	static char room[ROOM_FOR(LONGEST_IN_HANDLER)];
	size_t length = strlen(text);

	write_record(room, id_of_running(), level, text, length < LONGEST_IN_HANDLER ? length : LONGEST_IN_HANDLER);
}

static void log_record(const char *id, const char *level, const char *format, va_list arguments)
{
	char *text, *record;
	int length = vasprintf(&text, format, arguments);

	if (length < 0) {
		return;
	}
	record = malloc(ROOM_FOR((size_t) length));
	if (record) {
		write_record(record, id, level, text, (size_t) length);
	}
	free(record);
	free(text);
}

void weft_log(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	log_record(id_of_running(), "error", format, arguments);
	va_end(arguments);
}

bool weft_log_is_due(uint64_t *told, uint64_t every)
{
	uint64_t now = weft_now();

	if (*told && now - *told < every) {
		return false;
	}
	*told = now;
	return true;
}

void weft_log_at(const char *level, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	log_record(id_of_running(), level, format, arguments);
	va_end(arguments);
}

void weft_log_of(const char *request_id, const char *level, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	log_record(request_id, level, format, arguments);
	va_end(arguments);
}
