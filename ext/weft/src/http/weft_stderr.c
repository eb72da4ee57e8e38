/*
 * What the application itself writes to standard error while it serves: its lines become records of the error log, each
 * of the request that has written it.
 */
#include "http/weft_http_internal.h"
#include "interpose/weft_interpose.h"
#include "reactor/weft_log.h"

#include <unistd.h>

/* Of a line whose end has not come yet; what is longer becomes a record without it. Docker takes no longer ones. */
#define LONGEST_START 16384

size_t weft_log_stamp(char to[WEFT_LOG_STAMP])
{
	const char *id = weft_log_request_id ? weft_log_request_id() : NULL;

	return (size_t) snprintf(to, WEFT_LOG_STAMP, "[%s %d%s%s] ", weft_http_clock(), (int) getpid(), id ? " " : "",
		id ? id : "");
}

/* For people: the line behind the same stamp that PHP's errors have. */
static void add_stamped(weft_buffer *records, const char *line, size_t length)
{
	char *text = pemalloc(WEFT_LOG_STAMP + length, 1);
	char *record = pemalloc(weft_log_room(WEFT_LOG_STAMP + length), 1);
	size_t stamp = weft_log_stamp(text);

	memcpy(text + stamp, line, length);
	weft_buffer_append(records, record, weft_log_put(record, NULL, "info", NULL, text, stamp + length));
	free(record);
	free(text);
}

/* By its look: who reads it parses it anyway. */
static bool is_json(const char *line, size_t length)
{
	bool object = length > 3 && memcmp(line, "{\"", 2) == 0 && line[length - 1] == '}';

	for (size_t i = 0; object && i < length; i++) {
		object = (unsigned char) line[i] >= 0x20;
	}
	return object;
}

/* For machines: an application that writes JSON knows better than we do what is in it. */
static void add_json(weft_buffer *records, const char *line, size_t length)
{
	const char *id = weft_log_request_id ? weft_log_request_id() : NULL;
	char *record;

	if (is_json(line, length)) {
		weft_buffer_append(records, line, length);
		weft_buffer_append(records, "\n", 1);
		return;
	}
	record = pemalloc(weft_log_room(length), 1);
	weft_buffer_append(records, record, weft_log_put(record, id, "info", "stderr", line, length));
	free(record);
}

static void add_line(weft_buffer *records, const char *line, size_t length)
{
	if (length > 0 && line[length - 1] == '\r') {
		length--;
	}
	if (length == 0) {
		return;
	}
	if (weft_log_is_json()) {
		add_json(records, line, length);
	} else {
		add_stamped(records, line, length);
	}
}

/* The line that has been begun before goes on with this, and ends with it. */
static void add_rest_of_line(weft_buffer *records, weft_buffer *begun, const char *rest, size_t length)
{
	if (weft_buffer_length(begun) == 0) {
		add_line(records, rest, length);
		return;
	}
	weft_buffer_append(begun, rest, length);
	add_line(records, weft_buffer_data(begun), weft_buffer_length(begun));
	weft_buffer_free(begun);
}

/* Where no request runs, as in what outlives one, nothing will come that could end a line. */
static char *records_of(const char *data, size_t size, size_t *length)
{
	weft_http_request *request = weft_request_current();
	weft_buffer records = {0}, none = {0};
	weft_buffer *begun = request ? &request->stderr_line : &none;
	const char *at = data, *end = data + size, *line_end;

	while ((line_end = memchr(at, '\n', (size_t) (end - at))) != NULL) {
		add_rest_of_line(&records, begun, at, (size_t) (line_end - at));
		at = line_end + 1;
	}
	if (request && weft_buffer_length(begun) + (size_t) (end - at) <= LONGEST_START) {
		weft_buffer_append(begun, at, (size_t) (end - at));
	} else {
		add_rest_of_line(&records, begun, at, (size_t) (end - at));
	}
	*length = weft_buffer_length(&records);
	return records.data;
}

void weft_stderr_end(weft_http_request *request)
{
	weft_buffer records = {0};

	if (weft_buffer_length(&request->stderr_line) > 0) {
		add_rest_of_line(&records, &request->stderr_line, "", 0);
		weft_log_write(weft_buffer_data(&records), weft_buffer_length(&records));
		weft_buffer_free(&records);
	}
}

void weft_stderr_become_server(void)
{
	weft_standard_error = records_of;
}
