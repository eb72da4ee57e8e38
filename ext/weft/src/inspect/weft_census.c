/*
 * Walks values without recursion and adds up, for each label, what was met for the first time.
 */
#include "inspect/weft_census.h"
#include "domain/weft_base.h"
#include "weft_grow.h"

/* Something still to be entered: an array or an object. */
typedef struct {
	zend_refcounted *counted;
	zend_string *label;
	bool element; /* of an array, which has counted it */
} visit;

struct weft_census {
	HashTable seen;   /* by address */
	HashTable labels; /* label => weft_census_count */
	visit *visits;
	uint32_t used, size;
	weft_census_count sum;
	bool counting;
};

weft_census *weft_census_begin(void)
{
	weft_census *census = pecalloc(1, sizeof(*census), 1);

	zend_hash_init(&census->seen, 4096, NULL, NULL, true);
	zend_hash_init(&census->labels, 64, NULL, NULL, true);
	for (uint32_t i = 0; i < weft_base_state.held_count; i++) {
		zend_hash_index_add_empty_element(&census->seen, weft_key_of_address(weft_base_state.held[i]));
	}
	return census;
}

void weft_census_end(weft_census *census)
{
	void *count;

	ZEND_HASH_FOREACH_PTR(&census->labels, count) {
		free(count);
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_destroy(&census->seen);
	zend_hash_destroy(&census->labels);
	free(census->visits);
	free(census);
}

static bool census_first_visit(weft_census *census, const void *address)
{
	return zend_hash_index_add_empty_element(&census->seen, weft_key_of_address(address)) != NULL;
}

static void census_count(weft_census *census, zend_string *label, size_t bytes, size_t values)
{
	weft_census_count *of;

	if (!census->counting) {
		return;
	}
	census->sum.bytes += bytes;
	census->sum.values += values;
	of = zend_hash_find_ptr(&census->labels, label);
	if (!of) {
		of = pecalloc(1, sizeof(*of), 1);
		zend_hash_str_add_new_ptr(&census->labels, ZSTR_VAL(label), ZSTR_LEN(label), of);
	}
	of->bytes += bytes;
	of->values += values;
}

static void census_push(weft_census *census, zend_refcounted *counted, zend_string *label, bool element)
{
	WEFT_GROW(census->visits, census->used, census->size);
	census->visits[census->used++] = (visit){counted, zend_string_copy(label), element};
}

/* What the engine hands out for so many bytes is a little more; this is what they need. */
static size_t string_size(const zend_string *string)
{
	return ZEND_MM_ALIGNED_SIZE(_ZSTR_STRUCT_SIZE(ZSTR_LEN(string)));
}

static void meet_string(weft_census *census, zend_string *string, zend_string *label)
{
	if (!ZSTR_IS_INTERNED(string) && census_first_visit(census, string)) {
		census_count(census, label, string_size(string), 0);
	}
}

static void meet(weft_census *census, const zval *value, zend_string *label, bool element)
{
	if (Z_TYPE_P(value) == IS_INDIRECT) {
		return; /* a declared property: seen where it lies */
	}
	if (Z_TYPE_P(value) == IS_REFERENCE) {
		if (!census_first_visit(census, Z_REF_P(value))) {
			return;
		}
		census_count(census, label, sizeof(zend_reference), 0);
		value = Z_REFVAL_P(value);
	}
	if (!Z_REFCOUNTED_P(value)) {
		return;
	}
	if (Z_TYPE_P(value) == IS_STRING) {
		meet_string(census, Z_STR_P(value), label);
	} else if ((Z_TYPE_P(value) == IS_ARRAY || Z_TYPE_P(value) == IS_OBJECT) &&
		census_first_visit(census, Z_COUNTED_P(value))) {
		census_push(census, Z_COUNTED_P(value), label, element);
	}
}

static void enter_array(weft_census *census, HashTable *array, zend_string *label)
{
	size_t size = sizeof(HashTable);
	zend_string *key;
	zval *value;

	if (!(HT_FLAGS(array) & HASH_FLAG_UNINITIALIZED)) {
		size += HT_IS_PACKED(array) ? HT_PACKED_SIZE(array) : HT_SIZE(array);
	}
	census_count(census, label, size, zend_hash_num_elements(array));
	ZEND_HASH_FOREACH_STR_KEY_VAL(array, key, value) {
		if (key) {
			meet_string(census, key, label);
		}
		meet(census, value, label, true);
	}
	ZEND_HASH_FOREACH_END();
}

static zend_string *property_label(const zend_class_entry *ce, const char *name)
{
	return strpprintf(0, "%s::$%s", ZSTR_VAL(ce->name), name);
}

static void enter_declared(weft_census *census, zend_object *object)
{
	for (int i = 0; i < object->ce->default_properties_count; i++) {
		const zend_property_info *info = object->ce->properties_info_table[i];
		const char *name = "?", *unused;
		zend_string *label;

		if (!Z_REFCOUNTED(object->properties_table[i])) {
			continue;
		}
		if (info) {
			zend_unmangle_property_name(info->name, &unused, &name);
		}
		label = property_label(info ? info->ce : object->ce, name);
		meet(census, &object->properties_table[i], label, false);
		zend_string_release(label);
	}
}

/* Variables that a closure has bound, the storage of an ArrayObject and so on: what the collector would visit. */
static void enter_inside(weft_census *census, zend_object *object)
{
	HashTable *table;
	zend_string *label;
	zval *values;
	int found = 0;

	if (!object->handlers->get_gc || object->handlers->get_gc == zend_std_get_gc) {
		return;
	}
	table = object->handlers->get_gc(object, &values, &found);
	label = strpprintf(0, "%s (inside)", ZSTR_VAL(object->ce->name));
	if (table && table != object->properties && census_first_visit(census, table)) {
		enter_array(census, table, label);
	}
	for (int i = 0; i < found; i++) {
		meet(census, &values[i], label, false);
	}
	zend_string_release(label);
}

/* What the allocator gave for it: classes of extensions have more than their properties. 0 from another allocator. */
static size_t object_size(zend_object *object)
{
	size_t size = zend_mem_block_size((char *) object - object->handlers->offset);

	return size ? size : object->handlers->offset + sizeof(zend_object) + zend_object_properties_size(object->ce);
}

static void enter_object(weft_census *census, zend_object *object, zend_string *holder, bool element)
{
	if (!IS_OBJ_VALID(EG(objects_store).object_buckets[object->handle]) || (OBJ_FLAGS(object) & IS_OBJ_FREE_CALLED)) {
		return;
	}
	census_count(census, holder, object_size(object), !element);
	enter_declared(census, object);
	if (object->properties && census_first_visit(census, object->properties)) {
		zend_string *label = property_label(object->ce, "(dynamic)");

		enter_array(census, object->properties, label);
		zend_string_release(label);
	}
	enter_inside(census, object);
}

/* A list instead of recursion: values may be nested deeper than any stack. */
static void walk(weft_census *census, const zval *value, zend_string *label)
{
	meet(census, value, label, false);
	while (census->used) {
		visit next = census->visits[--census->used];

		if (GC_TYPE(next.counted) == IS_ARRAY) {
			enter_array(census, (HashTable *) next.counted, next.label);
		} else {
			enter_object(census, (zend_object *) next.counted, next.label, next.element);
		}
		zend_string_release(next.label);
	}
}

void weft_census_skip(weft_census *census, const zval *value)
{
	census->counting = false;
	walk(census, value, ZSTR_EMPTY_ALLOC());
}

weft_census_count weft_census_add(weft_census *census, const zval *value, const char *label)
{
	zend_string *string = zend_string_init(label, strlen(label), 0);

	census->counting = true;
	memset(&census->sum, 0, sizeof(census->sum));
	walk(census, value, string);
	zend_string_release(string);
	return census->sum;
}

void weft_census_report(weft_census *census, zval *array)
{
	const weft_census_count *of;
	zend_string *label;

	ZEND_HASH_FOREACH_STR_KEY_PTR(&census->labels, label, of) {
		zval pair;

		array_init_size(&pair, 2);
		add_next_index_long(&pair, (zend_long) of->bytes);
		add_next_index_long(&pair, (zend_long) of->values);
		/* a key of its own: those of the table are not of PHP's heap */
		zend_symtable_str_update(Z_ARRVAL_P(array), ZSTR_VAL(label), ZSTR_LEN(label), &pair);
	}
	ZEND_HASH_FOREACH_END();
}
