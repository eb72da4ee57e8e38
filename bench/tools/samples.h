/* Times, on the clock and of this process, and what part of those that were measured was shorter than which. */
#ifndef WEFT_BENCH_SAMPLES_H
#define WEFT_BENCH_SAMPLES_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define FIRST_SAMPLES 65536

typedef struct {
	uint32_t *values; /* microseconds */
	size_t count, room;
} samples;

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static double cpu_seconds(void)
{
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	return (double) (used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
		(double) (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static void sample_add(samples *s, uint64_t nanoseconds)
{
	if (s->count == s->room) {
		s->room = s->room > 0 ? 2 * s->room : FIRST_SAMPLES;
		s->values = realloc(s->values, s->room * sizeof *s->values);
		if (s->values == NULL) {
			fprintf(stderr, "load: out of memory\n");
			exit(2);
		}
	}
	s->values[s->count++] = nanoseconds / 1000 < UINT32_MAX ? (uint32_t) (nanoseconds / 1000) : UINT32_MAX;
}

static int compare_samples(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
	return (x > y) - (x < y);
}

static void samples_sort(samples *s)
{
	qsort(s->values, s->count, sizeof *s->values, compare_samples);
}

/* Of sorted ones, in milliseconds. */
static double percentile(const samples *s, double percent)
{
	return s->count > 0 ? s->values[(size_t) (percent / 100 * (double) (s->count - 1))] / 1000.0 : 0;
}

#endif /* WEFT_BENCH_SAMPLES_H */
