/*
 * A worker that a fault in C ends says in which request and where in PHP's code, and dies of it as before.
 */
#ifndef WEFT_CRASH_H
#define WEFT_CRASH_H

#include <stdint.h>

/* From now on, in this process, for the signals that nobody else handles (AddressSanitizer does). */
void weft_crash_tell(uint32_t worker);

#endif /* WEFT_CRASH_H */
