/*
 * A message, or an end, on its way to the sockets of its rooms. Each costs a system call, and all of a huge room at
 * once would keep everybody else waiting for that long. So it goes in turns, one in a round of the reactor, and
 * whatever comes next for rooms waits for its end: there is one of them at a time.
 *
 * Meanwhile sockets come and go. Who was in one of the rooms when it began, and still is, gets it. Who comes later does
 * not: new places are put in front of those that are still to be visited.
 */
#include "http/ws/weft_rooms_internal.h"

#include <string.h>

/* Sockets in one turn: some 4 ms, about what others have between two turns when they keep this worker busy (half of
 * weft.time_slice). With much fewer a worker in which everybody computes would not keep up with its rooms. */
#ifndef WEFT_ROOMS_TURN
#define WEFT_ROOMS_TURN 512
#endif

static struct {
	weft_ws_room **rooms; /* each is held; NULL: nothing is under way */
	uint32_t count, at;
	weft_ws_message *message; /* NULL: they are closed */
	uint64_t number;          /* of those that went to several rooms */
	bool excepts;
	uint64_t serial; /* of who gets none */
	uint16_t code;   /* to close with */
	uint8_t reason_length;
	char reason[WEFT_WS_REASON_LONGEST];
} delivery;

static void begin(weft_ws_room **rooms, uint32_t count)
{
	ZEND_ASSERT(!delivery.rooms);
	delivery.rooms = rooms;
	delivery.count = count;
	delivery.at = 0;
	delivery.number += count > 1;
	for (uint32_t i = 0; i < count; i++) {
		weft_rooms_visit_places(rooms[i]);
	}
}

void weft_rooms_deliver(weft_ws_room **rooms, uint32_t count, weft_bytes text, bool binary,
	const weft_rooms_except *except)
{
	begin(rooms, count);
	delivery.message = weft_ws_message_new(binary, text.bytes, text.length);
	delivery.excepts = except->node != 0 && except->node == weft_ws_node();
	delivery.serial = except->serial;
}

void weft_rooms_close_sockets(weft_ws_room *room, uint16_t code, weft_bytes reason)
{
	weft_ws_room **rooms = pemalloc(sizeof(*rooms), 1);

	room->held++;
	rooms[0] = room;
	begin(rooms, 1);
	delivery.excepts = false;
	delivery.code = code;
	delivery.reason_length = (uint8_t) reason.length;
	memcpy(delivery.reason, reason.bytes, reason.length);
}

/* Of several rooms: by another one that it is, or was, in. */
static bool had_it_before(weft_ws *socket)
{
	uint64_t *last = weft_ws_last_delivery(socket);
	bool had = *last == delivery.number;

	*last = delivery.number;
	return had;
}

static void deliver_to(weft_ws *socket)
{
	static const char reason[] = "messages come faster than this client reads them";

	if ((delivery.excepts && weft_ws_serial(socket) == delivery.serial) ||
		(delivery.count > 1 && had_it_before(socket))) {
		return;
	}
	if (!delivery.message) {
		weft_ws_close(socket, delivery.code, delivery.reason, delivery.reason_length);
	} else if (weft_ws_deliver(socket, delivery.message) == WEFT_WS_FULL) {
		weft_ws_close(socket, WEFT_WS_TRY_LATER, reason, sizeof(reason) - 1);
	}
}

static void delivered(void)
{
	for (uint32_t i = 0; i < delivery.count; i++) {
		delivery.rooms[i]->held--;
		weft_rooms_drop_empty(delivery.rooms[i]);
	}
	pefree(delivery.rooms, 1);
	delivery.rooms = NULL;
	if (delivery.message) {
		weft_ws_message_release(delivery.message);
		delivery.message = NULL;
	}
}

bool weft_rooms_deliver_on(void)
{
	const weft_room_place *place;

	if (!delivery.rooms) {
		return true;
	}
	for (uint32_t had = 0; delivery.at < delivery.count; delivery.at++) {
		while (had < WEFT_ROOMS_TURN && (place = weft_rooms_next_place(delivery.rooms[delivery.at])) != NULL) {
			deliver_to(place->socket);
			had++;
		}
		if (had == WEFT_ROOMS_TURN) {
			return false;
		}
	}
	delivered();
	return true;
}

void weft_rooms_deliver_all(void)
{
	while (!weft_rooms_deliver_on()) {
	}
}
