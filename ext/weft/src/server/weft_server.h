/*
 * Processes: the supervisor (owns signals and the listening sockets, never runs application code), the zygote
 * (boots the application once, takes the snapshot, forks), the workers.
 *
 *     supervisor  --control (SOCK_SEQPACKET)-->  zygote  --channel (SOCK_SEQPACKET)-->  worker 1..N
 *
 * The zygote leads a process group of its own: a terminal's Ctrl-C reaches the supervisor only, and whatever
 * the application has left running can be ended with the group. Nobody outlives the supervisor: the zygote is
 * killed with it (PR_SET_PDEATHSIG), a worker drains when its end of the leash closes (weft_leash.h).
 */
#ifndef WEFT_SERVER_H
#define WEFT_SERVER_H

#include "php.h"

void weft_server_minit(void);
/* Says on stderr why the application did not boot, when a fatal error ended it. */
void weft_server_rshutdown(void);

#endif /* WEFT_SERVER_H */
