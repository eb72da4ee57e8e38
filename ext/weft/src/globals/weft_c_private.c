/*
 * What PHP keeps of a request in variables of its own: autoloaders, what spl_autoload_extensions() was told, and the
 * directory that readdir() reads without being told. They are found by what PHP's functions make of them, before the
 * first script runs; a switch exchanges the pointers.
 *
 * A domain begins with a list of autoloaders of its own that has the base's entries. They are shared, and stay until
 * the base is forgotten, whoever takes one away; what is in an entry is nobody's business but PHP's.
 */
#include "globals/weft_spans.h"
#include "globals/weft_c_layouts.h"
#include "globals/weft_c_state.h"
#include "globals/weft_program.h"
#include "coroutine/weft_errors.h"
#include "ext/standard/file.h"

#include <unistd.h>

#define MARK "weft"

/* NULL: not found. */
static HashTable **autoloaders;
static zend_string **extensions;
static zend_resource **directory;
static dtor_func_t free_autoloader;
/* What the base had at the capture; NULL: nothing. */
static HashTable *shared;

/* --- finding them --- */

static zend_string *mark;

static bool is_function(const char *name)
{
	return zend_hash_str_exists(CG(function_table), name, strlen(name));
}

static uint32_t count_registered(void)
{
	uint32_t count;
	zval list;

	weft_c_call("spl_autoload_functions", &list, 0, NULL);
	count = Z_TYPE(list) == IS_ARRAY ? zend_hash_num_elements(Z_ARRVAL(list)) : 0;
	zval_ptr_dtor(&list);
	return count;
}

static void with_own_name(const char *function)
{
	zval name;

	ZVAL_STRING(&name, "spl_autoload_functions");
	weft_c_call(function, NULL, 1, &name);
	zval_ptr_dtor(&name);
}

static void register_one(void)
{
	with_own_name("spl_autoload_register");
}

static bool is_list(void **place)
{
	void *list = *place;
	bool right;

	*place = NULL;
	right = count_registered() == 0;
	*place = list;
	return right && count_registered() == 1;
}

static void destroy_list(HashTable **list)
{
	HashTable *old = *list;

	*list = NULL;
	if (old) {
		zend_hash_destroy(old);
		FREE_HASHTABLE(old);
	}
}

static void find_list(void)
{
	if (!is_function("spl_autoload_register") || !is_function("spl_autoload_functions") || count_registered()) {
		return;
	}
	autoloaders = (HashTable **) weft_program_find_pointer(register_one, is_list);
	if (autoloaders) {
		free_autoloader = (*autoloaders)->pDestructor;
		destroy_list(autoloaders);
	} else {
		with_own_name("spl_autoload_unregister");
	}
}

static void set_extensions(void)
{
	zval value;

	ZVAL_STR(&value, mark);
	weft_c_call("spl_autoload_extensions", NULL, 1, &value);
}

static bool is_mark(void **place)
{
	return *place == mark;
}

static void find_extensions(void)
{
	mark = zend_string_init(ZEND_STRL(MARK), 0);
	extensions = (zend_string **) weft_program_find_pointer(set_extensions, is_mark);
	if (extensions) {
		zend_string_release(*extensions);
		*extensions = NULL;
	}
	zend_string_release(mark);
}

static zval opened;

/* Some directory that PHP may read; one that is not there would be warned of. */
static void open_directory(void)
{
	const char *allowed = PG(open_basedir);
	zval path;

	if (allowed && *allowed) {
		ZVAL_STRINGL(&path, allowed, strcspn(allowed, ":"));
	} else {
		ZVAL_STRING(&path, "/");
	}
	if (access(Z_STRVAL(path), R_OK | X_OK) == 0) {
		weft_c_call("opendir", &opened, 1, &path);
	}
	zval_ptr_dtor(&path);
}

static bool is_directory(void **place)
{
	return Z_TYPE(opened) == IS_RESOURCE && *place == Z_RES(opened);
}

/* The script's resources have the numbers that they have without Weft. */
static void forget_resources(zend_long next, const php_stream_context *context)
{
	if (FG(default_context) != context) {
		zend_list_delete(FG(default_context)->res);
		FG(default_context) = NULL;
	}
	EG(regular_list).nNextFreeElement = next;
}

static void find_directory(void)
{
	zend_long next = EG(regular_list).nNextFreeElement;
	const php_stream_context *context = FG(default_context);
	weft_errors_state errors;

	ZVAL_UNDEF(&opened);
	weft_errors_quiet_begin(&errors);
	directory = (zend_resource **) weft_program_find_pointer(open_directory, is_directory);
	if (Z_TYPE(opened) == IS_RESOURCE) {
		weft_c_call("closedir", NULL, 1, &opened);
		if (directory && *directory) {
			directory = NULL;
		}
	}
	weft_errors_quiet_end(&errors);
	zval_ptr_dtor(&opened);
	forget_resources(next, context);
}

void weft_c_private_rinit(void)
{
	static bool sought;

	if (!sought) {
		sought = true;
		find_list();
		find_extensions();
		find_directory();
	}
}

bool weft_c_autoloaders_found(void)
{
	return autoloaders && extensions;
}

bool weft_c_directory_found(void)
{
	return directory;
}

static void *list_place(void)
{
	weft_layout("spl"); /* tells when it is not there */
	return autoloaders;
}

static void *extensions_place(void)
{
	return extensions;
}

static void *directory_place(void)
{
	weft_layout("standard");
	return directory;
}

/* --- the list --- */

static bool has(HashTable *list, const void *autoloader)
{
	void *one;

	if (list) {
		ZEND_HASH_MAP_FOREACH_PTR(list, one) {
			if (one == autoloader) {
				return true;
			}
		}
		ZEND_HASH_FOREACH_END();
	}
	return false;
}

/* Of lists with entries of the base. */
static void drop_autoloader(zval *entry)
{
	if (!has(shared, Z_PTR_P(entry))) {
		free_autoloader(entry);
	}
}

static HashTable *copy_list(HashTable *list)
{
	HashTable *copy;
	zval *entry;

	if (!list || !zend_hash_num_elements(list)) {
		return NULL;
	}
	ALLOC_HASHTABLE(copy);
	zend_hash_init(copy, zend_hash_num_elements(list), NULL, drop_autoloader, 0);
	zend_hash_real_init_mixed(copy); /* as PHP does: it moves entries to the front */
	ZEND_HASH_MAP_FOREACH_VAL(list, entry) {
		zend_hash_next_index_insert_new(copy, entry);
	}
	ZEND_HASH_FOREACH_END();
	return copy;
}

static void image_list(void *image)
{
	HashTable *own = *(HashTable **) image;

	*(HashTable **) image = shared = copy_list(own);
	if (shared) {
		own->pDestructor = drop_autoloader;
	}
}

static void forget_list(void *image)
{
	HashTable *own = *autoloaders, *were = shared;
	zval *entry;

	shared = NULL;
	if (!were) {
		return;
	}
	if (own) {
		own->pDestructor = free_autoloader;
	}
	ZEND_HASH_MAP_FOREACH_VAL(were, entry) {
		if (!has(own, Z_PTR_P(entry))) {
			free_autoloader(entry);
		}
	}
	ZEND_HASH_FOREACH_END();
	were->pDestructor = NULL;
	destroy_list(&were);
}

static bool start_list(void *own)
{
	HashTable **list = own;

	*list = copy_list(*list);
	return *list != NULL;
}

static bool same_list(const void *live, const void *image)
{
	const HashTable *list = *(HashTable *const *) live, *first = *(HashTable *const *) image;

	if (!list || !first || list->nNumUsed != first->nNumUsed) {
		return false;
	}
	for (uint32_t i = 0; i < list->nNumUsed; i++) {
		if (Z_TYPE(list->arData[i].val) != IS_PTR || Z_PTR(list->arData[i].val) != Z_PTR(first->arData[i].val)) {
			return false;
		}
	}
	return true;
}

/* Who still runs finds the base's. */
static void finish_list(void *live, const void *image)
{
	HashTable **list = live, *own = *list;

	*list = copy_list(*(HashTable *const *) image);
	destroy_list(&own);
}

static void end_list(void *own)
{
	destroy_list(own);
}

/* --- the extensions --- */

static bool hold_extensions(void *own)
{
	zend_string *value = *(zend_string **) own;

	return value && zend_string_copy(value);
}

static void image_extensions(void *image)
{
	hold_extensions(image);
}

static void end_extensions(void *own)
{
	zend_string *value = *(zend_string **) own;

	if (value) {
		zend_string_release(value);
	}
}

/* --- the directory, to which it has a reference --- */

static void end_directory(void *own)
{
	zend_resource *resource = *(zend_resource **) own;

	*(zend_resource **) own = NULL;
	if (resource) {
		zend_list_delete(resource);
	}
}

static void finish_directory(void *live, const void *image)
{
	end_directory(live);
}

const weft_span weft_private_spans[] = {
	/* c_state/autoloaders.phpt, c_state/autoloaders_of_classes.phpt */
	{.name = "autoloaders",
		.find = list_place,
		.size = sizeof(HashTable *),
		.image = image_list,
		.forget = forget_list,
		.start = start_list,
		.same = same_list,
		.finish = finish_list,
		.end = end_list},
	{.name = "autoloaders",
		.find = extensions_place,
		.size = sizeof(zend_string *),
		.image = image_extensions,
		.forget = end_extensions,
		.start = hold_extensions,
		.end = end_extensions},
	/* c_state/directories.phpt, c_state/resource_numbers.phpt */
	{.name = "directory",
		.find = directory_place,
		.size = sizeof(zend_resource *),
		.finish = finish_directory,
		.end = end_directory},
	{.name = NULL},
};
