/*
 * Streams of zstd, brotli, gzip and bare deflate: bytes go in piece by piece, and come out into room that the caller
 * has. Knows no HTTP and no PHP value. What a library was missing for when this was built does not exist here.
 *
 * One stream is begun, worked on until its end, and freed. Freed compressors are kept for the next stream, a few of
 * each kind: to make one costs as much as a small page. Memory is malloc()ed, and counted.
 */
#ifndef WEFT_CODEC_H
#define WEFT_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The one that makes files shortest comes first. */
typedef enum {
	WEFT_CODING_BR,
	WEFT_CODING_ZSTD,
	WEFT_CODING_GZIP,
	WEFT_CODINGS,                       /* how many HTTP has */
	WEFT_CODING_DEFLATE = WEFT_CODINGS, /* RFC 1951 without a frame: WebSocket's */
	WEFT_CODINGS_ALL,
	WEFT_CODING_NONE = -1
} weft_coding;

/* What deflate is made with: a window of 4 KB. Twice as much for each bit more, and of messages, which are short, a few
 * percent less. A decompressor knows the largest, 15. */
#define WEFT_CODEC_DEFLATE_BITS 12

/* As HTTP and the directives call it: "br". */
const char *weft_coding_name(weft_coding coding);
/* What a package that brings its library's headers is called: "libbrotli-dev". */
const char *weft_coding_package(weft_coding coding);
/* Of its library; NULL: that was missing when this was built. */
const char *weft_coding_version(weft_coding coding);
static inline bool weft_coding_is_there(weft_coding coding)
{
	return weft_coding_version(coding) != NULL;
}

/* What comes in and where it goes; each call moves on what it has used. */
typedef struct {
	const char *from;
	size_t left;
	char *to;
	size_t room;
} weft_codec_io;

typedef enum {
	WEFT_CODEC_DONE,  /* all that came in is taken, and what was asked for is done */
	WEFT_CODEC_FULL,  /* there is no more room: call again with some */
	WEFT_CODEC_END,   /* decompressing: the stream is over, and what is left is behind it */
	WEFT_CODEC_BROKEN /* decompressing: that is no such stream. Compressing: there is no memory */
} weft_codec_result;

typedef enum {
	WEFT_CODEC_GO_ON, /* more will come: keeps what it likes */
	WEFT_CODEC_FLUSH, /* all that came so far can be read by the other side */
	WEFT_CODEC_FINISH /* that was all */
} weft_codec_step;

/* --- compressing --- */

typedef struct weft_encoder weft_encoder;

/* How much will come is not known. */
#define WEFT_CODEC_ANY_SIZE UINT64_MAX

/* The levels that there are. */
void weft_coding_levels(weft_coding coding, int *least, int *most);
/* `size` is what will come in; that may be a guess for what there is memory for. NULL: there is no memory. */
weft_encoder *weft_encoder_begin(weft_coding coding, int level, uint64_t size);
weft_codec_result weft_encoder_work(weft_encoder *encoder, weft_codec_io *io, weft_codec_step step);
/* At its end or before it. */
void weft_encoder_free(weft_encoder *encoder);

/* --- decompressing --- */

typedef struct weft_decoder weft_decoder;

/* NULL: there is no memory. */
weft_decoder *weft_decoder_begin(weft_coding coding);
/* gzip, deflate and zstd may consist of several streams, one after another: no END, as long as another may begin. */
weft_codec_result weft_decoder_work(weft_decoder *decoder, weft_codec_io *io);
/* Whether nothing is missing behind what came so far; of deflate, whether that ends between two of its blocks. */
bool weft_decoder_is_complete(const weft_decoder *decoder);
void weft_decoder_free(weft_decoder *decoder);

/* --- memory --- */

/* Bytes that all streams have, those that are kept included. */
size_t weft_codec_memory(void);
/* Frees what is kept. */
void weft_codec_trim(void);

#endif /* WEFT_CODEC_H */
