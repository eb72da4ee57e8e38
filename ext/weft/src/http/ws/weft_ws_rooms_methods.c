/*
 * The methods of class Weft\Http\WebSocket that are about rooms.
 */
#include "http/ws/weft_rooms.h"
#include "http/ws/weft_ws_internal.h"
#include "http/ws/weft_ws_deflate.h"

#include "zend_exceptions.h"

#include <inttypes.h>

/* Beside the names and the message of what is published. */
#define HEAD_OF_PUBLISH 32
#define HEAD_OF_NAME 4

static weft_bytes bytes_of(const zend_string *string)
{
	return (weft_bytes){ZSTR_VAL(string), ZSTR_LEN(string)};
}

/* False with an exception. */
static bool succeeded(weft_rooms_result result)
{
	switch (result) {
		case WEFT_ROOMS_DONE: return true;
		case WEFT_ROOMS_CANCELLED: break;
		case WEFT_ROOMS_TOO_MANY:
			zend_throw_exception(weft_ws_ce_exception, "The WebSocket is in as many rooms as it may be (weft.ws_rooms)",
				0);
			break;
		case WEFT_ROOMS_FULL:
			zend_throw_exception(weft_ws_ce_exception,
				"More is on its way to the other workers than may be (weft.bus_buffer), and nothing can wait here", 0);
			break;
		case WEFT_ROOMS_NO_WORKER:
			zend_throw_exception(weft_ws_ce_exception,
				"This process is no worker of a Weft server: it has no part in its rooms", 0);
			break;
	}
	return false;
}

static bool check_room(const zend_string *room, uint32_t argument)
{
	if (ZSTR_LEN(room) == 0 || ZSTR_LEN(room) > WEFT_ROOM_NAME) {
		zend_argument_value_error(argument, "must be the name of a room: 1 to %d bytes", WEFT_ROOM_NAME);
		return false;
	}
	return true;
}

/* --- the socket's --- */

static bool check_no_member(zend_string *const texts[3])
{
	for (uint32_t i = 0; i < 3; i++) {
		if (ZSTR_LEN(texts[i]) > 0) {
			zend_argument_value_error(i + 3, "must be empty without a member: it is what a room tells of one");
			return false;
		}
	}
	return true;
}

static bool check_member(const zend_string *member, zend_string *const texts[3])
{
	if (ZSTR_LEN(member) == 0 || ZSTR_LEN(member) > WEFT_ROOM_NAME) {
		zend_argument_value_error(2, "must be the name of a member: 1 to %d bytes", WEFT_ROOM_NAME);
		return false;
	}
	for (uint32_t i = 0; i < 3; i++) {
		if (ZSTR_LEN(texts[i]) > WEFT_ROOM_TEXT) {
			zend_argument_value_error(i + 3, "must be of at most %d bytes: all workers keep it", WEFT_ROOM_TEXT);
			return false;
		}
		if (i > 0 && !weft_ws_is_utf8(ZSTR_VAL(texts[i]), ZSTR_LEN(texts[i]))) {
			zend_argument_value_error(i + 3, "must be valid UTF-8: it is sent as text");
			return false;
		}
	}
	return true;
}

static bool is_open(const weft_ws *socket)
{
	if (socket->state != WEFT_WS_OPEN) {
		zend_throw_exception(weft_ws_ce_closed, "The WebSocket is closed", 0);
		return false;
	}
	return true;
}

ZEND_METHOD(Weft_Http_WebSocket, subscribe)
{
	zend_string *room, *member = NULL, *texts[3] = {ZSTR_EMPTY_ALLOC(), ZSTR_EMPTY_ALLOC(), ZSTR_EMPTY_ALLOC()};
	weft_rooms_member about = {0};

	ZEND_PARSE_PARAMETERS_START(1, 5)
		Z_PARAM_STR(room)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(member)
		Z_PARAM_STR(texts[0])
		Z_PARAM_STR(texts[1])
		Z_PARAM_STR(texts[2])
	ZEND_PARSE_PARAMETERS_END();
	weft_ws *socket = weft_ws_of_object(Z_OBJ_P(ZEND_THIS));
	if (!socket || !check_room(room, 1) || !(member ? check_member(member, texts) : check_no_member(texts)) ||
		!is_open(socket)) {
		RETURN_THROWS();
	}
	if (member) {
		about = (weft_rooms_member){bytes_of(member), bytes_of(texts[0]), bytes_of(texts[1]), bytes_of(texts[2])};
	}
	/* what waits must not lose it */
	weft_ws_addref(socket);
	if (succeeded(weft_rooms_enter(socket, bytes_of(room), &about))) {
		is_open(socket);
	}
	weft_ws_release(socket);
}

ZEND_METHOD(Weft_Http_WebSocket, unsubscribe)
{
	zend_string *room;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(room)
	ZEND_PARSE_PARAMETERS_END();
	WEFT_WS_OF_THIS();
	weft_rooms_leave(socket, bytes_of(room));
}

static void add_room(void *arg, weft_bytes name, weft_bytes about, uint32_t count)
{
	add_next_index_stringl(arg, name.bytes, name.length);
}

ZEND_METHOD(Weft_Http_WebSocket, rooms)
{
	ZEND_PARSE_PARAMETERS_NONE();
	WEFT_WS_OF_THIS();
	array_init(return_value);
	weft_rooms_of(socket, add_room, return_value);
}

/* --- of all --- */

/* The bytes that all take, 0 with an exception. */
static size_t take_rooms(HashTable *table, weft_bytes *rooms)
{
	size_t length = 0;
	uint32_t count = 0;
	zval *room;

	ZEND_HASH_FOREACH_VAL(table, room) {
		if (Z_TYPE_P(room) != IS_STRING || Z_STRLEN_P(room) == 0 || Z_STRLEN_P(room) > WEFT_ROOM_NAME) {
			zend_argument_value_error(1, "must be a list of names of rooms: strings of 1 to %d bytes", WEFT_ROOM_NAME);
			return 0;
		}
		rooms[count++] = bytes_of(Z_STR_P(room));
		length += HEAD_OF_NAME + Z_STRLEN_P(room);
	}
	ZEND_HASH_FOREACH_END();
	return length;
}

/* The id of a socket: "123456.17". */
static bool take_id(const zend_string *id, weft_rooms_except *except)
{
	char again[48];

	if (!id) {
		return true;
	}
	if (sscanf(ZSTR_VAL(id), "%" SCNu32 ".%" SCNu64, &except->node, &except->serial) == 2) {
		int length = snprintf(again, sizeof(again), "%u.%" PRIu64, except->node, except->serial);
		if (zend_string_equals_cstr(id, again, (size_t) length)) {
			return true;
		}
	}
	zend_argument_value_error(4, "must be the id of a WebSocket, or null");
	return false;
}

static bool check_message(const zend_string *message, bool binary, size_t beside)
{
	if (!binary && !weft_ws_is_utf8(ZSTR_VAL(message), ZSTR_LEN(message))) {
		zend_argument_value_error(2, "must be valid UTF-8, or be sent as binary");
		return false;
	}
	if (HEAD_OF_PUBLISH + beside + ZSTR_LEN(message) > weft_rooms_buffer()) {
		zend_throw_exception_ex(weft_ws_ce_exception, 0,
			"A message of %zu bytes, with the names of its rooms, does not fit into weft.bus_buffer (%zu)",
			ZSTR_LEN(message), weft_rooms_buffer());
		return false;
	}
	return true;
}

ZEND_METHOD(Weft_Http_WebSocket, publish)
{
	zend_string *room, *message, *except_id = NULL;
	HashTable *table;
	bool binary = false;
	weft_rooms_except except = {0};
	weft_bytes one, *rooms = &one;

	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_ARRAY_HT_OR_STR(table, room)
		Z_PARAM_STR(message)
		Z_PARAM_OPTIONAL
		Z_PARAM_BOOL(binary)
		Z_PARAM_STR_OR_NULL(except_id)
	ZEND_PARSE_PARAMETERS_END();
	uint32_t count = table ? zend_hash_num_elements(table) : 1;
	if (!take_id(except_id, &except) || (!table && !check_room(room, 1))) {
		RETURN_THROWS();
	}
	if (count == 0) {
		return;
	}
	if (table) {
		rooms = safe_emalloc(count, sizeof(*rooms), 0);
	} else {
		one = bytes_of(room);
	}
	size_t beside = table ? take_rooms(table, rooms) : HEAD_OF_NAME + ZSTR_LEN(room);
	if (beside > 0 && check_message(message, binary, beside)) {
		succeeded(weft_rooms_publish(rooms, count, bytes_of(message), binary, except));
	}
	if (table) {
		efree(rooms);
	}
}

static void add_member(void *arg, weft_bytes name, weft_bytes about, uint32_t count)
{
	zval value;

	ZVAL_STRINGL(&value, about.bytes, about.length);
	zend_symtable_str_update(Z_ARRVAL_P((zval *) arg), name.bytes, name.length, &value);
}

ZEND_METHOD(Weft_Http_WebSocket, members)
{
	zend_string *room;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(room)
	ZEND_PARSE_PARAMETERS_END();
	array_init(return_value);
	if (!succeeded(weft_rooms_members(bytes_of(room), add_member, return_value))) {
		RETURN_THROWS();
	}
}

static void add_count(void *arg, weft_bytes name, weft_bytes about, uint32_t count)
{
	HashTable *table = Z_ARRVAL_P((zval *) arg);
	zval *there = zend_symtable_str_find(table, name.bytes, name.length), value;

	ZVAL_LONG(&value, count + (there ? Z_LVAL_P(there) : 0));
	zend_symtable_str_update(table, name.bytes, name.length, &value);
}

ZEND_METHOD(Weft_Http_WebSocket, count)
{
	zend_string *prefix = ZSTR_EMPTY_ALLOC();
	bool exact = false;

	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(prefix)
		Z_PARAM_BOOL(exact)
	ZEND_PARSE_PARAMETERS_END();
	array_init(return_value);
	/* no room has a longer name */
	if (ZSTR_LEN(prefix) <= WEFT_ROOM_NAME &&
		!succeeded(weft_rooms_count(bytes_of(prefix), exact, add_count, return_value))) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(Weft_Http_WebSocket, closeAll)
{
	zend_string *room, *reason = ZSTR_EMPTY_ALLOC();
	zend_long code;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(room)
		Z_PARAM_LONG(code)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(reason)
	ZEND_PARSE_PARAMETERS_END();
	if (!check_room(room, 1) || !weft_ws_check_code(code, 2) ||
		!weft_ws_check_reason(ZSTR_VAL(reason), ZSTR_LEN(reason), 3)) {
		RETURN_THROWS();
	}
	succeeded(weft_rooms_close_all(bytes_of(room), (uint16_t) code, bytes_of(reason)));
}
