/*
 * All coroutines that exist. Private to the coroutine floor.
 */
#ifndef WEFT_LIVING_H
#define WEFT_LIVING_H

#include "coroutine/weft_coroutine.h"

typedef struct {
	weft_coroutine *newest; /* linked by all_next */
	uint32_t count;         /* without those in the background */
} weft_living_list;

extern weft_living_list weft_living;

weft_coroutine *weft_living_new(void);
/* It is done: tells those who keep something for it. */
void weft_living_free(weft_coroutine *coroutine);
/* In a child that `survivor` forked: only it and the main script go on. */
void weft_living_abandon_others(const weft_coroutine *survivor);
/* The script ends: frees all of them, and their contexts. */
void weft_living_forget(void);

#endif /* WEFT_LIVING_H */
