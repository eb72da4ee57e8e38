/*
 * Leases: which link a handle has at the moment, who of its coroutines uses it, and when it goes back.
 */
#ifndef WEFT_PDO_LEASE_H
#define WEFT_PDO_LEASE_H

#include "pdo/weft_pdo_pool.h"

void weft_pdo_lease_minit(void);
void weft_pdo_lease_rshutdown(void);

/* Who is running: the coroutine, or a value that stands for the script before there are coroutines. */
extern const weft_coroutine weft_pdo_the_script;
static inline const weft_coroutine *weft_pdo_self(void)
{
	return weft_current ? weft_current : &weft_pdo_the_script;
}

/* The running coroutine, its user, was cancelled in the middle of a call: an answer is on its way, or half of it is
 * there. Also where the driver does not say that it has failed, as of a DEALLOCATE. */
static inline bool weft_pdo_was_cut_short(const weft_pdo_link *link)
{
	return weft_pdo_self()->waits_cut != link->cuts && link->socket >= 0;
}

/* Nobody else did, not even a child of its transaction. */
bool weft_pdo_was_leased_by(const weft_pdo_link *link, const weft_coroutine *self);
/* Something keeps the lease after the call. */
bool weft_pdo_is_held(const weft_pdo_link *link);

/* The link that a call runs on; the running coroutine is its user until the call's end. NULL with an exception.
 * May suspend. `wanted` (or NULL) is preferred. */
weft_pdo_link *weft_pdo_lease(weft_pdo_handle *handle, weft_pdo_link *wanted);
/* This link and no other, whatever the handle has leased already. NULL with an exception, or without one when the
 * link has ended. */
weft_pdo_link *weft_pdo_lease_only(weft_pdo_handle *handle, weft_pdo_link *link);
/* The running coroutine's lease, when it has one already; takes no part in it. */
weft_pdo_link *weft_pdo_leased(const weft_pdo_handle *handle);
/* COMMIT or ROLLBACK on a connection that is lost: lets go of it and throws. False when it isn't. */
bool weft_pdo_drop_lost_transaction(weft_pdo_handle *handle);
/* The server has hung up, and nothing would be missed on another link. */
bool weft_pdo_is_dead(weft_pdo_link *link);
/* The link is dead, nothing of the running call has reached the server, and nothing ties the handle to the link. Then
 * the call is over, and may be made once more on another link. */
bool weft_pdo_may_start_over(weft_pdo_link *link);
/* The call is over: gives the link back when nothing holds it. */
void weft_pdo_settle(weft_pdo_link *link);

/* Begins a lease outside of a call. */
void weft_pdo_attach(weft_pdo_handle *handle, weft_pdo_link *link);
/* Ends a lease that something may hold. May suspend. */
void weft_pdo_lease_finish(weft_pdo_link *link);
/* The lease is over; the link is clean, or broken. */
void weft_pdo_give_back(weft_pdo_link *link);

#endif /* WEFT_PDO_LEASE_H */
