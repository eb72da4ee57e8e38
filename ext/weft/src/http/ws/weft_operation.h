/*
 * Operations: what workers tell each other of rooms, as bytes. Numbers are little-endian, so that other machines can
 * read them, and texts have their length before them. Who reads gets what is whole and nothing else: a reader that has
 * gone beyond the end, or finds something left there, is bad.
 */
#ifndef WEFT_OPERATION_H
#define WEFT_OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first byte. What is not known is left out: it is a newer server's. */
typedef enum {
	WEFT_OPERATION_PUBLISH = 1, /* byte: binary; number: node, and serial, of who gets none (0: all do); count of rooms,
								   text each; the rest: the message */
	WEFT_OPERATION_JOIN = 2,    /* serial; texts: room, member, about, joined, left */
	WEFT_OPERATION_LEAVE = 3,   /* serial; text: room */
	WEFT_OPERATION_CLOSE = 4,   /* number: code; texts: room, reason */
	WEFT_OPERATION_MEMBERS_SENT = 5, /* these were all my members */
	WEFT_OPERATION_COUNT = 6,        /* serial: number of the question; text: prefix */
	WEFT_OPERATION_COUNTED = 7,      /* serial: number of the question; byte: that was all; until the end: text: room,
								   number: sockets */
	WEFT_OPERATION_COUNT_ROOM = 8    /* serial: number of the question; text: the one room */
} weft_operation_kind;

/* Grows as it is written to. All zero: empty. */
typedef struct {
	unsigned char *bytes;
	size_t length, room;
} weft_operation;

typedef struct {
	const char *bytes;
	size_t length;
} weft_bytes;

typedef struct {
	const unsigned char *at, *end;
	bool bad;
} weft_operation_reader;

void weft_operation_begin(weft_operation *operation, weft_operation_kind kind);
void weft_operation_free(weft_operation *operation);
void weft_put_byte(weft_operation *operation, uint8_t value);
void weft_put_number(weft_operation *operation, uint32_t value);
void weft_put_serial(weft_operation *operation, uint64_t value);
void weft_put_text(weft_operation *operation, weft_bytes text);
/* Without its length: to the end. */
void weft_put_rest(weft_operation *operation, weft_bytes text);

/* What can't be read is 0, or an empty text, and the reader is bad from then on. */
uint8_t weft_get_byte(weft_operation_reader *reader);
uint32_t weft_get_number(weft_operation_reader *reader);
uint64_t weft_get_serial(weft_operation_reader *reader);
weft_bytes weft_get_text(weft_operation_reader *reader);
weft_bytes weft_get_rest(weft_operation_reader *reader);
/* True when all was read, and nothing beyond. */
bool weft_got_all(const weft_operation_reader *reader);

#endif /* WEFT_OPERATION_H */
