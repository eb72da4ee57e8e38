/*
 * What a domain registers with the streams: the default context, wrappers, filters, and persistent connections.
 */
#include "isolation/weft_c_state.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/file.h"

/* --- the default stream context: its options may hold one request's credentials --- */

static void stream_context_leave(void *saved)
{
	*(php_stream_context **) saved = FG(default_context);
}

static void stream_context_enter(void *saved)
{
	FG(default_context) = *(php_stream_context **) saved;
}

static zval base_stream_options;
static php_stream_notifier *base_stream_notifier; /* a copy */

static void stream_context_forget(void)
{
	zval_ptr_dtor(&base_stream_options);
	ZVAL_UNDEF(&base_stream_options);
	weft_stream_notifier_free(&base_stream_notifier);
}

static void stream_context_capture(void)
{
	stream_context_forget();
	if (FG(default_context)) {
		ZVAL_COPY(&base_stream_options, &FG(default_context)->options);
		base_stream_notifier = weft_stream_notifier_copy(FG(default_context)->notifier);
	}
}

/* A domain that starts from a base with options gets a context of its own with the same ones, and the same notifier. */
static void stream_context_fresh(void *saved)
{
	if (Z_TYPE(base_stream_options) != IS_UNDEF) {
		php_stream_context *context = php_stream_context_alloc();

		zval_ptr_dtor(&context->options);
		ZVAL_COPY(&context->options, &base_stream_options);
		context->notifier = weft_stream_notifier_copy(base_stream_notifier);
		*(php_stream_context **) saved = context;
	}
}

static void stream_context_discard(void *saved)
{
	php_stream_context *context = *(php_stream_context **) saved;

	if (context && context->res) {
		zend_list_delete(context->res);
	}
}

const weft_c_item weft_c_stream_context = {
	.name = "stream context",
	.size = sizeof(php_stream_context *),
	.capture = stream_context_capture,
	.fresh = stream_context_fresh,
	.leave = stream_context_leave,
	.enter = stream_context_enter,
	.discard = stream_context_discard,
	.forget = stream_context_forget,
};

/* --- wrappers and filters: tables that PHP copies from its own at the first change --- */

typedef struct {
	HashTable *wrappers;
	HashTable *filters;
	HashTable *user_filters; /* php_user_filter classes by name */
} stream_tables;

static stream_tables base_tables;

static stream_tables tables_in_place(void)
{
	return (stream_tables) {FG(stream_wrappers), FG(stream_filters), BG(user_filter_map)};
}

static void put_tables(const stream_tables *tables)
{
	FG(stream_wrappers) = tables->wrappers;
	FG(stream_filters) = tables->filters;
	BG(user_filter_map) = tables->user_filters;
}

/* How userspace.c begins a wrapper that PHP code has registered; such a one points to itself. */
typedef struct {
	php_stream_wrapper wrapper;
	char *protocol;
	zend_class_entry *ce;
	zend_resource *resource;
} user_wrapper;

/* Only unregistering it frees a wrapper before the end of the process. */
static void free_own_wrappers(HashTable *wrappers)
{
	php_stream_wrapper *wrapper;
	zend_string *protocol;

	if (!wrappers) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_STR_KEY_PTR(wrappers, protocol, wrapper) {
		if (wrapper->abstract == wrapper &&
			!(base_tables.wrappers && zend_hash_find_ptr(base_tables.wrappers, protocol) == wrapper)) {
			zend_list_delete(((user_wrapper *) wrapper)->resource);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void free_table(HashTable *table)
{
	if (table) {
		zend_hash_destroy(table);
		efree(table);
	}
}

static HashTable *copy_table(HashTable *from, copy_ctor_func_t copy_value)
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

static void stream_tables_capture(void)
{
	base_tables = tables_in_place();
}

static void stream_tables_fresh(void *saved)
{
	stream_tables *own = saved;

	own->wrappers = copy_table(base_tables.wrappers, NULL);
	own->filters = copy_table(base_tables.filters, NULL);
	own->user_filters = copy_table(base_tables.user_filters, copy_user_filter);
}

static void stream_tables_leave(void *saved)
{
	*(stream_tables *) saved = tables_in_place();
}

static void stream_tables_enter(void *saved)
{
	put_tables(saved);
}

static void stream_tables_discard(void *saved)
{
	stream_tables *own = saved;

	free_own_wrappers(own->wrappers);
	free_table(own->wrappers);
	free_table(own->filters);
	free_table(own->user_filters);
}

const weft_c_item weft_c_stream_tables = {
	.name = "stream wrappers and filters",
	.size = sizeof(stream_tables),
	.capture = stream_tables_capture,
	.fresh = stream_tables_fresh,
	.leave = stream_tables_leave,
	.enter = stream_tables_enter,
	.discard = stream_tables_discard,
};

/* --- persistent connections: what pg_pconnect(), pfsockopen() or a Memcached with an id finds again would be spoken
 * to by two requests at once, so "persistent" lasts as long as the domain --- */

static void persistent_fresh(void *saved)
{
	zend_hash_init((HashTable *) saved, 8, NULL, EG(persistent_list).pDestructor, 1);
}

static void persistent_leave(void *saved)
{
	memcpy(saved, &EG(persistent_list), sizeof(HashTable));
}

static void persistent_enter(void *saved)
{
	memcpy(&EG(persistent_list), saved, sizeof(HashTable));
}

/* The resources that stood for the streams are gone with the domain's values. */
static void persistent_discard(void *saved)
{
	HashTable *own = saved;
	zend_resource *entry;

	ZEND_HASH_FOREACH_PTR(own, entry) {
		if (entry->type == php_file_le_pstream()) {
			((php_stream *) entry->ptr)->res = NULL;
			((php_stream *) entry->ptr)->ctx = NULL;
		}
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_graceful_reverse_destroy(own);
}

const weft_c_item weft_c_persistent = {
	.name = "persistent connections",
	.size = sizeof(HashTable),
	.fresh = persistent_fresh,
	.leave = persistent_leave,
	.enter = persistent_enter,
	.discard = persistent_discard,
};
