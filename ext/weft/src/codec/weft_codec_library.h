/*
 * What weft_codec.c asks of each library.
 */
#ifndef WEFT_CODEC_LIBRARY_H
#define WEFT_CODEC_LIBRARY_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "codec/weft_codec.h"

typedef struct {
	const char *(*version)(void);
	int least_level, most_level;

	/* NULL: there is no memory */
	void *(*encoder_new)(weft_coding coding, int level);
	/* Before each stream. False: there is no memory. */
	bool (*encoder_begin)(void *state, uint64_t size);
	weft_codec_result (*encode)(void *state, weft_codec_io *io, weft_codec_step step);
	void (*encoder_free)(void *state);
	bool encoder_serves_again; /* after a stream */

	void *(*decoder_new)(weft_coding coding);
	weft_codec_result (*decode)(void *state, weft_codec_io *io);
	bool (*is_complete)(const void *state);
	void (*decoder_free)(void *state);
} weft_codec_library;

#ifdef HAVE_WEFT_ZSTD
extern const weft_codec_library weft_codec_zstd;
#endif
#ifdef HAVE_WEFT_BROTLI
extern const weft_codec_library weft_codec_brotli;
#endif
#ifdef HAVE_WEFT_ZLIB
extern const weft_codec_library weft_codec_zlib; /* two codings */
#endif

/* Memory that counts: for libraries that take an allocator. */
void *weft_codec_alloc(size_t size);
void weft_codec_release(void *memory);
/* For the others: so much more than `counted` before. */
void weft_codec_count(size_t *counted, size_t now);

#endif /* WEFT_CODEC_LIBRARY_H */
