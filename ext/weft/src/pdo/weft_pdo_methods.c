/*
 * Methods that a driver adds to PDO: those that PDO asks it for (pgsqlCopyFromArray()), and since 8.4 those of its own
 * class (Pdo\Pgsql::copyFromArray()). They read the driver's part of the connection from the object they are called
 * on, so they are called on a link's.
 */
#include "pdo/weft_pdo_methods.h"
#include "pdo/weft_pdo.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_dry_run.h"
#include "pdo/weft_pdo_lease.h"
#include "coroutine/weft_wrap.h"
#include "domain/weft_domain.h"
#include "zend_exceptions.h"

/* A method of a driver's class, which now has our handler. */
typedef struct {
	const zend_class_entry *scope;
	const zend_string *name;
	zif_handler original;
} class_method;

/* A call on an object of the boot. */
struct weft_pdo_call {
	weft_pdo_call *next;
	zend_internal_function function;
	uint32_t count;
	zval arguments[];
};

static class_method *class_methods;
static uint32_t class_method_count;

/* Else it was never constructed, or is a link's own. */
static bool is_ours(const pdo_dbh_t *dbh)
{
	return dbh->methods && dbh->methods->preparer == weft_pdo_statement_prepare;
}

/* Whoever is told to end in the middle of COPY leaves the rest of it on its way. */
static bool was_interrupted(void)
{
	return EG(exception) && zend_is_graceful_exit(EG(exception));
}

/* What it sets is the connection's, and no reset takes it away: a callback of this request must not outlive it. */
static bool sets_something(const weft_pdo_link *link, const zend_string *name)
{
	return link->pool && strncasecmp(ZSTR_VAL(name), "set", strlen("set")) == 0;
}

/* --- what the boot has made on a connection without a pool --- */

/* sqliteCreateFunction(), createCollation(), loadExtension(), setAuthorizer() and the like. */
static bool makes_something(const zend_string *name)
{
	return zend_memnistr(ZSTR_VAL(name), "create", strlen("create"), ZSTR_VAL(name) + ZSTR_LEN(name)) ||
		strncasecmp(ZSTR_VAL(name), "load", strlen("load")) == 0 ||
		strncasecmp(ZSTR_VAL(name), "set", strlen("set")) == 0;
}

/* Each request opens a connection of its own in the place of the boot's, and finds there what was made on that. */
static void remember_call(weft_pdo_handle *handle, zend_execute_data *execute_data, zif_handler method)
{
	uint32_t count = ZEND_NUM_ARGS();
	weft_pdo_call **place = &handle->calls, *call;

	if (handle->pool || weft_domain_in_place || EG(exception) || !makes_something(EX(func)->common.function_name)) {
		return;
	}
	call = safe_pemalloc(count, sizeof(zval), sizeof(*call), 1);
	call->next = NULL;
	call->function = EX(func)->internal_function;
	/* it has said so to the boot; and it may have been called by a closure of it, which is gone by then */
	call->function.fn_flags &= ~(ZEND_ACC_DEPRECATED | ZEND_ACC_CLOSURE | ZEND_ACC_FAKE_CLOSURE);
	call->function.handler = method;
	call->count = count;
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY_DEREF(&call->arguments[i], ZEND_CALL_ARG(execute_data, i + 1));
	}
	while (*place) {
		place = &(*place)->next;
	}
	*place = call;
}

bool weft_pdo_methods_repeat(const weft_pdo_handle *handle, weft_pdo_link *link)
{
	zval result;

	for (weft_pdo_call *call = handle->calls; call && !EG(exception); call = call->next) {
		ZVAL_UNDEF(&result);
		zend_call_known_function((zend_function *) &call->function, link->hidden, link->hidden->ce, &result,
			call->count, call->arguments, NULL);
		zval_ptr_dtor(&result);
	}
	return !EG(exception);
}

void weft_pdo_methods_forget(weft_pdo_handle *handle)
{
	weft_pdo_call *call;

	while ((call = handle->calls)) {
		handle->calls = call->next;
		for (uint32_t i = 0; i < call->count; i++) {
			zval_ptr_dtor(&call->arguments[i]);
		}
		free(call);
	}
}

/* --- the call --- */

/* Streams that the driver makes keep the object that they find here. */
static void call_on_link(INTERNAL_FUNCTION_PARAMETERS, zif_handler original, zif_handler method)
{
	zend_object *object = Z_OBJ_P(ZEND_THIS);
	pdo_dbh_t *dbh = php_pdo_dbh_fetch_inner(object);
	weft_pdo_handle *handle = dbh->driver_data;
	weft_pdo_link *link = weft_pdo_lease(handle, NULL);

	if (!link) {
		return;
	}
	if (!weft_pdo_dry_run_enter(link, NULL, 0)) {
		weft_pdo_driver_leave(dbh, link, false);
		return;
	}
	if (sets_something(link, EX(func)->common.function_name)) {
		link->pins |= WEFT_PIN_TOUCHED;
		link->attributes_changed = true;
	}
	Z_OBJ_P(ZEND_THIS) = link->hidden;
	original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	Z_OBJ_P(ZEND_THIS) = object;
	remember_call(handle, execute_data, method);
	strcpy(handle->dbh->error_code, link->dbh->error_code);
	weft_pdo_driver_leave(dbh, link, strcmp(link->dbh->error_code, PDO_ERR_NONE) == 0 && !was_interrupted());
}

/* --- those that PDO asks the driver for --- */

static zif_handler original_handler(const weft_pdo_driver *driver, const zend_string *name)
{
	const zend_function_entry *entry = driver->original_functions;

	while (!zend_string_equals_cstr(name, entry->fname, strlen(entry->fname))) {
		entry++;
	}
	return entry->handler;
}

static ZEND_FUNCTION(weft_pdo_driver_method)
{
	const pdo_dbh_t *dbh = Z_PDO_DBH_P(ZEND_THIS);
	bool ours = is_ours(dbh);
	const weft_pdo_driver *driver = ours ? ((weft_pdo_handle *) dbh->driver_data)->driver : weft_pdo_driver_of(dbh);
	zif_handler original = original_handler(driver, EX(func)->common.function_name);

	if (ours) {
		call_on_link(INTERNAL_FUNCTION_PARAM_PASSTHRU, original, zif_weft_pdo_driver_method);
	} else {
		original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	}
}

static uint32_t count_functions(const zend_function_entry *entries)
{
	uint32_t count = 0;

	while (entries[count].fname) {
		count++;
	}
	return count;
}

const zend_function_entry *weft_pdo_methods_of_driver(pdo_dbh_t *dbh, int kind)
{
	weft_pdo_driver *driver = ((weft_pdo_handle *) dbh->driver_data)->driver;
	const zend_function_entry *entries;
	uint32_t count;

	if (kind == PDO_DBH_DRIVER_METHOD_KIND_DBH && driver->functions) {
		return driver->functions;
	}
	entries = driver->original->get_driver_methods(dbh, kind);
	if (!entries || kind != PDO_DBH_DRIVER_METHOD_KIND_DBH) {
		return entries;
	}
	count = count_functions(entries);
	driver->original_functions = entries;
	driver->functions = safe_pemalloc(count + 1, sizeof(*entries), 0, 1);
	memcpy(driver->functions, entries, (count + 1) * sizeof(*entries));
	for (uint32_t i = 0; i < count; i++) {
		driver->functions[i].handler = zif_weft_pdo_driver_method;
	}
	return driver->functions;
}

/* --- those of the drivers' classes --- */

/* By its names: closures and classes that extend the class have copies of it. */
static zif_handler original_of_class(const zend_function *function)
{
	for (uint32_t i = 0; i < class_method_count; i++) {
		if (class_methods[i].scope == function->common.scope &&
			zend_string_equals(class_methods[i].name, function->common.function_name)) {
			return class_methods[i].original;
		}
	}
	return NULL;
}

static ZEND_FUNCTION(weft_pdo_class_method)
{
	const pdo_dbh_t *dbh = Z_PDO_DBH_P(ZEND_THIS);
	zif_handler original = original_of_class(EX(func));

	if (is_ours(dbh)) {
		call_on_link(INTERNAL_FUNCTION_PARAM_PASSTHRU, original, zif_weft_pdo_class_method);
	} else {
		original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	}
}

static void wrap_class_method(zend_function *function)
{
	zif_handler plain = weft_wrap_function(function, zif_weft_pdo_class_method);

	if (!plain || original_of_class(function)) {
		return;
	}
	class_methods = safe_perealloc(class_methods, class_method_count + 1, sizeof(*class_methods), 0, 1);
	class_methods[class_method_count].scope = function->common.scope;
	class_methods[class_method_count].name = function->common.function_name;
	class_methods[class_method_count].original = plain;
	class_method_count++;
}

/* What PDO has too calls back through the table of methods. */
static bool is_the_drivers(const zend_class_entry *pdo, zend_string *name, const zend_function *function)
{
	return function->type == ZEND_INTERNAL_FUNCTION && !(function->common.fn_flags & ZEND_ACC_STATIC) &&
		!zend_hash_exists(&pdo->function_table, name);
}

void weft_pdo_methods_of_classes(const zend_class_entry *pdo)
{
	zend_class_entry *ce;
	zend_string *name;
	zend_function *function;

	ZEND_HASH_MAP_FOREACH_PTR(CG(class_table), ce) {
		if (ce->type != ZEND_INTERNAL_CLASS || ce == pdo || !instanceof_function(ce, pdo)) {
			continue;
		}
		ZEND_HASH_MAP_FOREACH_STR_KEY_PTR(&ce->function_table, name, function) {
			if (is_the_drivers(pdo, name, function)) {
				wrap_class_method(function);
			}
		}
		ZEND_HASH_FOREACH_END();
	}
	ZEND_HASH_FOREACH_END();
}
