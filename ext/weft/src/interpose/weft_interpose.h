/*
 * Interposition: the libc calls that block, replaced in the import tables of the PHP binary and of every
 * object loaded into it except libc, the loader and this extension.
 */
#ifndef WEFT_INTERPOSE_H
#define WEFT_INTERPOSE_H

#include <stdbool.h>
#include <stddef.h>

/* Patches every object loaded now; objects that dlopen() brings later are patched as they come. Idempotent.
 * Called at the scheduler's start and by the server; nothing is patched in a process that never uses a
 * coroutine. Returns false with a PHP warning when a table could not be made writable. */
bool weft_interpose_install(void);
/* Puts every patched word back. */
void weft_interpose_remove(void);
bool weft_interpose_installed(void);

/* For the extension's own code, whose calls are not replaced: the kernel has just handed out this number
 * (accept4, socket, pipe2 …). Whatever the reactor remembers under it is about a descriptor that is gone; another
 * thread or libc itself may have closed it unseen. To be called before the number's first weft_watch_add(). */
void weft_fd_fresh(int fd);

/* A server's process: closing descriptors 0 to 2 does nothing, or the next connection would get such a number, and
 * with it the log lines and error messages that are written there. */
extern bool weft_keep_standard_descriptors;

/* What the application writes to standard error, on descriptor 2 or a duplicate of it: what to write in its place,
 * malloc()ed; NULL: nothing now. NULL as a function: all goes through as it is. */
extern char *(*weft_standard_error)(const char *data, size_t size, size_t *length);

/* Module life: registers Weft\Internal\interposition(). */
void weft_interpose_minit(void);
void weft_interpose_mshutdown(void);
/* At the first request: wraps stream_select(). */
void weft_interpose_rinit(void);
/* Drops what calls remembered on the stacks of coroutines. After weft_coroutine_rshutdown(). */
void weft_interpose_rshutdown(void);

/* While on, the PHP binary's mmap/mprotect/munmap of a fiber stack are answered from the stack pool. */
extern bool weft_stack_pool_armed;

#endif /* WEFT_INTERPOSE_H */
