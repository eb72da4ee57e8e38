/*
 * How many connections a pool may have. With weft.pdo_pool_max=auto that depends on the server's own limit, which all
 * workers and all of their pools share.
 */
#ifndef WEFT_PDO_LIMIT_H
#define WEFT_PDO_LIMIT_H

#include "pdo/weft_pdo_pool.h"

uint32_t weft_pdo_limit(const weft_pdo_pool *pool);
/* How many of the server's connections this worker's pools may have together; UINT32_MAX: not known. */
uint32_t weft_pdo_limit_share(const weft_pdo_server *server);
/* Asks the server on a new link how many connections it takes, once for each server and worker, when it matters. False
 * with an exception: the answer may still be on its way, and the next link asks again. May suspend. */
bool weft_pdo_limit_ask(weft_pdo_link *link);

#endif /* WEFT_PDO_LIMIT_H */
