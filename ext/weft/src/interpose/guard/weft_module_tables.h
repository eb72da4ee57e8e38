/*
 * The other entrances of a module that is not proven: tables of functions that the engine calls without a function of
 * PHP in between. Their members are exchanged where the tables lie, since modules tell what is theirs by the tables'
 * addresses. Private to this folder.
 */
#ifndef WEFT_MODULE_TABLES_H
#define WEFT_MODULE_TABLES_H

#include "interpose/guard/weft_modules.h"
#include "interpose/guard/weft_module_frame.h"
#include "php_streams.h"

/* Calls the plain function of the table that `table` is, as a member of `type`. Returns `otherwise` when the module
 * must not be entered. */
#define WEFT_INSIDE(enter, type, table, otherwise, result, call) \
	const weft_module_table *entry = weft_module_table_of(table); \
	const type *plain = entry->plain; \
	weft_module_frame frame; \
	if (UNEXPECTED(!enter(&frame, entry->module))) { \
		return otherwise; \
	} \
	result plain->call; \
	weft_module_leave(&frame)

typedef struct {
	const zend_module_entry *module;
	const void *plain; /* the table as it was */
} weft_module_table;

/* One that was exchanged; NULL: it was not. */
const weft_module_table *weft_module_table_of(const void *table);
/* Exchanges the words of `table` by those of `wrapped`, where the former are neither NULL nor the same as in `common`
 * (NULL: there is no such table). `size` is that of the table. Once is enough. False: it can't be written to. */
bool weft_module_table_wrap(const zend_module_entry *module, void *table, const void *wrapped, const void *common,
	size_t size);
/* The module whose shared object an address is in, when it is not proven. NULL: another, or one that is built in. */
const zend_module_entry *weft_module_at(const void *address);

void weft_module_stream_wrap(php_stream *stream);
void weft_module_resource_wrap(const zend_resource *resource);
/* Of such a class, if it is: some are made without the class's create_object. */
void weft_module_object_wrap(zend_object *object);
/* The wrappers of streams that modules have registered. */
void weft_module_wrappers_wrap(void);
/* The objects of one of its classes. */
void weft_module_class_wrap(zend_class_entry *class, const zend_module_entry *module);
/* A function that is in no table of functions, which an object has made. */
void weft_module_function_wrap(zend_function *function, const zend_module_entry *module);

/* What a call of such a module has returned may be an entrance. */
static zend_always_inline void weft_module_result_wrap(const zval *result)
{
	if (Z_TYPE_P(result) == IS_OBJECT) {
		weft_module_object_wrap(Z_OBJ_P(result));
	} else if (Z_TYPE_P(result) == IS_RESOURCE) {
		weft_module_resource_wrap(Z_RES_P(result));
	}
}

#endif /* WEFT_MODULE_TABLES_H */
