/*
 * PDO: what the application has is a handle. The connection under it is leased from a pool of the worker, for a call
 * or for as long as something holds it (docs/database.md).
 *
 * PDO may be a shared extension: nothing here links to it.
 */
#ifndef WEFT_PDO_H
#define WEFT_PDO_H

#include "php.h"

void weft_pdo_minit(void);
/* Replaces the constructor of PDO when the extension is there; once. */
void weft_pdo_rinit(void);
void weft_pdo_rshutdown(void);
/* Closes connections that nobody uses: they must not cross a fork. */
void weft_pdo_close_idle(void);

/* Connections of all pools of this process, and coroutines that wait for one. */
typedef struct {
	uint32_t idle, leased, waiting;
} weft_pdo_in_use;
weft_pdo_in_use weft_pdo_count_in_use(void);

/* So many workers use the same database servers. */
void weft_pdo_share_with(uint32_t workers);

/* For the files of this floor. */
zend_class_entry *weft_pdo_class(void);
/* The constructor as PDO made it. */
zend_function *weft_pdo_original_constructor(void);
zend_class_entry *weft_pdo_exception_class(void);
/* Throws a PDOException as PDO would: code and errorInfo are set. */
void weft_pdo_throw(const char *sqlstate, const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 2, 3);

#endif /* WEFT_PDO_H */
