/*
 * Escapes a record and writes it with one call.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "reactor/weft_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What each line of a record after its first begins with. */
static const char continuation[] = "    ";

#define CONTINUATION (sizeof(continuation) - 1)
/* A byte becomes so many at most: \xNN, or a line break and what follows it. */
#define LONGEST (CONTINUATION + 1)

/* The bytes of the UTF-8 character at `at` when it is one that can be printed; else 0. U+0080 to U+009F, and bytes that
 * stand alone, are control characters to some terminals. */
static size_t printable(const unsigned char *at, const unsigned char *end)
{
	size_t length = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : *at >= 0xc2 ? 2 : 1;

	if (*at < 0x80) {
		return *at >= 0x20 && *at != 0x7f ? 1 : 0;
	}
	if (length == 1 || *at > 0xf4 || (size_t) (end - at) < length || (*at == 0xc2 && at[1] < 0xa0)) {
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

void weft_log(const char *format, ...)
{
	char *text, *record;
	va_list arguments;
	int length;
	size_t n;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0) {
		return;
	}
	record = malloc((size_t) length * LONGEST + 1);
	if (record) {
		n = log_escape(record, text, (size_t) length);
		record[n++] = '\n';
		/* nothing to be done when nobody reads it */
		ssize_t ignored = write(STDERR_FILENO, record, n);
		(void) ignored;
	}
	free(record);
	free(text);
}
