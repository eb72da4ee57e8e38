/*
 * What the machine, or the container, has.
 */
#ifndef WEFT_MACHINE_H
#define WEFT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes of memory that this process and others with it may use; 0: not known. */
uint64_t weft_machine_memory(void);

/* Bytes that a process has in memory, and how many of them are in a file or in memory that others share as well. False:
 * not known, as for one that is gone. */
bool weft_machine_process_memory(pid_t pid, uint64_t *resident, uint64_t *shared);

#endif /* WEFT_MACHINE_H */
