/*
 * The loader tells the directories that it searches for an object, in order: the object's own before or after those
 * of LD_LIBRARY_PATH, then the system's. What is in the caller's list and not in ours are the caller's own. Up to the
 * last of them the list is gone through here; the rest, and the loader's cache, is the same for everybody.
 *
 * Variants for newer processors (glibc-hwcaps) in the caller's own directories are passed over for the plain file.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "interpose/weft_library_path.h"
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Dl_serinfo *search_path_of(struct link_map *object)
{
	Dl_serinfo measure;
	Dl_serinfo *path;

	if (dlinfo(object, RTLD_DI_SERINFOSIZE, &measure) != 0 || !(path = malloc(measure.dls_size))) {
		return NULL;
	}
	if (dlinfo(object, RTLD_DI_SERINFOSIZE, path) != 0 || dlinfo(object, RTLD_DI_SERINFO, path) != 0) {
		free(path);
		return NULL;
	}
	return path;
}

static bool searches(const Dl_serinfo *path, const char *directory)
{
	for (unsigned int i = 0; i < path->dls_cnt; i++) {
		if (strcmp(path->dls_serpath[i].dls_name, directory) == 0) {
			return true;
		}
	}
	return false;
}

static char *find_in(const Dl_serinfo *path, unsigned int count, const char *name)
{
	for (unsigned int i = 0; i < count; i++) {
		char *file;
		if (asprintf(&file, "%s/%s", path->dls_serpath[i].dls_name, name) < 0) {
			return NULL;
		}
		if (access(file, R_OK) == 0) {
			return file;
		}
		free(file);
	}
	return NULL;
}

static struct link_map *object_at(const void *address)
{
	struct link_map *object;
	Dl_info unused;

	return dladdr1(address, &unused, (void **) &object, RTLD_DL_LINKMAP) ? object : NULL;
}

char *weft_library_of_caller(const char *name, const void *caller)
{
	struct link_map *object, *self;
	char *found = NULL;

	if (!name || !*name || strchr(name, '/') || !(object = object_at(caller)) ||
		!(self = object_at(weft_library_of_caller))) {
		return NULL;
	}
	Dl_serinfo *path = search_path_of(object), *our_path = search_path_of(self);
	if (path && our_path) {
		unsigned int count = path->dls_cnt;
		while (count > 0 && searches(our_path, path->dls_serpath[count - 1].dls_name)) {
			count--;
		}
		found = find_in(path, count, name);
	}
	free(path);
	free(our_path);
	return found;
}
