/*
 * What PHP keeps for one of its requests, the engine's tables, global variables, objects, resources, and what the
 * collector watches. Classic mode gives a domain all of it, so a script runs there as it does
 * under PHP-FPM: from nothing. Few pointers lead to it, so a switch exchanges those.
 *
 * The memory is PHP's one heap, shared by all requests: modules keep memory in C globals from one request to the next,
 * which a heap of a request's own would take away from under them. So the end frees all values one by one.
 */
#ifndef WEFT_PHP_REQUEST_H
#define WEFT_PHP_REQUEST_H

#include "php.h"

typedef struct weft_php_request weft_php_request;

/* Of the domain in place; NULL: it has none. */
extern weft_php_request *weft_php_request_in_place;

/* As PHP begins one. The base must be in place. */
weft_php_request *weft_php_request_new(void);
void weft_php_request_enter(weft_php_request *request);
void weft_php_request_leave(weft_php_request *request);

/* In place: the destructors of all its objects, in PHP's order. Runs PHP code. */
void weft_php_request_destruct(void);
/* After a fatal error, before the coroutine whose frames hold the globals goes on: the values move into the table. */
void weft_php_request_detach_globals(void);
/* In place: no destructor is called any more, and resources are closed, which may run PHP code: `closed` is called
 * after each, and sees its exception. False: there were none. */
bool weft_php_request_close(void (*closed)(void));
/* Then: frees all values and objects, and runs no PHP code. A second time does what is left after a fatal error in the
 * first. */
void weft_php_request_empty(void);
/* At the process's end, outside of any: closes the resources that fatal errors have left, and runs no PHP code. */
void weft_php_request_close_silently(void);
/* Not in place, and empty. */
void weft_php_request_free(weft_php_request *request);

/* --- weft_collector.c --- */

/* What the collector watches. */
typedef struct {
	void *roots;
	uint8_t enabled, active, is_protected, full; /* 0 or 1 */
	uint32_t unused, first_unused, threshold, size, count, runs, collected;
} weft_collector;

/* Before there is a PHP request. It keeps that to itself; false: it was not found, and there can be none. */
bool weft_collector_find(void);
/* An empty one, with room of its own. */
void weft_collector_init(weft_collector *other);
void weft_collector_exchange(weft_collector *other);
/* In place: as it was in the beginning. What it still watches was left over, or is somebody else's. */
void weft_collector_clean(void);
/* Not in place. */
void weft_collector_free(weft_collector *other);

#endif /* WEFT_PHP_REQUEST_H */
