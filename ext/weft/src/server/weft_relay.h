/*
 * The supervisor's part of the bus (weft_bus.h): has one order for what all workers send, and relays it to each.
 *
 * Everything is bounded. What waits for a worker may be weft.bus_buffer bytes: while one is behind by more, nothing is
 * read of any, so that the others wait in their turn. A worker that is behind for weft.bus_patience_ms is cut off.
 */
#ifndef WEFT_RELAY_H
#define WEFT_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_relay weft_relay;

/* NULL with errno. */
weft_relay *weft_relay_new(void);
/* What zygotes inherit. */
int weft_relay_door(const weft_relay *relay);
/* Joins other machines, as the newest generation wants it: what a zygote has sent (weft_peers.h), NULL: none. What is
 * the same as before stays as it is. */
void weft_relay_join(weft_relay *relay, const char *wanted, size_t length);
/* Readable when there is something to handle. */
int weft_relay_fd(const weft_relay *relay);
void weft_relay_handle(weft_relay *relay);
/* When to look; 0: never. */
uint64_t weft_relay_deadline(const weft_relay *relay);
/* Cuts off who is behind for too long. */
void weft_relay_look(weft_relay *relay, uint64_t now);
void weft_relay_free(weft_relay *relay);

#endif /* WEFT_RELAY_H */
