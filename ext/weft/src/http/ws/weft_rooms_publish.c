/*
 * What all sockets of a room are sent, or closed with.
 */
#include "http/ws/weft_rooms_internal.h"

/* --- sending --- */

/* Returns when its place in the order of all is known: what anybody sends after that comes behind it. */
static weft_rooms_result send_to_all(weft_operation *operation)
{
	uint64_t number = weft_rooms_send(0, operation);

	weft_operation_free(operation);
	return weft_rooms_wait_for(number);
}

weft_rooms_result weft_rooms_publish(const weft_bytes *rooms, uint32_t count, weft_bytes message, bool binary,
	weft_rooms_except except)
{
	weft_operation operation = {0};
	weft_rooms_result result = weft_rooms_wait_for_room();

	if (result != WEFT_ROOMS_DONE) {
		return result;
	}
	weft_operation_begin(&operation, WEFT_OPERATION_PUBLISH);
	weft_put_byte(&operation, binary);
	weft_put_number(&operation, except.node);
	weft_put_serial(&operation, except.serial);
	weft_put_number(&operation, count);
	for (uint32_t i = 0; i < count; i++) {
		weft_put_text(&operation, rooms[i]);
	}
	weft_put_rest(&operation, message);
	return send_to_all(&operation);
}

weft_rooms_result weft_rooms_close_all(weft_bytes room, uint16_t code, weft_bytes reason)
{
	weft_operation operation = {0};

	if (!weft_rooms_begun()) {
		return WEFT_ROOMS_NO_WORKER;
	}
	weft_operation_begin(&operation, WEFT_OPERATION_CLOSE);
	weft_put_number(&operation, code);
	weft_put_text(&operation, room);
	weft_put_text(&operation, reason);
	return send_to_all(&operation);
}

/* --- applying --- */

/* Those that this worker has sockets in, once each. */
static uint32_t take_rooms(weft_operation_reader *reader, uint32_t count, weft_ws_room **rooms)
{
	uint32_t known = 0;

	for (uint32_t i = 0; i < count && !reader->bad; i++) {
		weft_ws_room *room = weft_rooms_find(weft_get_text(reader));
		if (room && room->sockets > 0 && !room->held) {
			rooms[known++] = room;
			room->held++;
		}
	}
	return known;
}

void weft_rooms_apply_publish(uint32_t node, weft_operation_reader *reader)
{
	bool binary = weft_get_byte(reader);
	weft_rooms_except except;

	except.node = weft_get_number(reader);
	except.serial = weft_get_serial(reader);
	uint32_t count = weft_get_number(reader);
	/* each has its length at least: a count that is made up takes no memory */
	if (reader->bad || count == 0 || count > (size_t) (reader->end - reader->at) / sizeof(uint32_t)) {
		reader->bad = true;
		return;
	}
	weft_ws_room **rooms = pecalloc(count, sizeof(*rooms), 1);
	uint32_t known = take_rooms(reader, count, rooms);
	weft_bytes message = weft_get_rest(reader);
	if (known > 0 && !reader->bad) {
		weft_rooms_deliver(rooms, known, message, binary, &except);
		return;
	}
	for (uint32_t i = 0; i < known; i++) {
		rooms[i]->held--;
	}
	pefree(rooms, 1);
}

void weft_rooms_announce(weft_ws_room *room, weft_bytes text, weft_rooms_except except)
{
	if (text.length == 0 || room->sockets == 0) {
		return;
	}
	weft_ws_room **rooms = pecalloc(1, sizeof(*rooms), 1);
	rooms[0] = room;
	room->held++;
	weft_rooms_deliver(rooms, 1, text, false, &except);
}

/* --- closing --- */

void weft_rooms_apply_close(weft_operation_reader *reader)
{
	uint16_t code = (uint16_t) weft_get_number(reader);
	weft_ws_room *room = weft_rooms_find(weft_get_text(reader));
	weft_bytes reason = weft_get_text(reader);
	if (!weft_got_all(reader) || reason.length > WEFT_WS_REASON_LONGEST) {
		reader->bad = true;
		return;
	}
	if (room) {
		weft_rooms_close_sockets(room, code, reason);
	}
}
