/*
 * Hidden state: what an object keeps outside its slots, in the bytes before the embedded zend_object or in memory
 * of its own (SplObjectStorage, DateTime, a random engine …). Internal to the floor.
 *
 * Most is covered by a copy. The engine's clone handler makes one, without running code of the application. What
 * the running domain works on is always in the object itself, so that its identity and all pointers to it stay;
 * the bytes of the object and of the copy change places when a domain leaves and enters. A domain that leaves gets its
 * copies then, from a pristine one that the snapshot keeps: of arrays, which may be large, only when it has changed
 * them.
 */
#ifndef WEFT_HIDDEN_H
#define WEFT_HIDDEN_H

#include "php.h"

typedef enum {
	WEFT_HIDDEN_NONE,     /* all of its state is in slots, or never changes, or is looked after elsewhere */
	WEFT_HIDDEN_COPIED,   /* the bytes before the object change places with a copy's */
	WEFT_HIDDEN_BYTES,    /* plain memory behind a pointer: compared and copied (random engines) */
	WEFT_HIDDEN_MAP,      /* WeakMap: moved entry by entry */
	WEFT_HIDDEN_REFUSED,  /* a connection, or what can't be copied: its first use in a domain throws */
	WEFT_HIDDEN_UNCOVERED /* shared by all domains: see docs/isolation.md */
} weft_hidden_kind;

/* What one domain has of its own. */
typedef struct weft_hidden weft_hidden;

/* --- weft_hidden_classes.c: what is known of the classes of the engine and its extensions --- */

/* How this object's hidden state is isolated. Depends on what it is doing: a generator that has finished has none. */
weft_hidden_kind weft_hidden_classify(const zend_object *object);
/* Whether objects of this class of C may turn out to be refused, or shared. */
bool weft_hidden_is_unknown(const zend_class_entry *ce);
/* Whether get_gc() tells the values that the object keeps in hidden state. */
bool weft_hidden_has_values(const zend_object *object);

/* What the floor above knows of connections and the like that were made before the snapshot. */
typedef struct {
	/* NONE: each domain has one of its own; REFUSED; UNCOVERED: not known there */
	weft_hidden_kind (*classify)(const zend_object *object);
	bool (*is_connection)(zend_class_entry *ce);
	const char *(*made_at)(const zend_object *object); /* NULL: unknown */
	bool (*refuses_stream)(const zend_resource *stream);
	const char *(*opened_at)(const zend_resource *stream);
} weft_handle_knowledge;
extern const weft_handle_knowledge *weft_handles_known;

/* --- weft_hidden_copy.c --- */

/* A copy of the object's hidden state for objects of the class, itself in an object of its internal ancestor: no
 * slots, no destructor, no code of the application. NULL when the class refuses. */
zend_object *weft_hidden_copy(zend_object *object, zend_class_entry *class);
/* Whether the object's hidden state is surely that of its copy. False when that is not known. */
bool weft_hidden_is_as(const zend_object *object, const zend_object *pristine);
/* Exchanges the hidden state of an object and its copy. */
void weft_hidden_exchange(zend_object *object, zend_object *copy);

/* --- weft_hidden_maps.c: WeakMap --- */

typedef struct weft_hidden_map weft_hidden_map;
/* What a domain keeps of a map while it is away. */
typedef struct {
	HashTable *entries;                     /* that differ from the base's; or NULL */
	struct weft_hidden_iteration *going_on; /* NULL: nobody is in the middle of the map */
} weft_hidden_parked;
weft_hidden_map *weft_hidden_map_snapshot(zend_object *object);
/* The map that is in place if it differs from the base's, else NULL. */
zend_object *weft_hidden_map_changed(const weft_hidden_map *map);
/* Moves what differs from the base into `parked`, and notes where loops stand. */
void weft_hidden_map_leave(weft_hidden_map *map, weft_hidden_parked *parked);
void weft_hidden_map_enter(weft_hidden_map *map, weft_hidden_parked *parked);
void weft_hidden_map_destroy_parked(weft_hidden_parked *parked);
void weft_hidden_map_forget(weft_hidden_map *map);

/* --- weft_hidden.c --- */

/* One object of the base: what weft_snapshot.c calls for each before its slots are recorded. */
void weft_hidden_snapshot(zend_object *object);
void weft_hidden_forget(void);
/* How many objects of the base have a copy in each domain. */
uint32_t weft_hidden_count(void);

/* Makes what leave() will need. It takes memory from PHP's heap, so it must come before anything is moved: best while
 * the domain's own code runs, since that is who is told when there is none. */
void weft_hidden_prepare(weft_hidden **of_domain);
void weft_hidden_leave(weft_hidden **of_domain);
void weft_hidden_enter(weft_hidden **of_domain);
/* In place: each object of the base whose get_gc() tells of values that the domain may have put there. */
void weft_hidden_visit(void (*visit)(zend_object *object, void *context), void *context);
/* Gives back what a domain has, which is not in place. Destructors of what only it has held run. */
void weft_hidden_release(weft_hidden **of_domain);

#endif /* WEFT_HIDDEN_H */
