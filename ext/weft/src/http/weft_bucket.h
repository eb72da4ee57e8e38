/*
 * How often something may happen: so often a second, and so often at once. A bucket fills at the rate and holds as
 * many; all that has to be known of it is when it will be full again.
 */
#ifndef WEFT_BUCKET_H
#define WEFT_BUCKET_H

#include "reactor/weft_reactor.h"

/* `full` is when it will be; in the past: it is. Returns the same after one more has been taken out; 0: it is empty. */
static inline uint64_t weft_bucket_take(uint64_t full, uint64_t now, uint32_t rate, uint32_t burst)
{
	uint64_t each = WEFT_NS_PER_SEC / rate, from = full > now ? full : now;

	return from - now > each * (burst - 1) ? 0 : from + each;
}

#endif /* WEFT_BUCKET_H */
