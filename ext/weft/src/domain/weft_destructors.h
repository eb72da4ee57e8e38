/*
 * Destructors at a request's end. When a process ends a request, PHP runs the destructors of all objects that are
 * left while statics and singletons are still as the request has made them. Here: before a domain's values are
 * taken out of their slots, the destructors of the objects run that will die with them. Internal to the isolation
 * floor.
 */
#ifndef WEFT_DESTRUCTORS_H
#define WEFT_DESTRUCTORS_H

#include "php.h"

struct weft_destructible {
	const zend_object *object;
	uint32_t handle;
	bool held; /* by the collector's caller */
	bool left; /* something held it when destructors ran */
};

/* Objects with a destructor that a domain has made with `new`. They are not held, so many are gone by now, but for
 * those that the collector of cycles has left to the domain. */
typedef struct weft_destructibles {
	struct weft_destructible *items;
	uint32_t used, size, number;
	struct weft_destructibles *next, **link; /* among those of all domains, once there is an object */
} weft_destructibles;

/* From RINIT: what modules copy at their start must not depend on when ours was loaded. */
void weft_destructors_rinit(void);
void weft_destructors_mshutdown(void);
/* Whether there are any that destructors have not left. */
bool weft_destructors_wait(const weft_destructibles *destructibles);
/* In the domain whose objects these are, when nobody else will run in it. What somebody holds is left; if it is the
 * `last` time, to them. May suspend. */
void weft_destructors_run(weft_destructibles *destructibles, bool last);
void weft_destructors_free(weft_destructibles *destructibles);
/* They count as destructed, as all objects of a process do in which there was a fatal error. */
void weft_destructors_give_up(weft_destructibles *destructibles);
/* The same of all objects that are not the base's. */
void weft_destructors_give_up_all(void);

/* weft_domain.c: where the domain in place notes its objects; NULL in the base. */
weft_destructibles *weft_domain_destructibles(void);

#endif /* WEFT_DESTRUCTORS_H */
