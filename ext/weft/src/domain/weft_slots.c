/*
 * Takes a domain's values out of slots that differ from the base, lays them over it again, and destroys them.
 */
#include "domain/weft_slots.h"
#include "domain/scan/weft_scan.h"
#include "weft_grow.h"

#define FEW_ITEMS 64

weft_base weft_base_state;

/* Most requests have few: the memory of a list that is gone is the next one's. */
static weft_private_list kept;

static void list_free(weft_private_list *list)
{
	if (kept.items || list->size > FEW_ITEMS) {
		pefree(list->items, 1);
	} else {
		kept = (weft_private_list){.items = list->items, .size = list->size};
	}
}

weft_private *weft_private_add(weft_private_list *list, weft_private_kind kind)
{
	weft_private *item;

	if (!list->items) {
		*list = kept;
		memset(&kept, 0, sizeof(kept));
	}
	WEFT_GROW(list->items, list->used, list->size);
	item = &list->items[list->used++];
	item->kind = kind;
	item->owner = NULL;
	return item;
}

uint32_t weft_cell_add(zval *slot, const zval *base, weft_cell_kind kind, void *owner)
{
	weft_base *state = &weft_base_state;
	weft_cell *cell;

	WEFT_GROW(state->cells, state->cell_count, state->cell_size);
	cell = &state->cells[state->cell_count];
	cell->slot = slot;
	cell->kind = kind;
	cell->owner = owner;
	cell->planned = NULL;
	ZVAL_COPY(&cell->base, base);
	weft_level_value(&cell->base);
	state->stats.slots++;
	return state->cell_count++;
}

static bool same_property(const zval *slot, const zval *base)
{
	return weft_same_value(slot, base) && slot->u2.extra == base->u2.extra;
}

static void leave_property(zend_object *object, zval *slot, const zval *base, weft_private_list *list)
{
	weft_private *item;

	if (same_property(slot, base)) {
		/* null and booleans leave old bytes beside their type: level them, so that memcmp agrees next time */
		slot->value = base->value;
		return;
	}
	if (slot->u2.extra == base->u2.extra && weft_slot_is_clean(slot, base)) {
		return;
	}
	item = weft_private_add(list, WEFT_PRIVATE_PROPERTY);
	item->owner = object;
	item->place.slot = slot;
	item->value = *slot;
	*slot = *base;
	Z_TRY_ADDREF_P(slot);
}

void weft_slots_leave_record(const weft_object_record *record, weft_private_list *list)
{
	zend_object *object = record->object;
	char *slot = record->region, *end = record->region + record->size;
	const char *base = weft_base_state.copies + record->copy;

	if (slot == (char *) &object->properties) {
		HashTable *table;

		memcpy(&table, base, sizeof(table));
		if (object->properties != table) {
			weft_private *item = weft_private_add(list, WEFT_PRIVATE_TABLE);

			item->owner = object;
			ZVAL_PTR(&item->value, object->properties);
			object->properties = table;
			if (table) {
				GC_TRY_ADDREF(table);
			}
		}
		slot += sizeof(table);
		base += sizeof(table);
	}
	for (; slot < end; slot += sizeof(zval), base += sizeof(zval)) {
		leave_property(object, (zval *) slot, (const zval *) base, list);
	}
}

void weft_slots_leave_cell(uint32_t index, weft_private_list *list)
{
	weft_cell *cell = &weft_base_state.cells[index];
	weft_private *item;

	if (EXPECTED(weft_same_value(cell->slot, &cell->base))) {
		weft_level_value(cell->slot);
		return;
	}
	if (weft_slot_is_clean(cell->slot, &cell->base)) {
		return;
	}
	if (Z_TYPE(cell->base) == IS_CONSTANT_AST && cell->kind == WEFT_CELL_STATIC && weft_statics_evaluate_base(cell)) {
		return;
	}
	item = weft_private_add(list, WEFT_PRIVATE_CELL);
	item->place.index = index;
	weft_put_value(&item->value, cell->slot);
	weft_put_value(cell->slot, &cell->base);
	Z_TRY_ADDREF_P(cell->slot);
}

void weft_slots_leave(weft_private_list *list, bool undisturbed)
{
	if (undisturbed) {
		weft_scan_spare();
		return;
	}
	weft_statics_notice_late();
	weft_scan_leave(list);
	weft_lazy_leave(list);
	weft_dynamic_properties_leave(list);
	weft_globals_leave(list);
	weft_base_state.stats.dirty += list->used;
}

void weft_slots_enter(weft_private_list *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		weft_private *item = &list->items[i];
		zend_object *object;
		zval *slot;

		switch (item->kind) {
			case WEFT_PRIVATE_PROPERTY:
				weft_drop_base_value(item->place.slot);
				*item->place.slot = item->value;
				break;
			case WEFT_PRIVATE_CELL:
				slot = weft_base_state.cells[item->place.index].slot;
				weft_drop_base_value(slot);
				weft_put_value(slot, &item->value);
				break;
			case WEFT_PRIVATE_TABLE:
				object = item->owner;
				if (object->properties) {
					weft_dynamic_properties_release(object->properties);
				}
				object->properties = Z_PTR(item->value);
				break;
			case WEFT_PRIVATE_LAZY: weft_lazy_enter(item); break;
			case WEFT_PRIVATE_GLOBAL: weft_globals_enter(item); break;
		}
	}
	list->used = 0;
}

/* A typed property that was a reference leaves its type with the reference; take it away, since the value is
 * about to leave the property for good. */
static void forget_type_source(weft_private *item)
{
	zend_property_info *info = NULL;

	if (!Z_ISREF(item->value) || !ZEND_REF_HAS_TYPE_SOURCES(Z_REF(item->value))) {
		return;
	}
	if (item->kind == WEFT_PRIVATE_PROPERTY) {
		info = zend_get_typed_property_info_for_slot(item->owner, item->place.slot);
	} else if (item->kind == WEFT_PRIVATE_CELL) {
		const weft_cell *cell = &weft_base_state.cells[item->place.index];

		info = cell->kind == WEFT_CELL_STATIC ? weft_statics_property_info(cell) : NULL;
	}
	if (info && ZEND_TYPE_IS_SET(info->type)) {
		ZEND_REF_DEL_TYPE_SOURCE(Z_REF(item->value), info);
	}
}

void weft_guard_destroy(zval *guard)
{
	if (Z_TYPE_P(guard) == IS_ARRAY) {
		/* not an array of values: its own destructor frees the guards */
		zend_hash_destroy(Z_ARRVAL_P(guard));
		FREE_HASHTABLE(Z_ARRVAL_P(guard));
	} else {
		zval_ptr_dtor(guard);
	}
}

static bool is_guard(const weft_private *item)
{
	const zend_object *object = item->owner;

	return item->kind == WEFT_PRIVATE_PROPERTY &&
		item->place.slot == object->properties_table + object->ce->default_properties_count;
}

void weft_slots_destroy(weft_private_list *list)
{
	/* destructors may suspend, and then others use lists: this one must not be reachable meanwhile */
	weft_private_list gone = *list;

	memset(list, 0, sizeof(*list));
	for (uint32_t i = 0; i < gone.used; i++) {
		weft_private *item = &gone.items[i];

		if (item->kind == WEFT_PRIVATE_TABLE) {
			if (Z_PTR(item->value)) {
				weft_dynamic_properties_release(Z_PTR(item->value));
			}
			continue;
		}
		if (item->kind == WEFT_PRIVATE_LAZY) {
			weft_lazy_destroy(item);
			continue;
		}
		if (is_guard(item)) {
			weft_guard_destroy(&item->value);
			continue;
		}
		forget_type_source(item);
		zval_ptr_dtor(&item->value);
		if (item->kind == WEFT_PRIVATE_GLOBAL) {
			zend_string_release(item->place.name);
		}
	}
	list_free(&gone);
}
