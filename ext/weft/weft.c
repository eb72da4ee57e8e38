/*
 * The module: its ini directives, and the order in which the floors start and stop.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php_weft.h"
#include "php_ini.h"
#include "ext/standard/info.h"

#include "async/weft_async.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_wrap.h"
#include "directive/weft_directive.h"
#include "domain/weft_domain.h"
#include "globals/weft_c_output.h"
#include "handles/weft_handles.h"
#include "http/weft_http.h"
#include "inspect/weft_inspect.h"
#include "interpose/guard/weft_monitor.h"
#include "interpose/weft_interpose.h"
#include "pdo/weft_pdo.h"
#include "server/weft_server.h"
#include "warm/weft_warm.h"

ZEND_DECLARE_MODULE_GLOBALS(weft)

#define NUMBER(name, value, least, most, unit) \
	WEFT_NUMBER("weft." #name, value, name, zend_weft_globals, weft_globals, least, most, unit)
#define FRACTION(name, value, least, most, unit) \
	WEFT_FRACTION("weft." #name, value, name, zend_weft_globals, weft_globals, least, most, unit)
#define SWITCH(name, value) WEFT_SWITCH("weft." #name, value, name, zend_weft_globals, weft_globals)

PHP_INI_BEGIN()
	SWITCH(interpose, "1")
	STD_PHP_INI_ENTRY("weft.proven_modules", "none", PHP_INI_SYSTEM, OnUpdateString, proven_modules, zend_weft_globals,
		weft_globals)
	STD_PHP_INI_ENTRY("weft.guarded_modules", "none", PHP_INI_SYSTEM, OnUpdateString, guarded_modules,
		zend_weft_globals, weft_globals)
	/* A coroutine has the C stack of a process: 8 MB, of which only touched pages cost memory. Deep structures are
	 * freed and compared recursively; with less a coroutine would crash on what plain PHP survives. */
	NUMBER(stack_size, "8M", 65536, 1073741824, "bytes")
	NUMBER(stack_pool, "64", 0, 65536, "stacks")
	FRACTION(time_slice, "10", 0, 60000, "milliseconds")
	WEFT_WORD("weft.pdo_lease", "statement", pdo_lease_request, zend_weft_globals, weft_globals, "statement", "request")
	WEFT_NUMBER_OR("weft.pdo_pool_max", "auto", pdo_pool_max, zend_weft_globals, weft_globals, 0, 10000, "connections",
		"auto")
	NUMBER(pdo_pool_min, "0", 0, 10000, "connections")
	NUMBER(pdo_idle_time, "60", 0, 31536000, "seconds")
	NUMBER(pdo_max_life, "1800", 0, 31536000, "seconds")
	FRACTION(pdo_acquire_timeout, "5", 0, 86400, "seconds")
	NUMBER(pdo_statement_cache, "100", 0, 100000, "statements")
	NUMBER(retiring_workers, "4", 0, 1000, "workers")
	/* for the rehearsal of a warm-up, and as long again for itself; nothing is served meanwhile */
	FRACTION(warm_timeout, "30", 1, 3600, "seconds")
	/* when to look at the traffic first; each try doubles it */
	FRACTION(learn_after, "300", 1, 86400, "seconds")
	NUMBER(pdo_request_max, "100", 0, 10000, "connections")

	/* for tests: docs/internals/testing.md */
	NUMBER(stress, "0", 0, 1000000000, "interrupts")
	NUMBER(stress_seed, "0", 0, 2147483647, "")
	SWITCH(test_coroutine, "0")
	SWITCH(test_snapshot, "0")
	NUMBER(test_ticker, "0", 0, 60000, "milliseconds")
PHP_INI_END()

static PHP_MINIT_FUNCTION(weft)
{
	REGISTER_INI_ENTRIES();
	weft_coroutine_minit();
	weft_interpose_minit();
	weft_modules_minit();
	weft_isolation_minit();
	weft_warm_register();
	weft_isolation_register_functions();
	weft_audit_register_functions();
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
	weft_interpose_rinit();
	weft_modules_rinit();
	weft_output_rinit();
	weft_isolation_rinit();
	weft_pdo_rinit();
	weft_async_rinit();
	weft_test_mode_rinit();
	weft_wrap_report();
	return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(weft)
{
	weft_server_rshutdown();
	weft_coroutine_rshutdown();
	weft_monitors_abandon_others();
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
	char codings[128];

	weft_http_codings(codings, sizeof(codings));
	php_info_print_table_start();
	php_info_print_table_row(2, "Weft", PHP_WEFT_VERSION);
	php_info_print_table_row(2, "Content codings", codings);
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
