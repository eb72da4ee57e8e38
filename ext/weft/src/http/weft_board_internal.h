/*
 * What the files of the board share.
 */
#ifndef WEFT_BOARD_INTERNAL_H
#define WEFT_BOARD_INTERNAL_H

#include "http/weft_board.h"

#include <stdatomic.h>

/* With no lock: nobody else writes it. */
static inline void weft_board_raise(_Atomic uint64_t *number, uint64_t by)
{
	atomic_store_explicit(number, atomic_load_explicit(number, memory_order_relaxed) + by, memory_order_relaxed);
}

/* In which of WEFT_BOARD_BUCKETS so many nanoseconds are counted. */
uint32_t weft_board_bucket(uint64_t time);
/* 1 to 5; 0: none of them. */
uint32_t weft_board_digit(int status);

#endif /* WEFT_BOARD_INTERNAL_H */
