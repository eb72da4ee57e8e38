/*
 * Global variables, superglobals included. The table may be resized and its elements moved, so a domain's own
 * globals are remembered by name. An INDIRECT element is a variable of the main script: its slot is there.
 */
#include "domain/weft_slots.h"
#include "php_globals.h"

typedef struct {
	zend_string *name;
	zval value; /* UNDEF: a variable that the main script has not set */
} base_global;

/* In the order of the symbol table, so that one pass finds out that nothing has changed. */
static base_global *globals;
static uint32_t globals_used;
/* name => position in `globals` */
static HashTable positions;

static zval *resolve(zval *slot)
{
	return Z_TYPE_P(slot) == IS_INDIRECT ? Z_INDIRECT_P(slot) : slot;
}

/* Records names and order as they are now; values come from the base where it knows the name. */
static void record(void)
{
	HashTable *table = &EG(symbol_table);
	base_global *fresh = safe_pemalloc(table->nNumUsed + globals_used + 1, sizeof(base_global), 0, 1);
	uint32_t used = 0;
	Bucket *bucket;

	ZEND_HASH_MAP_FOREACH_BUCKET(table, bucket) {
		zval *known = weft_base_state.taken ? zend_hash_find(&positions, bucket->key) : NULL;

		fresh[used].name = zend_string_copy(bucket->key);
		ZVAL_COPY(&fresh[used].value, known ? &globals[Z_LVAL_P(known)].value : resolve(&bucket->val));
		used++;
	}
	ZEND_HASH_FOREACH_END();
	weft_globals_forget();
	globals = fresh;
	globals_used = used;
	zend_hash_init(&positions, used, NULL, NULL, 1);
	for (uint32_t i = 0; i < used; i++) {
		zval position;

		ZVAL_LONG(&position, i);
		zend_hash_add_new(&positions, globals[i].name, &position);
	}
}

void weft_globals_snapshot(void)
{
	zval *slot;

	ZEND_HASH_FOREACH_VAL(&EG(symbol_table), slot) {
		weft_references_prepare(resolve(slot));
	}
	ZEND_HASH_FOREACH_END();
	record();
	weft_base_state.stats.slots += globals_used;
}

static weft_private *add_private(weft_private_list *list, zend_string *name)
{
	weft_private *item = weft_private_add(list, WEFT_PRIVATE_GLOBAL);

	item->place.name = zend_string_copy(name);
	ZVAL_UNDEF(&item->value);
	return item;
}

/* Takes a variable away without destroying its value, which has been moved. */
static void remove_global(Bucket *bucket)
{
	ZVAL_NULL(&bucket->val);
	zend_hash_del_bucket(&EG(symbol_table), bucket);
}

/* False when the variable had to be taken away from the table. */
static bool leave_changed(Bucket *bucket, const zval *base, weft_private_list *list)
{
	zval *slot = resolve(&bucket->val);

	if (weft_slot_is_clean(slot, base)) {
		return true;
	}
	weft_put_value(&add_private(list, bucket->key)->value, slot);
	if (Z_TYPE_P(base) == IS_UNDEF && slot == &bucket->val) {
		remove_global(bucket);
		return false;
	}
	weft_put_value(slot, base);
	Z_TRY_ADDREF_P(slot);
	return true;
}

/* What most variables are: nobody has touched them. */
static zend_always_inline bool leave_known(Bucket *bucket, const zval *base, weft_private_list *list)
{
	return EXPECTED(weft_same_value(resolve(&bucket->val), base)) || leave_changed(bucket, base, list);
}

/* What nearly every request does: it has changed values, and the table has the names of the base in the same order, and
 * nothing else. False: what is so has been left, the rest is to be looked at by name. */
static bool leave_in_order(weft_private_list *list)
{
	HashTable *table = &EG(symbol_table);

	if (table->nNumUsed != globals_used || table->nNumOfElements != globals_used) {
		return false;
	}
	for (uint32_t i = 0; i < globals_used; i++) {
		Bucket *bucket = &table->arData[i];

		if (UNEXPECTED(bucket->key != globals[i].name) && !zend_string_equals(bucket->key, globals[i].name)) {
			return false;
		}
		if (!leave_known(bucket, &globals[i].value, list)) {
			return false;
		}
	}
	return true;
}

/* Puts back what the domain has unset. */
static void restore_missing(weft_private_list *list)
{
	for (uint32_t i = 0; i < globals_used; i++) {
		if (Z_TYPE(globals[i].value) != IS_UNDEF && !zend_hash_find(&EG(symbol_table), globals[i].name)) {
			add_private(list, globals[i].name);
			Z_TRY_ADDREF(globals[i].value);
			zend_hash_add_new(&EG(symbol_table), globals[i].name, &globals[i].value);
		}
	}
}

void weft_globals_leave(weft_private_list *list)
{
	Bucket *bucket;

	if (EXPECTED(leave_in_order(list))) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_BUCKET(&EG(symbol_table), bucket) {
		zval *position = zend_hash_find(&positions, bucket->key);

		if (position) {
			leave_known(bucket, &globals[Z_LVAL_P(position)].value, list);
		} else if (Z_TYPE_P(resolve(&bucket->val)) != IS_UNDEF) {
			zval *slot = resolve(&bucket->val);

			weft_put_value(&add_private(list, bucket->key)->value, slot);
			ZVAL_UNDEF(slot);
			if (slot == &bucket->val) {
				remove_global(bucket);
			}
		}
	}
	ZEND_HASH_FOREACH_END();
	restore_missing(list);
	record();
}

void weft_globals_enter(weft_private *item)
{
	zend_string *name = item->place.name;
	zval *found = zend_hash_find(&EG(symbol_table), name);

	if (Z_TYPE(item->value) == IS_UNDEF) {
		if (found) {
			zval *slot = resolve(found);

			weft_drop_base_value(slot);
			ZVAL_UNDEF(slot);
			if (slot == found) {
				remove_global((Bucket *) found);
			}
		}
	} else if (found) {
		zval *slot = resolve(found);

		weft_drop_base_value(slot);
		weft_put_value(slot, &item->value);
	} else {
		zend_hash_add_new(&EG(symbol_table), name, &item->value);
	}
	zend_string_release(name);
}

uint32_t weft_globals_count(void)
{
	return globals_used;
}

const zend_string *weft_globals_base(uint32_t number, zval **base)
{
	*base = &globals[number].value;
	return globals[number].name;
}

zval *weft_globals_place(const zend_string *name)
{
	zval *found = zend_hash_find(&EG(symbol_table), (zend_string *) name);

	return found ? resolve(found) : NULL;
}

void weft_globals_forget(void)
{
	if (!globals) {
		return;
	}
	for (uint32_t i = 0; i < globals_used; i++) {
		zend_string_release(globals[i].name);
		zval_ptr_dtor(&globals[i].value);
	}
	free(globals);
	globals = NULL;
	globals_used = 0;
	zend_hash_destroy(&positions);
}
