/*
 * One connection, one conversation: while a coroutine waits for the server's answer, the client library is in the
 * middle of its protocol, and a second call on the same connection would corrupt both.
 */
#ifndef WEFT_PDO_BUSY_H
#define WEFT_PDO_BUSY_H

#include "php.h"
#include "ext/pdo/php_pdo_driver.h"

typedef enum {
	WEFT_PDO_UNTRACKED, /* no coroutines yet, or a call inside of a call (a callback that asks the connection) */
	WEFT_PDO_TAKEN
} weft_pdo_use;

void weft_pdo_busy_minit(void);
/* A fatal error unwinds nobody, and what was busy then is not any more. */
void weft_pdo_busy_rshutdown(void);
/* False with a PDOException when another coroutine is inside. */
bool weft_pdo_busy_begin(const pdo_dbh_t *handle, weft_pdo_use *use);
void weft_pdo_busy_end(const pdo_dbh_t *handle, weft_pdo_use use);
/* A new connection lies at this address. */
void weft_pdo_busy_forget(const pdo_dbh_t *handle);

#endif /* WEFT_PDO_BUSY_H */
