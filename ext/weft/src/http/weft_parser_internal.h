/*
 * What the parser's two files share: the lines and bytes of a request, and the meaning of its head.
 */
#ifndef WEFT_PARSER_INTERNAL_H
#define WEFT_PARSER_INTERNAL_H

#include "weft_parser.h"

/* Notes the answer that the request gets instead of being served. */
weft_parser_result weft_parser_refuse(weft_parser *parser, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* All lines have come: finds the headers that matter and checks what they say together. DONE or ERROR. */
weft_parser_result weft_parser_head_complete(weft_parser *parser);

#endif /* WEFT_PARSER_INTERNAL_H */
