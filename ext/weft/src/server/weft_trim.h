/*
 * Giving memory back to the system when a worker is idle.
 */
#ifndef WEFT_TRIM_H
#define WEFT_TRIM_H

/* Collects no garbage: does that first, if it is wanted. Frees what PHP's and libc's allocators hold in reserve, and
 * the free pages between live values, which PHP's allocator keeps however few values are left. */
void weft_trim_memory(void);

#endif /* WEFT_TRIM_H */
