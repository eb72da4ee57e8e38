/*
 * Still pages: memory of the base that nobody writes to is not read by the scan. Internal to the isolation floor.
 *
 * After some scans, pages that hold objects of the base are made read-only. The first write to one faults: the
 * handler makes the page writable again and notes it, and the next scan compares what lies on it. So a page is left
 * out only while it is certain that nothing on it has changed, and a scan costs what is written, not what there is.
 *
 * A system call can't write to such a page: it would fail with EFAULT. So a page qualifies only if every piece of
 * memory on it is known: objects without hidden state and arrays and strings, which the base holds and which the
 * kernel is never given; and pieces that were free, which are taken from the allocator.
 */
#ifndef WEFT_STILL_H
#define WEFT_STILL_H

#include "isolation/weft_slots.h"

/* After a scan, when the base is in place. Every so often the choice is made anew. */
void weft_still_scanned(void);
/* Whether the scan may leave this record out. It asks for all when it is planned; weft_still_planned() ends that. */
bool weft_still_covers(const weft_object_record *record);
void weft_still_planned(void);
/* So many pages have been written to since that a new plan is worth it; or the choice has been made anew. */
bool weft_still_plan_is_old(void);
/* Instead of what the plan leaves out: moves what differs on pages that have been written to since. */
void weft_still_leave(weft_private_list *list);
/* For tests: the first record that is left out and differs, or NULL. */
const weft_object_record *weft_still_find_difference(void);

/* The collector writes to nearly every object: all pages are writable until the next scan, which looks at all of them. */
void weft_still_open(void);
/* The base changes or goes: no page is still, until there have been scans again. */
void weft_still_end(void);
/* Somebody else wants the signal: no page will be still in this process. */
void weft_still_give_up(void);
uint32_t weft_still_count(void);

/* --- weft_still_pages.c: which pages qualify --- */

#define WEFT_STILL_PAGE ((uintptr_t) 4096)

/* Fills in the pages that qualify, ascending; returns how many. The caller frees them. The allocator's free pieces
 * on them are taken until weft_still_give_back(). */
uint32_t weft_still_choose(uintptr_t **pages);
void weft_still_give_back(void);

#endif /* WEFT_STILL_H */
