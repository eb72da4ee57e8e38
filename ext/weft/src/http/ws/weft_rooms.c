/*
 * Rooms and the places of this worker's sockets in them.
 */
#include "http/ws/weft_rooms_internal.h"

#include <string.h>

weft_ws_room *weft_rooms_all;

static weft_hashed_table rooms;

/* --- rooms --- */

weft_ws_room *weft_rooms_find(weft_bytes name)
{
	uint64_t hash = weft_hash(name.bytes, name.length);

	for (weft_hashed *entry = weft_hashed_first(&rooms, hash); entry; entry = weft_hashed_next(entry)) {
		weft_ws_room *room = (weft_ws_room *) entry;
		if (room->length == name.length && memcmp(room->name, name.bytes, name.length) == 0) {
			return room;
		}
	}
	return NULL;
}

weft_ws_room *weft_rooms_find_or_make(weft_bytes name)
{
	weft_ws_room *room = weft_rooms_find(name);

	if (room) {
		return room;
	}
	room = pecalloc(1, sizeof(*room) + name.length, 1);
	room->members_end = &room->members;
	room->length = (uint16_t) name.length;
	memcpy(room->name, name.bytes, name.length);
	weft_hashed_add(&rooms, &room->hashed, weft_hash(name.bytes, name.length));
	room->next = weft_rooms_all;
	room->link = &weft_rooms_all;
	if (room->next) {
		room->next->link = &room->next;
	}
	weft_rooms_all = room;
	return room;
}

void weft_rooms_drop_empty(weft_ws_room *room)
{
	if (room->places || room->members || room->held) {
		return;
	}
	weft_rooms_jobs_skip_room(room);
	weft_hashed_remove(&rooms, &room->hashed);
	*room->link = room->next;
	if (room->next) {
		room->next->link = room->link;
	}
	pefree(room, 1);
}

/* --- places --- */

static weft_room_place *place_of(weft_ws *socket, const weft_ws_room *room)
{
	weft_room_place *place = *weft_ws_places(socket);

	while (place && place->room != room) {
		place = place->next_of_socket;
	}
	return place;
}

static uint32_t count_places(weft_ws *socket)
{
	uint32_t count = 0;

	for (const weft_room_place *place = *weft_ws_places(socket); place; place = place->next_of_socket) {
		count++;
	}
	return count;
}

static weft_room_place *place_make(weft_ws *socket, weft_ws_room *room)
{
	weft_room_place *place = pecalloc(1, sizeof(*place), 1), **end = weft_ws_places(socket);

	place->socket = socket;
	place->room = room;
	place->next = room->places;
	place->link = &room->places;
	if (place->next) {
		place->next->link = &place->next;
	}
	room->places = place;
	while (*end) {
		end = &(*end)->next_of_socket;
	}
	*end = place;
	return place;
}

void weft_rooms_place_heard(weft_room_place *place)
{
	place->pending = false;
	place->room->sockets++;
}

static void tell_of_leaving(const weft_room_place *place)
{
	weft_operation operation = {0};

	weft_operation_begin(&operation, WEFT_OPERATION_LEAVE);
	weft_put_serial(&operation, weft_ws_serial(place->socket));
	weft_put_text(&operation, (weft_bytes){place->room->name, place->room->length});
	weft_rooms_send(0, &operation);
	weft_operation_free(&operation);
}

/* `link` is where the socket's list has it. */
static void place_drop(weft_room_place **link)
{
	weft_room_place *place = *link;
	weft_ws_room *room = place->room;

	if (place->member) {
		tell_of_leaving(place);
	}
	if (place->pending) {
		weft_rooms_expect_no_more(place);
	} else {
		room->sockets--;
	}
	if (room->next_visited == place) {
		room->next_visited = place->next;
	}
	*link = place->next_of_socket;
	*place->link = place->next;
	if (place->next) {
		place->next->link = place->link;
	}
	pefree(place, 1);
	weft_rooms_drop_empty(room);
}

void weft_rooms_visit_places(weft_ws_room *room)
{
	ZEND_ASSERT(room->held && !room->next_visited);
	room->next_visited = room->places;
}

weft_room_place *weft_rooms_next_place(weft_ws_room *room)
{
	weft_room_place *place = room->next_visited;

	while (place && place->pending) {
		place = place->next;
	}
	room->next_visited = place ? place->next : NULL;
	return place;
}

/* --- what sockets do --- */

static weft_rooms_result enter_as_member(weft_room_place *place, weft_bytes room, const weft_rooms_member *member)
{
	weft_operation operation = {0};

	weft_presence_write_join(&operation, room, weft_ws_serial(place->socket), member);
	uint64_t number = weft_rooms_send(0, &operation);
	weft_operation_free(&operation);
	place->member = true;
	weft_rooms_expect(number, place);
	return weft_rooms_wait_for(number);
}

weft_rooms_result weft_rooms_enter(weft_ws *socket, weft_bytes name, const weft_rooms_member *member)
{
	weft_ws_room *room = weft_rooms_find(name);

	if (!weft_rooms_begun()) {
		return WEFT_ROOMS_NO_WORKER;
	}
	if (room && place_of(socket, room)) {
		return WEFT_ROOMS_DONE;
	}
	if (count_places(socket) >= weft_rooms_most()) {
		return WEFT_ROOMS_TOO_MANY;
	}
	weft_room_place *place = place_make(socket, room ? room : weft_rooms_find_or_make(name));
	if (member->name.length > 0) {
		return enter_as_member(place, name, member);
	}
	place->room->sockets++;
	return WEFT_ROOMS_DONE;
}

void weft_rooms_leave(weft_ws *socket, weft_bytes name)
{
	const weft_ws_room *room = weft_rooms_find(name);

	for (weft_room_place **link = weft_ws_places(socket); room && *link; link = &(*link)->next_of_socket) {
		if ((*link)->room == room) {
			place_drop(link);
			return;
		}
	}
}

void weft_rooms_leave_all(weft_ws *socket)
{
	weft_room_place **first = weft_ws_places(socket);

	while (*first) {
		place_drop(first);
	}
}

void weft_rooms_of(weft_ws *socket, weft_rooms_tell *tell, void *arg)
{
	for (const weft_room_place *place = *weft_ws_places(socket); place; place = place->next_of_socket) {
		tell(arg, (weft_bytes){place->room->name, place->room->length}, (weft_bytes){"", 0}, 0);
	}
}

/* --- the end of all --- */

void weft_rooms_close_everything(uint16_t code, const char *reason)
{
	for (weft_ws_room *next, *room = weft_rooms_all; room; room = next) {
		/* held, for what follows it may be dropped with its last socket */
		room->held++;
		weft_rooms_close_sockets(room, code, (weft_bytes){reason, strlen(reason)});
		weft_rooms_deliver_all();
		next = room->next;
		room->held--;
		weft_rooms_drop_empty(room);
	}
}
