/*
 * The base: the places whose value belongs to a domain (slots), and what was in them at the snapshot. Internal to the
 * floor.
 */
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include "php.h"
#include "zend_bitset.h"
#include "domain/weft_domain.h"

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
	zend_object **held; /* every object of the base; one reference each */
	uint32_t held_count;
	zend_ulong *held_handles; /* a bit for each handle of a held object */
	uint32_t handle_count;
	zend_long first_resource; /* resources from here on came after the snapshot */
	bool streams_counted;
	uint32_t stream_count;         /* open streams that values of the base refer to */
	uint32_t refused_stream_count; /* of which the first use in a domain throws; not among those */
	weft_isolation_stats stats;
} weft_base;

extern weft_base weft_base_state;

/* The key of what lies at this address, for a hash table: what is aligned leaves no gaps. */
static zend_always_inline zend_ulong weft_key_of_address(const void *address)
{
	return (zend_ulong) (uintptr_t) address >> 3;
}

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

uint32_t weft_cell_add(zval *slot, const zval *base, weft_cell_kind kind, void *owner);

/* weft_domain.c: of the domain in place, whose last reference the caller has. For weft_domain_end.c. Each may be called
 * again after a fatal error in it. */
bool weft_domain_has_nothing_to_destruct(void);
/* Runs the destructors of what it has made, and of what they make, at most 8 rounds. */
void weft_domain_destruct(void);
/* Gives its values back, and what floors keep for it. */
void weft_domain_release_values(void);

/* weft_snapshot.c */
/* How many slots a snapshot finds in an object. All its dynamic properties are one. */
uint32_t weft_object_slots(const zend_object *object);
void weft_snapshot_forget(void);

/* weft_shared.c */
/* Whether the declared slot of this number is shared. */
/* Of this class objects that can't be copied, and open streams, are shared since somebody wants it. */
bool weft_shared_class(const zend_class_entry *ce);
bool weft_shared_streams(void);
bool weft_shared_property(const zend_object *object, uint32_t slot);
bool weft_shared_static(const zval *slot);
/* The value of each shared slot as it is now: of a property, in every object of the base that has it. */
typedef void (*weft_shared_visitor)(const zend_class_entry *, const zend_string *property, const zval *, void *context);
void weft_shared_visit(weft_shared_visitor visitor, void *context);
void weft_shared_forget(void);

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
void weft_stream_contexts_minit(void);
void weft_stream_contexts_snapshot(void);

/* weft_statics.c */
void weft_statics_snapshot(void);
void weft_statics_closure(zend_object *closure);
/* Finds classes and functions that have appeared, and functions called for the first time. */
void weft_statics_notice_late(void);
/* The same; and bases that are constant expressions become values, where the class's are evaluated. */
void weft_statics_settle(void);
/* The base of a static property was a constant expression that has been evaluated since. True when it became
 * one value with the slot's. */
bool weft_statics_evaluate_base(weft_cell *cell);
zend_property_info *weft_statics_property_info(const weft_cell *cell);
void weft_statics_forget(void);

#endif /* WEFT_BASE_H */
