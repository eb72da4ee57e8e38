/*
 * A page of shared memory with a number for each worker.
 */
#include "http/weft_load.h"

#include <stdatomic.h>
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
		loads->of[i] = WEFT_LOAD_ABSENT;
	}
	return loads;
}

void weft_load_show(const weft_load *self, uint32_t load)
{
	if (self->loads && self->place < self->loads->count) {
		atomic_store_explicit(&self->loads->of[self->place], load, memory_order_relaxed);
	}
}

bool weft_load_other_is_less(const weft_load *self, uint32_t load)
{
	if (self->loads) {
		for (uint32_t i = 0; i < self->loads->count; i++) {
			if (i != self->place && atomic_load_explicit(&self->loads->of[i], memory_order_relaxed) < load) {
				return true;
			}
		}
	}
	return false;
}
