/*
 * The chunks of a body (RFC 9112, 7.1): sizes, data, and what else may stand there.
 *
 * Extensions and trailers are read and dropped. Nobody here knows any extension, and PHP has no place for what comes
 * behind a body: so a trailer can't pass for a header, whatever its name. Of both it is seen to that they are what they
 * should be, since a line that ends differently for somebody in front of us begins another request.
 *
 * Bytes are taken one by one: a line may be cut anywhere, and nothing of it is kept.
 */
#include "weft_hex.h"
#include "weft_parser_internal.h"

/* Of a size: those that count are 16 at most, and zeros before them say nothing. */
#define DIGITS_MAX 64

/* May stand in a header's value and in an extension (RFC 9110, 5.5). */
static bool is_text(char c)
{
	return (unsigned char) c >= ' ' ? c != 127 : c == '\t';
}

static weft_parser_result refuse_size(weft_parser *parser)
{
	return weft_parser_refuse(parser, 400, "A chunk does not begin with its size in hexadecimal digits.");
}

static weft_parser_result refuse_line_end(weft_parser *parser)
{
	return weft_parser_refuse(parser, 400, "A line of the chunked body does not end in CR LF.");
}

/* What was announced counts: no need to receive what will be refused. */
static bool is_too_long(const weft_parser *parser)
{
	uint64_t most = parser->limits->max_body;

	return most && (parser->received > most || parser->chunk_left > most - parser->received);
}

static weft_parser_result size_digit(weft_parser *parser, int value)
{
	if (++parser->chunk_digits > DIGITS_MAX || parser->chunk_left > UINT64_MAX >> 4) {
		return weft_parser_refuse(parser, 400, "A chunk's size is no number that a size can have.");
	}
	parser->chunk_left = parser->chunk_left << 4 | (uint64_t) value;
	return WEFT_PARSER_MORE;
}

/* Once all digits are there: a number that overflows is malformed (400), however small the limit. */
static weft_parser_result check_size(weft_parser *parser)
{
	return is_too_long(parser)
		? weft_parser_refuse(parser, 413, "The request body is longer than %llu bytes (post_max_size).",
			  (unsigned long long) parser->limits->max_body)
		: WEFT_PARSER_MORE;
}

static weft_parser_result extension_byte(weft_parser *parser, char c)
{
	if (!is_text(c)) {
		return c == '\n' ? refuse_line_end(parser)
						 : weft_parser_refuse(parser, 400, "A chunk's extension contains a control character.");
	}
	if (++parser->chunk_extensions > parser->limits->max_chunk_extensions) {
		return weft_parser_refuse(parser, 400,
			"The body's chunk extensions are longer than %u bytes (weft.http_max_chunk_extensions).",
			parser->limits->max_chunk_extensions);
	}
	return WEFT_PARSER_MORE;
}

/* The line before a chunk's data. */
static weft_parser_result size_line(weft_parser *parser, char c)
{
	int value;

	if (parser->chunk == WEFT_CHUNK_SIZE_LF) {
		parser->chunk_digits = 0;
		parser->chunk = parser->chunk_left ? WEFT_CHUNK_DATA : WEFT_CHUNK_TRAILER;
		return c == '\n' ? WEFT_PARSER_MORE : refuse_line_end(parser);
	}
	if (parser->chunk == WEFT_CHUNK_SIZE && (value = weft_hex_digit(c)) >= 0) {
		return size_digit(parser, value);
	}
	if (parser->chunk_digits == 0) {
		return refuse_size(parser);
	}
	if (parser->chunk == WEFT_CHUNK_SIZE && check_size(parser) == WEFT_PARSER_ERROR) {
		return WEFT_PARSER_ERROR;
	}
	/* blanks stand before an extension, not at the end of the line */
	if (c == '\r' && parser->chunk != WEFT_CHUNK_BLANK) {
		parser->chunk = WEFT_CHUNK_SIZE_LF;
		return WEFT_PARSER_MORE;
	}
	if (parser->chunk != WEFT_CHUNK_EXTENSION) {
		if (c != ';' && !is_blank(c)) {
			return c == '\n' ? refuse_line_end(parser) : refuse_size(parser);
		}
		parser->chunk = c == ';' ? WEFT_CHUNK_EXTENSION : WEFT_CHUNK_BLANK;
	}
	return extension_byte(parser, c);
}

static weft_parser_result trailer_name(weft_parser *parser, char c)
{
	if (c == ':') {
		parser->chunk = WEFT_CHUNK_TRAILER_VALUE;
	} else if (!weft_http_is_token_char((unsigned char) c)) {
		return weft_parser_refuse(parser, 400, "A trailer is not \"name: value\".");
	}
	return WEFT_PARSER_MORE;
}

static weft_parser_result trailer_begins(weft_parser *parser, char c)
{
	if (++parser->trailers > parser->limits->max_header_count) {
		return weft_parser_refuse(parser, 431, "The body has more than %u trailers (weft.http_max_header_count).",
			parser->limits->max_header_count);
	}
	if (c == ':') {
		return weft_parser_refuse(parser, 400, "A trailer has no name.");
	}
	parser->chunk = WEFT_CHUNK_TRAILER_NAME;
	return trailer_name(parser, c);
}

static weft_parser_result trailer_value(weft_parser *parser, char c)
{
	if (c == '\r') {
		parser->chunk = WEFT_CHUNK_TRAILER_LF;
	} else if (!is_text(c)) {
		return c == '\n' ? refuse_line_end(parser)
						 : weft_parser_refuse(parser, 400, "A trailer contains a control character.");
	}
	return WEFT_PARSER_MORE;
}

/* What follows the last chunk. */
static weft_parser_result trailer_byte(weft_parser *parser, char c)
{
	if (++parser->trailer_bytes > parser->limits->max_header_bytes) {
		return weft_parser_refuse(parser, 431,
			"The body's trailers are longer than %zu bytes (weft.http_max_header_bytes).",
			parser->limits->max_header_bytes);
	}
	switch (parser->chunk) {
		case WEFT_CHUNK_TRAILER:
			if (c == '\r') {
				parser->chunk = WEFT_CHUNK_LAST_LF;
				return WEFT_PARSER_MORE;
			}
			return trailer_begins(parser, c);
		case WEFT_CHUNK_TRAILER_NAME: return trailer_name(parser, c);
		case WEFT_CHUNK_TRAILER_VALUE: return trailer_value(parser, c);
		default: /* CR has come */
			parser->chunk = parser->chunk == WEFT_CHUNK_LAST_LF ? WEFT_CHUNK_END : WEFT_CHUNK_TRAILER;
			return c == '\n' ? WEFT_PARSER_MORE : refuse_line_end(parser);
	}
}

/* Behind a chunk's data. */
static weft_parser_result data_end(weft_parser *parser, char c)
{
	char due = parser->chunk == WEFT_CHUNK_DATA_CR ? '\r' : '\n';

	parser->chunk = parser->chunk == WEFT_CHUNK_DATA_CR ? WEFT_CHUNK_DATA_LF : WEFT_CHUNK_SIZE;
	return c == due ? WEFT_PARSER_MORE
					: weft_parser_refuse(parser, 400, "A chunk's data is not as long as its size says.");
}

static weft_parser_result framing_byte(weft_parser *parser, char c)
{
	switch (parser->chunk) {
		case WEFT_CHUNK_SIZE:
		case WEFT_CHUNK_BLANK:
		case WEFT_CHUNK_EXTENSION:
		case WEFT_CHUNK_SIZE_LF: return size_line(parser, c);
		case WEFT_CHUNK_DATA_CR:
		case WEFT_CHUNK_DATA_LF: return data_end(parser, c);
		default: return trailer_byte(parser, c);
	}
}

static weft_parser_result chunk_data(weft_parser *parser, const char *data, size_t length)
{
	parser->chunk_left -= length;
	if (parser->chunk_left == 0) {
		parser->chunk = WEFT_CHUNK_DATA_CR;
	}
	return weft_parser_keep(parser, data, length);
}

weft_parser_result weft_parser_chunks(weft_parser *parser, const char *data, size_t length, size_t *consumed)
{
	size_t at = 0;

	while (at < length && parser->chunk != WEFT_CHUNK_END) {
		size_t step = 1;
		weft_parser_result result;

		if (parser->chunk == WEFT_CHUNK_DATA) {
			step = parser->chunk_left < length - at ? (size_t) parser->chunk_left : length - at;
			result = chunk_data(parser, data + at, step);
		} else {
			result = framing_byte(parser, data[at]);
		}
		if (result == WEFT_PARSER_ERROR) {
			return WEFT_PARSER_ERROR;
		}
		at += step;
	}
	*consumed = at;
	return parser->chunk == WEFT_CHUNK_END ? WEFT_PARSER_DONE : WEFT_PARSER_MORE;
}
