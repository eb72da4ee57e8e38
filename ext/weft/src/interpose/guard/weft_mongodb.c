/*
 * What the MongoDB driver would tell one request of others: a subscriber hears every command of the client that its
 * manager has, and managers with the same address share a client, as under PHP-FPM. Sharing is safe otherwise: a
 * command and its reply are one call, and no other is under way meanwhile.
 */
#include "interpose/guard/weft_modules.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_wrap.h"

#include "zend_exceptions.h"

#define SUBSCRIBE "mongodb\\driver\\monitoring\\addsubscriber"
#define MANAGER "mongodb\\driver\\manager"
#define OPTION "disableClientPersistence"

static zif_handler plain_subscribe, plain_construct, plain_subscribe_manager;
/* By address: managers with a client of their own. Every one that is made is noted, so what is said of one that is gone
 * is not believed of the next. */
static HashTable own_clients;

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

static ZEND_FUNCTION(weft_mongodb_construct)
{
	const zval *options = ZEND_NUM_ARGS() > 2 ? ZEND_CALL_ARG(execute_data, 3) : NULL, *own = NULL;
	zend_ulong key = (zend_ulong) (uintptr_t) Z_OBJ_P(ZEND_THIS);

	if (options) {
		ZVAL_DEREF(options);
		own = Z_TYPE_P(options) == IS_ARRAY ? zend_hash_str_find_deref(Z_ARRVAL_P(options), ZEND_STRL(OPTION)) : NULL;
	}
	if (own && zend_is_true((zval *) own)) {
		zend_hash_index_add_empty_element(&own_clients, key);
	} else {
		zend_hash_index_del(&own_clients, key);
	}
	plain_construct(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static ZEND_FUNCTION(weft_mongodb_subscribe_manager)
{
	zend_ulong key = (zend_ulong) (uintptr_t) Z_OBJ_P(ZEND_THIS);

	if (weft_domain_in_place && !zend_hash_index_exists(&own_clients, key)) {
		zend_throw_exception(NULL,
			"MongoDB\\Driver\\Manager::addSubscriber() in a request would hear the commands of other requests, since "
			"managers with the same address share a client. Make the manager with the driver option "
			"['" OPTION "' => true], or subscribe during boot",
			0);
		return;
	}
	plain_subscribe_manager(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void weft_mongodb_rinit(void)
{
	if (plain_subscribe || !zend_hash_str_exists(CG(function_table), ZEND_STRL(SUBSCRIBE))) {
		return;
	}
	zend_hash_init(&own_clients, 8, NULL, NULL, 1);
	plain_subscribe = weft_wrap("mongodb", NULL, SUBSCRIBE, zif_weft_mongodb_subscribe);
	plain_construct = weft_wrap("mongodb", MANAGER, "__construct", zif_weft_mongodb_construct);
	plain_subscribe_manager = weft_wrap("mongodb", MANAGER, "addsubscriber", zif_weft_mongodb_subscribe_manager);
}
