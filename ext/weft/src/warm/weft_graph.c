/*
 * Are two graphs of values the same? Objects and references that the two sides made themselves are paired: one of A
 * stands for one of B everywhere, and the other way round. A pair is believed equal until something in it differs;
 * then every claim that rested on it falls, however indirectly. So cycles need no care: what is left standing in the
 * end supports itself.
 */
#include "warm/weft_warm.h"
#include "weft_grow.h"

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
	WEFT_GROW(graph->nodes, graph->node_count, graph->node_size);
	graph->nodes[graph->node_count] = (weft_node){.a = a, .b = b};
	return graph->node_count++;
}

uint32_t weft_graph_claim(weft_graph *graph)
{
	return add_node(graph, NULL, NULL);
}

uint32_t weft_graph_node_of(const weft_graph *graph, const void *a)
{
	const zval *found = zend_hash_index_find(&graph->of_a, weft_key_of_address(a));

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
	WEFT_GROW(graph->edges, graph->edge_count, graph->edge_size);
	graph->edges[graph->edge_count] = (weft_edge){.node = node, .next = graph->nodes[on].dependents};
	graph->nodes[on].dependents = graph->edge_count++;
}

static void graph_remember(HashTable *table, const void *pointer, uint32_t node)
{
	zval value;

	ZVAL_LONG(&value, node);
	zend_hash_index_update(table, weft_key_of_address(pointer), &value);
}

static bool is_fixed(const weft_graph *graph, const void *pointer)
{
	uint32_t node = weft_graph_node_of(graph, pointer);

	return (node && node < graph->layer) || zend_hash_index_exists(graph->fixed, weft_key_of_address(pointer));
}

/* Objects and references. */
void weft_graph_compare_identities(weft_graph *graph, uint32_t node, zend_refcounted *a, zend_refcounted *b)
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
	known_a = zend_hash_index_find(&graph->of_a, weft_key_of_address(a));
	known_b = zend_hash_index_find(&graph->of_b, weft_key_of_address(b));
	if (!known_a && !known_b) {
		pair = add_node(graph, a, b);
		graph_remember(&graph->of_a, a, pair);
		graph_remember(&graph->of_b, b, pair);
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
		in_b = weft_find_alike(b, key);
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

static void compare_strings(weft_graph *graph, uint32_t node, const zend_string *a, const zend_string *b)
{
	if (graph->lenient) {
		if (!zend_string_equals(a, b) && !weft_same_anonymous_class(a, b)) {
			weft_graph_spoil(graph, node, "different strings");
		}
	} else if (weft_names_class_of_request(a)) {
		weft_graph_spoil(graph, node, "the name of an anonymous class that each request declares");
	} else if (!zend_string_equals(a, b)) {
		weft_graph_spoil(graph, node, "different strings");
	}
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
		case IS_TRUE: return;
		case IS_LONG:
		case IS_DOUBLE: /* bit by bit: NaN is equal to itself, -0 is not 0 */
			if (Z_LVAL_P(a) != Z_LVAL_P(b)) {
				weft_graph_spoil(graph, node, "different numbers");
			}
			return;
		case IS_STRING: compare_strings(graph, node, Z_STR_P(a), Z_STR_P(b)); return;
		case IS_ARRAY: compare_arrays(graph, node, a, b); return;
		case IS_OBJECT:
		case IS_REFERENCE: weft_graph_compare_identities(graph, node, Z_COUNTED_P(a), Z_COUNTED_P(b)); return;
		default:
			/* resources, constant expressions */
			if (Z_PTR_P(a) != Z_PTR_P(b) && !(graph->lenient && Z_TYPE_P(a) == IS_RESOURCE)) {
				weft_graph_spoil(graph, node, "a %s", zend_zval_type_name(a));
			}
	}
}

const zval *weft_graph_look_up(const weft_recording *over, const zval *place)
{
	const weft_recorded *item = over ? weft_recording_find(over, place) : NULL;

	return item ? &item->value : place;
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
			weft_graph_compare(graph, node, weft_graph_look_up(graph->over_a, &((zend_reference *) a)->val),
				weft_graph_look_up(graph->over_b, &((zend_reference *) b)->val));
		} else {
			weft_graph_compare_objects(graph, node, (zend_object *) a, (zend_object *) b);
		}
	}
	release_temporaries(graph);
}
