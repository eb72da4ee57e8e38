/*
 * Puts tables of our own in the place of the driver's, which say whose frame it is.
 */
#include "pdo/weft_pdo_unproven.h"
#include "pdo/weft_pdo.h"
#include "coroutine/weft_wrap.h"
#include "interpose/guard/weft_modules.h"
#include "interpose/guard/weft_module_frame.h"

#include "ext/pdo/php_pdo_driver.h"
#include "zend_smart_str.h"

#include <strings.h>

typedef struct unproven_driver {
	const pdo_driver_t *driver;
	const zend_module_entry *module;
	const struct pdo_dbh_methods *plain;
	const struct pdo_stmt_methods *plain_statement; /* NULL: none was prepared yet */
	struct pdo_dbh_methods methods;
	struct pdo_stmt_methods statement;
	struct unproven_driver *next;
} unproven_driver;

static unproven_driver *drivers;

static unproven_driver *find_driver(const pdo_driver_t *driver)
{
	unproven_driver *known = drivers;

	while (known && known->driver != driver) {
		known = known->next;
	}
	return known;
}

/* --- what PDO calls --- */

#define INSIDE(enter, connection, table, otherwise, result, call) \
	unproven_driver *known = find_driver((connection)->driver); \
	weft_module_frame frame; \
	if (UNEXPECTED(!enter(&frame, known->module))) { \
		return otherwise; \
	} \
	result known->table->call; \
	weft_module_leave(&frame)

static void connection_close(pdo_dbh_t *connection)
{
	INSIDE(weft_module_enter_to_free, connection, plain, , , closer(connection));
}

static void wrap_statement(unproven_driver *known, pdo_stmt_t *statement);

static bool connection_prepare(pdo_dbh_t *connection, zend_string *sql, pdo_stmt_t *statement, zval *options)
{
	INSIDE(weft_module_enter, connection, plain, false, bool done =, preparer(connection, sql, statement, options));
	if (done) {
		wrap_statement(known, statement);
	}
	return done;
}

static zend_long connection_do(pdo_dbh_t *connection, const zend_string *sql)
{
	INSIDE(weft_module_enter, connection, plain, -1, zend_long count =, doer(connection, sql));
	return count;
}

static zend_string *connection_quote(pdo_dbh_t *connection, const zend_string *text, enum pdo_param_type type)
{
	INSIDE(weft_module_enter, connection, plain, NULL, zend_string *quoted =, quoter(connection, text, type));
	return quoted;
}

#define TRANSACTION(name) \
	static bool connection_##name(pdo_dbh_t *connection) \
	{ \
		INSIDE(weft_module_enter, connection, plain, false, bool done =, name(connection)); \
		return done; \
	}
TRANSACTION(begin)
TRANSACTION(commit)
TRANSACTION(rollback)
TRANSACTION(in_transaction)

static bool connection_set_attribute(pdo_dbh_t *connection, zend_long attribute, zval *value)
{
	INSIDE(weft_module_enter, connection, plain, false, bool done =, set_attribute(connection, attribute, value));
	return done;
}

static zend_string *connection_last_id(pdo_dbh_t *connection, const zend_string *name)
{
	INSIDE(weft_module_enter, connection, plain, NULL, zend_string *id =, last_id(connection, name));
	return id;
}

static int connection_get_attribute(pdo_dbh_t *connection, zend_long attribute, zval *value)
{
	INSIDE(weft_module_enter, connection, plain, -1, int result =, get_attribute(connection, attribute, value));
	return result;
}

static zend_result connection_check(pdo_dbh_t *connection)
{
	INSIDE(weft_module_enter, connection, plain, FAILURE, zend_result result =, check_liveness(connection));
	return result;
}

static const struct pdo_dbh_methods wrapped = {
	.closer = connection_close,
	.preparer = connection_prepare,
	.doer = connection_do,
	.quoter = connection_quote,
	.begin = connection_begin,
	.commit = connection_commit,
	.rollback = connection_rollback,
	.set_attribute = connection_set_attribute,
	.last_id = connection_last_id,
	.get_attribute = connection_get_attribute,
	.check_liveness = connection_check,
	.in_transaction = connection_in_transaction,
};

static int statement_end(pdo_stmt_t *statement)
{
	INSIDE(weft_module_enter_to_free, statement->dbh, plain_statement, 0, int result =, dtor(statement));
	return result;
}

static int statement_execute(pdo_stmt_t *statement)
{
	INSIDE(weft_module_enter, statement->dbh, plain_statement, 0, int result =, executer(statement));
	return result;
}

static int statement_fetch(pdo_stmt_t *statement, enum pdo_fetch_orientation orientation, zend_long offset)
{
	INSIDE(weft_module_enter, statement->dbh, plain_statement, 0, int result =,
		fetcher(statement, orientation, offset));
	return result;
}

static int statement_describe(pdo_stmt_t *statement, int column)
{
	INSIDE(weft_module_enter, statement->dbh, plain_statement, 0, int result =, describer(statement, column));
	return result;
}

static int statement_get(pdo_stmt_t *statement, int column, zval *value, enum pdo_param_type *type)
{
	INSIDE(weft_module_enter, statement->dbh, plain_statement, 0, int result =,
		get_col(statement, column, value, type));
	return result;
}

static int statement_bind(pdo_stmt_t *statement, struct pdo_bound_param_data *parameter, enum pdo_param_event event)
{
	INSIDE(weft_module_enter, statement->dbh, plain_statement, 0, int result =,
		param_hook(statement, parameter, event));
	return result;
}

static int statement_next(pdo_stmt_t *statement)
{
	INSIDE(weft_module_enter, statement->dbh, plain_statement, 0, int result =, next_rowset(statement));
	return result;
}

static int statement_close(pdo_stmt_t *statement)
{
	INSIDE(weft_module_enter, statement->dbh, plain_statement, 0, int result =, cursor_closer(statement));
	return result;
}

static const struct pdo_stmt_methods wrapped_statement = {
	.dtor = statement_end,
	.executer = statement_execute,
	.fetcher = statement_fetch,
	.describer = statement_describe,
	.get_col = statement_get,
	.param_hook = statement_bind,
	.next_rowset = statement_next,
	.cursor_closer = statement_close,
};

/* --- putting them there --- */

/* Those of ours where both have one. */
static void merge(void *to, const void *plain, const void *ours, size_t size)
{
	for (size_t i = 0; i < size / sizeof(void *); i++) {
		void *one = ((void *const *) plain)[i], *other = ((void *const *) ours)[i];

		((void **) to)[i] = one && other ? other : one;
	}
}

/* A driver has one table for all of its statements. */
static void wrap_statement(unproven_driver *known, pdo_stmt_t *statement)
{
	if (!known->plain_statement && statement->methods) {
		known->plain_statement = statement->methods;
		merge(&known->statement, statement->methods, &wrapped_statement, sizeof(known->statement));
	}
	if (statement->methods == known->plain_statement) {
		statement->methods = &known->statement;
	}
}

static const zend_module_entry *module_of(const char *driver, size_t length)
{
	const zend_module_entry *module;

	ZEND_HASH_MAP_FOREACH_PTR(&module_registry, module) {
		if (strncasecmp(module->name, "pdo_", 4) == 0 && strlen(module->name) == 4 + length &&
			strncasecmp(module->name + 4, driver, length) == 0) {
			return module;
		}
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}

static void wrap_connection(pdo_dbh_t *connection)
{
	const pdo_driver_t *driver = connection->driver;
	unproven_driver *known = driver ? find_driver(driver) : NULL;
	const zend_module_entry *module = driver ? module_of(driver->driver_name, driver->driver_name_len) : NULL;

	if (!module || !connection->methods || weft_module_kind_of(module) == WEFT_MODULE_PROVEN) {
		return;
	}
	if (!known) {
		known = pecalloc(1, sizeof(*known), 1);
		known->driver = driver;
		known->module = module;
		known->plain = connection->methods;
		known->next = drivers;
		merge(&known->methods, connection->methods, &wrapped, sizeof(wrapped));
		drivers = known;
	}
	if (connection->methods == known->plain) {
		connection->methods = &known->methods;
	}
}

/* --- opening --- */

static zif_handler plain_constructor, plain_connect;

/* A name that is in php.ini (pdo.dsn.NAME), or a file that has it ("uri:"), leads to any driver: to one of PDO's own,
 * nobody connects so where it matters. NULL: that one is proven. */
static const zend_module_entry *module_to_connect(const zend_execute_data *execute_data)
{
	const zval *name = ZEND_NUM_ARGS() ? ZEND_CALL_ARG(execute_data, 1) : NULL;
	const char *colon = name && Z_TYPE_P(name) == IS_STRING ? strchr(Z_STRVAL_P(name), ':') : NULL;
	const zend_module_entry *module = colon ? module_of(Z_STRVAL_P(name), (size_t) (colon - Z_STRVAL_P(name))) : NULL;

	if (colon && !module) {
		return zend_hash_str_find_ptr(&module_registry, ZEND_STRL("pdo"));
	}
	return weft_module_kind_of(module) == WEFT_MODULE_PROVEN ? NULL : module;
}

static void open_with(zif_handler plain, INTERNAL_FUNCTION_PARAMETERS)
{
	const zend_module_entry *module = module_to_connect(execute_data);
	weft_module_frame frame;

	if (!module) {
		plain(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	} else if (weft_module_enter(&frame, module)) {
		plain(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		weft_module_leave(&frame);
	}
}

static ZEND_FUNCTION(weft_pdo_unproven_construct)
{
	open_with(plain_constructor, INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (Z_TYPE_P(ZEND_THIS) == IS_OBJECT) {
		wrap_connection(php_pdo_dbh_fetch_inner(Z_OBJ_P(ZEND_THIS)));
	}
}

static ZEND_FUNCTION(weft_pdo_unproven_connect)
{
	open_with(plain_connect, INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (Z_TYPE_P(return_value) == IS_OBJECT) {
		wrap_connection(php_pdo_dbh_fetch_inner(Z_OBJ_P(return_value)));
	}
}

static bool any_unproven(void)
{
	const zend_module_entry *module;

	ZEND_HASH_MAP_FOREACH_PTR(&module_registry, module) {
		if (strncasecmp(module->name, "pdo_", 4) == 0 && weft_module_kind_of(module) != WEFT_MODULE_PROVEN) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

void weft_pdo_unproven_wrap(void)
{
	const zend_class_entry *class = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdo"));

	if (!any_unproven()) {
		return;
	}
	plain_constructor = weft_wrap("pdo", "pdo", "__construct", zif_weft_pdo_unproven_construct);
	if (class && zend_hash_str_exists(&class->function_table, ZEND_STRL("connect"))) {
		plain_connect = weft_wrap("pdo", "pdo", "connect", zif_weft_pdo_unproven_connect);
	}
}
