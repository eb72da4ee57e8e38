/*
 * Which extensions may be left in the middle of a call. A library may keep a user, a lock or a client for the whole
 * process, so nothing is assumed safe: a module is proven (a test or a checked reason stands in the list), guarded (a
 * monitor lets one coroutine in at a time) or never left: its calls block the worker, as under PHP-FPM.
 */
#ifndef WEFT_MODULES_H
#define WEFT_MODULES_H

#include "php.h"

typedef enum { WEFT_MODULE_PROVEN, WEFT_MODULE_GUARDED, WEFT_MODULE_NEVER_LEFT, WEFT_MODULE_KINDS } weft_module_kind;

/* As messages and Weft\Internal\modules() call it: "never left". */
extern const char *const weft_module_kind_names[WEFT_MODULE_KINDS];

/* NULL is the engine's own: proven. */
weft_module_kind weft_module_kind_of(const zend_module_entry *module);
/* Each module that is loaded. */
void weft_modules_each(void (*visit)(const zend_module_entry *module, weft_module_kind kind, void *arg), void *arg);

/* A call of a module that is never left has kept the worker from all else for longer than a time slice. C only. NULL:
 * nobody wants to know. */
extern void (*weft_module_kept_waiting)(const char *module, uint64_t nanoseconds);

/* --- for this folder --- */

/* Exchanges the handler of every function and method of modules that are not proven, where that was not done. */
void weft_module_calls_wrap(void);
/* Before the first. False: the engine has no place left for a word in each function. */
bool weft_module_calls_prepare(void);

/* weft_client_rows.c */
void weft_client_rows_wrap(void);
/* weft_mongodb.c */
void weft_mongodb_rinit(void);
/* APCu's functions that write or call PHP code are replaced (weft_apcu.c). */
void weft_apcu_rinit(void);

/* Module life. */
void weft_modules_minit(void);
/* After dl(). */
void weft_modules_rinit(void);
/* Called when there may be modules that were not there before. C only. NULL: nobody wants to know. */
extern void (*weft_modules_loaded)(void);

#endif /* WEFT_MODULES_H */
