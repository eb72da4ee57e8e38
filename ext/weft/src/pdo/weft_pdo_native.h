/*
 * What PDO does not tell of a connection and only the client library knows. Everything here that depends on the
 * layout of a driver's private structures is checked when the first connection is made, and left alone when it does
 * not look as expected.
 */
#ifndef WEFT_PDO_NATIVE_H
#define WEFT_PDO_NATIVE_H

#include "php.h"
#include "ext/pdo/php_pdo_driver.h"
#include "pdo/weft_pdo_sql.h"

typedef enum { WEFT_NATIVE_ALIVE, WEFT_NATIVE_LOST, WEFT_NATIVE_UNKNOWN } weft_native_status;

/* The library under a driver, as far as its layouts are known. */
typedef enum { WEFT_NATIVE_OTHER, WEFT_NATIVE_LIBPQ, WEFT_NATIVE_MYSQLND } weft_native_client;

weft_native_client weft_pdo_native_client(const pdo_dbh_t *fresh, weft_sql_dialect dialect);
/* The socket, or -1. */
int weft_pdo_native_socket(const pdo_dbh_t *dbh, weft_native_client client);
/* What the client library itself thinks, without asking the server. */
weft_native_status weft_pdo_native_status(const pdo_dbh_t *dbh, weft_native_client client);
/* The socket has something to read though nobody has asked for anything: takes it in and says what it means. */
weft_native_status weft_pdo_native_unexpected_input(const pdo_dbh_t *dbh, weft_native_client client);
/* The same of the session. */
typedef enum {
	WEFT_NATIVE_AT_REST,        /* nothing is on its way: the next command may be sent */
	WEFT_NATIVE_IN_TRANSACTION, /* nor is it here */
	WEFT_NATIVE_BUSY,
	WEFT_NATIVE_READY /* nothing is on its way; of transactions the driver has to tell */
} weft_native_session;
weft_native_session weft_pdo_native_session_state(const pdo_dbh_t *dbh, weft_native_client client);
/* Nothing is on its way. */
bool weft_pdo_native_is_ready(const pdo_dbh_t *dbh, weft_native_client client);
/* What PostgreSQL has sent for a statement that has ended. May suspend. */
void weft_pdo_native_take_in_rest(const pdo_dbh_t *dbh, weft_native_client client);
/* Brings a session of MySQL to where it was after connecting: user, database, character set, settings, init command.
 * False: it may be anywhere. */
bool weft_pdo_native_reset(const pdo_dbh_t *dbh, weft_native_client client, bool auto_commit);
/* Forgets what PostgreSQL has notified and nobody has asked for. False: it can't. */
bool weft_pdo_native_forget_notifications(const pdo_dbh_t *dbh, weft_native_client client);
/* How many warnings MySQL's last statement had, which the library keeps with the connection. */
uint32_t weft_pdo_native_warnings(const pdo_dbh_t *dbh, weft_native_client client);
void weft_pdo_native_set_warnings(const pdo_dbh_t *dbh, weft_native_client client, uint32_t count);
/* Frees the driver's part of a statement whose connection is not used any more: MySQL's client says nothing to the
 * server, which forgets the statement with the connection. */
void weft_pdo_native_end_unheard(pdo_stmt_t *statement, weft_native_client client);
/* Puts nowhere, an open descriptor, in the place of the socket, for this process alone: the library can free what it
 * holds, and whatever it says on the way reaches nobody. False: it is not known where the library's socket is. */
bool weft_pdo_native_cut_off(const pdo_dbh_t *dbh, weft_native_client client, int nowhere);

/* What stops a query of PostgreSQL; NULL for others. To be used up by weft_pdo_native_cancel(), which may suspend. */
void *weft_pdo_native_cancel_handle(const pdo_dbh_t *dbh, weft_native_client client);
void weft_pdo_native_cancel(void *handle);
/* The number by which a server of MySQL knows the connection; 0: not known. */
uint64_t weft_pdo_native_session(const pdo_dbh_t *dbh, weft_native_client client);

/* --- prepared statements of pdo_pgsql --- */

/* Whether the driver's part of a statement looks as expected. */
bool weft_pdo_native_knows_statement(const void *driver_data, const pdo_dbh_t *dbh, weft_native_client client);
/* Forgets result and parameters, as if it had never been executed; it stays prepared. */
void weft_pdo_native_rewind(void *driver_data, uint32_t parameters);
/* Makes the driver believe that the server does not have it, so that freeing it sends nothing. Returns the name
 * that the server knows it by; NULL when it does not. */
const char *weft_pdo_native_disown(void *driver_data);

/* PDO's parser of placeholders; NULL when it can't be had. */
typedef int (*weft_pdo_parse_params)(pdo_stmt_t *, zend_string *, zend_string **);
weft_pdo_parse_params weft_pdo_native_parser(void);

#endif /* WEFT_PDO_NATIVE_H */
