/*
 * Code that has begun in the base's tables and goes on in a domain's own: frames, closures, generators and fibers hold
 * a pointer to their code's cache. Left alone, they would note there what only this domain has. Nor may they go on with
 * what they have noted: who finds a function in the cache expects that the function has a cache as well.
 *
 * So each closure, generator and fiber is known by the domain that has made it.
 */
#include "domain/weft_tables.h"
#include "domain/weft_php_request.h"
#include "domain/weft_base.h"
#include "coroutine/weft_coroutine.h"
#include "zend_closures.h"
#include "zend_generators.h"
#include "zend_fibers.h"
#include "weft_compat.h"
#include "weft_grow.h"

/* By handle: the number of the domain in which it was made; 0: in none. */
static uint64_t *owners;
static uint32_t owners_size;
static zend_object *(*plain_closure)(zend_class_entry *ce), *(*plain_generator)(zend_class_entry *ce),
	*(*plain_fiber)(zend_class_entry *ce);

/* A closure that was made after the snapshot, but by none of the domains: any of them may call it. */
typedef struct {
	zend_object *object;
	uint32_t handle;
	void *expected; /* what it had when it was exchanged last: else it is another object */
	void *other;
	bool on_heap;
} shared_closure;

/* What a closure or function within the code of one of them has elsewhere. */
typedef struct {
	void *cache, *statics;
	bool in_place;
} inner_code;

struct weft_shared_closures {
	shared_closure *items;
	uint32_t count, size;
	HashTable inner; /* by address */
};

/* --- who has made it --- */

static zend_object *closure_note(zend_object *object)
{
	if (UNEXPECTED(weft_php_request_in_place)) {
		return object; /* its handle is another's in the base */
	}
	if (UNEXPECTED(object->handle >= owners_size)) {
		uint32_t size = MAX(object->handle + 1, owners_size ? owners_size * 2 : 1024);

		owners = safe_perealloc(owners, size, sizeof(*owners), 0, 1);
		owners_size = size;
	}
	owners[object->handle] = weft_domain_in_place ? weft_domain_id(weft_domain_in_place) : 0;
	return object;
}

static zend_object *create_closure(zend_class_entry *ce)
{
	return closure_note(plain_closure(ce));
}

static zend_object *create_generator(zend_class_entry *ce)
{
	return closure_note(plain_generator(ce));
}

static zend_object *create_fiber(zend_class_entry *ce)
{
	return closure_note(plain_fiber(ce));
}

void weft_frames_minit(void)
{
	plain_closure = zend_ce_closure->create_object;
	zend_ce_closure->create_object = create_closure;
	plain_generator = zend_ce_generator->create_object;
	zend_ce_generator->create_object = create_generator;
	plain_fiber = zend_ce_fiber->create_object;
	zend_ce_fiber->create_object = create_fiber;
}

static bool is_of_domain_in_place(const zend_object *object)
{
	return owners[object->handle] == weft_domain_id(weft_domain_in_place);
}

/* --- frames --- */

static zend_op_array *user_code(const zend_execute_data *frame)
{
	return frame->func && ZEND_USER_CODE(frame->func->type) ? &frame->func->op_array : NULL;
}

/* Calls that wait for their arguments have looked for a cache already and won't again. */
static void prepare_calls(zend_execute_data *call)
{
	for (; call; call = call->prev_execute_data) {
		if (call->func && call->func->type == ZEND_USER_FUNCTION) {
			zend_init_func_run_time_cache(&call->func->op_array);
		}
	}
}

static void part_frame(zend_execute_data *frame)
{
	zend_op_array *code = user_code(frame);

	if (!code) {
		return;
	}
	if ((code->fn_flags & (ZEND_ACC_HEAP_RT_CACHE | ZEND_ACC_CLOSURE)) == ZEND_ACC_HEAP_RT_CACHE) {
		/* a file or eval(): nobody else runs this code */
		memset(RUN_TIME_CACHE(code), 0, code->cache_size);
	} else {
		zend_init_func_run_time_cache(code);
		frame->run_time_cache = RUN_TIME_CACHE(code);
	}
	prepare_calls(frame->call);
}

static void part_stack(zend_execute_data *frame, const zend_execute_data *bottom)
{
	for (; frame && frame != bottom; frame = frame->prev_execute_data) {
		part_frame(frame);
	}
}

static void part_coroutine(weft_coroutine *coroutine, void *bottom)
{
	if (coroutine != weft_current && coroutine->domain == weft_domain_in_place &&
		(coroutine->state == WEFT_COROUTINE_READY || coroutine->state == WEFT_COROUTINE_SUSPENDED)) {
		part_stack(coroutine->suspended_at, bottom);
	}
}

/* --- objects --- */

/* The innermost frame of a generator or a fiber that has begun and waits; NULL for any other object. */
static zend_execute_data *waiting_frame(const zend_object *object)
{
	if (object->ce == zend_ce_generator) {
		return ((const zend_generator *) object)->execute_data;
	}
	if (object->ce == zend_ce_fiber && ((const zend_fiber *) object)->context.status == ZEND_FIBER_STATUS_SUSPENDED) {
		return ((const zend_fiber *) object)->execute_data;
	}
	return NULL;
}

/* A generator has one frame; what is linked behind it is who has resumed it last. */
static zend_execute_data *next_frame(const zend_object *object, const zend_execute_data *frame)
{
	return object->ce == zend_ce_generator ? NULL : frame->prev_execute_data;
}

static void part_waiting(const zend_object *object)
{
	for (zend_execute_data *frame = waiting_frame(object); frame; frame = next_frame(object, frame)) {
		part_frame(frame);
	}
	if (object->ce == zend_ce_generator) {
		prepare_calls(((const zend_generator *) object)->frozen_call_stack);
	}
}

static zend_op_array *code_of(const zend_object *closure)
{
	const zend_function *function = zend_get_closure_method_def((zend_object *) closure);

	return function->type == ZEND_USER_FUNCTION ? (zend_op_array *) &function->op_array : NULL;
}

static void *cache_on_heap(const zend_op_array *code)
{
	return ecalloc(1, code->cache_size + 1);
}

static void part_closure(const zend_object *object)
{
	zend_op_array *code = code_of(object);

	if (code && (code->fn_flags & ZEND_ACC_HEAP_RT_CACHE)) {
		memset(ZEND_MAP_PTR(code->run_time_cache), 0, code->cache_size);
	} else if (code) {
		ZEND_MAP_PTR_INIT(code->run_time_cache, NULL);
	}
}

/* What is within its code is exchanged as long as one of the closures lives: nothing else holds it. */
static void share_inner(weft_shared_closures *list, const zend_op_array *code)
{
	for (uint32_t i = 0; i < code->num_dynamic_func_defs; i++) {
		const zend_op_array *inner = code->dynamic_func_defs[i];
		inner_code none = {NULL, NULL, false};

		if (!weft_tables_knows_inner(inner) &&
			zend_hash_index_add_mem(&list->inner, weft_key_of_address(inner), &none, sizeof(none))) {
			share_inner(list, inner);
		}
	}
}

static void share(weft_shared_closures *list, zend_object *object)
{
	const zend_op_array *code = code_of(object);
	shared_closure *item;

	if (!code) {
		return;
	}
	WEFT_GROW(list->items, list->count, list->size);
	item = &list->items[list->count++];
	item->object = object;
	item->handle = object->handle;
	item->expected = ZEND_MAP_PTR(code->run_time_cache);
	item->on_heap = code->fn_flags & ZEND_ACC_HEAP_RT_CACHE;
	item->other = item->on_heap ? cache_on_heap(code) : NULL;
	share_inner(list, code);
}

static bool closure_is_left(const shared_closure *item)
{
	return item->handle < EG(objects_store).top && EG(objects_store).object_buckets[item->handle] == item->object &&
		item->object->ce == zend_ce_closure && code_of(item->object) &&
		ZEND_MAP_PTR(code_of(item->object)->run_time_cache) == item->expected;
}

static void exchange_inner(weft_shared_closures *list, const zend_op_array *code, bool in_place)
{
	for (uint32_t i = 0; i < code->num_dynamic_func_defs; i++) {
		zend_op_array *inner = code->dynamic_func_defs[i];
		inner_code *other = zend_hash_index_find_ptr(&list->inner, weft_key_of_address(inner)), was;

		if (!other || other->in_place == in_place) {
			continue; /* another closure of this code came first */
		}
		was = *other;
		*other = (inner_code){ZEND_MAP_PTR(inner->run_time_cache), ZEND_MAP_PTR(inner->static_variables_ptr), in_place};
		ZEND_MAP_PTR_INIT(inner->run_time_cache, was.cache);
		if (!(inner->fn_flags & ZEND_ACC_CLOSURE)) {
			ZEND_MAP_PTR_INIT(inner->static_variables_ptr, was.statics);
		}
		exchange_inner(list, inner, in_place);
	}
}

/* What could not be exchanged is gone. */
static void forget_inner(weft_shared_closures *list, bool in_place)
{
	zend_ulong address;
	const inner_code *other;

	ZEND_HASH_FOREACH_NUM_KEY_PTR(&list->inner, address, other) {
		if (other->in_place != in_place) {
			zend_hash_index_del(&list->inner, address);
		}
	}
	ZEND_HASH_FOREACH_END();
}

void weft_shared_closures_enter(weft_shared_closures *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		shared_closure *item = &list->items[i];
		zend_op_array *code;

		if (!closure_is_left(item)) {
			if (item->on_heap) {
				efree(item->other);
			}
			*item = list->items[--list->count];
			i--;
			continue;
		}
		code = code_of(item->object);
		ZEND_MAP_PTR_INIT(code->run_time_cache, item->other);
		item->other = item->expected;
		exchange_inner(list, code, true);
	}
	forget_inner(list, true);
}

/* The engine may have given it a cache meanwhile, where it had none. */
void weft_shared_closures_leave(weft_shared_closures *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		shared_closure *item = &list->items[i];

		item->expected = item->other;
		if (EG(objects_store).object_buckets[item->handle] == item->object && item->object->ce == zend_ce_closure) {
			zend_op_array *code = code_of(item->object);

			item->other = ZEND_MAP_PTR(code->run_time_cache);
			ZEND_MAP_PTR_INIT(code->run_time_cache, item->expected);
			exchange_inner(list, code, false);
		}
	}
	forget_inner(list, false);
}

void weft_shared_closures_free(weft_shared_closures *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (list->items[i].on_heap) {
			efree(list->items[i].other);
		}
	}
	zend_hash_destroy(&list->inner);
	free(list->items);
	free(list);
}

static void free_inner(zval *entry)
{
	pefree(Z_PTR_P(entry), 1);
}

weft_shared_closures *weft_shared_closures_new(void)
{
	weft_shared_closures *list = pecalloc(1, sizeof(weft_shared_closures), 1);

	zend_hash_init(&list->inner, 8, NULL, free_inner, 1);
	for (uint32_t i = 1; i < EG(objects_store).top; i++) {
		zend_object *object = EG(objects_store).object_buckets[i];

		if (IS_OBJ_VALID(object) && object->ce == zend_ce_closure && !weft_base_holds(object) && !owners[i]) {
			share(list, object);
		}
	}
	return list;
}

static void each_own(const zend_class_entry *ce, void (*visit)(const zend_object *object))
{
	for (uint32_t i = 1; i < EG(objects_store).top; i++) {
		const zend_object *object = EG(objects_store).object_buckets[i];

		if (IS_OBJ_VALID(object) && object->ce == ce && is_of_domain_in_place(object)) {
			visit(object);
		}
	}
}

void weft_frames_part(const zend_execute_data *bottom)
{
	each_own(zend_ce_closure, part_closure);
	/* after those: a frame gets the cache that its code has now */
	each_own(zend_ce_generator, part_waiting);
	each_own(zend_ce_fiber, part_waiting);
	part_stack(EG(current_execute_data), bottom);
	weft_scheduler_each(part_coroutine, (void *) bottom);
}

/* --- the end --- */

static bool contents_have(const weft_tables_contents *contents, const void *address)
{
	return zend_hash_num_elements(&contents->own) &&
		zend_hash_index_exists(&contents->own, weft_key_of_address(address));
}

static bool lies_in(zend_arena *arena, void *address)
{
#ifdef ZEND_TRACK_ARENA_ALLOC
	/* zend_arena_contains() says yes to all */
	for (; arena; arena = arena->prev) {
		for (void **block = arena->ptrs; block < arena->ptr; block++) {
			if (*block == address) {
				return true;
			}
		}
	}
	return false;
#else
	return zend_arena_contains(arena, address);
#endif
}

/* Whether what is within it was compiled in this arena. */
static bool was_compiled_in(const zend_op_array *code, zend_arena *arena)
{
	return code->num_dynamic_func_defs && lies_in(arena, code->dynamic_func_defs[0]);
}

static bool waits_in(const zend_object *object, zend_arena *arena)
{
	const zend_execute_data *frame = waiting_frame(object);

	for (; frame; frame = next_frame(object, frame)) {
		const zend_op_array *code = user_code(frame);

		if (code && (lies_in(arena, frame->run_time_cache) || was_compiled_in(code, arena))) {
			return true;
		}
	}
	return false;
}

static void free_inner_from(const zend_op_array *code, zend_arena *arena)
{
	for (uint32_t i = 0; i < code->num_dynamic_func_defs; i++) {
		zend_op_array *inner = code->dynamic_func_defs[i];

		if (lies_in(arena, ZEND_MAP_PTR(inner->run_time_cache))) {
			ZEND_MAP_PTR_INIT(inner->run_time_cache, NULL);
		}
		free_inner_from(inner, arena);
	}
}

/* One that outlives its domain gets a cache that does so too, and forgets what it has found there. */
static void free_from(const zend_object *closure, const weft_tables_contents *contents)
{
	zend_op_array *code = code_of(closure);

	if (code->fn_flags & ZEND_ACC_HEAP_RT_CACHE) {
		if (owners[closure->handle] == contents->domain) {
			memset(ZEND_MAP_PTR(code->run_time_cache), 0, code->cache_size);
		}
	} else if (lies_in(contents->arena, ZEND_MAP_PTR(code->run_time_cache))) {
		ZEND_MAP_PTR_INIT(code->run_time_cache, cache_on_heap(code));
		code->fn_flags |= ZEND_ACC_HEAP_RT_CACHE;
	}
	free_inner_from(code, contents->arena);
}

static bool needs(const weft_tables_contents *contents, const zend_object *object)
{
	const zend_op_array *code;

	if (object->ce != zend_ce_closure) {
		return contents_have(contents, object->ce) || waits_in(object, contents->arena);
	}
	code = code_of(object);
	if (!code) {
		return false;
	}
	free_from(object, contents);
	/* the variables of f(...) are the function's */
	return contents_have(contents, code->scope) || was_compiled_in(code, contents->arena) ||
		((code->fn_flags & ZEND_ACC_FAKE_CLOSURE) &&
			contents_have(contents, ZEND_MAP_PTR_GET(code->static_variables_ptr)));
}

bool weft_frames_need(const weft_tables_contents *contents)
{
	for (uint32_t i = 1; i < EG(objects_store).top; i++) {
		const zend_object *object = EG(objects_store).object_buckets[i];

		if (IS_OBJ_VALID(object) && !weft_base_holds(object) && !weft_values_hold_alone(&contents->counts, object) &&
			needs(contents, object)) {
			return true;
		}
	}
	return false;
}
