/*
 * Where dlopen() looks for a bare name depends on who calls: first in the directories that the caller's own file
 * names (DT_RPATH, DT_RUNPATH). A call that comes through us would look in ours.
 */
#ifndef WEFT_LIBRARY_PATH_H
#define WEFT_LIBRARY_PATH_H

/* The file that the object with this code address would load by the name, when it lies in a directory that only that
 * object searches: a path to be freed. NULL when an ordinary look-up finds the same. */
char *weft_library_of_caller(const char *name, const void *caller);

#endif /* WEFT_LIBRARY_PATH_H */
