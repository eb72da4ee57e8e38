/*
 * A request's input as C code sees it: the arrays that the superglobals were built from, and the copies of them that
 * filter_input() reads. The superglobals themselves are globals like any other.
 */
#include "globals/weft_spans.h"
#include "globals/weft_c_state.h"
#include "php_ini.h"
#include "php_variables.h"
#include "ext/filter/php_filter.h"

#define FILTERED 5 /* post, get, cookie, env, server */

static zend_filter_globals *filter;

/* ext/filter shows its globals to nobody, but its directive says where they lie. NULL: not there, or laid out unlike
 * its header. */
static void *find_filtered(void)
{
	const zend_ini_entry *directive = zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL("filter.default"));

	_Static_assert(offsetof(zend_filter_globals, default_filter) == FILTERED * sizeof(zval), "arrays come first");
	if (!directive || directive->mh_arg1 != (void *) offsetof(zend_filter_globals, default_filter)) {
		return NULL;
	}
	filter = directive->mh_arg2;
	return &filter->post_array;
}

static void values_drop(zval *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		zval_ptr_dtor(&values[i]);
	}
}

bool weft_c_input_filter(const zval *server)
{
	if (!filter && !find_filtered()) {
		return false;
	}
	if (server) {
		zval_ptr_dtor(&filter->server_array);
		ZVAL_COPY(&filter->server_array, server);
	} else {
		values_drop(&filter->post_array, FILTERED);
		memset(&filter->post_array, 0, FILTERED * sizeof(zval));
	}
	return true;
}

static void end_tracked(void *own)
{
	values_drop(own, NUM_TRACK_VARS);
}

static void end_filtered(void *own)
{
	values_drop(own, FILTERED);
}

/* http/input-of-interleaved-requests.phpt */
const weft_span weft_input_spans[] = {
	{.name = "input", WEFT_SPAN_OF(php_core_globals, core_globals, http_globals, http_globals), .end = end_tracked},
	{.name = "input", .find = find_filtered, .size = FILTERED * sizeof(zval), .end = end_filtered},
	{.name = NULL},
};
