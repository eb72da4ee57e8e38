#include "reactor/weft_fd_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* The table grows by chunks that never move, since watches point into their entry. */
#define CHUNK 256
#define CHUNKS 4096 /* a million descriptors: above any RLIMIT_NOFILE in use (fs.nr_open's default) */

static weft_fd *chunks[CHUNKS];

weft_fd *weft_fd_peek(int fd)
{
	unsigned int number = (unsigned int) fd;

	if (number >= CHUNK * CHUNKS || !chunks[number / CHUNK]) {
		return NULL;
	}
	return &chunks[number / CHUNK][number % CHUNK];
}

weft_fd *weft_fd_get(int fd)
{
	unsigned int number = (unsigned int) fd;

	if (number >= CHUNK * CHUNKS) {
		return NULL;
	}
	if (!chunks[number / CHUNK]) {
		chunks[number / CHUNK] = calloc(CHUNK, sizeof(weft_fd));
		if (!chunks[number / CHUNK]) {
			return NULL;
		}
	}
	return &chunks[number / CHUNK][number % CHUNK];
}

static weft_fd_kind socket_kind(int fd)
{
	int type = 0, domain = 0;
	socklen_t length = sizeof(int);

	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM) {
		length = sizeof(int);
		if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 &&
			(domain == AF_INET || domain == AF_INET6)) {
			return WEFT_FD_SOCKET_STREAM_INET;
		}
	}
	return WEFT_FD_SOCKET;
}

weft_fd *weft_fd_classify(int fd)
{
	weft_fd *entry = weft_fd_get(fd);
	int error = errno;
	struct stat status;

	if (!entry || entry->kind != WEFT_FD_UNKNOWN) {
		return entry;
	}
	if (fstat(fd, &status) != 0) {
		/* Not remembered: the number may be opened by somebody we don't see. */
		errno = error;
		return entry;
	}
	if (S_ISSOCK(status.st_mode)) {
		entry->kind = socket_kind(fd);
	} else if (S_ISFIFO(status.st_mode)) {
		entry->kind = WEFT_FD_PIPE;
	} else if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode)) {
		entry->kind = WEFT_FD_ALWAYS_READY;
	} else {
		entry->kind = WEFT_FD_POLLABLE;
	}
	errno = error;
	return entry;
}

void weft_fd_table_reset(void)
{
	for (unsigned int c = 0; c < CHUNKS; c++) {
		if (!chunks[c]) {
			continue;
		}
		for (unsigned int i = 0; i < CHUNK; i++) {
			weft_fd *entry = &chunks[c][i];

			while (entry->watches) {
				weft_watch *watch = entry->watches;

				entry->watches = watch->next;
				watch->link = NULL;
			}
			entry->registered = false;
			entry->ready = 0;
			entry->generation++;
		}
	}
}

void weft_fd_table_free(void)
{
	weft_fd_table_reset();
	for (unsigned int c = 0; c < CHUNKS; c++) {
		free(chunks[c]);
		chunks[c] = NULL;
	}
}
