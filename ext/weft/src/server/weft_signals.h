/*
 * Signals that anybody of the same user may send to a process of the server, and that it survives.
 */
#ifndef WEFT_SIGNALS_H
#define WEFT_SIGNALS_H

#include <stdbool.h>
#include <sys/types.h>

/* Every signal that would end or stop this process by default gets a handler that does nothing. What the kernel sends
 * is not survived: a fault, a limit of CPU time or of a file's size, Ctrl-Z. Programs that are executed get the default
 * actions back. Signals that have a handler are left alone. */
void weft_signals_survive(void);
/* In a worker, for what requests do with signals; and faults get their default action, for weft_crash_tell(). */
void weft_signals_survive_in_worker(void);
/* Whether it comes from a process that this one, or one of its children, has started. False when that has ended. */
bool weft_signals_from_below(pid_t sender);

#endif /* WEFT_SIGNALS_H */
