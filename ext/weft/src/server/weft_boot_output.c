/*
 * A buffer behind PHP's output, and the text of what is in it.
 */
#include "server/weft_boot_output.h"

#include "http/weft_http.h"

#include <ctype.h>
#include <unistd.h>
#include "ext/standard/php_string.h"
#include "zend_smart_str.h"

/* Bytes that are kept; an error page of a framework has less. What follows is counted. */
#define MOST (2 * 1024 * 1024)
/* Bytes that are told. */
#define TOLD 2000

static smart_str kept;
static size_t printed;

static void keep(const char *data, size_t length)
{
	size_t has = kept.s ? ZSTR_LEN(kept.s) : 0;

	printed += length;
	smart_str_appendl_ex(&kept, data, MIN(length, MOST - has), true);
}

static void forget(void)
{
	smart_str_free_ex(&kept, true);
	printed = 0;
}

void weft_boot_output_hold(void)
{
	weft_http_divert_output(keep);
}

void weft_boot_output_release(void)
{
	weft_http_divert_output(NULL);
	for (size_t at = 0; kept.s && at < ZSTR_LEN(kept.s);) {
		ssize_t n = write(STDOUT_FILENO, ZSTR_VAL(kept.s) + at, ZSTR_LEN(kept.s) - at);
		if (n <= 0) {
			break;
		}
		at += (size_t) n;
	}
	forget();
}

/* Blanks instead of what is between two tags of that name, which no browser shows. */
static void blank_element(char *html, size_t length, const char *name)
{
	char open[16], close[16];
	const char *end = html + length;
	char *from = html, *to;

	snprintf(open, sizeof(open), "<%s", name);
	snprintf(close, sizeof(close), "</%s", name);
	while ((from = (char *) zend_memnistr(from, open, strlen(open), end))) {
		to = (char *) zend_memnistr(from, close, strlen(close), end);
		to = to ? to : html + length;
		memset(from, ' ', (size_t) (to - from));
		from = to;
	}
}

/* In place; of blanks in a row one is left, or the first line break. Returns the length. */
static size_t join_blanks(char *text, size_t length)
{
	size_t n = 0;

	for (size_t i = 0; i < length; i++) {
		bool blank = isspace((unsigned char) text[i]);

		if (!blank || (n > 0 && !isspace((unsigned char) text[n - 1]))) {
			text[n++] = text[i];
		} else if (n > 0 && text[i] == '\n') {
			text[n - 1] = '\n';
		}
	}
	return n > 0 && isspace((unsigned char) text[n - 1]) ? n - 1 : n;
}

zend_string *weft_boot_output_take(void)
{
	size_t length = kept.s ? ZSTR_LEN(kept.s) : 0, all = printed;
	zend_string *told;
	char *text;

	weft_http_divert_output(NULL);
	if (length == 0) {
		return NULL;
	}
	text = estrndup(ZSTR_VAL(kept.s), length);
	forget();
	blank_element(text, length, "style");
	blank_element(text, length, "script");
	length = join_blanks(text, php_strip_tags(text, length, NULL, 0));
	told = length > TOLD ? zend_strpprintf(0, "%.*s\n(%zu bytes in all)", TOLD, text, all)
						 : zend_string_init(text, length, false);
	efree(text);
	return told;
}
