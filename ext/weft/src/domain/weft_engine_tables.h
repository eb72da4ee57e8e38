/*
 * The engine's tables as such: functions, classes, constants, included files, and the arena and CG(map_ptr_base).
 */
#ifndef WEFT_ENGINE_TABLES_H
#define WEFT_ENGINE_TABLES_H

#include "php.h"

typedef struct {
	HashTable *functions, *classes, *constants;
	HashTable included_files;
	void *map;
	size_t map_size, map_last;
	zend_arena *arena;
} weft_engine_tables;

/* With those that the engine has. */
void weft_engine_tables_exchange(weft_engine_tables *other);

/* A table of the engine's, with the same entries, from malloc(). */
HashTable *weft_engine_table_copy(const HashTable *table);
typedef void (*weft_engine_visitor)(zval *entry, void *context);
/* Those behind the first `from`, from the last on. */
void weft_engine_each(HashTable *table, uint32_t from, weft_engine_visitor visit, void *context);
/* Frees the entries behind the first `from` of a copy. */
void weft_engine_table_drop(HashTable *table, uint32_t from, weft_engine_visitor free_entry);
/* Then: frees the copy itself. */
void weft_engine_table_free(HashTable *table);

/* Visitors, for tables that are in place: back to what is declared. Destructors run. */
void weft_engine_reset_function(zval *entry, void *context);
void weft_engine_reset_class(zval *entry, void *context);
void weft_engine_reset_constant(zval *entry, void *context);
/* Then: what functions and classes hold is freed. */
void weft_engine_free_statics(zval *entry, void *context);
void weft_engine_free_class_values(zval *entry, void *context);
/* For tables that need not be in place. */
void weft_engine_free_constant(zval *entry, void *context);
void weft_engine_free_function(zval *entry, void *context);
void weft_engine_free_class(zval *entry, void *context);

#endif /* WEFT_ENGINE_TABLES_H */
