/*
 * The line of those who wait for a link of a pool: first come, first served. Who waits for one link only, which no
 * other can replace, stands beside it.
 */
#ifndef WEFT_PDO_LINE_H
#define WEFT_PDO_LINE_H

#include "pdo/weft_pdo_pool.h"

void weft_pdo_line_join(weft_pdo_pool *pool, weft_pdo_waiter *waiter);
/* Who stood there before and got nothing. */
void weft_pdo_line_join_first(weft_pdo_pool *pool, weft_pdo_waiter *waiter);
void weft_pdo_line_leave(weft_pdo_pool *pool, weft_pdo_waiter *waiter);
bool weft_pdo_line_may_try(const weft_pdo_pool *pool, const weft_pdo_waiter *waiter);
/* Sleeps until something may have become free for it. False when it was cancelled. */
bool weft_pdo_line_sleep(const weft_pdo_pool *pool, weft_pdo_waiter *waiter);
void weft_pdo_line_wake(weft_pdo_waiter *waiter);
/* A link or room for one has become free. When the first in the line is awake already, it wakes the next one itself. */
void weft_pdo_line_wake_next(weft_pdo_pool *pool);
/* The first in the line that belongs to this domain and sleeps; NULL: none. */
weft_pdo_waiter *weft_pdo_line_first_of(const weft_pdo_pool *pool, const void *domain);
/* Those who want this link may look again. */
void weft_pdo_line_wake_wanting(const weft_pdo_link *link);
/* Those who wait for the first connection stand in no line: all may go on. */
void weft_pdo_line_wake_all(weft_pdo_pool *pool);

#endif /* WEFT_PDO_LINE_H */
