/*
 * Writes and reads operations.
 */
#include "http/ws/weft_operation.h"

#include "php.h"

#include <string.h>

#define FIRST_ROOM 256

static unsigned char *more(weft_operation *operation, size_t length)
{
	size_t end = operation->length + length;

	if (end > operation->room) {
		size_t room = MAX(MAX(end, operation->room * 2), FIRST_ROOM);
		operation->bytes = perealloc(operation->bytes, room, 1);
		operation->room = room;
	}
	unsigned char *at = operation->bytes + operation->length;
	operation->length = end;
	return at;
}

static void put_little_endian(weft_operation *operation, uint64_t value, size_t width)
{
	unsigned char *at = more(operation, width);

	for (size_t i = 0; i < width; i++) {
		at[i] = (unsigned char) (value >> 8 * i);
	}
}

void weft_operation_begin(weft_operation *operation, weft_operation_kind kind)
{
	operation->length = 0;
	weft_put_byte(operation, (uint8_t) kind);
}

void weft_operation_free(weft_operation *operation)
{
	if (operation->bytes) {
		pefree(operation->bytes, 1);
	}
	*operation = (weft_operation){0};
}

void weft_put_byte(weft_operation *operation, uint8_t value)
{
	*more(operation, 1) = value;
}

void weft_put_number(weft_operation *operation, uint32_t value)
{
	put_little_endian(operation, value, sizeof(value));
}

void weft_put_serial(weft_operation *operation, uint64_t value)
{
	put_little_endian(operation, value, sizeof(value));
}

void weft_put_text(weft_operation *operation, weft_bytes text)
{
	weft_put_number(operation, (uint32_t) text.length);
	weft_put_rest(operation, text);
}

void weft_put_rest(weft_operation *operation, weft_bytes text)
{
	if (text.length > 0) {
		memcpy(more(operation, text.length), text.bytes, text.length);
	}
}

/* --- reading --- */

/* NULL: there is less. */
static const unsigned char *take(weft_operation_reader *reader, size_t length)
{
	const unsigned char *at = reader->at;

	if (reader->bad || (size_t) (reader->end - at) < length) {
		reader->bad = true;
		return NULL;
	}
	reader->at += length;
	return at;
}

static uint64_t get_little_endian(weft_operation_reader *reader, size_t width)
{
	const unsigned char *at = take(reader, width);
	uint64_t value = 0;

	for (size_t i = 0; at && i < width; i++) {
		value |= (uint64_t) at[i] << 8 * i;
	}
	return value;
}

static weft_bytes get_bytes(weft_operation_reader *reader, size_t length)
{
	const char *at = (const char *) take(reader, length);

	return at ? (weft_bytes){at, length} : (weft_bytes){"", 0};
}

uint8_t weft_get_byte(weft_operation_reader *reader)
{
	return (uint8_t) get_little_endian(reader, sizeof(uint8_t));
}

uint32_t weft_get_number(weft_operation_reader *reader)
{
	return (uint32_t) get_little_endian(reader, sizeof(uint32_t));
}

uint64_t weft_get_serial(weft_operation_reader *reader)
{
	return get_little_endian(reader, sizeof(uint64_t));
}

weft_bytes weft_get_text(weft_operation_reader *reader)
{
	return get_bytes(reader, weft_get_number(reader));
}

weft_bytes weft_get_rest(weft_operation_reader *reader)
{
	return get_bytes(reader, (size_t) (reader->end - reader->at));
}

bool weft_got_all(const weft_operation_reader *reader)
{
	return !reader->bad && reader->at == reader->end;
}
