/*
 * Conditions of requests for files. What is malformed is ignored, as RFC 9110 wants it.
 */
#include "http/files/weft_file_conditions.h"
#include "http/weft_coding.h"

/* --- its headers --- */

/* One look at each header's length, and at few names. */
static int32_t *place_of(weft_file_conditions *to, const char *name, uint32_t length)
{
	switch (length) {
		case 5: return strncasecmp(name, "Range", 5) == 0 ? &to->range : NULL;
		case 8:
			if (strncasecmp(name, "If-Range", 8) == 0) {
				return &to->if_range;
			}
			return strncasecmp(name, "If-Match", 8) == 0 ? &to->if_match : NULL;
		case 13: return strncasecmp(name, "If-None-Match", 13) == 0 ? &to->if_none_match : NULL;
		case 17: return strncasecmp(name, "If-Modified-Since", 17) == 0 ? &to->if_modified_since : NULL;
		case 19: return strncasecmp(name, "If-Unmodified-Since", 19) == 0 ? &to->if_unmodified_since : NULL;
		default: return NULL;
	}
}

void weft_conditions_find(weft_file_conditions *to, const weft_http_request *request)
{
	const weft_parser *parser = &request->parser;

	*to = (weft_file_conditions){request, -1, -1, -1, -1, -1, -1};
	for (uint32_t i = 0; i < parser->header_count; i++) {
		const weft_parser_header *header = &parser->headers[i];
		int32_t *place = place_of(to, request->head + header->name, header->name_length);

		if (place && *place < 0) {
			*place = (int32_t) i;
		}
	}
}

static const char *value_of(const weft_file_conditions *conditions, int32_t number)
{
	const weft_http_request *request = conditions->request;

	return number < 0 ? NULL : request->head + request->parser.headers[number].value;
}

/* The next header of the same name: a list may come in several (5.3). */
static int32_t next_of(const weft_file_conditions *conditions, int32_t number, const char *name)
{
	return (int32_t) weft_request_find_header(conditions->request, name, (uint32_t) number + 1);
}

/* --- If-* --- */

/* Whether one of a list of entity tags is this one. */
static bool value_lists(const char *list, const char *etag, bool strong)
{
	bool weak_etag = strncmp(etag, "W/", 2) == 0;
	const char *opaque = weak_etag ? etag + 2 : etag;

	for (list += strspn(list, " \t"); *list; list += strspn(list, " \t,")) {
		bool weak = strncmp(list, "W/", 2) == 0;
		const char *end;

		list += weak ? 2 : 0;
		end = *list == '"' ? strchr(list + 1, '"') : NULL;
		if (!end) {
			return false;
		}
		end++;
		if (strlen(opaque) == (size_t) (end - list) && strncmp(list, opaque, (size_t) (end - list)) == 0 &&
			!(strong && (weak || weak_etag))) {
			return true;
		}
		list = end;
	}
	return false;
}

static bool header_lists(const weft_file_conditions *conditions, int32_t number, const char *name, const char *etag,
	bool strong)
{
	for (; number >= 0; number = next_of(conditions, number, name)) {
		const char *list = value_of(conditions, number);

		if (strcmp(list, "*") == 0 || value_lists(list, etag, strong)) {
			return true;
		}
	}
	return false;
}

int weft_conditions_status(const weft_file_conditions *conditions, const char *etag, time_t modified)
{
	time_t since;

	if (conditions->if_match >= 0) {
		if (!header_lists(conditions, conditions->if_match, "if-match", etag, true)) {
			return 412;
		}
	} else if (conditions->if_unmodified_since >= 0 &&
		weft_http_date_read(value_of(conditions, conditions->if_unmodified_since), &since) && modified > since) {
		return 412;
	}
	if (conditions->if_none_match >= 0) {
		return header_lists(conditions, conditions->if_none_match, "if-none-match", etag, false) ? 304 : 0;
	}
	/* a date of the future says nothing about what the client has */
	return conditions->if_modified_since >= 0 &&
			weft_http_date_read(value_of(conditions, conditions->if_modified_since), &since) && modified <= since &&
			since <= time(NULL)
		? 304
		: 0;
}

const char *weft_conditions_range(const weft_file_conditions *conditions, const char *etag, time_t modified)
{
	const char *range = value_of(conditions, conditions->range), *condition;
	time_t since;

	/* several are no list of ranges (14.2) */
	if (!range || next_of(conditions, conditions->range, "range") >= 0) {
		return NULL;
	}
	if (conditions->if_range < 0) {
		return range;
	}
	/* only a strong validator proves that what the client has a part of is still what the file is */
	condition = value_of(conditions, conditions->if_range);
	if (strncmp(etag, "W/", 2) == 0) {
		return NULL;
	}
	return strcmp(condition, etag) == 0 || (weft_http_date_read(condition, &since) && since == modified) ? range : NULL;
}

/* --- Accept-Encoding --- */

weft_coding weft_conditions_coding(const weft_file_conditions *conditions, const bool there_is[WEFT_CODINGS])
{
	weft_codings ours = {0};
	weft_accepted accepted;

	for (weft_coding coding = 0; coding < WEFT_CODINGS; coding++) {
		if (there_is[coding]) {
			ours.coding[ours.count++] = (uint8_t) coding;
		}
	}
	if (ours.count == 0) {
		return WEFT_CODING_NONE;
	}
	weft_accepted_of(conditions->request, &accepted);
	return weft_accepted_best(&accepted, &ours);
}
