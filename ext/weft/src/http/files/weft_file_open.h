/*
 * Files below a directory, and nothing else: no symbolic link on the way leads out of it, unless that is wanted.
 */
#ifndef WEFT_FILE_OPEN_H
#define WEFT_FILE_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

typedef struct {
	char *directory; /* its path; NULL: none */
	int fd;          /* -1: not open */
	uint64_t looked; /* when it was seen to be the one at that path */
	dev_t device;
	ino_t inode;
	bool any_link; /* a link may lead anywhere; else only one in the directory itself may lead out of it */
	bool plainly;  /* without openat2(), as on a kernel that has none */
} weft_file_root;

typedef enum {
	WEFT_FILE_IS,        /* a regular file, open */
	WEFT_FILE_DIRECTORY, /* one is there instead */
	WEFT_FILE_NONE,      /* nothing that is sent: it is not there, no regular file, or behind a link that leads out */
	WEFT_FILE_FORBIDDEN, /* it is there, and not this process's to read */
	WEFT_FILE_TROUBLE    /* there is no descriptor or memory left to open it with */
} weft_file_found;

void weft_file_root_set(weft_file_root *root, const char *directory);
/* Opens what a path names, which is nothing when it has a ".." in it. Never waits: what is no regular file is not
 * opened for reading but for a moment, without blocking. */
weft_file_found weft_file_open(weft_file_root *root, const char *path, int *fd, struct stat *status);
/* In a process that serves no more. */
void weft_file_root_close(weft_file_root *root);

#endif /* WEFT_FILE_OPEN_H */
