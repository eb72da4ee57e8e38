/*
 * How busy the workers that share a listening socket are. Each shows its own load in a page of shared memory and
 * looks at the others' before it accepts: the kernel wakes all of them for a connection, and whoever computes
 * least often would otherwise take every one.
 */
#ifndef WEFT_LOAD_H
#define WEFT_LOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Shown by who takes no connections now: not started, draining, at its limit. */
#define WEFT_LOAD_ABSENT UINT32_MAX

typedef struct {
	uint32_t count;
	struct {
		_Atomic uint32_t load;
		atomic_bool idle; /* no request runs or waits there */
	} of[];               /* by worker */
} weft_loads;

/* Before the fork. NULL without memory: then everybody accepts what it can. */
weft_loads *weft_loads_new(uint32_t count);
/* The place of who is leaving, while its successor shows its own there. */
#define WEFT_LOAD_NO_PLACE UINT32_MAX

/* One of the places, seen by its worker; without a page, nothing is shown and nobody else is seen. */
typedef struct {
	weft_loads *loads;
	uint32_t place;
} weft_load;

void weft_load_show(const weft_load *self, uint32_t load, bool idle);
/* Somebody else takes connections and has less to do than this load. */
bool weft_load_other_is_less(const weft_load *self, uint32_t load);
/* Somebody else takes connections and has nothing to do at all. */
bool weft_load_other_is_idle(const weft_load *self);

#endif /* WEFT_LOAD_H */
