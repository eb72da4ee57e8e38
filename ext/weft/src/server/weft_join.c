/*
 * Looks at what is to be joined, and tells the supervisor.
 */
#include "server/weft_join.h"
#include "server/weft_peers.h"
#include "server/weft_process.h"
#include "server/weft_redis.h"

#ifdef WEFT_REDIS
#include "http/ws/weft_rooms.h"
#endif

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"

/* Of a channel's name. */
#define LONGEST_CHANNEL 200

#ifdef WEFT_REDIS
static void tell(int control, const zend_string *url, const zend_string *channel)
{
	const weft_peers_limits limits = {weft_rooms_redis_buffer(), weft_rooms_buffer() + WEFT_BUS_BESIDE,
		weft_rooms_silence_ms()};
	smart_str message = {0};

	smart_str_appendl(&message, (const char *) &limits, sizeof(limits));
	/* with their zero bytes */
	smart_str_appendl(&message, ZSTR_VAL(url), ZSTR_LEN(url) + 1);
	smart_str_appendl(&message, ZSTR_VAL(channel), ZSTR_LEN(channel) + 1);
	weft_message_send(control, WEFT_MESSAGE_MACHINES, ZSTR_VAL(message.s), ZSTR_LEN(message.s));
	smart_str_free(&message);
}
#else
static void tell(int control, const zend_string *url, const zend_string *channel)
{
	zend_throw_exception(spl_ce_RuntimeException,
		"This Weft is built without hiredis, by which rooms are shared with other machines: install libhiredis-dev and "
		"build it again.",
		0);
}
#endif

void weft_join_machines(const zend_string *url, const zend_string *channel, int control)
{
	weft_redis_url parts;
	const char *wrong = weft_redis_url_read(&parts, ZSTR_VAL(url));

	if (wrong != NULL) {
		zend_argument_value_error(1, "must be redis://user:password@host:port/db or unix:/path: %s", wrong);
	} else if (ZSTR_LEN(channel) == 0 || ZSTR_LEN(channel) > LONGEST_CHANNEL) {
		zend_argument_value_error(2, "must have 1 to %d bytes", LONGEST_CHANNEL);
	} else if (control >= 0) {
		tell(control, url, channel);
	}
}
