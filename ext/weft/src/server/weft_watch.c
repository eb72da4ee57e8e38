/*
 * A directory has a watch of its own, since inotify doesn't look below. Links to directories are not followed.
 */
#include "server/weft_watch.h"
#include "server/weft_process.h"

#include "php.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* An editor writes and renames, a tool many files: that is one change. A long series of them is none to wait for. */
#define QUIET_MS 40
#define LONGEST_WAIT_MS 400
/* How often to look for a root that is gone. */
#define LOOK_MS 250

#define CHANGES (IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
#define SEEN (CHANGES | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW)

struct weft_watch {
	int fd;
	char *application, *root, *ignore;
	HashTable directories; /* by watch: the path from the root on, "" for itself */
	bool incomplete;       /* and told so */
	bool lost;             /* the root is gone, or has another name: another one may come in its place */
	uint64_t since;        /* the first change that has not been reported; 0: none */
	uint64_t due;
	char changed[PATH_MAX], reported[PATH_MAX];
};

static bool is_ignored(const weft_watch *self, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *end;
	char pattern[NAME_MAX + 1];
	for (const char *next = self->ignore; *next != '\0'; next = *end != '\0' ? end + 1 : end) {
		end = next + strcspn(next, ",");
		snprintf(pattern, sizeof(pattern), "%.*s", (int) (end - next), next);
		bool whole = strchr(pattern, '/') != NULL;
		if (fnmatch(pattern, whole ? path : name, whole ? FNM_PATHNAME : 0) == 0) {
			return true;
		}
	}
	return false;
}

/* "" and "a" make "a", "a" and "b" make "a/b". False: too long for any path. */
static bool join(char to[PATH_MAX], const char *directory, const char *name)
{
	int length = snprintf(to, PATH_MAX, "%s%s%s", directory, *directory != '\0' ? "/" : "", name);
	return length > 0 && length < PATH_MAX;
}

static void tell_incomplete(weft_watch *self, const char *path)
{
	if (self->incomplete) {
		return;
	}
	self->incomplete = true;
	if (errno == ENOSPC) {
		weft_process_say(
			"--watch: changes below %s/%s and in some other directories are not noticed: this user has no more "
			"watches. Raise the limit, as by: sysctl fs.inotify.max_user_watches=524288",
			self->root, path);
	} else {
		weft_process_say("--watch: changes below %s/%s are not noticed: %s", self->root, path, strerror(errno));
	}
}

static bool is_directory(int parent, const struct dirent *entry)
{
	struct stat about;
	if (entry->d_type != DT_UNKNOWN) {
		return entry->d_type == DT_DIR;
	}
	return fstatat(parent, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode);
}

static void list_those_below(const weft_watch *self, const char *whole, const char *path, zend_ptr_stack *found)
{
	DIR *directory = opendir(whole);
	const struct dirent *entry;
	char below[PATH_MAX];
	while (directory != NULL && (entry = readdir(directory)) != NULL) {
		bool itself = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
		if (!itself && is_directory(dirfd(directory), entry) && join(below, path, entry->d_name) &&
			!is_ignored(self, below)) {
			zend_ptr_stack_push(found, estrdup(below));
		}
	}
	if (directory != NULL) {
		closedir(directory);
	}
}

static void add_one(weft_watch *self, const char *path, zend_ptr_stack *found)
{
	char whole[PATH_MAX];
	if (!join(whole, self->root, path)) {
		return;
	}
	int number = inotify_add_watch(self->fd, whole, SEEN);
	if (number >= 0) {
		zend_hash_index_update_ptr(&self->directories, (zend_ulong) number, pestrdup(path, 1));
		list_those_below(self, whole, path, found);
	} else if (errno != ENOENT && errno != ENOTDIR) {
		tell_incomplete(self, path);
	}
}

/* And all below it, however deep they are. */
static void add_directory(weft_watch *self, const char *path)
{
	zend_ptr_stack found;
	zend_ptr_stack_init(&found);
	add_one(self, path, &found);
	while (zend_ptr_stack_num_elements(&found) > 0) {
		char *next = zend_ptr_stack_pop(&found);
		add_one(self, next, &found);
		efree(next);
	}
	zend_ptr_stack_destroy(&found);
}

static void directory_free(zval *path)
{
	pefree(Z_PTR_P(path), 1);
}

static char *root_of(const char *application)
{
	char *path = realpath(application, NULL);
	struct stat about;
	if (path != NULL && stat(path, &about) == 0 && !S_ISDIR(about.st_mode)) {
		char *slash = strrchr(path, '/');
		slash[slash == path] = '\0'; /* what lies in the root directory is in "/" */
	}
	return path;
}

/* What is watched until now is forgotten. */
static bool watch_root(weft_watch *self, char *root)
{
	if (self->fd >= 0) {
		close(self->fd);
	}
	free(self->root);
	zend_hash_clean(&self->directories);
	self->root = root;
	self->lost = false;
	self->fd = root != NULL ? inotify_init1(IN_NONBLOCK | IN_CLOEXEC) : -1;
	if (self->fd < 0) {
		return false;
	}
	add_directory(self, "");
	return true;
}

weft_watch *weft_watch_new(const char *application, const char *ignore)
{
	weft_watch *self = pecalloc(1, sizeof(*self), 1);
	zend_hash_init(&self->directories, 64, NULL, directory_free, 1);
	self->ignore = pestrdup(ignore, 1);
	self->application = pestrdup(application, 1);
	self->fd = -1;
	if (!watch_root(self, root_of(application))) {
		weft_process_say("--watch: changes are not noticed: %s%s", strerror(errno),
			errno == EMFILE ? ". This user has no more inotify instances. Raise the limit, as by: sysctl "
							  "fs.inotify.max_user_instances=1024"
							: "");
		weft_watch_free(self);
		return NULL;
	}
	return self;
}

void weft_watch_follow(weft_watch *self)
{
	char *root = self != NULL ? root_of(self->application) : NULL;
	if (root != NULL && (self->lost || strcmp(root, self->root) != 0)) {
		watch_root(self, root);
	} else {
		free(root);
	}
}

void weft_watch_free(weft_watch *self)
{
	if (self == NULL) {
		return;
	}
	if (self->fd >= 0) {
		close(self->fd);
	}
	zend_hash_destroy(&self->directories);
	free(self->root);
	pefree(self->application, 1);
	pefree(self->ignore, 1);
	pefree(self, 1);
}

int weft_watch_fd(const weft_watch *self)
{
	return self != NULL ? self->fd : -1;
}

/* --- changes --- */

static void note(weft_watch *self, const char *path)
{
	uint64_t now = weft_process_now();
	if (self->since == 0) {
		self->since = now;
		snprintf(self->changed, sizeof(self->changed), "%s", path);
	}
	self->due = MIN(now + QUIET_MS, self->since + LONGEST_WAIT_MS);
}

static void handle(weft_watch *self, const struct inotify_event *event)
{
	const char *directory = zend_hash_index_find_ptr(&self->directories, (zend_ulong) event->wd);
	char path[PATH_MAX];
	if (event->mask & IN_Q_OVERFLOW) {
		/* more has changed than the kernel could tell: directories, too, perhaps */
		add_directory(self, "");
		note(self, "more than can be told");
	} else if ((event->mask & (IN_IGNORED | IN_MOVE_SELF)) && directory != NULL && *directory == '\0') {
		self->lost = true;
		note(self, "the directory of the application");
	} else if (event->mask & IN_IGNORED) {
		zend_hash_index_del(&self->directories, (zend_ulong) event->wd);
	} else if (directory != NULL && event->len > 0 && join(path, directory, event->name) && !is_ignored(self, path)) {
		if ((event->mask & IN_ISDIR) && (event->mask & (IN_CREATE | IN_MOVED_TO))) {
			add_directory(self, path);
		}
		note(self, path);
	}
}

void weft_watch_read(weft_watch *self)
{
	char buffer[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
	ssize_t got;
	while ((got = read(self->fd, buffer, sizeof(buffer))) > 0) {
		const struct inotify_event *event;
		for (char *at = buffer; at < buffer + got; at += sizeof(*event) + event->len) {
			event = (const struct inotify_event *) at;
			handle(self, event);
		}
	}
}

uint64_t weft_watch_deadline(const weft_watch *self)
{
	return self != NULL ? self->due : 0;
}

const char *weft_watch_changed(weft_watch *self, uint64_t now)
{
	if (self == NULL || self->due == 0 || now < self->due) {
		return NULL;
	}
	if (self->lost) {
		weft_watch_follow(self);
	}
	if (self->lost) {
		self->due = now + LOOK_MS;
		return NULL;
	}
	self->due = self->since = 0;
	memcpy(self->reported, self->changed, sizeof(self->reported));
	return self->reported;
}
