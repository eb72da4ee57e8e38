/*
 * Processes: the supervisor (owns signals and the listening sockets, never runs application code), the zygote
 * (boots the application once, takes the snapshot, forks), the workers.
 */
#ifndef WEFT_SERVER_H
#define WEFT_SERVER_H

#include "php.h"

void weft_server_minit(void);

#endif /* WEFT_SERVER_H */
