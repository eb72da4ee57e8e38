/*
 * The grammar of RFC 8259, a function for each of its rules: where one applies, the text goes on behind it.
 */
#include "reactor/weft_json.h"

#include <string.h>

#define DEEPEST 64

typedef struct {
	const char *at, *end;
	unsigned depth;
} json;

static bool json_value(json *text);

static char next(const json *text)
{
	return text->at < text->end ? *text->at : '\0';
}

static void skip_space(json *text)
{
	while (text->at < text->end && *text->at && strchr(" \t\r\n", *text->at)) {
		text->at++;
	}
}

static bool take(json *text, char c)
{
	if (next(text) != c || text->at == text->end) {
		return false;
	}
	text->at++;
	return true;
}

static bool take_word(json *text, const char *word)
{
	size_t length = strlen(word);

	if ((size_t) (text->end - text->at) < length || memcmp(text->at, word, length) != 0) {
		return false;
	}
	text->at += length;
	return true;
}

static bool take_digits(json *text)
{
	const char *first = text->at;

	while (next(text) >= '0' && next(text) <= '9') {
		text->at++;
	}
	return text->at > first;
}

static bool json_number(json *text)
{
	take(text, '-');
	if (!take(text, '0') && !take_digits(text)) {
		return false;
	}
	if (take(text, '.') && !take_digits(text)) {
		return false;
	}
	if (take(text, 'e') || take(text, 'E')) {
		if (!take(text, '+')) {
			take(text, '-');
		}
		return take_digits(text);
	}
	return true;
}

static bool json_escape(json *text)
{
	char c = next(text);

	if (!c || !strchr("\"\\/bfnrtu", c)) {
		return false;
	}
	text->at++;
	for (int i = 0; c == 'u' && i < 4; i++) {
		if (!next(text) || !strchr("0123456789abcdefABCDEF", next(text))) {
			return false;
		}
		text->at++;
	}
	return true;
}

static bool json_string(json *text)
{
	if (!take(text, '"')) {
		return false;
	}
	while (!take(text, '"')) {
		if ((unsigned char) next(text) < 0x20) {
			return false;
		}
		if (*text->at++ == '\\' && !json_escape(text)) {
			return false;
		}
	}
	return true;
}

static bool json_member(json *text)
{
	skip_space(text);
	if (!json_string(text)) {
		return false;
	}
	skip_space(text);
	return take(text, ':') && json_value(text);
}

/* What is between two brackets, the first of which has been taken. */
static bool json_list(json *text, char close, bool (*element)(json *))
{
	skip_space(text);
	if (take(text, close)) {
		return true;
	}
	do {
		if (!element(text)) {
			return false;
		}
	} while (take(text, ','));
	return take(text, close);
}

static bool json_nested(json *text)
{
	bool is;

	if (text->depth++ == DEEPEST) {
		return false;
	}
	is = take(text, '{') ? json_list(text, '}', json_member) : take(text, '[') && json_list(text, ']', json_value);
	text->depth--;
	return is;
}

/* With the white space around it. */
static bool json_value(json *text)
{
	bool is;

	skip_space(text);
	switch (next(text)) {
		case '{':
		case '[': is = json_nested(text); break;
		case '"': is = json_string(text); break;
		case 't': is = take_word(text, "true"); break;
		case 'f': is = take_word(text, "false"); break;
		case 'n': is = take_word(text, "null"); break;
		default: is = json_number(text); break;
	}
	skip_space(text);
	return is;
}

bool weft_json_is_object(const char *at, size_t length)
{
	json text = {.at = at, .end = at + length};

	skip_space(&text);
	return next(&text) == '{' && json_value(&text) && text.at == text.end;
}
