/*
 * Files that a domain includes. What they declare stays in the worker: the VM remembers functions and classes in the
 * code that has used them, so they can't be taken away again. But a request that includes the file anew must not hear
 * of that: include_once runs the file in each request, and a declaration that is there already, from the same file and
 * by the same code, is no error. OPcache makes it the same code; without it a second declaration fails as in any PHP.
 *
 * What an autoloader includes counts as included for all, since the classes it looked for are there for all.
 */
#include "isolation/weft_c_state.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_preempt.h"
#include "zend_compile.h"

typedef struct {
	zend_string **paths;
	uint32_t used;
	uint32_t size;
} path_list;

/* The paths of the domain in place, of those in the engine's table before `mark`. */
static path_list own;
static uint32_t mark;
/* Every file that a domain has loaded since the snapshot. True: it may have declared something. */
static HashTable loaded;
static zend_class_entry *(*plain_autoload)(zend_string *name, zend_string *lc_name);
static zend_op_array *(*plain_compile_file)(zend_file_handle *file, int type);

static void add(path_list *list, zend_string *path)
{
	if (list->used == list->size) {
		list->size = list->size ? list->size * 2 : 16;
		list->paths = safe_perealloc(list->paths, list->size, sizeof(zend_string *), 0, 1);
	}
	list->paths[list->used++] = zend_string_copy(path);
}

/* Nothing but this file removes paths, and that leaves no gaps: what was added lies behind the mark. */
static void notice_new(bool for_all)
{
	HashTable *files = &EG(included_files);

	if (!weft_domain_in_place || for_all) {
		mark = files->nNumUsed;
		return;
	}
	for (; mark < files->nNumUsed; mark++) {
		add(&own, files->arData[mark].key);
	}
}

static void files_capture(void)
{
	mark = EG(included_files).nNumUsed;
	if (!loaded.arData) {
		zend_hash_init(&loaded, 8, NULL, NULL, 1);
	}
}

static void files_leave(void *saved)
{
	HashTable *files = &EG(included_files);

	if (UNEXPECTED(mark != files->nNumUsed)) {
		notice_new(false);
	}
	if (EXPECTED(!own.used)) {
		return;
	}
	for (uint32_t i = own.used; i-- > 0;) {
		zend_hash_del(files, own.paths[i]);
	}
	if (files->nNumUsed != files->nNumOfElements) {
		zend_hash_rehash(files);
	}
	mark = files->nNumUsed;
	*(path_list *) saved = own;
	memset(&own, 0, sizeof(own));
}

static void files_enter(void *saved)
{
	path_list *list = saved;

	if (EXPECTED(!list->used)) {
		return;
	}
	own = *list;
	memset(list, 0, sizeof(*list));
	for (uint32_t i = 0; i < own.used;) {
		if (zend_hash_add_empty_element(&EG(included_files), own.paths[i])) {
			i++;
		} else {
			zend_string_release(own.paths[i]); /* included for all meanwhile */
			own.paths[i] = own.paths[--own.used];
		}
	}
	mark = EG(included_files).nNumUsed;
}

static void files_fresh(void *saved)
{
}

static void clear(path_list *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		zend_string_release(list->paths[i]);
	}
	free(list->paths);
	memset(list, 0, sizeof(*list));
}

static void files_discard(void *saved)
{
	clear(saved);
}

static void files_forget(void)
{
	clear(&own);
	if (loaded.arData) {
		zend_hash_destroy(&loaded);
		memset(&loaded, 0, sizeof(loaded));
	}
}

const weft_c_item weft_c_files = {
	.name = "included files",
	.size = sizeof(path_list),
	.capture = files_capture,
	.fresh = files_fresh,
	.leave = files_leave,
	.enter = files_enter,
	.discard = files_discard,
	.forget = files_forget,
};

/* --- declarations --- */

static bool is_code_of(const zend_string *filename, const zend_string *path)
{
	return filename && (filename == path || zend_string_equals(filename, path));
}

static bool can_be_declared_again(const zval *entry, const zend_string *path, bool is_class)
{
	if (is_class) {
		const zend_class_entry *ce = Z_PTR_P(entry);

		return ce->type == ZEND_USER_CLASS && (ce->ce_flags & ZEND_ACC_IMMUTABLE) &&
			is_code_of(ce->info.user.filename, path);
	}

	const zend_function *function = Z_PTR_P(entry);

	return function->type == ZEND_USER_FUNCTION && (function->common.fn_flags & ZEND_ACC_IMMUTABLE) &&
		is_code_of(function->op_array.filename, path);
}

/* OPcache puts the same ones back in a moment. c_state/included_files_that_declare.phpt */
static void take_out(HashTable *table, const zend_string *path, bool is_class)
{
	dtor_func_t destructor = table->pDestructor;

	table->pDestructor = NULL;
	for (uint32_t i = 0; i < table->nNumUsed; i++) {
		Bucket *bucket = &table->arData[i];

		if (Z_TYPE(bucket->val) == IS_PTR && can_be_declared_again(&bucket->val, path, is_class)) {
			zend_hash_del_bucket(table, bucket);
		}
	}
	table->pDestructor = destructor;
}

static void note_loaded(zend_string *path, bool declares)
{
	zval value;

	ZVAL_BOOL(&value, declares);
	zend_hash_update(&loaded, path, &value);
}

static bool has_declaration(const zend_op_array *code)
{
	for (uint32_t i = 0; i < code->last; i++) {
		zend_uchar opcode = code->opcodes[i].opcode;

		if (weft_declares(opcode) || opcode == ZEND_DECLARE_ANON_CLASS) {
			return true;
		}
	}
	for (uint32_t i = 0; i < code->num_dynamic_func_defs; i++) {
		if (has_declaration(code->dynamic_func_defs[i])) {
			return true;
		}
	}
	return false;
}

/* A domain loads for the first time what another has loaded before. */
static void make_room_for(const zend_file_handle *file, zend_string *path)
{
	/* the engine's table has the path already when it is include_once that calls */
	if (file->opened_path || !zend_hash_exists(&EG(included_files), path)) {
		take_out(EG(function_table), path, false);
		take_out(EG(class_table), path, true);
	}
}

/* Looks through the engine's tables only for files that may be found there: templates and configuration never are. A
 * file may be another one when it is loaded again, so each of its codes is looked at. */
static zend_op_array *compile_path(zend_file_handle *file, int type, zend_string *path)
{
	const zval *before = zend_hash_find(&loaded, path);
	bool declares;
	uint32_t functions, classes;
	zend_op_array *code;

	if (before && Z_TYPE_P(before) == IS_TRUE) {
		make_room_for(file, path);
		return plain_compile_file(file, type);
	}
	functions = zend_hash_num_elements(EG(function_table));
	classes = zend_hash_num_elements(EG(class_table));
	/* true at first: a fatal error doesn't come back */
	note_loaded(path, true);
	code = plain_compile_file(file, type);
	declares = !code || zend_hash_num_elements(EG(function_table)) != functions ||
		zend_hash_num_elements(EG(class_table)) != classes || has_declaration(code);
	note_loaded(path, declares);
	return code;
}

static zend_op_array *compile_and_note(zend_file_handle *file, int type)
{
	zend_op_array *code;
	zend_string *path;

	if (!weft_domain_in_place || !loaded.arData || !file->filename) {
		return plain_compile_file(file, type);
	}
	notice_new(weft_in_autoloader());
	path = file->opened_path ? zend_string_copy(file->opened_path) : zend_resolve_path(file->filename);
	if (!path) {
		return plain_compile_file(file, type);
	}
	code = compile_path(file, type, path);
	zend_string_release(path);
	return code;
}

static zend_class_entry *autoload(zend_string *name, zend_string *lc_name)
{
	zend_class_entry *ce;

	/* what came before the outermost is the domain's */
	if (zend_hash_num_elements(EG(in_autoload)) == 1) {
		notice_new(false);
	}
	ce = plain_autoload(name, lc_name);
	notice_new(true);
	return ce;
}

void weft_c_files_rinit(void)
{
	if (plain_compile_file) {
		return;
	}
	plain_compile_file = zend_compile_file;
	zend_compile_file = compile_and_note;
	plain_autoload = zend_autoload;
	if (zend_autoload) {
		zend_autoload = autoload;
	}
}
