/*
 * What a request asks of a file's state and of its bytes: If-*, Range, Accept-Encoding (RFC 9110, 12.5.3, 13 and 14).
 */
#ifndef WEFT_FILE_CONDITIONS_H
#define WEFT_FILE_CONDITIONS_H

#include "http/files/weft_file_cache.h"
#include "http/weft_http_internal.h"

/* The numbers of the first of these headers; -1: there is none. */
typedef struct {
	const weft_http_request *request;
	int32_t if_match, if_unmodified_since, if_none_match, if_modified_since, if_range, range;
} weft_file_conditions;

void weft_conditions_find(weft_file_conditions *conditions, const weft_http_request *request);
/* 304 or 412 when the file should not be sent, in the order of 13.2.2; else 0. */
int weft_conditions_status(const weft_file_conditions *conditions, const char *etag, time_t modified);
/* The value of Range, when it is to be looked at; NULL: all is to be sent. */
const char *weft_conditions_range(const weft_file_conditions *conditions, const char *etag, time_t modified);
/* Which of the codings that there are the client wants; WEFT_CODING_NONE: none of them. */
weft_coding weft_conditions_coding(const weft_file_conditions *conditions, const bool there_is[WEFT_CODINGS]);

#endif /* WEFT_FILE_CONDITIONS_H */
