/*
 * The scan: finds what differs from the base. What is compared is a member: an object's slots, or a run of
 * neighbouring cells. Members of the same form make a group. Internal to the floor.
 */
#ifndef WEFT_SCAN_H
#define WEFT_SCAN_H

#include "domain/weft_slots.h"

/* An object is compared in windows of 32 bytes; the last one ends where its slots end and may overlap the one before.
 * With few slots it begins in the object's head, which is masked out. So nothing beside the object is read. */
#define WEFT_SCAN_LANES 8
#define WEFT_SCAN_WINDOW ((ptrdiff_t) (WEFT_SCAN_LANES * sizeof(uint32_t)))

typedef struct {
	uint32_t lanes[WEFT_SCAN_LANES];
} weft_scan_window;

/* Objects of the same size; in a shape, of the same class too. Without a shape every window of every object lies in
 * the stream. With one, what they have in common lies in `expected`, and what varies lies in the stream: for each
 * object the lanes at the offsets in `varying`, one after the other. */
typedef struct {
	uint32_t members;
	uint32_t windows;
	uint32_t size; /* bytes from the start to the end of the slots */
	uint32_t varying_count;
	const weft_scan_window *expected; /* NULL: no shape */
	const weft_scan_window *masks;    /* one for each window: ones where it counts */
	const uint16_t *varying;
} weft_scan_objects;

/* Runs of so many cells, that far apart. The stream has four lanes for each; the last one, u2, doesn't count. */
typedef struct {
	uint32_t members;
	uint32_t cells;
	uint32_t stride;
} weft_scan_cells;

/* Members are numbered in this order: all objects, then all cells. */
typedef struct {
	weft_scan_objects *objects;
	uint32_t object_groups;
	weft_scan_cells *cells;
	uint32_t cell_groups;
	char **starts; /* of every member, and WEFT_SCAN_AHEAD more */
	uint32_t *stream;
	weft_scan_window *windows; /* all that groups point to */
	uint16_t *varying;
} weft_scan_plan;

/* How many members ahead a kernel asks for memory: they lie scattered, and a miss costs more than a compare. */
#define WEFT_SCAN_AHEAD 8

/* Writes the numbers of the members that differ, ascending; returns how many. There is room for one more than all. */
typedef uint32_t (*weft_scan_kernel)(const weft_scan_plan *plan, uint64_t *differing);

typedef struct {
	const char *name;
	weft_scan_kernel run;
} weft_scan_kernel_entry;

/* weft_scan_kernels.c */
/* The fastest that the processor has, or the one that the environment variable WEFT_SCAN names (for tests). */
const weft_scan_kernel_entry *weft_scan_choose_kernel(void);

/* --- weft_scan.c --- */

/* Moves the properties and cells that differ from the base into the list and puts the base's values back. */
void weft_scan_leave(weft_private_list *list);
/* Instead of a scan that can't find anything. */
void weft_scan_spare(void);
/* Plans the scan, when that hasn't been done. Before a fork, so that workers share it; the first scan does it too. */
void weft_scan_prepare(void);
/* The bytes of a record's base have changed: the scan must be planned anew. */
void weft_scan_base_changed(void);
/* The same for one cell, at once. */
void weft_scan_cell_changed(weft_cell *cell);
const char *weft_scan_kernel_name(void);
void weft_scan_forget(void);

#endif /* WEFT_SCAN_H */
