/*
 * A server that was killed leaves its file behind: connect() tells whether anybody listens.
 */
#include "server/weft_unix_socket.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static bool remove_deserted(const struct sockaddr_un *address)
{
	struct stat status;
	if (lstat(address->sun_path, &status) != 0) {
		return errno == ENOENT;
	}
	if (!S_ISSOCK(status.st_mode)) {
		errno = EEXIST;
		return false;
	}
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool deserted = connect(fd, (const struct sockaddr *) address, sizeof(*address)) != 0 && errno == ECONNREFUSED;
	close(fd);
	if (!deserted) {
		errno = EADDRINUSE;
		return false;
	}
	return unlink(address->sun_path) == 0;
}

int weft_unix_socket_open(const char *path, mode_t mode, int backlog)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(address.sun_path, path);
	if (!remove_deserted(&address)) {
		return -1;
	}
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mode_t before = umask(~mode & 0777);
	bool bound = fd >= 0 && bind(fd, (struct sockaddr *) &address, sizeof(address)) == 0;
	umask(before);
	if (bound && listen(fd, backlog) == 0) {
		return fd;
	}
	int error = errno;
	if (fd >= 0) {
		close(fd);
	}
	errno = error;
	return -1;
}

const char *weft_unix_socket_path(int fd)
{
	static struct sockaddr_un address;
	socklen_t length = sizeof(address);
	memset(&address, 0, sizeof(address));
	bool named = getsockname(fd, (struct sockaddr *) &address, &length) == 0 && address.sun_family == AF_UNIX &&
		length > offsetof(struct sockaddr_un, sun_path) && address.sun_path[0] != '\0';
	return named ? address.sun_path : NULL;
}

bool weft_unix_socket_file(int fd, struct stat *file)
{
	const char *path = weft_unix_socket_path(fd);
	return path != NULL && lstat(path, file) == 0 && S_ISSOCK(file->st_mode);
}

void weft_unix_socket_remove(int fd, const struct stat *file)
{
	struct stat now;
	if (weft_unix_socket_file(fd, &now) && now.st_dev == file->st_dev && now.st_ino == file->st_ino) {
		unlink(weft_unix_socket_path(fd));
	}
}

bool weft_unix_socket_send(int socket, struct iovec *parts, size_t count, const int *descriptors, size_t number,
	int flags)
{
	union {
		char bytes[CMSG_SPACE(WEFT_UNIX_SOCKET_DESCRIPTORS * sizeof(int))];
		struct cmsghdr aligned;
	} control = {0};
	struct msghdr message = {.msg_iov = parts,
		.msg_iovlen = count,
		.msg_control = control.bytes,
		.msg_controllen = CMSG_SPACE(number * sizeof(int))};
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
	size_t length = 0;

	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = CMSG_LEN(number * sizeof(int));
	memcpy(CMSG_DATA(rights), descriptors, number * sizeof(int));
	for (size_t i = 0; i < count; i++) {
		length += parts[i].iov_len;
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL | flags) == (ssize_t) length;
}
