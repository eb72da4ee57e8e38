/*
 * How many connections a pool may have. With weft.pdo_pool_max=auto that depends on the server's own limit, which all
 * workers and all of their pools share.
 */
#ifndef WEFT_PDO_LIMIT_H
#define WEFT_PDO_LIMIT_H

#include "pdo/weft_pdo_pool.h"

/* The server behind a connection that PDO has just opened; lives as long as the pools. */
weft_pdo_server *weft_pdo_limit_server(const pdo_dbh_t *fresh, const zend_string *environment);
uint32_t weft_pdo_limit(const weft_pdo_pool *pool);
/* Another pool of the server begins: what others have idle above their share is closed. */
void weft_pdo_limit_share_out(const weft_pdo_server *server);
/* Asks the server on a new link how many connections it takes, once for each server and worker, when it matters. False
 * with an exception: the answer may still be on its way, and the next link asks again. May suspend. */
bool weft_pdo_limit_ask(weft_pdo_link *link);
void weft_pdo_limit_rshutdown(void);

#endif /* WEFT_PDO_LIMIT_H */
