/*
 * The answer to a request for a file.
 */
#ifndef WEFT_FILE_ANSWER_H
#define WEFT_FILE_ANSWER_H

#include "http/files/weft_file_cache.h"
#include "http/weft_http_internal.h"

/* As far as the request asks for it. It and its connection may be gone then. */
void weft_file_answer(weft_http_request *request, weft_file_root *root, weft_file *file);

#endif /* WEFT_FILE_ANSWER_H */
