/*
 * The stacks of fibers, from a pool. PHP maps one for every fiber context; while the coroutine floor makes one of
 * its own (weft_stack_pool_armed), the mapping comes from the pool instead.
 */
#include "interpose/weft_calls.h"
#include "coroutine/weft_stack.h"
#include <sys/mman.h>

void *weft_call_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	if (UNEXPECTED(weft_stack_pool_armed) && weft_thread != WEFT_THREAD_FOREIGN && address == NULL && fd == -1) {
		void *stack = weft_stack_map(size);
		if (stack != MAP_FAILED) {
			return stack;
		}
	}
	return mmap(address, size, protection, flags, fd, offset);
}

int weft_call_mprotect(void *address, size_t size, int protection)
{
	/* The pool keeps the guard page of what it hands out. */
	if (UNEXPECTED(weft_stack_pool_armed) && weft_thread != WEFT_THREAD_FOREIGN && protection == PROT_NONE &&
		weft_stack_owns(address)) {
		return weft_stack_protect(address, size);
	}
	return mprotect(address, size, protection);
}

int weft_call_munmap(void *address, size_t size)
{
	if (weft_thread != WEFT_THREAD_FOREIGN && weft_stack_owns(address)) {
		weft_stack_unmap(address, size);
		return 0;
	}
	return munmap(address, size);
}
