/*
 * Files that are answered without PHP: those of a public directory, by the path of a request.
 *
 * An answer is made where the request is complete, on the connection's state machine: there is no coroutine, no domain
 * and no place among those that run. What says nothing of a file, or asks for more than to see one, is left to the
 * application.
 */
#ifndef WEFT_FILES_H
#define WEFT_FILES_H

#include "http/weft_http_internal.h"

/* From now on files below this directory are sent. `alone`: what is neither a file nor a script is refused here, too
 * (classic mode); else it is the application's. */
void weft_files_serve(const char *directory, bool alone);

void weft_files_init(const weft_http_server *server);
void weft_files_free(void);

/* A request is complete. True: it is answered, and its connection may be closed. */
bool weft_files_answer(weft_http_request *request);

#endif /* WEFT_FILES_H */
