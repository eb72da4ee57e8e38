/*
 * The collector's list of roots, one for each PHP request: garbage of one must not be collected in another, whose
 * destructors would write into a stranger's answer.
 *
 * Zend/zend_gc.c keeps it in a variable of its own. It begins alike in 8.2 to 8.5, public functions tell what must be
 * in it, and it is looked for among the variables of the program that those functions are in.
 */
#include "domain/weft_php_request.h"
#include "globals/weft_program.h"
#include "zend_gc.h"

/* The low bits of an entry say whether it is a root. */
#define ENTRY_BITS ((uintptr_t) 3)
#define FIRST_ROOT 1

static weft_collector *live;
static uint32_t first_threshold;

WEFT_READS_ALL static bool agrees(const weft_collector *found)
{
	zend_gc_status status;

	zend_gc_get_status(&status);
	return found->is_protected == gc_protected() && found->enabled == gc_enabled() &&
		found->threshold == status.threshold && found->count == status.num_roots && found->runs == status.runs &&
		found->collected == status.collected && found->first_unused <= found->size && found->unused <= found->size;
}

/* It does what it is told to. */
static bool is_it(void *place)
{
	const weft_collector *found = place;
	bool before = gc_protected(), agreed;

	if (!agrees(found)) {
		return false;
	}
	gc_protect(!before);
	agreed = agrees(found);
	gc_protect(before);
	return agreed;
}

bool weft_collector_find(void)
{
	if (!live) {
		live = weft_program_find(sizeof(weft_collector), is_it);
	}
	return live != NULL;
}

void weft_collector_init(weft_collector *other)
{
	bool enabled = gc_enabled();

	memset(other, 0, sizeof(*other));
	weft_collector_exchange(other);
	gc_enable(true); /* gives it room */
	gc_enable(enabled);
	weft_collector_exchange(other);
	first_threshold = other->threshold;
}

void weft_collector_exchange(weft_collector *other)
{
	weft_collector was = *live;

	*live = *other;
	*other = was;
}

/* A value of the base that has lost a reference here is watched here, and must not think so any longer. */
static void let_go_of_roots(void)
{
	const uintptr_t *entries = live->roots;

	for (uint32_t i = FIRST_ROOT; i < live->first_unused; i++) {
		if (!(entries[i] & ENTRY_BITS)) {
			gc_remove_from_buffer((zend_refcounted *) entries[i]);
		}
	}
}

void weft_collector_clean(void)
{
	let_go_of_roots();
	live->unused = 0;
	live->first_unused = FIRST_ROOT;
	live->threshold = first_threshold;
	live->runs = live->collected = 0;
}

void weft_collector_free(weft_collector *other)
{
	free(other->roots);
}
