/*
 * The table of usual CPU time by route.
 *
 * The table has a fixed size, since clients choose the paths. A route of short requests has no entry. A route enters
 * when one of its requests has computed for longer than a slice, and leaves when its average is below that again. A
 * request that has computed for longer than WEFT_LONG (250 ms) changes nothing here: short pages of its route would
 * wait for it. In a full set the entry with the least weight loses some of it to each route that wants to enter, and
 * its place when none is left. So a client that requests a million slow paths, once each, exchanges one entry of a set
 * again and again, and routes that are requested often stay. Two routes with one hash share an average: requests then
 * start earlier or later than they should, and nothing else happens.
 */
#include "http/weft_usual_cpu.h"

#include <stddef.h>

/* Part of the average that is the last request's. */
#define SHARE_OF_LAST 4
/* So soon a route that nobody asks for any more makes room. */
#define MOST_WEIGHT 64

/* FNV-1a, 32 bits. A number in a path is mostly that of an article or a visitor. */
uint32_t weft_usual_cpu_route(const char *method, const char *uri)
{
	uint32_t hash = 2166136261U;

	for (; *method; method++) {
		hash = (hash ^ (unsigned char) *method) * 16777619U;
	}
	for (; *uri && *uri != '?'; uri++) {
		if (*uri < '0' || *uri > '9') {
			hash = (hash ^ (unsigned char) *uri) * 16777619U;
		}
	}
	return hash ? hash : 1;
}

static uint32_t set_of(uint32_t route)
{
	return (route ^ route >> 16) % WEFT_USUAL_CPU_SETS;
}

static const weft_usual_cpu_entry *find(const weft_usual_cpu *table, uint32_t route)
{
	const weft_usual_cpu_entry *set = table->entries[set_of(route)];

	for (uint32_t i = 0; i < WEFT_USUAL_CPU_WAYS; i++) {
		if (set[i].route == route) {
			return &set[i];
		}
	}
	return NULL;
}

uint64_t weft_usual_cpu_of(const weft_usual_cpu *table, uint32_t route)
{
	const weft_usual_cpu_entry *entry = table->known > 0 ? find(table, route) : NULL;

	return entry ? entry->usual : 0;
}

static void enter(weft_usual_cpu *table, uint32_t route, uint64_t computed)
{
	weft_usual_cpu_entry *set = table->entries[set_of(route)], *least = set;

	for (uint32_t i = 1; i < WEFT_USUAL_CPU_WAYS; i++) {
		if (set[i].weight < least->weight) {
			least = &set[i];
		}
	}
	if (least->weight > 0 && --least->weight > 0) {
		return;
	}
	table->known += least->route == 0;
	*least = (weft_usual_cpu_entry){.route = route, .weight = 1, .usual = computed};
}

static void leave(weft_usual_cpu *table, weft_usual_cpu_entry *entry)
{
	*entry = (weft_usual_cpu_entry){0};
	table->known--;
}

void weft_usual_cpu_note(weft_usual_cpu *table, uint32_t route, uint64_t computed, uint64_t slice)
{
	weft_usual_cpu_entry *entry = (weft_usual_cpu_entry *) find(table, route);

	if (!entry) {
		if (computed > slice) {
			enter(table, route, computed);
		}
		return;
	}
	entry->usual = entry->usual - entry->usual / SHARE_OF_LAST + computed / SHARE_OF_LAST;
	entry->weight += entry->weight < MOST_WEIGHT;
	if (entry->usual <= slice) {
		leave(table, entry);
	}
}
