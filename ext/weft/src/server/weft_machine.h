/*
 * What the machine, or the container, has.
 */
#ifndef WEFT_MACHINE_H
#define WEFT_MACHINE_H

#include <stdint.h>

/* Bytes of memory that this process and others with it may use; 0: not known. */
uint64_t weft_machine_memory(void);

#endif /* WEFT_MACHINE_H */
