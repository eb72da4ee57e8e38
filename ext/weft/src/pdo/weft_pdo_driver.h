/*
 * Stands between PDO and its drivers: the methods that PDO calls on what it takes for the connection. They lease a
 * link, call the driver, and give the link back when nothing holds it.
 */
#ifndef WEFT_PDO_DRIVER_H
#define WEFT_PDO_DRIVER_H

#include "pdo/weft_pdo_native.h"
#include "pdo/weft_pdo_pool.h"

/* PDO asks which methods there are by comparing them with NULL. For use where `methods` and `original` are known. */
#define WEFT_PDO_STAND_IN(member, function) methods->member = original->member ? function : NULL

/* PDO has 11 methods for statements; drivers with several tables of them are rare. */
#define WEFT_PDO_STATEMENT_TABLES 4

struct weft_pdo_driver {
	const pdo_driver_t *driver;
	weft_sql_dialect dialect;
	weft_native_client client;
	const struct pdo_dbh_methods *original;
	struct pdo_dbh_methods methods;
	struct {
		const struct pdo_stmt_methods *original;
		struct pdo_stmt_methods methods;
	} statements[WEFT_PDO_STATEMENT_TABLES];
	/* copies of the driver's own methods of the PDO class, with another handler */
	zend_function_entry *functions;
	const zend_function_entry *original_functions;
	HashTable judged; /* SQL => its flags */
	weft_pdo_driver *next;
};

/* The driver of a connection that PDO has just opened. */
weft_pdo_driver *weft_pdo_driver_of(const pdo_dbh_t *fresh);
/* weft_pdo_memory.c: whether a forked process has a database of its own there, and no connection that is its
 * parent's. Asks nobody: a fork may have interrupted anything. */
bool weft_pdo_memory_outlives_fork(const weft_pdo_driver *driver, const pdo_dbh_t *dbh);
/* When `from` is a database in memory, `to` gets what is in it. False with an exception. */
bool weft_pdo_memory_copy(const weft_pdo_driver *driver, const pdo_dbh_t *from, const pdo_dbh_t *to);
const struct pdo_stmt_methods *weft_pdo_driver_statement_methods(weft_pdo_driver *driver,
	const struct pdo_stmt_methods *original);
/* For people who ask what a connection does. */
void weft_pdo_note_sql(weft_pdo_link *link, zend_string *sql);
bool weft_pdo_driver_in_transaction(weft_pdo_link *link);
/* The same for who has asked the client library already. */
bool weft_pdo_driver_is_in_transaction(weft_pdo_link *link, weft_native_session session);
/* Throws what the driver says of its last error. */
void weft_pdo_driver_throw(weft_pdo_link *link);
/* Keeps what the driver said of an error for errorInfo(): the link may serve somebody else by then. */
void weft_pdo_driver_note_error(weft_pdo_link *link, pdo_stmt_t *statement, zval *error);
/* After a call that failed. */
void weft_pdo_driver_failed(weft_pdo_link *link, weft_pdo_handle *handle, pdo_stmt_t *statement, zval *error);
/* weft_sql_classify(), for statements that come again. */
uint32_t weft_pdo_driver_judge(weft_pdo_driver *driver, zend_string *sql);
/* What a statement that ran leaves behind. */
void weft_pdo_driver_note_effects(weft_pdo_link *link, weft_pdo_handle *handle, uint32_t flags, bool done);
/* The end of a call, on a link that was leased for it. */
void weft_pdo_driver_leave(pdo_dbh_t *dbh, weft_pdo_link *link, bool done);
/* A setting that the server has accepted becomes part of the profile. Returns the flags as they are after that. */
uint32_t weft_pdo_driver_note_setting(weft_pdo_link *link, weft_pdo_handle *handle, zend_string *sql, uint32_t flags);

/* --- weft_pdo_stop.c --- */
/* Nobody waits for the answer of the running call any more: lets the server stop working on it. */
void weft_pdo_stop_query(const weft_pdo_link *link);

/* --- weft_pdo_prepare.c --- */
bool weft_pdo_statement_prepare(pdo_dbh_t *dbh, zend_string *sql, pdo_stmt_t *statement, zval *options);

/* --- weft_pdo_statement.c --- */
/* Another coroutine executes it: its values must not be touched. True with an exception. */
bool weft_pdo_statement_is_taken(const pdo_stmt_t *statement);
/* What the driver said of its last error; NULL when it is no statement of ours. */
zval *weft_pdo_statement_error(const pdo_stmt_t *statement);
/* Fills a table. */
void weft_pdo_statement_methods(struct pdo_stmt_methods *methods, const struct pdo_stmt_methods *original);
bool weft_pdo_statements_of(const weft_pdo_link *link, const void *domain);
/* These take the driver's part away from statements of a domain that ends, of a handle that lets go of the link, and
 * from all of a link. Other handles' statements may still be read after the link has been lent on. */
void weft_pdo_statements_finish_domain(weft_pdo_link *link, const void *domain);
void weft_pdo_statements_finish_handle(weft_pdo_link *link, const weft_pdo_handle *handle);
void weft_pdo_statements_finish_all(weft_pdo_link *link);
/* A handle goes, and garbage still holds statements of it: they are of no use any more. May suspend. */
void weft_pdo_statements_orphan(weft_pdo_handle *handle);

#endif /* WEFT_PDO_DRIVER_H */
