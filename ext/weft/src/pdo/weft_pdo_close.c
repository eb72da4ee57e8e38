/*
 * Closing a connection while its PDO object lives on: garbage that the collector has not found yet.
 *
 * The objects stay valid. They are left as PDO knows them before their constructor has run, so that whoever still
 * uses one (a destructor, when the collector comes) gets PDO's own error.
 */
#include "pdo/weft_pdo_connection.h"

/* All statements share one table of handlers, which shows them among the other objects. */
static const zend_object_handlers *statement_handlers(void)
{
	static const zend_object_handlers *handlers;

	if (!handlers) {
		zend_class_entry *ce = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdostatement"));
		zval statement;

		object_init_ex(&statement, ce);
		handlers = Z_OBJ(statement)->handlers;
		zval_ptr_dtor(&statement);
	}
	return handlers;
}

/* The next statement of this connection from this place on in the store of objects; NULL at its end. The store may
 * have moved since the last call. */
static pdo_stmt_t *next_statement(const zend_object *connection, uint32_t *place)
{
	const zend_object_handlers *handlers = statement_handlers();

	while (*place < EG(objects_store).top) {
		zend_object *object = EG(objects_store).object_buckets[(*place)++];
		pdo_stmt_t *statement;

		if (!IS_OBJ_VALID(object) || object->handlers != handlers) {
			continue;
		}
		statement = php_pdo_stmt_fetch_object(object);
		if (Z_TYPE(statement->database_object_handle) == IS_OBJECT &&
			Z_OBJ(statement->database_object_handle) == connection && statement->dbh) {
			return statement;
		}
	}
	return NULL;
}

static void free_table(HashTable **table)
{
	HashTable *old = *table;

	*table = NULL;
	if (old) {
		zend_hash_destroy(old);
		FREE_HASHTABLE(old);
	}
}

/* Drivers are told of each parameter that goes, so this comes while they can still listen. */
static void free_bindings(pdo_stmt_t *statement)
{
	free_table(&statement->bound_params);
	free_table(&statement->bound_param_map);
	free_table(&statement->bound_columns);
}

static void free_columns(pdo_stmt_t *statement)
{
	struct pdo_column_data *columns = statement->columns;
	int count = statement->column_count;

	statement->columns = NULL;
	statement->column_count = 0;
	if (columns) {
		for (int i = 0; i < count; i++) {
			if (columns[i].name) {
				zend_string_release(columns[i].name);
			}
		}
		efree(columns);
	}
}

static void finish_statement(pdo_stmt_t *statement)
{
	/* iterators and lazy rows look here before they ask the driver */
	statement->executed = 0;
	strcpy(statement->error_code, PDO_ERR_NONE);
	free_columns(statement);
	if (statement->methods && statement->methods->dtor) {
		statement->methods->dtor(statement);
	}
	statement->methods = NULL;
	statement->driver_data = NULL;
	statement->dbh = NULL;
}

static void for_each_statement(zend_object *connection, void (*what)(pdo_stmt_t *))
{
	pdo_stmt_t *statement;
	uint32_t place = 1;

	while ((statement = next_statement(connection, &place))) {
		/* a driver may wait for its server, and the collector run meanwhile */
		GC_ADDREF(&statement->std);
		what(statement);
		OBJ_RELEASE(&statement->std);
	}
}

static bool in_transaction(pdo_dbh_t *handle)
{
	return handle->methods->in_transaction ? handle->methods->in_transaction(handle) : handle->in_txn;
}

static void close_handle(pdo_dbh_t *handle)
{
	if (handle->driver_data && handle->methods->rollback && in_transaction(handle)) {
		handle->methods->rollback(handle);
	}
	handle->methods->closer(handle);
	handle->in_txn = false;
	handle->driver_data = NULL;
	handle->methods = NULL;
	/* what PDO looks at to tell whether the constructor has run */
	handle->driver = NULL;
}

void weft_pdo_close(zend_object *object, pdo_dbh_t *handle)
{
	if (!handle->methods || handle->is_persistent) {
		return;
	}
	GC_ADDREF(object);
	for_each_statement(object, free_bindings);
	/* the sign by which drivers know that a statement need not be given back: the connection goes as a whole */
	GC_ADD_FLAGS(object, IS_OBJ_FREE_CALLED);
	for_each_statement(object, finish_statement);
	GC_DEL_FLAGS(object, IS_OBJ_FREE_CALLED);
	close_handle(handle);
	OBJ_RELEASE(object);
}
