/*
 * The error log: standard error. What is written may have come from a client, in a message of PHP or in a path; nothing in
 * it may pass for a record of its own or steer a terminal.
 *
 * Control characters are written as \xNN, and so is a line break, unless it is one of PHP's own stack trace: such lines
 * begin as no record does.
 */
#ifndef WEFT_LOG_H
#define WEFT_LOG_H

#include <stddef.h>

/* A byte becomes so many at most. */
#define WEFT_LOG_LONGEST 4

/* Writes to `to`, which has room for `length` times WEFT_LOG_LONGEST, and returns how many bytes that were. */
size_t weft_log_escape(char *to, const char *text, size_t length);

/* One record, with its line break, in one write: lines of several processes never mix. */
void weft_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* WEFT_LOG_H */
