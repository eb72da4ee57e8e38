/*
 * Import tables: finds every word through which a loaded object calls a libc function, and puts another address
 * there. Knows ELF, and nothing of what is replaced by what.
 */
#ifndef WEFT_GOT_H
#define WEFT_GOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	const char *name; /* of the libc function */
	void *replacement;
	bool not_of_libc;        /* but of another library, whose own calls stay as they are */
	uint32_t words;          /* how many hold the replacement now */
	_Atomic(void *) address; /* what the name means to the program; NULL: nothing yet */
} weft_replacement;

/* Patches every object that is loaded and not yet patched. `table` must stay; it gets sorted. Cheap when nothing
 * was loaded since the last time. Any thread. Returns false when a table could not be made writable; the object's
 * name is then in weft_got_failed_object(). */
bool weft_got_patch(weft_replacement *table, size_t count);
const char *weft_got_failed_object(void);
/* What a look-up by name is to answer: the replacement when the address is libc's function of that name, else the
 * address itself. */
void *weft_got_replacement(const char *name, void *address);
bool weft_got_replaces(const char *name);
/* Puts back every word that still holds a replacement. */
void weft_got_restore(void);
/* Writes into the data of a loaded object, which may be read-only after relocation. False when it can't. */
bool weft_got_write(void *to, const void *from, size_t size);
uint32_t weft_got_objects(void);
uint32_t weft_got_words(void);
/* In a child of fork(): another thread of the parent may have been at work. */
void weft_got_after_fork(void);

#endif /* WEFT_GOT_H */
