/*
 * Text of many small parts, put into a buffer of fixed size. What does not fit is cut. Each request writes such lines,
 * and printf would be the most expensive part of an answer.
 */
#ifndef WEFT_TEXT_H
#define WEFT_TEXT_H

#include "php.h"

typedef struct {
	char *at;
	const char *end;
} weft_text;

static inline void weft_text_bytes(weft_text *text, const char *bytes, size_t length)
{
	length = MIN(length, (size_t) (text->end - text->at));
	memcpy(text->at, bytes, length);
	text->at += length;
}

#define weft_text_literal(text, literal) weft_text_bytes(text, literal, sizeof(literal) - 1)

static inline void weft_text_string(weft_text *text, const char *string)
{
	weft_text_bytes(text, string, strlen(string));
}

static inline void weft_text_number(weft_text *text, uint64_t number)
{
	char digits[MAX_LENGTH_OF_LONG + 1], *end = digits + sizeof(digits) - 1;
	const char *first = zend_print_ulong_to_buf(end, number);

	weft_text_bytes(text, first, (size_t) (end - first));
}

#endif /* WEFT_TEXT_H */
