/*
 * A table with an entry for each descriptor, and how the kind of one is found out.
 */
#include "reactor/weft_fd_table.h"
#include "reactor/weft_fd_owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

weft_fd *weft_fd_chunks[WEFT_FD_CHUNKS];

weft_fd *weft_fd_add(int fd)
{
	unsigned int number = (unsigned int) fd;

	if (number >= WEFT_FD_CHUNK * WEFT_FD_CHUNKS) {
		return NULL;
	}
	__atomic_store_n(&weft_fd_chunks[number / WEFT_FD_CHUNK], calloc(WEFT_FD_CHUNK, sizeof(weft_fd)), __ATOMIC_RELEASE);
	return weft_fd_peek(fd);
}

static weft_fd_kind socket_kind(int domain, int type, int protocol)
{
	bool inet = domain == AF_INET || domain == AF_INET6;

	return inet && type == SOCK_STREAM && (protocol == 0 || protocol == IPPROTO_TCP) ? WEFT_FD_SOCKET_STREAM_INET
																					 : WEFT_FD_SOCKET;
}

static int socket_option(int fd, int option)
{
	int value = -1;
	socklen_t length = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, option, &value, &length) == 0 ? value : -1;
}

void weft_fd_note_socket(int fd, int domain, int type, int protocol)
{
	weft_fd *entry = weft_fd_get(fd);

	if (entry) {
		entry->kind = socket_kind(domain, type, protocol);
	}
}

void weft_fd_find_kind(int fd, weft_fd *entry)
{
	int error = errno;
	struct stat status;

	if (fstat(fd, &status) != 0) {
		/* Not remembered: the number may be opened by somebody we don't see. */
		errno = error;
		return;
	}
	if (S_ISSOCK(status.st_mode)) {
		entry->kind = socket_kind(socket_option(fd, SO_DOMAIN), socket_option(fd, SO_TYPE),
			socket_option(fd, SO_PROTOCOL));
	} else if (S_ISFIFO(status.st_mode)) {
		entry->kind = WEFT_FD_PIPE;
	} else if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode)) {
		entry->kind = WEFT_FD_ALWAYS_READY;
	} else {
		entry->kind = WEFT_FD_POLLABLE;
	}
	errno = error;
}

void weft_fd_table_reset(void)
{
	for (unsigned int c = 0; c < WEFT_FD_CHUNKS; c++) {
		if (!weft_fd_chunks[c]) {
			continue;
		}
		for (unsigned int i = 0; i < WEFT_FD_CHUNK; i++) {
			weft_fd *entry = &weft_fd_chunks[c][i];

			while (entry->watches) {
				weft_watch *watch = entry->watches;

				entry->watches = watch->next;
				watch->link = NULL;
			}
			entry->registered = false;
			entry->ready = 0;
			entry->generation++;
			if (entry->owner) {
				weft_fd_give_back(entry->owner);
				entry->owner = NULL;
			}
		}
	}
}

void weft_fd_table_free(void)
{
	weft_fd_table_reset();
	for (unsigned int c = 0; c < WEFT_FD_CHUNKS; c++) {
		free(weft_fd_chunks[c]);
		weft_fd_chunks[c] = NULL;
	}
}
