/*
 * What an INSERT leaves in the session: lastInsertId(), LAST_INSERT_ID(), lastval(). It is the handle's that has
 * inserted; the session of a link keeps that of whoever came last.
 */
#ifndef WEFT_PDO_INSERTED_H
#define WEFT_PDO_INSERTED_H

#include "pdo/weft_pdo_pool.h"

/* Before a statement that may ask the session for it: there it must be this handle's, and nobody else's. */
void weft_pdo_inserted_prepare(weft_pdo_link *link, weft_pdo_handle *handle, uint32_t flags);
/* A statement has run. */
void weft_pdo_inserted_note(weft_pdo_link *link, weft_pdo_handle *handle, uint32_t flags, bool done);
/* As the client's library has it after a call that succeeded. */
void weft_pdo_inserted_note_last(weft_pdo_link *link, weft_pdo_handle *handle);
/* After a statement that inserts nothing and was not sent. */
void weft_pdo_inserted_nothing(weft_pdo_handle *handle);
zend_string *weft_pdo_inserted_last(pdo_dbh_t *dbh, const zend_string *name);

#endif /* WEFT_PDO_INSERTED_H */
