/*
 * What the running domain has changed, for people: which slot, where it is declared, what was in it and what is, and
 * how much memory that is. Speed doesn't matter here.
 */
#include "inspect/weft_census.h"
#include "inspect/weft_inspect.h"
#include "domain/weft_slot_names.h"
#include "domain/weft_domain.h"
#include "domain/weft_slots.h"
#include "coroutine/weft_coroutine.h"
#include "inspect/weft_audit_arginfo.h"

static const char *const kind_names[] = {
	[WEFT_SLOT_PROPERTY] = "property",
	[WEFT_SLOT_DYNAMIC] = "dynamic property",
	[WEFT_SLOT_STATIC] = "static property",
	[WEFT_SLOT_VARIABLE] = "static variable",
	[WEFT_SLOT_REFERENCE] = "reference",
	[WEFT_SLOT_CONTEXT] = "stream context",
	[WEFT_SLOT_GLOBAL] = "global",
};

/* Moves the domain's values away for the time that somebody looks at them beside the base's. */
static void set_aside(weft_private_list *list)
{
	uint64_t dirty = weft_base_state.stats.dirty;

	memset(list, 0, sizeof(*list));
	weft_slots_leave(list, false);
	weft_base_state.stats.dirty = dirty; /* no switch: nobody has gone */
}

static void audit_put_back(weft_private_list *list)
{
	weft_slots_enter(list);
	free(list->items);
}

/* --- naming --- */

/* "array(3)", "string(12)", "App\Thing" */
static zend_string *type_text(const zval *value)
{
	if (Z_TYPE_P(value) == IS_REFERENCE) {
		value = Z_REFVAL_P(value);
	}
	switch (Z_TYPE_P(value)) {
		case IS_UNDEF: return zend_string_init(ZEND_STRL("nothing"), 0);
		case IS_ARRAY: return strpprintf(0, "array(%u)", zend_hash_num_elements(Z_ARRVAL_P(value)));
		case IS_STRING: return strpprintf(0, "string(%zu)", Z_STRLEN_P(value));
		case IS_OBJECT: return zend_string_copy(Z_OBJCE_P(value)->name);
		case IS_CONSTANT_AST: return zend_string_init(ZEND_STRL("constant expression"), 0);
		default: return zend_string_init(zend_zval_type_name(value), strlen(zend_zval_type_name(value)), 0);
	}
}

static zend_string *function_text(const zend_class_entry *ce, const char *function)
{
	if (!function) {
		return zend_string_init(ZEND_STRL("(file)"), 0);
	}
	return ce && strstr(function, "{closure") == NULL ? strpprintf(0, "%s::%s()", ZSTR_VAL(ce->name), function)
													  : strpprintf(0, "%s()", function);
}

static zend_string *slot_text(const weft_slot *slot, const char *name)
{
	zend_string *function, *text;

	switch (slot->kind) {
		case WEFT_SLOT_GLOBAL: return strpprintf(0, "global $%s", name);
		case WEFT_SLOT_VARIABLE:
			function = function_text(slot->class, slot->function);
			text = strpprintf(0, "%s $%s", ZSTR_VAL(function), name);
			zend_string_release(function);
			return text;
		case WEFT_SLOT_REFERENCE: return zend_string_init(ZEND_STRL("a shared reference"), 0);
		case WEFT_SLOT_CONTEXT: return zend_string_init(ZEND_STRL("the options of a stream context"), 0);
		default: return strpprintf(0, "%s::$%s", ZSTR_VAL(slot->class->name), name);
	}
}

/* --- who holds a reference --- */

typedef struct {
	const zend_reference *reference;
	zval *holders;
	HashTable seen;
} holder_search;

static bool reaches(holder_search *search, const zval *value)
{
	const zval *element;

	if (Z_TYPE_P(value) == IS_REFERENCE) {
		return Z_REF_P(value) == search->reference;
	}
	if (Z_TYPE_P(value) != IS_ARRAY || (GC_FLAGS(Z_ARR_P(value)) & GC_IMMUTABLE) ||
		!zend_hash_index_add_empty_element(&search->seen, weft_key_of_address(Z_ARR_P(value)))) {
		return false;
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), element) {
		if (Z_TYPE_P(element) != IS_INDIRECT && reaches(search, element)) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static bool audit_note_holder(const weft_slot *slot, void *context)
{
	holder_search *search = context;

	zend_hash_clean(&search->seen);
	if (slot->kind != WEFT_SLOT_GUARD && slot->kind != WEFT_SLOT_REFERENCE && reaches(search, &slot->base)) {
		add_next_index_str(search->holders, slot_text(slot, slot->name ? slot->name : "(dynamic)"));
	}
	return true;
}

static void find_holders(const zval *place, zval *holders)
{
	/* the cell lies inside its reference */
	holder_search search = {.reference = (const zend_reference *) ((const char *) place -
								offsetof(zend_reference, val)),
		.holders = holders};

	array_init(holders);
	zend_hash_init(&search.seen, 64, NULL, NULL, true);
	weft_slots_visit(audit_note_holder, &search);
	weft_statics_visit_bound(audit_note_holder, &search);
	zend_hash_destroy(&search.seen);
}

/* --- one change --- */

typedef struct {
	zval *changes;
	weft_census *census;
} report;

static void add_place(zval *change, const zend_string *file, uint32_t line)
{
	if (file) {
		add_assoc_stringl(change, "file", ZSTR_VAL(file), ZSTR_LEN(file));
		add_assoc_long(change, "line", line);
	} else {
		add_assoc_null(change, "file");
		add_assoc_null(change, "line");
	}
}

static void add_declaration(zval *change, const weft_slot *slot, const zend_op_array *function)
{
	const zend_class_entry *ce = slot->class;

	if (slot->kind == WEFT_SLOT_VARIABLE && function) {
		add_place(change, function->filename, function->line_start);
	} else if (ce && ce->type == ZEND_USER_CLASS && slot->kind != WEFT_SLOT_VARIABLE) {
		add_place(change, ce->info.user.filename, ce->info.user.line_start);
	} else {
		add_place(change, NULL, 0);
	}
}

static void add_change(report *to, const weft_slot *slot, const zend_op_array *function, const char *name,
	const zval *base, const zval *live)
{
	zend_string *text = slot_text(slot, name);
	weft_census_count size;
	zval change, holders;

	array_init(&change);
	add_assoc_string(&change, "kind", kind_names[slot->kind]);
	add_assoc_str(&change, "slot", text);
	add_assoc_string(&change, "name", name);
	if (slot->class) {
		add_assoc_str(&change, "class", zend_string_copy(slot->class->name));
	} else {
		add_assoc_null(&change, "class");
	}
	add_assoc_long(&change, "object", slot->object ? (zend_long) slot->object->handle : 0);
	add_declaration(&change, slot, function);
	add_assoc_str(&change, "was", type_text(base));
	add_assoc_str(&change, "is", type_text(live));
	weft_census_skip(to->census, base);
	size = weft_census_add(to->census, live, ZSTR_VAL(text));
	add_assoc_long(&change, "bytes", (zend_long) size.bytes);
	if (slot->kind == WEFT_SLOT_REFERENCE) {
		find_holders(slot->place, &holders);
		add_assoc_zval(&change, "holders", &holders);
	}
	add_next_index_zval(to->changes, &change);
}

/* An object's dynamic properties change as a table: tells the elements that differ. */
static void add_dynamic_changes(report *to, const weft_slot *slot)
{
	HashTable *base = Z_TYPE(slot->base) == IS_ARRAY ? Z_ARRVAL(slot->base) : NULL;
	HashTable *live = Z_TYPE(slot->live) == IS_ARRAY ? Z_ARRVAL(slot->live) : NULL;
	zval undef, *value;
	zend_string *name;

	ZVAL_UNDEF(&undef);
	if (live) {
		ZEND_HASH_FOREACH_STR_KEY_VAL(live, name, value) {
			zval *before = base && name ? zend_hash_find(base, name) : NULL;

			if (name && Z_TYPE_P(value) != IS_INDIRECT && !(before && weft_same_value(value, before))) {
				add_change(to, slot, NULL, ZSTR_VAL(name), before ? before : &undef, value);
			}
		}
		ZEND_HASH_FOREACH_END();
	}
	if (base) {
		ZEND_HASH_FOREACH_STR_KEY_VAL(base, name, value) {
			if (name && Z_TYPE_P(value) != IS_INDIRECT && !(live && zend_hash_exists(live, name))) {
				add_change(to, slot, NULL, ZSTR_VAL(name), value, &undef);
			}
		}
		ZEND_HASH_FOREACH_END();
	}
}

static const zend_op_array *function_of(const weft_private *item)
{
	const weft_cell *cell = &weft_base_state.cells[item->place.index];

	return item->kind == WEFT_PRIVATE_CELL && cell->kind == WEFT_CELL_VARIABLE ? cell->owner : NULL;
}

static void report_item(report *to, const weft_private *item)
{
	weft_slot slot;

	weft_private_describe(item, &slot);
	if (slot.kind == WEFT_SLOT_DYNAMIC) {
		add_dynamic_changes(to, &slot);
	} else if (slot.kind != WEFT_SLOT_GUARD) {
		add_change(to, &slot, function_of(item), slot.name ? slot.name : "", &slot.base, &slot.live);
	}
}

/* --- for PHP --- */

ZEND_FUNCTION(Weft_Internal_changes)
{
	report to = {.changes = return_value};
	weft_private_list list;

	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	if (!weft_base_state.taken || !weft_domain_in_place) {
		return; /* the base has no changes */
	}
	set_aside(&list);
	to.census = weft_census_begin();
	for (uint32_t i = 0; i < list.used; i++) {
		report_item(&to, &list.items[i]);
	}
	weft_census_end(to.census);
	audit_put_back(&list);
}

static void count_item(weft_census *census, const weft_private *item)
{
	zend_string *label;
	weft_slot slot;

	weft_private_describe(item, &slot);
	if (slot.kind != WEFT_SLOT_GUARD) {
		label = slot_text(&slot, slot.name ? slot.name : "(dynamic)");
		weft_census_skip(census, &slot.base);
		weft_census_add(census, &slot.live, ZSTR_VAL(label));
		zend_string_release(label);
	}
}

ZEND_FUNCTION(Weft_Internal_census)
{
	weft_census *census;
	weft_private_list list;

	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	if (!weft_base_state.taken || !weft_domain_in_place) {
		return;
	}
	set_aside(&list);
	census = weft_census_begin();
	for (uint32_t i = 0; i < list.used; i++) {
		count_item(census, &list.items[i]);
	}
	audit_put_back(&list);
	weft_census_report(census, return_value);
	weft_census_end(census);
}

static bool is_tracked_reference(const weft_slot *slot, void *context)
{
	zval *references = context, holders, one;
	zend_string *type;

	if (slot->kind != WEFT_SLOT_REFERENCE) {
		return true;
	}
	find_holders(slot->place, &holders);
	type = type_text(&slot->base);
	array_init(&one);
	add_assoc_zval(&one, "holders", &holders);
	add_assoc_str(&one, "type", type);
	add_next_index_zval(references, &one);
	return true;
}

ZEND_FUNCTION(Weft_Internal_references)
{
	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	if (weft_base_state.taken) {
		weft_slots_visit(is_tracked_reference, return_value);
	}
}

static void add_shared_value(const zend_class_entry *ce, const zend_string *property, const zval *value, void *context)
{
	zval *values = context, one, copy;
	weft_census *census = weft_census_begin();
	weft_census_count size = weft_census_add(census, value, "");

	weft_census_end(census);
	ZVAL_COPY_DEREF(&copy, (zval *) value);
	if (Z_TYPE(copy) == IS_UNDEF) {
		ZVAL_NULL(&copy);
	}
	array_init(&one);
	add_assoc_str(&one, "class", zend_string_copy(ce->name));
	add_assoc_str(&one, "property", zend_string_copy((zend_string *) property));
	add_assoc_long(&one, "bytes", (zend_long) size.bytes);
	add_assoc_zval(&one, "value", &copy);
	add_next_index_zval(values, &one);
}

ZEND_FUNCTION(Weft_Internal_shared_values)
{
	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	weft_shared_visit(add_shared_value, return_value);
}

ZEND_FUNCTION(Weft_Internal_footprint)
{
	ZEND_PARSE_PARAMETERS_NONE();
	weft_footprint(return_value);
}

void weft_audit_register_functions(void)
{
	zend_register_functions(NULL, ext_functions, NULL, MODULE_PERSISTENT);
}
