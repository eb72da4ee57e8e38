/*
 * Writes the request's time into the constant whenever a domain enters.
 */
#include "server/weft_start_time.h"

#include "domain/weft_domain.h"
#include "main/SAPI.h"
#include "zend_constants.h"

static zval *start_time;

static void on_enter(weft_domain *domain)
{
	if (domain != NULL) {
		/* PHP keeps it with the request's other information, which has just been put in place */
		Z_DVAL_P(start_time) = sapi_get_request_time();
	}
}

bool weft_start_time_constant(zend_string *name)
{
	zval *value = zend_get_constant(name);
	if (value == NULL || Z_TYPE_P(value) != IS_DOUBLE) {
		return false;
	}
	if (start_time == NULL) {
		weft_domain_on_enter(on_enter);
	}
	start_time = value;
	return true;
}
