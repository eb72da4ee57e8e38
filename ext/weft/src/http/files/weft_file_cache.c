/*
 * Open files, the one used last first. Each use asks the descriptor for its size and time, so what is told of a file
 * is true of the bytes that follow, and notices when the file has no name any more: it was deleted, or another has
 * taken its place. What does not show there (it was moved away, it may not be read any more, a link leads elsewhere)
 * shows when the path is looked at, after weft.http_file_check_ms.
 *
 * That there is no file is not kept: the next upload may be it.
 */
#include "http/weft_http_internal.h"
#include "http/files/weft_file_cache.h"
#include "http/files/weft_file_types.h"
#include "http/weft_text.h"
#include "interpose/weft_descriptors.h"

#include <fcntl.h>
#include <sys/select.h>
#include <unistd.h>

/* A power of 2. */
#define BUCKETS 1024
/* Each has its descriptor: no more than the how manieth part of all. */
#define PART_OF_DESCRIPTORS 16
/* One that nobody asks for keeps its place on the disk when it is deleted. */
#define UNUSED_FOR (10 * WEFT_NS_PER_SEC)
/* A file that was changed so lately may change once more without its time or size showing it: its tag is weak. */
#define MAY_CHANGE_UNSEEN 2
/* An answer needs a file and those beside it. */
#define FEWEST (2 * (WEFT_CODINGS + 1))

static struct {
	weft_file *buckets[BUCKETS];
	weft_file *freshest, *stalest;
	uint32_t count, most;
	uint64_t check;
	weft_file_cache_rule rule;
	weft_timer look;
	bool moves; /* there are numbers enough */
} cache;

static const char *const endings[WEFT_CODINGS] = {
	[WEFT_CODING_BR] = ".br",
	[WEFT_CODING_ZSTD] = ".zst",
	[WEFT_CODING_GZIP] = ".gz",
};

/* --- its lists --- */

static void list_leave(weft_file *file)
{
	*(file->fresher ? &file->fresher->staler : &cache.freshest) = file->staler;
	*(file->staler ? &file->staler->fresher : &cache.stalest) = file->fresher;
}

static void list_enter(weft_file *file)
{
	file->fresher = NULL;
	file->staler = cache.freshest;
	*(cache.freshest ? &cache.freshest->fresher : &cache.stalest) = file;
	cache.freshest = file;
}

static void drop(weft_file *file)
{
	weft_file **link = &cache.buckets[file->hash % BUCKETS];

	while (*link != file) {
		link = &(*link)->same;
	}
	*link = file->same;
	list_leave(file);
	cache.count--;
	close(file->fd);
	free(file->path);
	free(file);
}

void weft_file_cache_trim(void)
{
	uint64_t now = weft_now();

	while (cache.stalest && cache.stalest->used + UNUSED_FOR <= now) {
		drop(cache.stalest);
	}
	if (cache.stalest) {
		weft_timer_arm(&cache.look, cache.stalest->used + UNUSED_FOR);
	}
}

static void look_fired(weft_timer *timer)
{
	weft_file_cache_trim();
}

/* --- what is told of a file --- */

void weft_file_etag(char etag[WEFT_ETAG_LONGEST], time_t modified, uint64_t size, const char *coding)
{
	snprintf(etag, WEFT_ETAG_LONGEST, "%s\"%llx-%llx%s%s\"", time(NULL) - modified < MAY_CHANGE_UNSEEN ? "W/" : "",
		(unsigned long long) modified, (unsigned long long) size, coding ? "-" : "", coding ? coding : "");
}

static void note_status(weft_file *file, const struct stat *status)
{
	file->size = (uint64_t) status->st_size;
	if (file->modified != status->st_mtim.tv_sec || file->modified_ns != status->st_mtim.tv_nsec || !file->date[0]) {
		file->modified = status->st_mtim.tv_sec;
		file->modified_ns = status->st_mtim.tv_nsec;
		file->codings_known = false;
		weft_http_date_write(file->date, file->modified);
	}
}

/* Whether it is what it was, as far as its descriptor tells; which an application may have closed by its number. */
static bool still_has_a_name(weft_file *file)
{
	struct stat status;

	if (fstat(file->fd, &status) != 0 || status.st_nlink == 0 || status.st_ino != file->inode ||
		status.st_dev != file->device) {
		return false;
	}
	note_status(file, &status);
	return true;
}

/* --- finding --- */

static weft_file *find(const char *path, zend_ulong hash)
{
	weft_file *file = cache.buckets[hash % BUCKETS];

	while (file && (file->hash != hash || strcmp(file->path, path) != 0)) {
		file = file->same;
	}
	return file;
}

/* The low numbers are for those that an application may give to select(). */
static int out_of_the_way(int fd)
{
	int moved = fd < FD_SETSIZE && cache.moves ? fcntl(fd, F_DUPFD_CLOEXEC, FD_SETSIZE) : -1;

	if (moved < 0) {
		return fd;
	}
	close(fd);
	return moved;
}

static weft_file *add(const char *path, zend_ulong hash, int fd, const struct stat *status)
{
	weft_file *file = pecalloc(1, sizeof(*file), 1);

	if (cache.count >= cache.most) {
		drop(cache.stalest);
	}
	file->fd = out_of_the_way(fd);
	file->path = pestrdup(path, 1);
	file->hash = hash;
	file->device = status->st_dev;
	file->inode = status->st_ino;
	file->type = weft_file_type(path);
	file->cache_control = cache.rule ? cache.rule(path) : NULL;
	note_status(file, status);
	file->same = cache.buckets[hash % BUCKETS];
	cache.buckets[hash % BUCKETS] = file;
	list_enter(file);
	cache.count++;
	return file;
}

/* The path is looked at: the same file again, or another one, or none. */
static weft_file_found look_at_path(weft_file_root *root, const char *path, zend_ulong hash, weft_file **file,
	uint64_t now)
{
	struct stat status;
	int fd;
	weft_file_found found = weft_file_open(root, path, &fd, &status);

	if (*file && found == WEFT_FILE_IS && status.st_dev == (*file)->device && status.st_ino == (*file)->inode) {
		close(fd);
		note_status(*file, &status);
	} else {
		if (*file) {
			drop(*file);
			*file = NULL;
		}
		if (found != WEFT_FILE_IS) {
			return found;
		}
		*file = add(path, hash, fd, &status);
	}
	(*file)->checked = now;
	(*file)->codings_known = false;
	return WEFT_FILE_IS;
}

weft_file_found weft_file_cache_get(weft_file_root *root, const char *path, weft_file **file)
{
	zend_ulong hash = zend_inline_hash_func(path, strlen(path));
	uint64_t now = weft_lately();

	*file = find(path, hash);
	if (!*file || now >= (*file)->checked + cache.check || !still_has_a_name(*file)) {
		weft_file_found found = look_at_path(root, path, hash, file, now);
		if (found != WEFT_FILE_IS) {
			return found;
		}
	}
	(*file)->used = now;
	if (cache.freshest != *file) {
		list_leave(*file);
		list_enter(*file);
	}
	if (!weft_timer_armed(&cache.look)) {
		weft_timer_arm(&cache.look, now + UNUSED_FOR);
	}
	return WEFT_FILE_IS;
}

/* --- beside it --- */

static weft_file *beside(weft_file_root *root, const weft_file *file, weft_coding coding)
{
	char path[MAXPATHLEN];
	weft_file *coded;

	if (snprintf(path, sizeof(path), "%s%s", file->path, endings[coding]) >= (int) sizeof(path) ||
		weft_file_cache_get(root, path, &coded) != WEFT_FILE_IS) {
		return NULL;
	}
	/* one that is older was made of something else */
	return coded->modified > file->modified ||
			(coded->modified == file->modified && coded->modified_ns >= file->modified_ns)
		? coded
		: NULL;
}

void weft_file_cache_codings(weft_file_root *root, weft_file *file)
{
	for (int i = 0; i < WEFT_CODINGS && !file->codings_known; i++) {
		file->codings[i] = beside(root, file, (weft_coding) i) != NULL;
	}
	file->codings_known = true;
}

weft_file *weft_file_cache_coded(weft_file_root *root, const weft_file *file, weft_coding coding)
{
	return beside(root, file, coding);
}

/* --- life --- */

void weft_file_cache_init(const weft_file_cache_limits *limits, weft_file_cache_rule rule)
{
	uint32_t descriptors = weft_descriptors_limit();

	cache.most = MAX(FEWEST, MIN(limits->most, descriptors / PART_OF_DESCRIPTORS));
	cache.moves = descriptors > 2 * FD_SETSIZE;
	cache.check = limits->check_ms * WEFT_NS_PER_MS;
	cache.rule = rule;
	cache.look.fire = look_fired;
}

void weft_file_cache_free(void)
{
	while (cache.stalest) {
		drop(cache.stalest);
	}
	weft_timer_disarm(&cache.look);
}
