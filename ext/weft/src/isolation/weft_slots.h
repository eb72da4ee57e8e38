/*
 * Slots: the places whose value belongs to a domain, what the base has in them, and the lists that carry a
 * domain's own values while another domain is in place. Internal to the isolation floor.
 */
#ifndef WEFT_SLOTS_H
#define WEFT_SLOTS_H

#include "php.h"
#include "zend_bitset.h"
#include "isolation/weft_domain.h"

/* The key of what lies at this address, for a hash table: what is aligned leaves no gaps. */
static zend_always_inline zend_ulong weft_key_of_address(const void *address)
{
	return (zend_ulong) (uintptr_t) address >> 3;
}

/* One live object of the base, or a part of one when it has shared slots. `region` runs from the object's properties
 * pointer (or its first declared property, when the dynamic table is compared on its own) through its last slot;
 * `copy` is where the base's bytes of it are. */
typedef struct {
	char *region;
	zend_object *object;
	uint32_t size;
	size_t copy;
} weft_object_record;

typedef enum {
	WEFT_CELL_STATIC,    /* a class's static property; owner: zend_class_entry */
	WEFT_CELL_VARIABLE,  /* a static variable or a closure's bound variable; owner: its zend_op_array */
	WEFT_CELL_REFERENCE, /* what a shared reference holds; owner: zend_reference */
	WEFT_CELL_CONTEXT    /* the options of a stream context; owner: its zend_resource */
} weft_cell_kind;

/* One slot outside objects. Its address never changes: runtime caches and references hold it. */
typedef struct {
	zval *slot;
	zval base;
	void *owner;
	weft_cell_kind kind;
	zval *planned; /* where the scan has its own copy of the base, or NULL */
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
	uint32_t record_size;
	char *copies;
	weft_cell *cells;
	uint32_t cell_count;
	uint32_t cell_size;
	zend_object **held;    /* every object of the base; one reference each */
	uint32_t held_count;
	zend_ulong *held_handles; /* a bit for each handle of a held object */
	uint32_t handle_count;
	zend_long first_resource; /* resources from here on came after the snapshot */
	bool streams_counted;
	uint32_t stream_count;    /* open streams that values of the base refer to */
	uint32_t refused_stream_count; /* of which the first use in a domain throws; not among those */
	weft_isolation_stats stats;
} weft_base;

extern weft_base weft_base_state;

/* Value and type are the same; u2 doesn't count, since buckets keep their hash chain there. */
static inline bool weft_same_value(const zval *a, const zval *b)
{
	return a->u1.type_info == b->u1.type_info && (Z_TYPE_P(a) <= IS_TRUE || a->value.lval == b->value.lval);
}

/* Whether the object is of the base. Such an object never dies, so nobody else gets its handle. */
static inline bool weft_base_holds(const zend_object *object)
{
	return object->handle < weft_base_state.handle_count &&
		zend_bitset_in((zend_bitset) weft_base_state.held_handles, object->handle);
}

/* Writes value and type, never u2. */
static inline void weft_put_value(zval *slot, const zval *value)
{
	slot->value = value->value;
	slot->u1 = value->u1;
}

/* Whatever lies beside the type of null and booleans is no part of the value: the same value, the same bytes. */
static inline void weft_level_value(zval *value)
{
	if (Z_TYPE_P(value) <= IS_TRUE) {
		value->value.lval = 0;
	}
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

/* weft_scan.c */
/* Moves the properties and cells that differ from the base into the list and puts the base's values back. */
void weft_scan_leave(weft_private_list *list);
/* Instead of a scan that can't find anything. */
void weft_scan_spare(void);
/* Plans the scan, when that hasn't been done. Before a fork, so that workers share it; the first scan does it too. */
void weft_scan_prepare(void);
/* The bytes of a record's base have changed: the scan must be planned anew. */
void weft_scan_base_changed(void);
/* The same for one cell, at once. */
void weft_scan_cell_changed(weft_cell *cell);
const char *weft_scan_kernel_name(void);
void weft_scan_forget(void);

/* What the scan calls for what differs: some of the record's slots may, and the cell. */
void weft_slots_leave_record(const weft_object_record *record, weft_private_list *list);
void weft_slots_leave_cell(uint32_t index, weft_private_list *list);

/* Moves what differs from the base into the list and puts the base's values back. `undisturbed`: the base's values
 * were in place before, and no PHP code has run since: nothing can have been declared or called either. */
void weft_slots_leave(weft_private_list *list, bool undisturbed);
/* Puts the list's values in place over the base's; the list is empty afterwards. */
void weft_slots_enter(weft_private_list *list);
/* Destroys the values of a list that is not in place; destructors run. */
void weft_slots_destroy(weft_private_list *list);

/* --- every slot of the base, by name: for what inspects or rewrites the base --- */

typedef enum {
	WEFT_SLOT_PROPERTY,  /* a declared property of an object */
	WEFT_SLOT_DYNAMIC,   /* an object's table of dynamic properties as a whole */
	WEFT_SLOT_GUARD,     /* the engine's own: guards of __get and its kin */
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
	zend_object *object;          /* PROPERTY, DYNAMIC, GUARD */
	zend_class_entry *class;      /* where it is declared: PROPERTY, STATIC; VARIABLE: the function's class or NULL */
	const char *function;         /* VARIABLE: its function */
	const char *name;             /* without $; NULL: it has none (DYNAMIC, GUARD, REFERENCE) */
	zval *place;                  /* where the value lies; NULL: DYNAMIC, and a global that is not set */
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

/* weft_shared.c */
/* Whether the declared slot of this number is shared. */
bool weft_shared_property(const zend_object *object, uint32_t slot);
bool weft_shared_static(const zval *slot);
/* The value of each shared slot as it is now: of a property, in every object of the base that has it. */
typedef void (*weft_shared_visitor)(
	const zend_class_entry *ce, const zend_string *property, const zval *value, void *context);
void weft_shared_visit(weft_shared_visitor visitor, void *context);
void weft_shared_forget(void);

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

/* weft_stream_contexts.c */
void weft_stream_contexts_snapshot(void);

/* weft_statics.c */
void weft_statics_snapshot(void);
void weft_statics_closure(zend_object *closure);
/* What closures of the base have bound by value. It never changes and is no slot, but looks like one to the visitor. */
void weft_statics_visit_bound(weft_slot_visitor visitor, void *context);
/* Finds classes and functions that have appeared, and functions called for the first time. */
void weft_statics_notice_late(void);
/* The same; and bases that are constant expressions become values, where the class's are evaluated. */
void weft_statics_settle(void);
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
/* The base's globals, by number; UNDEF: not set. */
uint32_t weft_globals_count(void);
const zend_string *weft_globals_base(uint32_t number, zval **base);
zval *weft_globals_place(const zend_string *name);

/* weft_dynamic_properties.c */
/* Whether this object's dynamic table is compared element by element instead of by its address. */
bool weft_dynamic_properties_snapshot(zend_object *object);
void weft_dynamic_properties_leave(weft_private_list *list);
/* Drops a reference on a table of dynamic properties. */
void weft_dynamic_properties_release(HashTable *table);
void weft_dynamic_properties_forget(void);
/* The base's table of this object when it is compared element by element, else NULL. */
HashTable *weft_dynamic_properties_base(const zend_object *object);
/* Makes a copy of this table the base, in place as well. Only for objects whose table is compared so. */
void weft_dynamic_properties_set_base(zend_object *object, HashTable *table);
uint32_t weft_dynamic_properties_count(void);

/* weft_snapshot.c */
/* How many slots a snapshot finds in an object. All its dynamic properties are one. */
uint32_t weft_object_slots(const zend_object *object);
void weft_snapshot_forget(void);

/* weft_uncovered.c */
/* How many of which class there are. */
void weft_uncovered_count(zval *return_value);
/* The same of what no domain can use: its first use throws. */
void weft_refused_count(zval *return_value);
/* One by one, with the way to each and the reason. Walks over the whole base. */
void weft_uncovered_list(zval *return_value);

/* weft_isolation.c */
/* Puts a domain in place for the running code, in a way the scheduler knows of. */
void weft_domain_move_to(weft_domain *domain);
/* The same, and no frame that is on the stack now will be the domain's. */
void weft_domain_move_into(weft_domain *domain);
/* What a callable threw is its caller's; exit() has ended the callable and nothing else. UNDEF: nothing. */
void weft_take_exception(zval *exception);
/* What a request's end is elsewhere, for the domain in place. */
void weft_domain_end(weft_domain *domain);
void weft_isolation_register_functions(void);

/* weft_audit.c, weft_footprint.c */
void weft_audit_register_functions(void);
void weft_footprint(zval *return_value);

#endif /* WEFT_SLOTS_H */
