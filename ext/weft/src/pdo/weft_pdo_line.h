/*
 * The line of those who wait for a link of a pool. The request that has begun first goes first, however often it has
 * had a link before: it holds memory, and whoever asked for it has waited longest. Were it to queue anew for each of
 * its statements, those that begin meanwhile would pass it at every one, and under load all would be late alike.
 * Coroutines of one request, and what no request asks, go in the order in which they ask.
 *
 * Nobody is passed for long. Who has asked a hundred times asks as one who has just begun: else a few requests with
 * thousands of statements would keep the short ones waiting. And being older counts for half of the time that one may
 * wait (weft.pdo_acquire_timeout), so that nobody waits in vain for the sake of order.
 *
 * Who waits for one link only, which no other can replace, stands beside the line.
 */
#ifndef WEFT_PDO_LINE_H
#define WEFT_PDO_LINE_H

#include "pdo/weft_pdo_pool.h"

/* Of who asks then, in the domain in place; counts how often it does. */
uint64_t weft_pdo_line_rank(uint64_t since);
/* By its rank, behind those of the same. Who opens the first connection goes before all. */
void weft_pdo_line_join(weft_pdo_pool *pool, weft_pdo_waiter *waiter);
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
