/*
 * Asks a server how many connections it takes, and shares them out among the workers.
 */
#include "pdo/weft_pdo_limit.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_server.h"
#include "pdo/weft_pdo.h"
#include "php_weft.h"
#include "zend_interfaces.h"

/* What "auto" gives a pool at most; a dozen serves hundreds of requests. */
#define AUTO_MOST 10
/* The part of a server's connections that all workers together take, in percent. The rest is for others. */
#define SHARE 80

static uint32_t workers = 1;

void weft_pdo_share_with(uint32_t count)
{
	workers = count;
}

uint32_t weft_pdo_limit_share(const weft_pdo_server *server)
{
	zend_long share;

	if (WEFT_G(pdo_pool_max) >= 0 || server->connections <= 0) {
		return UINT32_MAX;
	}
	share = server->connections * SHARE / 100 / workers;
	return (uint32_t) MIN(MAX(share, 1), UINT32_MAX);
}

uint32_t weft_pdo_limit(const weft_pdo_pool *pool)
{
	return WEFT_G(pdo_pool_max) >= 0 ? (uint32_t) WEFT_G(pdo_pool_max)
									 : MIN(weft_pdo_limit_share(pool->server), AUTO_MOST);
}

/* --- asking the server --- */

/* The hidden object is a PDO object like any other. What the application has set for its own must not show here. */
static zend_long limit_ask(weft_pdo_link *link, const char *text)
{
	zend_class_entry *statement_class = link->dbh->def_stmt_ce;
	enum pdo_error_mode mode = link->dbh->error_mode;
	zval sql, statement, value, arguments;
	zend_long answer = -1;

	ZVAL_UNDEF(&statement);
	ZVAL_UNDEF(&value);
	ZVAL_STRING(&sql, text);
	ZVAL_COPY_VALUE(&arguments, &link->dbh->def_stmt_ctor_args);
	ZVAL_UNDEF(&link->dbh->def_stmt_ctor_args);
	link->dbh->def_stmt_ce = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdostatement"));
	link->dbh->error_mode = PDO_ERRMODE_SILENT;
	zend_call_method_with_1_params(link->hidden, weft_pdo_class(), NULL, "query", &statement, &sql);
	if (Z_TYPE(statement) == IS_OBJECT) {
		zend_call_method_with_0_params(Z_OBJ(statement), Z_OBJCE(statement), NULL, "fetchcolumn", &value);
	}
	if (Z_TYPE(value) == IS_STRING || Z_TYPE(value) == IS_LONG) {
		answer = zval_get_long(&value);
	}
	zval_ptr_dtor(&value);
	zval_ptr_dtor(&statement);
	zval_ptr_dtor(&sql);
	link->dbh->error_mode = mode;
	link->dbh->def_stmt_ce = statement_class;
	ZVAL_COPY_VALUE(&link->dbh->def_stmt_ctor_args, &arguments);
	return answer;
}

bool weft_pdo_limit_ask(weft_pdo_link *link)
{
	weft_pdo_server *server = link->pool->server;
	zend_long answer = 0;
	bool complete = false;

	if (WEFT_G(pdo_pool_max) >= 0 || server->connections) {
		return true;
	}
	server->connections = -1; /* others don't ask meanwhile */
	zend_try {
		answer = limit_ask(link,
			link->driver->dialect == WEFT_SQL_MYSQL ? "SELECT @@max_connections" : "SHOW max_connections");
		complete = true;
	} zend_end_try();
	if (!complete || EG(exception)) {
		server->connections = 0;
	} else if (answer > 0) {
		server->connections = answer;
	}
	if (!complete) {
		zend_bailout();
	}
	return !EG(exception);
}
