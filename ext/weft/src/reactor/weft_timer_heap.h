/*
 * A binary heap of timers, nearest deadline first. Private to the reactor.
 */
#ifndef WEFT_TIMER_HEAP_H
#define WEFT_TIMER_HEAP_H

#include "reactor/weft_reactor.h"

typedef struct {
	/* The deadline stands beside the pointer so that sifting touches one array only. */
	struct {
		uint64_t deadline;
		weft_timer *timer;
	} * entries; /* entries[1..count]; place 0 is unused so that position 0 can mean "not armed" */
	uint32_t count;
	uint32_t capacity;
} weft_timer_heap;

void weft_timer_heap_put(weft_timer_heap *heap, weft_timer *timer, uint64_t deadline);
void weft_timer_heap_take(weft_timer_heap *heap, weft_timer *timer);
/* The nearest timer, or NULL. */
static inline weft_timer *weft_timer_heap_first(const weft_timer_heap *heap)
{
	return heap->count ? heap->entries[1].timer : NULL;
}
/* Disarms all and frees the memory. */
void weft_timer_heap_clear(weft_timer_heap *heap);

#endif /* WEFT_TIMER_HEAP_H */
