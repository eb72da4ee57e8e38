/*
 * What PDO's constructor does instead: finds or opens the pool, and gives the object a handle of it.
 */
#include "pdo/weft_pdo.h"
#include "pdo/weft_pdo_beyond.h"
#include "pdo/weft_pdo_domain.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_dry_run.h"
#include "pdo/weft_pdo_environment.h"
#include "pdo/weft_pdo_handle.h"
#include "pdo/weft_pdo_key.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_limit.h"
#include "pdo/weft_pdo_methods.h"
#include "pdo/weft_pdo_server.h"
#include "pdo/weft_pdo_view.h"
#include "pdo/weft_pdo_unproven.h"
#include "weft_classes.h"
#include "coroutine/weft_wrap.h"
#include "domain/weft_domain.h"
#include "domain/weft_php_request.h"
#include "php_weft.h"
#include "zend_exceptions.h"

/* dsn, user, password, options */
#define ARGUMENTS 4

static zend_class_entry *connection_class;
static zif_handler original_constructor, original_connect, original_get_attribute;
static zend_internal_function plain_constructor;
static zend_object_free_obj_t original_free;

zend_class_entry *weft_pdo_class(void)
{
	return connection_class;
}

zend_function *weft_pdo_original_constructor(void)
{
	return (zend_function *) &plain_constructor;
}

zend_class_entry *weft_pdo_exception_class(void)
{
	return zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdoexception"));
}

void weft_pdo_throw(const char *sqlstate, const char *format, ...)
{
	zend_class_entry *ce = weft_pdo_exception_class();
	zend_string *message, *whole;
	zval exception, info;
	va_list arguments;

	if (EG(exception)) {
		return;
	}
	va_start(arguments, format);
	message = zend_vstrpprintf(0, format, arguments);
	va_end(arguments);
	whole = zend_strpprintf(0, "SQLSTATE[%s]: %s", sqlstate, ZSTR_VAL(message));
	object_init_ex(&exception, ce);
	array_init(&info);
	add_next_index_string(&info, sqlstate);
	add_next_index_null(&info);
	add_next_index_str(&info, message);
	zend_update_property_str(zend_ce_exception, Z_OBJ(exception), ZEND_STRL("message"), whole);
	zend_update_property_string(zend_ce_exception, Z_OBJ(exception), ZEND_STRL("code"), sqlstate);
	zend_update_property(ce, Z_OBJ(exception), ZEND_STRL("errorInfo"), &info);
	zval_ptr_dtor(&info);
	zend_string_release(whole);
	zend_throw_exception_object(&exception);
}

/* --- the object's end --- */

static void connection_free(zend_object *object)
{
	pdo_dbh_t *inside;

	weft_pdo_view_forget_object(object);
	inside = php_pdo_dbh_fetch_inner(object);
	/* PDO rolls back what is open, and what it hears of that would be thrown at whoever comes next */
	if (inside->methods && inside->methods->preparer == weft_pdo_statement_prepare) {
		weft_pdo_handle_end_leases(inside->driver_data);
	}
	original_free(object);
}

/* All objects share one table of handlers; the first one shows where it is. */
static void replace_handlers(zend_object *object)
{
	zend_object_handlers *handlers = (zend_object_handlers *) object->handlers;

	if (handlers->free_obj != connection_free) {
		original_free = handlers->free_obj;
		handlers->free_obj = connection_free;
	}
}

/* --- opening --- */

/* A server that serves nothing else of ours is not asked how many it takes. */
static void release_first(weft_pdo_link *link)
{
	volatile bool complete = link->pool->server->total == 1;

	if (!complete) {
		zend_try {
			link->broken = !weft_pdo_limit_ask(link);
			complete = true;
		} zend_end_try();
		link->broken = link->broken || !complete;
	}
	weft_pdo_pool_release(link, weft_domain_in_place);
	if (!complete) {
		zend_bailout();
	}
}

/* What PDO has opened in this object goes to a hidden one; this one gets a handle. */
static weft_pdo_handle *split(zend_object *object, weft_pdo_pool *pool, uint32_t count, zval *arguments,
	zend_string *environment)
{
	pdo_dbh_t *fresh = php_pdo_dbh_fetch_inner(object), *inside;
	weft_pdo_driver *driver = weft_pdo_driver_of(fresh);
	weft_pdo_handle *handle;
	zend_object *hidden = weft_pdo_hidden_new(weft_internal_ancestor(object->ce));
	weft_pdo_link *link;

	inside = php_pdo_dbh_fetch_inner(hidden);
	php_pdo_dbh_fetch_object(hidden)->inner = fresh;
	php_pdo_dbh_fetch_object(object)->inner = inside;
	if (pool) {
		weft_pdo_pool_opened(pool, driver, fresh);
	}
	handle = weft_pdo_handle_new(inside, driver, pool, fresh);
	link = weft_pdo_link_new(hidden, driver, pool, handle->profile);
	if (pool) {
		/* it holds the pool now */
		weft_pdo_pool_let_go(pool);
		release_first(link);
	} else {
		weft_pdo_handle_own(handle, link, count, arguments, environment);
	}
	return handle;
}

static void adopt(zend_object *object, weft_pdo_handle *handle, bool persistent)
{
	handle->persistent = persistent;
	replace_handlers(object);
	if (!weft_domain_in_place) {
		weft_pdo_view_of_base(object);
	}
}

/* Whoever opens it may be waiting for what this request keeps. */
static bool may_wait_for_first(const weft_pdo_pool *pool)
{
	return weft_can_suspend() && (!weft_pdo_pool_waits_to_open(pool) || weft_pdo_beyond() == WEFT_PDO_MAY_WAIT);
}

/* A pool whose first connection has come; NULL when there is none, or with an exception. May suspend. */
static weft_pdo_pool *find_pool(zend_string *key)
{
	weft_pdo_pool *pool;

	while ((pool = weft_pdo_pool_find(key)) && pool->opening && may_wait_for_first(pool)) {
		if (!weft_pdo_pool_wait_for_first(pool)) {
			return NULL;
		}
	}
	return pool;
}

/* False when a fatal error came in between. */
static bool call_original(zend_execute_data *execute_data, zval *return_value, zif_handler original, zval *dsn,
	zend_string *environment)
{
	weft_pdo_environment_loan loan;
	volatile bool complete = false;

	/* a sibling may have changed it while this one waited */
	weft_pdo_environment_lend(&loan, environment, dsn);
	zend_try {
		original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		complete = true;
	} zend_end_try();
	weft_pdo_environment_take_back(&loan);
	return complete;
}

/* So that what opens it may be called once more. */
static void forget_failure(zval *object, bool is_result)
{
	pdo_dbh_t *inside;

	if (is_result) {
		zval_ptr_dtor(object);
		ZVAL_NULL(object);
		return;
	}
	inside = php_pdo_dbh_fetch_inner(Z_OBJ_P(object));
	if (inside->driver_data) {
		inside->methods->closer(inside);
		inside->driver_data = NULL;
	}
	if (inside->data_source) {
		efree((char *) inside->data_source);
	}
	if (inside->username) {
		efree(inside->username);
	}
	if (inside->password) {
		efree(inside->password);
	}
	inside->data_source = NULL;
	inside->username = NULL;
	inside->password = NULL;
	inside->methods = NULL;
}

/* Opens the first connection of a kind, or one that has no pool (NULL). `since`: when the wait for it began. */
static void open_now(zend_execute_data *execute_data, zval *return_value, zif_handler original, zval *object,
	weft_pdo_pool *pool, uint32_t count, zval *arguments, zend_string *environment, bool persistent, uint64_t since)
{
	bool complete = true, has_room = !pool || weft_pdo_pool_acquire_room(pool, since);

	while (has_room) {
		complete = call_original(execute_data, return_value, original, &arguments[0], environment);
		if (!pool || !complete || !EG(exception)) {
			break;
		}
		has_room = weft_pdo_pool_acquire_room_again(pool, since);
		if (has_room) {
			forget_failure(object, object == return_value);
		}
	}
	/* without room, and without an exception: it was cancelled while it waited */
	if (!has_room || !complete || EG(exception) || Z_TYPE_P(object) != IS_OBJECT) {
		if (pool) {
			weft_pdo_pool_failed(pool);
		}
		if (!complete) {
			zend_bailout();
		}
		if (EG(exception)) {
			weft_pdo_link_restore_end();
		}
		return;
	}
	adopt(Z_OBJ_P(object), split(Z_OBJ_P(object), pool, count, arguments, environment), persistent);
}

/* The class of the driver's own, which extends PDO; NULL: it has none. */
static zend_class_entry *class_of_driver(const weft_pdo_driver *driver)
{
	zend_string *name = zend_strpprintf(0, "pdo\\%s", driver->driver->driver_name);
	zend_class_entry *ce = zend_hash_find_ptr(CG(class_table), name);

	zend_string_release(name);
	return ce && ce->type == ZEND_INTERNAL_CLASS && instanceof_function(ce, connection_class) ? ce : NULL;
}

/* The class of the object that PDO::connect() makes when it is called on this one; NULL: it refuses to. */
static zend_class_entry *class_to_connect(zend_class_entry *called, const weft_pdo_driver *driver)
{
	zend_class_entry *of_driver = class_of_driver(driver);

	if (called == connection_class) {
		return of_driver ? of_driver : connection_class;
	}
	return !of_driver || weft_internal_ancestor(called) == of_driver ? called : NULL;
}

/* Whether PDO would go on to open a connection: a driver's class takes no other driver's. connect() makes the object */
static bool has_object(zend_execute_data *execute_data, zval *object, const weft_pdo_pool *pool)
{
	zend_class_entry *ce;

	if (Z_TYPE_P(object) == IS_OBJECT) {
		ce = weft_internal_ancestor(Z_OBJCE_P(object));
		return ce == connection_class || ce == class_of_driver(pool->driver);
	}
	ce = class_to_connect(Z_CE_P(ZEND_THIS), pool->driver);
	return ce && object_init_ex(object, ce) == SUCCESS;
}

/* A connection like this one was opened before: a handle will do. */
static void open_later(zend_object *object, weft_pdo_pool *pool, bool persistent)
{
	adopt(object, weft_pdo_handle_new(php_pdo_dbh_fetch_inner(object), pool->driver, pool, &pool->pristine),
		persistent);
}

/* A text names one of several persistent connections to the same server. */
static bool is_persistent(uint32_t count, zval *arguments)
{
	zval *options = count == ARGUMENTS ? &arguments[ARGUMENTS - 1] : NULL, *value;

	if (options) {
		ZVAL_DEREF(options);
	}
	if (!options || Z_TYPE_P(options) != IS_ARRAY) {
		return false;
	}
	value = zend_hash_index_find_deref(Z_ARRVAL_P(options), PDO_ATTR_PERSISTENT);
	return value &&
		(zval_get_long(value) ||
			(Z_TYPE_P(value) == IS_STRING && Z_STRLEN_P(value) &&
				!is_numeric_string(Z_STRVAL_P(value), Z_STRLEN_P(value), NULL, NULL, 0)));
}

/* PDO keeps persistent connections in one list for the whole process; two domains would get the same. */
static void drop_persistence(zval *options)
{
	ZVAL_DEREF(options);
	SEPARATE_ARRAY(options);
	zend_hash_index_del(Z_ARRVAL_P(options), PDO_ATTR_PERSISTENT);
}

static bool has_pool(const zval *dsn)
{
	return Z_TYPE_P(dsn) == IS_STRING &&
		(strncmp(Z_STRVAL_P(dsn), "pgsql:", strlen("pgsql:")) == 0 ||
			strncmp(Z_STRVAL_P(dsn), "mysql:", strlen("mysql:")) == 0);
}

static void open_with(zend_execute_data *execute_data, zval *return_value, zif_handler original, zval *object)
{
	uint32_t count = MIN(ZEND_NUM_ARGS(), ARGUMENTS);
	zend_string *key = NULL, *environment = NULL;
	zval arguments[ARGUMENTS];
	bool persistent = is_persistent(count, ZEND_CALL_ARG(execute_data, 1));
	uint64_t since = weft_now();
	weft_pdo_pool *pool;

	if (persistent) {
		/* SQLite, say, in a script that has no domains: PDO's own list serves */
		if (!has_pool(ZEND_CALL_ARG(execute_data, 1)) && !weft_domain_in_place && !weft_pdo_generation()) {
			original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
			return;
		}
		drop_persistence(ZEND_CALL_ARG(execute_data, ARGUMENTS));
	}
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY(&arguments[i], ZEND_CALL_ARG(execute_data, i + 1));
	}
	if (count) {
		environment = weft_pdo_environment(&arguments[0]);
	}
	if (count && has_pool(&arguments[0])) {
		key = weft_pdo_pool_key(count, arguments, environment);
	}
	pool = key ? find_pool(key) : NULL;
	if (!key && weft_php_request_in_place) {
		/* it is the request's own and ends with it, as all that it has */
		original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	} else if (pool && !pool->opening && has_object(execute_data, object, pool)) {
		open_later(Z_OBJ_P(object), pool, persistent);
	} else if (!EG(exception)) {
		/* one whose first connection is still to come may be somebody else's, whom this code can't wait for */
		pool = key && !pool ? weft_pdo_pool_new(key, count, arguments, environment) : NULL;
		open_now(execute_data, return_value, original, object, pool, count, arguments, environment, persistent, since);
	}
	if (key) {
		zend_string_release(key);
	}
	if (environment) {
		zend_string_release(environment);
	}
	for (uint32_t i = 0; i < count; i++) {
		zval_ptr_dtor(&arguments[i]);
	}
}

static ZEND_FUNCTION(weft_pdo_construct)
{
	/* a second call would leave what the first one made to nobody */
	if (php_pdo_dbh_fetch_inner(Z_OBJ_P(ZEND_THIS))->driver) {
		pdo_dbh_t *inside = php_pdo_dbh_fetch_inner(Z_OBJ_P(ZEND_THIS));

		inside->methods->closer(inside);
		inside->methods = NULL;
		inside->driver = NULL;
	}
	open_with(execute_data, return_value, original_constructor, ZEND_THIS);
}

/* PDO::connect() of 8.4 opens without calling the constructor. */
static ZEND_FUNCTION(weft_pdo_connect)
{
	open_with(execute_data, return_value, original_connect, return_value);
}

/* PDO answers some of it without asking the driver. */
static ZEND_FUNCTION(weft_pdo_get_attribute)
{
	pdo_dbh_t *inside = php_pdo_dbh_fetch_inner(Z_OBJ_P(ZEND_THIS));
	bool ours = inside->methods && inside->methods->preparer == weft_pdo_statement_prepare;

	if (ours && ((weft_pdo_handle *) inside->driver_data)->persistent && ZEND_NUM_ARGS() == 1 &&
		Z_TYPE_P(ZEND_CALL_ARG(execute_data, 1)) == IS_LONG &&
		Z_LVAL_P(ZEND_CALL_ARG(execute_data, 1)) == PDO_ATTR_PERSISTENT) {
		RETURN_TRUE;
	}
	original_get_attribute(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/* PDO replaces the values of a statement before the driver hears of it. While the driver looks at them, which may wait,
 * newer versions of PDO fetch nothing and don't ask the driver either. */
#define FOR_EACH_GUARDED(apply) \
	apply(execute) apply(bindvalue) apply(bindparam) apply(bindcolumn) apply(fetch) apply(fetchall) apply(fetchcolumn) \
		apply(fetchobject) apply(closecursor) apply(nextrowset)

#define DEFINE_GUARDED(name) \
	static zif_handler original_##name; \
\
	static ZEND_FUNCTION(weft_pdo_statement_##name) \
	{ \
		if (!weft_pdo_statement_is_taken(Z_PDO_STMT_P(ZEND_THIS))) { \
			original_##name(INTERNAL_FUNCTION_PARAM_PASSTHRU); \
		} \
	}

FOR_EACH_GUARDED(DEFINE_GUARDED)

static zend_object_iterator *(*original_get_iterator)(zend_class_entry *ce, zval *object, int by_reference);

static zend_object_iterator *guarded_get_iterator(zend_class_entry *ce, zval *object, int by_reference)
{
	return weft_pdo_statement_is_taken(Z_PDO_STMT_P(object)) ? NULL : original_get_iterator(ce, object, by_reference);
}

/* --- installation --- */

static void replace_methods(void)
{
	weft_pdo_unproven_wrap();
	plain_constructor = connection_class->constructor->internal_function;
	original_constructor = weft_wrap("pdo", "pdo", "__construct", zif_weft_pdo_construct);
	original_get_attribute = weft_wrap("pdo", "pdo", "getattribute", zif_weft_pdo_get_attribute);
	if (zend_hash_str_exists(&connection_class->function_table, ZEND_STRL("connect"))) {
		original_connect = weft_wrap("pdo", "pdo", "connect", zif_weft_pdo_connect);
	}
}

#define WRAP_GUARDED(name) original_##name = weft_wrap("pdo", "pdostatement", #name, zif_weft_pdo_statement_##name);

static void guard_statements(void)
{
	zend_class_entry *statements = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdostatement"));

	FOR_EACH_GUARDED(WRAP_GUARDED)
	original_get_iterator = statements->get_iterator;
	statements->get_iterator = guarded_get_iterator;
}

void weft_pdo_close_idle(void)
{
	weft_pdo_pool_close_idle();
}

void weft_pdo_minit(void)
{
	weft_pdo_link_minit();
	weft_pdo_statistics_minit();
	weft_pdo_dry_run_minit();
	weft_pdo_lease_minit();
	weft_pdo_view_minit();
	weft_pdo_domain_minit();
}

void weft_pdo_rinit(void)
{
	if (connection_class) {
		return;
	}
	connection_class = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdo"));
	if (connection_class) {
		replace_methods();
		guard_statements();
		weft_pdo_methods_of_classes(connection_class);
	}
}

void weft_pdo_rshutdown(void)
{
	weft_pdo_dry_run_rshutdown();
	weft_pdo_view_rshutdown();
	weft_pdo_domain_rshutdown();
	weft_pdo_lease_rshutdown();
	weft_pdo_pool_rshutdown();
}
