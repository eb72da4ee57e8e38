/*
 * What has been adopted into the base, and how to take it back. Internal to the floor.
 */
#ifndef WEFT_ADOPT_H
#define WEFT_ADOPT_H

#include "warm/weft_warm.h"
#include "domain/weft_slot_names.h"

typedef enum {
	WEFT_WHOLE, /* one unit is all of it */
	WEFT_MAP,   /* an array with string keys: units are elements */
	WEFT_LIST   /* units are what is appended to the cold list */
} weft_shape;

/* A slot of the base, or of an adopted object, that is put together from a cold value and units. */
typedef struct {
	weft_slot_kind kind;
	zend_object *object;
	zend_class_entry *class;
	const char *function;
	const char *name;
	zval *place;
	uint32_t inner; /* node of the adopted object that it is in; 0: of the cold base */
	weft_shape shape;
	zval cold;
	uint32_t cold_flag;   /* of a property: how it is uninitialised */
	uint32_t first, last; /* units */
} weft_root;

/* What is adopted or not as a whole. */
typedef struct {
	uint32_t root;
	uint32_t next; /* of the same root; 0: none */
	uint32_t node;
	zend_string *key;     /* of a map's element */
	zend_string *page;    /* whose request has left it */
	zval value;           /* UNDEF: the element of a map is gone */
	zend_string *dropped; /* the reason; NULL: it stands unless its node is bad */
} weft_unit;

typedef struct {
	bool begun;
	weft_graph graph;
	HashTable fixed;        /* what the cold base consists of: objects (held) and references */
	HashTable inner;        /* places of closures' variables that are adopted */
	HashTable root_of;      /* place => root */
	zend_string *page;      /* whose recordings are looked at */
	const HashTable *notes; /* names of slots whose elements may be written again; or NULL */
	weft_root *roots;
	uint32_t root_count, root_size;
	weft_unit *units; /* number 0 is nobody */
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
/* Neither an object nor anything else than the class declares for this property. */
bool weft_is_as_declared(const zend_object *object, uint32_t number, const zval *value);
zend_string *weft_slot_name(const zend_class_entry *class, const char *function, const char *name);
zend_string *weft_unit_name(const weft_unit *unit);
/* Ends a comparison: what stands is held, and its recordings may be released. */
void weft_adoption_hold(void);
/* Puts what stands in place, over the cold values, and takes the snapshot again. */
bool weft_adoption_apply(void);
/* Lets go of everything that taking back would need. */
void weft_adoption_forget(void);

/* weft_adopt_list.c */
/* Both have all of the cold list, and perhaps more. */
bool weft_lists_grow(const zval *cold, const zval *a, const zval *b);
uint32_t weft_list_length(const zval *list);
/* A unit of this list that the same code has appended to the same end; NULL: none. */
weft_unit *weft_list_match(const weft_root *root, const zval *value);
/* Drops the units of a list that a request has appended again, or moved. */
void weft_list_scrub(const weft_root *root, const zval *value);
/* The list as it would be without units that this other list does not know. */
void weft_list_without_surplus(const weft_root *root, const zval *value, const zval *other, zval *result);

/* weft_adopt.c */
/* Adds units from two recordings of the current base. What doesn't stand afterwards goes into `restored`. With `whole`
 * new objects keep all of their arrays, or are not adopted. */
void weft_adopt_recordings(const weft_recording *a, const weft_recording *b, const HashTable *others,
	const HashTable *cold, bool whole, HashTable *restored);
/* Drops the units that a recording has written again. Returns how many fell. */
uint32_t weft_adopt_scrub(const weft_recording *recording, HashTable *restored);

/* weft_difference.c */
zend_string *weft_adopt_difference(const weft_recording *cold, const weft_recording *warm);

#endif /* WEFT_ADOPT_H */
