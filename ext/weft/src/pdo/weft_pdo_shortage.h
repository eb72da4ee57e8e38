/*
 * What a request is told that gets no connection, and what the log is told of those that have them. The message may
 * reach a visitor: it has nothing in it of anybody else's request.
 */
#ifndef WEFT_PDO_SHORTAGE_H
#define WEFT_PDO_SHORTAGE_H

#include "pdo/weft_pdo_pool.h"

void weft_pdo_shortage_throw_too_long(weft_pdo_pool *pool);
void weft_pdo_shortage_throw_cannot_wait(weft_pdo_pool *pool);
/* It keeps connections itself, as many as one request may. */
void weft_pdo_shortage_throw_in_vain(weft_pdo_pool *pool);
/* The server has refused one more, and the request can't wait for another since it keeps some: adds that to the
 * driver's own exception. */
void weft_pdo_shortage_explain_refusal(void);

#endif /* WEFT_PDO_SHORTAGE_H */
