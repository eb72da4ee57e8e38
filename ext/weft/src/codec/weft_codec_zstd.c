/*
 * zstd (RFC 8878), by its own library.
 */
#include "codec/weft_codec_library.h"

#ifdef HAVE_WEFT_ZSTD

#include <zstd.h>

/* 128 KB for a compressor: with the 2 MB and more that levels bring along, each stream would hold several MB. */
#define WINDOW 17
/* 8 MB for a decompressor: what a sender of HTTP may ask for (RFC 9659). */
#define LARGEST_WINDOW 23

/* The public functions take no allocator, but tell what they have. */
typedef struct {
	union {
		ZSTD_CCtx *encoder;
		ZSTD_DCtx *decoder;
	};
	size_t counted;
	bool between; /* decompressing: a frame is over, or none has begun */
} zstd_state;

static zstd_state *zstd_new(void)
{
	zstd_state *state = weft_codec_alloc(sizeof(*state));

	if (state) {
		*state = (zstd_state){.between = true};
	}
	return state;
}

static void move_on(weft_codec_io *io, const ZSTD_inBuffer *in, const ZSTD_outBuffer *out)
{
	io->from += in->pos;
	io->left -= in->pos;
	io->to += out->pos;
	io->room -= out->pos;
}

/* --- compressing --- */

static void zstd_encoder_free(void *opaque)
{
	zstd_state *state = opaque;

	ZSTD_freeCCtx(state->encoder);
	weft_codec_count(&state->counted, 0);
	weft_codec_release(state);
}

static void *zstd_encoder_new(weft_coding coding, int level)
{
	zstd_state *state = zstd_new();

	if (!state) {
		return NULL;
	}
	state->encoder = ZSTD_createCCtx();
	if (!state->encoder) {
		weft_codec_release(state);
		return NULL;
	}
	ZSTD_CCtx_setParameter(state->encoder, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(state->encoder, ZSTD_c_windowLog, WINDOW);
	return state;
}

static bool zstd_encoder_begin(void *opaque, uint64_t size)
{
	zstd_state *state = opaque;

	ZSTD_CCtx_reset(state->encoder, ZSTD_reset_session_only);
	if (size != WEFT_CODEC_ANY_SIZE) {
		ZSTD_CCtx_setPledgedSrcSize(state->encoder, size);
	}
	return true;
}

static weft_codec_result zstd_encode(void *opaque, weft_codec_io *io, weft_codec_step step)
{
	static const ZSTD_EndDirective directives[] = {
		[WEFT_CODEC_GO_ON] = ZSTD_e_continue,
		[WEFT_CODEC_FLUSH] = ZSTD_e_flush,
		[WEFT_CODEC_FINISH] = ZSTD_e_end,
	};
	zstd_state *state = opaque;
	ZSTD_inBuffer in = {io->from, io->left, 0};
	ZSTD_outBuffer out = {io->to, io->room, 0};
	size_t left = ZSTD_compressStream2(state->encoder, &out, &in, directives[step]);

	weft_codec_count(&state->counted, ZSTD_sizeof_CCtx(state->encoder));
	move_on(io, &in, &out);
	if (ZSTD_isError(left)) {
		return WEFT_CODEC_BROKEN;
	}
	/* what is left when it may go on is what it keeps */
	return io->left > 0 || (step != WEFT_CODEC_GO_ON && left > 0) ? WEFT_CODEC_FULL : WEFT_CODEC_DONE;
}

/* --- decompressing --- */

static void zstd_decoder_free(void *opaque)
{
	zstd_state *state = opaque;

	ZSTD_freeDCtx(state->decoder);
	weft_codec_count(&state->counted, 0);
	weft_codec_release(state);
}

static void *zstd_decoder_new(weft_coding coding)
{
	zstd_state *state = zstd_new();

	if (!state) {
		return NULL;
	}
	state->decoder = ZSTD_createDCtx();
	if (!state->decoder) {
		weft_codec_release(state);
		return NULL;
	}
	ZSTD_DCtx_setParameter(state->decoder, ZSTD_d_windowLogMax, LARGEST_WINDOW);
	return state;
}

static weft_codec_result zstd_decode(void *opaque, weft_codec_io *io)
{
	zstd_state *state = opaque;
	bool full = false;

	while (io->left > 0 || (!state->between && !full)) {
		ZSTD_inBuffer in = {io->from, io->left, 0};
		ZSTD_outBuffer out = {io->to, io->room, 0};
		size_t wanted = ZSTD_decompressStream(state->decoder, &out, &in);

		weft_codec_count(&state->counted, ZSTD_sizeof_DCtx(state->decoder));
		if (ZSTD_isError(wanted)) {
			return WEFT_CODEC_BROKEN;
		}
		state->between = wanted == 0;
		move_on(io, &in, &out);
		full = io->room == 0;
		if (full || (in.pos == 0 && out.pos == 0)) {
			break;
		}
	}
	return full && (io->left > 0 || !state->between) ? WEFT_CODEC_FULL : WEFT_CODEC_DONE;
}

static bool zstd_is_complete(const void *state)
{
	return ((const zstd_state *) state)->between;
}

const weft_codec_library weft_codec_zstd = {
	.version = ZSTD_versionString,
	.least_level = 1,
	.most_level = 19,
	.encoder_new = zstd_encoder_new,
	.encoder_begin = zstd_encoder_begin,
	.encode = zstd_encode,
	.encoder_free = zstd_encoder_free,
	.encoder_serves_again = true,
	.decoder_new = zstd_decoder_new,
	.decode = zstd_decode,
	.is_complete = zstd_is_complete,
	.decoder_free = zstd_decoder_free,
};

#endif
