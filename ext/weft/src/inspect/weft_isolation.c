/*
 * The functions of namespace Weft\Isolation.
 */
#include "php.h"
#include "domain/weft_domain.h"
#include "inspect/weft_inspect.h"
#include "domain/scan/weft_scan.h"
#include "domain/weft_base.h"
#include "coroutine/weft_coroutine.h"
#include "inspect/weft_isolation_arginfo.h"
#include "php_output.h"
#include "zend_exceptions.h"

ZEND_FUNCTION(Weft_Isolation_snapshot)
{
	ZEND_PARSE_PARAMETERS_NONE();
	weft_snapshot_take();
}

ZEND_FUNCTION(Weft_Isolation_enabled)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(weft_snapshot_taken());
}

ZEND_FUNCTION(Weft_Isolation_stats)
{
	const weft_isolation_stats *stats = weft_isolation_statistics();
	zval uncovered, refused;

	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	add_assoc_long(return_value, "objects", stats->objects);
	add_assoc_long(return_value, "slots", stats->slots);
	add_assoc_long(return_value, "sharedReferences", stats->shared_references);
	add_assoc_long(return_value, "lateClasses", (zend_long) stats->late_classes);
	add_assoc_long(return_value, "ownTables", (zend_long) stats->tables);
	add_assoc_long(return_value, "switches", (zend_long) stats->switches);
	add_assoc_long(return_value, "dirty", (zend_long) stats->dirty);
	add_assoc_long(return_value, "scans", (zend_long) stats->scans.met);
	add_assoc_long(return_value, "sparedScans", (zend_long) stats->spared);
	add_assoc_long(return_value, "scannedNs", (zend_long) weft_histogram_estimate(&stats->scans));
	add_assoc_long(return_value, "scanMedianNs", (zend_long) weft_histogram_quantile(&stats->scans, 0.5));
	add_assoc_long(return_value, "switchMedianNs", (zend_long) weft_histogram_quantile(&stats->whole, 0.5));
	add_assoc_long(return_value, "switchedNs", (zend_long) weft_histogram_estimate(&stats->whole));
	add_assoc_string(return_value, "scanKernel", weft_scan_kernel_name());
	weft_uncovered_count(&uncovered);
	add_assoc_zval(return_value, "uncovered", &uncovered);
	weft_refused_count(&refused);
	add_assoc_zval(return_value, "refused", &refused);
}

ZEND_FUNCTION(Weft_Isolation_uncovered)
{
	ZEND_PARSE_PARAMETERS_NONE();
	weft_uncovered_list(return_value);
}

/* False when a fatal error has ended the callable or the end of its domain. */
static bool run_in(weft_domain *domain, zend_fcall_info *call, zend_fcall_info_cache *cache, zval *exception)
{
	bool complete = false;

	zend_try {
		zend_call_function(call, cache);
		weft_take_exception(exception);
		weft_domain_end_callable(domain);
		complete = true;
	} zend_end_try();
	return complete;
}

ZEND_FUNCTION(Weft_Isolation_run)
{
	zend_fcall_info call;
	zend_fcall_info_cache cache;
	weft_domain *outer = weft_domain_in_place, *domain;
	int error_reporting = EG(error_reporting);
	zval exception;
	bool complete;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC(call, cache)
	ZEND_PARSE_PARAMETERS_END();

	domain = weft_domain_new();
	if (outer) {
		weft_domain_addref(outer);
	}
	weft_domain_move_into(domain);
	call.retval = return_value;
	ZVAL_UNDEF(&exception);
	complete = run_in(domain, &call, &cache, &exception);
	weft_domain_move_to(outer);
	EG(error_reporting) = error_reporting;
	weft_domain_release(domain);
	if (outer) {
		weft_domain_release(outer);
	}
	if (!complete) {
		weft_domain_pass_on_fatal();
	}
	if (Z_TYPE(exception) == IS_OBJECT) {
		zend_throw_exception_object(&exception);
	} else if (Z_ISUNDEF_P(return_value)) {
		ZVAL_NULL(return_value); /* exit() has ended it */
	}
}

void weft_isolation_register_functions(void)
{
	zend_register_functions(NULL, ext_functions, NULL, MODULE_PERSISTENT);
}
