#include "pdo/weft_pdo.h"
#include "pdo/weft_pdo_busy.h"
#include "pdo/weft_pdo_connection.h"
#include "zend_exceptions.h"

typedef struct {
	zend_string *name; /* interned; compared by address */
	zif_handler original;
} method;

/* PDO has 16 methods in 8.2, PDOStatement 21. */
#define MAX_METHODS 48

typedef struct {
	method methods[MAX_METHODS];
	uint32_t count;
} method_table;

static method_table connection_methods, statement_methods;
static zend_class_entry *connection_class, *statement_class;
static zif_handler original_constructor, original_connect;
static zend_object_free_obj_t original_connection_free, original_statement_free;
static zend_object_get_method_t original_get_method;

static zif_handler original_of(const method_table *table, const zend_function *function)
{
	for (uint32_t i = 0; i < table->count; i++) {
		if (table->methods[i].name == function->common.function_name) {
			return table->methods[i].original;
		}
	}
	ZEND_UNREACHABLE();
	return NULL;
}

/* --- handlers of the objects --- */

static void connection_free(zend_object *object)
{
	if (weft_pdo_connection_forget(object)) {
		original_connection_free(object);
		return;
	}
	/* Closing would send the server a good-bye on a socket that the parent and the siblings hold as well. */
	php_pdo_dbh_fetch_object(object)->inner = NULL;
	zend_object_std_dtor(object);
}

static weft_pdo_connection *connection_of(zend_object *statement)
{
	zval *handle = &php_pdo_stmt_fetch_object(statement)->database_object_handle;

	return Z_TYPE_P(handle) == IS_OBJECT ? weft_pdo_connection_find(Z_OBJ_P(handle)) : NULL;
}

static bool connection_is_inherited(zend_object *statement)
{
	const weft_pdo_connection *connection = connection_of(statement);

	return connection && weft_pdo_connection_is_inherited(connection);
}

static void statement_free(zend_object *object)
{
	if (connection_is_inherited(object)) {
		/* a driver may tell the server: leave it to the end of the process */
		zend_object_std_dtor(object);
		return;
	}
	original_statement_free(object);
}

/* Methods that a driver adds (pgsqlCopyFromArray …) are not in the class, so they can't be replaced there. */
static zend_function *connection_get_method(zend_object **object, zend_string *name, const zval *key)
{
	zend_string *lower = key ? Z_STR_P(key) : zend_string_tolower(name);
	bool of_class = zend_hash_exists(&(*object)->ce->function_table, lower);

	if (!key) {
		zend_string_release(lower);
	}
	if (!of_class && !weft_pdo_connection_use(*object)) {
		return NULL;
	}
	return original_get_method(object, name, key);
}

/* The handlers are shared by all objects of the class; the first one shows where they are. */
static void replace_connection_handlers(zend_object *object)
{
	zend_object_handlers *handlers = (zend_object_handlers *) object->handlers;

	if (handlers->free_obj == connection_free) {
		return;
	}
	original_connection_free = handlers->free_obj;
	original_get_method = handlers->get_method;
	handlers->free_obj = connection_free;
	handlers->get_method = connection_get_method;
}

static void replace_statement_handlers(zend_object *object)
{
	zend_object_handlers *handlers = (zend_object_handlers *) object->handlers;

	if (handlers->free_obj != statement_free) {
		original_statement_free = handlers->free_obj;
		handlers->free_obj = statement_free;
	}
}

/* --- opening --- */

/* PDO keeps persistent connections in one list for the whole process; two domains would get the same. */
static void refuse_persistence(zval *options)
{
	ZVAL_DEREF(options);
	if (Z_TYPE_P(options) == IS_ARRAY && weft_pdo_must_be_private() &&
		zend_hash_index_exists(Z_ARRVAL_P(options), PDO_ATTR_PERSISTENT)) {
		SEPARATE_ARRAY(options);
		zend_hash_index_del(Z_ARRVAL_P(options), PDO_ATTR_PERSISTENT);
	}
}

static void open_with(zend_execute_data *execute_data, zval *return_value, zif_handler original, zval *object)
{
	uint32_t count = MIN(ZEND_NUM_ARGS(), WEFT_PDO_ARGUMENTS);
	zval arguments[WEFT_PDO_ARGUMENTS];

	if (count == WEFT_PDO_ARGUMENTS) {
		refuse_persistence(ZEND_CALL_ARG(execute_data, WEFT_PDO_ARGUMENTS));
	}
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY(&arguments[i], ZEND_CALL_ARG(execute_data, i + 1));
	}
	original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (!EG(exception) && Z_TYPE_P(object) == IS_OBJECT) {
		replace_connection_handlers(Z_OBJ_P(object));
		weft_pdo_connection_opened(Z_OBJ_P(object), count, arguments);
		weft_pdo_busy_forget(php_pdo_dbh_fetch_inner(Z_OBJ_P(object)));
	}
	for (uint32_t i = 0; i < count; i++) {
		zval_ptr_dtor(&arguments[i]);
	}
}

static ZEND_FUNCTION(weft_pdo_construct)
{
	open_with(execute_data, return_value, original_constructor, ZEND_THIS);
}

/* PDO::connect() of 8.4 opens without calling the constructor. */
static ZEND_FUNCTION(weft_pdo_connect)
{
	open_with(execute_data, return_value, original_connect, return_value);
}

/* --- methods --- */

/* SQL that changes the session rather than data, as frameworks send it when they connect. */
static bool is_setting(const zend_string *sql)
{
	static const char *const words[] = {"set ", "use ", "pragma "};
	const char *text = ZSTR_VAL(sql);

	while (isspace((unsigned char) *text)) {
		text++;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strncasecmp(text, words[i], strlen(words[i])) == 0) {
			return true;
		}
	}
	return false;
}

/* What the opener does to its connection, a connection opened for another domain needs as well. */
static void remember_call(zend_execute_data *execute_data, weft_pdo_connection *connection, const zval *result)
{
	const zend_string *name = EX(func)->common.function_name;
	zval *first = ZEND_CALL_ARG(execute_data, 1);

	if (Z_TYPE_P(result) == IS_FALSE || ZEND_NUM_ARGS() < 1) {
		return;
	}
	if (zend_string_equals_literal_ci(name, "setAttribute") && ZEND_NUM_ARGS() == 2) {
		weft_pdo_connection_remember_attribute(connection, zval_get_long(first), ZEND_CALL_ARG(execute_data, 2));
	} else if ((zend_string_equals_literal_ci(name, "exec") || zend_string_equals_literal_ci(name, "prepare") ||
				   zend_string_equals_literal_ci(name, "query")) &&
		Z_TYPE_P(first) == IS_STRING && is_setting(Z_STR_P(first))) {
		weft_pdo_connection_remember_setting(connection, Z_STR_P(first));
	}
}

/* A statement must keep the connection alive that prepared it. PDO made it hold the object of the call. */
static void bind_statement(zval *result, const weft_pdo_connection *connection)
{
	zend_object *lease;
	zval *handle;

	if (Z_TYPE_P(result) != IS_OBJECT || !instanceof_function(Z_OBJCE_P(result), statement_class)) {
		return;
	}
	replace_statement_handlers(Z_OBJ_P(result));
	lease = weft_pdo_connection_lease(connection);
	handle = &php_pdo_stmt_fetch_object(Z_OBJ_P(result))->database_object_handle;
	if (lease && Z_TYPE_P(handle) == IS_OBJECT && Z_OBJ_P(handle) == connection->object) {
		OBJ_RELEASE(Z_OBJ_P(handle));
		ZVAL_OBJ_COPY(handle, lease);
	}
}

static ZEND_FUNCTION(weft_pdo_method)
{
	zif_handler original = original_of(&connection_methods, EX(func));
	weft_pdo_connection *connection;
	weft_pdo_use use;
	pdo_dbh_t *handle;

	if (!weft_pdo_connection_use(Z_OBJ_P(ZEND_THIS))) {
		return;
	}
	handle = php_pdo_dbh_fetch_inner(Z_OBJ_P(ZEND_THIS));
	if (!weft_pdo_busy_begin(handle, &use)) {
		return;
	}
	original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	weft_pdo_busy_end(handle, use);
	connection = weft_pdo_connection_find(Z_OBJ_P(ZEND_THIS));
	if (connection && !EG(exception)) {
		bind_statement(return_value, connection);
		if (weft_pdo_connection_is_own(connection)) {
			remember_call(execute_data, connection, return_value);
		}
	}
}

static ZEND_FUNCTION(weft_pdo_statement_method)
{
	const weft_pdo_connection *connection = connection_of(Z_OBJ_P(ZEND_THIS));
	pdo_dbh_t *handle = php_pdo_stmt_fetch_object(Z_OBJ_P(ZEND_THIS))->dbh;
	weft_pdo_use use;

	if (connection && !weft_pdo_connection_is_own(connection)) {
		zend_class_entry *exception = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdoexception"));

		zend_throw_exception(exception,
			"This statement was prepared on a connection of another request or of the boot; prepare it again here",
			0);
		return;
	}
	if (weft_pdo_busy_begin(handle, &use)) {
		original_of(&statement_methods, EX(func))(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		weft_pdo_busy_end(handle, use);
	}
}

/* --- installation --- */

static void replace_methods(zend_class_entry *ce, method_table *table, zif_handler replacement)
{
	zend_function *function;

	ZEND_HASH_MAP_FOREACH_PTR(&ce->function_table, function) {
		if (function->type != ZEND_INTERNAL_FUNCTION || (function->common.fn_flags & ZEND_ACC_STATIC) ||
			function == ce->constructor || table->count == MAX_METHODS) {
			continue;
		}
		table->methods[table->count].name = function->common.function_name;
		table->methods[table->count++].original = function->internal_function.handler;
		function->internal_function.handler = replacement;
	}
	ZEND_HASH_FOREACH_END();
}

/* Classes that extend PDO copied its methods when they were declared; those that extensions made (8.4) before
 * this. A copy still has the handler that was replaced. */
static void replace_copies(zend_class_entry *parent, const method_table *table, zif_handler replacement)
{
	zend_class_entry *ce;
	zend_function *function;

	ZEND_HASH_MAP_FOREACH_PTR(CG(class_table), ce) {
		if (ce == parent || !(ce->ce_flags & ZEND_ACC_LINKED) || !instanceof_function(ce, parent)) {
			continue;
		}
		ZEND_HASH_MAP_FOREACH_PTR(&ce->function_table, function) {
			if (function->type != ZEND_INTERNAL_FUNCTION) {
				continue;
			}
			if (function->internal_function.handler == original_constructor) {
				function->internal_function.handler = zif_weft_pdo_construct;
			}
			for (uint32_t i = 0; i < table->count; i++) {
				if (function->internal_function.handler == table->methods[i].original) {
					function->internal_function.handler = replacement;
				}
			}
		}
		ZEND_HASH_FOREACH_END();
	}
	ZEND_HASH_FOREACH_END();
}

static void replace_opening(void)
{
	zend_function *connect = zend_hash_str_find_ptr(&connection_class->function_table, ZEND_STRL("connect"));

	original_constructor = connection_class->constructor->internal_function.handler;
	connection_class->constructor->internal_function.handler = zif_weft_pdo_construct;
	if (connect && connect->type == ZEND_INTERNAL_FUNCTION) {
		original_connect = connect->internal_function.handler;
		connect->internal_function.handler = zif_weft_pdo_connect;
	}
}

void weft_pdo_minit(void)
{
	weft_pdo_connection_minit();
	weft_pdo_busy_minit();
}

void weft_pdo_rinit(void)
{
	if (connection_class) {
		return;
	}
	connection_class = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdo"));
	statement_class = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdostatement"));
	if (!connection_class || !statement_class) {
		connection_class = NULL;
		return;
	}
	replace_opening();
	replace_methods(connection_class, &connection_methods, zif_weft_pdo_method);
	replace_methods(statement_class, &statement_methods, zif_weft_pdo_statement_method);
	replace_copies(connection_class, &connection_methods, zif_weft_pdo_method);
	replace_copies(statement_class, &statement_methods, zif_weft_pdo_statement_method);
}

void weft_pdo_rshutdown(void)
{
	weft_pdo_connection_end_all();
	weft_pdo_busy_rshutdown();
}
