/*
 * One HTTP/1.x request out of a stream of bytes. Knows neither sockets nor PHP, so that it can be fuzzed alone.
 *
 * llhttp checks the grammar of the head. This room adds what llhttp 8 lets pass although it is ambiguous (bare CR or
 * LF, folded lines, more than one Host), the limits, the chunks of a body, and an HTTP status for everything that is
 * refused.
 *
 * The head is parsed in place: the caller keeps all bytes of it in one buffer and every span is an offset into
 * that buffer. Bodies go to a sink, piece by piece.
 */
#ifndef WEFT_PARSER_H
#define WEFT_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "llhttp.h"

/* More header lines than this never fit, whatever weft.http_max_header_count says. */
#define WEFT_PARSER_HEADERS_MAX 1000
/* Empty lines before a request line that are skipped, as RFC 9112 asks for robustness. */
#define WEFT_PARSER_BLANK_LINES_MAX 4

typedef struct {
	size_t max_request_line;
	size_t max_header_bytes;
	uint32_t max_header_count;
	uint32_t max_chunk_extensions; /* bytes of a body's */
	uint64_t max_body;             /* 0: none */
} weft_parser_limits;

typedef struct {
	uint32_t name, name_length;
	uint32_t value, value_length;
} weft_parser_header;

typedef enum {
	WEFT_PARSER_MORE, /* give more bytes */
	WEFT_PARSER_DONE, /* the head, or the body, is complete */
	WEFT_PARSER_ERROR /* status and message say why */
} weft_parser_result;

/* Takes a piece of the body. False when it can't be kept (no memory, disk full): 500 to the client, unless it has
 * called weft_parser_refuse(). */
typedef bool (*weft_parser_sink)(void *arg, const char *data, size_t length);

typedef enum {
	WEFT_HEADER_HOST,
	WEFT_HEADER_CONTENT_TYPE,
	WEFT_HEADER_CONTENT_LENGTH,
	WEFT_HEADER_COOKIE,
	WEFT_HEADER_AUTHORIZATION,
	WEFT_HEADER_EXPECT,
	WEFT_HEADER_TRANSFER_ENCODING,
	WEFT_HEADER_KNOWN /* how many */
} weft_parser_known;

/* What is due next of a chunked body. */
typedef enum {
	WEFT_CHUNK_SIZE,      /* its digits */
	WEFT_CHUNK_BLANK,     /* behind them, before an extension */
	WEFT_CHUNK_EXTENSION, /* to the end of the line */
	WEFT_CHUNK_SIZE_LF,
	WEFT_CHUNK_DATA,
	WEFT_CHUNK_DATA_CR,
	WEFT_CHUNK_DATA_LF,
	WEFT_CHUNK_TRAILER, /* or the end */
	WEFT_CHUNK_TRAILER_NAME,
	WEFT_CHUNK_TRAILER_VALUE,
	WEFT_CHUNK_TRAILER_LF,
	WEFT_CHUNK_LAST_LF,
	WEFT_CHUNK_END
} weft_parser_chunk_state;

typedef struct {
	llhttp_t llhttp;
	const weft_parser_limits *limits;
	weft_parser_sink sink;
	void *sink_arg;
	const char *base; /* the caller's buffer, valid during a call */

	/* the head */
	size_t start;   /* of the request line, past blank lines */
	size_t fed;     /* given to llhttp */
	size_t scanned; /* looked at for line ends */
	size_t line;    /* where the current line begins */
	uint32_t lines; /* complete ones, the request line included */
	uint32_t blank; /* skipped before the request line */
	uint32_t target, target_length;
	weft_parser_header *headers;
	uint32_t header_count, header_room;
	int32_t known[WEFT_HEADER_KNOWN]; /* index of the first such header, -1: none */
	uint8_t known_count[WEFT_HEADER_KNOWN];
	bool in_value;

	/* the body */
	bool chunked;
	bool out_of_memory;
	uint64_t content_length; /* declared; 0 without */
	uint64_t received;       /* body bytes so far */
	weft_parser_chunk_state chunk;
	uint32_t chunk_digits;     /* of the size so far */
	uint64_t chunk_left;       /* of its data */
	uint32_t chunk_extensions; /* bytes of all */
	uint32_t trailers;         /* lines */
	uint32_t trailer_bytes;

	/* what came out */
	bool keep_alive;
	bool expect_continue;
	bool connection_close, connection_keep_alive; /* as the client said */
	uint8_t major, minor;                         /* of HTTP's version; 1 and less than 2 come out of here */
	bool preface;                                 /* it is no request: HTTP/2 begins so */
	int status;
	char message[160];
} weft_parser;

void weft_parser_init(weft_parser *parser, const weft_parser_limits *limits, weft_parser_sink sink, void *arg);
/* The same for one that was emptied. */
void weft_parser_init_again(weft_parser *parser, const weft_parser_limits *limits, weft_parser_sink sink, void *arg);
void weft_parser_free(weft_parser *parser);
/* Keeps no more memory than most requests need. */
void weft_parser_empty(weft_parser *parser);

/* `data` begins where the request begins and holds all that came so far (the buffer may have moved). When
 * DONE, *consumed is the head's length. */
weft_parser_result weft_parser_head(weft_parser *parser, const char *data, size_t length, size_t *consumed);

/* Whether a body follows the head. */
bool weft_parser_has_body(const weft_parser *parser);
/* Takes body bytes; *consumed of them, all unless DONE. */
weft_parser_result weft_parser_body(weft_parser *parser, const char *data, size_t length, size_t *consumed);

/* Notes the answer that the request gets instead of being served. */
weft_parser_result weft_parser_refuse(weft_parser *parser, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Whether a byte of this request has come, blank lines aside. */
static inline bool weft_parser_begun(const weft_parser *parser, size_t length)
{
	return length > parser->start;
}

const char *weft_parser_method(const weft_parser *parser);

/* A well-formed token of RFC 9110 (header names, methods). */
bool weft_http_is_token(const char *text, size_t length);

#endif /* WEFT_PARSER_H */
