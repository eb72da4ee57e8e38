/*
 * References in the base. A slot that is a reference would keep its address while its value changes, so nothing
 * would look dirty. One that nobody shares is unwrapped; one that is shared is tracked through its value.
 */
#include "domain/weft_base.h"

/* References and arrays already seen; only while the snapshot is being taken, and for statics met later. */
static HashTable seen;
static bool seen_ready;

void weft_references_begin(void)
{
	if (!seen_ready) {
		zend_hash_init(&seen, 256, NULL, NULL, 1);
		seen_ready = true;
	}
}

void weft_references_end(void)
{
	if (seen_ready) {
		zend_hash_destroy(&seen);
		seen_ready = false;
	}
}

static bool first_visit(void *counted)
{
	return zend_hash_index_add_empty_element(&seen, weft_key_of_address(counted)) != NULL;
}

static void drop_type_sources(zend_reference *reference)
{
	while (ZEND_REF_HAS_TYPE_SOURCES(reference)) {
		zend_property_info *info = ZEND_PROPERTY_INFO_SOURCE_IS_LIST(reference->sources.list)
			? ZEND_PROPERTY_INFO_SOURCE_TO_LIST(reference->sources.list)->ptr[0]
			: reference->sources.ptr;

		ZEND_REF_DEL_TYPE_SOURCE(reference, info);
	}
}

void weft_reference_unwrap(zval *slot)
{
	zend_reference *reference = Z_REF_P(slot);

	ZEND_ASSERT(GC_REFCOUNT(reference) == 1);
	drop_type_sources(reference);
	weft_put_value(slot, &reference->val);
	efree_size(reference, sizeof(zend_reference));
}

bool weft_slot_is_clean(zval *slot, const zval *base)
{
	if (!Z_ISREF_P(slot) || Z_REFCOUNT_P(slot) != 1 || !weft_same_value(Z_REFVAL_P(slot), base)) {
		return false;
	}
	weft_reference_unwrap(slot);
	return true;
}

static void prepare_array(zval *slot)
{
	HashTable *array = Z_ARR_P(slot);
	zval *element;

	/* an immutable array holds no reference, and one seen before (or being walked) is done */
	if ((GC_FLAGS(array) & GC_IMMUTABLE) || !first_visit(array)) {
		return;
	}
	ZEND_HASH_FOREACH_VAL(array, element) {
		if (Z_TYPE_P(element) == IS_INDIRECT) {
			element = Z_INDIRECT_P(element);
		}
		weft_references_prepare(element);
	}
	ZEND_HASH_FOREACH_END();
}

void weft_references_prepare(zval *slot)
{
	if (Z_ISREF_P(slot) && Z_REFCOUNT_P(slot) == 1) {
		weft_reference_unwrap(slot);
	}
	if (Z_TYPE_P(slot) == IS_ARRAY) {
		prepare_array(slot);
	} else if (Z_ISREF_P(slot) && first_visit(Z_REF_P(slot))) {
		zval *inner = Z_REFVAL_P(slot);

		weft_references_prepare(inner);
		/* the cell points into the reference: hold it */
		Z_ADDREF_P(slot);
		weft_cell_add(inner, inner, WEFT_CELL_REFERENCE, Z_REF_P(slot));
		weft_base_state.stats.shared_references++;
	}
}
