/*
 * The methods that a driver adds to PDO's own.
 */
#ifndef WEFT_PDO_METHODS_H
#define WEFT_PDO_METHODS_H

#include "php.h"
#include "ext/pdo/php_pdo_driver.h"

/* What PDO asks the driver for. */
const zend_function_entry *weft_pdo_methods_of_driver(pdo_dbh_t *dbh, int kind);
/* Wraps those of all classes of drivers that are known by now; once. */
void weft_pdo_methods_of_classes(const zend_class_entry *pdo);

#endif /* WEFT_PDO_METHODS_H */
