/*
 * Sec-WebSocket-Extensions (RFC 6455, 9.1): a list of offers with parameters, of which one is taken. An offer of
 * permessage-deflate with a parameter that is not known, stands twice, or has a value that it may not have is declined
 * (RFC 7692, 5.1 and 7); the next one may be better.
 */
#include "http/ws/weft_ws_deflate.h"
#include "codec/weft_codec.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define EXTENSION "permessage-deflate"
/* Windows that there are (RFC 7692, 7.1.2). */
#define LEAST_BITS 8
#define MOST_BITS 15

typedef enum { SERVER_NO_TAKEOVER, CLIENT_NO_TAKEOVER, SERVER_BITS, CLIENT_BITS, PARAMETERS } parameter;

typedef enum { NEVER, PERHAPS, ALWAYS } has_value;

static const struct {
	const char *name;
	has_value value;
} parameters[PARAMETERS] = {
	[SERVER_NO_TAKEOVER] = {"server_no_context_takeover", NEVER},
	[CLIENT_NO_TAKEOVER] = {"client_no_context_takeover", NEVER},
	[SERVER_BITS] = {"server_max_window_bits", ALWAYS},
	[CLIENT_BITS] = {"client_max_window_bits", PERHAPS},
};

/* Where the list is being read. */
typedef struct {
	const char *at, *end;
	bool broken; /* it is no list */
} reader;

/* "12", as it was or as a quoted string has it. A longer one is no value of ours. */
typedef struct {
	char text[8];
	size_t length; /* as it was; more than the room: cut */
	bool is_there;
} value;

typedef struct {
	bool is_ours, declined;
	bool seen[PARAMETERS];
	uint8_t server_bits; /* 0: it says nothing of them */
} offer;

/* --- the grammar --- */

static bool is_token_char(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		(c != '\0' && strchr("!#$%&'*+-.^_`|~", c));
}

static void skip_blanks(reader *list)
{
	while (list->at < list->end && (*list->at == ' ' || *list->at == '\t')) {
		list->at++;
	}
}

/* The next character, when it is that one, with the blanks around it. */
static bool take(reader *list, char c)
{
	skip_blanks(list);
	if (list->at == list->end || *list->at != c) {
		return false;
	}
	list->at++;
	skip_blanks(list);
	return true;
}

static const char *token(reader *list, size_t *length)
{
	const char *start = list->at;

	while (list->at < list->end && is_token_char((unsigned char) *list->at)) {
		list->at++;
	}
	*length = (size_t) (list->at - start);
	list->broken |= *length == 0;
	return start;
}

static void keep(value *to, char c)
{
	if (to->length < sizeof(to->text)) {
		to->text[to->length] = c;
	}
	to->length++;
}

/* What is between the quotes must be a token, too. */
static void quoted(reader *list, value *to)
{
	for (list->at++; list->at < list->end && *list->at != '"'; list->at++) {
		if (*list->at == '\\' && list->at + 1 < list->end) {
			list->at++;
		}
		list->broken |= !is_token_char((unsigned char) *list->at);
		keep(to, *list->at);
	}
	list->broken |= list->at == list->end || to->length == 0;
	list->at += list->at < list->end;
}

static void read_value(reader *list, value *to)
{
	const char *text;
	size_t length;

	to->length = 0;
	to->is_there = take(list, '=');
	if (!to->is_there) {
		return;
	}
	if (list->at < list->end && *list->at == '"') {
		quoted(list, to);
		return;
	}
	text = token(list, &length);
	for (size_t i = 0; i < length; i++) {
		keep(to, text[i]);
	}
}

/* --- what it says --- */

/* 8 to 15, without anything in front; 0: it is none of these. */
static uint8_t bits_of(const value *number)
{
	unsigned bits = 0;

	if (number->length == 0 || number->length > 2 || number->text[0] == '0') {
		return 0;
	}
	for (size_t i = 0; i < number->length; i++) {
		if (number->text[i] < '0' || number->text[i] > '9') {
			return 0;
		}
		bits = bits * 10 + (unsigned) (number->text[i] - '0');
	}
	return bits >= LEAST_BITS && bits <= MOST_BITS ? (uint8_t) bits : 0;
}

static bool is_named(const char *text, size_t length, const char *name)
{
	return length == strlen(name) && strncasecmp(text, name, length) == 0;
}

static parameter parameter_named(const char *name, size_t length)
{
	parameter known = 0;

	while (known < PARAMETERS && !is_named(name, length, parameters[known].name)) {
		known++;
	}
	return known;
}

/* False: with this one the offer is none. */
static bool take_parameter(offer *of, parameter which, const value *number)
{
	if (which == PARAMETERS || of->seen[which]) {
		return false;
	}
	of->seen[which] = true;
	if (!number->is_there) {
		return parameters[which].value != ALWAYS;
	}
	if (parameters[which].value == NEVER || bits_of(number) == 0) {
		return false;
	}
	if (which == SERVER_BITS) {
		of->server_bits = bits_of(number);
	}
	return true;
}

static void read_offer(reader *list, offer *of)
{
	size_t length;
	const char *name = token(list, &length);

	*of = (offer){.is_ours = is_named(name, length, EXTENSION)};
	while (!list->broken && take(list, ';')) {
		value number;

		name = token(list, &length);
		read_value(list, &number);
		of->declined |= !take_parameter(of, parameter_named(name, length), &number);
	}
	skip_blanks(list);
	list->broken |= list->at < list->end && *list->at != ',';
}

/* Whoever limits the server's window is told one no larger than that, and no larger than it is. */
static uint8_t answer_to(const offer *of, char answer[WEFT_WS_DEFLATE_ANSWER])
{
	static const char kept[] = EXTENSION "; server_no_context_takeover; client_no_context_takeover";
	uint8_t bits = of->server_bits < WEFT_CODEC_DEFLATE_BITS ? of->server_bits : WEFT_CODEC_DEFLATE_BITS;

	if (of->server_bits == 0) {
		snprintf(answer, WEFT_WS_DEFLATE_ANSWER, "%s", kept);
		return MOST_BITS;
	}
	snprintf(answer, WEFT_WS_DEFLATE_ANSWER, "%s; server_max_window_bits=%u", kept, bits);
	return bits;
}

uint8_t weft_ws_deflate_agree(const char *offers, size_t length, char answer[WEFT_WS_DEFLATE_ANSWER])
{
	reader list = {offers, offers + length, false};
	offer first = {0}, next;

	if (!weft_coding_is_there(WEFT_CODING_DEFLATE)) {
		return 0;
	}
	do {
		while (take(&list, ',')) {
			/* empty elements are none (RFC 9110, 5.6.1) */
		}
		if (list.at == list.end) {
			break;
		}
		read_offer(&list, &next);
		if (next.is_ours && !next.declined && !first.is_ours) {
			first = next;
		}
	} while (!list.broken && take(&list, ','));
	return first.is_ours && !list.broken ? answer_to(&first, answer) : 0;
}
