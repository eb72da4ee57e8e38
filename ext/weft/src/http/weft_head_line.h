/*
 * Header lines as a response keeps them: "Name: value" and CR LF, one after another.
 */
#ifndef WEFT_HEAD_LINE_H
#define WEFT_HEAD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* One of them, without its end and the blanks around its value. */
typedef struct {
	const char *name;
	size_t name_length;
	const char *value;
	size_t value_length;
} weft_head_line;

/* Reads the line at `at`. Returns where the next one begins; NULL: there was none. */
static inline const char *weft_head_line_next(const char *at, const char *end, weft_head_line *line)
{
	const char *cr = at < end ? memchr(at, '\r', (size_t) (end - at)) : NULL; /* nobody's header has one within */
	const char *colon = cr ? memchr(at, ':', (size_t) (cr - at)) : NULL;
	const char *value_end = cr;

	if (!colon) {
		return NULL;
	}
	line->name = at;
	line->name_length = (size_t) (colon - at);
	line->value = colon + 1;
	while (line->value < value_end && (*line->value == ' ' || *line->value == '\t')) {
		line->value++;
	}
	while (value_end > line->value && (value_end[-1] == ' ' || value_end[-1] == '\t')) {
		value_end--;
	}
	line->value_length = (size_t) (value_end - line->value);
	return cr + 2;
}

static inline bool weft_head_line_is(const weft_head_line *line, const char *name, size_t length)
{
	return line->name_length == length && strncasecmp(line->name, name, length) == 0;
}

#endif /* WEFT_HEAD_LINE_H */
