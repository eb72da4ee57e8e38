/*
 * Learns of objects with a destructor when they are made, keeps for each domain those it has made, and runs at its
 * end the destructors of those that nothing else holds.
 */
#include "domain/weft_destructors.h"
#include "coroutine/weft_engine_state.h"
#include "coroutine/weft_wrap.h"
#include "interpose/weft_got.h"
#include "domain/weft_base.h"
#include "domain/weft_domain.h"
#include "domain/weft_php_request.h"
#include "domain/weft_slots.h"
#include "domain/weft_tables.h"
#include "domain/hidden/weft_hidden.h"
#include "zend_gc.h"

/* --- who has a destructor --- */

/* By handle: the list that has noted an object with it last. The engine gives the number and the memory of an object
 * that is gone to the next, which may be another domain's. */
static struct {
	uint32_t *lists;
	uint32_t size;
} owners;

static void own(const weft_destructibles *list, uint32_t handle)
{
	if (UNEXPECTED(handle >= owners.size)) {
		uint32_t size = MAX(handle + 1, owners.size * 2);

		owners.lists = safe_perealloc(owners.lists, size, sizeof(*owners.lists), 0, 1);
		memset(owners.lists + owners.size, 0, (size - owners.size) * sizeof(*owners.lists));
		owners.size = size;
	}
	owners.lists[handle] = list->number;
}

static bool destructible_is_left(const weft_destructibles *list, const struct weft_destructible *item)
{
	const zend_object *object;

	if (item->handle >= EG(objects_store).top || owners.lists[item->handle] != list->number) {
		return false;
	}
	object = EG(objects_store).object_buckets[item->handle];
	return object == item->object && IS_OBJ_VALID(object) && object->ce->destructor &&
		!(OBJ_FLAGS(object) & IS_OBJ_DESTRUCTOR_CALLED);
}

static void drop_gone(weft_destructibles *list)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < list->used; i++) {
		if (destructible_is_left(list, &list->items[i])) {
			list->items[left++] = list->items[i];
		}
	}
	list->used = left;
}

static weft_destructibles *of_all_domains;

static void destructibles_enlist(weft_destructibles *list)
{
	static uint32_t numbers;

	/* 0: no list */
	numbers += numbers == UINT32_MAX ? 2 : 1;
	list->number = numbers;
	list->next = of_all_domains;
	list->link = &of_all_domains;
	if (list->next) {
		list->next->link = &list->next;
	}
	of_all_domains = list;
}

/* The items are the caller's from now on. */
static void take_out(weft_destructibles *list)
{
	if (list->link) {
		*list->link = list->next;
		if (list->next) {
			list->next->link = list->link;
		}
	}
	memset(list, 0, sizeof(*list));
}

static void destructible_note(weft_destructibles *list, const zend_object *object, bool left)
{
	if (!list->link) {
		destructibles_enlist(list);
	}
	if (list->used == list->size) {
		drop_gone(list);
	}
	/* half of it free, so that a request that makes many short-lived ones doesn't look through them each time */
	if (list->used >= list->size / 2) {
		list->size = list->size ? list->size * 2 : 16;
		list->items = safe_perealloc(list->items, list->size, sizeof(*list->items), 0, 1);
	}
	list->items[list->used++] = (struct weft_destructible){.object = object, .handle = object->handle, .left = left};
	own(list, object->handle);
}

static zend_always_inline void made(const zend_object *object)
{
	if (UNEXPECTED(object->ce->destructor) && EXPECTED(!weft_php_request_in_place)) {
		weft_destructibles *list = weft_domain_destructibles();

		if (list) {
			destructible_note(list, object, false);
		} else if (object->handle < owners.size) {
			owners.lists[object->handle] = 0;
		}
	}
}

/* `new` asks every object for its constructor: there we learn of it without a cost for those without destructor. */
static zend_function *get_constructor(zend_object *object)
{
	made(object);
	return zend_std_get_constructor(object);
}

static zend_object *clone_obj(zend_object *object)
{
	zend_object *clone = zend_objects_clone_obj(object);

	made(clone);
	return clone;
}

static zif_handler plain_new_instance;

/* Nobody asks for a constructor there: so lazy objects of PHP code are made, which have destructors as a rule. */
static ZEND_NAMED_FUNCTION(zif_weft_new_instance)
{
	plain_new_instance(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (Z_TYPE_P(return_value) == IS_OBJECT && Z_OBJ_HT_P(return_value) == &std_object_handlers) {
		made(Z_OBJ_P(return_value));
	}
}

/* The engine's table of handlers lies in memory that it made read-only. */
static void set_handlers(zend_object_get_constructor_t constructor, zend_object_clone_obj_t clone)
{
	zend_object_handlers handlers = std_object_handlers;

	handlers.get_constructor = constructor;
	handlers.clone_obj = clone;
	weft_got_write((void *) (uintptr_t) &std_object_handlers, &handlers, sizeof(handlers));
}

/* --- the collector --- */

static int (*plain_gc_collect_cycles)(void);

/* One more reference makes an object live to the collector. */
static void destructibles_hold(weft_destructibles *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		struct weft_destructible *item = &list->items[i];

		if (!item->held && destructible_is_left(list, item)) {
			GC_ADDREF((zend_object *) item->object);
			item->held = true;
		}
	}
}

/* What has lost its last other reference to the collector, in garbage without a destructor, dies with its owner's
 * state in place. */
static void let_go_of_living(weft_destructibles *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		struct weft_destructible *item = &list->items[i];

		if (item->held && GC_REFCOUNT(item->object) > 1) {
			item->held = false;
			OBJ_RELEASE((zend_object *) item->object);
		}
	}
}

static zend_object *next_held(weft_destructibles *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		if (list->items[i].held) {
			list->items[i].held = false;
			return (zend_object *) list->items[i].object;
		}
	}
	return NULL;
}

/* Runs destructors, which may change the list. */
static void let_go_of_all(weft_destructibles *list)
{
	zend_object *object;

	while ((object = next_held(list))) {
		OBJ_RELEASE(object);
	}
}

/* As the engine's collector runs destructors: whoever is in the middle of something here does not expect a switch. */
static void let_go_of_own(void)
{
	weft_destructibles *of_domain = weft_domain_destructibles();
	bool before = weft_collecting;

	if (of_domain) {
		weft_collecting = true;
		let_go_of_all(of_domain);
		weft_collecting = before;
	}
}

static void each_of_others(void (*visit)(weft_destructibles *))
{
	const weft_destructibles *of_domain = weft_domain_destructibles();

	for (weft_destructibles *list = of_all_domains; list; list = list->next) {
		if (list != of_domain) {
			visit(list);
		}
	}
}

static bool letting_go;

/* False: a destructor has ended in a fatal error. */
static zend_never_inline bool collect_garbage(int *collected)
{
	volatile bool ended = true;

	zend_try {
		*collected = plain_gc_collect_cycles();
	} zend_catch {
		ended = false;
	} zend_end_try();
	return ended;
}

/* Whoever runs when the roots are many collects the garbage of all. A destructor among it must see the state of
 * those who made the object: it stays until the collector runs in their domain, or the domain ends. */
static int collect_own_destructors(void)
{
	int collected;
	bool ended;

	if (letting_go) {
		return 0;
	}
	if (weft_php_request_in_place) {
		return plain_gc_collect_cycles(); /* it watches nothing of others */
	}
	let_go_of_own();
	each_of_others(destructibles_hold);
	ended = collect_garbage(&collected);
	/* makes them roots again, which may be too many at once */
	letting_go = true;
	each_of_others(let_go_of_living);
	letting_go = false;
	if (!ended) {
		zend_bailout();
	}
	return collected;
}

void weft_destructors_rinit(void)
{
	if (plain_gc_collect_cycles) {
		return;
	}
	set_handlers(get_constructor, clone_obj);
	plain_new_instance = weft_wrap("reflection", "reflectionclass", "newinstancewithoutconstructor",
		zif_weft_new_instance);
	plain_gc_collect_cycles = gc_collect_cycles;
	gc_collect_cycles = collect_own_destructors;
}

void weft_destructors_mshutdown(void)
{
	set_handlers(zend_std_get_constructor, zend_objects_clone_obj);
	free(owners.lists);
}

/* --- which of them will die --- */

/* What the domain's values reach. Each node's number is how many references to it come from elsewhere. */
typedef struct {
	HashTable nodes;
	zend_refcounted **stack;
	uint32_t used, size;
} reach;

static void reach_push(reach *reach, zend_refcounted *counted)
{
	if (reach->used == reach->size) {
		reach->size = reach->size ? reach->size * 2 : 256;
		reach->stack = safe_erealloc(reach->stack, reach->size, sizeof(*reach->stack), 0);
	}
	reach->stack[reach->used++] = counted;
}

typedef void (*edge_visitor)(reach *reach, zend_refcounted *to);

static void visit_edge(reach *reach, zval *value, edge_visitor visitor)
{
	if (Z_TYPE_P(value) == IS_INDIRECT) {
		value = Z_INDIRECT_P(value);
	}
	if (!Z_REFCOUNTED_P(value) || Z_TYPE_P(value) == IS_STRING || Z_TYPE_P(value) == IS_RESOURCE ||
		(Z_TYPE_P(value) == IS_OBJECT && weft_base_holds(Z_OBJ_P(value)))) {
		return;
	}
	visitor(reach, Z_COUNTED_P(value));
}

static void reach_table(reach *reach, HashTable *table, edge_visitor visitor)
{
	zval *value;

	ZEND_HASH_FOREACH_VAL(table, value) {
		visit_edge(reach, value, visitor);
	}
	ZEND_HASH_FOREACH_END();
}

static void visit_edges_of(reach *reach, zend_refcounted *counted, edge_visitor visitor)
{
	if (GC_TYPE(counted) == IS_OBJECT) {
		zend_object *object = (zend_object *) counted;
		HashTable *table;
		zval *values;
		int count;

		table = object->handlers->get_gc(object, &values, &count);
		for (int i = 0; i < count; i++) {
			visit_edge(reach, &values[i], visitor);
		}
		if (table) {
			reach_table(reach, table, visitor);
		}
	} else if (GC_TYPE(counted) == IS_ARRAY) {
		reach_table(reach, (HashTable *) counted, visitor);
	} else if (GC_TYPE(counted) == IS_REFERENCE) {
		visit_edge(reach, &((zend_reference *) counted)->val, visitor);
	}
}

static void count_edge(reach *reach, zend_refcounted *to)
{
	zval *node = zend_hash_index_lookup(&reach->nodes, weft_key_of_address(to));

	if (Z_TYPE_P(node) == IS_NULL) {
		ZVAL_LONG(node, GC_REFCOUNT(to));
		reach_push(reach, to);
	}
	Z_LVAL_P(node)--;
}

static void follow(reach *reach, edge_visitor visitor)
{
	while (reach->used) {
		visit_edges_of(reach, reach->stack[--reach->used], visitor);
	}
}

static void count_value(zval *value, void *reached)
{
	visit_edge(reached, value, count_edge);
}

static void count_from_hidden(zend_object *object, void *reached)
{
	visit_edges_of(reached, (zend_refcounted *) object, count_edge);
}

/* Leaves and comes back at once: in between, the list shows what is the domain's own in slots, and get_gc() of the
 * base's objects what is in their hidden state. */
static void count_from_values(reach *reach)
{
	weft_private_list list = {0};
	zval instance;

	weft_slots_leave(&list, false);
	for (uint32_t i = 0; i < list.used; i++) {
		if (list.items[i].kind == WEFT_PRIVATE_LAZY) {
			weft_lazy_instance(&list.items[i], &instance);
			visit_edge(reach, &instance, count_edge);
		} else if (list.items[i].kind != WEFT_PRIVATE_TABLE) {
			visit_edge(reach, &list.items[i].value, count_edge);
		} else if (Z_PTR(list.items[i].value)) {
			reach_table(reach, Z_PTR(list.items[i].value), count_edge);
		}
	}
	if (weft_tables_in_place) {
		weft_tables_visit_statics(weft_tables_in_place, count_value, reach);
	}
	weft_hidden_visit(count_from_hidden, reach);
	follow(reach, count_edge);
	weft_slots_enter(&list);
	free(list.items);
}

/* Cycles that nothing leads to any more, if nobody else holds one of them. */
static void count_from(reach *reach, const weft_destructibles *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		zend_refcounted *object = (zend_refcounted *) list->items[i].object;
		zval *node = zend_hash_index_lookup(&reach->nodes, weft_key_of_address(object));

		if (Z_TYPE_P(node) == IS_NULL) {
			ZVAL_LONG(node, GC_REFCOUNT(object));
			reach_push(reach, object);
			follow(reach, count_edge);
		}
	}
}

static void reach_keep(reach *reach, zend_refcounted *to)
{
	zval *node = zend_hash_index_find(&reach->nodes, weft_key_of_address(to));

	if (node && Z_TYPE_P(node) == IS_LONG) {
		ZVAL_TRUE(node);
		reach_push(reach, to);
	}
}

/* Whatever somebody else refers to lives on, and what it refers to as well. */
static void keep_what_others_hold(reach *reach)
{
	zend_ulong key;
	zval *node;

	ZEND_HASH_FOREACH_NUM_KEY_VAL(&reach->nodes, key, node) {
		if (Z_TYPE_P(node) == IS_LONG && Z_LVAL_P(node) > 0) {
			reach_keep(reach, (zend_refcounted *) (uintptr_t) (key << 3));
		}
	}
	ZEND_HASH_FOREACH_END();
	follow(reach, reach_keep);
}

/* Those that somebody else holds go into `left`, if it is there. True: there are any. */
static bool find_dying(weft_destructibles *list, weft_destructibles *left)
{
	reach reach = {0};
	uint32_t dying = 0, used = list->used;

	zend_hash_init(&reach.nodes, 256, NULL, NULL, 0);
	count_from_values(&reach);
	count_from(&reach, list);
	keep_what_others_hold(&reach);
	for (uint32_t i = 0; i < used; i++) {
		const zend_object *object = list->items[i].object;
		const zval *node = zend_hash_index_find(&reach.nodes, weft_key_of_address(object));

		if (node && Z_TYPE_P(node) == IS_LONG) {
			list->items[dying++] = list->items[i];
		} else if (left) {
			destructible_note(left, object, true);
		}
	}
	list->used = dying;
	zend_hash_destroy(&reach.nodes);
	if (reach.stack) {
		efree(reach.stack);
	}
	return dying < used;
}

/* --- running them --- */

void weft_destructors_free(weft_destructibles *list)
{
	let_go_of_all(list);
	free(list->items);
	take_out(list);
}

void weft_destructors_give_up(weft_destructibles *list)
{
	drop_gone(list);
	for (uint32_t i = 0; i < list->used; i++) {
		GC_ADD_FLAGS((zend_object *) list->items[i].object, IS_OBJ_DESTRUCTOR_CALLED);
	}
}

void weft_destructors_give_up_all(void)
{
	for (uint32_t i = 1; i < EG(objects_store).top; i++) {
		zend_object *object = EG(objects_store).object_buckets[i];

		if (IS_OBJ_VALID(object) && !weft_base_holds(object)) {
			GC_ADD_FLAGS(object, IS_OBJ_DESTRUCTOR_CALLED);
		}
	}
}

bool weft_destructors_wait(const weft_destructibles *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		if (!list->items[i].left) {
			return true;
		}
	}
	return false;
}

void weft_destructors_run(weft_destructibles *of_domain, bool last)
{
	weft_destructibles list;
	bool others = false;

	let_go_of_all(of_domain);
	weft_report_late_exception();
	list = (weft_destructibles){.items = of_domain->items,
		.used = of_domain->used,
		.size = of_domain->size,
		.number = of_domain->number};
	/* destructors may make new objects: they are the next call's */
	take_out(of_domain);
	drop_gone(&list);
	if (list.used) {
		others = find_dying(&list, last ? NULL : of_domain);
	}
	/* All at once: after a fatal error in one PHP calls none of the others, nor may anybody else. */
	for (uint32_t i = 0; i < list.used; i++) {
		GC_ADDREF((zend_object *) list.items[i].object);
		GC_ADD_FLAGS((zend_object *) list.items[i].object, IS_OBJ_DESTRUCTOR_CALLED);
	}
	for (uint32_t i = 0; i < list.used; i++) {
		zend_object *object = (zend_object *) list.items[i].object;

		object->handlers->dtor_obj(object);
		weft_report_late_exception();
		OBJ_RELEASE(object);
	}
	weft_destructors_free(&list);
	if (UNEXPECTED(others)) {
		/* they may be garbage, which holds itself */
		gc_collect_cycles();
		weft_report_late_exception();
	}
}
