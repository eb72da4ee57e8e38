/*
 * Every slot of the base, by name: for what inspects or rewrites the base.
 */
#ifndef WEFT_SLOT_NAMES_H
#define WEFT_SLOT_NAMES_H

#include "domain/weft_slots.h"

typedef enum {
	WEFT_SLOT_PROPERTY,  /* a declared property of an object */
	WEFT_SLOT_DYNAMIC,   /* an object's table of dynamic properties as a whole */
	WEFT_SLOT_GUARD,     /* the engine's own: guards of __get and its kin, whether the object is lazy */
	WEFT_SLOT_STATIC,    /* a static property */
	WEFT_SLOT_VARIABLE,  /* a static variable of a function, or one that a closure has bound */
	WEFT_SLOT_REFERENCE, /* the value of a reference that several slots share */
	WEFT_SLOT_CONTEXT,   /* the options of a stream context */
	WEFT_SLOT_GLOBAL
} weft_slot_kind;

/* One slot: which it is, what the base has in it, what is in it now. Both values are copies that hold no reference;
 * UNDEF means unset or uninitialised. WEFT_SLOT_DYNAMIC: an array or UNDEF. */
typedef struct {
	weft_slot_kind kind;
	zend_object *object;     /* PROPERTY, DYNAMIC, GUARD */
	zend_class_entry *class; /* where it is declared: PROPERTY, STATIC; VARIABLE: the function's class or NULL */
	const char *function;    /* VARIABLE: its function */
	const char *name;        /* without $; NULL: it has none (DYNAMIC, GUARD, REFERENCE) */
	zval *place;             /* where the value lies; NULL: DYNAMIC, and a global that is not set */
	zval base;
	zval live;
} weft_slot;

/* Visits every slot until the visitor returns false. Shared slots (weft_shared.c) are not among them. The visitor may
 * call weft_slot_set_base() for the slot it is given, and may change nothing else of the base. */
typedef bool (*weft_slot_visitor)(const weft_slot *slot, void *context);
void weft_slots_visit(weft_slot_visitor visitor, void *context);
/* Tells which slot an item of a domain's list belongs to. `live` is the item's value. */
void weft_private_describe(const weft_private *item, weft_slot *slot);
/* Gives the base another value for this slot; takes references of its own. Only while the base is in place (no
 * domain), and then the live slot has the new value too. An object that the value reaches and that the base doesn't
 * know yet is not isolated: take the snapshot again (weft_snapshot_take_again) when there may be one. The old value's
 * destructor may run. WEFT_SLOT_DYNAMIC takes an array or UNDEF; guards can't be set. False: that is not possible. */
bool weft_slot_set_base(const weft_slot *slot, const zval *value);

/* What closures of the base have bound by value. It never changes and is no slot, but looks like one to the visitor. */
void weft_statics_visit_bound(weft_slot_visitor visitor, void *context);

#endif /* WEFT_SLOT_NAMES_H */
