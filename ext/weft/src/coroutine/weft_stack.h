/*
 * C stacks for coroutines: carved from large mappings, so that a hundred thousand of them stay far below the
 * kernel's limit of mappings (vm.max_map_count, 65,530 by default), and reused.
 *
 * zend_fiber_init_context() maps a stack of its own at every call. While weft_stack_pool_armed is on, the
 * interposition floor answers its mmap, mprotect and munmap from here.
 */
#ifndef WEFT_STACK_H
#define WEFT_STACK_H

#include <stdbool.h>
#include <stddef.h>

extern bool weft_stack_pool_armed;

/* A stack of `size` bytes, lowest page first; MAP_FAILED when the pool has none of that size to give. */
void *weft_stack_map(size_t size);
/* Makes the first page of a stack of the pool unusable, so that an overflow faults. Returns 0 or -1 with errno. */
int weft_stack_protect(void *stack, size_t size);
/* Whether the address is a stack of the pool. */
bool weft_stack_owns(const void *stack);
/* Gives it back; its memory returns to the system, its address range is kept for the next one. */
void weft_stack_unmap(void *stack, size_t size);
/* Unmaps everything. No stack may be in use. */
void weft_stack_free_all(void);

#endif /* WEFT_STACK_H */
