/*
 * Are two graphs of values the same? Objects and references that the two sides made themselves are paired: one of A
 * stands for one of B everywhere, and the other way round. A pair is believed equal until something in it differs;
 * then every claim that rested on it falls, however indirectly. So cycles need no care: what is left standing in the
 * end supports itself.
 */
#include "isolation/weft_warm.h"
#include "zend_closures.h"
#include "zend_enum.h"
#include "zend_exceptions.h"
#include "zend_fibers.h"
#include "zend_generators.h"

static zend_ulong address(const void *pointer)
{
	return (zend_ulong) (uintptr_t) pointer >> 3;
}

void weft_graph_init(weft_graph *graph, HashTable *fixed)
{
	memset(graph, 0, sizeof(*graph));
	zend_hash_init(&graph->of_a, 256, NULL, NULL, 0);
	zend_hash_init(&graph->of_b, 256, NULL, NULL, 0);
	graph->fixed = fixed;
	graph->node_count = graph->edge_count = graph->explored = graph->layer = 1;
}

void weft_graph_begin(weft_graph *graph)
{
	/* what B made is gone, and others may lie where it lay */
	zend_hash_clean(&graph->of_b);
	graph->layer = graph->node_count;
	graph->explored = graph->node_count;
}

static void release_temporaries(weft_graph *graph)
{
	for (uint32_t i = 0; i < graph->temporary_count; i++) {
		zval_ptr_dtor(&graph->temporaries[i]);
	}
	if (graph->temporaries) {
		efree(graph->temporaries);
	}
	graph->temporaries = NULL;
	graph->temporary_count = 0;
}

void weft_graph_destroy(weft_graph *graph)
{
	release_temporaries(graph);
	for (uint32_t i = 1; i < graph->node_count; i++) {
		if (graph->nodes[i].why) {
			zend_string_release(graph->nodes[i].why);
		}
	}
	free(graph->nodes);
	free(graph->edges);
	zend_hash_destroy(&graph->of_a);
	zend_hash_destroy(&graph->of_b);
}

static uint32_t add_node(weft_graph *graph, zend_refcounted *a, zend_refcounted *b)
{
	if (!graph->nodes || graph->node_count == graph->node_size) {
		graph->node_size = graph->node_size ? graph->node_size * 2 : 256;
		graph->nodes = safe_perealloc(graph->nodes, graph->node_size, sizeof(weft_node), 0, 1);
	}
	graph->nodes[graph->node_count] = (weft_node){.a = a, .b = b};
	return graph->node_count++;
}

uint32_t weft_graph_claim(weft_graph *graph)
{
	return add_node(graph, NULL, NULL);
}

uint32_t weft_graph_node_of(const weft_graph *graph, const void *a)
{
	const zval *found = zend_hash_index_find(&graph->of_a, address(a));

	return found ? (uint32_t) Z_LVAL_P(found) : 0;
}

void weft_graph_spoil(weft_graph *graph, uint32_t node, const char *format, ...)
{
	uint32_t *stack, used = 0, size = 64;
	va_list arguments;

	if (graph->nodes[node].bad) {
		return;
	}
	if (format) {
		va_start(arguments, format);
		graph->nodes[node].why = zend_vstrpprintf(0, format, arguments);
		va_end(arguments);
	}
	stack = safe_emalloc(size, sizeof(*stack), 0);
	graph->nodes[node].bad = true;
	stack[used++] = node;
	while (used) {
		for (uint32_t i = graph->nodes[stack[--used]].dependents; i; i = graph->edges[i].next) {
			uint32_t dependent = graph->edges[i].node;

			if (graph->nodes[dependent].bad) {
				continue;
			}
			graph->nodes[dependent].bad = true;
			if (used + 1 >= size) {
				size *= 2;
				stack = safe_erealloc(stack, size, sizeof(*stack), 0);
			}
			stack[used++] = dependent;
		}
	}
	efree(stack);
}

/* `node` falls when `on` does. */
static void depend(weft_graph *graph, uint32_t node, uint32_t on)
{
	if (node == on || graph->nodes[node].bad) {
		return;
	}
	if (graph->nodes[on].bad) {
		weft_graph_spoil(graph, node, NULL);
		return;
	}
	if (!graph->edges || graph->edge_count == graph->edge_size) {
		graph->edge_size = graph->edge_size ? graph->edge_size * 2 : 1024;
		graph->edges = safe_perealloc(graph->edges, graph->edge_size, sizeof(weft_edge), 0, 1);
	}
	graph->edges[graph->edge_count] = (weft_edge){.node = node, .next = graph->nodes[on].dependents};
	graph->nodes[on].dependents = graph->edge_count++;
}

static void remember(HashTable *table, const void *pointer, uint32_t node)
{
	zval value;

	ZVAL_LONG(&value, node);
	zend_hash_index_update(table, address(pointer), &value);
}

static bool is_fixed(const weft_graph *graph, const void *pointer)
{
	uint32_t node = weft_graph_node_of(graph, pointer);

	return (node && node < graph->layer) || zend_hash_index_exists(graph->fixed, address(pointer));
}

/* Objects and references. */
static void compare_identities(weft_graph *graph, uint32_t node, zend_refcounted *a, zend_refcounted *b)
{
	const zval *known_a, *known_b;
	uint32_t pair;

	if (a == b) {
		/* part of the base, perhaps since an earlier adoption */
		pair = weft_graph_node_of(graph, a);
		if (pair) {
			depend(graph, node, pair);
		}
		return;
	}
	if (is_fixed(graph, a) || is_fixed(graph, b)) {
		weft_graph_spoil(graph, node, "another object in each");
		return;
	}
	known_a = zend_hash_index_find(&graph->of_a, address(a));
	known_b = zend_hash_index_find(&graph->of_b, address(b));
	if (!known_a && !known_b) {
		pair = add_node(graph, a, b);
		remember(&graph->of_a, a, pair);
		remember(&graph->of_b, b, pair);
		depend(graph, node, pair);
		return;
	}
	if (known_a && known_b && Z_LVAL_P(known_a) == Z_LVAL_P(known_b)) {
		depend(graph, node, (uint32_t) Z_LVAL_P(known_a));
		return;
	}
	/* one thing here, two there: neither is what it was taken for */
	weft_graph_spoil(graph, node, "one object in one, two in the other");
	if (known_a) {
		weft_graph_spoil(graph, (uint32_t) Z_LVAL_P(known_a), "paired with two");
	}
	if (known_b) {
		weft_graph_spoil(graph, (uint32_t) Z_LVAL_P(known_b), "paired with two");
	}
}

bool weft_is_map(const zval *value)
{
	const Bucket *bucket;

	if (Z_TYPE_P(value) != IS_ARRAY) {
		return false;
	}
	if (!zend_hash_num_elements(Z_ARR_P(value))) {
		return true;
	}
	if (HT_IS_PACKED(Z_ARR_P(value))) {
		return false;
	}
	ZEND_HASH_MAP_FOREACH_BUCKET(Z_ARR_P(value), bucket) {
		if (!bucket->key) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static void compare_unordered(weft_graph *graph, uint32_t node, HashTable *a, HashTable *b)
{
	zend_string *key;
	zval *in_a, *in_b;

	ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(a, key, in_a) {
		in_b = zend_hash_find(b, key);
		if (!in_b) {
			weft_graph_spoil(graph, node, "only one has \"%s\"", ZSTR_VAL(key));
			return;
		}
		weft_graph_compare(graph, node, in_a, in_b);
	}
	ZEND_HASH_FOREACH_END();
}

static void compare_arrays(weft_graph *graph, uint32_t node, const zval *array_a, const zval *array_b)
{
	HashTable *a = Z_ARR_P(array_a), *b = Z_ARR_P(array_b);
	HashPosition at = 0;
	zend_string *key_a, *key_b;
	zend_ulong number_a, number_b;
	zval *in_a, *in_b;

	if (a == b && (GC_FLAGS(a) & GC_IMMUTABLE)) {
		return;
	}
	if (zend_hash_num_elements(a) != zend_hash_num_elements(b)) {
		weft_graph_spoil(graph, node, "%u elements in one, %u in the other", zend_hash_num_elements(a),
			zend_hash_num_elements(b));
		return;
	}
	if (graph->lenient && weft_is_map(array_a) && weft_is_map(array_b)) {
		if (zend_hash_num_elements(a)) {
			compare_unordered(graph, node, a, b);
		}
		return;
	}
	if (zend_hash_num_elements(a) && a->nNextFreeElement != b->nNextFreeElement) {
		weft_graph_spoil(graph, node, "arrays that would number their next element differently");
		return;
	}
	zend_hash_internal_pointer_reset_ex(b, &at);
	ZEND_HASH_FOREACH_KEY_VAL(a, number_a, key_a, in_a) {
		in_b = zend_hash_get_current_data_ex(b, &at);
		key_b = NULL;
		if (zend_hash_get_current_key_ex(b, &key_b, &number_b, &at) == HASH_KEY_IS_STRING) {
			number_b = key_a ? number_a : 0;
		}
		if (!key_a != !key_b || (key_a ? !zend_string_equals(key_a, key_b) : number_a != number_b)) {
			weft_graph_spoil(graph, node, "arrays with different keys");
			return;
		}
		weft_graph_compare(graph, node, in_a, in_b);
		zend_hash_move_forward_ex(b, &at);
	}
	ZEND_HASH_FOREACH_END();
}

/* A reference that nobody else holds is no more than its value. */
static const zval *unshared(const zval *value)
{
	if (Z_TYPE_P(value) == IS_INDIRECT) {
		value = Z_INDIRECT_P(value);
	}
	return Z_ISREF_P(value) && Z_REFCOUNT_P(value) == 1 ? Z_REFVAL_P(value) : value;
}

void weft_graph_compare(weft_graph *graph, uint32_t node, const zval *a, const zval *b)
{
	a = unshared(a);
	b = unshared(b);
	if (graph->nodes[node].bad) {
		return;
	}
	if (Z_TYPE_P(a) != Z_TYPE_P(b)) {
		weft_graph_spoil(graph, node, "%s in one, %s in the other", zend_zval_type_name(a), zend_zval_type_name(b));
		return;
	}
	switch (Z_TYPE_P(a)) {
		case IS_UNDEF:
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE:
			return;
		case IS_LONG:
		case IS_DOUBLE: /* bit by bit: NaN is equal to itself, -0 is not 0 */
			if (Z_LVAL_P(a) != Z_LVAL_P(b)) {
				weft_graph_spoil(graph, node, "different numbers");
			}
			return;
		case IS_STRING:
			if (!zend_string_equals(Z_STR_P(a), Z_STR_P(b))) {
				weft_graph_spoil(graph, node, "different strings");
			}
			return;
		case IS_ARRAY:
			compare_arrays(graph, node, a, b);
			return;
		case IS_OBJECT:
		case IS_REFERENCE:
			compare_identities(graph, node, Z_COUNTED_P(a), Z_COUNTED_P(b));
			return;
		default:
			/* resources, constant expressions */
			if (Z_PTR_P(a) != Z_PTR_P(b) && !(graph->lenient && Z_TYPE_P(a) == IS_RESOURCE)) {
				weft_graph_spoil(graph, node, "a %s", zend_zval_type_name(a));
			}
	}
}

/* --- pairs of objects --- */

static const zval *look_up(const weft_recording *over, const zval *place)
{
	const weft_recorded *item = over ? weft_recording_find(over, place) : NULL;

	return item ? &item->value : place;
}

static void compare_bound_variables(weft_graph *graph, uint32_t node, HashTable *a, HashTable *b)
{
	zend_string *name;
	zval *in_a, *in_b;

	if (!a || !b || a == b) {
		if (a != b) {
			weft_graph_spoil(graph, node, "a closure with bound variables and one without");
		}
		return;
	}
	ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(a, name, in_a) {
		in_b = zend_hash_find(b, name);
		if (!in_b) {
			weft_graph_spoil(graph, node, "closures with different variables");
			return;
		}
		weft_graph_compare(graph, node, look_up(graph->over_a, in_a), look_up(graph->over_b, in_b));
	}
	ZEND_HASH_FOREACH_END();
}

bool weft_same_function(const zend_function *a, const zend_function *b)
{
	if (a->type != b->type || a->common.scope != b->common.scope) {
		return false;
	}
	if (a->type == ZEND_USER_FUNCTION) {
		return a->op_array.opcodes == b->op_array.opcodes;
	}
	return a->internal_function.handler == b->internal_function.handler &&
		zend_string_equals(a->common.function_name, b->common.function_name);
}

static void compare_closures(weft_graph *graph, uint32_t node, zend_object *a, zend_object *b)
{
	zend_class_entry *called_a, *called_b;
	zend_function *function_a, *function_b;
	zend_object *this_a, *this_b;

	a->handlers->get_closure(a, &called_a, &function_a, &this_a, true);
	b->handlers->get_closure(b, &called_b, &function_b, &this_b, true);
	if (!weft_same_function(function_a, function_b) || called_a != called_b || !this_a != !this_b) {
		weft_graph_spoil(graph, node, "closures of different functions");
		return;
	}
	if (this_a) {
		compare_identities(graph, node, (zend_refcounted *) this_a, (zend_refcounted *) this_b);
	}
	if (function_a->type == ZEND_USER_FUNCTION && function_a->op_array.static_variables) {
		compare_bound_variables(graph, node, ZEND_MAP_PTR_GET(function_a->op_array.static_variables_ptr),
			ZEND_MAP_PTR_GET(function_b->op_array.static_variables_ptr));
	}
}

static HashTable *dynamic_table(zend_object *object)
{
	return object->properties && !(GC_FLAGS(object->properties) & GC_IMMUTABLE) ? object->properties : NULL;
}

static uint32_t count_dynamic(HashTable *table)
{
	uint32_t count = 0;
	zval *value;

	if (table) {
		ZEND_HASH_FOREACH_VAL(table, value) {
			count += Z_TYPE_P(value) != IS_INDIRECT;
		}
		ZEND_HASH_FOREACH_END();
	}
	return count;
}

static void compare_dynamic_properties(weft_graph *graph, uint32_t node, zend_object *a, zend_object *b)
{
	HashTable *table_a = dynamic_table(a), *table_b = dynamic_table(b);
	uint32_t count = count_dynamic(table_a);
	zend_string *name;
	zend_ulong number;
	zval *in_a, *in_b;

	if (count != count_dynamic(table_b)) {
		weft_graph_spoil(graph, node, "objects of %s with different dynamic properties", ZSTR_VAL(a->ce->name));
		return;
	}
	if (!count) {
		return;
	}
	ZEND_HASH_FOREACH_KEY_VAL(table_a, number, name, in_a) {
		if (Z_TYPE_P(in_a) == IS_INDIRECT) {
			continue;
		}
		in_b = name ? zend_hash_find(table_b, name) : zend_hash_index_find(table_b, number);
		if (!in_b || Z_TYPE_P(in_b) == IS_INDIRECT) {
			weft_graph_spoil(graph, node, "objects of %s with different dynamic properties", ZSTR_VAL(a->ce->name));
			return;
		}
		weft_graph_compare(graph, node, in_a, in_b);
	}
	ZEND_HASH_FOREACH_END();
}

static void compare_properties(weft_graph *graph, uint32_t node, zend_object *a, zend_object *b)
{
	for (uint32_t i = 0; i < (uint32_t) a->ce->default_properties_count && !graph->nodes[node].bad; i++) {
		const zval *in_a = look_up(graph->over_a, &a->properties_table[i]);
		const zval *in_b = look_up(graph->over_b, &b->properties_table[i]);

		if (!graph->property || !graph->property(graph, node, a, i, in_a, in_b)) {
			weft_graph_compare(graph, node, in_a, in_b);
		}
		if (graph->nodes[node].why) {
			const char *class_name, *name;
			zend_property_info *info = a->ce->properties_info_table ? a->ce->properties_info_table[i] : NULL;
			zend_string *why = graph->nodes[node].why;

			if (info && zend_unmangle_property_name(info->name, &class_name, &name) == SUCCESS) {
				graph->nodes[node].why = zend_strpprintf(0, "%s::$%s: %s", ZSTR_VAL(a->ce->name), name, ZSTR_VAL(why));
				zend_string_release(why);
			}
		}
	}
	if (!graph->nodes[node].bad) {
		compare_dynamic_properties(graph, node, a, b);
	}
}

/* Classes of the engine whose state is elsewhere, but which tell all of it to serialize(). */
static zend_function *state_teller(const zend_class_entry *ce)
{
	static const char *const known[] = {"DateTime", "DateTimeImmutable", "DateTimeZone", "DateInterval", "ArrayObject",
		"ArrayIterator", "SplObjectStorage", "SplDoublyLinkedList", NULL};

	while (ce->type == ZEND_USER_CLASS && ce->parent) {
		ce = ce->parent;
	}
	for (; ce; ce = ce->parent) {
		for (uint32_t i = 0; known[i]; i++) {
			if (zend_string_equals_cstr(ce->name, known[i], strlen(known[i]))) {
				return zend_hash_str_find_ptr(&ce->function_table, ZEND_STRL("__serialize"));
			}
		}
	}
	return NULL;
}

static zval *tell_state(weft_graph *graph, zend_object *object, zend_function *teller)
{
	zval *state;

	graph->temporaries = safe_erealloc(graph->temporaries, graph->temporary_count + 1, sizeof(zval), 0);
	state = &graph->temporaries[graph->temporary_count++];
	ZVAL_UNDEF(state);
	zend_call_known_instance_method_with_0_params(teller, object, state);
	if (EG(exception)) {
		zend_clear_exception();
		return NULL;
	}
	return state;
}

static void compare_told_states(weft_graph *graph, uint32_t node, zend_object *a, zend_object *b, zend_function *teller)
{
	zval state_a, state_b, *state = tell_state(graph, a, teller);

	if (state) {
		ZVAL_COPY_VALUE(&state_a, state);
		state = tell_state(graph, b, teller);
	}
	if (!state) {
		weft_graph_spoil(graph, node, "a %s that isn't ready", ZSTR_VAL(a->ce->name));
		return;
	}
	ZVAL_COPY_VALUE(&state_b, state);
	weft_graph_compare(graph, node, &state_a, &state_b);
}

/* All of its state is in its properties. */
static bool is_plain(const zend_object *object)
{
	const zend_class_entry *ce = object->ce;

	if (object->handlers->offset != 0 || ce == zend_ce_generator || ce == zend_ce_fiber) {
		return false;
	}
	if (instanceof_function(ce, zend_ce_throwable)) {
		return true;
	}
	while (ce->type == ZEND_USER_CLASS && ce->parent) {
		ce = ce->parent;
	}
	return ce->type == ZEND_USER_CLASS || ce->create_object == NULL;
}

static bool is_named(const HashTable *names, zend_class_entry *class)
{
	zval *name;

	if (!names) {
		return false;
	}
	ZEND_HASH_FOREACH_VAL((HashTable *) names, name) {
		zend_class_entry *named = Z_TYPE_P(name) == IS_STRING && !strstr(Z_STRVAL_P(name), "::")
			? zend_lookup_class_ex(Z_STR_P(name), NULL, ZEND_FETCH_CLASS_NO_AUTOLOAD)
			: NULL;

		if (named && instanceof_function(class, named)) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static bool is_closure_of_named(const HashTable *names, zend_object *object)
{
	zend_class_entry *scope;

	if (object->ce != zend_ce_closure) {
		return false;
	}
	scope = zend_get_closure_method_def(object)->common.scope;
	return scope && is_named(names, scope);
}

static void compare_objects(weft_graph *graph, uint32_t node, zend_object *a, zend_object *b)
{
	zend_function *teller;

	if (a->ce != b->ce) {
		weft_graph_spoil(graph, node, "a %s in one, a %s in the other", ZSTR_VAL(a->ce->name), ZSTR_VAL(b->ce->name));
	} else if (is_named(graph->never, a->ce)) {
		weft_graph_spoil(graph, node, "a %s", ZSTR_VAL(a->ce->name));
	} else if (is_closure_of_named(graph->never, a)) {
		weft_graph_spoil(graph, node, "a closure of a class that is never adopted");
	} else if (a->ce->ce_flags & ZEND_ACC_ENUM) {
		weft_graph_spoil(graph, node, "different cases of %s", ZSTR_VAL(a->ce->name));
	} else if (a->ce == zend_ce_closure) {
		compare_closures(graph, node, a, b);
	} else if (a->ce->destructor && !graph->lenient) {
		/* at a request's end in a cold process, and never in a warm one: that is not the same */
		weft_graph_spoil(graph, node, "a %s, which has a destructor", ZSTR_VAL(a->ce->name));
	} else if (is_plain(a)) {
		compare_properties(graph, node, a, b);
	} else if ((teller = state_teller(a->ce))) {
		compare_told_states(graph, node, a, b, teller);
		compare_properties(graph, node, a, b);
	} else if (!graph->lenient) {
		weft_graph_spoil(graph, node, "a %s, whose state can't be compared", ZSTR_VAL(a->ce->name));
	}
}

void weft_graph_settle(weft_graph *graph)
{
	for (; graph->explored < graph->node_count; graph->explored++) {
		uint32_t node = graph->explored;
		zend_refcounted *a = graph->nodes[node].a, *b = graph->nodes[node].b;

		if (!a || graph->nodes[node].bad) {
			continue;
		}
		if (GC_TYPE(a) == IS_REFERENCE) {
			weft_graph_compare(graph, node, look_up(graph->over_a, &((zend_reference *) a)->val),
				look_up(graph->over_b, &((zend_reference *) b)->val));
		} else {
			compare_objects(graph, node, (zend_object *) a, (zend_object *) b);
		}
	}
	release_temporaries(graph);
}
