/*
 * Slabs of many stacks, the list of free ones, and the guard page at each one's end.
 */
#include "coroutine/weft_stack.h"
#include "weft_valgrind.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13: a guard that does not split the mapping */
#endif

/* Stacks in one mapping: a hundred thousand coroutines need 1,563 mappings. */
#define STACKS_A_SLAB 64
/* Without MADV_GUARD_INSTALL each guard page splits its mapping in two. Beyond this many stacks they go
 * without one, since running into vm.max_map_count would end the process for certain. */
#define GUARDED_BY_MPROTECT 8192

typedef struct slab slab;
struct slab {
	slab *next;
	char *memory;
	size_t stack_size;
	uint64_t guarded; /* a bit a stack: its first page is out of bounds */
	unsigned valgrind_ids[STACKS_A_SLAB];
};

/* A free stack. The record stands outside of the stack, so that a free stack costs no page. */
typedef struct free_stack free_stack;
struct free_stack {
	free_stack *next;
	void *memory;
};

bool weft_stack_pool_armed;

static slab *slabs;
static size_t pool_stack_size;
static free_stack *free_stacks;
static free_stack *free_records;
static uint32_t guards_by_mprotect;
static bool no_guard_install;

static void put_free(void *memory)
{
	free_stack *record = free_records;

	if (record) {
		free_records = record->next;
	} else {
		record = malloc(sizeof(*record));
		if (!record) {
			return; /* the range is lost until the slab goes; nothing else breaks */
		}
	}
	record->memory = memory;
	record->next = free_stacks;
	free_stacks = record;
}

static slab *slab_of(const void *stack, uint64_t *bit)
{
	for (slab *s = slabs; s; s = s->next) {
		if ((const char *) stack >= s->memory && (const char *) stack < s->memory + s->stack_size * STACKS_A_SLAB) {
			*bit = 1ull << ((size_t) ((const char *) stack - s->memory) / s->stack_size);
			return s;
		}
	}
	return NULL;
}

static bool add_slab(size_t size)
{
	slab *added = malloc(sizeof(*added));

	if (!added) {
		return false;
	}
	/* NORESERVE: stacks are mostly untouched, and 100,000 of them are more than most machines' memory. */
	added->memory = mmap(NULL, size * STACKS_A_SLAB, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (added->memory == MAP_FAILED) {
		free(added);
		return false;
	}
	/* A huge page behind each stack would make a sleeping coroutine cost 2 MB. */
	madvise(added->memory, size * STACKS_A_SLAB, MADV_NOHUGEPAGE);
	added->stack_size = size;
	added->guarded = 0;
	added->next = slabs;
	slabs = added;
	for (int i = STACKS_A_SLAB - 1; i >= 0; i--) {
		char *stack = added->memory + (size_t) i * size;

		added->valgrind_ids[i] = VALGRIND_STACK_REGISTER(stack, stack + size);
		put_free(stack);
	}
	return true;
}

void *weft_stack_map(size_t size)
{
	free_stack *record;

	if (!pool_stack_size) {
		pool_stack_size = size;
	}
	if (size != pool_stack_size || (!free_stacks && !add_slab(size))) {
		return MAP_FAILED;
	}
	record = free_stacks;
	free_stacks = record->next;
	record->next = free_records;
	free_records = record;
	return record->memory;
}

int weft_stack_protect(void *stack, size_t size)
{
	uint64_t bit;
	slab *s = slab_of(stack, &bit);

	if (!s || (s->guarded & bit)) {
		return 0;
	}
	if (!no_guard_install) {
		if (madvise(stack, size, MADV_GUARD_INSTALL) == 0) {
			s->guarded |= bit;
			return 0;
		}
		no_guard_install = true;
	}
	if (guards_by_mprotect == GUARDED_BY_MPROTECT) {
		return 0;
	}
	if (mprotect(stack, size, PROT_NONE) != 0) {
		return -1;
	}
	guards_by_mprotect++;
	s->guarded |= bit;
	return 0;
}

bool weft_stack_owns(const void *stack)
{
	uint64_t bit;

	return slabs && slab_of(stack, &bit) != NULL;
}

void weft_stack_unmap(void *stack, size_t size)
{
	/* The guard stays: both kinds survive this, and the next user of the stack needs it again. */
	madvise(stack, size, MADV_DONTNEED);
	put_free(stack);
}

static void free_list(free_stack **list)
{
	while (*list) {
		free_stack *record = *list;

		*list = record->next;
		free(record);
	}
}

void weft_stack_free_all(void)
{
	while (slabs) {
		slab *gone = slabs;

		slabs = gone->next;
		for (int i = 0; i < STACKS_A_SLAB; i++) {
			VALGRIND_STACK_DEREGISTER(gone->valgrind_ids[i]);
		}
		munmap(gone->memory, gone->stack_size * STACKS_A_SLAB);
		free(gone);
	}
	free_list(&free_stacks);
	free_list(&free_records);
	pool_stack_size = 0;
	guards_by_mprotect = 0;
}
