/*
 * OPcache in a process that stays inside of one PHP request.
 *
 * It takes the time once a request: a changed file would never be looked at again, and one that is younger than the
 * process never be kept. What is switched off "till the end of the request" would be off for good, for all. And a reset
 * waits until no process is in a request, which never comes: until then nothing new is kept. What it compiles without
 * running it declares its functions all the same, past the compiler that weft_compiling.c watches.
 */
#include "domain/weft_declarations.h"
#include "globals/weft_c_state.h"
#include "domain/weft_domain.h"
#include "domain/weft_base.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_wrap.h"
#include "SAPI.h"
#include <time.h>

/* OPcache's globals begin with its flags; the time is among the first of them. Its layout is no public matter, but its
 * directives tell where they lie, and what it does tells what is what. */
#define FLAGS 8
#define LOOKED_AT 1024

static const char *globals_to_search;
static time_t *request_time; /* NULL: OPcache does not run */
static time_t time_there;    /* what must be in it */
static bool *enabled_for_request;
static int (
	*plain_enable)(zend_ini_entry *entry, zend_string *value, void *offset, void *globals, void *more, int stage);
static zif_handler plain_reset, plain_compile_file;

static void report_time_missing(void)
{
	zend_error(E_WARNING,
		"Weft did not find where OPcache keeps the time: files that change while the server runs will be noticed by "
		"its "
		"restart only. Report this with the version of PHP");
}

/* It has the time at which the request has begun, and keeps that to the end. */
static void find_time(void)
{
	const char *globals = globals_to_search;

	globals_to_search = NULL;
	for (size_t i = FLAGS; i < LOOKED_AT; i += sizeof(time_t)) {
		if (*(time_t *) (globals + i) == time_there) {
			request_time = (time_t *) (globals + i);
			return;
		}
	}
	report_time_missing();
}

void weft_opcache_time_goes_on(void)
{
	/* its request begins after ours, and before the first code is compiled */
	if (UNEXPECTED(globals_to_search)) {
		find_time();
	}
	if (!weft_domain_in_place || !request_time) {
		return;
	}
	if (UNEXPECTED(*request_time != time_there)) {
		request_time = NULL;
		report_time_missing();
		return;
	}
	*request_time = time_there = time(NULL);
}

/* Off: two flags, and this is how we learn which the other one is. When another domain comes, or the domain ends, the
 * directive has its value back, and so must both. */
static ZEND_INI_MH(weft_enable)
{
	bool *flags = mh_arg2, before[FLAGS];
	int result;

	memcpy(before, flags, sizeof(before));
	result = plain_enable(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
	for (size_t i = 0; stage == ZEND_INI_STAGE_RUNTIME && i < FLAGS; i++) {
		if (before[i] && !flags[i] && i != (size_t) mh_arg1) {
			enabled_for_request = &flags[i];
		}
	}
	if (stage == ZEND_INI_STAGE_DEACTIVATE && enabled_for_request) {
		*enabled_for_request = flags[(size_t) mh_arg1];
	}
	return result;
}

/* What who calls it wants: that changed files are seen. */
static void invalidate_changed(HashTable *scripts)
{
	zend_string *path;
	zval arguments[2];

	ZEND_HASH_MAP_FOREACH_STR_KEY(scripts, path) {
		ZVAL_STR(&arguments[0], path);
		ZVAL_FALSE(&arguments[1]);
		weft_c_call("opcache_invalidate", NULL, 2, arguments);
	}
	ZEND_HASH_FOREACH_END();
}

static ZEND_FUNCTION(weft_opcache_reset)
{
	zval status, with_scripts, *scripts;

	if (!weft_domain_in_place || ZEND_NUM_ARGS()) {
		plain_reset(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		return;
	}
	ZVAL_TRUE(&with_scripts);
	weft_c_call("opcache_get_status", &status, 1, &with_scripts);
	if (Z_TYPE(status) != IS_ARRAY) {
		zval_ptr_dtor(&status);
		RETURN_FALSE;
	}
	scripts = zend_hash_str_find(Z_ARRVAL(status), ZEND_STRL("scripts"));
	if (scripts && Z_TYPE_P(scripts) == IS_ARRAY) {
		invalidate_changed(Z_ARRVAL_P(scripts));
	}
	zval_ptr_dtor(&status);
	RETURN_TRUE;
}

static ZEND_FUNCTION(weft_opcache_compile_file)
{
	weft_domain_needs_tables();
	plain_compile_file(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static bool is_running(void)
{
	return zend_ini_long(ZEND_STRL("opcache.enable"), 0) &&
		(strcmp(sapi_module.name, "cli") != 0 || zend_ini_long(ZEND_STRL("opcache.enable_cli"), 0));
}

static void search_time(const zend_ini_entry *enable)
{
	request_time = NULL;
	globals_to_search = is_running() ? enable->mh_arg2 : NULL;
	time_there = (time_t) sapi_get_request_time();
}

/* OPcache starts after all other modules. */
void weft_opcache_rinit(void)
{
	zend_ini_entry *enable = zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL("opcache.enable"));

	if (!enable || !enable->on_modify || !enable->mh_arg2 || (size_t) enable->mh_arg1 >= FLAGS) {
		return;
	}
	search_time(enable);
	if (plain_enable) {
		return;
	}
	plain_enable = enable->on_modify;
	enable->on_modify = weft_enable;
	plain_reset = weft_wrap("zend opcache", NULL, "opcache_reset", zif_weft_opcache_reset);
	plain_compile_file = weft_wrap("zend opcache", NULL, "opcache_compile_file", zif_weft_opcache_compile_file);
}
