/*
 * An answer with a file: what is told of it, and which of its bytes. A small one leaves in one piece with its head; the
 * kernel sends a larger one, from a descriptor that is the connection's own, however slowly the client reads.
 */
#include "http/files/weft_file_answer.h"
#include "http/files/weft_file_conditions.h"
#include "http/files/weft_file_ranges.h"
#include "http/weft_text.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Bytes that are read and sent with the head: copying them costs less than the calls that it takes not to. */
#define SMALL 32768
#define HEAD_ROOM 2048

/* --- its bytes --- */

static bool read_small(weft_http_response *response, int fd, const weft_file_range *range)
{
	size_t length = (size_t) range->length, done = 0;
	char *to = weft_buffer_reserve(&response->body, length);

	while (done < length) {
		ssize_t got = pread(fd, to + done, length - done, (off_t) (range->offset + done));
		if (got == 0 || (got < 0 && errno != EINTR)) {
			return false; /* it has become shorter since */
		}
		done += got > 0 ? (size_t) got : 0;
	}
	response->body.end += length;
	return true;
}

/* False: there is no descriptor for it. */
static bool take_bytes(weft_http_request *request, const weft_file *file, const weft_file_range *range)
{
	weft_http_response *response = &request->response;
	int fd;

	if (!weft_framing_sends_body(request)) {
		response->has_length = true;
		response->length = range->length;
		return true;
	}
	if (range->length <= SMALL && !response->ranges && read_small(response, file->fd, range)) {
		return true;
	}
	fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	response->file = fd < 0 ? fd : weft_room_move(request->server, fd);
	response->file_offset = range->offset;
	response->file_length = range->length;
	return fd >= 0;
}

/* --- its head --- */

typedef struct {
	weft_text text;
	char room[HEAD_ROOM];
} file_head;

static void put_line(weft_text *text, const char *name, const char *value)
{
	weft_text_string(text, name);
	weft_text_literal(text, ": ");
	weft_text_string(text, value);
	weft_text_literal(text, "\r\n");
}

/* Several ranges are a message of their own, whose parts say what they are. */
static void put_ranges(weft_http_response *response, weft_text *text, weft_file_range *ranges, int count,
	const weft_file *file, const char *type)
{
	if (count == 1) {
		weft_ranges_put_line(text, ranges, file->size);
		put_line(text, "Content-Type", type);
		return;
	}
	response->ranges = weft_ranges_new(ranges, (uint32_t) count, file->size, type);
	ranges[0] = (weft_file_range){0, weft_ranges_length(response->ranges)};
	weft_text_literal(text, "Content-Type: multipart/byteranges; boundary=");
	weft_text_string(text, response->ranges->boundary);
	weft_text_literal(text, "\r\n");
}

/* Status, and which bytes; the length of none is 0. */
static void choose_bytes(weft_http_request *request, const weft_file_conditions *conditions, const weft_file *file,
	const char *type, const char *etag, weft_text *text, weft_file_range *whole)
{
	weft_file_range ranges[WEFT_RANGES_MAX];
	weft_http_response *response = &request->response;
	/* a range is defined for GET alone */
	const char *range = request->parser.llhttp.method == HTTP_GET
		? weft_conditions_range(conditions, etag, file->modified)
		: NULL;
	/* several take turns with what stands between them, which only HTTP/1.1's message does so far */
	uint32_t most = request->exchange->framing == &weft_framing_http1 ? request->server->config.ranges : 1;
	int count = range ? weft_ranges_read(range, file->size, ranges, most) : 0;

	*whole = (weft_file_range){0, file->size};
	if (count == 0) {
		response->status = 200;
		put_line(text, "Content-Type", type);
	} else if (count < 0) {
		response->status = 416;
		weft_ranges_put_line(text, NULL, file->size);
		whole->length = 0;
	} else {
		response->status = 206;
		put_ranges(response, text, ranges, count, file, type);
		*whole = ranges[0];
	}
}

static void put_validators(weft_text *text, const weft_file *file, const weft_file *sent, const char *etag)
{
	put_line(text, "Last-Modified", sent->date);
	put_line(text, "ETag", etag);
	weft_text_literal(text, "Accept-Ranges: bytes\r\n");
	if (file->codings[WEFT_CODING_BR] || file->codings[WEFT_CODING_ZSTD] || file->codings[WEFT_CODING_GZIP]) {
		weft_text_literal(text, "Vary: Accept-Encoding\r\n");
	}
	if (file->cache_control) {
		put_line(text, "Cache-Control", file->cache_control);
	}
}

/* The file itself, or one beside it in a coding that the client takes. */
static const weft_file *choose_coding(const weft_file_conditions *conditions, weft_file_root *root, weft_file *file,
	weft_coding *coding)
{
	const weft_file *coded = NULL;

	if (!file->codings_known) {
		weft_file_cache_codings(root, file);
	}
	*coding = weft_conditions_coding(conditions, file->codings);
	if (*coding != WEFT_CODING_NONE) {
		coded = weft_file_cache_coded(root, file, *coding);
		*coding = coded ? *coding : WEFT_CODING_NONE;
	}
	return coded ? coded : file;
}

void weft_file_answer(weft_http_request *request, weft_file_root *root, weft_file *file)
{
	weft_http_response *response = &request->response;
	weft_file_conditions conditions;
	weft_coding coding;
	const weft_file *sent;
	weft_file_range bytes = {0, 0};
	char etag[WEFT_ETAG_LONGEST];
	file_head head;

	head.text = (weft_text){head.room, head.room + sizeof(head.room)};
	response->encoded = true; /* a file is sent as it is, or as the one beside it */
	weft_conditions_find(&conditions, request);
	sent = choose_coding(&conditions, root, file, &coding);
	weft_file_etag(etag, sent->modified, sent->size, coding != WEFT_CODING_NONE ? weft_coding_name(coding) : NULL);
	response->status = weft_conditions_status(&conditions, etag, sent->modified);
	if (!response->status) {
		choose_bytes(request, &conditions, sent, file->type, etag, &head.text, &bytes);
		if (coding != WEFT_CODING_NONE) {
			put_line(&head.text, "Content-Encoding", weft_coding_name(coding));
		}
	}
	put_validators(&head.text, file, sent, etag);
	weft_buffer_append(&response->head, head.room, (size_t) (head.text.at - head.room));
	if (response->status < 300 && !take_bytes(request, sent, &bytes)) {
		request->exchange->framing->error(request->exchange, 503,
			"The server can't open files now: too many are open.");
		return;
	}
	weft_response_end_alone(request);
}
