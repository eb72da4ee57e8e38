/*
 * Reads the values of ini directives, strictly: PHP's own handlers take "abc" for 0 and "10 s" for 10.
 */
#include "directive/weft_directive.h"

#include "zend_smart_str.h"

#include <math.h>

/* More directives than there are. Each is told once: php.ini is read once. */
#define MOST_REFUSED 64

static char *refused[MOST_REFUSED];
static size_t refused_count;

static void append_number(smart_str *text, double number, bool bytes)
{
	static const char units[] = "\0KMG";
	size_t unit = 0;

	while (bytes && number >= 1024 && fmod(number, 1024) == 0 && unit < 3) {
		number /= 1024;
		unit++;
	}
	smart_str_append_printf(text, "%.0f", number);
	if (unit > 0) {
		smart_str_appendc(text, units[unit]);
	}
}

static bool in_bytes(const weft_allowed *allowed)
{
	return allowed->unit != NULL && strncmp(allowed->unit, "bytes", 5) == 0;
}

/* Takes over the sentence. */
static zend_result keep_refusal(smart_str *text)
{
	smart_str_0(text);
	if (refused_count < MOST_REFUSED) {
		refused[refused_count++] = pestrdup(ZSTR_VAL(text->s), true);
	}
	zend_error(E_WARNING, "%s", ZSTR_VAL(text->s));
	smart_str_free(text);
	return FAILURE;
}

zend_result weft_directive_refuse(const char *format, ...)
{
	smart_str text = {0};
	zend_string *sentence;
	va_list args;

	va_start(args, format);
	sentence = zend_vstrpprintf(0, format, args);
	va_end(args);
	smart_str_append(&text, sentence);
	zend_string_release(sentence);
	return keep_refusal(&text);
}

static zend_result directive_refuse(const zend_ini_entry *entry, const zend_string *value, const weft_allowed *allowed)
{
	const char *const *word = allowed->words;
	smart_str text = {0};

	smart_str_append_printf(&text, "%s must be ", ZSTR_VAL(entry->name));
	for (; word != NULL && *word != NULL; word++) {
		smart_str_append_printf(&text, "%s\"%s\"", word == allowed->words ? "" : " or ", *word);
	}
	if (allowed->unit != NULL) {
		smart_str_append_printf(&text, "%sa number%s%s from ", allowed->words == NULL ? "" : " or ",
			*allowed->unit == '\0' ? "" : " of ", allowed->unit);
		append_number(&text, allowed->least, in_bytes(allowed));
		smart_str_appends(&text, " to ");
		append_number(&text, allowed->most, in_bytes(allowed));
	}
	smart_str_append_printf(&text, ", \"%s\" given", ZSTR_VAL(value));
	return keep_refusal(&text);
}

/* Which of the words it is; -1: none. */
static int word_of(const zend_string *value, const char *const *words)
{
	for (int i = 0; words != NULL && words[i] != NULL; i++) {
		if (strcasecmp(ZSTR_VAL(value), words[i]) == 0) {
			return i;
		}
	}
	return -1;
}

/* The factor of a last letter; 0: none of them. */
static double factor_of(char letter)
{
	switch (letter) {
		case 'k':
		case 'K': return 1024;
		case 'm':
		case 'M': return 1024 * 1024;
		case 'g':
		case 'G': return 1024 * 1024 * 1024;
		default: return 0;
	}
}

/* NAN: no number. */
static double directive_number(const zend_string *value, bool bytes)
{
	size_t length = ZSTR_LEN(value);
	double factor = bytes && length > 0 ? factor_of(ZSTR_VAL(value)[length - 1]) : 0, fraction;
	zend_long whole;
	uint8_t type = is_numeric_string(ZSTR_VAL(value), length - (factor > 0), &whole, &fraction, false);

	if (type == 0) {
		return NAN;
	}
	return (type == IS_LONG ? (double) whole : fraction) * (factor > 0 ? factor : 1);
}

static bool is_within(double number, const weft_allowed *allowed)
{
	return number >= allowed->least && number <= allowed->most;
}

ZEND_INI_MH(weft_directive_on_number)
{
	const weft_allowed *allowed = mh_arg3;
	bool word = word_of(new_value, allowed->words) >= 0;
	double number = word ? -1 : directive_number(new_value, in_bytes(allowed));

	if (!word && (!is_within(number, allowed) || number != floor(number))) {
		return directive_refuse(entry, new_value, allowed);
	}
	*(zend_long *) ZEND_INI_GET_ADDR() = (zend_long) number;
	return SUCCESS;
}

ZEND_INI_MH(weft_directive_on_fraction)
{
	double number = directive_number(new_value, false);

	if (!is_within(number, mh_arg3)) {
		return directive_refuse(entry, new_value, mh_arg3);
	}
	*(double *) ZEND_INI_GET_ADDR() = number;
	return SUCCESS;
}

ZEND_INI_MH(weft_directive_on_word)
{
	int word = word_of(new_value, ((const weft_allowed *) mh_arg3)->words);

	if (word < 0) {
		return directive_refuse(entry, new_value, mh_arg3);
	}
	*(bool *) ZEND_INI_GET_ADDR() = word == 1;
	return SUCCESS;
}

/* PHP has turned the words of php.ini into "1" and "" already; those behind -d arrive as they are. */
ZEND_INI_MH(weft_directive_on_switch)
{
	static const char *const off[] = {"0", "", "off", "no", "false", "none", NULL},
							 *const on[] = {"1", "on", "yes", "true", NULL};
	bool is_on = word_of(new_value, on) >= 0;

	if (!is_on && word_of(new_value, off) < 0) {
		return directive_refuse(entry, new_value, mh_arg3);
	}
	*(bool *) ZEND_INI_GET_ADDR() = is_on;
	return SUCCESS;
}

void weft_directives_refused(zval *sentences)
{
	for (size_t i = 0; i < refused_count; i++) {
		add_next_index_string(sentences, refused[i]);
	}
}
