/*
 * Which units two recordings agree on.
 */
#include "warm/weft_adopt.h"
#include "domain/weft_slot_names.h"

typedef struct {
	const HashTable *others; /* Weft\Internal\Recording */
	const HashTable *cold;   /* names of slots */
	HashTable *restored;
} terms;

static void restored_note(HashTable *restored, zend_string *name, const char *why)
{
	zval value;

	ZVAL_STRING(&value, why);
	zend_hash_update(restored, name, &value);
	zend_string_release(name);
}

static zend_string *slot_name(const weft_recorded *item)
{
	static const char *const kinds[] = {
		[WEFT_SLOT_DYNAMIC] = "the dynamic properties of an object",
		[WEFT_SLOT_GUARD] = "guards",
		[WEFT_SLOT_REFERENCE] = "the value of a shared reference",
		[WEFT_SLOT_CONTEXT] = "the options of a stream context",
		[WEFT_SLOT_GLOBAL] = "a global variable",
	};

	if (item->name) {
		return weft_slot_name(item->class, item->function, item->name);
	}
	if (item->object) {
		return strpprintf(0, "%s of %s", kinds[item->kind], ZSTR_VAL(item->object->ce->name));
	}
	return strpprintf(0, "%s", kinds[item->kind] ? kinds[item->kind] : "a slot");
}

/* Names are "Class::property". */
static bool is_named_slot(const HashTable *names, const zend_class_entry *class, const char *slot)
{
	zval *name;

	if (!names || !class || !slot) {
		return false;
	}
	ZEND_HASH_FOREACH_VAL((HashTable *) names, name) {
		size_t length = ZSTR_LEN(class->name);

		if (Z_TYPE_P(name) == IS_STRING && Z_STRLEN_P(name) == length + 2 + strlen(slot) &&
			zend_binary_strncasecmp(Z_STRVAL_P(name), length, ZSTR_VAL(class->name), length, length) == 0 &&
			memcmp(Z_STRVAL_P(name) + length, "::", 2) == 0 && strcmp(Z_STRVAL_P(name) + length + 2, slot) == 0) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static bool kept_cold(const weft_recorded *item, const HashTable *cold)
{
	/* one that was there at boot: what two requests leave in it may well be equal by chance, as two durations */
	if (item->object && weft_is_of_named_class(cold, item->object->ce)) {
		return true;
	}
	return is_named_slot(cold, item->class, item->name);
}

/* An equal value assigned again would not show. */
static bool is_unmarkable(const zval *value, bool element)
{
	switch (Z_TYPE_P(value)) {
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE: return !element;
		case IS_LONG:
		case IS_DOUBLE: return true;
		case IS_OBJECT: return zend_hash_index_exists(&weft_adopted.fixed, weft_key_of_address(Z_OBJ_P(value)));
		default: return false;
	}
}

/* Other pages must have left the same there: what one page alone has left may be its state and no cache. */
static bool others_agree(const terms *terms, const weft_root *root, zend_string *key, const zval *value)
{
	zval *other;

	if (!terms->others) {
		return true;
	}
	ZEND_HASH_FOREACH_VAL((HashTable *) terms->others, other) {
		const weft_recorded *item = weft_recording_find(weft_recording_of(Z_OBJ_P(other)), root->place);
		const zval *theirs = item ? &item->value : NULL;

		if (theirs && key) {
			theirs = Z_TYPE_P(theirs) == IS_ARRAY ? zend_hash_find(Z_ARR_P(theirs), key) : NULL;
		}
		if (!theirs || !weft_same_value(theirs, value)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static void add_unit(const terms *terms, weft_root *root, zend_string *key, const zval *a, const zval *b)
{
	uint32_t node;

	if (weft_adoption_unit(root, key)) {
		return; /* adopted earlier and still the same, or taken back for good */
	}
	node = weft_adoption_add_unit(root, key, a)->node;
	if (!a) {
		return;
	}
	if (!b) {
		weft_graph_spoil(&weft_adopted.graph, node, "only one has it");
	} else if (key && weft_names_class_of_request(key)) {
		weft_graph_spoil(&weft_adopted.graph, node, "under the name of an anonymous class that each request declares");
	} else if (Z_ISREF_P(a) && Z_REFCOUNT_P(a) > 1) {
		weft_graph_spoil(&weft_adopted.graph, node, "a reference that others share");
	} else if (!root->inner && is_unmarkable(a, key != NULL) && !others_agree(terms, root, key, a)) {
		weft_graph_spoil(&weft_adopted.graph, node, "nothing shows that it is more than this page's");
	} else {
		weft_graph_compare(&weft_adopted.graph, node, a, b);
	}
}

/* What both have appended, one by one; matched by its place. */
static void add_appended(weft_root *root, HashTable *a, HashTable *b, uint32_t from)
{
	for (uint32_t i = from; i < zend_hash_num_elements(a); i++) {
		zval *in_a = zend_hash_index_find(a, i), *in_b = zend_hash_index_find(b, i);
		uint32_t node;

		if (weft_list_match(root, in_a)) {
			continue;
		}
		node = weft_adoption_add_unit(root, NULL, in_a)->node;
		if (in_b) {
			weft_graph_compare(&weft_adopted.graph, node, in_a, in_b);
		} else {
			weft_graph_spoil(&weft_adopted.graph, node, "only one has it");
		}
	}
}

static void add_elements(const terms *terms, uint32_t root_number, HashTable *a, HashTable *b)
{
	weft_root *root = &weft_adopted.roots[root_number];
	HashTable *cold = Z_ARR(root->cold);
	zend_string *key;
	zval *in_a, *in_b, *before;

	ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(a, key, in_a) {
		in_b = zend_hash_find(b, key);
		before = zend_hash_find(cold, key);
		if (before && in_b && weft_same_value(before, in_a) && weft_same_value(before, in_b)) {
			continue;
		}
		add_unit(terms, root, key, in_a, in_b);
	}
	ZEND_HASH_FOREACH_END();
	if (!zend_hash_num_elements(cold)) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_STR_KEY_VAL(cold, key, before) {
		if (!zend_hash_exists(a, key) && !zend_hash_exists(b, key)) {
			add_unit(terms, root, key, NULL, NULL);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* A property of two paired objects that its class declares as an array is put together as a slot of the base is: a
 * registry whose entries are dropped is as good as new. */
static bool adopt_property(weft_graph *graph, uint32_t node, zend_object *a, uint32_t number, const zval *in_a,
	const zval *in_b)
{
	zval *declared = &a->ce->default_properties_table[number];
	zend_property_info *info = a->ce->properties_info_table ? a->ce->properties_info_table[number] : NULL;
	weft_root root = {.kind = WEFT_SLOT_PROPERTY,
		.object = a,
		.place = &a->properties_table[number],
		.inner = node,
		.shape = WEFT_MAP};
	const char *class, *name;

	if (!info || !weft_is_map(declared) || !weft_is_map(in_a) || !weft_is_map(in_b)) {
		return false;
	}
	if (!zend_hash_num_elements(Z_ARR_P(in_a)) && !zend_hash_num_elements(Z_ARR_P(in_b))) {
		return false;
	}
	if (weft_adoption_find(root.place)) {
		return false;
	}
	zend_unmangle_property_name(info->name, &class, &name);
	root.class = info->ce;
	root.name = name;
	ZVAL_COPY_VALUE(&root.cold, declared);
	weft_adoption_add_root(&root);
	add_elements(graph->context, weft_adopted.root_count - 1, Z_ARR_P(in_a), Z_ARR_P(in_b));
	return true;
}

static void add_slot(const terms *terms, const weft_recorded *a, const weft_recorded *b)
{
	weft_root *root = weft_adoption_find(a->place);
	zval *cold = a->place;

	if (!root) {
		weft_root fresh = {.kind = a->kind,
			.object = a->object,
			.class = a->class,
			.function = a->function,
			.name = a->name,
			.place = a->place};

		if (a->object) {
			fresh.inner = weft_graph_node_of(&weft_adopted.graph, a->object);
		}
		if (weft_is_map(cold) && weft_is_map(&a->value) && weft_is_map(&b->value)) {
			fresh.shape = WEFT_MAP;
		} else if (weft_lists_grow(cold, &a->value, &b->value)) {
			fresh.shape = WEFT_LIST;
		}
		ZVAL_COPY_VALUE(&fresh.cold, cold);
		fresh.cold_flag = a->kind == WEFT_SLOT_PROPERTY ? Z_PROP_FLAG_P(cold) : 0;
		root = weft_adoption_add_root(&fresh);
	}
	if (root->shape == WEFT_MAP) {
		if (weft_is_map(&a->value) && weft_is_map(&b->value)) {
			add_elements(terms, (uint32_t) (root - weft_adopted.roots), Z_ARR(a->value), Z_ARR(b->value));
		}
		return;
	}
	if (root->shape == WEFT_LIST) {
		if (weft_lists_grow(cold, &a->value, &b->value)) {
			add_appended(root, Z_ARR(a->value), Z_ARR(b->value), weft_list_length(cold));
		}
		return;
	}
	add_unit(terms, root, NULL, &a->value, &b->value);
}

static void note_fallen(uint32_t from, HashTable *restored)
{
	for (uint32_t i = from; i < weft_adopted.unit_count; i++) {
		const weft_unit *unit = &weft_adopted.units[i];

		if (!weft_unit_stands(unit)) {
			const zend_string *why = unit->dropped ? unit->dropped : weft_adopted.graph.nodes[unit->node].why;

			restored_note(restored, weft_unit_name(unit), why ? ZSTR_VAL(why) : "holds an object that differs");
		}
	}
}

void weft_adopt_recordings(const weft_recording *a, const weft_recording *b, const HashTable *others,
	const HashTable *cold, bool whole, HashTable *restored)
{
	terms terms = {.others = others, .cold = cold, .restored = restored};
	uint32_t from;

	weft_adoption_begin();
	weft_adopted.graph.property = whole ? NULL : adopt_property;
	weft_adopted.graph.context = &terms;
	weft_adopted.graph.never = cold;
	from = weft_adopted.unit_count;
	for (uint32_t i = 0; i < a->count; i++) {
		const weft_recorded *item = &a->items[i];
		const weft_recorded *other = item->place ? weft_recording_find(b, item->place) : NULL;

		if (item->kind == WEFT_SLOT_GUARD) {
			continue;
		}
		if (!other) {
			restored_note(restored, slot_name(item), item->place ? "only one has changed it" : "never adopted");
		} else if (kept_cold(item, cold)) {
			restored_note(restored, slot_name(item), "named as cold");
		} else if (item->object && weft_is_lazy(item->object)) {
			restored_note(restored, slot_name(item), "of a lazy object");
		} else if (Z_TYPE(item->value) == IS_UNDEF) {
			restored_note(restored, slot_name(item), "unset");
		} else {
			add_slot(&terms, item, other);
		}
	}
	weft_graph_settle(&weft_adopted.graph);
	weft_adopted.graph.never = NULL;
	note_fallen(from, restored);
}

/* --- what is written again --- */

/* Another page has come to the same value, or it only notes that something has happened: then it is not the state of
 * the one. */
static bool is_confirmed(const weft_root *root, const weft_unit *unit, const zval *value)
{
	return value && Z_TYPE_P(value) <= IS_STRING && zend_is_identical((zval *) &unit->value, (zval *) value) &&
		(!zend_string_equals(unit->page, weft_adopted.page) ||
			is_named_slot(weft_adopted.notes, root->class, root->name));
}

static void drop_written(const weft_root *root, const weft_recorded *item)
{
	if (root->shape == WEFT_LIST) {
		weft_list_scrub(root, &item->value);
		return;
	}
	for (uint32_t i = root->first; i; i = weft_adopted.units[i].next) {
		weft_unit *unit = &weft_adopted.units[i];
		const zval *value = NULL;

		if (!weft_unit_stands(unit)) {
			continue;
		}
		if (root->shape == WEFT_WHOLE) {
			value = &item->value;
		} else if (Z_TYPE(item->value) == IS_ARRAY) {
			value = zend_hash_find(Z_ARR(item->value), unit->key);
			if (weft_unit_untouched(unit, value)) {
				continue;
			}
		}
		if (is_confirmed(root, unit, value)) {
			continue;
		}
		weft_unit_drop(unit, "a request writes it again");
	}
}

/* An object that is as good as new in this respect, and was before. */
static bool is_as_declared(const weft_recorded *item)
{
	uint32_t number;

	if (item->kind != WEFT_SLOT_PROPERTY) {
		return false;
	}
	number = (uint32_t) (item->place - item->object->properties_table);
	return weft_is_as_declared(item->object, number, &item->value) &&
		weft_is_as_declared(item->object, number, item->place);
}

uint32_t weft_adopt_scrub(const weft_recording *recording, HashTable *restored)
{
	weft_graph *graph = &weft_adopted.graph;
	uint32_t fallen = 0, standing = 0;
	bool *stood;

	if (!weft_adopted.begun) {
		return 0;
	}
	stood = safe_emalloc(weft_adopted.unit_count, sizeof(bool), 0);
	for (uint32_t i = 1; i < weft_adopted.unit_count; i++) {
		stood[i] = weft_unit_stands(&weft_adopted.units[i]);
		standing += stood[i];
	}
	for (uint32_t i = 0; i < recording->count; i++) {
		const weft_recorded *item = &recording->items[i];
		const weft_root *root = item->place ? weft_adoption_find(item->place) : NULL;

		if (item->kind == WEFT_SLOT_GUARD) {
			continue;
		}
		if (root) {
			drop_written(root, item);
		} else if (item->object && !is_as_declared(item)) {
			uint32_t node = weft_graph_node_of(graph, item->object);

			if (node) {
				zend_string *name = slot_name(item);

				weft_graph_spoil(graph, node, "a request writes %s again", ZSTR_VAL(name));
				zend_string_release(name);
			}
		}
	}
	for (uint32_t i = 1; i < weft_adopted.unit_count && standing; i++) {
		const weft_unit *unit = &weft_adopted.units[i];

		if (stood[i] && !weft_unit_stands(unit)) {
			const zend_string *why = unit->dropped ? unit->dropped : graph->nodes[unit->node].why;

			restored_note(restored, weft_unit_name(unit),
				why ? ZSTR_VAL(why) : "holds an object that a request writes again");
			fallen++;
		}
	}
	efree(stood);
	return fallen;
}
