/*
 * What the reactor remembers of each descriptor. Private to the reactor.
 */
#ifndef WEFT_FD_TABLE_H
#define WEFT_FD_TABLE_H

#include "reactor/weft_reactor.h"

/* Forgets every registration (the epoll set is gone); keeps no watch. */
void weft_fd_table_reset(void);
void weft_fd_table_free(void);

#endif /* WEFT_FD_TABLE_H */
