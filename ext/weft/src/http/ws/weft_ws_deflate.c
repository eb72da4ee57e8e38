/*
 * Messages, compressed and plain. Each is worked on in one go, when all of it is there: a client that sends a message
 * slowly costs what has come of it, and no decompressor.
 */
#include "http/ws/weft_ws_deflate.h"
#include "codec/weft_codec.h"

#include <stdlib.h>
#include <string.h>

/* A flush ends in an empty block of these bytes, which is left out on the wire (RFC 7692, 7.2.1). */
#define TAIL "\x00\x00\xff\xff"
#define TAIL_LENGTH (sizeof(TAIL) - 1)
/* What most texts become, and of a short one no less than so much. */
#define USUAL_RATIO 4
#define LEAST_ROOM 512

bool weft_ws_deflate_fits(uint8_t bits, size_t length)
{
	return bits >= WEFT_CODEC_DEFLATE_BITS || (bits > 0 && length <= (size_t) 1 << bits);
}

/* --- compressing --- */

/* Into as much room as the message has plain: what does not fit gains nothing. */
static bool compress(const char *plain, size_t length, int level, char *to, size_t *made)
{
	weft_codec_io io = {plain, length, to, length};
	weft_encoder *encoder = weft_encoder_begin(WEFT_CODING_DEFLATE, level, length);
	weft_codec_result result;

	if (!encoder) {
		return false;
	}
	result = weft_encoder_work(encoder, &io, WEFT_CODEC_FLUSH);
	weft_encoder_free(encoder);
	*made = length - io.room - TAIL_LENGTH;
	return result == WEFT_CODEC_DONE;
}

char *weft_ws_deflate(const char *plain, size_t length, int level, size_t before, size_t *made)
{
	char *memory, *shorter;

	if (length <= TAIL_LENGTH || length > SIZE_MAX - before || !(memory = malloc(before + length))) {
		return NULL;
	}
	if (!compress(plain, length, level, memory + before, made)) {
		free(memory);
		return NULL;
	}
	shorter = realloc(memory, before + *made);
	return shorter ? shorter : memory;
}

/* --- decompressing --- */

typedef struct {
	char *data;
	size_t length, room, most;
} output;

/* One byte more than may come out: when that is used, there was too much. */
static bool grow(output *out)
{
	size_t room = out->room > out->most / 2 ? out->most + 1 : out->room * 2;
	char *data = realloc(out->data, room);

	if (data) {
		out->data = data;
		out->room = room;
	}
	return data != NULL;
}

static weft_ws_inflated inflate_piece(weft_decoder *decoder, const char *data, size_t length, output *out)
{
	weft_codec_io io = {.from = data, .left = length};
	weft_codec_result result;

	do {
		if (out->length == out->room && !grow(out)) {
			return WEFT_WS_INFLATED_NO_MEMORY;
		}
		io.to = out->data + out->length;
		io.room = out->room - out->length;
		result = weft_decoder_work(decoder, &io);
		out->length = out->room - io.room;
		if (out->length > out->most) {
			return WEFT_WS_INFLATED_TOO_LONG;
		}
	} while (result == WEFT_CODEC_FULL);
	return result == WEFT_CODEC_DONE ? WEFT_WS_INFLATED : WEFT_WS_INFLATED_BROKEN;
}

static weft_ws_inflated inflate_all(weft_decoder *decoder, const char *data, size_t length, output *out)
{
	weft_ws_inflated result;

	if (length == 0) {
		return WEFT_WS_INFLATED; /* not even an empty block: zlib flushes nothing twice */
	}
	result = inflate_piece(decoder, data, length, out);
	if (result == WEFT_WS_INFLATED) {
		result = inflate_piece(decoder, TAIL, TAIL_LENGTH, out);
	}
	/* else the tail was taken for something that the message lacks */
	return result != WEFT_WS_INFLATED || weft_decoder_is_complete(decoder) ? result : WEFT_WS_INFLATED_BROKEN;
}

static size_t first_room(size_t length, size_t most)
{
	size_t likely = length < most / USUAL_RATIO ? length * USUAL_RATIO : most;

	likely = likely < LEAST_ROOM ? LEAST_ROOM : likely;
	return likely < most ? likely : most + 1;
}

weft_ws_inflated weft_ws_inflate(const char *data, size_t length, size_t most, char **plain, size_t *made)
{
	output out = {.most = most, .room = first_room(length, most)};
	weft_decoder *decoder = weft_decoder_begin(WEFT_CODING_DEFLATE);
	weft_ws_inflated result = WEFT_WS_INFLATED_NO_MEMORY;

	*plain = NULL;
	*made = 0;
	if (decoder && (out.data = malloc(out.room)) != NULL) {
		result = inflate_all(decoder, data, length, &out);
	}
	if (decoder) {
		weft_decoder_free(decoder);
	}
	if (result != WEFT_WS_INFLATED) {
		free(out.data);
		return result;
	}
	*plain = realloc(out.data, out.length > 0 ? out.length : 1);
	*plain = *plain ? *plain : out.data;
	*made = out.length;
	return result;
}
