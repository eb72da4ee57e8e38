/*
 * Files that the application names in a header instead of printing them: X-Accel-Redirect and X-Sendfile.
 */
#ifndef WEFT_FILE_REDIRECT_H
#define WEFT_FILE_REDIRECT_H

#include "http/weft_http_internal.h"

/* Whether a header line is one of these two, and a folder is the application's to name files of. Else it is the
 * client's, or that of a web server in front. */
bool weft_file_redirect_is(const char *line);
/* The response is the file's from here on: its headers are complete, but for what is told of the file and of the part
 * that the client asks for. */
void weft_file_redirect(weft_http_request *request, const char *line);

#endif /* WEFT_FILE_REDIRECT_H */
