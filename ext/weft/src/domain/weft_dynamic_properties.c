/*
 * Tables of dynamic properties that also hold the declared ones, as INDIRECT elements. A reference count can't
 * protect such a table: separating it would follow the INDIRECT elements and cut them off from the slots. So
 * the base keeps a pristine copy of its own, and the table in place is compared with it element by element.
 * Few objects have one.
 */
#include "domain/weft_slots.h"
#include "weft_grow.h"

typedef struct {
	zend_object *object;
	HashTable *pristine;
} mixed_table;

static mixed_table *mixed;
static uint32_t mixed_count, mixed_size;

uint32_t weft_dynamic_properties_count(void)
{
	return mixed_count;
}

void weft_dynamic_properties_release(HashTable *table)
{
	if (!(GC_FLAGS(table) & GC_IMMUTABLE) && GC_DELREF(table) == 0) {
		zend_array_destroy(table);
	}
}

/* Unlike zend_array_dup(), keeps INDIRECT elements. */
static HashTable *copy_properties(HashTable *table)
{
	HashTable *copy = zend_new_array(zend_hash_num_elements(table));
	zend_string *name;
	zend_ulong number;
	zval *value;

	zend_hash_real_init_mixed(copy);
	ZEND_HASH_FOREACH_KEY_VAL(table, number, name, value) {
		Z_TRY_ADDREF_P(value);
		if (name) {
			zend_hash_add_new(copy, name, value);
		} else {
			zend_hash_index_add_new(copy, number, value);
		}
	}
	ZEND_HASH_FOREACH_END();
	return copy;
}

static void count_kinds(HashTable *table, uint32_t *indirect, uint32_t *dynamic)
{
	zval *value;

	*indirect = *dynamic = 0;
	ZEND_HASH_FOREACH_VAL(table, value) {
		++*(Z_TYPE_P(value) == IS_INDIRECT ? indirect : dynamic);
	}
	ZEND_HASH_FOREACH_END();
}

bool weft_dynamic_properties_snapshot(zend_object *object)
{
	HashTable *table = object->properties;
	uint32_t indirect, dynamic;
	zval value;

	if (!table || (GC_FLAGS(table) & GC_IMMUTABLE)) {
		return false;
	}
	count_kinds(table, &indirect, &dynamic);
	if (!dynamic && GC_REFCOUNT(table) == 1 && !HT_HAS_ITERATORS(table)) {
		/* somebody looked at the object as an array once: the engine makes it again when needed */
		object->properties = NULL;
		zend_array_destroy(table);
		return false;
	}
	ZVAL_ARR(&value, table);
	weft_references_prepare(&value);
	/* handlers of the object's own may write into the table without asking who else holds it */
	if (!indirect && object->handlers == &std_object_handlers) {
		return false;
	}
	WEFT_GROW(mixed, mixed_count, mixed_size);
	mixed[mixed_count++] = (mixed_table){.object = object, .pristine = copy_properties(table)};
	weft_base_state.stats.slots += dynamic;
	return true;
}

static bool same_table(HashTable *table, HashTable *pristine)
{
	uint32_t other = 0;
	Bucket *bucket;

	if (zend_hash_num_elements(table) != zend_hash_num_elements(pristine)) {
		return false;
	}
	ZEND_HASH_MAP_FOREACH_BUCKET(table, bucket) {
		/* the pristine copy never loses an element, so it has no holes */
		Bucket *expected = &pristine->arData[other++];

		if (bucket->h != expected->h || (!bucket->key) != (!expected->key)) {
			return false;
		}
		if (bucket->key && !zend_string_equals(bucket->key, expected->key)) {
			return false;
		}
		if (!weft_same_value(&bucket->val, &expected->val) && !weft_slot_is_clean(&bucket->val, &expected->val)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

void weft_dynamic_properties_leave(weft_private_list *list)
{
	for (uint32_t i = 0; i < mixed_count; i++) {
		zend_object *object = mixed[i].object;
		weft_private *item;

		if (object->properties && same_table(object->properties, mixed[i].pristine)) {
			continue;
		}
		item = weft_private_add(list, WEFT_PRIVATE_TABLE);
		item->owner = object;
		ZVAL_PTR(&item->value, object->properties);
		object->properties = copy_properties(mixed[i].pristine);
	}
}

static mixed_table *mixed_table_find(const zend_object *object)
{
	for (uint32_t i = 0; i < mixed_count; i++) {
		if (mixed[i].object == object) {
			return &mixed[i];
		}
	}
	return NULL;
}

HashTable *weft_dynamic_properties_base(const zend_object *object)
{
	const mixed_table *entry = mixed_table_find(object);

	return entry ? entry->pristine : NULL;
}

void weft_dynamic_properties_set_base(zend_object *object, HashTable *table)
{
	mixed_table *entry = mixed_table_find(object);
	HashTable *pristine = entry->pristine, *live = object->properties;

	entry->pristine = copy_properties(table);
	object->properties = copy_properties(table);
	zend_array_destroy(pristine);
	if (live) {
		weft_dynamic_properties_release(live);
	}
}

void weft_dynamic_properties_forget(void)
{
	for (uint32_t i = 0; i < mixed_count; i++) {
		zend_array_destroy(mixed[i].pristine);
	}
	free(mixed);
	mixed = NULL;
	mixed_count = mixed_size = 0;
}
