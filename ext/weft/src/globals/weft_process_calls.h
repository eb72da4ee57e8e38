/*
 * Functions that act on the process. A request shares its process with others, so they are refused there, or act on
 * what is the request's alone.
 */
#ifndef WEFT_PROCESS_CALLS_H
#define WEFT_PROCESS_CALLS_H

#include <sys/types.h>

/* Once, from weft_c_state_rinit(): exchanges the handlers. */
void weft_process_calls_wrap(void);
/* This process serves requests from now on. What a request of it forks does not: there the functions act as ever. */
void weft_process_calls_refuse(void);

/* 0: not known. */
pid_t weft_parent_of(pid_t pid);

#endif /* WEFT_PROCESS_CALLS_H */
