/*
 * How often a duration was how long. Eight buckets for each power of two: a median is right within a tenth.
 */
#ifndef WEFT_HISTOGRAM_H
#define WEFT_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define WEFT_HISTOGRAM_BUCKETS 256
/* Where a look at the clock would cost more than it tells, one of so many is timed. A prime, so that of what comes in
 * turns each has its turn. */
#define WEFT_HISTOGRAM_EVERY 17

typedef struct {
	uint64_t met;   /* whether timed or not */
	uint64_t total; /* nanoseconds of those that were */
	uint64_t count;
	uint32_t buckets[WEFT_HISTOGRAM_BUCKETS];
} weft_histogram;

static inline void weft_histogram_add(weft_histogram *histogram, uint64_t ns)
{
	uint32_t bucket = ns;

	if (ns >= 8) {
		uint32_t exponent = 63 - __builtin_clzll(ns);

		bucket = (exponent - 2) * 8 + ((ns >> (exponent - 3)) & 7);
	}
	histogram->buckets[bucket < WEFT_HISTOGRAM_BUCKETS ? bucket : WEFT_HISTOGRAM_BUCKETS - 1]++;
	histogram->total += ns;
	histogram->count++;
}

/* One more is met: whether it is to be timed. */
static inline bool weft_histogram_wants(weft_histogram *histogram)
{
	return histogram->met++ % WEFT_HISTOGRAM_EVERY == 0;
}

/* Nanoseconds of all that were met. */
static inline uint64_t weft_histogram_estimate(const weft_histogram *histogram)
{
	return histogram->count
		? (uint64_t) ((double) histogram->total / (double) histogram->count * (double) histogram->met)
		: 0;
}

/* The middle of the bucket below which this share (0 to 1) of all durations ends; 0 when there is none. */
static inline uint64_t weft_histogram_quantile(const weft_histogram *histogram, double share)
{
	uint64_t seen = 0;
	uint32_t bucket = 0;

	if (!histogram->count) {
		return 0;
	}
	while (bucket < WEFT_HISTOGRAM_BUCKETS - 1 && (seen += histogram->buckets[bucket]) < share * histogram->count) {
		bucket++;
	}
	return bucket < 8 ? bucket : ((uint64_t) (16 + bucket % 8 * 2 + 1) << (bucket / 8 - 1)) / 2;
}

#endif /* WEFT_HISTOGRAM_H */
