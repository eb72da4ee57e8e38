/*
 * Files that were asked for, kept open with what is told of them.
 */
#ifndef WEFT_FILE_CACHE_H
#define WEFT_FILE_CACHE_H

#include "codec/weft_codec.h"
#include "http/files/weft_file_open.h"
#include "http/weft_http_internal.h"

#include "php.h"

#include <time.h>

#define WEFT_ETAG_LONGEST 48

typedef struct weft_file weft_file;
struct weft_file {
	int fd;
	uint64_t size;
	time_t modified;
	long modified_ns;
	const char *type;          /* of its path */
	const char *cache_control; /* NULL: none */
	char date[WEFT_DATE_LENGTH + 1];
	bool codings_known;
	bool codings[WEFT_CODINGS]; /* there is such a file beside it, not older than it */

	/* the cache's */
	char *path;
	zend_ulong hash;
	dev_t device;
	ino_t inode;
	uint64_t checked, used;
	weft_file *same;             /* next of the same hash */
	weft_file *fresher, *staler; /* by use */
};

typedef struct {
	uint32_t most;     /* files */
	uint32_t check_ms; /* that one is taken for the file at its path */
} weft_file_cache_limits;

/* What its own answers say of caching; lives as long as the process. NULL: nothing. */
typedef const char *(*weft_file_cache_rule)(const char *path);

/* The tag of a file of this age and size, in a coding or (NULL) as it is. */
void weft_file_etag(char etag[WEFT_ETAG_LONGEST], time_t modified, uint64_t size, const char *coding);

void weft_file_cache_init(const weft_file_cache_limits *limits, weft_file_cache_rule rule);
/* The file is the cache's, and good until three more are asked for. */
weft_file_found weft_file_cache_get(weft_file_root *root, const char *path, weft_file **file);
/* Finds out which codings there are, and returns the file beside `file` that has one; NULL: there is none any more. */
void weft_file_cache_codings(weft_file_root *root, weft_file *file);
weft_file *weft_file_cache_coded(weft_file_root *root, const weft_file *file, weft_coding coding);
/* Closes those that nobody has asked for in a while. */
void weft_file_cache_trim(void);
void weft_file_cache_free(void);

#endif /* WEFT_FILE_CACHE_H */
