/*
 * What opens a file. A request has a limit of descriptors, and open() of a FIFO waits for its other end.
 *
 * To read, the FIFO is opened with O_NONBLOCK, which lets a writer's open() go on as a reader that waits in the kernel
 * does. Then the coroutine waits for the first writer: poll(2) tells of one that has written or left, tee(2) of one
 * that is there and silent (nothing is read). To write, O_NONBLOCK fails until there is a reader: so try again, as for
 * locks. No thread waits anywhere, so there may be any number, and whoever is cancelled leaves nothing behind.
 *
 * Devices whose open() waits (a serial line without a carrier) still hold up everybody, as under PHP-FPM.
 */
#include "interpose/weft_calls.h"
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef PIPEFS_MAGIC
#define PIPEFS_MAGIC 0x50495045
#endif

/* Longest pause between two looks for a silent writer; one that writes wakes the reader at once. */
#define SILENT_WRITER_NS (100 * WEFT_NS_PER_MS)

typedef struct {
	int directory;
	const char *path;
	int flags;
	mode_t mode;
} opening;

/* --- FIFOs --- */

static bool may_be_fifo(int flags)
{
	return !(flags & (O_NONBLOCK | O_PATH | O_DIRECTORY)) && (flags & O_ACCMODE) != O_RDWR &&
		(flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
}

static bool is_fifo(const opening *what)
{
	struct stat status;
	int error = errno;
	bool fifo = may_be_fifo(what->flags) &&
		fstatat(what->directory, what->path, &status, what->flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0) == 0 &&
		S_ISFIFO(status.st_mode);

	errno = error;
	return fifo;
}

static int open_plainly(const opening *what, int more_flags)
{
	return openat(what->directory, what->path, what->flags | more_flags, what->mode);
}

/* A pipe without a name, by way of /proc: its open() waits for nobody. */
static bool is_nameless(int fd)
{
	struct statfs system;

	return fstatfs(fd, &system) == 0 && system.f_type == PIPEFS_MAGIC;
}

/* Where tee() would copy to. Its only byte is taken out again. */
static bool has_silent_writer(int fd)
{
	static int copies[2] = {-1, -1};
	ssize_t copied;
	char byte;

	if (copies[1] < 0 && pipe2(copies, O_NONBLOCK | O_CLOEXEC) != 0) {
		return true; /* it would be wrong to wait for ever */
	}
	copied = tee(fd, copies[1], 1, SPLICE_F_NONBLOCK);
	if (copied > 0 && read(copies[0], &byte, 1) < 0) {
		copied = -1;
	}
	return copied != 0;
}

static bool had_writer(int fd)
{
	struct pollfd one = {.fd = fd, .events = POLLIN};

	return poll(&one, 1, 0) != 0 || has_silent_writer(fd);
}

/* Returns 0 or an errno. */
static int await_writer(int fd)
{
	uint64_t pause = WEFT_RETRY_FIRST_NS;

	while (!had_writer(fd)) {
		int error = weft_wait_fd(fd, WEFT_IN, weft_deadline_in(pause), "open");

		if (error != EAGAIN) {
			return error;
		}
		pause = MIN(pause * 2, SILENT_WRITER_NS);
	}
	return 0;
}

static int give_up(int fd, int error)
{
	if (error != EBADF) {
		weft_call_close(fd);
	}
	errno = error;
	return -1;
}

static int open_to_read(const opening *what)
{
	int fd = open_plainly(what, O_NONBLOCK), error;

	if (fd < 0) {
		return -1;
	}
	weft_opened(fd, false);
	error = is_nameless(fd) ? 0 : await_writer(fd);
	return error == 0 ? fd : give_up(fd, error);
}

static int open_to_write(const opening *what)
{
	uint64_t pause = 0;
	int fd;

	while ((fd = open_plainly(what, O_NONBLOCK)) < 0) {
		int error = errno == ENXIO ? weft_wait_retry(&pause, WEFT_NO_DEADLINE, "open", false) : errno;

		if (error != 0) {
			errno = error;
			return -1;
		}
	}
	weft_opened(fd, false);
	return fd;
}

static int open_fifo(const opening *what)
{
	int saved_errno = errno;
	int fd = (what->flags & O_ACCMODE) == O_RDONLY ? open_to_read(what) : open_to_write(what);

	if (fd >= 0) {
		/* nobody has asked for that mode */
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
		errno = saved_errno;
	}
	return fd;
}

/* --- the calls --- */

static int open_it(opening what)
{
	int fd;

	if (!weft_may_open(1)) {
		return -1;
	}
	if (weft_may_wait() && is_fifo(&what)) {
		return open_fifo(&what);
	}
	fd = open_plainly(&what, 0);
	weft_opened(fd, what.flags & O_NONBLOCK);
	return fd;
}

#define HAS_MODE(flags) ((flags) &O_CREAT || ((flags) &O_TMPFILE) == O_TMPFILE)

int weft_call_open(const char *path, int flags, ...)
{
	va_list list;

	va_start(list, flags);
	mode_t mode = HAS_MODE(flags) ? va_arg(list, mode_t) : 0;
	va_end(list);
	return open_it((opening){AT_FDCWD, path, flags, mode});
}

int weft_call_openat(int directory, const char *path, int flags, ...)
{
	va_list list;

	va_start(list, flags);
	mode_t mode = HAS_MODE(flags) ? va_arg(list, mode_t) : 0;
	va_end(list);
	return open_it((opening){directory, path, flags, mode});
}

int weft_call_openat_2(int directory, const char *path, int flags)
{
	if (HAS_MODE(flags)) {
		weft_fortify_failed();
	}
	return open_it((opening){directory, path, flags, 0});
}

int weft_call_open_2(const char *path, int flags)
{
	return weft_call_openat_2(AT_FDCWD, path, flags);
}

int weft_call_creat(const char *path, mode_t mode)
{
	return open_it((opening){AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode});
}

int weft_call_mkstemp(char *pattern)
{
	int fd = weft_may_open(1) ? mkstemp(pattern) : -1;

	weft_opened(fd, false);
	return fd;
}

static int flags_of(const char *mode)
{
	int flags = *mode == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | (*mode == 'a' ? O_APPEND : O_TRUNC);

	if (strchr(mode, '+')) {
		flags = (flags & ~O_ACCMODE) | O_RDWR;
	}
	return flags | (strchr(mode, 'e') ? O_CLOEXEC : 0) | (strchr(mode, 'x') ? O_EXCL : 0);
}

static FILE *fopen_fifo(const opening *what, const char *mode)
{
	int fd = open_fifo(what);
	FILE *file = fd >= 0 ? fdopen(fd, mode) : NULL;

	if (fd >= 0 && !file) {
		give_up(fd, errno);
	}
	return file;
}

FILE *weft_call_fopen(const char *path, const char *mode)
{
	opening what = {AT_FDCWD, path, flags_of(mode), 0666};

	if (!weft_may_open(1)) {
		return NULL;
	}
	if (weft_may_wait() && is_fifo(&what)) {
		return fopen_fifo(&what, mode);
	}
	FILE *file = fopen(path, mode);
	if (file) {
		weft_opened(fileno(file), false);
	}
	return file;
}

DIR *weft_call_opendir(const char *path)
{
	DIR *directory = weft_may_open(1) ? opendir(path) : NULL;

	if (directory) {
		weft_opened(dirfd(directory), false);
	}
	return directory;
}

int weft_call_closedir(DIR *directory)
{
	weft_fd_closing(directory ? dirfd(directory) : -1);
	return closedir(directory);
}
