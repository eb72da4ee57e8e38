/*
 * UTF-8 (RFC 3629): nothing longer than it need be, no surrogate, nothing beyond U+10FFFF.
 */
#include "http/ws/weft_ws_deflate.h"

#include <string.h>

/* Bit 7 of each byte of a word. */
#define HIGH_BITS UINT64_C(0x8080808080808080)

static bool follows(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* How many bytes the character at `at` has, which is none of ASCII; 0: it is none, or its end is missing. */
static size_t character(const unsigned char *at, size_t left)
{
	unsigned char first = at[0];

	if (first < 0xc2 || first > 0xf4 || left < 2) {
		return 0;
	}
	if (first < 0xe0) {
		return follows(at[1]) ? 2 : 0;
	}
	if (first < 0xf0) {
		return left >= 3 && at[1] >= (first == 0xe0 ? 0xa0 : 0x80) && at[1] <= (first == 0xed ? 0x9f : 0xbf) &&
				follows(at[2])
			? 3
			: 0;
	}
	return left >= 4 && at[1] >= (first == 0xf0 ? 0x90 : 0x80) && at[1] <= (first == 0xf4 ? 0x8f : 0xbf) &&
			follows(at[2]) && follows(at[3])
		? 4
		: 0;
}

bool weft_ws_is_utf8(const char *text, size_t length)
{
	const unsigned char *at = (const unsigned char *) text, *end = at + length;

	while (at < end) {
		uint64_t word;
		size_t bytes;

		if (end - at >= (ptrdiff_t) sizeof(word)) {
			memcpy(&word, at, sizeof(word));
			if (!(word & HIGH_BITS)) {
				at += sizeof(word);
				continue;
			}
		}
		bytes = *at < 0x80 ? 1 : character(at, (size_t) (end - at));
		if (bytes == 0) {
			return false;
		}
		at += bytes;
	}
	return true;
}
