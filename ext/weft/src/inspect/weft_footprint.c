/*
 * What the process holds in all, to find out what grows in it.
 */
#include "domain/weft_base.h"
#include "inspect/weft_inspect.h"

#include <malloc.h>

static size_t c_heap(void)
{
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
#endif
#endif
	return 0;
}

static void add_to(zval *counts, zend_string *class, zend_long more)
{
	zval *of = zend_hash_find(Z_ARRVAL_P(counts), class), none;

	if (!of) {
		ZVAL_LONG(&none, 0);
		of = zend_hash_add_new(Z_ARRVAL_P(counts), class, &none);
	}
	Z_LVAL_P(of) += more;
}

static zend_long count_objects(zval *by_class, zval *slots_by_class)
{
	zend_long count = 0;

	array_init(by_class);
	array_init(slots_by_class);
	for (uint32_t i = 1; i < EG(objects_store).top; i++) {
		zend_object *object = EG(objects_store).object_buckets[i];

		if (!IS_OBJ_VALID(object)) {
			continue;
		}
		count++;
		add_to(by_class, object->ce->name, 1);
		add_to(slots_by_class, object->ce->name, weft_object_slots(object));
	}
	return count;
}

void weft_footprint(zval *return_value)
{
	/* first, since the rest of this takes memory itself */
	size_t heap = zend_memory_usage(false), reserved = zend_memory_usage(true), c = c_heap();
	zval by_class, slots_by_class;

	array_init(return_value);
	add_assoc_long(return_value, "heap", (zend_long) heap);
	add_assoc_long(return_value, "reserved", (zend_long) reserved);
	add_assoc_long(return_value, "cHeap", (zend_long) c);
	add_assoc_long(return_value, "objects", count_objects(&by_class, &slots_by_class));
	add_assoc_zval(return_value, "byClass", &by_class);
	add_assoc_zval(return_value, "slotsByClass", &slots_by_class);
	add_assoc_long(return_value, "classes", zend_hash_num_elements(EG(class_table)));
	add_assoc_long(return_value, "functions", zend_hash_num_elements(EG(function_table)));
	add_assoc_long(return_value, "constants", zend_hash_num_elements(EG(zend_constants)));
	add_assoc_long(return_value, "resources", zend_hash_num_elements(&EG(regular_list)));
	add_assoc_long(return_value, "includedFiles", zend_hash_num_elements(&EG(included_files)));
	add_assoc_long(return_value, "slots", weft_base_state.stats.slots);
}
