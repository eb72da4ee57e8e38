/*
 * What the MongoDB driver would keep of one request for all: subscribers to every command of the process. Its clients
 * are shared, as under PHP-FPM, and safe: a command and its reply are one call, and no other is under way meanwhile.
 */
#include "interpose/guard/weft_modules.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_wrap.h"

#include "zend_exceptions.h"

#define SUBSCRIBE "mongodb\\driver\\monitoring\\addsubscriber"

static zif_handler plain_subscribe;

static ZEND_FUNCTION(weft_mongodb_subscribe)
{
	if (weft_domain_in_place) {
		zend_throw_exception(NULL,
			"MongoDB\\Driver\\Monitoring\\addSubscriber() in a request would hear the commands of all requests, and "
			"the driver has no way to keep them apart. Call addSubscriber() of the MongoDB\\Driver\\Manager, or "
			"subscribe during boot",
			0);
		return;
	}
	plain_subscribe(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void weft_mongodb_rinit(void)
{
	if (!plain_subscribe && zend_hash_str_exists(CG(function_table), ZEND_STRL(SUBSCRIBE))) {
		plain_subscribe = weft_wrap("mongodb", NULL, SUBSCRIBE, zif_weft_mongodb_subscribe);
	}
}
