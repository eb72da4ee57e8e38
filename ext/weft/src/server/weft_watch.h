/*
 * Notices that files of the application change, for development: inotify(7) on its directory and those below, but for
 * what is left out.
 */
#ifndef WEFT_WATCH_H
#define WEFT_WATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct weft_watch weft_watch;

/* Watches a directory, or that of a file. `ignore` has patterns of fnmatch(3) between commas: one with a slash is for
 * paths from that directory on, any other one for the names of files and directories, wherever they are. What can't be
 * watched is told by the log. NULL: nothing can. */
weft_watch *weft_watch_new(const char *application, const char *ignore);
void weft_watch_free(weft_watch *self);

/* The application's path may lead elsewhere by now. */
void weft_watch_follow(weft_watch *self);

/* To be read when it has something; -1 without a watch. */
int weft_watch_fd(const weft_watch *self);
void weft_watch_read(weft_watch *self);

/* When to look again whether that was all; 0: nothing has changed. */
uint64_t weft_watch_deadline(const weft_watch *self);
/* What has changed first, from the directory on, when nothing more has for a moment, and forgets it; else NULL. Valid
 * until the next one. */
const char *weft_watch_changed(weft_watch *self, uint64_t now);

#endif /* WEFT_WATCH_H */
