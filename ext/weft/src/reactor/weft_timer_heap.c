/*
 * Each timer knows its position in the heap, so one that is taken out is not searched for.
 */
#include "reactor/weft_timer_heap.h"

#include <stdio.h>
#include <stdlib.h>

static void heap_grow(weft_timer_heap *heap)
{
	uint32_t capacity = heap->capacity ? heap->capacity * 2 : 64;
	void *entries = realloc(heap->entries, (size_t) (capacity + 1) * sizeof(*heap->entries));

	if (!entries) {
		/* A sleep that can never end must not look like one that will. */
		fputs("weft: out of memory for timers\n", stderr);
		abort();
	}
	heap->entries = entries;
	heap->capacity = capacity;
}

static inline void place(weft_timer_heap *heap, uint32_t position, uint64_t deadline, weft_timer *timer)
{
	heap->entries[position].deadline = deadline;
	heap->entries[position].timer = timer;
	timer->position = position;
}

static void sift_up(weft_timer_heap *heap, uint32_t position, uint64_t deadline, weft_timer *timer)
{
	while (position > 1) {
		uint32_t parent = position / 2;

		if (heap->entries[parent].deadline <= deadline) {
			break;
		}
		place(heap, position, heap->entries[parent].deadline, heap->entries[parent].timer);
		position = parent;
	}
	place(heap, position, deadline, timer);
}

static void sift_down(weft_timer_heap *heap, uint32_t position, uint64_t deadline, weft_timer *timer)
{
	for (;;) {
		uint32_t child = position * 2;

		if (child > heap->count) {
			break;
		}
		if (child < heap->count && heap->entries[child + 1].deadline < heap->entries[child].deadline) {
			child++;
		}
		if (heap->entries[child].deadline >= deadline) {
			break;
		}
		place(heap, position, heap->entries[child].deadline, heap->entries[child].timer);
		position = child;
	}
	place(heap, position, deadline, timer);
}

void weft_timer_heap_put(weft_timer_heap *heap, weft_timer *timer, uint64_t deadline)
{
	if (timer->position) {
		weft_timer_heap_take(heap, timer);
	}
	if (heap->count == heap->capacity) {
		heap_grow(heap);
	}
	timer->deadline = deadline;
	heap->count++;
	sift_up(heap, heap->count, deadline, timer);
}

void weft_timer_heap_take(weft_timer_heap *heap, weft_timer *timer)
{
	uint32_t position = timer->position;
	uint64_t deadline;
	weft_timer *last;

	if (!position) {
		return;
	}
	timer->position = 0;
	deadline = heap->entries[heap->count].deadline;
	last = heap->entries[heap->count].timer;
	heap->count--;
	if (last == timer) {
		return;
	}
	if (position > 1 && heap->entries[position / 2].deadline > deadline) {
		sift_up(heap, position, deadline, last);
	} else {
		sift_down(heap, position, deadline, last);
	}
}

void weft_timer_heap_clear(weft_timer_heap *heap)
{
	for (uint32_t i = 1; i <= heap->count; i++) {
		heap->entries[i].timer->position = 0;
	}
	free(heap->entries);
	heap->entries = NULL;
	heap->count = heap->capacity = 0;
}
