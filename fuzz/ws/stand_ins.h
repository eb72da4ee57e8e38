/*
 * What stands around a socket in place of the reactor, its connection and the application.
 */
#ifndef STAND_INS_H
#define STAND_INS_H

#include "http/ws/weft_ws_internal.h"

/* The next of numbers that the input has chosen. */
unsigned dice(void);
void dice_begin(unsigned seed);

extern weft_http_server *server;

/* --- the connection --- */
/* Another client, and its request. */
void client_begin(void);
weft_http_request *client_request(void);
bool client_is_there(void);
/* These bytes are what it sends. */
void client_will_send(const unsigned char *bytes, size_t length);
/* So many of them come. */
void client_sends(size_t length);
/* So many bytes it takes until its socket is full. */
void client_takes(size_t length);
void client_hangs_up(void);
/* How many of its bytes the socket has taken. */
size_t client_heard(void);
/* All that was sent to it. */
const unsigned char *client_got(size_t *length);
void client_end(void);
/* Time passes, and what was waited for until then happens. */
void time_passes(uint64_t time);

/* --- the application --- */
/* A message is the application's. */
void application_took(bool binary, const char *data, size_t length);
/* The one that works on a message has done with it. */
void application_goes_on(weft_ws *socket);

#endif /* STAND_INS_H */
