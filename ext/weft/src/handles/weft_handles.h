/*
 * Handles of the boot: connections of libraries in C (phpredis, mysqli, pgsql, curl, Memcached) that were made before
 * the snapshot. All workers are forks of the process that opened them, so two requests that used one would read each
 * other's answers. Such an object is a name, no more: in each domain calls of its methods, and of functions that get
 * it, reach a stand-in of that domain, which is made at the first use in the way that the boot has shown, and goes with
 * the domain. Where a stand-in can't be had, the first use throws (Weft\Isolation\HandleOfBootError). PDO has its own
 * floor.
 */
#ifndef WEFT_HANDLES_H
#define WEFT_HANDLES_H

void weft_handles_minit(void);

void weft_handles_rshutdown(void);

#endif /* WEFT_HANDLES_H */
