/*
 * Feeds permessage-deflate (http/ws/weft_ws_deflate.h) with anything: what clients offer, what they send compressed,
 * and texts. The first input byte chooses, the second how much may come out.
 *
 * Besides what the sanitizers find, it aborts when a promise of that header is broken: an answer that is no offer which
 * gets the same answer, an offer that counts for less behind others, a limit that lets through more or less than it
 * says, a message that does not come back, a text that is taken for UTF-8 and is none, memory that is not given back.
 * And it begins with answers that are known.
 */
#include "codec/weft_codec.h"
#include "http/ws/weft_ws_deflate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST (1 << 20)

static void promise(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "broken promise: %s\n", what);
		abort();
	}
}

/* Exactly so large that reading on is an error the sanitizer sees. */
static char *exactly(const void *data, size_t length)
{
	char *copy = malloc(length);

	memcpy(copy, data, length);
	return copy;
}

/* --- offers --- */

static uint8_t agree(const char *offers, size_t length, char answer[WEFT_WS_DEFLATE_ANSWER])
{
	char *copy = exactly(offers, length);
	uint8_t bits;

	memset(answer, 'x', WEFT_WS_DEFLATE_ANSWER);
	bits = weft_ws_deflate_agree(copy, length, answer);
	free(copy);
	promise(bits == 0 || memchr(answer, '\0', WEFT_WS_DEFLATE_ANSWER), "an answer has an end");
	return bits;
}

static void try_offers(const char *offers, size_t length)
{
	static const char other[] = "x-other;a=\"b\", permessage-deflate; unknown ,, ";
	char answer[WEFT_WS_DEFLATE_ANSWER], again[WEFT_WS_DEFLATE_ANSWER];
	char *behind = malloc(sizeof(other) + length);
	uint8_t bits = agree(offers, length, answer);

	promise(bits == 0 || (bits >= 8 && bits <= 15), "a window has 8 to 15 bits");
	memcpy(behind, other, sizeof(other) - 1);
	memcpy(behind + sizeof(other) - 1, offers, length);
	promise(agree(behind, sizeof(other) - 1 + length, again) == bits, "it is the same behind others");
	if (bits) {
		promise(strcmp(answer, again) == 0, "its answer is the same behind others");
		promise(agree(answer, strlen(answer), again) == bits, "an answer is an offer of the same");
		promise(strcmp(answer, again) == 0, "an answer's answer is the same");
	}
	free(behind);
}

#define KEPT "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

static void known_offers(void)
{
	static const struct {
		const char *offers;
		uint8_t bits;
		const char *answer;
	} known[] = {
		{"permessage-deflate", 15, KEPT},
		{"Permessage-Deflate", 15, KEPT},
		{" , permessage-deflate ;\tclient_max_window_bits ", 15, KEPT},
		{"permessage-deflate; client_max_window_bits=10", 15, KEPT},
		{"permessage-deflate; client_max_window_bits=\"10\"", 15, KEPT},
		{"permessage-deflate; client_max_window_bits=\"1\\0\"", 15, KEPT},
		{"permessage-deflate; server_no_context_takeover; client_no_context_takeover", 15, KEPT},
		{"permessage-deflate; server_max_window_bits=15", 12, KEPT "; server_max_window_bits=12"},
		{"permessage-deflate; server_max_window_bits=9", 9, KEPT "; server_max_window_bits=9"},
		{"permessage-deflate; server_max_window_bits = 8", 8, KEPT "; server_max_window_bits=8"},
		{"permessage-deflate; server_max_window_bits=8, permessage-deflate", 8, KEPT "; server_max_window_bits=8"},
		{"permessage-deflate; x, permessage-deflate", 15, KEPT},
		{"permessage-deflate; server_max_window_bits, permessage-deflate; server_max_window_bits=10", 10,
			KEPT "; server_max_window_bits=10"},
		{"x-webkit-deflate-frame, permessage-deflate", 15, KEPT},
		{"", 0, NULL},
		{",", 0, NULL},
		{"permessage-bzip2", 0, NULL},
		{"permessage-deflate2", 0, NULL},
		{"permessage-deflate; server_max_window_bits", 0, NULL},
		{"permessage-deflate; server_max_window_bits=7", 0, NULL},
		{"permessage-deflate; server_max_window_bits=16", 0, NULL},
		{"permessage-deflate; server_max_window_bits=010", 0, NULL},
		{"permessage-deflate; server_max_window_bits=1000000000", 0, NULL},
		{"permessage-deflate; server_max_window_bits=+9", 0, NULL},
		{"permessage-deflate; client_max_window_bits=7", 0, NULL},
		{"permessage-deflate; client_max_window_bits=", 0, NULL},
		{"permessage-deflate; server_no_context_takeover=1", 0, NULL},
		{"permessage-deflate; client_no_context_takeover=\"\"", 0, NULL},
		{"permessage-deflate; server_no_context_takeover; server_no_context_takeover", 0, NULL},
		{"permessage-deflate; server_max_window_bits=9; server_max_window_bits=9", 0, NULL},
		{"permessage-deflate;", 0, NULL},
		{"permessage-deflate; ; client_max_window_bits", 0, NULL},
		{"permessage-deflate client_max_window_bits", 0, NULL},
		{"permessage-deflate; client_max_window_bits=\"10", 0, NULL},
		{"permessage-deflate, (", 0, NULL},
	};
	char answer[WEFT_WS_DEFLATE_ANSWER];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint8_t bits = agree(known[i].offers, strlen(known[i].offers), answer);

		if (bits != known[i].bits || (bits && strcmp(answer, known[i].answer) != 0)) {
			fprintf(stderr, "%s\n  %u %s\n", known[i].offers, bits, bits ? answer : "");
			promise(0, "the answer that is known");
		}
	}
}

/* --- messages --- */

static weft_ws_inflated inflate(const char *data, size_t length, size_t most, char **plain, size_t *made)
{
	char *copy = exactly(data, length);
	weft_ws_inflated result = weft_ws_inflate(copy, length, most, plain, made);

	free(copy);
	promise((result == WEFT_WS_INFLATED) == (*plain != NULL), "there is a message when it is one");
	promise(*made <= most, "no more comes out than may");
	return result;
}

static void there_and_back(const char *plain, size_t length, int level)
{
	size_t made, back;
	char *shorter = weft_ws_deflate(plain, length, level, 10, &made), *again;

	if (!shorter) {
		return;
	}
	memset(shorter, 'x', 10); /* the caller's */
	promise(made < length, "it is shorter");
	promise(weft_ws_inflate(shorter + 10, made, length, &again, &back) == WEFT_WS_INFLATED, "it is a message");
	promise(back == length && memcmp(again, plain, length) == 0, "what was compressed comes back");
	free(again);
	free(shorter);
}

static void try_message(const char *data, size_t length, size_t most)
{
	char *plain, *again;
	size_t made, less;

	if (inflate(data, length, most, &plain, &made) != WEFT_WS_INFLATED) {
		return;
	}
	promise(inflate(data, length, made, &again, &less) == WEFT_WS_INFLATED, "what just fits is let through");
	promise(less == made && memcmp(again, plain, made) == 0, "it is the same, however long it may be");
	free(again);
	promise(made == 0 || inflate(data, length, made - 1, &again, &less) == WEFT_WS_INFLATED_TOO_LONG,
		"a byte more is too long");
	there_and_back(plain, made, 1 + (int) (length % 9));
	free(plain);
}

/* RFC 7692, 7.2.3: the word Hello, as its examples have it. */
static void known_messages(void)
{
	static const struct {
		const char *data;
		size_t length;
		const char *plain; /* NULL: broken */
	} known[] = {
		{"\xf2\x48\xcd\xc9\xc9\x07\x00", 7, "Hello"},
		{"\xf2\x48\xcd\xc9\xc9\x07\x00\x00\x00\xff\xff", 11, NULL},            /* its tail is there, and then another */
		{"\x00\x05\x00\xfa\xff\x48\x65\x6c\x6c\x6f\x00", 11, "Hello"},         /* not compressed */
		{"\xf3\x48\xcd\xc9\xc9\x07\x00\x00", 8, "Hello"},                      /* its block says that it is the last */
		{"\xf2\x48\x05\x00\x00\x00\xff\xff\xca\xc9\xc9\x07\x00", 13, "Hello"}, /* two blocks */
		{"\x00", 1, ""},
		{"", 0, ""},
		{"\xf2\x48\xcd\xc9\xc9", 5, NULL},
		{"\xf2\x00\x11\x00\x00", 5, NULL}, /* RFC 7692, 7.2.3.2: of the message before */
		{"\x06", 1, NULL},
		{"Hello", 5, NULL},
	};
	char *plain;
	size_t made;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		weft_ws_inflated result = inflate(known[i].data, known[i].length, 100, &plain, &made);

		if (known[i].plain ? result != WEFT_WS_INFLATED || made != strlen(known[i].plain) ||
					memcmp(plain, known[i].plain, made) != 0
						   : result != WEFT_WS_INFLATED_BROKEN) {
			fprintf(stderr, "message %zu: %d %.*s\n", i, result, (int) made, plain);
			promise(0, "the message that is known");
		}
		free(plain);
	}
}

/* What does not become shorter is no message of ours, and one that becomes far longer is refused. */
static void known_limits(void)
{
	char *plain = malloc(MOST), *bomb, *none;
	size_t made, length;
	uint32_t seed = 1;

	memset(plain, 0, MOST);
	bomb = weft_ws_deflate(plain, MOST, 4, 0, &length);
	promise(bomb && length < 2000, "a million zeros become short");
	promise(inflate(bomb, length, MOST - 1, &none, &made) == WEFT_WS_INFLATED_TOO_LONG, "and are too long then");
	free(bomb);
	for (size_t i = 0; i < MOST; i++) {
		seed = seed * 1664525 + 1013904223;
		plain[i] = (char) (seed >> 24);
	}
	promise(!weft_ws_deflate(plain, MOST, 4, 0, &length), "noise does not become shorter");
	free(plain);
	promise(weft_ws_deflate_fits(15, MOST) && weft_ws_deflate_fits(12, MOST) && weft_ws_deflate_fits(9, 512) &&
			!weft_ws_deflate_fits(9, 513) && !weft_ws_deflate_fits(0, 1),
		"a message fits a window");
}

/* --- texts --- */

/* By the numbers that characters stand for, as RFC 3629 puts it. */
static int is_utf8(const unsigned char *at, size_t length)
{
	static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};

	for (size_t i = 0; i < length;) {
		size_t more = at[i] < 0x80 ? 0 : at[i] >> 5 == 6 ? 1 : at[i] >> 4 == 14 ? 2 : at[i] >> 3 == 30 ? 3 : 4;
		uint32_t number;

		if (more == 4 || length - i <= more) {
			return 0;
		}
		number = more == 0 ? at[i] : at[i] & (0x3fu >> more);
		for (size_t k = 1; k <= more; k++) {
			if (at[i + k] >> 6 != 2) {
				return 0;
			}
			number = number << 6 | (at[i + k] & 0x3f);
		}
		if (number < least[more] || number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) {
			return 0;
		}
		i += more + 1;
	}
	return 1;
}

static void try_text(const char *text, size_t length)
{
	char *copy = exactly(text, length);

	promise(weft_ws_is_utf8(copy, length) == is_utf8((const unsigned char *) text, length), "a text is UTF-8 or not");
	free(copy);
}

/* Every character, and what is next to one. */
static void known_texts(void)
{
	for (uint32_t number = 0; number < 0x200000; number++) {
		const char text[] = {(char) (0xf0 | (number >> 18 & 7)), (char) (0x80 | (number >> 12 & 0x3f)),
			(char) (0x80 | (number >> 6 & 0x3f)), (char) (0x80 | (number & 0x3f))};

		try_text(text, 4);
		if (number < 0x10000) {
			const char shorter[] = {(char) (0xe0 | number >> 12), text[2], text[3]};
			const char pair[] = {(char) (number >> 8), (char) number, 'a'};

			try_text(shorter, 3);
			try_text(pair, 2);
			try_text(pair, 3);
		}
	}
}

/* --- the fuzzer --- */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	known_offers();
	known_messages();
	known_limits();
	known_texts();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *rest = (const char *) data + 2;

	if (size < 2) {
		return 0;
	}
	switch (data[0] % 3) {
		case 0: try_offers(rest, size - 2); break;
		case 1: try_message(rest, size - 2, data[1] & 1 ? MOST : data[1] * 16u); break;
		case 2:
			try_text(rest, size - 2);
			there_and_back(rest, size - 2, 1 + data[1] % 9);
			break;
	}
	weft_codec_trim();
	promise(weft_codec_memory() == 0, "all memory is given back");
	return 0;
}
