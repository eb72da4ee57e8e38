/*
 * PHP functions of other modules that are replaced by functions of ours, which call them.
 */
#ifndef WEFT_WRAP_H
#define WEFT_WRAP_H

#include "php.h"

/* Puts the handler in the place of that of a function, or of a method when there is a class (in lower case); returns the
 * one before, or NULL when there is none. From the first RINIT only: at MINIT modules that are loaded later have none of
 * their functions yet. Who belongs to a loaded module, was not disabled and is missing is noted. */
zif_handler weft_wrap(const char *module, const char *class_name, const char *name, zif_handler handler);
/* Says in one line what was noted. */
void weft_wrap_report(void);

#endif /* WEFT_WRAP_H */
