/*
 * permessage-deflate (RFC 7692): what is agreed on, and messages as it has them. Knows no socket and no PHP value, so
 * that it can be fuzzed alone.
 *
 * Neither side carries a window from one message to the next: so an idle socket holds none, one compressed form of a
 * message is right for all who get it, and what works on a message needs memory only while it does.
 */
#ifndef WEFT_WS_DEFLATE_H
#define WEFT_WS_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- weft_ws_offers.c --- */

/* Room for the longest answer, with its NUL. */
#define WEFT_WS_DEFLATE_ANSWER 112

/* Of a Sec-WebSocket-Extensions header the first offer that is one we can keep. Returns for how many bits of window the
 * client has memory, and what to answer; 0: there is no such offer, or the library is missing. A header that is no list
 * of extensions offers nothing. */
uint8_t weft_ws_deflate_agree(const char *offers, size_t length, char answer[WEFT_WS_DEFLATE_ANSWER]);

/* --- weft_ws_deflate.c --- */

/* Whether a message of so many bytes may be sent compressed to whom so many bits were agreed on with. Nothing in it
 * points farther back than to its own beginning: a short one fits any window. */
bool weft_ws_deflate_fits(uint8_t bits, size_t length);

/* Compressed: *made bytes, malloc()ed, behind so many others that are the caller's. NULL: that would not be shorter, or
 * there is no memory. */
char *weft_ws_deflate(const char *plain, size_t length, int level, size_t before, size_t *made);

/* So long a compressed message may be when its plain form has no more than `most` bytes: what can't be compressed
 * becomes a little longer. */
static inline size_t weft_ws_deflate_bound(size_t most)
{
	return most + (most >> 10) + 64;
}

typedef enum {
	WEFT_WS_INFLATED,
	WEFT_WS_INFLATED_TOO_LONG, /* more than `most` come out; it is not known how many more */
	WEFT_WS_INFLATED_BROKEN,   /* that is nothing compressed, or its end is missing */
	WEFT_WS_INFLATED_NO_MEMORY
} weft_ws_inflated;

/* A whole message, of all its frames. *plain is malloc()ed, and NULL unless INFLATED. */
weft_ws_inflated weft_ws_inflate(const char *data, size_t length, size_t most, char **plain, size_t *made);

/* --- weft_ws_utf8.c --- */

/* Whether a text is one (RFC 3629). What comes compressed can be looked at only when it is plain. */
bool weft_ws_is_utf8(const char *text, size_t length);

#endif /* WEFT_WS_DEFLATE_H */
