/*
 * The methods that a driver adds to PDO's own.
 */
#ifndef WEFT_PDO_METHODS_H
#define WEFT_PDO_METHODS_H

#include "pdo/weft_pdo_pool.h"

/* What PDO asks the driver for. */
const zend_function_entry *weft_pdo_methods_of_driver(pdo_dbh_t *dbh, int kind);
/* Wraps those of all classes of drivers that are known by now; once. */
void weft_pdo_methods_of_classes(const zend_class_entry *pdo);
/* Makes on a link what was made on the handle of the boot whose place it takes. False with an exception. */
bool weft_pdo_methods_repeat(const weft_pdo_handle *handle, weft_pdo_link *link);
void weft_pdo_methods_forget(weft_pdo_handle *handle);

#endif /* WEFT_PDO_METHODS_H */
