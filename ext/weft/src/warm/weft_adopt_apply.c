/*
 * The adopted base: cold values with units laid over them.
 */
#include "warm/weft_adopt.h"
#include "domain/weft_slot_names.h"
#include "weft_valgrind.h"
#include "weft_grow.h"
#include "zend_closures.h"

/* Beside a bool or null lies a word that counts for nothing. This one tells that nobody has assigned since. */
#define WEFT_UNTOUCHED ((zend_long) 0x7765667457617264)

weft_adoption weft_adopted;

/* --- the state --- */

static void hold_fixed(zval *counted)
{
	zend_refcounted *pointer = Z_PTR_P(counted);

	if (GC_DELREF(pointer) == 0) {
		rc_dtor_func(pointer);
	}
}

static void fix(zend_refcounted *pointer)
{
	zval value;

	ZVAL_PTR(&value, pointer);
	GC_ADDREF(pointer);
	zend_hash_index_add_new(&weft_adopted.fixed, weft_key_of_address(pointer), &value);
}

void weft_adoption_begin(void)
{
	weft_adoption *state = &weft_adopted;

	if (state->begun) {
		return;
	}
	zend_hash_init(&state->fixed, weft_base_state.held_count, NULL, hold_fixed, 0);
	zend_hash_init(&state->inner, 64, NULL, NULL, 0);
	zend_hash_init(&state->root_of, 64, NULL, NULL, 0);
	for (uint32_t i = 0; i < weft_base_state.held_count; i++) {
		fix((zend_refcounted *) weft_base_state.held[i]);
	}
	for (uint32_t i = 0; i < weft_base_state.cell_count; i++) {
		if (weft_base_state.cells[i].kind == WEFT_CELL_REFERENCE) {
			fix(weft_base_state.cells[i].owner);
		}
	}
	weft_graph_init(&state->graph, &state->fixed);
	state->unit_count = 1;
	state->begun = true;
}

weft_root *weft_adoption_find(const zval *place)
{
	const zval *found = zend_hash_index_find(&weft_adopted.root_of, weft_key_of_address(place));

	return found ? &weft_adopted.roots[Z_LVAL_P(found)] : NULL;
}

weft_root *weft_adoption_add_root(const weft_root *like)
{
	weft_adoption *state = &weft_adopted;
	weft_root *root;
	zval number;

	WEFT_GROW(state->roots, state->root_count, state->root_size);
	ZVAL_LONG(&number, state->root_count);
	zend_hash_index_add_new(&state->root_of, weft_key_of_address(like->place), &number);
	root = &state->roots[state->root_count++];
	*root = *like;
	Z_TRY_ADDREF(root->cold);
	return root;
}

/* A value of its own, so that whoever assigns an equal one is noticed. */
static void copy_marked(zval *to, const zval *value, bool element)
{
	switch (Z_TYPE_P(value)) {
		case IS_STRING:
			/* not the _fast one: the engine has one of each short string */
			ZVAL_STR(to, zend_string_init(Z_STRVAL_P(value), Z_STRLEN_P(value), false));
			break;
		case IS_ARRAY:
			if (GC_FLAGS(Z_ARR_P(value)) & GC_IMMUTABLE) {
				ZVAL_ARR(to, zend_array_dup(Z_ARR_P(value)));
				if (GC_FLAGS(Z_ARR_P(to)) & GC_IMMUTABLE) {
					ZVAL_ARR(to, zend_new_array(0));
				}
				break;
			}
			ZVAL_COPY(to, value);
			break;
		default: ZVAL_COPY(to, value);
	}
	if (element && Z_TYPE_P(to) <= IS_TRUE) {
		to->value.lval = WEFT_UNTOUCHED;
	}
}

weft_unit *weft_adoption_add_unit(weft_root *root, zend_string *key, const zval *value)
{
	weft_adoption *state = &weft_adopted;
	weft_unit *unit;
	uint32_t number = state->unit_count;

	WEFT_GROW(state->units, number, state->unit_size);
	state->unit_count++;
	unit = &state->units[number];
	*unit = (weft_unit){.root = (uint32_t) (root - state->roots), .node = weft_graph_claim(&state->graph)};
	unit->key = key ? zend_string_copy(key) : NULL;
	unit->page = zend_string_copy(state->page);
	ZVAL_UNDEF(&unit->value);
	if (value && Z_ISREF_P(value) && Z_REFCOUNT_P(value) == 1) {
		value = Z_REFVAL_P(value); /* held by the unit and by the base, it would be shared */
	}
	if (value) {
		copy_marked(&unit->value, value, key != NULL);
	}
	if (root->last) {
		state->units[root->last].next = number;
	} else {
		root->first = number;
	}
	root->last = number;
	return unit;
}

weft_unit *weft_adoption_unit(const weft_root *root, const zend_string *key)
{
	for (uint32_t i = root->first; i; i = weft_adopted.units[i].next) {
		weft_unit *unit = &weft_adopted.units[i];

		if (key ? unit->key && zend_string_equals(unit->key, key) : !unit->key) {
			return unit;
		}
	}
	return NULL;
}

bool weft_unit_stands(const weft_unit *unit)
{
	return !unit->dropped && !weft_adopted.graph.nodes[unit->node].bad;
}

/* Beside a null or boolean that somebody has assigned lies anything, but not our mark. */
static bool is_marked(const zval *value)
{
	VALGRIND_MAKE_MEM_DEFINED(&Z_LVAL_P(value), sizeof(Z_LVAL_P(value)));
	return Z_LVAL_P(value) == WEFT_UNTOUCHED;
}

bool weft_unit_untouched(const weft_unit *unit, const zval *value)
{
	if (Z_TYPE(unit->value) == IS_UNDEF) {
		return !value;
	}
	return value && weft_same_value(value, &unit->value) &&
		(!unit->key || Z_TYPE_P(value) > IS_TRUE || is_marked(value));
}

void weft_unit_drop(weft_unit *unit, const char *reason)
{
	unit->dropped = zend_string_init(reason, strlen(reason), false);
	/* whoever else holds the object would go on with one that has been replaced */
	if (Z_TYPE(unit->value) == IS_OBJECT) {
		uint32_t node = weft_graph_node_of(&weft_adopted.graph, Z_OBJ(unit->value));

		if (node) {
			weft_graph_spoil(&weft_adopted.graph, node, "%s", reason);
		}
	}
}

zend_string *weft_slot_name(const zend_class_entry *class, const char *function, const char *name)
{
	const char *scope = class ? ZSTR_VAL(class->name) : "";
	const char *between = class ? "::" : "";

	return function ? strpprintf(0, "%s%s%s()::$%s", scope, between, function, name)
					: strpprintf(0, "%s%s$%s", scope, between, name);
}

zend_string *weft_unit_name(const weft_unit *unit)
{
	const weft_root *root = &weft_adopted.roots[unit->root];
	zend_string *slot = weft_slot_name(root->class, root->function, root->name ? root->name : "?"), *name;

	if (!unit->key) {
		return slot;
	}
	name = strpprintf(0, "%s[%s]", ZSTR_VAL(slot), ZSTR_VAL(unit->key));
	zend_string_release(slot);
	return name;
}

/* --- putting it in place --- */

static void lay_units(const weft_root *root, HashTable *array)
{
	for (uint32_t i = root->first; i; i = weft_adopted.units[i].next) {
		weft_unit *unit = &weft_adopted.units[i];

		if (!weft_unit_stands(unit)) {
			continue;
		}
		if (Z_TYPE(unit->value) == IS_UNDEF) {
			zend_hash_del(array, unit->key);
		} else {
			Z_TRY_ADDREF(unit->value);
			zend_hash_update(array, unit->key, &unit->value);
		}
	}
}

static void append_units(const weft_root *root, HashTable *list)
{
	for (uint32_t i = root->first; i; i = weft_adopted.units[i].next) {
		weft_unit *unit = &weft_adopted.units[i];

		if (weft_unit_stands(unit)) {
			Z_TRY_ADDREF(unit->value);
			zend_hash_next_index_insert_new(list, &unit->value);
		}
	}
}

static bool anything_stands(const weft_root *root)
{
	for (uint32_t i = root->first; i; i = weft_adopted.units[i].next) {
		if (weft_unit_stands(&weft_adopted.units[i])) {
			return true;
		}
	}
	return false;
}

static void put_together(const weft_root *root, zval *value)
{
	if (!anything_stands(root)) {
		ZVAL_COPY(value, &root->cold);
	} else if (root->shape == WEFT_LIST) {
		ZVAL_ARR(value, zend_array_dup(Z_ARR(root->cold)));
		append_units(root, Z_ARR_P(value));
	} else if (root->shape == WEFT_MAP) {
		ZVAL_ARR(value, zend_new_array(zend_hash_num_elements(Z_ARR(root->cold))));
		zend_hash_copy(Z_ARR_P(value), Z_ARR(root->cold), zval_add_ref);
		lay_units(root, Z_ARR_P(value));
	} else {
		ZVAL_COPY(value, &weft_adopted.units[root->first].value);
	}
}

static void root_put_in_place(weft_root *root, zval *before)
{
	zval value;

	ZVAL_UNDEF(before);
	if (root->inner && weft_adopted.graph.nodes[root->inner].bad) {
		return;
	}
	put_together(root, &value);
	weft_put_value(before, root->place);
	weft_put_value(root->place, &value);
	if (root->kind == WEFT_SLOT_PROPERTY) {
		Z_PROP_FLAG_P(root->place) = Z_TYPE(value) == IS_UNDEF ? root->cold_flag : 0;
	}
}

/* Destructors and connections of what has been replaced end in a domain of their own. */
static void replaced_bury(zval *values, uint32_t count)
{
	weft_domain *domain = weft_domain_new();

	weft_domain_move_into(domain);
	for (uint32_t i = 0; i < count; i++) {
		zval_ptr_dtor(&values[i]);
	}
	weft_domain_end_callable(domain);
	weft_domain_move_to(NULL);
	weft_domain_release(domain);
}

bool weft_is_as_declared(const zend_object *object, uint32_t number, const zval *value)
{
	zval *declared = &object->ce->default_properties_table[number];

	return Z_TYPE_P(value) <= IS_ARRAY && Z_TYPE_P(value) == Z_TYPE_P(declared) &&
		zend_is_identical((zval *) value, declared);
}

/* Properties of adopted objects, so that whoever assigns an equal string is noticed. What is as the class declares it
 * may be assigned as often as one likes. */
static void mark_properties(zend_object *object)
{
	for (int i = 0; i < object->ce->default_properties_count; i++) {
		zval *place = &object->properties_table[i], value;

		if (weft_is_as_declared(object, i, place)) {
			continue;
		}
		if (Z_TYPE_P(place) == IS_STRING ||
			(Z_TYPE_P(place) == IS_ARRAY && (GC_FLAGS(Z_ARR_P(place)) & GC_IMMUTABLE))) {
			copy_marked(&value, place, false);
			zval_ptr_dtor(place);
			weft_put_value(place, &value);
		}
	}
}

static void note_closure(zend_object *closure)
{
	zend_class_entry *called;
	zend_function *function;
	zend_object *this;
	HashTable *table;
	zval *place, yes;

	closure->handlers->get_closure(closure, &called, &function, &this, true);
	if (function->type != ZEND_USER_FUNCTION || !function->op_array.static_variables) {
		return;
	}
	table = ZEND_MAP_PTR_GET(function->op_array.static_variables_ptr);
	if (table) {
		ZVAL_TRUE(&yes);
		ZEND_HASH_MAP_FOREACH_VAL(table, place) {
			zend_hash_index_update(&weft_adopted.inner, weft_key_of_address(place), &yes);
		}
		ZEND_HASH_FOREACH_END();
	}
}

/* Nobody asks again for what has been left cold; but lists want to know what to leave out. */
static void let_go_of_fallen(void)
{
	for (uint32_t i = 1; i < weft_adopted.unit_count; i++) {
		weft_unit *unit = &weft_adopted.units[i];

		if (!weft_unit_stands(unit) && weft_adopted.roots[unit->root].shape != WEFT_LIST) {
			zval_ptr_dtor(&unit->value);
			ZVAL_UNDEF(&unit->value);
		}
	}
}

/* Good pairs of the latest comparison are held until the end, so that nothing else can come to lie at their address;
 * bad ones are forgotten. */
void weft_adoption_hold(void)
{
	weft_graph *graph = &weft_adopted.graph;

	for (uint32_t i = graph->layer; i < graph->node_count; i++) {
		weft_node *node = &graph->nodes[i];

		if (!node->a) {
			continue;
		}
		if (node->bad) {
			zend_hash_index_del(&graph->of_a, weft_key_of_address(node->a));
			node->a = NULL;
			continue;
		}
		GC_ADDREF(node->a);
		node->held = true;
		if (GC_TYPE(node->a) == IS_OBJECT) {
			mark_properties((zend_object *) node->a);
			if (((zend_object *) node->a)->ce == zend_ce_closure) {
				note_closure((zend_object *) node->a);
			}
		}
	}
	let_go_of_fallen();
	weft_graph_begin(graph);
}

bool weft_adoption_apply(void)
{
	weft_adoption *state = &weft_adopted;
	zval *before = safe_emalloc(state->root_count + 1, sizeof(zval), 0);

	for (uint32_t i = 0; i < state->root_count; i++) {
		root_put_in_place(&state->roots[i], &before[i]);
	}
	replaced_bury(before, state->root_count);
	efree(before);
	return weft_snapshot_take_again();
}

void weft_adoption_forget(void)
{
	weft_adoption *state = &weft_adopted;
	weft_domain *domain;

	if (!state->begun) {
		return;
	}
	state->begun = false;
	domain = weft_domain_new();
	weft_domain_move_into(domain);
	for (uint32_t i = 0; i < state->root_count; i++) {
		zval_ptr_dtor(&state->roots[i].cold);
	}
	for (uint32_t i = 1; i < state->unit_count; i++) {
		weft_unit *unit = &state->units[i];

		zval_ptr_dtor(&unit->value);
		zend_string_release(unit->page);
		if (unit->key) {
			zend_string_release(unit->key);
		}
		if (unit->dropped) {
			zend_string_release(unit->dropped);
		}
	}
	for (uint32_t i = 1; i < state->graph.node_count; i++) {
		zend_refcounted *held = state->graph.nodes[i].held ? state->graph.nodes[i].a : NULL;

		if (held && GC_DELREF(held) == 0) {
			rc_dtor_func(held);
		}
	}
	weft_graph_destroy(&state->graph);
	zend_hash_destroy(&state->fixed);
	zend_hash_destroy(&state->inner);
	zend_hash_destroy(&state->root_of);
	free(state->roots);
	free(state->units);
	memset(state, 0, sizeof(*state));
	weft_domain_end_callable(domain);
	weft_domain_move_to(NULL);
	weft_domain_release(domain);
}
