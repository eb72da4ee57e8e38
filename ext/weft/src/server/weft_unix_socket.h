/*
 * Listening sockets that have a name in the file system, and descriptors that are sent through others.
 */
#ifndef WEFT_UNIX_SOCKET_H
#define WEFT_UNIX_SOCKET_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* Opens one, with this mode from its first moment on, in place of one on which nobody listens any more. Returns -1 with
 * errno: EADDRINUSE while somebody listens there, EEXIST where something else has the name, ENAMETOOLONG beyond 107
 * bytes. */
int weft_unix_socket_open(const char *path, mode_t mode, int backlog);
/* The path of a listening socket, or NULL when it has none. Static memory. */
const char *weft_unix_socket_path(int fd);
/* Which file that is now; false when there is none. */
bool weft_unix_socket_file(int fd, struct stat *file);
/* Takes its name away, if that is still this file's: another server may have one there since. Nobody connects from
 * then on; who has connected is still accepted. */
void weft_unix_socket_remove(int fd, const struct stat *file);

/* More than any message has. */
#define WEFT_UNIX_SOCKET_DESCRIPTORS 4
/* Sends these parts in one message, and the descriptors with it (SCM_RIGHTS). False with errno, or when it went in
 * part. */
bool weft_unix_socket_send(int socket, struct iovec *parts, size_t count, const int *descriptors, size_t number,
	int flags);

#endif /* WEFT_UNIX_SOCKET_H */
