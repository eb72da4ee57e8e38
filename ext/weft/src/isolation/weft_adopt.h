/*
 * What has been adopted into the base, and how to take it back. Internal to the isolation floor.
 */
#ifndef WEFT_ADOPT_H
#define WEFT_ADOPT_H

#include "isolation/weft_warm.h"

/* A slot of the base, or of an adopted object, that is put together from a cold value and units. */
typedef struct {
	weft_slot_kind kind;
	zend_object *object;
	zend_class_entry *class;
	const char *name;
	zval *place;
	uint32_t inner;       /* node of the adopted object that it is in; 0: of the cold base */
	bool map;             /* units are elements of an array with string keys; else one unit is all */
	zval cold;
	uint32_t cold_flag;   /* of a property: how it is uninitialised */
	uint32_t first, last; /* units */
} weft_root;

/* What is adopted or not as a whole. */
typedef struct {
	uint32_t root;
	uint32_t next;     /* of the same root; 0: none */
	uint32_t node;
	zend_string *key;  /* NULL: the root is no map */
	zval value;        /* UNDEF: the element is gone */
	zend_string *dropped; /* the reason; NULL: it stands unless its node is bad */
} weft_unit;

typedef struct {
	bool begun;
	weft_graph graph;
	HashTable fixed;   /* what the cold base consists of: objects (held) and references */
	HashTable inner;   /* places of closures' variables that are adopted */
	HashTable root_of; /* place => root */
	weft_root *roots;
	uint32_t root_count, root_size;
	weft_unit *units;  /* number 0 is nobody */
	uint32_t unit_count, unit_size;
} weft_adoption;

extern weft_adoption weft_adopted;

/* weft_adopt_apply.c */
void weft_adoption_begin(void);
weft_root *weft_adoption_find(const zval *place);
weft_root *weft_adoption_add_root(const weft_root *like);
weft_unit *weft_adoption_add_unit(weft_root *root, zend_string *key, const zval *value);
weft_unit *weft_adoption_unit(const weft_root *root, const zend_string *key);
bool weft_unit_stands(const weft_unit *unit);
void weft_unit_drop(weft_unit *unit, const char *reason);
/* Nobody has written there since this was adopted. */
bool weft_unit_untouched(const weft_unit *unit, const zval *value);
zend_string *weft_unit_name(const weft_unit *unit);
/* Ends a comparison: what stands is held, and its recordings may be released. */
void weft_adoption_hold(void);
/* Puts what stands in place, over the cold values, and takes the snapshot again. */
bool weft_adoption_apply(void);
/* Lets go of everything that taking back would need. */
void weft_adoption_forget(void);

/* weft_adopt.c */
/* Adds units from two recordings of the current base. What doesn't stand afterwards goes into `restored`. */
void weft_adopt_recordings(const weft_recording *a, const weft_recording *b, const HashTable *others,
	const HashTable *cold, HashTable *restored);
/* Drops the units that a recording has written again. Returns how many fell. */
uint32_t weft_adopt_scrub(const weft_recording *recording, HashTable *restored);

/* weft_difference.c */
zend_string *weft_adopt_difference(const weft_recording *cold, const weft_recording *warm);

#endif /* WEFT_ADOPT_H */
