/*
 * Variables of PHP's program that no header names, found by what public functions make of them.
 */
#ifndef WEFT_PROGRAM_H
#define WEFT_PROGRAM_H

#include "php.h"

/* Of functions that look at such places: between variables there is what nobody may read, says AddressSanitizer. */
#ifdef __SANITIZE_ADDRESS__
#define WEFT_READS_ALL __attribute__((no_sanitize("address"), noinline))
#else
#define WEFT_READS_ALL
#endif

/* The first place of that size of which `is_it` says so; NULL: there is none. */
void *weft_program_find(size_t size, bool (*is_it)(void *place));
/* The pointer that `set`, which may call PHP's functions, makes of NULL. Each of which this is so is asked. */
void **weft_program_find_pointer(void (*set)(void), bool (*is_it)(void **place));

#endif /* WEFT_PROGRAM_H */
