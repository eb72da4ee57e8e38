/*
 * What the requests of a route usually compute, for routes that usually compute for longer than a time slice. A route
 * is a method and a path; digits in the path don't tell one from another. Private to the queue of requests.
 */
#ifndef WEFT_USUAL_CPU_H
#define WEFT_USUAL_CPU_H

#include <stdint.h>

#define WEFT_USUAL_CPU_SETS 128
#define WEFT_USUAL_CPU_WAYS 4

typedef struct {
	uint32_t route;  /* 0: the entry is free */
	uint32_t weight; /* how often the route was noted, less how often others wanted the entry */
	uint64_t usual;  /* nanoseconds */
} weft_usual_cpu_entry;

typedef struct {
	uint32_t known; /* routes */
	weft_usual_cpu_entry entries[WEFT_USUAL_CPU_SETS][WEFT_USUAL_CPU_WAYS];
} weft_usual_cpu;

/* Its hash, never 0. The query is no part of it. */
uint32_t weft_usual_cpu_route(const char *method, const char *uri);
/* In nanoseconds; 0: not for long, or not known. */
uint64_t weft_usual_cpu_of(const weft_usual_cpu *table, uint32_t route);
/* A request of the route has computed for so long. */
void weft_usual_cpu_note(weft_usual_cpu *table, uint32_t route, uint64_t computed, uint64_t slice);

#endif /* WEFT_USUAL_CPU_H */
