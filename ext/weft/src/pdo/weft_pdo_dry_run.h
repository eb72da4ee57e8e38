/*
 * A dry run: what requests send to databases is rolled back in the end, and told. The application's own transaction is
 * a savepoint in ours. It ends with the connection's lease, at the latest.
 */
#ifndef WEFT_PDO_DRY_RUN_H
#define WEFT_PDO_DRY_RUN_H

#include "pdo/weft_pdo_pool.h"

/* Whether the request in place is one. */
bool weft_pdo_dry_run(void);
/* A statement (or NULL: a call that may write) is about to run. False with an exception: it can't be taken back. */
bool weft_pdo_dry_run_enter(weft_pdo_link *link, zend_string *sql, uint32_t flags);
/* Runs a statement, which may begin or end the application's transaction. As the driver answers. */
zend_long weft_pdo_dry_run_exec(weft_pdo_link *link, zend_string *sql, uint32_t flags);
/* The application's transaction. */
bool weft_pdo_dry_run_begin(weft_pdo_link *link);
bool weft_pdo_dry_run_end(weft_pdo_link *link, bool commit);
/* The link has been rolled back. */
void weft_pdo_dry_run_over(weft_pdo_link *link);

void weft_pdo_dry_run_minit(void);
void weft_pdo_dry_run_rshutdown(void);

#endif /* WEFT_PDO_DRY_RUN_H */
