/*
 * The destructors of resources of modules that are not proven: they end a connection when the last variable goes, at
 * any line of PHP code. Which there are, the engine keeps in a table that no header names. It is found by what it says
 * of streams.
 */
#include "globals/weft_c_state.h"
#include "interpose/guard/weft_modules.h"
#include "interpose/guard/weft_module_frame.h"
#include "globals/weft_program.h"

static HashTable *destructors;

typedef struct {
	rsrc_dtor_func_t plain, plain_persistent;
	const zend_module_entry *module;
} wrapped_resource;

/* By the number of the type. */
static HashTable wrapped;

typedef struct {
	zend_resource resource;
	bool persistent;
} ended_resource;

static void end_of(zend_resource *resource, bool persistent);

static void end_later(void *arg)
{
	ended_resource ended = *(ended_resource *) arg;

	efree(arg);
	end_of(&ended.resource, ended.persistent);
}

/* Its destructor is given a copy in any case. */
static void end_of(zend_resource *resource, bool persistent)
{
	const wrapped_resource *type = zend_hash_index_find_ptr(&wrapped, (zend_ulong) resource->type);
	const weft_monitor *monitor = weft_monitor_of(type->module);
	weft_module_frame frame;

	if (UNEXPECTED(monitor && weft_current && weft_monitor_is_out_of_reach(monitor))) {
		ended_resource *ended = emalloc(sizeof(*ended));

		*ended = (ended_resource){*resource, persistent};
		weft_module_later(end_later, ended);
	} else if (EXPECTED(weft_module_enter_to_free(&frame, type->module))) {
		(persistent ? type->plain_persistent : type->plain)(resource);
		weft_module_leave(&frame);
	} else {
		weft_module_given_up(type->module);
	}
}

static void resource_end(zend_resource *resource)
{
	end_of(resource, false);
}

static void persistent_resource_end(zend_resource *resource)
{
	end_of(resource, true);
}

static bool describes(const HashTable *table, int type, const char *name)
{
	const zend_rsrc_list_dtors_entry *entry = zend_hash_index_find_ptr(table, (zend_ulong) type);

	return entry && entry->resource_id == type && strcmp(entry->type_name, name) == 0;
}

/* Nothing is read through a pointer before all else looks like this table, and like no other thing. No inline function:
 * a sanitizer would look at its reads. */
WEFT_READS_ALL static bool is_table(void *place)
{
	const HashTable *table = place;
	uint32_t size = table->nTableSize;

	return GC_TYPE(table) == IS_ARRAY && (GC_FLAGS(table) & GC_PERSISTENT) && table->gc.refcount == 1 &&
		HT_IS_PACKED(table) && size >= 8 && size < 65536 && (size & (size - 1)) == 0 && table->nNumUsed <= size &&
		table->nNumUsed > 3 && table->nNumOfElements < table->nNumUsed &&
		table->nNextFreeElement == (zend_long) table->nNumUsed && table->pDestructor;
}

static bool is_destructors(void *place)
{
	return is_table(place) && describes(place, php_file_le_stream(), "stream") &&
		describes(place, php_file_le_pstream(), "persistent stream");
}

static const zend_module_entry *module_of_number(int number)
{
	const zend_module_entry *module;

	ZEND_HASH_MAP_FOREACH_PTR(&module_registry, module) {
		if (module->module_number == number) {
			return module;
		}
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}

static void wrap_resource(zend_rsrc_list_dtors_entry *entry, const zend_module_entry *module)
{
	wrapped_resource *type = pemalloc(sizeof(*type), 1);

	*type = (wrapped_resource){entry->list_dtor_ex, entry->plist_dtor_ex, module};
	zend_hash_index_add_new_ptr(&wrapped, (zend_ulong) entry->resource_id, type);
	if (entry->list_dtor_ex) {
		entry->list_dtor_ex = resource_end;
	}
	if (entry->plist_dtor_ex) {
		entry->plist_dtor_ex = persistent_resource_end;
	}
}

static void wrap_resources(void)
{
	zend_rsrc_list_dtors_entry *entry;

	if (!destructors) {
		zend_error(E_CORE_WARNING,
			"Weft did not find where this PHP keeps the destructors of resources: those of extensions that are not "
			"proven may be left while they wait. Please report this with the version of PHP");
		return;
	}
	ZEND_HASH_FOREACH_PTR(destructors, entry) {
		const zend_module_entry *module = module_of_number(entry->module_number);

		if (weft_module_kind_of(module) != WEFT_MODULE_PROVEN &&
			!zend_hash_index_exists(&wrapped, (zend_ulong) entry->resource_id)) {
			wrap_resource(entry, module);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* At the first request: all modules are there. */
void weft_c_resources_rinit(void)
{
	static bool sought;

	if (!sought) {
		sought = true;
		destructors = weft_program_find(sizeof(HashTable), is_destructors);
		zend_hash_init(&wrapped, 8, NULL, NULL, 1);
		wrap_resources();
		weft_modules_loaded = wrap_resources;
	}
}
