/*
 * brotli (RFC 7932), by Google's library.
 */
#include "codec/weft_codec_library.h"

#ifdef HAVE_WEFT_BROTLI

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <stdio.h>

/* 256 KB: more than nearly every page has, and the library's own 4 MB would be memory for each stream. */
#define WINDOW 18

static void *brotli_alloc(void *unused, size_t size)
{
	return weft_codec_alloc(size);
}

static void brotli_release(void *unused, void *memory)
{
	weft_codec_release(memory);
}

static const char *brotli_version(void)
{
	static char text[24];
	uint32_t version = BrotliEncoderVersion();

	snprintf(text, sizeof(text), "%u.%u.%u", version >> 24, version >> 12 & 0xfff, version & 0xfff);
	return text;
}

/* --- compressing --- */

static void *brotli_encoder_new(weft_coding coding, int level)
{
	BrotliEncoderState *state = BrotliEncoderCreateInstance(brotli_alloc, brotli_release, NULL);

	if (state) {
		BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, (uint32_t) level);
		BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, WINDOW);
	}
	return state;
}

static bool brotli_encoder_begin(void *state, uint64_t size)
{
	if (size <= UINT32_MAX) {
		BrotliEncoderSetParameter(state, BROTLI_PARAM_SIZE_HINT, (uint32_t) size);
	}
	return true;
}

static weft_codec_result brotli_encode(void *state, weft_codec_io *io, weft_codec_step step)
{
	static const BrotliEncoderOperation operations[] = {
		[WEFT_CODEC_GO_ON] = BROTLI_OPERATION_PROCESS,
		[WEFT_CODEC_FLUSH] = BROTLI_OPERATION_FLUSH,
		[WEFT_CODEC_FINISH] = BROTLI_OPERATION_FINISH,
	};

	if (!BrotliEncoderCompressStream(state, operations[step], &io->left, (const uint8_t **) &io->from, &io->room,
			(uint8_t **) &io->to, NULL)) {
		return WEFT_CODEC_BROKEN;
	}
	return io->left > 0 || BrotliEncoderHasMoreOutput(state) ? WEFT_CODEC_FULL : WEFT_CODEC_DONE;
}

static void brotli_encoder_free(void *state)
{
	BrotliEncoderDestroyInstance(state);
}

/* --- decompressing --- */

static void *brotli_decoder_new(weft_coding coding)
{
	return BrotliDecoderCreateInstance(brotli_alloc, brotli_release, NULL);
}

static weft_codec_result brotli_decode(void *state, weft_codec_io *io)
{
	switch (BrotliDecoderDecompressStream(state, &io->left, (const uint8_t **) &io->from, &io->room,
		(uint8_t **) &io->to, NULL)) {
		case BROTLI_DECODER_RESULT_SUCCESS: return WEFT_CODEC_END;
		case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
			/* it says so, too, when all came in, and not all fitted out */
			return BrotliDecoderHasMoreOutput(state) ? WEFT_CODEC_FULL : WEFT_CODEC_DONE;
		case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return WEFT_CODEC_FULL;
		default: return WEFT_CODEC_BROKEN;
	}
}

static bool brotli_is_complete(const void *state)
{
	return BrotliDecoderIsFinished(state) || !BrotliDecoderIsUsed(state);
}

static void brotli_decoder_free(void *state)
{
	BrotliDecoderDestroyInstance(state);
}

const weft_codec_library weft_codec_brotli = {
	.version = brotli_version,
	.least_level = BROTLI_MIN_QUALITY,
	.most_level = BROTLI_MAX_QUALITY,
	.encoder_new = brotli_encoder_new,
	.encoder_begin = brotli_encoder_begin,
	.encode = brotli_encode,
	.encoder_free = brotli_encoder_free,
	.encoder_serves_again = false,
	.decoder_new = brotli_decoder_new,
	.decode = brotli_decode,
	.is_complete = brotli_is_complete,
	.decoder_free = brotli_decoder_free,
};

#endif
