/*
 * max_execution_time and set_time_limit(): PHP counts the CPU time of its process, with a signal. Here a request's own
 * is counted, and looked at where it has computed for a time slice.
 */
#include "http/weft_http_internal.h"

static ZEND_INI_MH((*plain_on_modify));

/* PHP's own handler would have a timer send signals, but not at a start, where all that it does is to keep the number.
 * As PHP does it, the count begins anew. The stage of a request's end is that of a switch, too. */
static ZEND_INI_MH(on_max_execution_time)
{
	int result = plain_on_modify(entry, new_value, mh_arg1, mh_arg2, mh_arg3, ZEND_INI_STAGE_STARTUP);
	weft_http_request *request = weft_request_current();

	if (request && stage != ZEND_INI_STAGE_DEACTIVATE) {
		weft_cpu_limit_begin(request, weft_domain_cpu_time());
		if (stage == ZEND_INI_STAGE_RUNTIME) {
			weft_time_limit_extend(request, EG(timeout_seconds));
		}
	} else if (stage == ZEND_INI_STAGE_RUNTIME) {
		weft_linger_cpu_begin();
	}
	return result;
}

void weft_cpu_limit_become_server(void)
{
	zend_ini_entry *entry = zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL("max_execution_time"));

	/* the timer of a limit that the command line has set: it would end the process */
	zend_unset_timeout();
	plain_on_modify = entry->on_modify;
	entry->on_modify = on_max_execution_time;
}

void weft_cpu_limit_begin(weft_http_request *request, uint64_t computed)
{
	request->cpu_limit = EG(timeout_seconds) > 0 ? (uint64_t) EG(timeout_seconds) * WEFT_NS_PER_SEC : 0;
	request->cpu_before = computed;
}

/* PHP's words. What the request does at its end has no such limit there either. */
void weft_cpu_limit_look(weft_http_request *request)
{
	/* what is not over yet is an estimate, and may be less at the next look */
	if (!request->cpu_limit || weft_domain_cpu_time() < request->cpu_before + request->cpu_limit) {
		return;
	}
	request->cpu_limit = 0;
	zend_error_noreturn(E_ERROR, "Maximum execution time of " ZEND_LONG_FMT " second%s exceeded", EG(timeout_seconds),
		EG(timeout_seconds) == 1 ? "" : "s");
}
