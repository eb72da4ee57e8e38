/*
 * What stands around a connection in place of the reactor, the socket, the engine and the application.
 */
#ifndef STAND_INS_H
#define STAND_INS_H

#include "http/weft_coding.h"
#include "http/weft_http_internal.h"

/* Aborts with these words unless it holds. */
void promise(int holds, const char *what);
/* The next of numbers that the input has chosen. */
unsigned stand_in_dice(void);

/* --- the client --- */
/* A connection is opened. */
void stand_in_begin(weft_http_server *server, unsigned seed);
bool stand_in_is_open(void);
/* Bytes have come. */
void stand_in_deliver(const char *data, size_t length);
/* So many bytes may be sent until the socket is full. */
void stand_in_let_through(size_t length);
void stand_in_fire_writable(void);
void stand_in_half_close(void);
void stand_in_hang_up(void);
void stand_in_reset(void);
/* What was sent is of a protocol, as far as that can be seen without reading it. */
void stand_in_check_sent(void);

/* --- the reactor --- */
void stand_in_rounds(void);
void stand_in_wait(uint64_t time);
unsigned stand_in_timers(void);
void stand_in_drain(weft_http_server *server);

/* --- the application --- */
/* Requests that run do their next step; `all`: until they end. */
void stand_in_application(bool all);
unsigned stand_in_applications(void);

#endif /* STAND_INS_H */
