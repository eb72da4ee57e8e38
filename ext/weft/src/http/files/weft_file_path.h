/*
 * What a request's path says of files, before any file is looked at.
 */
#ifndef WEFT_FILE_PATH_H
#define WEFT_FILE_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Decodes the path of a request's target into `path`, with one slash where there are several, and without its query.
 * False: no file has such a path: it can't be decoded, has a NUL in it, does not begin with a slash, is too long,
 * or one of its names begins with a dot (but .well-known at its beginning does). */
bool weft_path_clean(const char *uri, char *path, size_t room);

/* Whether a file is nobody's to read by its path: PHP source under whatever name, and what editors, databases and logs
 * leave behind. */
bool weft_path_is_secret(const char *path);

#endif /* WEFT_FILE_PATH_H */
