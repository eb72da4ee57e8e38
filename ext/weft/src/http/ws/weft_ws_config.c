/*
 * The limits of WebSockets, each an ini directive.
 */
#include "http/ws/weft_ws_internal.h"
#include "directive/weft_directive.h"

typedef struct {
	zend_long max_message, buffer, close, waiting, compress_min;
	double ping, pong;
	bool compress;
} directives;

static directives ws_directives;

#define LIMIT(name, value, least, most, unit) \
	WEFT_NUMBER("weft.ws_" #name, value, name, directives, ws_directives, least, most, unit)
#define TIME(name, value) \
	WEFT_FRACTION("weft.ws_" #name, value, name, directives, ws_directives, 0, WEFT_HTTP_DAY, "seconds")

static const zend_ini_entry_def ini_entries[] = {
	/* bytes of a message, of all its frames, and once it is decompressed; closed with 1009 beyond. Chats and
	 * notifications have a few hundred */
	LIMIT(max_message, "1M", 1, 1073741824, "bytes")
	/* bytes that wait for one client; beyond it send() waits, and who is sent what others are is closed with 1013 */
	LIMIT(buffer, "1M", 1024, 1073741824, "bytes")
	/* of silence, until a client is asked whether it is there; 0: never. Proxies and address translators forget a
	 * connection after a minute or more */
	TIME(ping, "30")
	/* that it may take to answer; closed beyond. As for the bytes of an answer */
	TIME(pong, "30")
	/* from a close that was sent to the client's; closed beyond. Some round trips of the slowest network */
	LIMIT(close, "5000", 1, WEFT_HTTP_DAY * 1000, "milliseconds")
	/* sockets of a worker whose request may wait for a message in PHP; 503 beyond. Each has a stack, and what its
	 * request has made: 300 KB in a large application */
	LIMIT(waiting, "1000", 1, 1000000, "sockets")
	/* bytes of a message worth compressing: less fits into one packet anyway */
	LIMIT(compress_min, "1024", 0, 1073741824, "bytes")
	/* permessage-deflate, for clients that offer it */
	WEFT_SWITCH("weft.ws_compress", "1", compress, directives, ws_directives){0}};

void weft_ws_config_minit(int module_number)
{
	zend_register_ini_entries(ini_entries, module_number);
}

void weft_ws_config_defaults(weft_http_config *config)
{
	const directives *ini = &ws_directives;

	config->ws_max_message = (size_t) ini->max_message;
	config->ws_buffer = (size_t) ini->buffer;
	config->ws_ping_ms = (uint32_t) (ini->ping * 1000);
	config->ws_pong_ms = (uint32_t) (ini->pong * 1000);
	config->ws_close_ms = (uint32_t) ini->close;
	config->ws_waiting = (uint32_t) ini->waiting;
	config->ws_compress_min = (size_t) ini->compress_min;
	config->ws_compress = ini->compress;
}
