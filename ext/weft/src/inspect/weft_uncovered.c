/*
 * What the base holds that requests share although nobody asked for it: objects whose hidden state can't be isolated,
 * and open streams. Counted cheaply; where each hangs is found on demand, by a walk over everything in the base.
 */
#include "inspect/weft_inspect.h"
#include "globals/weft_c_layouts.h"
#include "domain/weft_slot_names.h"
#include "domain/hidden/weft_hidden.h"
#include "weft_classes.h"
#include "weft_compat.h"
#include "php_streams.h"
#include "zend_closures.h"
#include "zend_fibers.h"
#include "zend_generators.h"
#include "zend_smart_str.h"

/* Arrays in arrays beyond this are not looked into: they may contain themselves. */
#define MAX_DEPTH 16

/* --- streams --- */

static bool is_standard_stream(const zend_resource *resource)
{
	static const char *const names[] = {"STDIN", "STDOUT", "STDERR"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const zval *stream = zend_get_constant_str(names[i], strlen(names[i]));

		if (stream && Z_TYPE_P(stream) == IS_RESOURCE && Z_RES_P(stream) == resource) {
			return true;
		}
	}
	return false;
}

/* What is written goes away at once, into a log say: nothing is left in the stream for another request to meet. */
static bool only_passes_on(const php_stream *stream)
{
	return strcmp(stream->ops->label, "Output") == 0 ||
		(((stream->flags & PHP_STREAM_FLAG_NO_SEEK) || strcmp(stream->ops->label, "STDIO") == 0) &&
			!strpbrk(stream->mode, "r+") && !stream->writefilters.head);
}

bool weft_stream_keeps_state(const zend_resource *resource)
{
	return resource->ptr && (resource->type == php_file_le_stream() || resource->type == php_file_le_pstream()) &&
		!is_standard_stream(resource) && !only_passes_on(resource->ptr);
}

/* --- who refers to whom --- */

typedef struct {
	const zend_object *from;   /* NULL: a root */
	const zend_refcounted *to; /* an object of the base or a resource */
	zend_string *label;
} edge;

typedef struct {
	edge *edges;
	uint32_t count, size;
	const zend_object *from; /* whose values are being looked at */
	const weft_slot *slot;
	const char *property; /* the name of a property; NULL: ask the slot */
} graph;

/* The way through arrays to a value, the last step first. */
typedef struct step {
	const struct step *before;
	const zend_string *key;
	zend_ulong number;
} step;

static void append_slot(smart_str *label, const graph *g)
{
	const weft_slot *slot = g->slot;
	const char *class = slot && slot->class ? ZSTR_VAL(slot->class->name) : NULL;

	if (g->property) {
		smart_str_append_printf(label, "->%s", g->property);
		return;
	}
	if (!slot) {
		smart_str_appends(label, "{contents}");
		return;
	}
	switch (slot->kind) {
		case WEFT_SLOT_STATIC: smart_str_append_printf(label, "%s::$%s", class, slot->name ? slot->name : "?"); break;
		case WEFT_SLOT_VARIABLE:
			smart_str_append_printf(label, "%s%s%s() $%s", class ? class : "", class ? "::" : "",
				slot->function ? slot->function : "{main}", slot->name);
			break;
		case WEFT_SLOT_GLOBAL: smart_str_append_printf(label, "$%s", slot->name); break;
		case WEFT_SLOT_CONTEXT: smart_str_appends(label, "{options of a stream context}"); break;
		default:
			smart_str_appends(label, slot->name ? "->" : "{reference}");
			smart_str_appends(label, slot->name ? slot->name : "");
	}
}

static void append_steps(smart_str *label, const step *last)
{
	if (!last) {
		return;
	}
	append_steps(label, last->before);
	if (last->key) {
		smart_str_append_printf(label, "['%s']", ZSTR_VAL(last->key));
	} else {
		smart_str_append_printf(label, "[" ZEND_ULONG_FMT "]", last->number);
	}
}

static void add_edge(graph *g, const zend_refcounted *to, const step *last)
{
	smart_str label = {0};

	append_slot(&label, g);
	append_steps(&label, last);
	if (g->count == g->size) {
		g->size = g->size ? g->size * 2 : 1024;
		g->edges = safe_erealloc(g->edges, g->size, sizeof(edge), 0);
	}
	g->edges[g->count++] = (edge){.from = g->from, .to = to, .label = smart_str_extract(&label)};
}

static void visit_value(graph *g, const zval *value, const step *last, int depth)
{
	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) == IS_OBJECT || Z_TYPE_P(value) == IS_RESOURCE) {
		add_edge(g, Z_COUNTED_P(value), last);
	} else if (Z_TYPE_P(value) == IS_ARRAY && depth < MAX_DEPTH) {
		step next = {.before = last};
		const zval *element;
		zend_ulong number;
		zend_string *key;

		ZEND_HASH_FOREACH_KEY_VAL_IND(Z_ARRVAL_P(value), number, key, element) {
			next.key = key;
			next.number = number;
			visit_value(g, element, &next, depth + 1);
		}
		ZEND_HASH_FOREACH_END();
	}
}

static void visit_dynamic(graph *g, const zval *table)
{
	const zval *value;
	zend_string *name;

	if (Z_TYPE_P(table) != IS_ARRAY) {
		return;
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(table), name, value) {
		if (Z_TYPE_P(value) != IS_INDIRECT) {
			g->property = name ? ZSTR_VAL(name) : "{number}";
			visit_value(g, value, NULL, 0);
		}
	}
	ZEND_HASH_FOREACH_END();
	g->property = NULL;
}

static bool visit_slot(const weft_slot *slot, void *context)
{
	graph *g = context;

	g->from = slot->object;
	g->slot = slot;
	if (slot->kind == WEFT_SLOT_DYNAMIC) {
		visit_dynamic(g, &slot->base);
	} else if (slot->kind != WEFT_SLOT_GUARD) {
		visit_value(g, &slot->base, NULL, 0);
	}
	return true;
}

/* What an object refers to outside of its slots. */
static void visit_hidden(graph *g, zend_object *object)
{
	zval *values, closure, self;
	int count;

	g->from = object;
	g->slot = NULL;
	if (object->ce == zend_ce_closure) {
		ZVAL_OBJ(&closure, object);
		g->property = "{$this}";
		visit_value(g, weft_closure_this(&closure, &self), NULL, 0);
		g->property = NULL;
	} else if (weft_is_lazy(object) || weft_hidden_has_values(object) ||
		weft_hidden_classify(object) == WEFT_HIDDEN_MAP) {
		object->handlers->get_gc(object, &values, &count);
		for (int i = 0; i < count; i++) {
			visit_value(g, &values[i], NULL, 0);
		}
	}
}

static int compare_edges(const void *a, const void *b)
{
	uintptr_t left = (uintptr_t) ((const edge *) a)->from, right = (uintptr_t) ((const edge *) b)->from;

	return left < right ? -1 : left > right;
}

static uint32_t first_edge_of(const graph *g, const zend_object *from)
{
	uint32_t low = 0, high = g->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if ((uintptr_t) g->edges[middle].from < (uintptr_t) from) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Finds the shortest way to everything: `ways` maps what is reached to the edge that reached it first. */
static void find_ways(graph *g, HashTable *ways)
{
	const zend_refcounted **queue = safe_emalloc(g->count + 1, sizeof(*queue), 0);
	uint32_t used = 0, next = 0;
	const zend_object *from = NULL;

	do {
		for (uint32_t i = first_edge_of(g, from); i < g->count && g->edges[i].from == from; i++) {
			if (zend_hash_index_add_ptr(ways, weft_key_of_address(g->edges[i].to), &g->edges[i])) {
				queue[used++] = g->edges[i].to;
			}
		}
		from = next < used ? (const zend_object *) queue[next] : NULL;
	} while (next++ < used);
	efree(queue);
}

static void append_way(smart_str *path, HashTable *ways, const void *to)
{
	const edge *last = zend_hash_index_find_ptr(ways, weft_key_of_address(to));

	if (!last) {
		smart_str_appends(path, "{held by the engine or an extension}");
		return;
	}
	if (last->from) {
		append_way(path, ways, last->from);
	}
	smart_str_append(path, last->label);
}

/* What can be reached in the base, and how. */
typedef struct {
	graph graph;
	HashTable ways;
} atlas;

static void atlas_make(atlas *atlas)
{
	graph *g = &atlas->graph;

	memset(g, 0, sizeof(*g));
	weft_slots_visit(visit_slot, g);
	weft_statics_visit_bound(visit_slot, g);
	for (uint32_t i = 0; i < weft_base_state.held_count; i++) {
		visit_hidden(g, weft_base_state.held[i]);
	}
	if (g->count > 0) {
		qsort(g->edges, g->count, sizeof(edge), compare_edges);
	}
	zend_hash_init(&atlas->ways, g->count, NULL, NULL, 0);
	find_ways(g, &atlas->ways);
}

static void atlas_free(atlas *atlas)
{
	zend_hash_destroy(&atlas->ways);
	for (uint32_t i = 0; i < atlas->graph.count; i++) {
		zend_string_release(atlas->graph.edges[i].label);
	}
	if (atlas->graph.edges) {
		efree(atlas->graph.edges);
	}
}

/* The next open stream that a value of the base refers to; others are the engine's own, or an object's. Begin with
 * *number 0. */
static const zend_resource *next_stream(atlas *atlas, zend_ulong *number)
{
	while (*number < (zend_ulong) weft_base_state.first_resource) {
		const zval *item = zend_hash_index_find(&EG(regular_list), (*number)++);

		if (item && weft_stream_keeps_state(Z_RES_P(item)) &&
			zend_hash_index_exists(&atlas->ways, weft_key_of_address(Z_RES_P(item)))) {
			return Z_RES_P(item);
		}
	}
	return NULL;
}

/* --- the answers --- */

static void count_more(HashTable *counts, zend_string *name, zend_long more)
{
	zval none, *count = zend_hash_find(counts, name);

	if (!count) {
		ZVAL_LONG(&none, 0);
		count = zend_hash_add_new(counts, name, &none);
	}
	Z_LVAL_P(count) += more;
}

static bool is_refused_stream(const zend_resource *stream)
{
	return weft_handles_known && weft_handles_known->refuses_stream(stream);
}

/* Found once per snapshot: it takes the walk over everything. */
static zend_long count_streams(void)
{
	weft_base *base = &weft_base_state;
	const zend_resource *stream;
	zend_ulong number = 0;
	atlas atlas;

	if (!base->streams_counted) {
		atlas_make(&atlas);
		while ((stream = next_stream(&atlas, &number))) {
			if (is_refused_stream(stream)) {
				base->refused_stream_count++;
			} else {
				base->stream_count++;
			}
		}
		atlas_free(&atlas);
		base->streams_counted = true;
	}
	return base->stream_count;
}

static void count_streams_of(HashTable *counts, zend_long count)
{
	zend_string *name = ZSTR_INIT_LITERAL("resource (stream)", false);

	if (count > 0) {
		count_more(counts, name, count);
	}
	zend_string_release(name);
}

static void count_kind(zval *counts, weft_hidden_kind kind)
{
	const weft_base *base = &weft_base_state;

	array_init(counts);
	for (uint32_t i = 0; i < base->held_count; i++) {
		if (weft_hidden_classify(base->held[i]) == kind) {
			count_more(Z_ARRVAL_P(counts), base->held[i]->ce->name, 1);
		}
	}
}

static zend_string *name_of_extension(const char *module)
{
	return zend_strpprintf(0, "extension %s", module);
}

static void count_extension(const char *module, const char *state, void *counts)
{
	zend_string *name = name_of_extension(module);

	count_more(counts, name, 1);
	zend_string_release(name);
}

void weft_uncovered_count(zval *return_value)
{
	count_kind(return_value, WEFT_HIDDEN_UNCOVERED);
	weft_layouts_unknown(count_extension, Z_ARRVAL_P(return_value));
	if (weft_base_state.taken) {
		count_streams_of(Z_ARRVAL_P(return_value), count_streams());
	}
}

void weft_refused_count(zval *return_value)
{
	count_kind(return_value, WEFT_HIDDEN_REFUSED);
	if (weft_base_state.taken) {
		count_streams();
		count_streams_of(Z_ARRVAL_P(return_value), weft_base_state.refused_stream_count);
	}
}

static void append_counts(smart_str *line, const char *what, zval *counts)
{
	const char *before = what;
	zend_string *name;
	zval *count;

	if (line->s && zend_hash_num_elements(Z_ARRVAL_P(counts))) {
		smart_str_appends(line, ". ");
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(counts), name, count) {
		smart_str_appends(line, before);
		smart_str_append(line, name);
		smart_str_append_printf(line, " (" ZEND_LONG_FMT ")", Z_LVAL_P(count));
		before = ", ";
	}
	ZEND_HASH_FOREACH_END();
	zval_ptr_dtor(counts);
}

zend_string *weft_uncovered_line(void)
{
	smart_str line = {0};
	zval counts;

	weft_uncovered_count(&counts);
	append_counts(&line, "all requests share the state of what was made during boot: ", &counts);
	weft_refused_count(&counts);
	append_counts(&line,
		"The first use in a request throws, of what was made during boot and can't be isolated: ", &counts);
	count_kind(&counts, WEFT_HIDDEN_BYTES);
	append_counts(&line, "Every request draws the same numbers from what was made during boot: ", &counts);
	if (!line.s) {
		return NULL;
	}
	smart_str_appends(&line, ". `weft audit` shows where they hang; docs/isolation.md says what to do");
	return smart_str_extract(&line);
}

static const char *reason(const zend_object *object)
{
	if (weft_is_lazy(object)) {
		return "a lazy object, and this PHP keeps its state in a way that is not known: initialise it during boot";
	}
	if (!weft_hidden_is_unknown(weft_internal_ancestor(object->ce))) {
		return "this PHP keeps its state in a way that is not known";
	}
	return "it is shared on purpose";
}

static const char *why_refused(const zend_object *object)
{
	if (object && instanceof_function(object->ce, zend_ce_generator)) {
		return "a generator that has not ended: the frame that it runs in can't be copied";
	}
	if (object && object->ce == zend_ce_fiber) {
		return "a fiber that has not ended: its stack can't be copied";
	}
	return object ? "it keeps state that is no property, and none can be made for each request"
				  : "an open stream: its position and buffers can't be copied";
}

static zend_string *reason_to_refuse(const zend_object *object, const char *place)
{
	return zend_strpprintf(0, "%s, so its first use in a request throws%s%s", why_refused(object),
		place ? "; made at " : "", place ? place : "");
}

static void add_answer(zval *list, HashTable *ways, const void *to, const char *class, const char *why)
{
	smart_str path = {0};
	zval answer;

	append_way(&path, ways, to);
	array_init(&answer);
	add_assoc_string(&answer, "class", class);
	add_assoc_str(&answer, "path", smart_str_extract(&path));
	add_assoc_string(&answer, "reason", why);
	add_next_index_zval(list, &answer);
}

/* object: NULL for a stream */
static void add_refused(zval *list, HashTable *ways, const void *to, const zend_object *object, const char *place)
{
	zend_string *why = reason_to_refuse(object, place);

	add_answer(list, ways, to, object ? ZSTR_VAL(object->ce->name) : "resource (stream)", ZSTR_VAL(why));
	zend_string_release(why);
}

/* No value leads there. */
static void add_extension(const char *module, const char *state, void *list)
{
	zend_string *name = name_of_extension(module);
	zend_string *why = zend_strpprintf(0, "%s: where this PHP keeps that could not be verified, so requests share it",
		state);
	zval answer;

	array_init(&answer);
	add_assoc_str(&answer, "class", name);
	add_assoc_string(&answer, "path", "{in C}");
	add_assoc_str(&answer, "reason", why);
	add_next_index_zval(list, &answer);
}

void weft_uncovered_list(zval *return_value)
{
	const weft_base *base = &weft_base_state;
	const zend_resource *stream;
	zend_ulong number = 0;
	atlas atlas;

	array_init(return_value);
	atlas_make(&atlas);
	for (uint32_t i = 0; i < base->held_count; i++) {
		const zend_object *object = base->held[i];

		if (weft_hidden_classify(object) == WEFT_HIDDEN_UNCOVERED) {
			add_answer(return_value, &atlas.ways, object, ZSTR_VAL(object->ce->name), reason(object));
		} else if (weft_hidden_classify(object) == WEFT_HIDDEN_BYTES) {
			add_answer(return_value, &atlas.ways, object, ZSTR_VAL(object->ce->name),
				"every request draws the same numbers from it, which can be guessed: make it in the request");
		} else if (weft_hidden_classify(object) == WEFT_HIDDEN_REFUSED) {
			add_refused(return_value, &atlas.ways, object, object, weft_handles_known->made_at(object));
		}
	}
	while ((stream = next_stream(&atlas, &number))) {
		if (is_refused_stream(stream)) {
			add_refused(return_value, &atlas.ways, stream, NULL, weft_handles_known->opened_at(stream));
		} else {
			add_answer(return_value, &atlas.ways, stream, "resource (stream)",
				"an open stream: its position and buffers are shared on purpose");
		}
	}
	atlas_free(&atlas);
	weft_layouts_unknown(add_extension, return_value);
}
