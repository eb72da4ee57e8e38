/*
 * What tells pools apart, and what people call them.
 */
#ifndef WEFT_PDO_KEY_H
#define WEFT_PDO_KEY_H

#include "pdo/weft_pdo_driver.h"

/* NULL: no pool for these (a driver without, values that can't be told apart). */
zend_string *weft_pdo_pool_key(uint32_t count, zval *arguments, const zend_string *environment);
/* "pgsql:host=db;dbname=shop as app": without the password. */
zend_string *weft_pdo_pool_name(const weft_pdo_driver *driver, const pdo_dbh_t *fresh);

/* "pgsql:host=db;port=5432": what of a DSN and its environment says where the server is. */
zend_string *weft_pdo_server_name(const pdo_dbh_t *fresh, const zend_string *environment);

#endif /* WEFT_PDO_KEY_H */
