/*
 * Feeds the parser of HTTP requests with anything, in pieces of any size, the way a connection does.
 *
 * The first input byte chooses the size of the pieces; the rest is the stream. Besides what the sanitizers find,
 * it aborts when the parser breaks a promise: spans outside the head, more body than declared or allowed, a
 * refusal without status, or a result that depends on how the stream was cut.
 */
#include "weft_parser.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUESTS_MAX 16

static const weft_parser_limits limits = {.max_request_line = 256,
	.max_header_bytes = 1024,
	.max_header_count = 20,
	.max_chunk_extensions = 100,
	.max_body = 4096};

static void promise(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "broken promise: %s\n", what);
		abort();
	}
}

/* What came out of a stream, for comparison. */
typedef struct {
	int requests;
	int status;
	uint64_t body;
	uint32_t hash;
} outcome;

static bool take(void *arg, const char *data, size_t length)
{
	outcome *seen = arg;

	for (size_t i = 0; i < length; i++) {
		seen->hash = seen->hash * 31 + (unsigned char) data[i];
	}
	seen->body += length;
	return true;
}

static void check_head(const weft_parser *parser, const char *head, size_t length, outcome *seen)
{
	promise(parser->target + parser->target_length <= length, "the target lies in the head");
	take(seen, head + parser->target, parser->target_length);
	promise(parser->header_count <= limits.max_header_count, "the header limit holds");
	for (uint32_t i = 0; i < parser->header_count; i++) {
		const weft_parser_header *header = &parser->headers[i];
		promise(header->name_length > 0 && header->name + header->name_length <= length, "names lie in the head");
		promise(header->value_length == 0 || header->value + header->value_length < length, "values lie in the head");
		promise(weft_http_is_token(head + header->name, header->name_length), "names are tokens");
		promise(!memchr(head + header->value, '\n', header->value_length), "no value holds a line end");
		take(seen, head + header->name, header->name_length);
		take(seen, head + header->value, header->value_length);
	}
	seen->body = 0;
}

/* Returns how many bytes of the stream the request had, 0 when it is not complete or refused. */
static size_t one_request(const char *stream, size_t length, size_t piece, outcome *seen)
{
	weft_parser parser;
	weft_parser_result result = WEFT_PARSER_MORE;
	size_t given = 0, used = 0, at;

	weft_parser_init(&parser, &limits, take, seen);
	while (result == WEFT_PARSER_MORE && given < length) {
		given = given + piece < length ? given + piece : length;
		/* exactly so large that reading on is an error the sanitizer sees, and somewhere else each time */
		char *copy = malloc(given);
		memcpy(copy, stream, given);
		result = weft_parser_head(&parser, copy, given, &used);
		if (result == WEFT_PARSER_DONE) {
			check_head(&parser, copy, used, seen);
		}
		free(copy);
	}
	at = used;
	if (result == WEFT_PARSER_DONE && weft_parser_has_body(&parser)) {
		result = WEFT_PARSER_MORE;
		while (result == WEFT_PARSER_MORE && at < length) {
			size_t now = piece < length - at ? piece : length - at;
			result = weft_parser_body(&parser, stream + at, now, &used);
			at += used;
			promise(result != WEFT_PARSER_MORE || used == now, "all is consumed until the end");
		}
		if (result == WEFT_PARSER_DONE && !parser.chunked) {
			promise(seen->body == parser.content_length, "the body has the declared length");
		}
		promise(seen->body <= limits.max_body, "the body limit holds");
	}
	if (result == WEFT_PARSER_ERROR) {
		promise(parser.status >= 400 && parser.message[0], "a refusal has status and reason");
		seen->status = parser.status;
	}
	seen->requests += result == WEFT_PARSER_DONE;
	weft_parser_free(&parser);
	return result == WEFT_PARSER_DONE ? at : 0;
}

static outcome run(const char *stream, size_t length, size_t piece)
{
	outcome seen = {0};
	size_t used;

	while (length > 0 && seen.requests < REQUESTS_MAX && (used = one_request(stream, length, piece, &seen)) > 0) {
		stream += used;
		length -= used;
	}
	return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	outcome whole, cut;

	if (size < 2 || size > 16384) {
		return 0;
	}
	whole = run((const char *) data + 1, size - 1, size);
	cut = run((const char *) data + 1, size - 1, 1 + data[0] % 64);
	promise(whole.requests == cut.requests, "as many requests, however the stream is cut");
	promise(whole.requests >= REQUESTS_MAX || whole.status == 0 || cut.status != 0,
		"what is refused whole is refused in pieces");
	promise(whole.status != 0 || cut.status != 0 || whole.hash == cut.hash, "the same request, however it is cut");
	return 0;
}
