/*
 * What hangs off the base's tables, for those who get tables of their own.
 *
 * Three things hang off CG(map_ptr_base): what code caches, which must be everybody's own; statics, whose values are
 * slots of the snapshot, so all share one table of them; and a class's evaluated constants and defaults, which are
 * shared once they are final. Only the last two can be found from the tables: a closure's cache may hang off code that
 * no table knows any more. So those are copied and all else is left empty.
 *
 * Code and classes that OPcache does not share keep the same in themselves. There it is exchanged where it lies.
 */
#include "domain/weft_tables.h"
#include "weft_compat.h"
#include "weft_grow.h"

typedef struct {
	void **items;
	uint32_t used;
	uint32_t size;
} pointer_list;

/* Whose data hangs off CG(map_ptr_base). */
static pointer_list classes, functions;
/* Where code keeps a pointer itself; classes that evaluate their expressions in themselves. */
static pointer_list places, own_classes;

/* Code that OPcache does not share: some is in several tables. */
static HashTable seen;

typedef struct {
	zval *place;
	zval other;
} kept_value;

typedef struct {
	zend_class_entry *ce;
	uint32_t other;
} kept_flags;

struct weft_kept {
	void **pointers; /* of the first so many places */
	uint32_t pointer_count;
	kept_value *values;
	uint32_t value_count, value_size;
	kept_flags *flags;
	uint32_t flag_count;
	uint32_t class_count, function_count; /* so many were known */
};

static void pointer_add(pointer_list *list, void *item)
{
	WEFT_GROW(list->items, list->used, list->size);
	list->items[list->used++] = item;
}

static bool is_offset(const void *pointer)
{
	return (uintptr_t) pointer & 1;
}

static void **in_map(const void *map_base, const void *offset)
{
	return (void **) ((char *) map_base + (uintptr_t) offset);
}

static bool evaluates_in_itself(const zend_class_entry *ce)
{
	return ce->type == ZEND_USER_CLASS && !ZEND_MAP_PTR(ce->mutable_data) &&
		!(ce->ce_flags & ZEND_ACC_CONSTANTS_UPDATED);
}

void weft_tables_know_class(zend_class_entry *ce)
{
	if (is_offset(ZEND_MAP_PTR(ce->mutable_data)) || is_offset(ZEND_MAP_PTR(ce->static_members_table))) {
		pointer_add(&classes, ce);
	}
	if (evaluates_in_itself(ce)) {
		pointer_add(&own_classes, ce);
	}
}

bool weft_tables_knows_inner(const zend_op_array *inner)
{
	return is_offset(ZEND_MAP_PTR(inner->run_time_cache)) ||
		(seen.arData && zend_hash_index_exists(&seen, weft_key_of_address(inner)));
}

static bool is_new_code(const void *code)
{
	if (!seen.arData) {
		zend_hash_init(&seen, 64, NULL, NULL, 1);
	}
	return zend_hash_index_add_empty_element(&seen, weft_key_of_address(code));
}

/* Closures and functions within code, which all closures of this code have in common. */
static void know_inner(const zend_op_array *op_array)
{
	for (uint32_t i = 0; i < op_array->num_dynamic_func_defs; i++) {
		zend_op_array *inner = op_array->dynamic_func_defs[i];

		if (is_offset(ZEND_MAP_PTR(inner->run_time_cache)) || !is_new_code(inner)) {
			continue;
		}
		pointer_add(&places, &ZEND_MAP_PTR(inner->run_time_cache));
		if (!(inner->fn_flags & ZEND_ACC_CLOSURE)) {
			pointer_add(&places, &ZEND_MAP_PTR(inner->static_variables_ptr));
		}
		know_inner(inner);
	}
}

void weft_tables_know_function(zend_op_array *op_array)
{
	if (op_array->static_variables && is_offset(ZEND_MAP_PTR(op_array->static_variables_ptr))) {
		pointer_add(&functions, op_array);
	}
	if (is_offset(ZEND_MAP_PTR(op_array->run_time_cache)) || !is_new_code(op_array)) {
		return; /* an offset: and so is all within it */
	}
	pointer_add(&places, &ZEND_MAP_PTR(op_array->run_time_cache));
	know_inner(op_array);
}

void weft_tables_know_unlinked(zend_class_entry *ce)
{
	zend_op_array *method;

	if (ce->ce_flags & ZEND_ACC_IMMUTABLE) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_PTR(&ce->function_table, method) {
		if (method->type == ZEND_USER_FUNCTION) {
			weft_tables_know_function(method);
		}
	}
	ZEND_HASH_FOREACH_END();
}

void weft_tables_forget(void)
{
	pointer_list *const lists[] = {&classes, &functions, &places, &own_classes};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		free(lists[i]->items);
		memset(lists[i], 0, sizeof(*lists[i]));
	}
	if (seen.arData) {
		zend_hash_destroy(&seen);
		memset(&seen, 0, sizeof(seen));
	}
}

/* --- what hangs off CG(map_ptr_base) --- */

static void map_entry_fill(void *map_base, const void *offset)
{
	if (is_offset(offset)) {
		*in_map(map_base, offset) = *in_map(CG(map_ptr_base), offset);
	}
}

void weft_kept_fill(void *map_base)
{
	for (uint32_t i = 0; i < classes.used; i++) {
		const zend_class_entry *ce = classes.items[i];

		map_entry_fill(map_base, ZEND_MAP_PTR(ce->mutable_data));
		map_entry_fill(map_base, ZEND_MAP_PTR(ce->static_members_table));
	}
	for (uint32_t i = 0; i < functions.used; i++) {
		map_entry_fill(map_base, ZEND_MAP_PTR(((zend_op_array *) functions.items[i])->static_variables_ptr));
	}
}

/* As zend_separate_class_constants_table() copies a class's own: what is evaluated already stays, since the values of
 * an enum's cases are who they are. */
static HashTable *copy_constants(const zend_class_entry *ce, HashTable *from)
{
	HashTable *table = zend_arena_alloc(&CG(arena), sizeof(HashTable));
	zend_class_constant *constant;
	zend_string *name;

	zend_hash_init(table, zend_hash_num_elements(from), NULL, NULL, 0);
	zend_hash_extend(table, zend_hash_num_elements(from), 0);
	ZEND_HASH_MAP_FOREACH_STR_KEY_PTR(from, name, constant) {
		bool is_own = constant->ce == ce || (Z_CONSTANT_FLAGS(constant->value) & CONST_OWNED);

		if (is_own && Z_TYPE(constant->value) == IS_CONSTANT_AST) {
			zend_class_constant *own = zend_arena_alloc(&CG(arena), sizeof(zend_class_constant));

			*own = *constant;
			constant = own;
		}
		if (is_own) {
			Z_TRY_ADDREF(constant->value);
		}
		_zend_hash_append_ptr(table, name, constant);
	}
	ZEND_HASH_FOREACH_END();
	return table;
}

static zend_class_mutable_data *data_of(const zend_class_entry *ce)
{
	return is_offset(ZEND_MAP_PTR(ce->mutable_data)) ? ZEND_MAP_PTR_GET_IMM(ce->mutable_data) : NULL;
}

static bool separate(const zend_class_entry *ce)
{
	zend_class_mutable_data *data = data_of(ce), *own;

	if (!data || (data->ce_flags & ZEND_ACC_CONSTANTS_UPDATED)) {
		return false;
	}
	own = zend_arena_calloc(&CG(arena), 1, sizeof(*own));
	own->ce_flags = data->ce_flags;
	if (data->constants_table) {
		own->constants_table = copy_constants(ce, data->constants_table);
	}
	ZEND_MAP_PTR_SET_IMM(ce->mutable_data, own);
	return true;
}

/* An inherited constant that has no value yet is the one of the parent's copy. */
static void find_inherited(zend_class_entry *ce)
{
	zend_class_mutable_data *data = data_of(ce);
	zend_string *name;
	zval *entry;

	if (!data || (data->ce_flags & ZEND_ACC_CONSTANTS_UPDATED) || !data->constants_table) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(data->constants_table, name, entry) {
		zend_class_constant *constant = Z_PTR_P(entry);

		if (constant->ce != ce && Z_TYPE(constant->value) == IS_CONSTANT_AST) {
			zval *of_parent = zend_hash_find(CE_CONSTANTS_TABLE(constant->ce), name);

			if (of_parent) {
				Z_PTR_P(entry) = Z_PTR_P(of_parent);
			}
		}
	}
	ZEND_HASH_FOREACH_END();
}

void weft_kept_separate(void)
{
	bool any = false;

	for (uint32_t i = 0; i < classes.used; i++) {
		any |= separate(classes.items[i]);
	}
	for (uint32_t i = 0; any && i < classes.used; i++) {
		find_inherited(classes.items[i]);
	}
}

static bool map_entry_is_own(const void *offset, const void *map_base)
{
	return is_offset(offset) && *in_map(CG(map_ptr_base), offset) &&
		*in_map(CG(map_ptr_base), offset) != *in_map(map_base, offset);
}

void weft_kept_list(const weft_kept *kept, const void *map_base, HashTable *own)
{
	for (uint32_t i = 0; i < kept->function_count; i++) {
		const zend_op_array *op_array = functions.items[i];

		if (map_entry_is_own(ZEND_MAP_PTR(op_array->static_variables_ptr), map_base)) {
			weft_tables_list(own, ZEND_MAP_PTR_GET(op_array->static_variables_ptr));
		}
	}
}

void weft_kept_visit(const weft_kept *kept, const void *map_base, weft_value_visitor visit, void *context)
{
	for (uint32_t i = 0; i < kept->function_count; i++) {
		const zend_op_array *op_array = functions.items[i];

		if (map_entry_is_own(ZEND_MAP_PTR(op_array->static_variables_ptr), map_base)) {
			weft_values_visit_function(op_array, visit, context);
		}
	}
}

void weft_kept_reset(const weft_kept *kept, const void *map_base)
{
	for (uint32_t i = 0; i < kept->function_count; i++) {
		const zend_op_array *op_array = functions.items[i];

		if (map_entry_is_own(ZEND_MAP_PTR(op_array->static_variables_ptr), map_base)) {
			weft_values_reset_function(op_array);
		}
	}
}

void weft_kept_count(const weft_kept *kept, const void *map_base, HashTable *counts)
{
	for (uint32_t i = 0; i < kept->class_count; i++) {
		zend_class_entry *ce = classes.items[i];

		if (map_entry_is_own(ZEND_MAP_PTR(ce->mutable_data), map_base)) {
			weft_values_count_class(counts, ce);
		}
	}
	for (uint32_t i = 0; i < kept->value_count; i++) {
		weft_values_count(counts, kept->values[i].place);
	}
}

void weft_kept_release(const weft_kept *kept, const void *map_base)
{
	for (uint32_t i = 0; i < kept->function_count; i++) {
		zend_op_array *op_array = functions.items[i];

		if (map_entry_is_own(ZEND_MAP_PTR(op_array->static_variables_ptr), map_base)) {
			zend_destroy_static_vars(op_array);
		}
	}
	for (uint32_t i = 0; i < kept->class_count; i++) {
		zend_class_entry *ce = classes.items[i];

		if (map_entry_is_own(ZEND_MAP_PTR(ce->mutable_data), map_base)) {
			zend_cleanup_mutable_class_data(ce);
		}
	}
}

/* --- what lies in code and classes themselves --- */

static void keep_value(weft_kept *kept, zval *place)
{
	kept_value *value;

	WEFT_GROW(kept->values, kept->value_count, kept->value_size);
	value = &kept->values[kept->value_count++];
	value->place = place;
	ZVAL_COPY(&value->other, place);
}

static void keep_class(weft_kept *kept, zend_class_entry *ce)
{
	kept_flags *flags = &kept->flags[kept->flag_count++];
	zval *entry;

	flags->ce = ce;
	flags->other = ce->ce_flags;
	ZEND_HASH_MAP_FOREACH_VAL(&ce->constants_table, entry) {
		zend_class_constant *constant = Z_PTR_P(entry);

		if (Z_TYPE(constant->value) != IS_CONSTANT_AST) {
			continue;
		}
		if (constant->ce != ce) {
			keep_value(kept, entry);
		}
		if (constant->ce == ce || (Z_CONSTANT_FLAGS(constant->value) & CONST_OWNED)) {
			keep_value(kept, &constant->value);
		}
	}
	ZEND_HASH_FOREACH_END();
	for (int i = 0; i < ce->default_properties_count; i++) {
		if (Z_TYPE(ce->default_properties_table[i]) == IS_CONSTANT_AST) {
			keep_value(kept, &ce->default_properties_table[i]);
		}
	}
}

weft_kept *weft_kept_new(void)
{
	weft_kept *kept = pecalloc(1, sizeof(weft_kept), 1);

	kept->class_count = classes.used;
	kept->function_count = functions.used;
	kept->pointer_count = places.used;
	kept->pointers = pecalloc(places.used + 1, sizeof(void *), 1);
	kept->flags = safe_pemalloc(own_classes.used + 1, sizeof(kept_flags), 0, 1);
	for (uint32_t i = 0; i < own_classes.used; i++) {
		zend_class_entry *ce = own_classes.items[i];

		if (!(ce->ce_flags & ZEND_ACC_CONSTANTS_UPDATED)) {
			keep_class(kept, ce);
		}
	}
	return kept;
}

/* Values keep what hash chains have beside them. */
static void exchange_values(kept_value *value)
{
	zval other = value->other;

	ZVAL_COPY_VALUE(&value->other, value->place);
	ZVAL_COPY_VALUE(value->place, &other);
}

void weft_kept_exchange(weft_kept *kept)
{
	for (uint32_t i = 0; i < kept->pointer_count; i++) {
		void **place = places.items[i], *other = kept->pointers[i];

		kept->pointers[i] = *place;
		*place = other;
	}
	for (uint32_t i = 0; i < kept->value_count; i++) {
		exchange_values(&kept->values[i]);
	}
	for (uint32_t i = 0; i < kept->flag_count; i++) {
		uint32_t other = kept->flags[i].other;

		kept->flags[i].other = kept->flags[i].ce->ce_flags;
		kept->flags[i].ce->ce_flags = other;
	}
}

void weft_kept_free(weft_kept *kept)
{
	for (uint32_t i = 0; i < kept->value_count; i++) {
		zval_ptr_dtor_nogc(&kept->values[i].other);
	}
	free(kept->values);
	free(kept->pointers);
	free(kept->flags);
	free(kept);
}
