/*
 * The kernel walks the path and refuses to leave the directory (openat2() with RESOLVE_BENEATH, Linux 5.6). What it
 * refuses may yet be meant: an absolute link to somewhere below, or a link in the directory itself, as Laravel's
 * public/storage. Then, and where there is no openat2(), the path is opened as it is and the descriptor is asked
 * where it has come to.
 *
 * Why links in the directory itself may lead out: whoever deploys makes them (storage:link, robots.txt, a shared
 * folder of all releases). Files that visitors bring end up in directories below, and a link among those is nobody's
 * intention.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "http/files/weft_file_open.h"

#include "php.h"
#include "reactor/weft_log.h"
#include "reactor/weft_reactor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WAYS (O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
/* The kernel gives up when somebody renames on the way, and says so. */
#define TRIES 3
/* Whether the directory is still the one at its path. */
#define LOOK_EVERY WEFT_NS_PER_SEC
#define TELL_EVERY (60 * WEFT_NS_PER_SEC)

void weft_file_root_set(weft_file_root *root, const char *directory)
{
	size_t length = strlen(directory);

	while (length > 1 && directory[length - 1] == '/') {
		length--;
	}
	weft_file_root_close(root);
	free(root->directory);
	root->directory = strndup(directory, length);
}

void weft_file_root_close(weft_file_root *root)
{
	if (root->directory && root->fd >= 0) {
		close(root->fd);
	}
	root->fd = -1;
}

/* A deployment may put another directory in its place. */
static bool root_open(weft_file_root *root)
{
	uint64_t now = weft_lately();
	struct stat status;

	if (root->fd >= 0 && now < root->looked + LOOK_EVERY) {
		return true;
	}
	root->looked = now;
	if (root->fd >= 0 && stat(root->directory, &status) == 0 && status.st_dev == root->device &&
		status.st_ino == root->inode) {
		return true;
	}
	weft_file_root_close(root);
	root->fd = open(root->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root->fd >= 0 && fstat(root->fd, &status) == 0) {
		root->device = status.st_dev;
		root->inode = status.st_ino;
	}
	return root->fd >= 0;
}

/* --- where a descriptor has come to --- */

static bool real_path(int fd, char path[MAXPATHLEN])
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, MAXPATHLEN - 1);
	path[MAX(length, 0)] = '\0';
	return length > 0;
}

static bool is_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);

	return strncmp(path, directory, length) == 0 &&
		(path[length] == '/' || path[length] == '\0' || (length == 1 && *directory == '/'));
}

static bool is_below_descriptor(const char *path, int directory)
{
	char real[MAXPATHLEN];

	return real_path(directory, real) && is_below(path, real);
}

/* Or below what the path's first name leads to. */
static bool may_be_there(const weft_file_root *root, const char *path, int fd)
{
	char real[MAXPATHLEN], first[NAME_MAX + 1];
	size_t length = strcspn(path, "/");
	bool may = false;
	int directory;

	if (root->any_link || !real_path(fd, real)) {
		return root->any_link;
	}
	if (is_below_descriptor(real, root->fd) || path[length] == '\0') {
		return true;
	}
	snprintf(first, sizeof(first), "%.*s", (int) MIN(length, NAME_MAX), path);
	directory = openat(root->fd, first, O_PATH | O_CLOEXEC);
	if (directory >= 0) {
		may = is_below_descriptor(real, directory);
		close(directory);
	}
	return may;
}

static void tell_of_link(const weft_file_root *root, const char *path)
{
	static uint64_t told;

	if (weft_log_is_due(&told, TELL_EVERY)) {
		weft_log_at("warning",
			"weft: /%s is not sent: a symbolic link on its way leads out of %s. Only links in that directory itself "
			"may (weft.http_links=any sends whatever they lead to)",
			path, root->directory);
	}
}

/* --- opening --- */

static int open_and_compare(const weft_file_root *root, const char *path)
{
	int fd = openat(root->fd, path, O_PATH | O_CLOEXEC), file = -1, error;
	char link[64];

	if (fd < 0) {
		return -1;
	}
	if (may_be_there(root, path, fd)) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		file = open(link, O_RDONLY | WAYS);
		error = errno;
	} else {
		tell_of_link(root, path);
		error = ENOENT;
	}
	close(fd);
	errno = error;
	return file;
}

static int open_beneath(weft_file_root *root, const char *path)
{
	struct open_how how = {.flags = O_RDONLY | WAYS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
	int tries = 0, fd;

	do {
		fd = (int) syscall(SYS_openat2, root->fd, path, &how, sizeof(how));
	} while (fd < 0 && (errno == EINTR || errno == EAGAIN) && ++tries < TRIES);
	if (fd < 0 && (errno == ENOSYS || errno == EPERM)) {
		root->plainly = true; /* an older kernel, or a container that allows what it knows */
	}
	if (fd < 0 && (errno == EXDEV || root->plainly)) {
		return open_and_compare(root, path);
	}
	return fd;
}

/* That this process must not read it is another answer than that it must not look for it. */
static weft_file_found not_open(const weft_file_root *root, const char *path)
{
	struct stat status;

	switch (errno) {
		case EACCES:
		case EPERM:
			return fstatat(root->fd, path, &status, 0) == 0 && S_ISREG(status.st_mode) ? WEFT_FILE_FORBIDDEN
																					   : WEFT_FILE_NONE;
		case EMFILE:
		case ENFILE:
		case ENOMEM: return WEFT_FILE_TROUBLE;
		default: return WEFT_FILE_NONE;
	}
}

/* Requests' paths have none; what an application names may. */
static bool goes_up(const char *path)
{
	for (const char *dots = strstr(path, ".."); dots; dots = strstr(dots + 1, "..")) {
		if ((dots == path || dots[-1] == '/') && (dots[2] == '/' || dots[2] == '\0')) {
			return true;
		}
	}
	return false;
}

weft_file_found weft_file_open(weft_file_root *root, const char *path, int *fd, struct stat *status)
{
	path += *path == '/';
	*fd = -1;
	if (*path == '\0') {
		return WEFT_FILE_DIRECTORY;
	}
	if (goes_up(path) || !root_open(root)) {
		return WEFT_FILE_NONE;
	}
	*fd = root->plainly ? open_and_compare(root, path) : open_beneath(root, path);
	if (*fd < 0) {
		return not_open(root, path);
	}
	if (fstat(*fd, status) == 0 && S_ISREG(status->st_mode)) {
		return WEFT_FILE_IS;
	}
	close(*fd);
	*fd = -1;
	return S_ISDIR(status->st_mode) ? WEFT_FILE_DIRECTORY : WEFT_FILE_NONE;
}
