/*
 * PDO objects that were made before the snapshot: each domain sees a handle of its own in them.
 */
#ifndef WEFT_PDO_VIEW_H
#define WEFT_PDO_VIEW_H

#include "pdo/weft_pdo_pool.h"

void weft_pdo_view_minit(void);
void weft_pdo_view_rshutdown(void);

/* An object of the base: other domains get a view of their own of it. */
void weft_pdo_view_of_base(zend_object *object);
/* The object goes: so do the views. */
void weft_pdo_view_forget_object(zend_object *object);
bool weft_pdo_view_exists(const void *domain);
/* May suspend. */
void weft_pdo_view_end(const void *domain);

#endif /* WEFT_PDO_VIEW_H */
