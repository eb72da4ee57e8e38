/*
 * Handles: the insides of the application's PDO objects, and their leases.
 */
#ifndef WEFT_PDO_HANDLE_H
#define WEFT_PDO_HANDLE_H

#include "pdo/weft_pdo_pool.h"

void weft_pdo_handle_minit(void);
void weft_pdo_handle_rshutdown(void);

/* Makes PDO's `dbh` one that leases: fills it like `pristine`. */
weft_pdo_handle *weft_pdo_handle_new(pdo_dbh_t *dbh, weft_pdo_driver *driver, weft_pdo_pool *pool,
	const pdo_dbh_t *pristine);
/* A pool-less handle's link, and how to open another one for another domain. */
void weft_pdo_handle_own(weft_pdo_handle *handle, weft_pdo_link *link, uint32_t count, zval *arguments);
/* Rolls back and gives back, quietly. */
void weft_pdo_handle_end_leases(weft_pdo_handle *handle);
/* PDO frees the object: its leases end. */
void weft_pdo_handle_free(weft_pdo_handle *handle);
/* An object of the base: other domains get a view of their own of it. */
void weft_pdo_handle_of_base(zend_object *object);
/* The object goes: so do the views. */
void weft_pdo_handle_forget_object(zend_object *object);

/* Who is running: the coroutine, or a value that stands for the script before there are coroutines. */
const weft_coroutine *weft_pdo_self(void);

/* The link that a call runs on; the running coroutine is its user until the call's end. NULL with an exception.
 * May suspend. `wanted` (or NULL) is preferred; with `only_wanted` no other will do. */
weft_pdo_link *weft_pdo_lease(weft_pdo_handle *handle, weft_pdo_link *wanted, bool only_wanted);
/* The running coroutine's lease, when it has one already; takes no part in it. */
weft_pdo_link *weft_pdo_leased(const weft_pdo_handle *handle);
/* COMMIT or ROLLBACK on a connection that is lost: lets go of it and throws. False when it isn't. */
bool weft_pdo_drop_lost_transaction(weft_pdo_handle *handle);
/* The call is over: gives the link back when nothing holds it. */
void weft_pdo_settle(weft_pdo_link *link);

#endif /* WEFT_PDO_HANDLE_H */
