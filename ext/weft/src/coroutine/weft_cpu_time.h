/*
 * The CPU time that the thread of PHP spends, charged to whoever's code runs: what waits for events, and what asks for
 * them, is nobody's.
 *
 * A look at the thread's CPU clock is a system call, which a switch must not cost. So a stretch counts by the other
 * clock, which costs nothing of the kind. Only where one lasts for long enough to have been interrupted by other
 * processes, the CPU clock says how much of it was computed. It is looked at once a millisecond at most.
 */
#ifndef WEFT_CPU_TIME_H
#define WEFT_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* What follows is charged to that account, in nanoseconds. `now` is weft_now(). */
void weft_cpu_time_begin(uint64_t *account, uint64_t now);
/* What follows is charged to nobody. */
void weft_cpu_time_end(uint64_t now);
/* And to the same account as before. */
void weft_cpu_time_go_on(uint64_t now);
/* When that was last, or when the present account's turn began: the clock was read for it. */
uint64_t weft_cpu_time_went_on(void);
/* Whether the clock need be read for that. */
bool weft_cpu_time_is_charged(void);
/* What is on the present one; 0: there is none. */
uint64_t weft_cpu_time_of_present(uint64_t now);
/* What is on an account that may be the present one. */
uint64_t weft_cpu_time_on(const uint64_t *account, uint64_t now);
/* The account is about to be freed. */
void weft_cpu_time_close(const uint64_t *account);

#endif /* WEFT_CPU_TIME_H */
