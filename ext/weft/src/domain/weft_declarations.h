/*
 * Who declares functions, classes and constants, and who loads files: what leads to tables of a domain's own
 * (weft_tables.h).
 */
#ifndef WEFT_DECLARATIONS_H
#define WEFT_DECLARATIONS_H

#include "weft_compat.h"
#include "php.h"

/* weft_declarations.c: instructions and functions that declare. */
void weft_declarations_rinit(void);
/* weft_cached_closures.c */
void weft_cached_closures_rinit(void);

/* weft_compiling.c: what is declared when code has been compiled. */
void weft_compiling_rinit(void);
void weft_compiling_forget(void);

/* weft_c_files.c: the list of included files. */
void weft_c_files_minit(void);
void weft_c_files_rinit(void);
/* Before a file is loaded: tells its path from those before. */
void weft_c_files_notice(void);
/* Around weft_tables_new(): the domain's own paths move from the base's list to its own. */
void weft_c_files_part(void);
void weft_c_files_join(void);

/* weft_opcache.c */
void weft_opcache_rinit(void);
/* Code is about to be compiled. */
void weft_opcache_time_goes_on(void);

/* What an autoloader's file declares stays for all, as the class does. */
static inline bool weft_in_autoloader(void)
{
	return weft_autoloading_count() > 0;
}

#endif /* WEFT_DECLARATIONS_H */
