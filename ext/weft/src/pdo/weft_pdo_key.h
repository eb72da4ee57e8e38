/*
 * What tells pools apart, and what people call them.
 */
#ifndef WEFT_PDO_KEY_H
#define WEFT_PDO_KEY_H

#include "pdo/weft_pdo_driver.h"

/* NULL: no pool for these (a driver without, values that can't be told apart). */
zend_string *weft_pdo_pool_key(uint32_t count, zval *arguments, const zend_string *environment);
/* "pgsql:host=db;dbname=shop as app": without the password. `source`: the DSN without the driver; `user` or NULL. */
zend_string *weft_pdo_pool_name(const char *driver, const char *source, const char *user);

/* "pgsql:host=db;port=5432;": what a DSN and its environment say of where the server is. */
zend_string *weft_pdo_server_name(const char *dsn, const zend_string *environment);

#endif /* WEFT_PDO_KEY_H */
