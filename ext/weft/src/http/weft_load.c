/*
 * A page of shared memory with the load of each worker.
 */
#include "http/weft_load.h"

#include <stddef.h>
#include <sys/mman.h>

weft_loads *weft_loads_new(uint32_t count)
{
	weft_loads *loads = mmap(NULL, sizeof(*loads) + count * sizeof(loads->of[0]), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (loads == MAP_FAILED) {
		return NULL;
	}
	loads->count = count;
	for (uint32_t i = 0; i < count; i++) {
		loads->of[i].load = WEFT_LOAD_ABSENT;
	}
	return loads;
}

void weft_load_show(const weft_load *self, uint32_t load, bool idle)
{
	if (self->loads && self->place < self->loads->count) {
		atomic_store_explicit(&self->loads->of[self->place].load, load, memory_order_relaxed);
		atomic_store_explicit(&self->loads->of[self->place].idle, idle, memory_order_relaxed);
	}
}

static bool other_is(const weft_load *self, uint32_t less_than, bool idle)
{
	for (uint32_t i = 0; self->loads && i < self->loads->count; i++) {
		if (i != self->place && atomic_load_explicit(&self->loads->of[i].load, memory_order_relaxed) < less_than &&
			(!idle || atomic_load_explicit(&self->loads->of[i].idle, memory_order_relaxed))) {
			return true;
		}
	}
	return false;
}

bool weft_load_other_is_less(const weft_load *self, uint32_t load)
{
	return other_is(self, load, false);
}

bool weft_load_other_is_idle(const weft_load *self)
{
	return other_is(self, WEFT_LOAD_ABSENT, true);
}
