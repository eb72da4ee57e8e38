/*
 * The ini directives: each is declared in one line, with its default, what is allowed and where its value goes. A value
 * that is not allowed leaves the default in place, warns, and is told to whoever asks with weft_directives_refused():
 * a server does not start then. Uses nothing of Weft; every floor may declare directives.
 *
 *	WEFT_NUMBER("weft.stack_pool", "64", stack_pool, zend_weft_globals, weft_globals, 0, 4096, "stacks")
 */
#ifndef WEFT_DIRECTIVE_H
#define WEFT_DIRECTIVE_H

#include "php.h"
#include "php_ini.h"

typedef struct {
	/* of numbers */
	double least, most;
	const char *unit;
	/* of words, with NULL behind the last: the value is the number of the word. Of numbers: words besides them, the
	 * first is -1 */
	const char *const *words;
} weft_allowed;

ZEND_INI_MH(weft_directive_on_number);
ZEND_INI_MH(weft_directive_on_fraction);
ZEND_INI_MH(weft_directive_on_word);
ZEND_INI_MH(weft_directive_on_switch);

/* For a handler of one's own: warns, and keeps the sentence, which has no full stop. FAILURE. */
zend_result weft_directive_refuse(const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 1, 2);

/* What was refused so far, a sentence each, to a PHP array. */
void weft_directives_refused(zval *sentences);

#define WEFT_DIRECTIVE(name, value, handler, field, type, variable, ...) \
	ZEND_INI_ENTRY3_EX(name, value, PHP_INI_SYSTEM, handler, (void *) offsetof(type, field), (void *) &variable, \
		(void *) (&(const weft_allowed){__VA_ARGS__}), NULL)

/* A zend_long. The unit is a plural, or "". "bytes" may be written with K, M or G. */
#define WEFT_NUMBER(name, value, field, type, variable, least, most, unit) \
	WEFT_DIRECTIVE(name, value, weft_directive_on_number, field, type, variable, least, most, unit, NULL)

/* A zend_long, -1 for a word. */
#define WEFT_NUMBER_OR(name, value, field, type, variable, least, most, unit, word) \
	WEFT_DIRECTIVE(name, value, weft_directive_on_number, field, type, variable, least, most, unit, \
		(const char *const[]){word, NULL})

/* A double. */
#define WEFT_FRACTION(name, value, field, type, variable, least, most, unit) \
	WEFT_DIRECTIVE(name, value, weft_directive_on_fraction, field, type, variable, least, most, unit, NULL)

/* A bool: the second of two words. */
#define WEFT_WORD(name, value, field, type, variable, no, yes) \
	WEFT_DIRECTIVE(name, value, weft_directive_on_word, field, type, variable, 0, 1, NULL, \
		(const char *const[]){no, yes, NULL})

/* A bool: 0 or 1, and the other words that PHP has for them. */
#define WEFT_SWITCH(name, value, field, type, variable) \
	WEFT_DIRECTIVE(name, value, weft_directive_on_switch, field, type, variable, 0, 1, NULL, \
		(const char *const[]){"0", "1", NULL})

#endif
