/*
 * Accept-Encoding (RFC 9110, 12.5.3): which codings a client takes, and which of those it likes best.
 */
#include "http/weft_coding.h"

#define HEADER "accept-encoding"
#define MOST 1000
#define NOT_NAMED (-1)

weft_coding weft_coding_named(const char *name, size_t length)
{
	if (length > 2 && strncasecmp(name, "x-", 2) == 0) {
		/* "x-gzip" is gzip (RFC 9110, 8.4.1.3) */
		return length == 6 && strncasecmp(name + 2, "gzip", 4) == 0 ? WEFT_CODING_GZIP : WEFT_CODING_NONE;
	}
	for (weft_coding coding = 0; coding < WEFT_CODINGS; coding++) {
		const char *own = weft_coding_name(coding);

		if (length == strlen(own) && strncasecmp(name, own, length) == 0) {
			return coding;
		}
	}
	return WEFT_CODING_NONE;
}

/* "0.75" in thousandths. What is no weight takes nothing. */
static int16_t parse_weight(const char *text, size_t length)
{
	int16_t weight = 0, digit = 100;

	if (length == 0 || text[0] < '0' || text[0] > '1' || (length > 1 && text[1] != '.') || length > 5) {
		return 0;
	}
	weight = (int16_t) ((text[0] - '0') * MOST);
	for (size_t i = 2; i < length; i++, digit /= 10) {
		if (text[i] < '0' || text[i] > '9') {
			return 0;
		}
		weight = (int16_t) (weight + (text[i] - '0') * digit);
	}
	return MIN(weight, MOST);
}

/* Behind the name: ";q=0.5", with blanks. */
static int16_t weight_of(const char *parameters, const char *end)
{
	while (parameters < end && (*parameters == ' ' || *parameters == '\t' || *parameters == ';')) {
		parameters++;
	}
	if (parameters == end) {
		return MOST;
	}
	if (end - parameters < 2 || (*parameters != 'q' && *parameters != 'Q') || parameters[1] != '=') {
		return 0;
	}
	parameters += 2;
	while (end > parameters && (end[-1] == ' ' || end[-1] == '\t')) {
		end--;
	}
	return parse_weight(parameters, (size_t) (end - parameters));
}

static void take_element(const char *name, const char *end, weft_accepted *accepted, int16_t *others)
{
	size_t length = 0, room = (size_t) (end - name);
	weft_coding coding;
	int16_t weight;

	while (length < room && name[length] != ';' && name[length] != ' ' && name[length] != '\t') {
		length++;
	}
	weight = weight_of(name + length, end);
	if (length == 1 && *name == '*') {
		*others = weight;
	} else if (length == 8 && strncasecmp(name, "identity", 8) == 0) {
		accepted->plain = weight;
	} else if ((coding = weft_coding_named(name, length)) != WEFT_CODING_NONE) {
		accepted->weight[coding] = weight;
	}
}

static void take_list(const char *list, size_t length, weft_accepted *accepted, int16_t *others)
{
	const char *end = list + length;

	while (list < end) {
		const char *comma = memchr(list, ',', (size_t) (end - list));
		const char *next = comma ? comma : end;

		while (list < next && (*list == ' ' || *list == '\t')) {
			list++;
		}
		if (list < next) {
			take_element(list, next, accepted, others);
		}
		list = next + 1;
	}
}

void weft_accepted_of(const weft_http_request *request, weft_accepted *accepted)
{
	int64_t i = weft_request_find_header(request, HEADER, 0);
	int16_t others = NOT_NAMED;

	accepted->said = i >= 0;
	if (EXPECTED(i < 0)) {
		return;
	}
	accepted->plain = NOT_NAMED;
	for (weft_coding coding = 0; coding < WEFT_CODINGS; coding++) {
		accepted->weight[coding] = NOT_NAMED;
	}
	for (; i >= 0; i = weft_request_find_header(request, HEADER, (uint32_t) i + 1)) {
		const weft_parser_header *header = &request->parser.headers[i];

		take_list(request->head + header->value, header->value_length, accepted, &others);
	}
	for (weft_coding coding = 0; coding < WEFT_CODINGS; coding++) {
		if (accepted->weight[coding] == NOT_NAMED) {
			accepted->weight[coding] = MAX(others, 0);
		}
	}
	if (accepted->plain == NOT_NAMED && others == 0) {
		accepted->plain = 0;
	}
}

weft_coding weft_accepted_best(const weft_accepted *accepted, const weft_codings *ours)
{
	weft_coding best = WEFT_CODING_NONE;
	int16_t weight = 0;

	for (uint32_t i = 0; accepted->said && i < ours->count; i++) {
		weft_coding coding = (weft_coding) ours->coding[i];

		if (accepted->weight[coding] > weight) {
			weight = accepted->weight[coding];
			best = coding;
		}
	}
	return accepted->said && accepted->plain > weight ? WEFT_CODING_NONE : best;
}
