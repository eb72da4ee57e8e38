/*
 * Whether a text is JSON, without reading what it says: PHP's own parser makes values in the heap of a request.
 */
#ifndef WEFT_JSON_H
#define WEFT_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* One object (RFC 8259), and nothing but white space around it. UTF-8 is not looked at. Objects that are nested more
 * deeply than anybody's log are taken for none. */
bool weft_json_is_object(const char *text, size_t length);

#endif /* WEFT_JSON_H */
