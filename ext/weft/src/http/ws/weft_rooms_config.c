/*
 * The limits of rooms, each an ini directive.
 */
#include "http/ws/weft_rooms_internal.h"

#include "directive/weft_directive.h"

typedef struct {
	zend_long rooms, buffer, patience_ms;
} directives;

static directives rooms_directives;

static const zend_ini_entry_def ini_entries[] = {
	/* rooms that one socket is in. A page shows a few things; and of who wants to fill the memory, each connection
	 * takes no more than some 10 KB by this */
	WEFT_NUMBER("weft.ws_rooms", "100", rooms, directives, rooms_directives, 1, 1000000, "rooms")
	/* bytes under way between workers, for each: beyond it publish() waits. A thousand messages of 16 KB */
	WEFT_NUMBER("weft.bus_buffer", "16M", buffer, directives, rooms_directives, 65536, 1073741824, "bytes")
	/* that a worker may be behind by so many, and hold up all others: then it is replaced, and its sockets are closed
	 * since they have missed something. Longer than anybody computes who does not hang */
	WEFT_NUMBER("weft.bus_patience_ms", "10000", patience_ms, directives, rooms_directives, 100, 86400000,
		"milliseconds"){0}};

void weft_rooms_minit(int module_number)
{
	zend_register_ini_entries(ini_entries, module_number);
}

uint32_t weft_rooms_most(void)
{
	return (uint32_t) rooms_directives.rooms;
}

size_t weft_rooms_buffer(void)
{
	return (size_t) rooms_directives.buffer;
}

uint32_t weft_rooms_patience(void)
{
	return (uint32_t) rooms_directives.patience_ms;
}
