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

static void write_path(weft_board_page *page, const char *path, size_t length)
{
	/* odd already where a worker has died on the way */
	uint32_t version = atomic_load_explicit(&page->version, memory_order_relaxed) | 1;

	atomic_store_explicit(&page->version, version, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	memcpy(page->path, path, length + 1);
	atomic_store_explicit(&page->version, version + 1, memory_order_release);
}

/* Of a route's paths the one remains that more than half ask for, if there is one (Boyer and Moore's vote). */
static void vote(weft_board_page *page, const char *path, size_t length)
{
	if (page->votes == 0) {
		write_path(page, path, length);
	}
	if (page->votes == 0 || strcmp(page->path, path) == 0) {
		page->votes++;
	} else {
		page->votes--;
	}
}

static void count_page(weft_board_page *page, const char *path, uint64_t cpu)
{
	size_t length = strlen(path);

	if (length < WEFT_BOARD_PATH) {
		weft_board_raise(&page->count, 1);
		weft_board_raise(&page->cpu, cpu);
		vote(page, path, length);
	}
}

void weft_board_count_route(weft_board_entry *entry, const char *name, int status, uint64_t time, uint64_t cpu,
	const char *path)
{
	weft_board_route *route = route_of(routes_of(entry), name);
	weft_board_durations *durations = &route->by_status[weft_board_digit(status)];

	weft_board_raise(&durations->buckets[weft_board_bucket(time)], 1);
	weft_board_raise(&durations->time, time);
	if (path) {
		count_page(&route->page, path, cpu);
	}
}

/* A worker may write the path at the same time, or may have died on the way: then it is nobody's. */
static bool read_path(const weft_board_page *page, char path[WEFT_BOARD_PATH])
{
	uint32_t version = atomic_load_explicit(&page->version, memory_order_acquire);

	memcpy(path, page->path, WEFT_BOARD_PATH);
	path[WEFT_BOARD_PATH - 1] = '\0';
	atomic_thread_fence(memory_order_acquire);
	return version % 2 == 0 && atomic_load_explicit(&page->version, memory_order_relaxed) == version && path[0];
}

static void add_page(const weft_board_page *from, weft_board_page *to)
{
	char path[WEFT_BOARD_PATH];
	uint32_t votes = from->votes;

	weft_board_raise(&to->count, from->count);
	weft_board_raise(&to->cpu, from->cpu);
	if (!read_path(from, path)) {
		return;
	}
	if (strcmp(to->path, path) == 0) {
		to->votes += votes;
	} else if (!to->path[0] || votes > to->votes) {
		write_path(to, path, strlen(path));
		to->votes = votes;
	}
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
		add_page(&from[i].page, &route->page);
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
