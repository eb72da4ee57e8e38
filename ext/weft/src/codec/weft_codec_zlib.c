/*
 * gzip (RFC 1952), and the deflate (RFC 1951) of WebSocket messages, by zlib.
 */
#include "codec/weft_codec_library.h"

#ifdef HAVE_WEFT_ZLIB

#include <limits.h>
#include <zlib.h>

/* The largest window, 32 KB, and gzip's frame around the stream. */
#define GZIP_WINDOW (15 + 16)
/* Of zlib's own choice: with less, a compressor of 256 KB shrinks, and so does what it gains. */
#define GZIP_MEMORY_LEVEL 8
/* Without a frame, which zlib knows by the sign. */
#define DEFLATE_WINDOW (-WEFT_CODEC_DEFLATE_BITS)
#define DEFLATE_LARGEST_WINDOW (-15)
/* With the small window a compressor of 48 KB. */
#define DEFLATE_MEMORY_LEVEL 6
/* In z_stream's data_type: what came ends between two blocks. */
#define BETWEEN_BLOCKS 128

typedef struct {
	z_stream stream;
	bool bare;    /* deflate: without a frame */
	bool between; /* decompressing: a stream is over, or none has begun; of bare deflate a block */
} zlib_state;

static void *zlib_alloc(void *unused, unsigned items, unsigned size)
{
	return weft_codec_alloc((size_t) items * size);
}

static void zlib_release(void *unused, void *memory)
{
	weft_codec_release(memory);
}

static zlib_state *zlib_new(weft_coding coding)
{
	zlib_state *state = weft_codec_alloc(sizeof(*state));

	if (state) {
		*state = (zlib_state){.stream = {.zalloc = zlib_alloc, .zfree = zlib_release},
			.bare = coding == WEFT_CODING_DEFLATE,
			.between = true};
	}
	return state;
}

static void put_io(z_stream *stream, const weft_codec_io *io)
{
	stream->next_in = (z_const Bytef *) io->from;
	stream->avail_in = io->left < UINT_MAX ? (unsigned) io->left : UINT_MAX;
	stream->next_out = (Bytef *) io->to;
	stream->avail_out = io->room < UINT_MAX ? (unsigned) io->room : UINT_MAX;
}

static void take_io(const z_stream *stream, weft_codec_io *io)
{
	size_t used = (size_t) ((const char *) stream->next_in - io->from);
	size_t made = (size_t) ((char *) stream->next_out - io->to);

	io->from += used;
	io->left -= used;
	io->to += made;
	io->room -= made;
}

/* --- compressing --- */

static void *zlib_encoder_new(weft_coding coding, int level)
{
	zlib_state *state = zlib_new(coding);

	if (state &&
		deflateInit2(&state->stream, level, Z_DEFLATED, state->bare ? DEFLATE_WINDOW : GZIP_WINDOW,
			state->bare ? DEFLATE_MEMORY_LEVEL : GZIP_MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
		weft_codec_release(state);
		return NULL;
	}
	return state;
}

static bool zlib_encoder_begin(void *state, uint64_t size)
{
	return deflateReset(&((zlib_state *) state)->stream) == Z_OK;
}

static weft_codec_result zlib_encode(void *state, weft_codec_io *io, weft_codec_step step)
{
	static const int flush[] = {
		[WEFT_CODEC_GO_ON] = Z_NO_FLUSH,
		[WEFT_CODEC_FLUSH] = Z_SYNC_FLUSH,
		[WEFT_CODEC_FINISH] = Z_FINISH,
	};
	z_stream *stream = &((zlib_state *) state)->stream;
	int result;

	put_io(stream, io);
	result = deflate(stream, flush[step]);
	take_io(stream, io);
	if (result == Z_STREAM_ERROR) {
		return WEFT_CODEC_BROKEN;
	}
	if (step == WEFT_CODEC_FINISH) {
		return result == Z_STREAM_END ? WEFT_CODEC_DONE : WEFT_CODEC_FULL;
	}
	/* where the room was just enough, the next call does nothing and says so (Z_BUF_ERROR) */
	return io->left > 0 || (io->room == 0 && result != Z_BUF_ERROR) ? WEFT_CODEC_FULL : WEFT_CODEC_DONE;
}

static void zlib_encoder_free(void *state)
{
	deflateEnd(&((zlib_state *) state)->stream);
	weft_codec_release(state);
}

/* --- decompressing --- */

static void *zlib_decoder_new(weft_coding coding)
{
	zlib_state *state = zlib_new(coding);

	if (state && inflateInit2(&state->stream, state->bare ? DEFLATE_LARGEST_WINDOW : GZIP_WINDOW) != Z_OK) {
		weft_codec_release(state);
		return NULL;
	}
	return state;
}

static weft_codec_result zlib_decode(void *opaque, weft_codec_io *io)
{
	zlib_state *state = opaque;

	while (io->left > 0 || !state->between) {
		size_t left = io->left, room = io->room;
		int result;

		put_io(&state->stream, io);
		result = inflate(&state->stream, Z_NO_FLUSH);
		take_io(&state->stream, io);
		state->between = state->bare ? state->stream.data_type & BETWEEN_BLOCKS : state->between && io->left == left;
		if (result == Z_STREAM_END) {
			state->between = true;
			inflateReset(&state->stream);
		} else if (result != Z_OK && result != Z_BUF_ERROR) {
			return WEFT_CODEC_BROKEN;
		} else if (io->room == 0) {
			return WEFT_CODEC_FULL;
		} else if (io->left == left && io->room == room) {
			break;
		}
	}
	return WEFT_CODEC_DONE;
}

static bool zlib_is_complete(const void *state)
{
	return ((const zlib_state *) state)->between;
}

static void zlib_decoder_free(void *state)
{
	inflateEnd(&((zlib_state *) state)->stream);
	weft_codec_release(state);
}

const weft_codec_library weft_codec_zlib = {
	.version = zlibVersion,
	.least_level = 1,
	.most_level = 9,
	.encoder_new = zlib_encoder_new,
	.encoder_begin = zlib_encoder_begin,
	.encode = zlib_encode,
	.encoder_free = zlib_encoder_free,
	.encoder_serves_again = true,
	.decoder_new = zlib_decoder_new,
	.decode = zlib_decode,
	.is_complete = zlib_is_complete,
	.decoder_free = zlib_decoder_free,
};

#endif
