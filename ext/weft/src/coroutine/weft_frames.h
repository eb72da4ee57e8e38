/*
 * Where PHP code stands, for who may trust nothing that is there: a thread that watches another, a handler of a signal
 * that ends the process. Nothing is allocated, and what is not mapped ends the list.
 */
#ifndef WEFT_FRAMES_H
#define WEFT_FRAMES_H

#include "php.h"

#include <stdbool.h>
#include <stddef.h>

/* Frames that are told at most, the innermost first. */
#define WEFT_FRAMES_MOST 30

/* Copies memory of this process. False when some of it is not mapped, or the kernel does not allow it. */
bool weft_read_mapped(void *to, const void *from, size_t length);

/* A line for each, each with a line break before it: "#0 /app/a.php(12) in Shop\Cart::total()". Ends with a zero
 * byte; returns the length. */
size_t weft_frames_describe(const zend_execute_data *innermost, char *to, size_t room);

#endif /* WEFT_FRAMES_H */
