/*
 * Bodies that come compressed (Content-Encoding), by option: decompressed as they arrive, so that the application has
 * what was meant and no header says otherwise.
 *
 * What comes out is limited, not what comes in. A few bytes can stand for gigabytes, and to make those takes time that
 * others need: so post_max_size counts what comes out, and a body that becomes so many times longer than it is, as only
 * bombs do, is refused before that. The memory of all that are under way is limited, too.
 */
#include "http/weft_coding.h"
#include "http/weft_parser_internal.h"

/* What comes out at a time. */
#define PIECE 32768
/* So much may come out whatever came in: short bodies of one letter are no bombs. */
#define HARMLESS (1024 * 1024)

#define HEADER "content-encoding"

static char made[PIECE];

const char *weft_decompress_codings(const weft_http_server *server)
{
	static char list[32];
	const weft_codings *codings = &server->config.decompress;

	list[0] = '\0';
	for (uint32_t i = 0; i < codings->count; i++) {
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i > 0 ? ", " : "",
			weft_coding_name((weft_coding) codings->coding[i]));
	}
	return list;
}

/* --- the head --- */

static weft_coding coding_of(const weft_http_request *request, const char *value)
{
	const weft_codings *codings = &request->server->config.decompress;
	weft_coding coding = weft_coding_named(value, strlen(value));

	for (uint32_t i = 0; i < codings->count; i++) {
		if (codings->coding[i] == (uint8_t) coding) {
			return coding;
		}
	}
	return WEFT_CODING_NONE;
}

/* Neither its coding nor its length is what the application gets: as if the client had sent no such header. */
static void drop_header(weft_parser *parser, uint32_t index)
{
	parser->header_count--;
	memmove(&parser->headers[index], &parser->headers[index + 1],
		(parser->header_count - index) * sizeof(parser->headers[0]));
	for (int known = 0; known < WEFT_HEADER_KNOWN; known++) {
		if (parser->known[known] == (int32_t) index) {
			parser->known[known] = -1;
		} else if (parser->known[known] > (int32_t) index) {
			parser->known[known]--;
		}
	}
}

static void drop_length(weft_parser *parser)
{
	if (parser->known[WEFT_HEADER_CONTENT_LENGTH] >= 0) {
		drop_header(parser, (uint32_t) parser->known[WEFT_HEADER_CONTENT_LENGTH]);
	}
}

bool weft_decompress_begin(weft_http_request *request)
{
	weft_parser *parser = &request->parser;
	int64_t header;
	const char *value;
	weft_coding coding;

	if (request->server->config.decompress.count == 0 || (header = weft_request_find_header(request, HEADER, 0)) < 0) {
		return true;
	}
	value = request->head + parser->headers[header].value;
	if (strcasecmp(value, "identity") == 0) {
		return true;
	}
	coding = coding_of(request, value);
	if (coding == WEFT_CODING_NONE || weft_request_find_header(request, HEADER, (uint32_t) header + 1) >= 0) {
		weft_parser_refuse(parser, 415, "A body's Content-Encoding must be one of %s (weft.http_decompress).",
			weft_decompress_codings(request->server));
		return false;
	}
	if (weft_codec_memory() >= request->server->config.codec_memory ||
		!(request->decoder = weft_decoder_begin(coding))) {
		weft_parser_refuse(parser, 503, "Too many compressed bodies are incomplete now (weft.http_codec_memory).");
		return false;
	}
	drop_header(parser, (uint32_t) header);
	drop_length(parser);
	request->exchange->connection->decodes = true;
	return true;
}

/* --- the body --- */

/* So much has come out. False: that is too much. */
static bool keep_made(weft_http_request *request, size_t length)
{
	weft_parser *parser = &request->parser;
	uint64_t most = parser->limits->max_body, total = request->body_length + length;
	uint32_t ratio = request->server->config.decompress_ratio;

	if (most && total > most) {
		weft_parser_refuse(parser, 413, "The request body is longer than %llu bytes when decompressed (post_max_size).",
			(unsigned long long) most);
		return false;
	}
	if (ratio && total > HARMLESS && total / ratio > request->body_coded) {
		weft_parser_refuse(parser, 413,
			"The request body is more than %u times longer when decompressed (weft.http_decompress_ratio).", ratio);
		return false;
	}
	return weft_request_keep_body(request, made, length);
}

/* As a rule a stream's memory comes with its first bytes. */
static bool has_memory(weft_http_request *request, size_t before)
{
	size_t now = weft_codec_memory();

	if (now <= before || now <= request->server->config.codec_memory) {
		return true;
	}
	weft_parser_refuse(&request->parser, 503,
		"Compressed bodies need more memory than there is now (weft.http_codec_memory).");
	return false;
}

static bool is_no_stream(weft_http_request *request)
{
	weft_parser_refuse(&request->parser, 400, "The request body is not what its Content-Encoding says.");
	return false;
}

static bool decompress(weft_http_request *request, const char *data, size_t length)
{
	weft_codec_io io = {.from = data, .left = length};
	weft_codec_result result;

	request->body_coded += length;
	do {
		size_t before = weft_codec_memory();

		io.to = made;
		io.room = sizeof(made);
		result = weft_decoder_work(request->decoder, &io);
		if (result == WEFT_CODEC_BROKEN || (result == WEFT_CODEC_END && io.left > 0)) {
			return is_no_stream(request);
		}
		if (!has_memory(request, before) || !keep_made(request, sizeof(made) - io.room)) {
			return false;
		}
	} while (result == WEFT_CODEC_FULL);
	return true;
}

bool weft_request_take_body(void *arg, const char *data, size_t length)
{
	weft_http_request *request = arg;

	return EXPECTED(!request->decoder) ? weft_request_keep_body(request, data, length)
									   : decompress(request, data, length);
}

bool weft_decompress_end(weft_http_request *request)
{
	bool complete = !request->decoder || weft_decoder_is_complete(request->decoder);

	weft_decompress_free(request);
	if (!complete) {
		weft_parser_refuse(&request->parser, 400, "The end of the compressed request body is missing.");
	}
	return complete;
}
