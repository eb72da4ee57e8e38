/*
 * Slots: the places whose value belongs to a domain, what the base has in them, and the lists that carry a
 * domain's own values while another domain is in place. Internal to the isolation floor.
 */
#ifndef WEFT_SLOTS_H
#define WEFT_SLOTS_H

#include "php.h"
#include "isolation/weft_domain.h"

/* One live object of the base. `region` runs from the object's properties pointer (or its first declared
 * property, when the dynamic table is compared on its own) through its last slot; `copy` is where the base's
 * bytes of it are. */
typedef struct {
	char *region;
	zend_object *object;
	uint32_t size;
	size_t copy;
} weft_object_record;

typedef enum {
	WEFT_CELL_STATIC,    /* a class's static property; owner: zend_class_entry */
	WEFT_CELL_VARIABLE,  /* a static variable or a closure's bound variable */
	WEFT_CELL_REFERENCE  /* what a shared reference holds */
} weft_cell_kind;

/* One slot outside objects. Its address never changes: runtime caches and references hold it. */
typedef struct {
	zval *slot;
	zval base;
	void *owner;
	weft_cell_kind kind;
} weft_cell;

typedef enum {
	WEFT_PRIVATE_PROPERTY,  /* an object's declared slot; owner: the object */
	WEFT_PRIVATE_CELL,      /* place.index: into the cells */
	WEFT_PRIVATE_TABLE,     /* an object's table of dynamic properties; owner: the object */
	WEFT_PRIVATE_GLOBAL     /* place.name; UNDEF: the domain has unset it */
} weft_private_kind;

/* One value of a domain that is not in place. */
typedef struct {
	weft_private_kind kind;
	union {
		zval *slot;
		uint32_t index;
		zend_string *name;
	} place;
	void *owner;
	zval value; /* WEFT_PRIVATE_TABLE: Z_PTR is the table or NULL */
} weft_private;

typedef struct {
	weft_private *items;
	uint32_t used;
	uint32_t size;
} weft_private_list;

/* The snapshot. */
typedef struct {
	bool taken;
	weft_object_record *records;
	uint32_t record_count;
	char *copies;
	weft_cell *cells;
	uint32_t cell_count;
	uint32_t cell_size;
	zend_object **held;    /* every object of the base; one reference each */
	uint32_t held_count;
	uint32_t first_handle; /* handles from here on were never in the base's store */
	weft_isolation_stats stats;
} weft_base;

extern weft_base weft_base_state;

/* Value and type are the same; u2 doesn't count, since buckets keep their hash chain there. */
static inline bool weft_same_value(const zval *a, const zval *b)
{
	return a->u1.type_info == b->u1.type_info && (Z_TYPE_P(a) <= IS_TRUE || a->value.lval == b->value.lval);
}

/* Writes value and type, never u2. */
static inline void weft_put_value(zval *slot, const zval *value)
{
	slot->value = value->value;
	slot->u1 = value->u1;
}

/* Takes the base's value out of a slot. The base keeps a reference of its own, so it is never the last. */
static inline void weft_drop_base_value(zval *slot)
{
	if (Z_REFCOUNTED_P(slot)) {
		ZEND_ASSERT(Z_REFCOUNT_P(slot) > 1);
		Z_DELREF_P(slot);
	}
}

weft_private *weft_private_add(weft_private_list *list, weft_private_kind kind);
uint32_t weft_cell_add(zval *slot, const zval *base, weft_cell_kind kind, void *owner);

/* Moves what differs from the base into the list and puts the base's values back. */
void weft_slots_leave(weft_private_list *list);
/* Puts the list's values in place over the base's; the list is empty afterwards. */
void weft_slots_enter(weft_private_list *list);
/* Destroys the values of a list that is not in place; destructors run. */
void weft_slots_destroy(weft_private_list *list);

/* Frees what the engine keeps in an object's guard slot. */
void weft_guard_destroy(zval *guard);

/* weft_references.c */
void weft_references_begin(void);
void weft_references_end(void);
/* Prepares a slot for the base: unwraps references that nobody shares, tracks the others, in arrays as well.
 * The slot's value afterwards is what the base remembers. */
void weft_references_prepare(zval *slot);
/* Replaces a reference that only this slot holds with its value. */
void weft_reference_unwrap(zval *slot);
/* The slot, or what its reference holds when nobody shares that, has the base's value. Unwraps in that case. */
bool weft_slot_is_clean(zval *slot, const zval *base);

/* weft_statics.c */
void weft_statics_snapshot(void);
void weft_statics_closure(zend_object *closure);
/* Finds classes and functions that have appeared, and functions called for the first time. */
void weft_statics_notice_late(void);
/* The base of a static property was a constant expression that has been evaluated since. True when it became
 * one value with the slot's. */
bool weft_statics_evaluate_base(weft_cell *cell);
zend_property_info *weft_statics_property_info(const weft_cell *cell);
void weft_statics_forget(void);

/* weft_globals.c */
void weft_globals_snapshot(void);
void weft_globals_leave(weft_private_list *list);
void weft_globals_enter(weft_private *item);
void weft_globals_forget(void);

/* weft_dynamic_properties.c */
/* Whether this object's dynamic table is compared element by element instead of by its address. */
bool weft_dynamic_properties_snapshot(zend_object *object);
void weft_dynamic_properties_leave(weft_private_list *list);
/* Drops a reference on a table of dynamic properties. */
void weft_dynamic_properties_release(HashTable *table);
void weft_dynamic_properties_forget(void);
uint32_t weft_dynamic_properties_count(void);

/* weft_snapshot.c */
/* How many objects of which class are in the base though their state is not (or not only) in slots. */
void weft_snapshot_uncovered(zval *return_value);
void weft_snapshot_forget(void);

/* weft_isolation.c */
void weft_isolation_register_functions(void);

#endif /* WEFT_SLOTS_H */
