/*
 * The engine's tables: exchanged by pointer, copied, and what was added to a copy freed as the engine frees it.
 */
#include "domain/weft_engine_tables.h"
#include "domain/weft_tables.h"
#include "weft_compat.h"

/* An index of CG(map_ptr) means the same in all tables, so none is given twice. */
void weft_engine_tables_exchange(weft_engine_tables *other)
{
	weft_engine_tables live = {EG(function_table), EG(class_table), EG(zend_constants), EG(included_files),
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

/* --- a copy --- */

/* Without gaps: what the domain adds comes behind. The entries stay the base's, and so do the references on keys. */
HashTable *weft_engine_table_copy(const HashTable *table)
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

/* --- what was added to it --- */

void weft_engine_each(HashTable *table, uint32_t from, weft_engine_visitor visit, void *context)
{
	for (uint32_t i = table->nNumUsed; i-- > from;) {
		if (Z_TYPE(table->arData[i].val) != IS_UNDEF) {
			visit(&table->arData[i].val, context);
		}
	}
}

void weft_engine_reset_function(zval *entry, void *context)
{
	const zend_function *function = Z_PTR_P(entry);

	if (function->type == ZEND_USER_FUNCTION) {
		weft_values_reset_function(&function->op_array);
	}
}

void weft_engine_reset_class(zval *entry, void *context)
{
	weft_values_reset_class(Z_PTR_P(entry));
}

void weft_engine_reset_constant(zval *entry, void *context)
{
	zend_constant *constant = Z_PTR_P(entry);
	zval value;

	ZVAL_COPY_VALUE(&value, &constant->value);
	ZVAL_NULL(&constant->value);
	zval_ptr_dtor(&value);
}

void weft_engine_free_statics(zval *entry, void *context)
{
	zend_function *function = Z_PTR_P(entry);

	if (function->type == ZEND_USER_FUNCTION) {
		zend_destroy_static_vars(&function->op_array);
	}
}

void weft_engine_free_class_values(zval *entry, void *context)
{
	zend_class_entry *ce = Z_PTR_P(entry);
	zend_op_array *method;

	if (ce->type != ZEND_USER_CLASS) {
		return;
	}
	if (ce->default_static_members_count) {
		zend_cleanup_internal_class_data(ce);
	}
	if (ZEND_MAP_PTR(ce->mutable_data) && ZEND_MAP_PTR_GET_IMM(ce->mutable_data)) {
		zend_cleanup_mutable_class_data(ce);
	}
	ZEND_HASH_MAP_FOREACH_PTR(&ce->function_table, method) {
		/* an inherited one is the parent's */
		if (method->type == ZEND_USER_FUNCTION && method->scope == ce) {
			zend_destroy_static_vars(method);
		}
	}
	ZEND_HASH_FOREACH_END();
}

void weft_engine_free_constant(zval *entry, void *context)
{
	zend_constant *constant = Z_PTR_P(entry);

	if (ZEND_CONSTANT_FLAGS(constant) & CONST_PERSISTENT) {
		return; /* of an extension that dl() has brought, and that stays; c_state/dl.phpt */
	}
	zval_ptr_dtor_nogc(&constant->value);
	if (constant->name) {
		zend_string_release(constant->name);
	}
	efree(constant);
}

void weft_engine_free_function(zval *entry, void *context)
{
	zend_function *function = Z_PTR_P(entry);

	if (function->type == ZEND_USER_FUNCTION) {
		destroy_op_array(&function->op_array);
	}
}

void weft_engine_free_class(zval *entry, void *context)
{
	destroy_zend_class(entry);
}

void weft_engine_table_drop(HashTable *table, uint32_t from, weft_engine_visitor free_entry)
{
	weft_engine_each(table, from, free_entry, NULL);
	for (uint32_t i = from; i < table->nNumUsed; i++) {
		if (Z_TYPE(table->arData[i].val) != IS_UNDEF && table->arData[i].key) {
			zend_string_release(table->arData[i].key);
		}
	}
	zend_hash_discard(table, from);
}

void weft_engine_table_free(HashTable *table)
{
	pefree(HT_GET_DATA_ADDR(table), 1);
	pefree(table, 1);
}
