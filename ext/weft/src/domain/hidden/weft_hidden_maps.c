/*
 * WeakMap. The engine remembers the address of its table for every key, so that an entry goes when its key dies:
 * the table can't change places with another. What a domain has changed is moved instead, entry by entry, into a
 * table of the domain, where the keys are weak as well.
 */
#include "domain/hidden/weft_hidden.h"
#include "domain/weft_base.h"
#include "zend_weakrefs.h"

typedef struct {
	zend_object *key; /* of the base, which holds it */
	zval value;
} base_entry;

struct weft_hidden_map {
	zend_object *object;
	base_entry *entries; /* in the map's order */
	uint32_t count;
	HashTable numbers; /* key => position in entries */
};

/* Where foreach loops stand, by key: the positions that the engine knows mean nothing after other domains' changes. It
 * can't be told whose a loop is, so all are noted. Each domain puts back its own when it enters. */
struct weft_hidden_iteration {
	zend_ulong *keys; /* of the map, in order */
	uint32_t count, loops;
	struct {
		uint32_t iterator; /* number in the engine's list */
		uint32_t at;       /* in keys */
	} loop[];
};

static HashTable *map_table(const weft_hidden_map *map)
{
	ZEND_ASSERT(map->object->handlers->offset == sizeof(HashTable));
	return (HashTable *) ((char *) map->object - map->object->handlers->offset);
}

static base_entry *map_find_base(const weft_hidden_map *map, zend_ulong key)
{
	const zval *number = zend_hash_index_find(&map->numbers, key);

	return number ? &map->entries[Z_LVAL_P(number)] : NULL;
}

weft_hidden_map *weft_hidden_map_snapshot(zend_object *object)
{
	weft_hidden_map *map = pecalloc(1, sizeof(*map), 1);
	HashTable *table;
	zend_ulong key;
	zval *value, number;

	map->object = object;
	table = map_table(map);
	map->entries = safe_pemalloc(zend_hash_num_elements(table), sizeof(base_entry), 1, 1);
	zend_hash_init(&map->numbers, zend_hash_num_elements(table), NULL, NULL, 1);
	ZEND_HASH_MAP_FOREACH_NUM_KEY_VAL(table, key, value) {
		base_entry *entry = &map->entries[map->count];

		weft_references_prepare(value);
		entry->key = zend_weakref_key_to_object(key);
		ZVAL_COPY(&entry->value, value);
		ZVAL_LONG(&number, map->count);
		zend_hash_index_add_new(&map->numbers, key, &number);
		map->count++;
	}
	ZEND_HASH_FOREACH_END();
	return map;
}

static bool map_unchanged(const weft_hidden_map *map)
{
	HashTable *table = map_table(map);
	uint32_t i = 0;
	zend_ulong key;
	zval *value;

	if (zend_hash_num_elements(table) != map->count) {
		return false;
	}
	ZEND_HASH_MAP_FOREACH_NUM_KEY_VAL(table, key, value) {
		if (zend_object_to_weakref_key(map->entries[i].key) != key ||
			(!weft_same_value(value, &map->entries[i].value) && !weft_slot_is_clean(value, &map->entries[i].value))) {
			return false;
		}
		i++;
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

zend_object *weft_hidden_map_changed(const weft_hidden_map *map)
{
	return map_unchanged(map) ? NULL : map->object;
}

static void map_park(HashTable *parked, zend_object *key, zval *value)
{
	zend_weakrefs_hash_add(parked, key, value);
}

static void remove_moved(weft_hidden_map *map, zend_object *key, zval *value)
{
	zval offset;

	ZVAL_NULL(value); /* it lives on elsewhere */
	ZVAL_OBJ(&offset, key);
	map->object->handlers->unset_dimension(map->object, &offset);
}

static void write_entry(weft_hidden_map *map, zend_object *key, zval *value)
{
	zval offset;

	ZVAL_OBJ(&offset, key);
	map->object->handlers->write_dimension(map->object, &offset, value);
}

static void move_changes(weft_hidden_map *map, HashTable *parked)
{
	zend_ulong key;
	zval *value;

	/* removing elements leaves holes and moves nothing */
	ZEND_HASH_MAP_FOREACH_NUM_KEY_VAL(map_table(map), key, value) {
		const base_entry *entry = map_find_base(map, key);
		zend_object *object = zend_weakref_key_to_object(key);

		if (entry && weft_same_value(value, &entry->value)) {
			continue;
		}
		map_park(parked, object, value);
		if (entry) {
			ZVAL_COPY(value, &entry->value);
		} else {
			remove_moved(map, object, value);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* The base's order is the base's as well: whoever goes through the map meets the entries in it. */
static void write_base_anew(weft_hidden_map *map)
{
	zval offset;

	for (uint32_t i = 0; i < map->count; i++) {
		ZVAL_OBJ(&offset, map->entries[i].key);
		map->object->handlers->unset_dimension(map->object, &offset);
		write_entry(map, map->entries[i].key, &map->entries[i].value);
	}
}

static void park_removed(weft_hidden_map *map, HashTable *parked)
{
	zval removed; /* stands for an entry of the base that the domain has removed */

	ZVAL_PTR(&removed, NULL);
	for (uint32_t i = 0; i < map->count; i++) {
		if (!zend_hash_index_find(map_table(map), zend_object_to_weakref_key(map->entries[i].key))) {
			map_park(parked, map->entries[i].key, &removed);
		}
	}
}

static uint32_t count_before(const HashTable *table, uint32_t position)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < position && i < table->nNumUsed; i++) {
		count += Z_TYPE(table->arData[i].val) != IS_UNDEF;
	}
	return count;
}

static struct weft_hidden_iteration *note_iteration(const HashTable *table)
{
	uint32_t used = EG(ht_iterators_used);
	struct weft_hidden_iteration *noted = pecalloc(1, sizeof(*noted) + used * sizeof(noted->loop[0]), 1);

	noted->keys = safe_pemalloc(zend_hash_num_elements(table), sizeof(zend_ulong), 1, 1);
	for (uint32_t i = 0; i < table->nNumUsed; i++) {
		if (Z_TYPE(table->arData[i].val) != IS_UNDEF) {
			noted->keys[noted->count++] = table->arData[i].h;
		}
	}
	for (uint32_t i = 0; i < used; i++) {
		if (EG(ht_iterators)[i].ht == table) {
			noted->loop[noted->loops].iterator = i;
			noted->loop[noted->loops++].at = count_before(table, EG(ht_iterators)[i].pos);
		}
	}
	return noted;
}

/* At the key where it stood, or the next one that is still there. */
static HashPosition position_of(const HashTable *table, const struct weft_hidden_iteration *noted, uint32_t at)
{
	for (; at < noted->count; at++) {
		const zval *found = zend_hash_index_find(table, noted->keys[at]);

		if (found) {
			return (HashPosition) ((const Bucket *) found - table->arData);
		}
	}
	return table->nNumUsed;
}

static void forget_iteration(weft_hidden_parked *parked)
{
	if (UNEXPECTED(parked->going_on)) {
		free(parked->going_on->keys);
		free(parked->going_on);
		parked->going_on = NULL;
	}
}

static void resume_iteration(HashTable *table, weft_hidden_parked *parked)
{
	const struct weft_hidden_iteration *noted = parked->going_on;

	for (uint32_t i = 0; i < noted->loops; i++) {
		uint32_t iterator = noted->loop[i].iterator;

		if (iterator < EG(ht_iterators_used) && EG(ht_iterators)[iterator].ht == table) {
			EG(ht_iterators)[iterator].pos = position_of(table, noted, noted->loop[i].at);
		}
	}
	forget_iteration(parked);
}

void weft_hidden_map_leave(weft_hidden_map *map, weft_hidden_parked *parked)
{
	if (UNEXPECTED(HT_HAS_ITERATORS(map_table(map)))) {
		parked->going_on = note_iteration(map_table(map));
	}
	if (EXPECTED(map_unchanged(map))) {
		return;
	}
	ZEND_ASSERT(!parked->entries);
	parked->entries = zend_new_array(8);
	move_changes(map, parked->entries);
	if (!map_unchanged(map)) {
		park_removed(map, parked->entries);
		write_base_anew(map);
	}
}

static void map_put_back(weft_hidden_map *map, HashTable *parked)
{
	zend_ulong key;
	zval *value;

	ZEND_HASH_MAP_FOREACH_NUM_KEY_VAL(parked, key, value) {
		zend_object *object = zend_weakref_key_to_object(key);
		zval offset, moved;

		ZVAL_COPY_VALUE(&moved, value);
		ZVAL_NULL(value);
		zend_weakrefs_hash_del(parked, object);
		if (Z_TYPE(moved) == IS_PTR) {
			ZVAL_OBJ(&offset, object);
			map->object->handlers->unset_dimension(map->object, &offset);
		} else {
			write_entry(map, object, &moved);
			Z_TRY_DELREF(moved);
		}
	}
	ZEND_HASH_FOREACH_END();
	zend_array_destroy(parked);
}

void weft_hidden_map_enter(weft_hidden_map *map, weft_hidden_parked *parked)
{
	HashTable *entries = parked->entries;

	if (UNEXPECTED(entries)) {
		parked->entries = NULL;
		map_put_back(map, entries);
	}
	if (UNEXPECTED(parked->going_on)) {
		resume_iteration(map_table(map), parked);
	}
}

void weft_hidden_map_destroy_parked(weft_hidden_parked *parked)
{
	HashTable *table = parked->entries;
	zend_ulong key;

	forget_iteration(parked);
	if (!table) {
		return;
	}
	parked->entries = NULL;
	ZEND_HASH_MAP_FOREACH_NUM_KEY(table, key) {
		zend_weakrefs_hash_del(table, zend_weakref_key_to_object(key));
	}
	ZEND_HASH_FOREACH_END();
	zend_array_destroy(table);
}

void weft_hidden_map_forget(weft_hidden_map *map)
{
	for (uint32_t i = 0; i < map->count; i++) {
		zval_ptr_dtor(&map->entries[i].value);
	}
	zend_hash_destroy(&map->numbers);
	free(map->entries);
	free(map);
}
