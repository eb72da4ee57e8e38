/*
 * The limits of rooms, each an ini directive.
 */
#include "http/ws/weft_rooms_internal.h"

#include "directive/weft_directive.h"

typedef struct {
	zend_long rooms, buffer, patience_ms, redis_buffer, silence;
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
		"milliseconds")
	/* what waits for Redis while it can't be reached, in the supervisor. As much as may wait for a worker */
	WEFT_NUMBER("weft.bus_redis_buffer", "16M", redis_buffer, directives, rooms_directives, 65536, 1073741824, "bytes")
	/* of a server on another machine: then the members of its rooms leave. Three times what is lost at a hiccup of the
	 * network */
	WEFT_NUMBER("weft.bus_silence", "15", silence, directives, rooms_directives, 1, 86400, "seconds"){0}};

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

size_t weft_rooms_redis_buffer(void)
{
	return (size_t) rooms_directives.redis_buffer;
}

uint32_t weft_rooms_silence_ms(void)
{
	return (uint32_t) rooms_directives.silence * 1000;
}
