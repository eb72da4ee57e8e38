/*
 * Streams by their coding, the compressors that are kept, and the memory of all.
 */
#include "codec/weft_codec_library.h"

#include <stdlib.h>

/* Compressors of a coding that nobody uses: pages need one at a time, and streams are few. */
#define KEPT 4

struct weft_encoder {
	weft_coding coding;
	int level;
	void *state;
	weft_encoder *next; /* of those that are kept */
};

struct weft_decoder {
	weft_coding coding;
	void *state;
};

static const struct {
	const char *name, *package;
	const weft_codec_library *library;
} codings[WEFT_CODINGS_ALL] = {
	[WEFT_CODING_ZSTD] = {"zstd", "libzstd-dev",
#ifdef HAVE_WEFT_ZSTD
		&weft_codec_zstd
#endif
	},
	[WEFT_CODING_BR] = {"br", "libbrotli-dev",
#ifdef HAVE_WEFT_BROTLI
		&weft_codec_brotli
#endif
	},
	[WEFT_CODING_GZIP] = {"gzip", "zlib1g-dev",
#ifdef HAVE_WEFT_ZLIB
		&weft_codec_zlib
#endif
	},
	[WEFT_CODING_DEFLATE] = {"deflate", "zlib1g-dev",
#ifdef HAVE_WEFT_ZLIB
		&weft_codec_zlib
#endif
	},
};

static size_t in_use;
static weft_encoder *kept[WEFT_CODINGS_ALL];
static uint32_t kept_count[WEFT_CODINGS_ALL];

/* --- codings --- */

const char *weft_coding_name(weft_coding coding)
{
	return codings[coding].name;
}

const char *weft_coding_package(weft_coding coding)
{
	return codings[coding].package;
}

const char *weft_coding_version(weft_coding coding)
{
	return codings[coding].library ? codings[coding].library->version() : NULL;
}

void weft_coding_levels(weft_coding coding, int *least, int *most)
{
	*least = codings[coding].library->least_level;
	*most = codings[coding].library->most_level;
}

/* --- memory --- */

/* In front of what is given out, which stays aligned. */
typedef union {
	size_t size;
	max_align_t align;
} header;

void *weft_codec_alloc(size_t size)
{
	header *memory = size <= SIZE_MAX - sizeof(header) ? malloc(sizeof(header) + size) : NULL;

	if (!memory) {
		return NULL;
	}
	memory->size = size;
	in_use += size;
	return memory + 1;
}

void weft_codec_release(void *memory)
{
	header *start = memory;

	if (memory) {
		start--;
		in_use -= start->size;
		free(start);
	}
}

void weft_codec_count(size_t *counted, size_t now)
{
	in_use = in_use - *counted + now;
	*counted = now;
}

size_t weft_codec_memory(void)
{
	return in_use;
}

/* --- compressing --- */

static void encoder_destroy(weft_encoder *encoder)
{
	codings[encoder->coding].library->encoder_free(encoder->state);
	free(encoder);
}

static weft_encoder *take_kept(weft_coding coding)
{
	weft_encoder *encoder = kept[coding];

	if (encoder) {
		kept[coding] = encoder->next;
		kept_count[coding]--;
	}
	return encoder;
}

void weft_codec_trim(void)
{
	weft_encoder *encoder;

	for (weft_coding coding = 0; coding < WEFT_CODINGS_ALL; coding++) {
		while ((encoder = take_kept(coding)) != NULL) {
			encoder_destroy(encoder);
		}
	}
}

static weft_encoder *encoder_new(weft_coding coding, int level)
{
	weft_encoder *encoder = malloc(sizeof(*encoder));

	if (!encoder) {
		return NULL;
	}
	encoder->coding = coding;
	encoder->level = level;
	encoder->state = codings[coding].library->encoder_new(coding, level);
	if (!encoder->state) {
		free(encoder);
		return NULL;
	}
	return encoder;
}

weft_encoder *weft_encoder_begin(weft_coding coding, int level, uint64_t size)
{
	weft_encoder *encoder = take_kept(coding);

	if (encoder && encoder->level != level) {
		encoder_destroy(encoder);
		encoder = NULL;
	}
	encoder = encoder ? encoder : encoder_new(coding, level);
	if (encoder && !codings[coding].library->encoder_begin(encoder->state, size)) {
		encoder_destroy(encoder);
		encoder = NULL;
	}
	return encoder;
}

weft_codec_result weft_encoder_work(weft_encoder *encoder, weft_codec_io *io, weft_codec_step step)
{
	return codings[encoder->coding].library->encode(encoder->state, io, step);
}

void weft_encoder_free(weft_encoder *encoder)
{
	weft_coding coding = encoder->coding;

	if (!codings[coding].library->encoder_serves_again || kept_count[coding] == KEPT) {
		encoder_destroy(encoder);
		return;
	}
	encoder->next = kept[coding];
	kept[coding] = encoder;
	kept_count[coding]++;
}

/* --- decompressing --- */

weft_decoder *weft_decoder_begin(weft_coding coding)
{
	weft_decoder *decoder = malloc(sizeof(*decoder));

	if (!decoder) {
		return NULL;
	}
	decoder->coding = coding;
	decoder->state = codings[coding].library->decoder_new(coding);
	if (!decoder->state) {
		free(decoder);
		return NULL;
	}
	return decoder;
}

weft_codec_result weft_decoder_work(weft_decoder *decoder, weft_codec_io *io)
{
	return codings[decoder->coding].library->decode(decoder->state, io);
}

bool weft_decoder_is_complete(const weft_decoder *decoder)
{
	return codings[decoder->coding].library->is_complete(decoder->state);
}

void weft_decoder_free(weft_decoder *decoder)
{
	codings[decoder->coding].library->decoder_free(decoder->state);
	free(decoder);
}
