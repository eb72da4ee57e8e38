/* An answer of HTTP/1.1 as the load programs need it: where it ends, and its body in one piece. */
#ifndef WEFT_BENCH_ANSWER_H
#define WEFT_BENCH_ANSWER_H
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The largest answer that is checked; more is an error. */
#define MAX_ANSWER (1u << 20)

static const char *answer_header(const char *head, const char *name)
{
	size_t length = strlen(name);
	for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
		if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') {
			line += 3 + length;
			return line + strspn(line, " ");
		}
	}
	return NULL;
}

/* Joins the chunks in place. 1: complete, 0: more to come, -1: malformed. */
static int decode_chunks(char *body, size_t available, bool join)
{
	char *in = body, *out = body, *limit = body + available;
	for (;;) {
		char *line_end = memmem(in, (size_t) (limit - in), "\r\n", 2), *number_end;
		if (line_end == NULL) {
			return 0;
		}
		size_t size = strtoul(in, &number_end, 16);
		if (number_end == in || size > MAX_ANSWER) {
			return -1;
		}
		in = line_end + 2;
		if ((size_t) (limit - in) < size + 2) {
			return 0;
		}
		if (memcmp(in + size, "\r\n", 2) != 0) {
			return -1;
		}
		if (join) {
			memmove(out, in, size);
			out += size;
			*out = 0;
		}
		in += size + 2;
		if (size == 0) {
			return in == limit ? 1 : -1;
		}
	}
}

/* Whether the whole answer is there: 1, 0 or -1 (malformed). The head is cut off with a NUL when complete. */
static int answer_complete(char *answer, size_t received, char **body, bool *server_closes)
{
	char *head_end = memmem(answer, received, "\r\n\r\n", 4);
	const char *value;
	size_t available;
	int state;

	if (head_end == NULL) {
		return 0;
	}
	char kept = head_end[2];
	head_end[2] = 0;
	*body = head_end + 4;
	available = received - (size_t) (*body - answer);
	value = answer_header(answer, "Connection");
	*server_closes = value != NULL && strncasecmp(value, "close", 5) == 0;
	if ((value = answer_header(answer, "Transfer-Encoding")) != NULL) {
		state = decode_chunks(*body, available, false);
		if (state == 1) {
			decode_chunks(*body, available, true);
		}
	} else if ((value = answer_header(answer, "Content-Length")) != NULL) {
		size_t length = strtoul(value, NULL, 10);
		state = available > length ? -1 : available == length;
	} else {
		state = -1;
	}
	if (state == 0) {
		head_end[2] = kept;
	}
	return state;
}

#endif
