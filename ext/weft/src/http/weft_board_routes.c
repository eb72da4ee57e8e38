/*
 * What is counted for each route: a hash table with open addressing, in memory that the supervisor reads meanwhile. A
 * name is written once and stays.
 */
#include "http/weft_board_internal.h"

#include <string.h>

static const char others[] = "(others)";

/* FNV-1a, 32 bits. */
static uint32_t hash_name(const char *name)
{
	uint32_t hash = 2166136261U;

	for (; *name; name++) {
		hash = (hash ^ (unsigned char) *name) * 16777619U;
	}
	return hash;
}

/* The place of the name, or a free one for it; NULL when the table is full but for the last, which is kept. */
static weft_board_route *find_route(weft_board_route *routes, const char *name)
{
	uint32_t at = hash_name(name) % (WEFT_BOARD_ROUTES - 1);

	for (uint32_t i = 0; i < WEFT_BOARD_ROUTES - 1; i++, at = (at + 1) % (WEFT_BOARD_ROUTES - 1)) {
		if (!routes[at].name[0] || strcmp(routes[at].name, name) == 0) {
			return &routes[at];
		}
	}
	return NULL;
}

static weft_board_route *route_of(weft_board_route *routes, const char *name)
{
	weft_board_route *route = find_route(routes, name);

	if (!route) {
		route = &routes[WEFT_BOARD_ROUTES - 1];
		name = others;
	}
	if (!route->name[0]) {
		/* the first letter last: until then it is nobody's to who reads it */
		strncpy(route->name + 1, name + 1, sizeof(route->name) - 2);
		atomic_thread_fence(memory_order_release);
		route->name[0] = name[0];
	}
	return route;
}

static weft_board_route *routes_of(const weft_board_entry *entry)
{
	return (weft_board_route *) ((char *) entry + entry->routes);
}

void weft_board_count_route(weft_board_entry *entry, const char *name, int status, uint64_t time)
{
	weft_board_durations *durations = &route_of(routes_of(entry), name)->by_status[weft_board_digit(status)];

	weft_board_raise(&durations->buckets[weft_board_bucket(time)], 1);
	weft_board_raise(&durations->time, time);
}

static void add_durations(const weft_board_durations *from, weft_board_durations *to)
{
	for (uint32_t i = 0; i < WEFT_BOARD_BUCKETS; i++) {
		weft_board_raise(&to->buckets[i], from->buckets[i]);
	}
	weft_board_raise(&to->time, from->time);
}

void weft_board_add_routes(const weft_board_route *from, weft_board_route *to)
{
	for (uint32_t i = 0; i < WEFT_BOARD_ROUTES; i++) {
		if (!from[i].name[0]) {
			continue;
		}
		weft_board_route *route = route_of(to, from[i].name);
		for (uint32_t j = 0; j < sizeof(route->by_status) / sizeof(route->by_status[0]); j++) {
			add_durations(&from[i].by_status[j], &route->by_status[j]);
		}
	}
}

/* Whose entry nobody has had has no page of them yet, and looking would make one. */
void weft_board_add_all_routes(const weft_board *board, weft_board_route *to)
{
	for (uint32_t i = 0; i < board->count; i++) {
		if (board->entries[i].since) {
			weft_board_add_routes(routes_of(&board->entries[i]), to);
		}
	}
}
