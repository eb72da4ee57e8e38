/*
 * The error log: standard error. What is written may have come from a client, in a message of PHP or in a path; nothing
 * in it may pass for a record of its own or steer a terminal.
 *
 * For people a record begins at the beginning of a line; its other lines are indented, and other control characters are
 * written as \xNN. For machines it is a line of JSON (RFC 8259): time, level, pid, request_id,
 * source, message.
 */
#ifndef WEFT_LOG_H
#define WEFT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A byte becomes so many in JSON at most. */
#define WEFT_LOG_JSON_LONGEST 6
/* "2026-11-24T03:01:02.123Z" */
#define WEFT_LOG_TIME_LENGTH 24

/* One record, with its line break, in one write: lines of several processes never mix. Its level is "error". */
void weft_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* For machines the level may be another: "warning", "info", "debug". */
void weft_log_at(const char *level, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of a request that need not be the one that runs. */
void weft_log_of(const char *request_id, const char *level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* For what may happen all the time, and is worth a record every `every` nanoseconds: whether it is now. `told` is when
 * there was one; 0: never. */
bool weft_log_is_due(uint64_t *told, uint64_t every);

/* The same from a handler of a signal that ends the process: nothing is allocated, and what is too long is cut. */
void weft_log_in_handler(const char *level, const char *text);

/* From now on, in this process and those that it forks. */
void weft_log_as_json(bool json);
bool weft_log_is_json(void);
/* The id of the request that runs; NULL: none does. */
extern const char *(*weft_log_request_id)(void);

/* A record for who writes it himself: the room that it needs, and its length, line break included. `source`: who has
 * written the text, where that is neither PHP nor Weft; NULL. */
size_t weft_log_room(size_t length);
size_t weft_log_put(char *to, const char *request_id, const char *level, const char *source, const char *text,
	size_t length);
/* Records, by way of which those above go: waits for a moment at most for who reads them. */
void weft_log_write(const char *records, size_t length);

/* What goes between the quotes of a string; its length. Bytes that are no UTF-8 become U+FFFD. */
size_t weft_log_json(char *to, const char *text, size_t length);
/* The time of day in UTC, as RFC 3339 has it, without an end. */
void weft_log_time(char to[WEFT_LOG_TIME_LENGTH]);

#endif /* WEFT_LOG_H */
