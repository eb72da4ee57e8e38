/*
 * Takes the allocator's free pages, so that they can be told to the kernel, and frees them again.
 */
#include "server/weft_trim.h"

#include "coroutine/weft_context.h"
#include "php.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

/* PHP's allocator has pages of this size in chunks of 2 MB, 511 of them for values. */
#define PAGE ((size_t) 4096)
#define CHUNK ((size_t) 2 << 20)
#define LONGEST_RUN 256

typedef struct {
	void **items;
	size_t used, room;
} runs;

static bool run_keep(runs *taken, void *run)
{
	if (taken->used == taken->room) {
		size_t room = taken->room ? 2 * taken->room : 64;
		void **items = realloc(taken->items, room * sizeof(*items));

		if (!items) {
			return false;
		}
		taken->items = items;
		taken->room = room;
	}
	taken->items[taken->used++] = run;
	return true;
}

/* Takes every free run of so many pages that the chunks have, and stops when one more would need a new chunk. The
 * pages are zero when they are touched next; no free page has to keep what it held. */
static void take_runs(runs *taken, size_t pages)
{
	size_t before = zend_memory_usage(true);

	for (;;) {
		void *run = emalloc(pages * PAGE);

		if (zend_memory_usage(true) > before || !run_keep(taken, run)) {
			efree(run);
			return;
		}
		madvise(run, pages * PAGE, MADV_DONTNEED);
	}
}

/* The allocator tells nobody which pages are free, but hands them out: so take all of them, and give them back. */
static void drop_free_pages(void)
{
	runs taken = {0};

	if (zend_memory_usage(true) + 2 * CHUNK > (size_t) PG(memory_limit)) {
		return;
	}
	for (size_t pages = LONGEST_RUN; pages; pages /= 2) {
		take_runs(&taken, pages);
	}
	for (size_t i = 0; i < taken.used; i++) {
		efree(taken.items[i]);
	}
	free(taken.items);
}

void weft_trim_memory(void)
{
	if (is_zend_mm()) {
		zend_mm_gc(zend_mm_get_heap());
		drop_free_pages();
		zend_mm_gc(zend_mm_get_heap());
		zend_memory_reset_peak_usage();
	}
	/* their stacks have pages that the deepest call so far has touched */
	weft_context_end_idle();
	malloc_trim(0);
}
