/*
 * Conditions of requests for files. What is malformed is ignored, as RFC 9110 wants it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "http/files/weft_file_conditions.h"

#include <ctype.h>
#include <strings.h>

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
		case 15: return strncasecmp(name, "Accept-Encoding", 15) == 0 ? &to->accept_encoding : NULL;
		case 17: return strncasecmp(name, "If-Modified-Since", 17) == 0 ? &to->if_modified_since : NULL;
		case 19: return strncasecmp(name, "If-Unmodified-Since", 19) == 0 ? &to->if_unmodified_since : NULL;
		default: return NULL;
	}
}

void weft_conditions_find(weft_file_conditions *to, const weft_http_request *request)
{
	const weft_parser *parser = &request->parser;

	*to = (weft_file_conditions){request, -1, -1, -1, -1, -1, -1, -1};
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

/* --- dates --- */

static const char days[] = "SunMonTueWedThuFriSat";
static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

static const char *skip_literal(const char *text, const char *literal)
{
	size_t length = strlen(literal);

	return text && strncmp(text, literal, length) == 0 ? text + length : NULL;
}

/* So many digits, the first of which may be a space when `padded`. */
static const char *read_digits(const char *text, int count, bool padded, int *number)
{
	*number = 0;
	for (int i = 0; text && i < count; i++, text++) {
		if (*text == ' ' && padded && i == 0) {
			continue;
		}
		if (!isdigit((unsigned char) *text)) {
			return NULL;
		}
		*number = *number * 10 + (*text - '0');
	}
	return text;
}

static const char *read_name(const char *text, const char *names, int *number)
{
	for (*number = 0; text && names[3 * *number]; ++*number) {
		if (strncmp(text, names + 3 * *number, 3) == 0) {
			return text + 3;
		}
	}
	return NULL;
}

static const char *read_clock(const char *text, struct tm *tm)
{
	text = skip_literal(read_digits(text, 2, false, &tm->tm_hour), ":");
	text = skip_literal(read_digits(text, 2, false, &tm->tm_min), ":");
	return read_digits(text, 2, false, &tm->tm_sec);
}

/* "Sun, 06 Nov 1994 08:49:37 GMT" */
static const char *read_fixed(const char *text, struct tm *tm)
{
	text = skip_literal(read_name(text, days, &tm->tm_wday), ", ");
	text = skip_literal(read_digits(text, 2, false, &tm->tm_mday), " ");
	text = skip_literal(read_name(text, months, &tm->tm_mon), " ");
	text = skip_literal(read_digits(text, 4, false, &tm->tm_year), " ");
	return skip_literal(read_clock(text, tm), " GMT");
}

/* "Sunday, 06-Nov-94 08:49:37 GMT": a year that seems to be more than 50 years ahead is of the past. */
static const char *read_rfc850(const char *text, struct tm *tm)
{
	time_t now = time(NULL);
	struct tm today;

	text = read_name(text, days, &tm->tm_wday);
	while (text && isalpha((unsigned char) *text)) {
		text++;
	}
	text = skip_literal(text, ", ");
	text = skip_literal(read_digits(text, 2, false, &tm->tm_mday), "-");
	text = skip_literal(read_name(text, months, &tm->tm_mon), "-");
	text = skip_literal(read_digits(text, 2, false, &tm->tm_year), " ");
	gmtime_r(&now, &today);
	tm->tm_year += (today.tm_year + 1900) / 100 * 100;
	tm->tm_year -= tm->tm_year > today.tm_year + 1900 + 50 ? 100 : 0;
	return skip_literal(read_clock(text, tm), " GMT");
}

/* "Sun Nov  6 08:49:37 1994" */
static const char *read_asctime(const char *text, struct tm *tm)
{
	text = skip_literal(read_name(text, days, &tm->tm_wday), " ");
	text = skip_literal(read_name(text, months, &tm->tm_mon), " ");
	text = skip_literal(read_digits(text, 2, true, &tm->tm_mday), " ");
	text = skip_literal(read_clock(text, tm), " ");
	return read_digits(text, 4, false, &tm->tm_year);
}

bool weft_http_date_read(const char *text, time_t *to)
{
	static const char *(*const forms[])(const char *, struct tm *) = {read_fixed, read_rfc850, read_asctime};

	for (int i = 0; i < 3; i++) {
		struct tm tm = {0}, same;
		const char *end = forms[i](text, &tm);

		if (!end || *end || tm.tm_hour > 23 || tm.tm_min > 59 || tm.tm_sec > 60) {
			continue;
		}
		tm.tm_year -= 1900;
		same = tm;
		*to = timegm(&same);
		return same.tm_mday == tm.tm_mday; /* the 31st of February is another day */
	}
	return false;
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

/* In thousandths. */
static int read_weight(const char *parameters, size_t length)
{
	const char *end = parameters + length, *at = memmem(parameters, length, "q=", 2);
	int weight, digits = 100;

	if (!at) {
		at = memmem(parameters, length, "Q=", 2);
	}
	if (!at) {
		return 1000;
	}
	at += 2;
	weight = at < end && *at == '1' ? 1000 : 0;
	for (at += 2; at < end && isdigit((unsigned char) *at) && digits > 0; at++, digits /= 10) {
		weight += (*at - '0') * digits;
	}
	return MIN(weight, 1000);
}

static bool is_named(const char *name, size_t length, const char *coding)
{
	return strlen(coding) == length && strncasecmp(name, coding, length) == 0;
}

/* Into weights[WEFT_CODINGS] goes that of no coding. */
static void read_weights(const char *list, int weights[WEFT_CODINGS + 1], int *any)
{
	while (*(list += strspn(list, " \t,"))) {
		size_t part = strcspn(list, ","), name = strcspn(list, ";, \t");
		int weight = read_weight(list + name, part - name);

		for (int i = 0; i < WEFT_CODINGS; i++) {
			if (is_named(list, name, weft_coding_name((weft_coding) i))) {
				weights[i] = weight;
			}
		}
		if (is_named(list, name, "x-gzip")) {
			weights[WEFT_CODING_GZIP] = weight;
		} else if (is_named(list, name, "identity")) {
			weights[WEFT_CODINGS] = weight;
		} else if (is_named(list, name, "*")) {
			*any = weight;
		}
		list += part;
	}
}

weft_coding weft_conditions_coding(const weft_file_conditions *conditions, const bool there_is[WEFT_CODINGS])
{
	int weights[WEFT_CODINGS + 1] = {-1, -1, -1, -1}, any = 0, best = WEFT_CODINGS;
	int32_t number = conditions->accept_encoding;

	for (; number >= 0; number = next_of(conditions, number, "accept-encoding")) {
		read_weights(value_of(conditions, number), weights, &any);
	}
	for (int i = 0; i < WEFT_CODINGS; i++) {
		weights[i] = weights[i] < 0 ? any : weights[i];
	}
	/* none at all is what everybody takes, and what nobody is sent who takes less */
	weights[WEFT_CODINGS] = MAX(weights[WEFT_CODINGS], 0);
	for (int i = WEFT_CODINGS - 1; i >= 0; i--) {
		if (there_is[i] && weights[i] > 0 && weights[i] >= weights[best]) {
			best = i;
		}
	}
	return (weft_coding) best;
}
