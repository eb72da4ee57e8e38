/*
 * PHP functions of other modules that are replaced by functions of ours, which call them.
 */
#ifndef WEFT_WRAP_H
#define WEFT_WRAP_H

#include "php.h"

/* All from the first RINIT only, but for functions of the core: at MINIT modules that are loaded later have none of
 * their functions yet. */

/* A function, or a method when there is a class; names are in lower case. NULL: there is none, and when its module is
 * loaded and it was not disabled, that is noted. */
zend_function *weft_wrap_find(const char *module, const char *class_name, const char *name);
/* Puts the handler in the place of the function's; returns the one before, or NULL when it has none, or has this. */
zif_handler weft_wrap_function(zend_function *function, zif_handler handler);
/* Both; a method's copies in classes that extend its class get the handler as well. */
zif_handler weft_wrap(const char *module, const char *class_name, const char *name, zif_handler handler);
/* Says in one line what was noted. */
void weft_wrap_report(void);

#endif /* WEFT_WRAP_H */
