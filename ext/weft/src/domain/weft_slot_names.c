/*
 * Every slot of the base by name, and the one place that gives a slot another base value.
 */
#include "domain/weft_slots.h"
#include "domain/scan/weft_scan.h"
#include "domain/weft_slot_names.h"
#include "coroutine/weft_coroutine.h"

/* The base's bytes of a record, slot by slot. */
static zval *base_of(const weft_object_record *record, const zval *slot)
{
	return (zval *) (weft_base_state.copies + record->copy + ((const char *) slot - record->region));
}

static bool has_table(const weft_object_record *record)
{
	return record->region == (char *) &record->object->properties;
}

static zval *first_slot(const weft_object_record *record)
{
	return has_table(record) ? record->object->properties_table : (zval *) record->region;
}

static zval *last_slot(const weft_object_record *record)
{
	return (zval *) (record->region + record->size);
}

static HashTable *base_table(const weft_object_record *record)
{
	HashTable *table;

	memcpy(&table, weft_base_state.copies + record->copy, sizeof(table));
	return table;
}

static void put_table(zval *value, HashTable *table)
{
	if (table) {
		ZVAL_ARR(value, table);
	} else {
		ZVAL_UNDEF(value);
	}
}

/* --- describing --- */

static void describe_property(weft_slot *slot, zend_object *object, zval *place)
{
	uint32_t number = place - object->properties_table;

	slot->object = object;
	slot->place = place;
	if (number >= (uint32_t) object->ce->default_properties_count) {
		slot->kind = WEFT_SLOT_GUARD;
	} else {
		const zend_property_info *info = object->ce->properties_info_table[number];

		slot->kind = WEFT_SLOT_PROPERTY;
		slot->class = info ? info->ce : object->ce;
		slot->name = info ? zend_get_unmangled_property_name(info->name) : NULL;
	}
}

static void describe_cell(weft_slot *slot, const weft_cell *cell)
{
	slot->place = cell->slot;
	if (cell->kind == WEFT_CELL_STATIC) {
		const zend_property_info *info = weft_statics_property_info(cell);

		slot->kind = WEFT_SLOT_STATIC;
		slot->class = cell->owner;
		slot->name = info ? zend_get_unmangled_property_name(info->name) : NULL;
	} else if (cell->kind == WEFT_CELL_VARIABLE) {
		const zend_op_array *function = cell->owner;

		slot->kind = WEFT_SLOT_VARIABLE;
		slot->class = function->scope;
		slot->function = function->function_name ? ZSTR_VAL(function->function_name) : NULL;
		/* the slot is the value of a bucket, and a bucket begins with it */
		slot->name = ZSTR_VAL(((const Bucket *) cell->slot)->key);
	} else {
		slot->kind = cell->kind == WEFT_CELL_CONTEXT ? WEFT_SLOT_CONTEXT : WEFT_SLOT_REFERENCE;
	}
}

static zval *base_of_property(const zend_object *object, const zval *place)
{
	for (uint32_t i = 0; i < weft_base_state.record_count; i++) {
		const weft_object_record *record = &weft_base_state.records[i];

		if (record->object == object && place >= first_slot(record) && place < last_slot(record)) {
			return base_of(record, place);
		}
	}
	return NULL;
}

static const weft_object_record *record_with_table(const zend_object *object)
{
	for (uint32_t i = 0; i < weft_base_state.record_count; i++) {
		if (weft_base_state.records[i].object == object && has_table(&weft_base_state.records[i])) {
			return &weft_base_state.records[i];
		}
	}
	return NULL;
}

static void describe_table(weft_slot *slot, zend_object *object)
{
	HashTable *pristine = weft_dynamic_properties_base(object);

	slot->kind = WEFT_SLOT_DYNAMIC;
	slot->object = object;
	slot->class = object->ce;
	put_table(&slot->base, pristine ? pristine : base_table(record_with_table(object)));
}

static void describe_global(weft_slot *slot, const zend_string *name)
{
	slot->kind = WEFT_SLOT_GLOBAL;
	slot->name = ZSTR_VAL(name);
	slot->place = weft_globals_place(name);
	for (uint32_t i = 0; i < weft_globals_count(); i++) {
		zval *base;

		if (zend_string_equals(weft_globals_base(i, &base), name)) {
			ZVAL_COPY_VALUE(&slot->base, base);
			return;
		}
	}
}

void weft_private_describe(const weft_private *item, weft_slot *slot)
{
	const weft_cell *cell;

	memset(slot, 0, sizeof(*slot));
	switch (item->kind) {
		case WEFT_PRIVATE_PROPERTY:
			describe_property(slot, item->owner, item->place.slot);
			ZVAL_COPY_VALUE(&slot->base, base_of_property(item->owner, item->place.slot));
			break;
		case WEFT_PRIVATE_CELL:
			cell = &weft_base_state.cells[item->place.index];
			describe_cell(slot, cell);
			ZVAL_COPY_VALUE(&slot->base, &cell->base);
			break;
		case WEFT_PRIVATE_TABLE:
			describe_table(slot, item->owner);
			put_table(&slot->live, Z_PTR(item->value));
			return;
		case WEFT_PRIVATE_LAZY:
			slot->kind = WEFT_SLOT_GUARD;
			slot->object = item->owner;
			return;
		case WEFT_PRIVATE_GLOBAL: describe_global(slot, item->place.name); break;
	}
	ZVAL_COPY_VALUE(&slot->live, &item->value);
}

/* --- visiting --- */

static bool visit_table(zend_object *object, weft_slot_visitor visitor, void *context)
{
	weft_slot slot = {0};

	describe_table(&slot, object);
	put_table(&slot.live, object->properties);
	return visitor(&slot, context);
}

static bool visit_record(const weft_object_record *record, weft_slot_visitor visitor, void *context)
{
	zend_object *object = record->object;

	/* a table that is compared element by element belongs to no record; the first slot's record tells of it */
	if (has_table(record) || (first_slot(record) == object->properties_table && weft_dynamic_properties_base(object))) {
		if (!visit_table(object, visitor, context)) {
			return false;
		}
	}
	for (zval *place = first_slot(record); place < last_slot(record); place++) {
		weft_slot slot = {0};

		describe_property(&slot, object, place);
		ZVAL_COPY_VALUE(&slot.base, base_of(record, place));
		ZVAL_COPY_VALUE(&slot.live, place);
		if (!visitor(&slot, context)) {
			return false;
		}
	}
	return true;
}

static bool visit_cells(weft_slot_visitor visitor, void *context)
{
	for (uint32_t i = 0; i < weft_base_state.cell_count; i++) {
		const weft_cell *cell = &weft_base_state.cells[i];
		weft_slot slot = {0};

		describe_cell(&slot, cell);
		ZVAL_COPY_VALUE(&slot.base, &cell->base);
		ZVAL_COPY_VALUE(&slot.live, cell->slot);
		if (!visitor(&slot, context)) {
			return false;
		}
	}
	return true;
}

static bool visit_globals(weft_slot_visitor visitor, void *context)
{
	for (uint32_t i = 0; i < weft_globals_count(); i++) {
		weft_slot slot = {0};
		zval *base;
		const zend_string *name = weft_globals_base(i, &base);

		slot.kind = WEFT_SLOT_GLOBAL;
		slot.name = ZSTR_VAL(name);
		slot.place = weft_globals_place(name);
		ZVAL_COPY_VALUE(&slot.base, base);
		if (slot.place) {
			ZVAL_COPY_VALUE(&slot.live, slot.place);
		}
		if (!visitor(&slot, context)) {
			return false;
		}
	}
	return true;
}

void weft_slots_visit(weft_slot_visitor visitor, void *context)
{
	for (uint32_t i = 0; i < weft_base_state.record_count; i++) {
		if (!visit_record(&weft_base_state.records[i], visitor, context)) {
			return;
		}
	}
	if (visit_cells(visitor, context)) {
		visit_globals(visitor, context);
	}
}

/* --- changing the base --- */

static bool set_table(zend_object *object, HashTable *table)
{
	const weft_object_record *record = record_with_table(object);
	HashTable *before, *live = object->properties;

	if (!record) {
		if (!table) {
			return false;
		}
		weft_dynamic_properties_set_base(object, table);
		return true;
	}
	before = base_table(record);
	memcpy(weft_base_state.copies + record->copy, &table, sizeof(table));
	weft_scan_base_changed();
	object->properties = table;
	for (int i = 0; table && i < 2; i++) {
		GC_TRY_ADDREF(table);
	}
	if (before) {
		weft_dynamic_properties_release(before);
	}
	if (live) {
		weft_dynamic_properties_release(live);
	}
	return true;
}

static zval *slot_find_base(const weft_slot *slot)
{
	zval *base;

	if (slot->kind == WEFT_SLOT_PROPERTY) {
		return base_of_property(slot->object, slot->place);
	}
	if (slot->kind == WEFT_SLOT_GLOBAL) {
		for (uint32_t i = 0; i < weft_globals_count(); i++) {
			if (ZSTR_VAL(weft_globals_base(i, &base)) == slot->name) {
				return base;
			}
		}
		return NULL;
	}
	for (uint32_t i = 0; i < weft_base_state.cell_count; i++) {
		if (weft_base_state.cells[i].slot == slot->place) {
			return &weft_base_state.cells[i].base;
		}
	}
	return NULL;
}

bool weft_slot_set_base(const weft_slot *slot, const zval *value)
{
	zval before, live, *base;

	ZEND_ASSERT(!weft_domain_in_place);
	if (slot->kind == WEFT_SLOT_DYNAMIC) {
		return set_table(slot->object, Z_TYPE_P(value) == IS_ARRAY ? Z_ARR_P(value) : NULL);
	}
	base = slot->kind != WEFT_SLOT_GUARD && slot->place ? slot_find_base(slot) : NULL;
	if (!base) {
		return false;
	}
	ZVAL_COPY_VALUE(&before, base);
	ZVAL_COPY_VALUE(&live, slot->place);
	weft_put_value(base, value);
	weft_put_value(slot->place, value);
	weft_level_value(base);
	weft_level_value(slot->place);
	Z_TRY_ADDREF_P(base);
	Z_TRY_ADDREF_P(slot->place);
	if (slot->kind == WEFT_SLOT_PROPERTY) {
		/* only without a value it matters whether a property was never initialised or has been unset */
		Z_PROP_FLAG_P(base) = Z_PROP_FLAG_P(slot->place) = Z_TYPE_P(value) == IS_UNDEF ? Z_PROP_FLAG_P(value) : 0;
	}
	weft_scan_base_changed();
	zval_ptr_dtor(&before);
	zval_ptr_dtor(&live);
	return true;
}
