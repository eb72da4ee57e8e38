/*
 * A domain's tables: copied from the base's, put in place, and freed with what was declared in them.
 */
#include "domain/weft_tables.h"
#include "domain/weft_engine_tables.h"
#include "globals/weft_c_state.h"
#include "domain/weft_base.h"
#include "coroutine/weft_coroutine.h"
#include "weft_compat.h"
#include "weft_grow.h"

#define ARENA (64 * 1024)

/* A class that was not linked yet, or had a name that nobody can write, when it was copied. The domain may link it:
 * what OPcache shares in a copy, which lies in the bucket from then on. And the bucket may get the class's name. */
typedef struct {
	uint32_t bucket;
	const zend_class_entry *ce;
	const zend_string *key;
} unlinked_class;

struct weft_tables {
	weft_engine_tables other; /* while they are in place: the base's */
	weft_kept *kept;
	weft_shared_closures *closures;
	uint32_t functions, classes, constants; /* so many of the first are the base's */
	unlinked_class *unlinked;               /* among those */
	uint32_t unlinked_count, unlinked_size;
	uint64_t domain;
	bool keeps_arena;
	weft_tables *next;
};

weft_tables *weft_tables_in_place;
/* Those of domains that are gone, with something that is held. */
static weft_tables *held;

void weft_tables_enter(weft_tables *tables)
{
	ZEND_ASSERT(!weft_tables_in_place);
	weft_engine_tables_exchange(&tables->other);
	weft_kept_exchange(tables->kept);
	weft_shared_closures_enter(tables->closures);
	weft_tables_in_place = tables;
}

void weft_tables_leave(weft_tables *tables)
{
	ZEND_ASSERT(weft_tables_in_place == tables);
	weft_shared_closures_leave(tables->closures);
	weft_kept_exchange(tables->kept);
	weft_engine_tables_exchange(&tables->other);
	weft_tables_in_place = NULL;
}

/* --- a copy of the base's --- */

static void copy_engine(weft_engine_tables *own)
{
	HashTable *files = zend_array_dup(&EG(included_files));

	own->functions = weft_engine_table_copy(EG(function_table));
	own->classes = weft_engine_table_copy(EG(class_table));
	own->constants = weft_engine_table_copy(EG(zend_constants));
	own->included_files = *files;
	FREE_HASHTABLE(files);
	own->map_size = CG(map_ptr_size);
	own->map_last = CG(map_ptr_last);
	own->map = pecalloc(WEFT_MAP_PTR_STATIC + own->map_size, sizeof(void *), 1);
	memcpy(own->map, CG(map_ptr_real_base), WEFT_MAP_PTR_STATIC * sizeof(void *));
	own->arena = zend_arena_create(ARENA);
	weft_kept_fill(ZEND_MAP_PTR_BIASED_BASE(own->map));
}

static void note_unlinked(weft_tables *tables, uint32_t bucket)
{
	const Bucket *copied = &tables->other.classes->arData[bucket];

	WEFT_GROW(tables->unlinked, tables->unlinked_count, tables->unlinked_size);
	tables->unlinked[tables->unlinked_count++] = (unlinked_class){bucket, Z_PTR(copied->val), copied->key};
}

static void find_unlinked(weft_tables *tables)
{
	for (uint32_t i = 0; i < tables->classes; i++) {
		const Bucket *copied = &tables->other.classes->arData[i];
		const zend_class_entry *ce = Z_PTR(copied->val);

		if (Z_TYPE(copied->val) == IS_PTR && (!(ce->ce_flags & ZEND_ACC_LINKED) || !ZSTR_VAL(copied->key)[0])) {
			note_unlinked(tables, i);
		}
	}
}

weft_tables *weft_tables_new(const zend_execute_data *bottom)
{
	weft_tables *tables = pecalloc(1, sizeof(weft_tables), 1);

	copy_engine(&tables->other);
	tables->functions = tables->other.functions->nNumUsed;
	tables->classes = tables->other.classes->nNumUsed;
	tables->constants = tables->other.constants->nNumUsed;
	tables->domain = weft_domain_id(weft_domain_in_place);
	find_unlinked(tables);
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

	return bucket < base->nNumUsed && Z_TYPE(base->arData[bucket].val) == IS_PTR ? Z_PTR(base->arData[bucket].val)
																				 : NULL;
}

bool weft_tables_is_copied(const Bucket *bucket)
{
	return (uint32_t) (bucket - EG(class_table)->arData) < weft_tables_in_place->classes;
}

void weft_tables_link_for_base(weft_tables *tables)
{
	tables->keeps_arena = true;
}

/* --- what is the domain's own --- */

/* An alias may be the base's class. */
static void each_class(const weft_tables *tables, weft_engine_visitor visit, void *context)
{
	HashTable *classes = EG(class_table);

	for (uint32_t i = classes->nNumUsed; i-- > tables->classes;) {
		if (Z_TYPE(classes->arData[i].val) == IS_PTR) {
			visit(&classes->arData[i].val, context);
		}
	}
	for (uint32_t i = tables->unlinked_count; i-- > 0;) {
		zval *entry = &classes->arData[tables->unlinked[i].bucket].val;

		if (Z_TYPE_P(entry) == IS_PTR && Z_PTR_P(entry) != tables->unlinked[i].ce) {
			visit(entry, context);
		}
	}
}

typedef struct {
	weft_value_visitor visit;
	void *context;
} value_visit;

static void visit_function(zval *entry, void *context)
{
	const zend_op_array *function = Z_PTR_P(entry);
	const value_visit *visit = context;

	if (function->type == ZEND_USER_FUNCTION) {
		weft_values_visit_function(function, visit->visit, visit->context);
	}
}

static void visit_class(zval *entry, void *context)
{
	const value_visit *visit = context;

	weft_values_visit_class(Z_PTR_P(entry), visit->visit, visit->context);
}

void weft_tables_visit_statics(const weft_tables *tables, weft_value_visitor visit, void *context)
{
	value_visit with = {visit, context};

	weft_engine_each(EG(function_table), tables->functions, visit_function, &with);
	weft_kept_visit(tables->kept, ZEND_MAP_PTR_BIASED_BASE(tables->other.map), visit, context);
	each_class(tables, visit_class, &with);
}

/* --- the end, in the order in which the engine does it --- */

void weft_tables_release_values(weft_tables *tables)
{
	weft_engine_each(EG(function_table), tables->functions, weft_engine_reset_function, NULL);
	weft_kept_reset(tables->kept, ZEND_MAP_PTR_BIASED_BASE(tables->other.map));
	each_class(tables, weft_engine_reset_class, NULL);
	weft_engine_each(EG(zend_constants), tables->constants, weft_engine_reset_constant, NULL);
}

static void free_unlinked(const weft_tables *tables, const HashTable *classes)
{
	for (uint32_t i = tables->unlinked_count; i-- > 0;) {
		const unlinked_class *unlinked = &tables->unlinked[i];
		Bucket *bucket = &classes->arData[unlinked->bucket];

		if (Z_TYPE(bucket->val) != IS_PTR) {
			continue;
		}
		if (Z_PTR(bucket->val) != unlinked->ce) {
			destroy_zend_class(&bucket->val);
		}
		if (bucket->key != unlinked->key) {
			zend_string_release(bucket->key);
		}
	}
}

static void list_statics(zval *entry, void *contents)
{
	const zend_op_array *function = Z_PTR_P(entry);

	if (function->type == ZEND_USER_FUNCTION && function->static_variables &&
		ZEND_MAP_PTR_GET(function->static_variables_ptr)) {
		weft_tables_list(&((weft_tables_contents *) contents)->own, ZEND_MAP_PTR_GET(function->static_variables_ptr));
	}
}

static void list_class(zval *entry, void *context)
{
	weft_tables_contents *contents = context;
	zend_class_entry *ce = Z_PTR_P(entry);
	zval *method;

	/* OPcache's lie in shared memory and stay there */
	if (!(ce->ce_flags & ZEND_ACC_IMMUTABLE)) {
		weft_tables_list(&contents->own, ce);
	}
	ZEND_HASH_MAP_FOREACH_VAL(&ce->function_table, method) {
		if (((zend_function *) Z_PTR_P(method))->common.scope == ce) {
			list_statics(method, contents);
		}
	}
	ZEND_HASH_FOREACH_END();
	weft_values_count_class(&contents->counts, ce);
	weft_values_count_statics(&contents->counts, ce);
}

/* Looked at from the base: what the tables have put into closures of others is out of these then. */
static bool is_needed(weft_tables *tables)
{
	const void *map_base = ZEND_MAP_PTR_BIASED_BASE(tables->other.map);
	weft_tables_contents contents = {.domain = tables->domain};
	bool needed;

	zend_hash_init(&contents.own, 8, NULL, NULL, 0);
	zend_hash_init(&contents.counts, 8, NULL, NULL, 0);
	weft_engine_each(EG(function_table), tables->functions, list_statics, &contents);
	each_class(tables, list_class, &contents);
	weft_kept_list(tables->kept, map_base, &contents.own);
	weft_kept_count(tables->kept, map_base, &contents.counts);
	weft_values_counted(&contents.counts);
	weft_tables_leave(tables);
	contents.arena = tables->other.arena;
	needed = weft_frames_need(&contents);
	zend_hash_destroy(&contents.own);
	zend_hash_destroy(&contents.counts);
	return needed;
}

static void tables_destroy(weft_tables *tables)
{
	weft_engine_tables *own = &tables->other;

	weft_tables_release_values(tables);
	weft_engine_each(EG(function_table), tables->functions, weft_engine_free_statics, NULL);
	each_class(tables, weft_engine_free_class_values, NULL);
	weft_kept_release(tables->kept, ZEND_MAP_PTR_BIASED_BASE(own->map));
	weft_tables_leave(tables);
	weft_kept_free(tables->kept);
	weft_shared_closures_free(tables->closures);
	weft_engine_table_drop(own->constants, tables->constants, weft_engine_free_constant);
	weft_engine_table_free(own->constants);
	weft_engine_table_drop(own->functions, tables->functions, weft_engine_free_function);
	weft_engine_table_free(own->functions);
	free_unlinked(tables, own->classes);
	weft_engine_table_drop(own->classes, tables->classes, weft_engine_free_class);
	weft_engine_table_free(own->classes);
	free(tables->unlinked);
	zend_hash_destroy(&own->included_files);
	pefree(own->map, 1);
	if (!tables->keeps_arena) {
		zend_arena_destroy(own->arena);
	}
	pefree(tables, 1);
}

/* Behind the others: each gets its turn, even if one is needed for ever. */
static void tables_hold(weft_tables *tables)
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
		tables_hold(tables);
		return;
	}
	weft_tables_enter(tables);
	tables_destroy(tables);
	if (held && !looking) {
		looking = true;
		look_at_held();
		looking = false;
	}
}
