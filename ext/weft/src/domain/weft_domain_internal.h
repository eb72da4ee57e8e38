/*
 * What the files share that make domains, end them and put them in place. Internal to the floor.
 */
#ifndef WEFT_DOMAIN_INTERNAL_H
#define WEFT_DOMAIN_INTERNAL_H

#include "domain/weft_domain.h"
#include "domain/weft_slots.h"
#include "domain/weft_tables.h"
#include "domain/weft_php_request.h"
#include "domain/hidden/weft_hidden.h"
#include "domain/weft_destructors.h"

struct weft_domain {
	uint32_t refcount;
	uint64_t id; /* a later one may lie where an earlier one did */
	uint64_t began;
	weft_private_list values;
	weft_hidden *hidden;
	weft_destructibles destructibles;
	void *c_state;
	weft_tables *tables;       /* NULL: it sees the base's */
	weft_php_request *request; /* NULL: it starts from the base */
	bool request_ended;
	const zend_execute_data *bottom; /* frames from here on are not its own */
	zend_long memory;                /* bytes that its code has allocated, less those that it has freed */
	uint64_t cpu_time;               /* nanoseconds that its code has computed */
	weft_domain_queries queries;
	bool released_late; /* a coroutine of its own has released what was left: once is enough */
};

/* The base is a domain as well: the main script goes on changing things after the snapshot. */
extern weft_domain weft_domain_base;

/* It is somebody's, and nobody's before: what tells it from others. */
void weft_domain_begin_life(weft_domain *domain);
/* Whether floors above keep something for it. */
bool weft_domain_is_held(weft_domain *domain);
/* What floors above do when a domain has been put in place. NULL: the base. */
void weft_domain_tell_entered(weft_domain *domain);
/* Nobody has a reference any more, and it is not in place: frees it, or has a coroutine release what is left first. */
void weft_domain_let_go(weft_domain *domain);

#endif /* WEFT_DOMAIN_INTERNAL_H */
