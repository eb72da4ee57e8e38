/*
 * What the parser's files share: the lines and bytes of a request, the meaning of its head, and the chunks of a body.
 */
#ifndef WEFT_PARSER_INTERNAL_H
#define WEFT_PARSER_INTERNAL_H

#include "weft_parser.h"

/* All lines have come: finds the headers that matter and checks what they say together. DONE or ERROR. */
weft_parser_result weft_parser_head_complete(weft_parser *parser);

/* A piece of the body goes to the sink. MORE or ERROR. */
weft_parser_result weft_parser_keep(weft_parser *parser, const char *data, size_t length);
/* Of a chunked body; as weft_parser_body(). */
weft_parser_result weft_parser_chunks(weft_parser *parser, const char *data, size_t length, size_t *consumed);

bool weft_http_is_token_char(unsigned char c);

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

#endif /* WEFT_PARSER_INTERNAL_H */
