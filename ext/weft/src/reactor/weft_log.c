#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif
#include "reactor/weft_log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool begins(const char *at, const char *end, const char *with)
{
	size_t length = strlen(with);

	return (size_t) (end - at) >= length && memcmp(at, with, length) == 0;
}

/* Whether a stack trace goes on at `at`, behind a line break. */
static bool is_trace(const char *at, const char *end)
{
	return begins(at, end, "Stack trace:") || begins(at, end, "  thrown in ") || begins(at, end, "Next ")
		|| begins(at, end, "\nNext ") || (end - at >= 2 && at[0] == '#' && at[1] >= '0' && at[1] <= '9');
}

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

size_t weft_log_escape(char *to, const char *text, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = text, *end = text + length;
	size_t n = 0;

	while (at < end) {
		unsigned char c = (unsigned char) *at;
		size_t whole = printable((const unsigned char *) at, (const unsigned char *) end);

		if (whole == 0 && c == '\n' && is_trace(at + 1, end)) {
			whole = 1;
		}
		if (whole > 0) {
			memcpy(to + n, at, whole);
			n += whole;
			at += whole;
			continue;
		}
		to[n++] = '\\';
		to[n++] = 'x';
		to[n++] = digits[c >> 4];
		to[n++] = digits[c & 15];
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
	record = malloc((size_t) length * WEFT_LOG_LONGEST + 1);
	if (record) {
		n = weft_log_escape(record, text, (size_t) length);
		record[n++] = '\n';
		/* nothing to be done when nobody reads it */
		ssize_t ignored = write(STDERR_FILENO, record, n);
		(void) ignored;
	}
	free(record);
	free(text);
}
