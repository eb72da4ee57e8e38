/*
 * One timer of the kernel's for the nearest deadline that is far off, as a descriptor in the epoll set. Nearly all
 * waits end long before such a deadline (a look after a second, an idle connection's end), so it stays set from one
 * wait to the next: those need neither the clock nor a time limit, which costs a timer of the kernel's each.
 * Private to the reactor.
 */
#ifndef WEFT_ALARM_H
#define WEFT_ALARM_H

#include "reactor/weft_reactor.h"

/* What epoll gives back when it has rung. */
#define WEFT_ALARM_MARK (UINT64_MAX - 1)
/* Setting it is worth its system call from here on. */
#define WEFT_ALARM_FAR_OFF UINT64_C(100000000)

/* When it will ring; 0 when it is not set. */
extern uint64_t weft_alarm_at;

/* Whether it rings by then, so that nobody has to look at the clock before. */
static inline bool weft_alarm_covers(uint64_t deadline)
{
	return weft_alarm_at && weft_alarm_at <= deadline;
}

/* False when it can't be had. */
bool weft_alarm_set(int epoll_fd, uint64_t deadline);
void weft_alarm_rang(void);
/* Closes our descriptor of it, which in a forked child is the parent's timer. */
void weft_alarm_close(void);

#endif /* WEFT_ALARM_H */
