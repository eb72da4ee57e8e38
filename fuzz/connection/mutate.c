/*
 * Mutations that know HTTP/2's frames: bytes that are changed at random rarely are any more.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

#define HEAD 9
#define FRAMES 256
#define ROOM 65536

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

static unsigned state;

static unsigned dice(unsigned below)
{
	state = state * 1103515245 + 12345;
	return (state >> 8) % below;
}

typedef struct {
	uint8_t *at;
	size_t length;
} piece;

static size_t length_of(const uint8_t *frame)
{
	return (size_t) (frame[0] << 16 | frame[1] << 8 | frame[2]);
}

/* Cuts a stream into frames; the rest is the last. */
static unsigned cut(uint8_t *at, size_t left, piece *to)
{
	unsigned count = 0;

	while (left > 0 && count < FRAMES) {
		size_t length = left >= HEAD ? HEAD + length_of(at) : left;

		length = length < left ? length : left;
		to[count++] = (piece){at, length};
		at += length;
		left -= length;
	}
	return count;
}

static size_t put_string(uint8_t *to, const char *text)
{
	size_t length = strlen(text);

	to[0] = (uint8_t) length;
	memcpy(to + 1, text, length);
	return length + 1;
}

/* Literals that are not kept, but for some that are. */
static size_t put_field(uint8_t *to, const char *name, const char *value)
{
	size_t length = 0;

	to[length++] = dice(8) ? 0x00 : 0x40;
	length += put_string(to + length, name);
	return length + put_string(to + length, value);
}

static const char *one_of(const char *const *words, unsigned count)
{
	return words[dice(count)];
}

#define ONE_OF(...) one_of((const char *const[]){__VA_ARGS__}, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

static const char *const fields[][2] = {{"cookie", "a=b"}, {"content-length", "1"}, {"te", "trailers"},
	{"expect", "100-continue"}, {"host", "a"}, {"range", "bytes=0-4,6-7"}, {"priority", "u=1,i"},
	{"accept-encoding", "gzip, br;q=0"}, {"content-encoding", "gzip"}, {"content-encoding", "zstd"},
	{"x-forwarded-for", "1.2.3.4, 10.0.0.1"}, {"if-none-match", "*"}, {"Upper", "1"}, {"connection", "close"},
	{"if-modified-since", "Sun, 06 Nov 1994 08:49:37 GMT"}, {"traceparent", "00-1"}};

/* 3000 times the same letter. */
static const uint8_t coded[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1, 0x31, 0x01,
	0x00, 0x00, 0x00, 0xc2, 0xa0, 0xac, 0xeb, 0x5f, 0xc2, 0x1a, 0x1e, 0x40, 0x01, 0x00, 0x00, 0xef, 0x06, 0xc8, 0x3c,
	0xdc, 0x5e, 0xb8, 0x0b, 0x00, 0x00};

static size_t put_block(uint8_t *to, bool trailer)
{
	size_t length = 0;

	if (!trailer) {
		length += put_field(to + length, ":method", ONE_OF("GET", "POST", "HEAD", "PUT", "OPTIONS", "CONNECT"));
		length += put_field(to + length, ":scheme", ONE_OF("http", "https", "ftp"));
		length += put_field(to + length, ":path",
			ONE_OF("/", "/f", "/c", "/i", "/l?q", "/x?/kept/a.txt", "/s", "/a.txt", "*", "/%2e%2e/secret.php", "/g",
				"/u", ""));
		length += put_field(to + length, ":authority", ONE_OF("a", "a:80", "[::1]", "b@c"));
	}
	for (unsigned i = dice(4); i > 0; i--) {
		const char *const *pair = fields[dice(sizeof(fields) / sizeof(*fields))];

		length += put_field(to + length, pair[0], pair[1]);
	}
	return length;
}

static size_t put_data(uint8_t *to)
{
	size_t length = 0;

	if (dice(3) == 0) { /* what the decompressor wants */
		memcpy(to, coded, sizeof(coded));
		return sizeof(coded);
	}
	to[length++] = (uint8_t) dice(9); /* padding, perhaps */
	for (unsigned i = dice(4) ? dice(40) : dice(2000); i > 0; i--) {
		to[length++] = 'x';
	}
	return length;
}

static size_t put_headers(uint8_t *to, uint8_t flags)
{
	size_t length = (flags & 8 ? 1 : 0) + (flags & 32 ? 5 : 0);

	memset(to, 0, length);
	return length + put_block(to + length, dice(6) == 0);
}

static size_t put_settings(uint8_t *to)
{
	size_t length = 0;

	for (unsigned i = dice(4); i > 0; i--, length += 6) {
		uint8_t value = dice(2) ? 0 : (uint8_t) dice(256), large = dice(4) == 0;

		memcpy(to + length, (uint8_t[]){0, (uint8_t) dice(10), 0, large, value, 0}, 6);
	}
	return length;
}

/* WINDOW_UPDATE's, RST_STREAM's, or of a frame that nobody knows. */
static size_t put_number(uint8_t *to)
{
	memcpy(to, (uint8_t[]){0, 0, (uint8_t) dice(256), (uint8_t) dice(256)}, 4);
	return 4;
}

static size_t put_content(uint8_t *to, uint8_t type, uint8_t *flags)
{
	switch (type) {
		case 0: *flags &= dice(3) ? 1 : 9; return put_data(to);
		case 1: *flags = (uint8_t) (dice(8) ? 4 | dice(2) : dice(256)); return put_headers(to, *flags);
		case 2: memset(to, 0, 5); return 5;
		case 4: *flags &= 1; return *flags ? 0 : put_settings(to);
		case 6: memset(to, 1, 8); return 8;
		case 7: memset(to, 0, 8); return 8;
		case 9: return put_block(to, dice(2));
		case 16: memcpy(to, "\0\0\0\1u=1", 7); return 7;
		default: return put_number(to);
	}
}

static size_t put_frame(uint8_t *to)
{
	static const uint8_t types[] = {0, 0, 0, 1, 1, 1, 1, 2, 3, 4, 6, 7, 8, 8, 9, 16, 32, 5};
	uint8_t type = types[dice(sizeof(types))], flags = (uint8_t) dice(256);
	bool on_none = type == 4 || type == 6 || type == 7 || type == 16 || (type == 8 && dice(2));
	uint32_t stream = on_none ? 0 : dice(8) == 0 ? dice(40) : 2 * dice(8) + 1;
	size_t length = put_content(to + HEAD, type, &flags);

	memcpy(to, (uint8_t[]){0, (uint8_t) (length >> 8), (uint8_t) length, type, flags, 0, 0, 0, (uint8_t) stream}, HEAD);
	return HEAD + length;
}

static void change(piece *frame)
{
	if (frame->length < HEAD) {
		return;
	}
	switch (dice(5)) {
		case 0: frame->at[3] = (uint8_t) dice(17); break;
		case 1: frame->at[4] ^= (uint8_t) (1 << dice(8)); break;
		case 2: frame->at[8] = (uint8_t) dice(16); break;
		case 3:
			if (frame->length > HEAD) { /* and its length stays what it was */
				frame->at[HEAD + dice((unsigned) (frame->length - HEAD))] = (uint8_t) dice(256);
			}
			break;
		default: frame->at[2] = (uint8_t) (frame->at[2] + dice(5) - 2); break;
	}
}

static size_t put_all(uint8_t *to, size_t room, const piece *frames, unsigned count)
{
	size_t length = 0;

	for (unsigned i = 0; i < count && frames[i].length <= room - length; i++) {
		memcpy(to + length, frames[i].at, frames[i].length);
		length += frames[i].length;
	}
	return length;
}

static size_t mutate_frames(uint8_t *data, size_t size, size_t room)
{
	static uint8_t copy[ROOM], made[4096];
	static piece frames[FRAMES + 8];
	unsigned count, at, other;

	if (size > ROOM || room < CONTROL + sizeof(made)) {
		return size;
	}
	memcpy(copy, data + CONTROL, size - CONTROL);
	count = cut(copy, size - CONTROL, frames);
	at = dice(count + 1);
	other = count ? dice(count) : 0;
	switch (count ? dice(6) : 0) {
		case 1:
			memmove(frames + other, frames + other + 1, (count - other - 1) * sizeof(piece));
			count--;
			break;
		case 2:
			memmove(frames + at + 1, frames + at, (count - at) * sizeof(piece));
			frames[at] = frames[other < at ? other : other + 1];
			count++;
			break;
		case 3: {
			piece swapped = frames[other];

			at = at < count ? at : 0;
			frames[other] = frames[at];
			frames[at] = swapped;
			break;
		}
		case 4:
		case 5: change(&frames[other]); break;
		default:
			memmove(frames + at + 1, frames + at, (count - at) * sizeof(piece));
			frames[at] = (piece){made, put_frame(made)};
			count++;
	}
	return CONTROL + put_all(data + CONTROL, room - CONTROL, frames, count);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	state = seed;
	if (size >= CONTROL && getenv("WEFT_FUZZ_HTTP2") && dice(8)) {
		if (dice(6) == 0) {
			data[dice(CONTROL)] = (uint8_t) dice(256);
		}
		for (unsigned i = dice(4); i > 0; i--) {
			size = mutate_frames(data, size, room);
		}
		return mutate_frames(data, size, room);
	}
	return LLVMFuzzerMutate(data, size, room);
}
