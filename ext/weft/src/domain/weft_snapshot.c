/*
 * Takes the snapshot: visits every mutable slot once and remembers its value.
 */
#include "domain/weft_slots.h"
#include "domain/scan/weft_scan.h"
#include "domain/hidden/weft_hidden.h"
#include "globals/weft_c_state.h"
#include "coroutine/weft_coroutine.h"
#include "weft_grow.h"
#include "zend_closures.h"

uint32_t weft_object_slots(const zend_object *object)
{
	const zend_class_entry *ce = object->ce;

	if (ce->ce_flags & ZEND_ACC_ENUM) {
		return 0;
	}
	return ce->default_properties_count + !(ce->ce_flags & ZEND_ACC_NO_DYNAMIC_PROPERTIES);
}

/* The engine keeps the guards of __get and its kin in one slot behind the declared ones. Idle guards are
 * dropped; the engine makes them again. */
static uint32_t guard_slots(zend_object *object)
{
	zval *guard = object->properties_table + object->ce->default_properties_count;
	void *state;

	if (!(object->ce->ce_flags & ZEND_ACC_USE_GUARDS)) {
		return 0;
	}
	if (Z_TYPE_P(guard) == IS_ARRAY) {
		ZEND_HASH_MAP_FOREACH_PTR(Z_ARRVAL_P(guard), state) {
			/* the lowest bit marks a guard that lies in the slot itself */
			if (*(uint32_t *) ((uintptr_t) state & ~(uintptr_t) 1)) {
				return 0; /* a getter runs right now: leave it alone */
			}
		}
		ZEND_HASH_FOREACH_END();
	} else if (Z_TYPE_P(guard) == IS_STRING && WEFT_GUARD_P(guard)) {
		return 0;
	}
	weft_guard_destroy(guard);
	ZVAL_UNDEF(guard);
	WEFT_GUARD_P(guard) = 0;
	return 1;
}

static void add_record(zend_object *object, char *from, char *to, size_t *copied)
{
	weft_base *base = &weft_base_state;
	weft_object_record *record;

	if (from == to) {
		return;
	}
	WEFT_GROW(base->records, base->record_count, base->record_size);
	record = &base->records[base->record_count++];
	record->object = object;
	record->region = from;
	record->size = to - from;
	*copied += record->size;
}

static void plan_object(zend_object *object, size_t *copied)
{
	bool mixed = weft_dynamic_properties_snapshot(object);
	char *from = mixed ? (char *) object->properties_table : (char *) &object->properties;
	uint32_t slots = object->ce->default_properties_count;

	for (uint32_t i = 0; i < slots; i++) {
		zval *slot = &object->properties_table[i];

		if (weft_shared_property(object, i)) {
			add_record(object, from, (char *) slot, copied);
			from = (char *) (slot + 1);
			continue;
		}
		if (Z_ISREF_P(slot) || Z_TYPE_P(slot) == IS_ARRAY) {
			weft_references_prepare(slot);
		}
		weft_base_state.stats.slots++;
	}
	slots += guard_slots(object);
	weft_base_state.stats.slots += slots - object->ce->default_properties_count + !mixed;
	add_record(object, from, (char *) (object->properties_table + slots), copied);
}

/* Records in the order of memory: a scan then walks forward. */
static int compare_records(const void *a, const void *b)
{
	const char *left = ((const weft_object_record *) a)->region, *right = ((const weft_object_record *) b)->region;

	return left < right ? -1 : left > right;
}

/* Copies the bytes and takes a reference on every value, so that who writes to one separates it first. */
static void copy_object(weft_object_record *record, size_t *copied)
{
	zend_object *object = record->object;
	char *slot = record->region, *end = record->region + record->size;

	record->copy = *copied;
	*copied += record->size;
	if (slot == (char *) &object->properties) {
		if (object->properties) {
			GC_TRY_ADDREF(object->properties);
		}
		slot += sizeof(HashTable *);
	}
	for (; slot < end; slot += sizeof(zval)) {
		weft_level_value((zval *) slot);
		Z_TRY_ADDREF_P((zval *) slot);
	}
	memcpy(weft_base_state.copies + record->copy, record->region, record->size);
}

static void hold_objects(void)
{
	weft_base *base = &weft_base_state;
	uint32_t top = EG(objects_store).top;

	base->held = safe_pemalloc(top + 1, sizeof(zend_object *), 0, 1);
	base->handle_count = top;
	base->held_handles = pecalloc(zend_bitset_len(top), ZEND_BITSET_ELM_SIZE, 1);
	base->first_resource = EG(regular_list).nNextFreeElement;
	for (uint32_t i = 1; i < top; i++) {
		zend_object *object = EG(objects_store).object_buckets[i];

		if (IS_OBJ_VALID(object) && !(OBJ_FLAGS(object) & IS_OBJ_FREE_CALLED)) {
			GC_ADDREF(object);
			base->held[base->held_count++] = object;
			zend_bitset_incl((zend_bitset) base->held_handles, i);
		}
	}
	base->stats.objects = base->held_count;
}

static void take_objects(void)
{
	weft_base *base = &weft_base_state;
	size_t copied = 0;

	hold_objects();
	for (uint32_t i = 0; i < base->held_count; i++) {
		zend_object *object = base->held[i];

		weft_hidden_snapshot(object);
		weft_lazy_snapshot(object);
		if (object->ce == zend_ce_closure) {
			weft_statics_closure(object);
		} else if (weft_object_slots(object)) {
			plan_object(object, &copied);
		}
	}
	if (base->record_count > 0) {
		qsort(base->records, base->record_count, sizeof(weft_object_record), compare_records);
	}
	base->copies = pemalloc(copied + 1, 1);
	copied = 0;
	for (uint32_t i = 0; i < base->record_count; i++) {
		copy_object(&base->records[i], &copied);
	}
}

#define MAX_HOOKS 4
static weft_snapshot_hook hooks[MAX_HOOKS];
static uint32_t hook_count;

void weft_snapshot_on_take(weft_snapshot_hook hook)
{
	ZEND_ASSERT(hook_count < MAX_HOOKS);
	hooks[hook_count++] = hook;
}

bool weft_snapshot_take(void)
{
	if (weft_base_state.taken) {
		zend_throw_error(NULL, "The snapshot has been taken already; it can be taken once per process");
		return false;
	}
	if (weft_domain_in_place) {
		zend_throw_error(NULL, "The snapshot must be taken in the base, not inside a domain");
		return false;
	}
	gc_collect_cycles();
	for (uint32_t i = 0; i < hook_count && !EG(exception); i++) {
		hooks[i]();
	}
	if (EG(exception)) {
		return false;
	}
	weft_references_begin();
	weft_statics_snapshot();
	weft_globals_snapshot();
	take_objects();
	weft_stream_contexts_snapshot();
	weft_references_end();
	weft_base_state.taken = true;
	weft_scan_prepare();
	weft_c_state_capture();
	weft_time_slice_allow(true);
	return true;
}

bool weft_snapshot_take_again(void)
{
	ZEND_ASSERT(!weft_domain_in_place);
	weft_snapshot_forget();
	return weft_snapshot_take();
}

bool weft_snapshot_taken(void)
{
	return weft_base_state.taken;
}

const weft_isolation_stats *weft_isolation_statistics(void)
{
	return &weft_base_state.stats;
}

static void forget_objects(void)
{
	weft_base *base = &weft_base_state;

	for (uint32_t i = 0; i < base->record_count; i++) {
		const weft_object_record *record = &base->records[i];
		char *slot = base->copies + record->copy, *end = slot + record->size;

		if (record->region == (char *) &record->object->properties) {
			HashTable *table;

			memcpy(&table, slot, sizeof(table));
			if (table) {
				weft_dynamic_properties_release(table);
			}
			slot += sizeof(table);
		}
		for (; slot < end; slot += sizeof(zval)) {
			zval_ptr_dtor((zval *) slot);
		}
	}
	for (uint32_t i = 0; i < base->held_count; i++) {
		OBJ_RELEASE(base->held[i]);
	}
}

/* Lets go of what holds the cell. */
static void forget_owner(const weft_cell *cell)
{
	zval owner;

	if (cell->kind == WEFT_CELL_REFERENCE) {
		ZVAL_REF(&owner, cell->owner);
	} else if (cell->kind == WEFT_CELL_CONTEXT) {
		ZVAL_RES(&owner, cell->owner);
	} else {
		return;
	}
	zval_ptr_dtor(&owner);
}

void weft_snapshot_forget(void)
{
	weft_base *base = &weft_base_state;

	if (!base->taken) {
		return;
	}
	base->taken = false;
	weft_time_slice_allow(false);
	weft_globals_forget();
	weft_statics_forget();
	weft_dynamic_properties_forget();
	weft_hidden_forget();
	weft_lazy_forget();
	for (uint32_t i = 0; i < base->cell_count; i++) {
		zval_ptr_dtor(&base->cells[i].base);
		forget_owner(&base->cells[i]);
	}
	forget_objects();
	weft_scan_forget();
	free(base->records);
	free(base->copies);
	free(base->cells);
	free(base->held);
	free(base->held_handles);
	memset(base, 0, sizeof(*base));
}
