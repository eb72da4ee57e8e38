/*
 * Static properties of classes, static variables of functions and methods, variables bound by closures.
 *
 * All are swapped where they lie. Runtime caches hold the addresses of static properties. Tables of static
 * variables could be exchanged by their pointer, but a closure made by `foo(...)` shares the table of foo, and a
 * closure that is bound again copies it through a second pointer: elements moved in place are right for all.
 */
#include "domain/scan/weft_scan.h"
#include "domain/weft_slot_names.h"
#include "domain/weft_tables.h"
#include "zend_closures.h"
#include "weft_compat.h"
#include "weft_grow.h"

/* How much of the class table or function table has been looked at. */
typedef struct {
	uint32_t used;
	uint32_t elements;
	zend_string *last; /* key of the last bucket seen; not counted, only compared */
} table_mark;

static table_mark classes_mark, functions_mark;
/* Classes and op_arrays registered, and tables of static variables: by address. */
static HashTable known;
/* Functions with static variables that have not been called yet. */
static zend_op_array **uncalled;
static uint32_t uncalled_count, uncalled_size;
/* Buckets of the class table whose class is not linked yet. */
static uint32_t *unlinked;
static uint32_t unlinked_count, unlinked_size;

static bool is_new_statics(const void *address)
{
	return zend_hash_index_add_empty_element(&known, weft_key_of_address(address)) != NULL;
}

/* --- static variables --- */

/* `declared`: what the table was copied from, when a domain has called the function already; else NULL. */
static void add_variables(const zend_op_array *op_array, HashTable *table, HashTable *declared)
{
	zend_string *name;
	zval *slot;

	if (!is_new_statics(table)) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(table, name, slot) {
		zval *base = slot;

		if (declared) {
			base = zend_hash_find(declared, name);
			ZEND_ASSERT(base);
		} else {
			weft_references_prepare(slot);
		}
		weft_cell_add(slot, base, WEFT_CELL_VARIABLE, (void *) op_array);
	}
	ZEND_HASH_FOREACH_END();
}

/* In itself, when OPcache doesn't share it, or behind CG(map_ptr_base), beside what it caches there. */
static bool has_data(const zend_op_array *op_array)
{
	return op_array->static_variables || !ZEND_MAP_PTR_IS_OFFSET(op_array->run_time_cache);
}

static void register_function(zend_function *function, bool late)
{
	zend_op_array *op_array = &function->op_array;
	HashTable *table;

	if (function->type != ZEND_USER_FUNCTION || !has_data(op_array) || !is_new_statics(op_array)) {
		return;
	}
	weft_tables_know_function(op_array);
	if (!op_array->static_variables) {
		return;
	}
	table = ZEND_MAP_PTR_GET(op_array->static_variables_ptr);
	if (table) {
		add_variables(op_array, table, late ? op_array->static_variables : NULL);
		return;
	}
	WEFT_GROW(uncalled, uncalled_count, uncalled_size);
	uncalled[uncalled_count++] = op_array;
}

static void notice_first_calls(void)
{
	for (uint32_t i = 0; i < uncalled_count;) {
		zend_op_array *op_array = uncalled[i];
		HashTable *table = ZEND_MAP_PTR_GET(op_array->static_variables_ptr);

		if (EXPECTED(!table) || (weft_tables_in_place && ZEND_MAP_PTR_IS_OFFSET(op_array->static_variables_ptr))) {
			i++;
			continue;
		}
		add_variables(op_array, table, op_array->static_variables);
		uncalled[i] = uncalled[--uncalled_count];
	}
}

/* Whether code of the function may write to its table of variables. It can't reach those that a closure has bound by
 * value: a call works on copies. */
static bool binds_by_reference(const zend_op_array *op_array)
{
	if (op_array->fn_flags & ZEND_ACC_FAKE_CLOSURE) {
		return true; /* the table is the function's own */
	}
	for (uint32_t i = 0; i < op_array->last; i++) {
		const zend_op *op = &op_array->opcodes[i];

		if (WEFT_INITIALISES_STATIC(op) || (op->opcode == ZEND_BIND_STATIC && (op->extended_value & ZEND_BIND_REF))) {
			return true;
		}
	}
	return false;
}

static HashTable *table_of(const zend_object *closure)
{
	const zend_function *function = zend_get_closure_method_def((zend_object *) closure);

	return function->type == ZEND_USER_FUNCTION && function->op_array.static_variables
		? ZEND_MAP_PTR_GET(function->op_array.static_variables_ptr)
		: NULL;
}

void weft_statics_closure(zend_object *closure)
{
	const zend_op_array *op_array = &zend_get_closure_method_def(closure)->op_array;
	HashTable *table = table_of(closure);
	zval *value;

	if (op_array->type == ZEND_USER_FUNCTION) {
		weft_tables_know_function((zend_op_array *) op_array);
	}
	if (!table) {
		return;
	}
	if (binds_by_reference(op_array)) {
		add_variables(op_array, table, NULL);
		return;
	}
	/* values that never change, and so no slots; inside of them may be references */
	ZEND_HASH_FOREACH_VAL(table, value) {
		weft_references_prepare(value);
	}
	ZEND_HASH_FOREACH_END();
}

static void visit_bound(const zend_object *closure, weft_slot_visitor visitor, void *context)
{
	const zend_op_array *op_array = &zend_get_closure_method_def((zend_object *) closure)->op_array;
	HashTable *table = table_of(closure);
	zend_string *name;
	zval *value;

	if (!table || binds_by_reference(op_array)) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(table, name, value) {
		weft_slot slot = {.kind = WEFT_SLOT_VARIABLE, .class = op_array->scope, .name = ZSTR_VAL(name), .place = value};

		slot.function = op_array->function_name ? ZSTR_VAL(op_array->function_name) : NULL;
		slot.base = slot.live = *value;
		visitor(&slot, context);
	}
	ZEND_HASH_FOREACH_END();
}

void weft_statics_visit_bound(weft_slot_visitor visitor, void *context)
{
	for (uint32_t i = 0; i < weft_base_state.held_count; i++) {
		if (weft_base_state.held[i]->ce == zend_ce_closure) {
			visit_bound(weft_base_state.held[i], visitor, context);
		}
	}
}

/* --- classes --- */

static void add_static_properties(zend_class_entry *ce, bool late)
{
	zval *table;

	if (!ce->default_static_members_count) {
		return;
	}
	zend_class_init_statics(ce);
	table = CE_STATIC_MEMBERS(ce);
	for (uint32_t i = 0; i < (uint32_t) ce->default_static_members_count; i++) {
		if (Z_TYPE(table[i]) == IS_INDIRECT) {
			continue; /* inherited: the parent's slot */
		}
		if (weft_shared_static(&table[i])) {
			continue;
		}
		if (late) {
			weft_cell_add(&table[i], &ce->default_static_members_table[i], WEFT_CELL_STATIC, ce);
		} else {
			weft_references_prepare(&table[i]);
			weft_cell_add(&table[i], &table[i], WEFT_CELL_STATIC, ce);
		}
	}
}

static void register_class(zend_class_entry *ce, bool late)
{
	zend_function *function;

	if (!is_new_statics(ce)) {
		return;
	}
	add_static_properties(ce, late);
	weft_tables_know_class(ce);
	if (ce->type == ZEND_USER_CLASS) {
		ZEND_HASH_MAP_FOREACH_PTR(&ce->function_table, function) {
			register_function(function, late);
		}
		ZEND_HASH_FOREACH_END();
	}
	weft_base_state.stats.late_classes += late;
}

static void add_unlinked(uint32_t bucket)
{
	WEFT_GROW(unlinked, unlinked_count, unlinked_size);
	unlinked[unlinked_count++] = bucket;
}

static void visit_class_bucket(uint32_t index, bool late)
{
	zval *value = &EG(class_table)->arData[index].val;
	zend_class_entry *ce;

	if (Z_TYPE_P(value) == IS_UNDEF) {
		return;
	}
	if (Z_TYPE_P(value) == IS_ALIAS_PTR) {
		return; /* the class itself has a bucket too */
	}
	ce = Z_PTR_P(value);
	if (!(ce->ce_flags & ZEND_ACC_LINKED)) {
		add_unlinked(index);
	} else {
		register_class(ce, late);
	}
}

/* Whether the buckets seen before are still where they were, so that only the new ones need a look. */
static bool mark_holds(const table_mark *mark, const HashTable *table)
{
	return mark->used && table->nNumUsed >= mark->used && table->arData[mark->used - 1].key == mark->last;
}

static void set_mark(table_mark *mark, const HashTable *table)
{
	mark->used = table->nNumUsed;
	mark->elements = table->nNumOfElements;
	mark->last = table->nNumUsed ? table->arData[table->nNumUsed - 1].key : NULL;
}

static bool unchanged(const table_mark *mark, const HashTable *table)
{
	return mark->used == table->nNumUsed && mark->elements == table->nNumOfElements;
}

static void visit_classes(bool late)
{
	uint32_t from = 0;

	if (late && mark_holds(&classes_mark, EG(class_table))) {
		from = classes_mark.used;
	} else {
		unlinked_count = 0;
	}
	for (uint32_t i = from; i < EG(class_table)->nNumUsed; i++) {
		visit_class_bucket(i, late);
	}
	for (uint32_t i = 0; i < unlinked_count; i++) {
		weft_tables_know_unlinked(Z_PTR(EG(class_table)->arData[unlinked[i]].val));
	}
	set_mark(&classes_mark, EG(class_table));
}

static void visit_functions(bool late)
{
	uint32_t from = late && mark_holds(&functions_mark, EG(function_table)) ? functions_mark.used : 0;

	for (uint32_t i = from; i < EG(function_table)->nNumUsed; i++) {
		zval *value = &EG(function_table)->arData[i].val;

		if (Z_TYPE_P(value) != IS_UNDEF) {
			register_function(Z_PTR_P(value), late);
		}
	}
	set_mark(&functions_mark, EG(function_table));
}

/* The numbers are those of the base's table, whatever is in place. One that OPcache shares is linked in a copy: in a
 * domain's own tables that is nothing to the base, which links it later. Else it is linked where it lies, for all. */
static void notice_links(void)
{
	uint32_t count = unlinked_count;

	unlinked_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		zend_class_entry *ce = weft_tables_base_class(unlinked[i]);

		if (ce && (ce->ce_flags & ZEND_ACC_LINKED)) {
			register_class(ce, true);
		} else {
			add_unlinked(unlinked[i]);
		}
	}
}

void weft_statics_notice_late(void)
{
	if (!weft_base_state.taken) {
		return;
	}
	/* what a domain's own tables have besides the base's is its own, and dies with it */
	if (!weft_tables_in_place) {
		if (UNEXPECTED(!unchanged(&classes_mark, EG(class_table)))) {
			visit_classes(true);
		}
		if (UNEXPECTED(!unchanged(&functions_mark, EG(function_table)))) {
			visit_functions(true);
		}
	}
	if (unlinked_count) {
		notice_links();
	}
	notice_first_calls();
}

void weft_statics_settle(void)
{
	weft_statics_notice_late();
	for (uint32_t i = 0; i < weft_base_state.cell_count; i++) {
		weft_cell *cell = &weft_base_state.cells[i];

		if (UNEXPECTED(Z_TYPE(cell->base) == IS_CONSTANT_AST) && cell->kind == WEFT_CELL_STATIC) {
			weft_statics_evaluate_base(cell);
		}
	}
}

void weft_statics_snapshot(void)
{
	zend_hash_init(&known, 1024, NULL, NULL, 1);
	visit_classes(false);
	visit_functions(false);
}

/* --- bases that are constant expressions --- */

static uint32_t current_class_flags(zend_class_entry *ce)
{
	zend_class_mutable_data *data = ZEND_MAP_PTR(ce->mutable_data) ? ZEND_MAP_PTR_GET_IMM(ce->mutable_data) : NULL;

	return data ? data->ce_flags : ce->ce_flags;
}

zend_property_info *weft_statics_property_info(const weft_cell *cell)
{
	zend_class_entry *ce = cell->owner;
	zend_property_info *info;

	ZEND_HASH_MAP_FOREACH_PTR(&ce->properties_info, info) {
		if ((info->flags & ZEND_ACC_STATIC) && &CE_STATIC_MEMBERS(ce)[info->offset] == cell->slot) {
			return info;
		}
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}

bool weft_statics_evaluate_base(weft_cell *cell)
{
	zend_class_entry *ce = cell->owner;
	zend_property_info *info = weft_statics_property_info(cell);
	zval value;

	/* with tables of its own the domain has evaluated it for itself alone */
	if (weft_tables_in_place || !(current_class_flags(ce) & ZEND_ACC_CONSTANTS_UPDATED)) {
		return false;
	}
	/* The class believes its expressions are evaluated and never looks again. Everything they name was resolved
	 * a moment ago, so this runs no code of the application. */
	ZVAL_COPY(&value, &cell->base);
	if (zval_update_constant_ex(&value, info ? info->ce : ce) != SUCCESS) {
		zval_ptr_dtor(&value);
		return false;
	}
	if (info && ZEND_TYPE_IS_SET(info->type)) {
		zend_verify_property_type(info, &value, true);
	}
	weft_level_value(&value);
	zval_ptr_dtor(&cell->base);
	if (!Z_ISREF_P(cell->slot) && zend_is_identical(&value, cell->slot)) {
		zval_ptr_dtor(&value);
		ZVAL_COPY(&cell->base, cell->slot);
		weft_level_value(&cell->base);
		weft_scan_cell_changed(cell);
		return true;
	}
	ZVAL_COPY_VALUE(&cell->base, &value);
	weft_scan_cell_changed(cell);
	return false;
}

void weft_statics_forget(void)
{
	weft_tables_forget();
	zend_hash_destroy(&known);
	free(uncalled);
	free(unlinked);
	uncalled = NULL;
	unlinked = NULL;
	uncalled_count = uncalled_size = unlinked_count = unlinked_size = 0;
	memset(&classes_mark, 0, sizeof(classes_mark));
	memset(&functions_mark, 0, sizeof(functions_mark));
}
