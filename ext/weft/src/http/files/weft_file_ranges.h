/*
 * Parts of a file (RFC 9110, 14), several of them as one message (14.6).
 */
#ifndef WEFT_FILE_RANGES_H
#define WEFT_FILE_RANGES_H

#include "http/weft_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No more are ever sent at once, whatever weft.http_ranges says. */
#define WEFT_RANGES_MAX 64
#define WEFT_RANGES_BOUNDARY 20

typedef struct {
	uint64_t offset, length;
} weft_file_range;

/* Reads the value of Range for a file of this size into `to`. Returns how many there are; 0: the file is to be sent
 * whole, since it is malformed, asks for other units or for more than `most`, or for the same bytes twice; -1: the file
 * has none of these bytes. */
int weft_ranges_read(const char *value, uint64_t size, weft_file_range to[WEFT_RANGES_MAX], uint32_t most);

/* The Content-Range of a part; `range` NULL: of none, which tells the size. */
void weft_ranges_put_line(weft_text *text, const weft_file_range *range, uint64_t size);

/* A message of several. */
typedef struct {
	uint64_t size;    /* of the file */
	const char *type; /* of the file */
	char boundary[WEFT_RANGES_BOUNDARY + 1];
	uint32_t count, next;
	weft_file_range each[];
} weft_file_ranges;

weft_file_ranges *weft_ranges_new(const weft_file_range *each, uint32_t count, uint64_t size, const char *type);
/* Of the whole message. */
uint64_t weft_ranges_length(weft_file_ranges *ranges);
/* What goes before the next range, and which that is; behind the last what ends the message, and NULL. */
#define WEFT_RANGES_HEAD 512
const weft_file_range *weft_ranges_next(weft_file_ranges *ranges, char head[WEFT_RANGES_HEAD], size_t *length);

#endif /* WEFT_FILE_RANGES_H */
