/*
 * Handles: the insides of the application's PDO objects.
 */
#ifndef WEFT_PDO_HANDLE_H
#define WEFT_PDO_HANDLE_H

#include "pdo/weft_pdo_pool.h"

/* Makes PDO's `dbh` one that leases: fills it like `pristine`. */
weft_pdo_handle *weft_pdo_handle_new(pdo_dbh_t *dbh, weft_pdo_driver *driver, weft_pdo_pool *pool,
	const pdo_dbh_t *pristine);
/* A pool-less handle's link, and how to open another one for another domain, wherever that has gone by then. */
void weft_pdo_handle_own(weft_pdo_handle *handle, weft_pdo_link *link, uint32_t count, zval *arguments,
	zend_string *environment);
/* Rolls back and gives back, quietly. */
void weft_pdo_handle_end_leases(weft_pdo_handle *handle);
/* PDO frees the object: its leases end. */
void weft_pdo_handle_free(weft_pdo_handle *handle);
bool weft_pdo_handle_exists(const void *domain);
/* Handles that outlive their domain, since the collector has not found them yet, lease no more. */
void weft_pdo_handle_close_all(const void *domain);

#endif /* WEFT_PDO_HANDLE_H */
