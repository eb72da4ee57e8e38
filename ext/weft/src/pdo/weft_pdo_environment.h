/*
 * What client libraries read from the environment: who one is and where (PGUSER, PGHOST, PGSERVICE …), and how the
 * session begins (PGTZ, PGOPTIONS …). It is part of a pool's key, and in place while a connection of the pool is
 * opened, whatever the request that opens it has set since.
 */
#ifndef WEFT_PDO_ENVIRONMENT_H
#define WEFT_PDO_ENVIRONMENT_H

#include "coroutine/weft_coroutine.h"

/* What of it matters to this driver as it is now, sorted: "NAME=value", each with a 0 byte at its end. */
zend_string *weft_pdo_environment(const zval *dsn);
/* The value of a variable; NULL: not set. */
const char *weft_pdo_environment_value(const zend_string *environment, const char *name);

/* An environment in place for the running coroutine alone. */
typedef struct {
	weft_aside aside;
	char **names, **values; /* of what differs */
	uint32_t count;
	weft_coroutine *borrower; /* NULL: nothing does, or there is nobody else yet */
} weft_pdo_environment_loan;

/* `environment`: of this data source, at some time before; NULL: whatever is in place will do. */
void weft_pdo_environment_lend(weft_pdo_environment_loan *loan, const zend_string *environment, const zval *dsn);
void weft_pdo_environment_take_back(weft_pdo_environment_loan *loan);

#endif /* WEFT_PDO_ENVIRONMENT_H */
