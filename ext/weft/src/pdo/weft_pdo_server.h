/*
 * A database server, and what its pools have to do with one another. It takes so many connections and no more, whoever
 * they are opened as. So where nothing is left to open, what another pool has idle is closed for it, and who waits in
 * the line of any of its pools is told of what comes back to another.
 */
#ifndef WEFT_PDO_SERVER_H
#define WEFT_PDO_SERVER_H

#include "pdo/weft_pdo_pool.h"

struct weft_pdo_server {
	zend_string *name;
	uint32_t pools;        /* that are its */
	uint32_t total;        /* links that they have, or are about to have */
	uint32_t waiters;      /* in the lines of all of them */
	zend_long connections; /* that it takes; 0: not asked yet; below 0: it did not say */
	uint64_t closed_at;    /* when we have last closed one; 0: that has been noticed */
	weft_pdo_server *next, **place;
};

/* That which a data source means in this environment, for one more pool. */
weft_pdo_server *weft_pdo_server_join(const zval *dsn, const zend_string *environment);
/* That pool is gone; with the last one the server is. */
void weft_pdo_server_leave(weft_pdo_server *server);

/* So many links of this pool more, or less. */
void weft_pdo_server_count(weft_pdo_pool *pool, int more);
/* It has refused all, so none of its pools has a connection to wait for: each asks it for itself. */
void weft_pdo_server_ask_anew(const weft_pdo_server *server);
/* The link that has been idle longest in another pool; NULL: there is none. */
weft_pdo_link *weft_pdo_server_longest_idle(const weft_pdo_pool *pool);

/* Whose turn it is of those who wait for a connection that only another pool's could make room for: in the line of any
 * pool but this one (or NULL), by the order of a line. NULL: nobody. */
weft_pdo_waiter *weft_pdo_server_find_first_waiter(const weft_pdo_server *server, const weft_pdo_pool *but);
static inline weft_pdo_waiter *weft_pdo_server_first_waiter(const weft_pdo_server *server, const weft_pdo_pool *but)
{
	return UNEXPECTED(server->waiters) ? weft_pdo_server_find_first_waiter(server, but) : NULL;
}
/* One has become idle, or was closed: that one looks again. */
void weft_pdo_server_wake(const weft_pdo_server *server);
/* A pool that has a line of its own gets a link back. Whether another is to have one in its place. */
bool weft_pdo_server_wants_room_of(const weft_pdo_pool *pool);

/* What was just thrown says that the server has no connection left, for whomever. */
bool weft_pdo_server_is_full(void);
/* When it says so: closes something for this pool, or waits for the server to notice what was closed already. True: the
 * exception is gone, and it may be asked again. May suspend. */
bool weft_pdo_server_makes_room(const weft_pdo_pool *pool);

#endif /* WEFT_PDO_SERVER_H */
