/*
 * Who gets a connection beyond the pool's limit. A request that keeps one and waits for another may be waiting for
 * itself, or for a request that waits for what it keeps. So it does not wait: it gets one more, or is told at once.
 */
#ifndef WEFT_PDO_BEYOND_H
#define WEFT_PDO_BEYOND_H

#include "pdo/weft_pdo_pool.h"

typedef enum {
	WEFT_PDO_MAY_WAIT, /* it keeps none, or another coroutine of its request goes on and may give one back */
	WEFT_PDO_GETS_ONE_MORE,
	WEFT_PDO_WAITS_IN_VAIN /* it has as many as one request may have (weft.pdo_request_max) */
} weft_pdo_beyond_verdict;

/* For the running coroutine, when the pool has nothing for it. */
weft_pdo_beyond_verdict weft_pdo_beyond(void);
/* How many connections the domain in place has, of all pools. */
uint32_t weft_pdo_beyond_count(void);

/* A link that is about to be opened counts as well. */
typedef struct weft_pdo_opening {
	const void *domain;
	struct weft_pdo_opening *next, **place; /* no place: it is not */
} weft_pdo_opening;
void weft_pdo_beyond_opens(weft_pdo_opening *opening);
void weft_pdo_beyond_opened(weft_pdo_opening *opening);

/* Somebody waits in the line of this pool: from time to time looks whether a request has come to wait for itself. */
void weft_pdo_beyond_watch(weft_pdo_pool *pool);
void weft_pdo_beyond_look(weft_timer *timer);

#endif /* WEFT_PDO_BEYOND_H */
