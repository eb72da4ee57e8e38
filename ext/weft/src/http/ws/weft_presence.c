/*
 * Members of rooms, as all workers know them: each has heard the same operations in the same order. Members are found
 * by room and name, their sockets by room, node and serial.
 */
#include "http/ws/weft_rooms_internal.h"

#include <string.h>

enum { NAME, ABOUT, JOINED, LEFT };

static weft_hashed_table members, presences;

static const weft_rooms_except nobody;

/* --- finding --- */

static uint64_t hash_in_room(const weft_ws_room *room, const void *bytes, size_t length)
{
	return weft_hash(bytes, length) ^ room->hashed.hash * UINT64_C(0x9e3779b97f4a7c15);
}

static weft_ws_member *find_member(const weft_ws_room *room, weft_bytes name)
{
	uint64_t hash = hash_in_room(room, name.bytes, name.length);

	for (weft_hashed *entry = weft_hashed_first(&members, hash); entry; entry = weft_hashed_next(entry)) {
		weft_ws_member *member = (weft_ws_member *) entry;
		if (member->room == room && member->lengths[NAME] == name.length &&
			memcmp(member->bytes, name.bytes, name.length) == 0) {
			return member;
		}
	}
	return NULL;
}

static uint64_t hash_of_socket(const weft_ws_room *room, uint32_t node, uint64_t serial)
{
	uint64_t key[2] = {node, serial};

	return hash_in_room(room, key, sizeof(key));
}

static weft_presence *find_presence(const weft_ws_room *room, uint32_t node, uint64_t serial)
{
	uint64_t hash = hash_of_socket(room, node, serial);

	for (weft_hashed *entry = weft_hashed_first(&presences, hash); entry; entry = weft_hashed_next(entry)) {
		weft_presence *presence = (weft_presence *) entry;
		if (presence->serial == serial && presence->node->number == node && presence->member->room == room) {
			return presence;
		}
	}
	return NULL;
}

static weft_bytes text_of(const weft_ws_member *member, int which)
{
	weft_bytes text = {member->bytes, member->lengths[which]};

	for (int i = 0; i < which; i++) {
		text.bytes += member->lengths[i];
	}
	return text;
}

/* --- joining --- */

static weft_ws_member *make_member(weft_ws_room *room, const weft_rooms_member *about)
{
	const weft_bytes texts[4] = {about->name, about->about, about->joined, about->left};
	size_t length = 0;

	for (int i = 0; i < 4; i++) {
		length += texts[i].length;
	}
	weft_ws_member *member = pecalloc(1, sizeof(*member) + length, 1);
	char *at = member->bytes;
	for (int i = 0; i < 4; i++) {
		member->lengths[i] = (uint32_t) texts[i].length;
		memcpy(at, texts[i].bytes, texts[i].length);
		at += texts[i].length;
	}
	member->room = room;
	member->link = room->members_end;
	*room->members_end = member;
	room->members_end = &member->next;
	weft_hashed_add(&members, &member->hashed, hash_in_room(room, about->name.bytes, about->name.length));
	return member;
}

static void make_presence(weft_ws_member *member, uint32_t number, uint64_t serial)
{
	weft_ws_node_known *node = weft_nodes_find_or_make(number);
	weft_presence *presence = pecalloc(1, sizeof(*presence), 1);

	presence->member = member;
	presence->node = node;
	presence->serial = serial;
	presence->link = node->end;
	*node->end = presence;
	node->end = &presence->next;
	weft_hashed_add(&presences, &presence->hashed, hash_of_socket(member->room, number, serial));
	member->sockets++;
}

void weft_presence_apply_join(uint32_t node, weft_operation_reader *reader)
{
	weft_rooms_member about;
	uint64_t serial = weft_get_serial(reader);
	weft_bytes name = weft_get_text(reader);

	about.name = weft_get_text(reader);
	about.about = weft_get_text(reader);
	about.joined = weft_get_text(reader);
	about.left = weft_get_text(reader);
	if (!weft_got_all(reader) || name.length == 0 || name.length > WEFT_ROOM_NAME || about.name.length == 0) {
		reader->bad = true;
		return;
	}
	weft_ws_room *room = weft_rooms_find_or_make(name);
	weft_presence *known = find_presence(room, node, serial);
	if (known) {
		/* it was told again, for a worker that is new, or has missed something */
		known->doubtful = false;
		return;
	}
	weft_ws_member *member = find_member(room, about.name);
	bool first = !member;
	if (first) {
		member = make_member(room, &about);
	}
	/* before a node has told of all its members, who joins there has been there for long */
	bool is_news = first && weft_nodes_find_or_make(node)->told;
	make_presence(member, node, serial);
	if (is_news) {
		weft_rooms_announce(room, about.joined, (weft_rooms_except){node, serial});
	}
}

/* --- leaving --- */

static void drop_member(weft_ws_member *member)
{
	weft_ws_room *room = member->room;

	weft_hashed_remove(&members, &member->hashed);
	*member->link = member->next;
	if (member->next) {
		member->next->link = member->link;
	} else {
		room->members_end = member->link;
	}
	weft_rooms_announce(room, text_of(member, LEFT), nobody);
	pefree(member, 1);
	weft_rooms_drop_empty(room);
}

void weft_presence_drop(weft_presence *presence)
{
	weft_ws_member *member = presence->member;

	weft_rooms_jobs_skip_presence(presence);
	weft_hashed_remove(&presences, &presence->hashed);
	*presence->link = presence->next;
	if (presence->next) {
		presence->next->link = presence->link;
	} else {
		presence->node->end = presence->link;
	}
	pefree(presence, 1);
	if (--member->sockets == 0) {
		drop_member(member);
	}
}

void weft_presence_apply_leave(uint32_t node, weft_operation_reader *reader)
{
	uint64_t serial = weft_get_serial(reader);
	weft_bytes name = weft_get_text(reader);

	if (!weft_got_all(reader)) {
		reader->bad = true;
		return;
	}
	const weft_ws_room *room = weft_rooms_find(name);
	weft_presence *presence = room ? find_presence(room, node, serial) : NULL;
	if (presence) {
		weft_presence_drop(presence);
	}
}

void weft_presence_doubt(weft_ws_node_known *node)
{
	for (weft_presence *presence = node->presences; presence; presence = presence->next) {
		presence->doubtful = true;
	}
}

/* --- telling --- */

void weft_presence_write_join(weft_operation *operation, weft_bytes room, uint64_t serial,
	const weft_rooms_member *about)
{
	weft_operation_begin(operation, WEFT_OPERATION_JOIN);
	weft_put_serial(operation, serial);
	weft_put_text(operation, room);
	weft_put_text(operation, about->name);
	weft_put_text(operation, about->about);
	weft_put_text(operation, about->joined);
	weft_put_text(operation, about->left);
}

void weft_presence_write(weft_operation *operation, const weft_presence *presence)
{
	const weft_ws_member *member = presence->member;
	const weft_ws_room *room = member->room;
	weft_rooms_member about = {text_of(member, NAME), text_of(member, ABOUT), text_of(member, JOINED),
		text_of(member, LEFT)};

	weft_presence_write_join(operation, (weft_bytes){room->name, room->length}, presence->serial, &about);
}

weft_rooms_result weft_rooms_members(weft_bytes name, weft_rooms_tell *tell, void *arg)
{
	if (!weft_rooms_begun()) {
		return WEFT_ROOMS_NO_WORKER;
	}
	weft_rooms_result result = weft_nodes_wait_for_members();
	const weft_ws_room *room = result == WEFT_ROOMS_DONE ? weft_rooms_find(name) : NULL;

	for (const weft_ws_member *member = room ? room->members : NULL; member; member = member->next) {
		tell(arg, text_of(member, NAME), text_of(member, ABOUT), member->sockets);
	}
	return result;
}
