/*
 * A PHP request in a domain: made empty, exchanged at a switch, and emptied in the order in which PHP ends a request.
 */
#include "domain/weft_php_request.h"
#include "domain/weft_engine_tables.h"
#include "weft_compat.h"

#include "zend_list.h"
#include "zend_objects_API.h"

/* As the engine begins. */
#define OBJECTS 1024
#define GLOBAL_VARIABLES 64
#define ARENA (64 * 1024)
/* So many that have ended are kept for the next. */
#define MOST_IDLE 64

/* What PHP and its extensions have in each request, and what was preloaded among it. */
static HashTable *internal_functions, *internal_classes, *internal_constants;
static uint32_t first_preloaded_function, first_preloaded_class;

struct weft_php_request {
	/* these stay when it has ended, as they were in the beginning */
	weft_engine_tables engine;
	weft_collector collector;
	weft_php_request *next;

	bool destructs; /* has begun to */
	HashTable symbol_table;
	HashTable regular_list;
	zend_llist open_files; /* of scripts that are being compiled, or were when a fatal error ended that */
	zend_objects_store objects;
	uint32_t declarations; /* how many had to be told apart by their names until they are executed */
#if WEFT_HAVE_LAZY_OBJECTS
	HashTable lazy_objects;
#endif
};

static weft_php_request *idle;
static uint32_t idle_count;

weft_php_request *weft_php_request_in_place;

#define EXCHANGE(here, other) \
	do { \
		__typeof__(here) was = (here); \
		(here) = (other); \
		(other) = was; \
	} while (0)

/* --- tables --- */

typedef bool (*test)(const zval *entry);

static bool is_internal_function(const zval *entry)
{
	return ((zend_function *) Z_PTR_P(entry))->type == ZEND_INTERNAL_FUNCTION;
}

static bool is_internal_class(const zval *entry)
{
	return ((zend_class_entry *) Z_PTR_P(entry))->type == ZEND_INTERNAL_CLASS;
}

static bool is_internal_constant(const zval *entry)
{
	return ZEND_CONSTANT_FLAGS((zend_constant *) Z_PTR_P(entry)) & CONST_PERSISTENT;
}

static bool is_preloaded_function(const zval *entry)
{
	return ((zend_function *) Z_PTR_P(entry))->common.fn_flags & ZEND_ACC_PRELOADED;
}

static bool is_preloaded_class(const zval *entry)
{
	return ((zend_class_entry *) Z_PTR_P(entry))->ce_flags & ZEND_ACC_PRELOADED;
}

static HashTable *copy_internal(const HashTable *table, test is_internal, test is_preloaded)
{
	HashTable *copy = weft_engine_table_copy(table);

	for (uint32_t i = 0; i < copy->nNumUsed; i++) {
		zval *entry = &copy->arData[i].val;

		if (!is_internal(entry) && !is_preloaded(entry)) {
			ZVAL_UNDEF(entry);
			copy->nNumOfElements--;
		}
	}
	if (!HT_IS_WITHOUT_HOLES(copy)) {
		zend_hash_rehash(copy);
	}
	return copy;
}

static uint32_t find_preloaded(const HashTable *table, test is_internal)
{
	uint32_t first = 0;

	while (first < table->nNumUsed && is_internal(&table->arData[first].val)) {
		first++;
	}
	return first;
}

static void copy_what_is_internal(void)
{
	internal_functions = copy_internal(EG(function_table), is_internal_function, is_preloaded_function);
	internal_classes = copy_internal(EG(class_table), is_internal_class, is_preloaded_class);
	internal_constants = copy_internal(EG(zend_constants), is_internal_constant, is_internal_constant);
	/* as under PHP-FPM: half of what one request loads would be there for all */
	if (zend_hash_str_del(internal_functions, ZEND_STRL("dl")) == SUCCESS) {
		zend_hash_rehash(internal_functions);
	}
	first_preloaded_function = find_preloaded(internal_functions, is_internal_function);
	first_preloaded_class = find_preloaded(internal_classes, is_internal_class);
}

static void *new_map(size_t size)
{
	void *map = pecalloc(WEFT_MAP_PTR_STATIC + size, sizeof(void *), 1);

	memcpy(map, CG(map_ptr_real_base), WEFT_MAP_PTR_STATIC * sizeof(void *));
	return map;
}

static void tables_init(weft_engine_tables *engine)
{
	if (!internal_functions) {
		copy_what_is_internal();
	}
	engine->functions = weft_engine_table_copy(internal_functions);
	engine->classes = weft_engine_table_copy(internal_classes);
	engine->constants = weft_engine_table_copy(internal_constants);
	engine->map_size = CG(map_ptr_size);
	engine->map_last = CG(map_ptr_last);
	engine->map = new_map(engine->map_size);
}

static void tables_free(weft_engine_tables *engine)
{
	weft_engine_table_free(engine->constants);
	weft_engine_table_free(engine->functions);
	weft_engine_table_free(engine->classes);
	pefree(engine->map, 1);
}

/* What was declared is gone; what code has remembered must be. */
static void tables_clean(weft_engine_tables *engine)
{
	zend_hash_destroy(&engine->included_files);
	zend_arena_destroy(engine->arena);
	memset((void **) engine->map + WEFT_MAP_PTR_STATIC, 0, engine->map_last * sizeof(void *));
}

/* --- switching --- */

static void request_exchange(weft_php_request *request)
{
	weft_engine_tables_exchange(&request->engine);
	EXCHANGE(EG(symbol_table), request->symbol_table);
	EXCHANGE(EG(regular_list), request->regular_list);
	EXCHANGE(CG(open_files), request->open_files);
	EXCHANGE(EG(objects_store), request->objects);
	EXCHANGE(CG(rtd_key_counter), request->declarations);
#if WEFT_HAVE_LAZY_OBJECTS
	EXCHANGE(EG(lazy_objects_store).infos, request->lazy_objects);
#endif
	weft_collector_exchange(&request->collector);
}

static weft_php_request *request_take(void)
{
	weft_php_request *request = idle;

	if (request) {
		idle = request->next;
		idle_count--;
		return request;
	}
	request = pecalloc(1, sizeof(weft_php_request), 1);
	weft_collector_init(&request->collector);
	tables_init(&request->engine);
	return request;
}

weft_php_request *weft_php_request_new(void)
{
	weft_php_request *request = request_take();

	request->destructs = false;
	request->declarations = 0; /* the names stay interned: without OPcache each request would add its own */
	zend_hash_init(&request->engine.included_files, 8, NULL, NULL, 0);
	request->engine.arena = zend_arena_create(ARENA);
	zend_hash_init(&request->symbol_table, GLOBAL_VARIABLES, NULL, ZVAL_PTR_DTOR, 0);
	zend_hash_init(&request->regular_list, 8, NULL, EG(regular_list).pDestructor, 0);
	request->regular_list.nNextFreeElement = 0;
	zend_llist_init(&request->open_files, CG(open_files).size, CG(open_files).dtor, CG(open_files).persistent);
	zend_objects_store_init(&request->objects, OBJECTS);
#if WEFT_HAVE_LAZY_OBJECTS
	zend_hash_init(&request->lazy_objects, 0, NULL, EG(lazy_objects_store).infos.pDestructor, 0);
#endif
	return request;
}

void weft_php_request_enter(weft_php_request *request)
{
	request_exchange(request);
	weft_php_request_in_place = request;
}

void weft_php_request_leave(weft_php_request *request)
{
	weft_php_request_in_place = NULL;
	request_exchange(request);
}

/* --- the end, in the order of zend_call_destructors() and shutdown_executor() --- */

static int destruct_global(zval *variable)
{
	if (Z_TYPE_P(variable) == IS_INDIRECT) {
		variable = Z_INDIRECT_P(variable);
	}
	return Z_TYPE_P(variable) == IS_OBJECT && Z_REFCOUNT_P(variable) == 1 ? ZEND_HASH_APPLY_REMOVE
																		  : ZEND_HASH_APPLY_KEEP;
}

static int detach_global(zval *variable)
{
	zval *slot;

	if (Z_TYPE_P(variable) != IS_INDIRECT) {
		return ZEND_HASH_APPLY_KEEP;
	}
	slot = Z_INDIRECT_P(variable);
	if (Z_ISUNDEF_P(slot)) {
		return ZEND_HASH_APPLY_REMOVE;
	}
	ZVAL_COPY_VALUE(variable, slot);
	ZVAL_UNDEF(slot);
	return ZEND_HASH_APPLY_KEEP;
}

/* neighbours/globals_after_a_fatal_error.phpt. What zend_detach_symbol_table() does where a script ends otherwise: PHP
 * keeps the stack of the VM until the request has ended, and here it goes with the coroutine. */
void weft_php_request_detach_globals(void)
{
	if (weft_php_request_in_place) {
		zend_hash_apply(&EG(symbol_table), (apply_func_t) detach_global);
	}
}

void weft_php_request_destruct(void)
{
	zend_execute_data *root = EG(current_execute_data);
	uint32_t before;

	if (weft_php_request_in_place->destructs) {
		/* again, since one has called exit() or thrown: the others are not called any more */
		zend_objects_store_mark_destructed(&EG(objects_store));
		return;
	}
	weft_php_request_in_place->destructs = true;
	/* nobody calls them: one that is private is told so, and not thrown at */
	EG(current_execute_data) = NULL;
	do {
		before = zend_hash_num_elements(&EG(symbol_table));
		zend_hash_reverse_apply(&EG(symbol_table), (apply_func_t) destruct_global);
	} while (before != zend_hash_num_elements(&EG(symbol_table)));
	zend_objects_store_call_destructors(&EG(objects_store));
	EG(current_execute_data) = root;
}

/* What it holds is freed with the rest; nobody looks for it there any more. */
static void release_values(void)
{
	zend_hash_graceful_reverse_destroy(&EG(symbol_table));
	zend_hash_init(&EG(symbol_table), 0, NULL, ZVAL_PTR_DTOR, 0);
	weft_engine_each(EG(zend_constants), internal_constants->nNumUsed, weft_engine_reset_constant, NULL);
	weft_engine_each(EG(function_table), first_preloaded_function, weft_engine_free_statics, NULL);
	weft_engine_each(EG(class_table), first_preloaded_class, weft_engine_free_class_values, NULL);
}

/* The engine leaves their memory to its heap's end. */
static void free_memory_of_objects(void)
{
	zend_objects_store *store = &EG(objects_store);

	for (uint32_t i = 1; i < store->top; i++) {
		zend_object *object = store->object_buckets[i];

		if (IS_OBJ_VALID(object)) {
			GC_REMOVE_FROM_BUFFER(object);
			efree((char *) object - object->handlers->offset);
		}
	}
	zend_objects_store_destroy(store);
	zend_objects_store_init(store, 1);
}

static void drop_declared(void)
{
	weft_engine_table_drop(EG(zend_constants), internal_constants->nNumUsed, weft_engine_free_constant);
	weft_engine_table_drop(EG(function_table), internal_functions->nNumUsed, weft_engine_free_function);
	weft_engine_table_drop(EG(class_table), internal_classes->nNumUsed, weft_engine_free_class);
}

/* Who still has one has a closed one. Closing runs PHP code, a stream filter's, say, which may open more, and the list
 * moves. An exception ends the code that has thrown it: reported at once, it is in nobody's way, and is no longer there
 * when its object is freed. */
static bool close_resources(void (*closed)(void))
{
	const HashTable *list = &EG(regular_list);
	int wrapper = zend_fetch_list_dtor_id("stream factory");
	bool any = false;

	for (uint32_t i = list->nNumUsed; i-- > 0;) {
		/* by its place: its number may be any once many have come and gone */
		const zval *entry = HT_IS_PACKED(list) ? &list->arPacked[i] : &list->arData[i].val;

		/* a stream wrapper goes last: its class may open one more of its streams */
		if (Z_TYPE_P(entry) != IS_UNDEF && Z_RES_P(entry)->type >= 0 && Z_RES_P(entry)->type != wrapper) {
			zend_list_close(Z_RES_P(entry));
			closed();
			any = true;
		}
		i = MIN(i, list->nNumUsed);
	}
	return any;
}

bool weft_php_request_close(void (*closed)(void))
{
	bool any;

	zend_objects_store_mark_destructed(&EG(objects_store));
	zend_llist_clean(&CG(open_files));
	closed();
	any = close_resources(closed);
	zend_objects_store_mark_destructed(&EG(objects_store));
	return any;
}

static void drop_exception(void)
{
	if (EG(exception)) {
		OBJ_RELEASE(EG(exception));
		EG(exception) = NULL;
	}
}

static void empty_request(void)
{
	EG(error_reporting) = 0; /* a stream would say that its filter in PHP can't be called */
	/* what has been opened again and again while others were closed */
	weft_php_request_close(drop_exception);
	release_values();
	/* arrays that hold themselves */
	gc_collect_cycles();
	zend_objects_store_free_object_storage(&EG(objects_store), false);
	/* constants of a class, cases of an enum, hold objects to the end */
	drop_declared();
	free_memory_of_objects();
	zend_hash_destroy(&EG(regular_list));
	zend_hash_init(&EG(regular_list), 0, NULL, EG(regular_list).pDestructor, 0);
	weft_collector_clean();
	drop_exception();
}

/* From here on PHP calls no PHP code either (zend_shutdown_executor_values()). */
void weft_php_request_empty(void)
{
	EG(active) = false;
	empty_request();
	EG(active) = true;
}

void weft_php_request_close_silently(void)
{
	EG(active) = false;
	EG(error_reporting) = 0;
	zend_try {
		close_resources(drop_exception);
	} zend_end_try();
	EG(active) = true;
}

void weft_php_request_free(weft_php_request *request)
{
	zend_hash_destroy(&request->symbol_table);
	zend_hash_destroy(&request->regular_list);
	zend_objects_store_destroy(&request->objects);
#if WEFT_HAVE_LAZY_OBJECTS
	zend_hash_destroy(&request->lazy_objects);
#endif
	tables_clean(&request->engine);
	if (idle_count < MOST_IDLE) {
		request->next = idle;
		idle = request;
		idle_count++;
		return;
	}
	weft_collector_free(&request->collector);
	tables_free(&request->engine);
	pefree(request, 1);
}
