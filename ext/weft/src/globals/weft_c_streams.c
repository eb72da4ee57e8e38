/*
 * What a domain registers with the streams: the default context, wrappers and filters.
 */
#include "globals/weft_spans.h"
#include "globals/weft_c_state.h"
#include "weft_compat.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/file.h"

/* --- the default stream context that a request makes; the base's is one of domain/weft_stream_contexts.c --- */

static void end_stream_context(void *own)
{
	php_stream_context *context = *(php_stream_context **) own;

	if (context && context->res) {
		zend_list_delete(context->res);
	}
}

/* --- wrappers and filters: tables that PHP copies from its own at the first change --- */

static HashTable *base_wrappers, *base_filters, *base_user_filters;

/* How userspace.c begins a wrapper that PHP code has registered; such a one points to itself. */
typedef struct {
	php_stream_wrapper wrapper;
#if PHP_VERSION_ID < 80600
	char *protocol;
#endif
	zend_class_entry *ce;
	zend_resource *resource;
} user_wrapper;

/* Unregistering one lets go of it, so each table that has it holds it. */
static void each_user_wrapper(HashTable *wrappers, void (*visit)(zend_resource *resource))
{
	php_stream_wrapper *wrapper;

	if (!wrappers) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_PTR(wrappers, wrapper) {
		if (wrapper->abstract == wrapper) {
			visit(((user_wrapper *) wrapper)->resource);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void hold(zend_resource *resource)
{
	GC_ADDREF(resource);
}

static void let_go_of_stream(zend_resource *resource)
{
	zend_list_delete(resource);
}

static void free_resources(HashTable *table)
{
	if (table) {
		zend_hash_destroy(table);
		efree(table);
	}
}

static HashTable *copy_resources(HashTable *from, copy_ctor_func_t copy_value)
{
	HashTable *table;

	if (!from) {
		return NULL;
	}
	ALLOC_HASHTABLE(table);
	zend_hash_init(table, zend_hash_num_elements(from), NULL, from->pDestructor, 0);
	zend_hash_copy(table, from, copy_value);
	return table;
}

#if PHP_VERSION_ID >= 80600
/* The class itself. */
#define copy_user_filter NULL
#else
/* What user_filters.c keeps of a class: it names it, and finds it at the first use. */
typedef struct {
	zend_class_entry *ce;
	zend_string *class_name;
} user_filter;

static void copy_user_filter(zval *value)
{
	user_filter *copy = emalloc(sizeof(user_filter));

	*copy = *(user_filter *) Z_PTR_P(value);
	zend_string_addref(copy->class_name);
	ZVAL_PTR(value, copy);
}
#endif

/* The base has the table; the image is of a domain in which nothing was added. */
static void note_base(HashTable **base, void *image)
{
	*base = *(HashTable **) image;
	*(HashTable **) image = NULL;
}

static void image_wrappers(void *image)
{
	note_base(&base_wrappers, image);
}

static void image_filters(void *image)
{
	note_base(&base_filters, image);
}

static void image_user_filters(void *image)
{
	note_base(&base_user_filters, image);
}

static bool start_table(void *own, HashTable *base, copy_ctor_func_t copy_value)
{
	*(HashTable **) own = copy_resources(base, copy_value);
	return base != NULL;
}

static bool start_wrappers(void *own)
{
	each_user_wrapper(base_wrappers, hold);
	return start_table(own, base_wrappers, NULL);
}

static bool start_filters(void *own)
{
	return start_table(own, base_filters, NULL);
}

static bool start_user_filters(void *own)
{
	return start_table(own, base_user_filters, copy_user_filter);
}

static void end_wrappers(void *own)
{
	each_user_wrapper(*(HashTable **) own, let_go_of_stream);
	free_resources(*(HashTable **) own);
}

static void end_table(void *own)
{
	free_resources(*(HashTable **) own);
}

#if PHP_VERSION_ID >= 80600
static void finish_stream_errors(void *live, const void *image)
{
	php_stream_error_clear_stored();
}
#endif

const weft_span weft_stream_spans[] = {
	/* c_state/streams.phpt */
	{.name = "stream context",
		WEFT_SPAN_OF(php_file_globals, file_globals, default_context, default_context),
		.image = weft_span_as_base,
		.end = end_stream_context},
	{.name = "stream wrappers and filters",
		WEFT_SPAN_OF(php_file_globals, file_globals, stream_wrappers, stream_wrappers),
		.image = image_wrappers,
		.start = start_wrappers,
		.end = end_wrappers},
	{.name = "stream wrappers and filters",
		WEFT_SPAN_OF(php_file_globals, file_globals, stream_filters, stream_filters),
		.image = image_filters,
		.start = start_filters,
		.end = end_table},
	{.name = "stream wrappers and filters",
		WEFT_SPAN_OF(php_basic_globals, basic_globals, user_filter_map, user_filter_map),
		.image = image_user_filters,
		.start = start_user_filters,
		.end = end_table},
#if PHP_VERSION_ID >= 80600
	/* c_state/stream_errors.phpt */
	{.name = "stream errors",
		WEFT_SPAN_OF(php_file_globals, file_globals, stream_error_state.stored_errors, stream_error_state.stored_count),
		.finish = finish_stream_errors},
#endif
	{.name = NULL},
};
