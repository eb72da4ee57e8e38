/*
 * Warm and scrub: what requests under two made-up identities leave behind equal becomes part of the base; what
 * differs stays as the cold base has it. Internal to the floor.
 *
 * A recording is a domain that has ended, with its private values kept. A graph pairs what two recordings hold. The
 * adoption turns pairs that agree into units of the base, and takes units back.
 */
#ifndef WEFT_WARM_H
#define WEFT_WARM_H

#include "domain/weft_slot_names.h"

/* --- weft_recording.c --- */

/* One slot that a recorded domain has changed, and its value there. */
typedef struct {
	weft_slot_kind kind;
	zval *place;             /* NULL: WEFT_SLOT_DYNAMIC and WEFT_SLOT_GLOBAL */
	zend_object *object;     /* PROPERTY, DYNAMIC, GUARD */
	zend_class_entry *class; /* as in weft_slot */
	const char *function;    /* as in weft_slot */
	const char *name;        /* as in weft_slot; NULL for globals */
	zval value;              /* DYNAMIC: Z_PTR is the table or NULL */
} weft_recorded;

typedef struct {
	weft_domain *domain; /* NULL: released */
	weft_recorded *items;
	uint32_t count;
	HashTable places; /* address of the place => its item */
	zend_object std;
} weft_recording;

weft_recording *weft_recording_of(zend_object *object);
extern zend_class_entry *weft_recording_class;
void weft_recording_register(void);
/* weft_warm_functions.c */
void weft_warm_register(void);
/* NULL: the slot was not changed. */
weft_recorded *weft_recording_find(const weft_recording *recording, const zval *place);
/* Destroys the values inside the recorded domain, and ends it. */
void weft_recording_release(weft_recording *recording);

/* --- weft_graph.c --- */

/* Two values that are to be equal, or a claim that rests on others being equal. */
typedef struct {
	zend_refcounted *a, *b; /* objects or references; NULL: a claim */
	bool bad;
	bool held;           /* a has a reference of ours */
	uint32_t dependents; /* first of the nodes that fall with this one */
	zend_string *why;    /* of a claim or pair that fell by itself; may be NULL */
} weft_node;

typedef struct {
	uint32_t node, next;
} weft_edge;

typedef struct weft_graph weft_graph;
struct weft_graph {
	weft_node *nodes; /* number 0 is nobody */
	uint32_t node_count, node_size;
	weft_edge *edges;
	uint32_t edge_count, edge_size;
	uint32_t explored;                     /* nodes below are explored */
	uint32_t layer;                        /* first node of the current comparison */
	HashTable of_a, of_b;                  /* address => node */
	HashTable *fixed;                      /* addresses of objects and references that are only equal to themselves */
	const weft_recording *over_a, *over_b; /* where slots of objects are looked up first; or NULL */
	const HashTable *never; /* names of classes (and interfaces) whose objects are never equal; or NULL */
	bool lenient;           /* what can't be compared counts as equal */
	/* Takes over the comparison of a property of two paired objects; may be NULL. */
	bool (*property)(weft_graph *graph, uint32_t node, zend_object *a, uint32_t number, const zval *in_a,
		const zval *in_b);
	void *context;
	zval *temporaries; /* arrays that describe objects */
	uint32_t temporary_count;
};

void weft_graph_init(weft_graph *graph, HashTable *fixed);
void weft_graph_destroy(weft_graph *graph);
/* A further comparison: what earlier ones paired counts as fixed. */
void weft_graph_begin(weft_graph *graph);
uint32_t weft_graph_claim(weft_graph *graph);
/* The claim (or pair) holds only if these two values are equal. */
void weft_graph_compare(weft_graph *graph, uint32_t node, const zval *a, const zval *b);
/* Explores all pairs met so far. Afterwards a node is equal unless it is bad. */
void weft_graph_settle(weft_graph *graph);
/* The node is bad, and all that depend on it. */
void weft_graph_spoil(weft_graph *graph, uint32_t node, const char *format, ...);
/* 0: none. */
uint32_t weft_graph_node_of(const weft_graph *graph, const void *a);
/* The claim (or pair) holds only if these are one: the same object or reference, or paired with each other. */
void weft_graph_compare_identities(weft_graph *graph, uint32_t node, zend_refcounted *a, zend_refcounted *b);
/* What a place holds in a recording or, without one (NULL), now. */
const zval *weft_graph_look_up(const weft_recording *over, const zval *place);
/* Every key is a string; the empty array counts. */
bool weft_is_map(const zval *value);

/* --- weft_graph_objects.c --- */

/* The names may also be of slots, as "Class::property": those are not meant. "!Class" exempts that class. */
bool weft_is_of_named_class(const HashTable *names, zend_class_entry *class);
/* The pair holds only if these two objects, met for the first time, are equal in all that they hold. */
void weft_graph_compare_objects(weft_graph *graph, uint32_t node, zend_object *a, zend_object *b);
bool weft_same_function(const zend_function *a, const zend_function *b);

/* --- weft_anonymous.c --- */

/* Both are names of anonymous classes, of the same line of the same file. */
bool weft_same_anonymous_class(const zend_string *a, const zend_string *b);
/* It is the name of an anonymous class that the base does not have. Only while the base is in place. */
bool weft_names_class_of_request(const zend_string *name);
/* The element with this key, or with another name of the same anonymous class; NULL: none. */
zval *weft_find_alike(HashTable *map, zend_string *key);

#endif /* WEFT_WARM_H */
