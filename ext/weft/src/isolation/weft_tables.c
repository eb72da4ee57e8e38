#include "isolation/weft_tables.h"
#include "isolation/weft_c_state.h"
#include "weft_compat.h"

#define ARENA (64 * 1024)

typedef struct {
	HashTable *functions, *classes, *constants;
	HashTable included_files;
	void *map;
	size_t map_size, map_last;
	zend_arena *arena;
} engine_tables;

struct weft_tables {
	engine_tables other; /* while they are in place: the base's */
	weft_kept *kept;
	weft_shared_closures *closures;
	uint32_t functions, classes, constants; /* so many of the first are the base's */
	bool keeps_arena;
	weft_tables *next;
};

weft_tables *weft_tables_in_place;
/* Those of domains that are gone, with something that is held. */
static weft_tables *held;

/* An index of CG(map_ptr) means the same in all tables, so none is given twice. */
static void exchange(engine_tables *other)
{
	engine_tables live = {EG(function_table), EG(class_table), EG(zend_constants), EG(included_files),
		CG(map_ptr_real_base), CG(map_ptr_size), CG(map_ptr_last), CG(arena)};

	EG(function_table) = CG(function_table) = other->functions;
	EG(class_table) = CG(class_table) = other->classes;
	EG(zend_constants) = other->constants;
	EG(included_files) = other->included_files;
	CG(map_ptr_real_base) = other->map;
	CG(map_ptr_base) = ZEND_MAP_PTR_BIASED_BASE(other->map);
	CG(map_ptr_size) = other->map_size;
	CG(map_ptr_last) = other->map_last;
	CG(arena) = other->arena;
	zend_map_ptr_extend(live.map_last);
	*other = live;
}

void weft_tables_enter(weft_tables *tables)
{
	ZEND_ASSERT(!weft_tables_in_place);
	exchange(&tables->other);
	weft_kept_exchange(tables->kept);
	weft_shared_closures_enter(tables->closures);
	weft_tables_in_place = tables;
}

void weft_tables_leave(weft_tables *tables)
{
	ZEND_ASSERT(weft_tables_in_place == tables);
	weft_shared_closures_leave(tables->closures);
	weft_kept_exchange(tables->kept);
	exchange(&tables->other);
	weft_tables_in_place = NULL;
}

/* --- a copy of the base's --- */

/* Without gaps: what the domain adds comes behind. The entries stay the base's, and so do the references on keys. */
static HashTable *copy(const HashTable *table)
{
	HashTable *copied = pemalloc(sizeof(HashTable), 1);
	char *data = pemalloc(HT_SIZE(table), 1);

	*copied = *table;
	memcpy(data, HT_GET_DATA_ADDR(table), HT_USED_SIZE(table));
	HT_SET_DATA_ADDR(copied, data);
	copied->pDestructor = NULL;
	if (!HT_IS_WITHOUT_HOLES(copied)) {
		zend_hash_rehash(copied);
	}
	return copied;
}

static void copy_engine(engine_tables *own)
{
	HashTable *files = zend_array_dup(&EG(included_files));

	own->functions = copy(EG(function_table));
	own->classes = copy(EG(class_table));
	own->constants = copy(EG(zend_constants));
	own->included_files = *files;
	FREE_HASHTABLE(files);
	own->map_size = CG(map_ptr_size);
	own->map_last = CG(map_ptr_last);
	own->map = pecalloc(WEFT_MAP_PTR_STATIC + own->map_size, sizeof(void *), 1);
	memcpy(own->map, CG(map_ptr_real_base), WEFT_MAP_PTR_STATIC * sizeof(void *));
	own->arena = zend_arena_create(ARENA);
	weft_kept_fill(ZEND_MAP_PTR_BIASED_BASE(own->map));
}

weft_tables *weft_tables_new(const zend_execute_data *bottom)
{
	weft_tables *tables = pecalloc(1, sizeof(weft_tables), 1);

	copy_engine(&tables->other);
	tables->functions = tables->other.functions->nNumUsed;
	tables->classes = tables->other.classes->nNumUsed;
	tables->constants = tables->other.constants->nNumUsed;
	tables->closures = weft_shared_closures_new();
	tables->kept = weft_kept_new();
	weft_tables_enter(tables);
	weft_kept_separate();
	weft_frames_part(bottom);
	return tables;
}

zend_class_entry *weft_tables_base_class(uint32_t bucket)
{
	const HashTable *base = weft_tables_in_place ? weft_tables_in_place->other.classes : EG(class_table);

	return bucket < base->nNumUsed && Z_TYPE(base->arData[bucket].val) == IS_PTR ? Z_PTR(base->arData[bucket].val) : NULL;
}

void weft_tables_link_for_base(weft_tables *tables)
{
	tables->keeps_arena = true;
}

/* --- the end, in the order in which the engine does it --- */

static void release_statics(zend_op_array *function)
{
	if (function->type == ZEND_USER_FUNCTION) {
		zend_destroy_static_vars(function);
	}
}

static void release_class_values(zend_class_entry *ce)
{
	zend_op_array *method;

	if (ce->type != ZEND_USER_CLASS) {
		return;
	}
	if (ce->default_static_members_count) {
		zend_cleanup_internal_class_data(ce);
	}
	ZEND_HASH_MAP_FOREACH_PTR(&ce->function_table, method) {
		/* an inherited one is the parent's */
		if (method->scope == ce) {
			release_statics(method);
		}
	}
	ZEND_HASH_FOREACH_END();
}

void weft_tables_release_values(weft_tables *tables)
{
	for (uint32_t i = EG(function_table)->nNumUsed; i-- > tables->functions;) {
		if (Z_TYPE(EG(function_table)->arData[i].val) != IS_UNDEF) {
			release_statics(Z_PTR(EG(function_table)->arData[i].val));
		}
	}
	for (uint32_t i = EG(class_table)->nNumUsed; i-- > tables->classes;) {
		/* an alias may be the base's class */
		if (Z_TYPE(EG(class_table)->arData[i].val) == IS_PTR) {
			release_class_values(Z_PTR(EG(class_table)->arData[i].val));
		}
	}
	for (uint32_t i = tables->constants; i < EG(zend_constants)->nNumUsed; i++) {
		zval *entry = &EG(zend_constants)->arData[i].val;
		zend_constant *constant;
		zval value;

		if (Z_TYPE_P(entry) == IS_UNDEF) {
			continue;
		}
		constant = Z_PTR_P(entry);
		ZVAL_COPY_VALUE(&value, &constant->value);
		ZVAL_NULL(&constant->value);
		zval_ptr_dtor(&value);
	}
}

static void free_constant(zval *entry)
{
	zend_constant *constant = Z_PTR_P(entry);

	zval_ptr_dtor_nogc(&constant->value);
	if (constant->name) {
		zend_string_release(constant->name);
	}
	efree(constant);
}

static void free_function(zval *entry)
{
	zend_function *function = Z_PTR_P(entry);

	if (function->type == ZEND_USER_FUNCTION) {
		destroy_op_array(&function->op_array);
	}
}

static void release_mutable_data(zval *entry)
{
	zend_class_entry *ce = Z_PTR_P(entry);

	if (Z_TYPE_P(entry) == IS_PTR && ZEND_MAP_PTR(ce->mutable_data) && ZEND_MAP_PTR_GET_IMM(ce->mutable_data)) {
		zend_cleanup_mutable_class_data(ce);
	}
}

static void each_own(HashTable *table, uint32_t from, void (*visit)(zval *entry))
{
	for (uint32_t i = table->nNumUsed; i-- > from;) {
		if (Z_TYPE(table->arData[i].val) != IS_UNDEF) {
			visit(&table->arData[i].val);
		}
	}
}

static void free_table(HashTable *table, uint32_t from, void (*free_entry)(zval *entry))
{
	each_own(table, from, free_entry);
	for (uint32_t i = from; i < table->nNumUsed; i++) {
		if (Z_TYPE(table->arData[i].val) != IS_UNDEF && table->arData[i].key) {
			zend_string_release(table->arData[i].key);
		}
	}
	pefree(HT_GET_DATA_ADDR(table), 1);
	pefree(table, 1);
}

static void list_statics(const zend_op_array *function, HashTable *own)
{
	if (function->type == ZEND_USER_FUNCTION && function->static_variables &&
		ZEND_MAP_PTR_GET(function->static_variables_ptr)) {
		weft_tables_list(own, ZEND_MAP_PTR_GET(function->static_variables_ptr));
	}
}

static void list_class(zend_class_entry *ce, HashTable *own)
{
	const zend_op_array *method;

	/* OPcache's lie in shared memory and stay there */
	if (!(ce->ce_flags & ZEND_ACC_IMMUTABLE)) {
		weft_tables_list(own, ce);
	}
	ZEND_HASH_MAP_FOREACH_PTR(&ce->function_table, method) {
		if (method->scope == ce) {
			list_statics(method, own);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void list_own(const weft_tables *tables, HashTable *own)
{
	for (uint32_t i = tables->functions; i < EG(function_table)->nNumUsed; i++) {
		if (Z_TYPE(EG(function_table)->arData[i].val) == IS_PTR) {
			list_statics(Z_PTR(EG(function_table)->arData[i].val), own);
		}
	}
	for (uint32_t i = tables->classes; i < EG(class_table)->nNumUsed; i++) {
		if (Z_TYPE(EG(class_table)->arData[i].val) == IS_PTR) {
			list_class(Z_PTR(EG(class_table)->arData[i].val), own);
		}
	}
	weft_kept_list(tables->kept, ZEND_MAP_PTR_BIASED_BASE(tables->other.map), own);
}

/* Looked at from the base: what the tables have put into closures of others is out of these then. */
static bool is_needed(weft_tables *tables)
{
	HashTable own;
	bool needed;

	zend_hash_init(&own, 8, NULL, NULL, 0);
	list_own(tables, &own);
	weft_tables_leave(tables);
	needed = weft_frames_need(tables->other.arena, &own);
	zend_hash_destroy(&own);
	return needed;
}

static void destroy(weft_tables *tables)
{
	engine_tables *own = &tables->other;

	weft_tables_release_values(tables);
	each_own(EG(class_table), tables->classes, release_mutable_data);
	weft_kept_release(tables->kept, ZEND_MAP_PTR_BIASED_BASE(own->map));
	weft_tables_leave(tables);
	weft_kept_free(tables->kept);
	weft_shared_closures_free(tables->closures);
	free_table(own->constants, tables->constants, free_constant);
	free_table(own->functions, tables->functions, free_function);
	free_table(own->classes, tables->classes, destroy_zend_class);
	zend_hash_destroy(&own->included_files);
	pefree(own->map, 1);
	if (!tables->keeps_arena) {
		zend_arena_destroy(own->arena);
	}
	pefree(tables, 1);
}

/* Behind the others: each gets its turn, even if one is needed for ever. */
static void hold(weft_tables *tables)
{
	weft_tables **end = &held;

	while (*end) {
		end = &(*end)->next;
	}
	*end = tables;
	tables->next = NULL;
}

/* One at a time: it costs a look at all objects. */
static void look_at_held(void)
{
	weft_tables *tables = held;

	if (tables) {
		held = tables->next;
		weft_tables_enter(tables);
		weft_tables_end(tables);
	}
}

void weft_tables_end(weft_tables *tables)
{
	static bool looking;

	if (is_needed(tables)) {
		hold(tables);
		return;
	}
	weft_tables_enter(tables);
	destroy(tables);
	if (held && !looking) {
		looking = true;
		look_at_held();
		looking = false;
	}
}
