/*
 * Feeds the decompressors with anything, in pieces of any size, the way a body arrives.
 *
 * The first input byte chooses the coding, the second the size of the pieces in and of the room for what comes out; the
 * rest is the stream. Besides what the sanitizers find, it aborts when a promise of weft_codec.h is broken: bytes
 * written beyond the room, a call that neither takes, makes nor ends anything, what comes out depending on how the
 * stream was cut, memory that is not given back. And what comes out is compressed, and must come back.
 */
#include "codec/weft_codec.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OUT (1 << 20)

static void promise(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "broken promise: %s\n", what);
		abort();
	}
}

/* What came out of a stream, for comparison. */
typedef struct {
	char *data;
	size_t length;
	int broken, complete;
} outcome;

static void keep(outcome *seen, const char *data, size_t length)
{
	memcpy(seen->data + seen->length, data, length);
	seen->length += length;
}

/* One piece. False: nothing more is wanted. */
static int feed(weft_decoder *decoder, const char *data, size_t length, size_t room, outcome *seen)
{
	/* exactly so large that reading or writing on is an error the sanitizer sees */
	char *from = malloc(length), *to = malloc(room);
	weft_codec_io io = {.from = from, .left = length};
	weft_codec_result result;
	int idle = 0;

	memcpy(from, data, length);
	do {
		size_t left = io.left;

		io.to = to;
		io.room = room;
		result = weft_decoder_work(decoder, &io);
		promise(io.room <= room && io.left <= left, "it moves on what it has used");
		idle = io.room == room && io.left == left ? idle + 1 : 0;
		promise(idle < 3, "each call gets somewhere");
		if (seen->length + room > MOST_OUT) {
			break;
		}
		keep(seen, to, room - io.room);
	} while (result == WEFT_CODEC_FULL);
	seen->broken = result == WEFT_CODEC_BROKEN || (result == WEFT_CODEC_END && io.left > 0);
	promise(result != WEFT_CODEC_DONE || io.left == 0, "what is done is taken");
	free(from);
	free(to);
	return result == WEFT_CODEC_DONE || (result == WEFT_CODEC_END && io.left == 0);
}

static outcome run(weft_coding coding, const char *stream, size_t length, size_t piece, size_t room)
{
	outcome seen = {.data = malloc(MOST_OUT)};
	weft_decoder *decoder = weft_decoder_begin(coding);

	promise(decoder != NULL, "there is memory");
	promise(weft_decoder_is_complete(decoder), "nothing is missing of nothing");
	while (length > 0) {
		size_t now = piece < length ? piece : length;

		if (!feed(decoder, stream, now, room, &seen)) {
			break;
		}
		stream += now;
		length -= now;
	}
	seen.complete = length == 0 && !seen.broken && weft_decoder_is_complete(decoder);
	weft_decoder_free(decoder);
	return seen;
}

static void there_and_back(weft_coding coding, const outcome *plain, size_t room)
{
	weft_encoder *encoder = weft_encoder_begin(coding, 1, WEFT_CODEC_ANY_SIZE);
	weft_codec_io io = {.from = plain->data, .left = plain->length / 2};
	weft_codec_step step = WEFT_CODEC_FLUSH;
	weft_codec_result result;
	size_t length = 0, most = 2 * plain->length + 1024;
	char *coded = malloc(most);
	outcome back;

	for (;;) {
		io.to = coded + length;
		io.room = room < most - length ? room : most - length;
		promise(io.room > 0, "nothing becomes twice as long");
		result = weft_encoder_work(encoder, &io, step);
		promise(result == WEFT_CODEC_DONE || result == WEFT_CODEC_FULL, "compressing does not fail");
		length = (size_t) (io.to - coded);
		if (result == WEFT_CODEC_DONE && step == WEFT_CODEC_FINISH) {
			break;
		}
		if (result == WEFT_CODEC_DONE) {
			step = WEFT_CODEC_FINISH;
			io.left = plain->length - plain->length / 2;
		}
	}
	weft_encoder_free(encoder);
	back = run(coding, coded, length, length, 4096);
	promise(back.complete || plain->length + 4096 > MOST_OUT, "what was compressed is a stream");
	promise(!back.complete || (back.length == plain->length && memcmp(back.data, plain->data, back.length) == 0),
		"what was compressed comes back");
	free(back.data);
	free(coded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	outcome whole, cut;
	weft_coding coding;

	if (size < 3 || size > 16384) {
		return 0;
	}
	coding = (weft_coding) (data[0] % WEFT_CODINGS_ALL);
	whole = run(coding, (const char *) data + 2, size - 2, size, 32768);
	cut = run(coding, (const char *) data + 2, size - 2, 1 + data[1] % 16, 16 + data[1]);
	if (whole.complete && cut.complete) {
		promise(whole.length == cut.length && memcmp(whole.data, cut.data, whole.length) == 0,
			"the same comes out, however the stream is cut");
		there_and_back(coding, &whole, 16 + data[1]);
	}
	if (whole.length < MOST_OUT / 2 && cut.length < MOST_OUT / 2) {
		promise(whole.complete == cut.complete, "it is as complete, however it is cut");
	}
	free(whole.data);
	free(cut.data);
	weft_codec_trim();
	promise(weft_codec_memory() == 0, "all memory is given back");
	return 0;
}
