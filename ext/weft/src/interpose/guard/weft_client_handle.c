/*
 * Which connection a call of a client is for: Redis, Memcached, pgsql and mysqli, whose statements and results have one
 * in common with the object that made them. PDO's connections have turns of their own (weft_pdo_acquire.c), and
 * transfers of curl are not connections.
 */
#include "interpose/guard/weft_handle_turn.h"
#include "weft_classes.h"

#include <strings.h>

#if __has_include("ext/mysqlnd/mysqlnd.h") && __has_include("ext/mysqli/php_mysqli_structs.h")
#include "ext/mysqlnd/mysqlnd.h"
#include "ext/mysqli/php_mysqli_structs.h"

static const void *mysqli_connection(zend_object *object)
{
	const zend_class_entry *ancestor = weft_internal_ancestor(object->ce);
	const zend_string *class = ancestor ? ancestor->name : ZSTR_EMPTY_ALLOC();
	const MYSQLI_RESOURCE *resource;

	if (!zend_string_equals_literal(class, "mysqli") && !zend_string_equals_literal(class, "mysqli_stmt") &&
		!zend_string_equals_literal(class, "mysqli_result")) {
		return NULL;
	}
	resource = php_mysqli_fetch_object(object)->ptr;
	if (!resource || !resource->ptr) {
		return NULL;
	}
	if (zend_string_equals_literal(class, "mysqli_result")) {
		const MYSQLND_RES *result = resource->ptr;

		return result->unbuf ? result->conn : NULL; /* one that was stored needs it no more */
	}
	if (zend_string_equals_literal(class, "mysqli_stmt")) {
		const MYSQLND_STMT *statement = ((const MY_STMT *) resource->ptr)->stmt;

		return statement && statement->data ? statement->data->conn : NULL;
	}
	return ((const MY_MYSQL *) resource->ptr)->mysql ? ((const MY_MYSQL *) resource->ptr)->mysql->data : NULL;
}
#else
static const void *mysqli_connection(zend_object *object)
{
	(void) object;
	return NULL;
}
#endif

/* The method's object, or what a function gets first. */
static zend_object *subject_of(const zend_execute_data *call)
{
	zval *first;

	if (Z_TYPE(call->This) == IS_OBJECT && call->func->common.scope) {
		return Z_OBJ(call->This);
	}
	first = ZEND_CALL_NUM_ARGS(call) ? ZEND_CALL_ARG(call, 1) : NULL;
	if (!first) {
		return NULL;
	}
	ZVAL_DEREF(first);
	return Z_TYPE_P(first) == IS_OBJECT ? Z_OBJ_P(first) : NULL;
}

const void *weft_client_handle(const zend_execute_data *call)
{
	const char *module = call->func->internal_function.module->name;
	zend_object *subject = subject_of(call);

	if (!subject) {
		return NULL;
	}
	if (strcasecmp(module, "mysqli") == 0) {
		return mysqli_connection(subject);
	}
	return strcasecmp(module, "redis") == 0 || strcasecmp(module, "memcached") == 0 || strcasecmp(module, "pgsql") == 0
		? subject
		: NULL;
}
