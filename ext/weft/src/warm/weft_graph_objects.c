/*
 * When two objects count as the same: by class, by what they hold, and by what they can tell of themselves.
 */
#include "warm/weft_warm.h"
#include "zend_closures.h"
#include "zend_enum.h"
#include "zend_exceptions.h"
#include "zend_fibers.h"
#include "zend_generators.h"

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
		weft_graph_compare(graph, node, weft_graph_look_up(graph->over_a, in_a),
			weft_graph_look_up(graph->over_b, in_b));
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

/* A class that each request declares anew is the same one in each. */
static bool are_of_one_class(const weft_graph *graph, const zend_class_entry *a, const zend_class_entry *b)
{
	return a == b ||
		(graph->lenient && a && b && a->default_properties_count == b->default_properties_count &&
			weft_same_anonymous_class(a->name, b->name));
}

/* So is a function of a file that each request includes anew. */
static bool are_one_function(const weft_graph *graph, const zend_function *a, const zend_function *b)
{
	const zend_op_array *code_a = &a->op_array, *code_b = &b->op_array;

	if (weft_same_function(a, b)) {
		return true;
	}
	return graph->lenient && a->type == ZEND_USER_FUNCTION && b->type == ZEND_USER_FUNCTION &&
		are_of_one_class(graph, a->common.scope, b->common.scope) && code_a->line_start == code_b->line_start &&
		code_a->line_end == code_b->line_end && code_a->last == code_b->last &&
		zend_string_equals(code_a->filename, code_b->filename);
}

static void compare_closures(weft_graph *graph, uint32_t node, zend_object *a, zend_object *b)
{
	zend_class_entry *called_a, *called_b;
	zend_function *function_a, *function_b;
	zend_object *this_a, *this_b;

	a->handlers->get_closure(a, &called_a, &function_a, &this_a, true);
	b->handlers->get_closure(b, &called_b, &function_b, &this_b, true);
	if (!are_one_function(graph, function_a, function_b) || !are_of_one_class(graph, called_a, called_b) ||
		!this_a != !this_b) {
		weft_graph_spoil(graph, node, "closures of different functions");
		return;
	}
	if (this_a) {
		weft_graph_compare_identities(graph, node, (zend_refcounted *) this_a, (zend_refcounted *) this_b);
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
		const zval *in_a = weft_graph_look_up(graph->over_a, &a->properties_table[i]);
		const zval *in_b = weft_graph_look_up(graph->over_b, &b->properties_table[i]);

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

/* They hold nothing, and what a request puts into one is its own. */
static bool are_empty_weak_maps(zend_object *a, zend_object *b)
{
	zend_long in_a, in_b;

	return zend_string_equals_literal(a->ce->name, "WeakMap") && a->handlers->count_elements(a, &in_a) == SUCCESS &&
		b->handlers->count_elements(b, &in_b) == SUCCESS && in_a == 0 && in_b == 0;
}

/* Of the class itself when the name begins with "!", else of it or of one that extends or implements it. */
static bool is_of_class(zend_class_entry *class, const char *name, size_t length)
{
	const bool itself = *name == '!';
	zend_string *of = zend_string_init(name + itself, length - itself, false);
	zend_class_entry *named = zend_lookup_class_ex(of, NULL, ZEND_FETCH_CLASS_NO_AUTOLOAD);

	zend_string_release(of);
	return named && (itself ? class == named : instanceof_function(class, named));
}

bool weft_is_of_named_class(const HashTable *names, zend_class_entry *class)
{
	bool found = false;
	zval *name;

	if (!names) {
		return false;
	}
	ZEND_HASH_FOREACH_VAL((HashTable *) names, name) {
		if (Z_TYPE_P(name) == IS_STRING && Z_STRLEN_P(name) && !strstr(Z_STRVAL_P(name), "::") &&
			is_of_class(class, Z_STRVAL_P(name), Z_STRLEN_P(name))) {
			if (*Z_STRVAL_P(name) == '!') {
				return false;
			}
			found = true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return found;
}

static bool is_closure_of_named(const HashTable *names, zend_object *object)
{
	zend_class_entry *scope;

	if (object->ce != zend_ce_closure) {
		return false;
	}
	scope = zend_get_closure_method_def(object)->common.scope;
	return scope && weft_is_of_named_class(names, scope);
}

/* Another request that loads it for itself may get another class of this name. */
static bool is_class_of_base(const zend_class_entry *class)
{
	zend_string *key = zend_string_tolower(class->name);
	const zend_class_entry *found = zend_hash_find_ptr(EG(class_table), key);

	zend_string_release(key);
	return found == class;
}

void weft_graph_compare_objects(weft_graph *graph, uint32_t node, zend_object *a, zend_object *b)
{
	zend_function *teller;

	if (!are_of_one_class(graph, a->ce, b->ce)) {
		weft_graph_spoil(graph, node, "a %s in one, a %s in the other", ZSTR_VAL(a->ce->name), ZSTR_VAL(b->ce->name));
	} else if (weft_is_of_named_class(graph->never, a->ce)) {
		weft_graph_spoil(graph, node, "a %s", ZSTR_VAL(a->ce->name));
	} else if (!graph->lenient && !is_class_of_base(a->ce)) {
		weft_graph_spoil(graph, node, "a %s, a class that each request loads for itself", ZSTR_VAL(a->ce->name));
	} else if (is_closure_of_named(graph->never, a)) {
		weft_graph_spoil(graph, node, "a closure of a class that is never adopted");
	} else if ((weft_is_lazy(a) || weft_is_lazy(b)) && !graph->lenient) {
		weft_graph_spoil(graph, node, "a %s, which is lazy", ZSTR_VAL(a->ce->name));
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
	} else if (!graph->lenient && !are_empty_weak_maps(a, b)) {
		weft_graph_spoil(graph, node, "a %s, whose state can't be compared", ZSTR_VAL(a->ce->name));
	}
}
