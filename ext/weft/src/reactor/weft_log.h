/*
 * The error log: standard error. What is written may have come from a client, in a message of PHP or in a path; nothing
 * in it may pass for a record of its own or steer a terminal.
 *
 * A record begins at the beginning of a line; its other lines are indented. Other control characters are written as
 * \xNN.
 */
#ifndef WEFT_LOG_H
#define WEFT_LOG_H

/* One record, with its line break, in one write: lines of several processes never mix. */
void weft_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* WEFT_LOG_H */
