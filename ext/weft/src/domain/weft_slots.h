/*
 * What a domain has in the slots of the base (weft_base.h) while another domain is in place. Internal to the floor.
 */
#ifndef WEFT_SLOTS_H
#define WEFT_SLOTS_H

#include "domain/weft_base.h"

typedef enum {
	WEFT_PRIVATE_PROPERTY, /* an object's declared slot; owner: the object */
	WEFT_PRIVATE_CELL,     /* place.index: into the cells */
	WEFT_PRIVATE_TABLE,    /* an object's table of dynamic properties; owner: the object */
	WEFT_PRIVATE_LAZY,     /* whether an object is lazy: place.flags, and Z_PTR is the engine's entry or NULL */
	WEFT_PRIVATE_GLOBAL    /* place.name; UNDEF: the domain has unset it */
} weft_private_kind;

/* One value of a domain that is not in place. */
typedef struct {
	weft_private_kind kind;
	union {
		zval *slot;
		uint32_t index;
		uint32_t flags;
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

weft_private *weft_private_add(weft_private_list *list, weft_private_kind kind);
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

/* Frees what the engine keeps in an object's guard slot. */
void weft_guard_destroy(zval *guard);

/* weft_global_variables.c */
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

/* weft_lazy_objects.c */
void weft_lazy_rinit(void);
bool weft_is_lazy(const zend_object *object);
/* Whether the engine keeps this lazy object's state as we think it does. */
bool weft_lazy_is_known(const zend_object *object);
void weft_lazy_snapshot(zend_object *object);
void weft_lazy_forget(void);
void weft_lazy_leave(weft_private_list *list);
void weft_lazy_enter(const weft_private *item);
void weft_lazy_destroy(const weft_private *item);
/* The real instance behind a proxy; UNDEF: there is none. */
void weft_lazy_instance(const weft_private *item, zval *instance);

#endif /* WEFT_SLOTS_H */
