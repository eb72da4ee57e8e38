/*
 * The proof: one and the same request leaves behind the same on the cold base and on the adopted one. What is
 * adopted and was needed by neither may stand there in addition.
 */
#include "warm/weft_adopt.h"
#include "domain/weft_slot_names.h"

typedef struct {
	const weft_recording *cold, *warm;
	zend_string *place; /* of the first difference */
	uint32_t node;
} proof;

typedef struct {
	weft_graph graph;
	proof proof;
	struct {
		uint32_t node;
		zend_string *name;
	} * claims;
	uint32_t count, size;
} comparison;

static uint32_t claim(comparison *all, zend_string *name)
{
	uint32_t node = weft_graph_claim(&all->graph);

	if (all->count == all->size) {
		all->size = all->size ? all->size * 2 : 256;
		all->claims = safe_erealloc(all->claims, all->size, sizeof(*all->claims), 0);
	}
	all->claims[all->count].node = node;
	all->claims[all->count++].name = name;
	return node;
}

static zend_string *name_of(const weft_recorded *item, const weft_root *root, const zend_string *key)
{
	const char *name = root ? root->name : item->name;
	zend_string *slot = weft_slot_name(root ? root->class : item->class, root ? root->function : item->function,
		name ? name : "?");
	zend_string *element;

	if (!key) {
		return slot;
	}
	element = strpprintf(0, "%s[%s]", ZSTR_VAL(slot), ZSTR_VAL(key));
	zend_string_release(slot);
	return element;
}

/* Adopted, not needed by the warm request, not made by the cold one: that does no harm. */
static bool is_surplus(const weft_root *root, zend_string *key, const zval *cold, const zval *warm)
{
	const weft_unit *unit = root ? weft_adoption_unit(root, key) : NULL;
	const zval *before = root ? zend_hash_find(Z_ARR(root->cold), key) : NULL;

	if (!unit || !weft_unit_stands(unit) || !weft_unit_untouched(unit, warm)) {
		return false;
	}
	return before ? cold && weft_same_value(before, cold) : !cold;
}

/* Adopted, and the warm request has not touched it: what the cold one made of it. */
static bool is_map_that_stands(const weft_root *root, zend_string *key, const zval *cold, const zval *warm)
{
	const weft_unit *unit = weft_adoption_unit(root, key);

	return unit && weft_unit_stands(unit) && weft_unit_untouched(unit, warm) && weft_is_map(cold) && weft_is_map(warm);
}

/* Another page may have left more in it, which does no harm for the same reason. */
static void compare_with_fuller(comparison *all, uint32_t node, const zval *cold, const zval *warm)
{
	zend_string *key;
	zval *value, *found;

	if (!zend_hash_num_elements(Z_ARR_P(cold))) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(Z_ARR_P(cold), key, value) {
		found = weft_find_alike(Z_ARR_P(warm), key);
		if (!found) {
			weft_graph_spoil(&all->graph, node, "only the cold request has left \"%s\"", ZSTR_VAL(key));
			return;
		}
		weft_graph_compare(&all->graph, node, value, found);
	}
	ZEND_HASH_FOREACH_END();
}

static void compare_element(comparison *all, const weft_root *root, const weft_recorded *item, zend_string *key,
	const zval *cold, const zval *warm)
{
	const bool map = root && root->shape == WEFT_MAP;
	uint32_t node;

	if (map && is_surplus(root, key, cold, warm)) {
		return;
	}
	node = claim(all, name_of(item, root, key));
	if (map && cold && warm && is_map_that_stands(root, key, cold, warm)) {
		compare_with_fuller(all, node, cold, warm);
	} else if (!cold || !warm) {
		weft_graph_spoil(&all->graph, node,
			cold ? "only the cold request has left it" : "only the warm request has left it");
	} else {
		weft_graph_compare(&all->graph, node, cold, warm);
	}
}

static void compare_maps(comparison *all, const weft_root *root, const weft_recorded *item, const zval *cold,
	const zval *warm)
{
	zend_string *key;
	zval *value;

	/* packed only when empty */
	if (zend_hash_num_elements(Z_ARR_P(cold))) {
		ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(Z_ARR_P(cold), key, value) {
			compare_element(all, root, item, key, value, weft_find_alike(Z_ARR_P(warm), key));
		}
		ZEND_HASH_FOREACH_END();
	}
	if (zend_hash_num_elements(Z_ARR_P(warm))) {
		ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(Z_ARR_P(warm), key, value) {
			if (!weft_find_alike(Z_ARR_P(cold), key)) {
				compare_element(all, root, item, key, NULL, value);
			}
		}
		ZEND_HASH_FOREACH_END();
	}
}

static bool take_property(weft_graph *graph, uint32_t node, zend_object *a, uint32_t number, const zval *in_a,
	const zval *in_b)
{
	const zend_object *b = (const zend_object *) graph->nodes[node].b;
	const weft_root *root = weft_adoption_find(&b->properties_table[number]);

	if (!root || root->shape != WEFT_MAP || !weft_is_map(in_a) || !weft_is_map(in_b)) {
		return false;
	}
	compare_maps(graph->context, root, NULL, in_a, in_b);
	return true;
}

static bool belongs_to_base(const weft_recorded *item)
{
	if (!item->place || item->kind == WEFT_SLOT_GUARD) {
		return false;
	}
	if (item->object) {
		return zend_hash_index_exists(&weft_adopted.fixed, weft_key_of_address(item->object));
	}
	return !zend_hash_index_exists(&weft_adopted.inner, weft_key_of_address(item->place));
}

static void compare_place(comparison *all, const weft_recorded *item, const zval *place)
{
	const weft_root *root = weft_adoption_find(place);
	const weft_recorded *cold = weft_recording_find(all->proof.cold, place);
	const weft_recorded *warm = weft_recording_find(all->proof.warm, place);
	const zval *in_cold = cold ? &cold->value : root ? &root->cold : place;
	const zval *in_warm = warm ? &warm->value : place;

	if (weft_is_map(in_cold) && weft_is_map(in_warm)) {
		compare_maps(all, root && root->shape == WEFT_MAP ? root : NULL, item, in_cold, in_warm);
	} else if ((cold || warm) && root && root->shape == WEFT_LIST && Z_TYPE_P(in_warm) == IS_ARRAY) {
		zval list;

		weft_list_without_surplus(root, in_warm, in_cold, &list);
		weft_graph_compare(&all->graph, claim(all, name_of(item, root, NULL)), in_cold, &list);
		zval_ptr_dtor(&list);
	} else if (cold || warm) {
		weft_graph_compare(&all->graph, claim(all, name_of(item, root, NULL)), in_cold, in_warm);
	}
}

static void compare_all(comparison *all)
{
	const weft_recording *cold = all->proof.cold, *warm = all->proof.warm;

	for (uint32_t i = 0; i < cold->count; i++) {
		if (belongs_to_base(&cold->items[i])) {
			compare_place(all, &cold->items[i], cold->items[i].place);
		}
	}
	for (uint32_t i = 0; i < warm->count; i++) {
		const weft_recorded *item = &warm->items[i];

		if (belongs_to_base(item) && !weft_recording_find(cold, item->place)) {
			compare_place(all, item, item->place);
		}
	}
	for (uint32_t i = 0; i < weft_adopted.root_count; i++) {
		const weft_root *root = &weft_adopted.roots[i];

		if (!root->inner && !weft_recording_find(cold, root->place) && !weft_recording_find(warm, root->place)) {
			compare_place(all, NULL, root->place);
		}
	}
}

zend_string *weft_adopt_difference(const weft_recording *cold, const weft_recording *warm)
{
	comparison all = {.proof = {.cold = cold, .warm = warm}};
	zend_string *found = NULL;

	weft_adoption_begin();
	weft_graph_init(&all.graph, &weft_adopted.fixed);
	all.graph.over_a = cold;
	all.graph.over_b = warm;
	all.graph.lenient = true;
	all.graph.property = take_property;
	all.graph.context = &all;
	compare_all(&all);
	weft_graph_settle(&all.graph);
	for (uint32_t i = 0; i < all.count; i++) {
		const weft_node *node = &all.graph.nodes[all.claims[i].node];

		if (node->bad && (!found || node->why)) {
			zend_string *line = node->why ? strpprintf(0, "%s: %s", ZSTR_VAL(all.claims[i].name), ZSTR_VAL(node->why))
										  : strpprintf(0, "%s", ZSTR_VAL(all.claims[i].name));

			if (found) {
				zend_string_release(found);
			}
			found = line;
			if (node->why) {
				break;
			}
		}
	}
	for (uint32_t i = 1; found && i < all.graph.node_count; i++) {
		const weft_node *node = &all.graph.nodes[i];

		if (node->a && node->why) {
			zend_string *line = strpprintf(0, "%s (%s)", ZSTR_VAL(found), ZSTR_VAL(node->why));

			zend_string_release(found);
			found = line;
			break;
		}
	}
	for (uint32_t i = 0; i < all.count; i++) {
		zend_string_release(all.claims[i].name);
	}
	if (all.claims) {
		efree(all.claims);
	}
	weft_graph_destroy(&all.graph);
	return found;
}
