/*
 * The module: its ini directives, and the order in which the floors start and stop.
 */
#ifdef HAVE_CONFIG_H
# include "config.h"
#endif

#include "php_weft.h"
#include "php_ini.h"
#include "ext/standard/info.h"

#include "async/weft_async.h"
#include "coroutine/weft_coroutine.h"
#include "handles/weft_handles.h"
#include "http/weft_http.h"
#include "interpose/weft_interpose.h"
#include "isolation/weft_domain.h"
#include "pdo/weft_pdo.h"
#include "server/weft_server.h"

ZEND_DECLARE_MODULE_GLOBALS(weft)

/* A coroutine has the C stack of a process: 8 MB, of which only touched pages cost memory. Deep structures are
 * freed and compared recursively; with less a coroutine would crash on what plain PHP survives. */
#define MINIMAL_STACK 65536
#define LONGEST_TIME_SLICE 60000

static ZEND_INI_MH(on_stack_size)
{
	zend_long size = zend_ini_parse_quantity_warn(new_value, entry->name);

	if (size < MINIMAL_STACK) {
		zend_error(E_WARNING, "weft.stack_size must be at least %d bytes, %s given", MINIMAL_STACK, ZSTR_VAL(new_value));
		return FAILURE;
	}
	return OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

/* A number, so that a misspelt unit is not taken for "off". */
static ZEND_INI_MH(on_time_slice)
{
	double milliseconds;
	zend_long whole;
	uint8_t type = is_numeric_string(ZSTR_VAL(new_value), ZSTR_LEN(new_value), &whole, &milliseconds, false);

	milliseconds = type == IS_LONG ? (double) whole : milliseconds;
	if (!type || !(milliseconds >= 0 && milliseconds <= LONGEST_TIME_SLICE)) {
		zend_error(E_WARNING, "weft.time_slice must be a number of milliseconds from 0 to %d, \"%s\" given",
			LONGEST_TIME_SLICE, ZSTR_VAL(new_value));
		return FAILURE;
	}
	WEFT_G(time_slice) = milliseconds;
	return SUCCESS;
}

static ZEND_INI_MH(on_pdo_lease)
{
	bool request = zend_string_equals_literal_ci(new_value, "request");

	if (!request && !zend_string_equals_literal_ci(new_value, "statement")) {
		zend_error(E_WARNING, "weft.pdo_lease must be \"statement\" or \"request\", \"%s\" given", ZSTR_VAL(new_value));
		return FAILURE;
	}
	WEFT_G(pdo_lease_request) = request;
	return SUCCESS;
}

/* "auto" is kept as -1. */
static ZEND_INI_MH(on_pdo_pool_max)
{
	if (zend_string_equals_literal_ci(new_value, "auto")) {
		WEFT_G(pdo_pool_max) = -1;
		return SUCCESS;
	}
	if (is_numeric_string(ZSTR_VAL(new_value), ZSTR_LEN(new_value), NULL, NULL, false) != IS_LONG) {
		zend_error(E_WARNING, "weft.pdo_pool_max must be \"auto\" or a number from 0, \"%s\" given", ZSTR_VAL(new_value));
		return FAILURE;
	}
	return OnUpdateLongGEZero(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

PHP_INI_BEGIN()
	STD_PHP_INI_BOOLEAN("weft.interpose", "1", PHP_INI_SYSTEM, OnUpdateBool, interpose, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.stack_size", "8M", PHP_INI_SYSTEM, on_stack_size, stack_size, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.stack_pool", "64", PHP_INI_SYSTEM, OnUpdateLongGEZero, stack_pool, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.still_pages", "256", PHP_INI_SYSTEM, OnUpdateLongGEZero, still_pages, zend_weft_globals, weft_globals)
	PHP_INI_ENTRY("weft.time_slice", "10", PHP_INI_SYSTEM, on_time_slice)
	STD_PHP_INI_ENTRY("weft.stress", "0", PHP_INI_SYSTEM, OnUpdateLongGEZero, stress, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.stress_seed", "0", PHP_INI_SYSTEM, OnUpdateLongGEZero, stress_seed, zend_weft_globals, weft_globals)
	STD_PHP_INI_BOOLEAN("weft.test_coroutine", "0", PHP_INI_SYSTEM, OnUpdateBool, test_coroutine, zend_weft_globals, weft_globals)
	STD_PHP_INI_BOOLEAN("weft.test_snapshot", "0", PHP_INI_SYSTEM, OnUpdateBool, test_snapshot, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.test_ticker", "0", PHP_INI_SYSTEM, OnUpdateLongGEZero, test_ticker, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.retiring_workers", "4", PHP_INI_SYSTEM, OnUpdateLongGEZero, retiring_workers, zend_weft_globals, weft_globals)
	PHP_INI_ENTRY("weft.pdo_lease", "statement", PHP_INI_SYSTEM, on_pdo_lease)
	STD_PHP_INI_ENTRY("weft.pdo_pool_max", "auto", PHP_INI_SYSTEM, on_pdo_pool_max, pdo_pool_max, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.pdo_request_max", "100", PHP_INI_SYSTEM, OnUpdateLongGEZero, pdo_request_max, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.pdo_pool_min", "0", PHP_INI_SYSTEM, OnUpdateLongGEZero, pdo_pool_min, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.pdo_idle_time", "60", PHP_INI_SYSTEM, OnUpdateLongGEZero, pdo_idle_time, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.pdo_max_life", "1800", PHP_INI_SYSTEM, OnUpdateLongGEZero, pdo_max_life, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.pdo_acquire_timeout", "5", PHP_INI_SYSTEM, OnUpdateReal, pdo_acquire_timeout, zend_weft_globals, weft_globals)
	STD_PHP_INI_ENTRY("weft.pdo_statement_cache", "100", PHP_INI_SYSTEM, OnUpdateLongGEZero, pdo_statement_cache, zend_weft_globals, weft_globals)
PHP_INI_END()

static PHP_MINIT_FUNCTION(weft)
{
	REGISTER_INI_ENTRIES();
	weft_coroutine_minit();
	weft_interpose_minit();
	weft_isolation_minit();
	weft_pdo_minit();
	weft_handles_minit();
	weft_async_minit();
	weft_http_minit(module_number);
	weft_server_minit();
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(weft)
{
	weft_isolation_mshutdown();
	weft_interpose_mshutdown();
	weft_coroutine_mshutdown();
	UNREGISTER_INI_ENTRIES();
	return SUCCESS;
}

static PHP_RINIT_FUNCTION(weft)
{
	weft_coroutine_rinit();
	weft_isolation_rinit();
	weft_pdo_rinit();
	weft_handles_rinit();
	weft_async_rinit();
	weft_test_mode_rinit();
	return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(weft)
{
	weft_server_rshutdown();
	weft_coroutine_rshutdown();
	weft_test_mode_rshutdown();
	weft_interpose_rshutdown();
	weft_http_rshutdown();
	weft_handles_rshutdown();
	weft_pdo_rshutdown();
	weft_isolation_rshutdown();
	return SUCCESS;
}

static PHP_MINFO_FUNCTION(weft)
{
	php_info_print_table_start();
	php_info_print_table_row(2, "Weft", PHP_WEFT_VERSION);
	php_info_print_table_end();
	DISPLAY_INI_ENTRIES();
}

zend_module_entry weft_module_entry = {
	STANDARD_MODULE_HEADER,
	"weft",
	NULL,
	PHP_MINIT(weft),
	PHP_MSHUTDOWN(weft),
	PHP_RINIT(weft),
	PHP_RSHUTDOWN(weft),
	PHP_MINFO(weft),
	PHP_WEFT_VERSION,
	PHP_MODULE_GLOBALS(weft),
	NULL,
	NULL,
	NULL,
	STANDARD_MODULE_PROPERTIES_EX,
};

#ifdef COMPILE_DL_WEFT
ZEND_GET_MODULE(weft)
#endif
