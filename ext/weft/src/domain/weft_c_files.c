/*
 * The list of included files: include_once runs a file in each request. It is one of the engine's tables, so a domain
 * that has tables of its own (weft_tables.h) has the list with them. One that includes templates and configuration, and
 * declares nothing, doesn't need those: its paths are taken out of the base's list and put back.
 *
 * What an autoloader includes counts as included for all, since the classes it looked for are there for all.
 */
#include "domain/weft_declarations.h"
#include "globals/weft_c_state.h"
#include "domain/weft_base.h"
#include "domain/weft_tables.h"
#include "coroutine/weft_coroutine.h"
#include "weft_grow.h"

typedef struct {
	zend_string **paths;
	uint32_t used;
	uint32_t size;
} path_list;

/* The paths of the domain in place, of those in the engine's table before `mark`. */
static path_list own;
static uint32_t mark;
/* While a domain gets tables of its own. */
static path_list parting;
static zend_class_entry *(*plain_autoload)(zend_string *name, zend_string *lc_name);

static void path_add(path_list *list, zend_string *path)
{
	WEFT_GROW(list->paths, list->used, list->size);
	list->paths[list->used++] = zend_string_copy(path);
}

/* Nothing but this file removes paths, and that leaves no gaps: what was added lies behind the mark. */
static void notice_new(bool for_all)
{
	HashTable *files = &EG(included_files);

	if (weft_has_own_tables()) {
		return;
	}
	if (!weft_domain_in_place || for_all) {
		mark = files->nNumUsed;
		return;
	}
	for (; mark < files->nNumUsed; mark++) {
		path_add(&own, files->arData[mark].key);
	}
}

static void files_capture(void)
{
	mark = EG(included_files).nNumUsed;
}

static void files_leave(void *saved)
{
	HashTable *files = &EG(included_files);

	if (UNEXPECTED(weft_has_own_tables())) {
		return;
	}
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

static void paths_clear(path_list *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		zend_string_release(list->paths[i]);
	}
	free(list->paths);
	memset(list, 0, sizeof(*list));
}

static void files_discard(void *saved)
{
	paths_clear(saved);
}

static void files_forget(void)
{
	paths_clear(&own);
}

static const weft_c_item files_item = {
	.name = "included files",
	.size = sizeof(path_list),
	.capture = files_capture,
	.leave = files_leave,
	.enter = files_enter,
	.discard = files_discard,
	.forget = files_forget,
};

void weft_c_files_part(void)
{
	files_leave(&parting);
}

void weft_c_files_join(void)
{
	for (uint32_t i = 0; i < parting.used; i++) {
		zend_hash_add_empty_element(&EG(included_files), parting.paths[i]);
	}
	paths_clear(&parting);
}

void weft_c_files_notice(void)
{
	if (weft_domain_in_place) {
		notice_new(weft_in_autoloader());
	}
}

static zend_class_entry *autoload(zend_string *name, zend_string *lc_name)
{
	zend_class_entry *ce;

	/* what came before the outermost is the domain's */
	if (weft_autoloading_count() == 1) {
		notice_new(false);
	}
	ce = plain_autoload(name, lc_name);
	notice_new(true);
	return ce;
}

void weft_c_files_minit(void)
{
	weft_c_state_add(&files_item);
}

void weft_c_files_rinit(void)
{
	if (!plain_autoload && zend_autoload) {
		plain_autoload = zend_autoload;
		zend_autoload = autoload;
	}
}
