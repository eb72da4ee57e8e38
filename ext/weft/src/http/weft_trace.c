/*
 * The trace of which a request is part, by its traceparent header (W3C Trace Context, level 1):
 *
 *	00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
 *	version, trace, parent, flags
 *
 * A later version may have more behind another dash. What is malformed tells of no trace, and is never shown.
 */
#include "http/weft_http_internal.h"

static const char header_name[] = "traceparent";

static const struct {
	uint32_t at, length;
	bool may_be_zero;
} fields[] = {{0, 2, true}, {3, WEFT_TRACE_ID_LENGTH, false}, {36, 16, false}, {53, 2, true}};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))
#define LENGTH 55

static bool is_hexadecimal(const char *text, uint32_t length, bool may_be_zero)
{
	bool zero = true;

	for (uint32_t i = 0; i < length; i++) {
		if (!((text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f'))) {
			return false;
		}
		zero = zero && text[i] == '0';
	}
	return may_be_zero || !zero;
}

static bool is_well_formed(const char *text, uint32_t length)
{
	if (length < LENGTH || memcmp(text, "ff", 2) == 0) {
		return false;
	}
	for (size_t i = 0; i < FIELDS; i++) {
		if (!is_hexadecimal(text + fields[i].at, fields[i].length, fields[i].may_be_zero) ||
			(i > 0 && text[fields[i].at - 1] != '-')) {
			return false;
		}
	}
	return length == LENGTH || (memcmp(text, "00", 2) != 0 && text[LENGTH] == '-');
}

const char *weft_trace_id(const weft_http_request *request)
{
	int64_t index = weft_request_find_header(request, header_name, 0);
	const weft_parser_header *header = index < 0 ? NULL : &request->parser.headers[index];

	if (!header || !is_well_formed(request->head + header->value, header->value_length) ||
		weft_request_find_header(request, header_name, (uint32_t) index + 1) >= 0) {
		return NULL;
	}
	return request->head + header->value + fields[1].at;
}
