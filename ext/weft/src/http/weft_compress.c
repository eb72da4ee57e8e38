/*
 * Answers that are compressed. Whether one is, is decided when its head is about to leave: by what the client takes,
 * what the application says, and how much there is.
 *
 * A page that is whole by then is compressed at once, and its length is known. Anything longer is a stream: its
 * compressor lives until the request has said all of it, never until the client has taken that. To compress 64 KB takes
 * about a millisecond, so between such pieces others get their turn.
 */
#include "http/weft_coding.h"
#include "http/weft_sending.h"
#include "reactor/weft_log.h"

#include "SAPI.h"

/* Room for what comes out at a time: a chunk of a stream. */
#define PIECE 32768

static char made[PIECE];

bool weft_compress_set(weft_http_request *request, const char *value)
{
	bool off = strcasecmp(value, "off") == 0;

	if (!off && strcasecmp(value, "on") != 0) {
		return false;
	}
	request->response.compression.off = off;
	return true;
}

/* --- whether --- */

/* How much there is to send, as far as is known. */
static uint64_t size_of(const weft_http_request *request, bool whole)
{
	const weft_http_response *response = &request->response;
	uint64_t printed = weft_buffer_length(&response->body);

	if (whole && (printed > 0 || weft_framing_sends_body(request))) {
		return printed;
	}
	return response->has_length ? response->length : WEFT_CODEC_ANY_SIZE;
}

static bool has_content(const weft_http_request *request)
{
	int status = request->response.status;

	return status != 204 && status != 205 && status != 206 && status != 304 && request->response.file < 0 &&
		!request->response.encoded;
}

static weft_encoder *begin(const weft_http_request *request, weft_coding coding, uint64_t size)
{
	return weft_encoder_begin(coding, request->server->config.compress_level[coding], size);
}

/* --- what is whole --- */

/* False: that would not make it shorter. */
static bool compress_whole(weft_http_request *request, weft_coding coding)
{
	weft_buffer *body = &request->response.body, shorter = {0};
	size_t length = weft_buffer_length(body);
	weft_codec_io io = {weft_buffer_data(body), length, NULL, length - 1};
	weft_encoder *encoder = begin(request, coding, length);
	bool done;

	if (!encoder) {
		return false;
	}
	shorter.room = length;
	shorter.data = io.to = pemalloc(shorter.room, 1);
	done = weft_encoder_work(encoder, &io, WEFT_CODEC_FINISH) == WEFT_CODEC_DONE;
	weft_encoder_free(encoder);
	if (!done) {
		weft_buffer_free(&shorter);
		return false;
	}
	shorter.end = (size_t) (io.to - shorter.data);
	weft_buffer_free(body);
	*body = shorter;
	request->response.has_length = false; /* that is not the application's any more */
	return true;
}

/* --- what streams --- */

static bool begin_stream(weft_http_request *request, weft_coding coding, uint64_t size)
{
	weft_http_response *response = &request->response;
	weft_http_compression *compression = &response->compression;

	if (weft_codec_memory() >= request->server->config.codec_memory) {
		return false;
	}
	if (weft_framing_sends_body(request)) {
		compression->encoder = begin(request, coding, WEFT_CODEC_ANY_SIZE);
		if (!compression->encoder) {
			return false;
		}
	}
	compression->left = size;
	response->has_length = false; /* what it will be is not known */
	return true;
}

static bool compress_or_begin(weft_http_request *request, weft_coding coding, uint64_t size, bool whole)
{
	if (whole && weft_buffer_length(&request->response.body) > 0) {
		return compress_whole(request, coding);
	}
	if (size == WEFT_CODEC_ANY_SIZE && !weft_framing_sends_body(request)) {
		return false; /* a HEAD: whether a GET's answer would be long enough is not known */
	}
	return begin_stream(request, coding, size);
}

static void decide(weft_http_request *request, bool whole)
{
	weft_http_response *response = &request->response;
	uint64_t size = size_of(request, whole);
	weft_coding coding;
	weft_coded_head look;
	weft_accepted accepted;

	if (size < request->server->config.compress_min || response->compression.off ||
		request->server->config.compress.count == 0) {
		return; /* the shortest come first: most plain answers end here */
	}
	if (!has_content(request)) {
		if (response->status == 304 && request->ran) { /* a file's tag was never made weak */
			weft_coded_head_not_modified(request);
		}
		return;
	}
	weft_accepted_of(request, &accepted);
	weft_coded_head_look(&response->head, &look);
	if (look.never || !look.type) {
		return;
	}
	coding = weft_accepted_best(&accepted, &request->server->config.compress);
	if (coding != WEFT_CODING_NONE && !compress_or_begin(request, coding, size, whole)) {
		coding = WEFT_CODING_NONE;
	}
	if (coding != WEFT_CODING_NONE || !look.varies) {
		weft_coded_head_write(&response->head, coding);
	}
}

/* --- sending --- */

static void pass_on(weft_http_request *request, size_t length, bool last)
{
	if (length > 0 || last || !request->response.committed) {
		weft_response_send(request, made, length, last);
	}
}

static void compress_piece(weft_http_request *request, const char *data, size_t length, weft_codec_step step)
{
	weft_http_compression *compression = &request->response.compression;
	weft_codec_io io = {.from = data, .left = length};
	weft_codec_result result;

	do {
		io.to = made;
		io.room = sizeof(made);
		result = weft_encoder_work(compression->encoder, &io, step);
		if (UNEXPECTED(result == WEFT_CODEC_BROKEN)) {
			compression->cut = true;
			return;
		}
		pass_on(request, sizeof(made) - io.room, step == WEFT_CODEC_FINISH && result == WEFT_CODEC_DONE);
	} while (result == WEFT_CODEC_FULL && request->exchange);
	compression->holds = step == WEFT_CODEC_GO_ON;
}

/* Never more than was declared. */
static size_t take_allowed(weft_http_compression *compression, size_t length)
{
	if (compression->left == WEFT_CODEC_ANY_SIZE) {
		return length;
	}
	length = (size_t) MIN(compression->left, length);
	compression->left -= length;
	return length;
}

static void send_compressed(weft_http_request *request, const char *data, size_t length, weft_codec_step step)
{
	weft_http_response *response = &request->response;
	weft_http_compression *compression = &response->compression;
	size_t before = take_allowed(compression, weft_buffer_length(&response->body));
	const char *body = weft_buffer_data(&response->body);

	length = take_allowed(compression, length);
	if (step == WEFT_CODEC_FINISH && compression->left != WEFT_CODEC_ANY_SIZE && compression->left > 0) {
		compression->cut = true; /* less than was declared: the client is to see that something is missing */
		step = WEFT_CODEC_FLUSH;
	}
	response->body.start = response->body.end = 0; /* the bytes stay where they are */
	if (before > 0) {
		compress_piece(request, body, before, length > 0 ? WEFT_CODEC_GO_ON : step);
	}
	if ((length > 0 || before == 0) && request->exchange) {
		compress_piece(request, data, length, step);
	}
	request->limit.since = weft_lately();
}

void weft_compress_send(weft_http_request *request, const char *data, size_t length, weft_codec_step step)
{
	weft_http_response *response = &request->response;

	if (!response->committed && request->exchange) {
		decide(request, step == WEFT_CODEC_FINISH);
	}
	if (!weft_compress_runs(response)) {
		weft_response_send(request, data, length, step == WEFT_CODEC_FINISH);
	} else if (request->exchange) {
		send_compressed(request, data, length, step);
	}
}
