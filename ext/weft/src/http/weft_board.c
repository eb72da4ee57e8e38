/*
 * A memfd with an entry for each worker.
 */
#include "http/weft_board.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Somebody's who is not there yet. */
#define CLAIMED (-1)

static weft_board *map(int fd, size_t size)
{
	weft_board *board = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return board == MAP_FAILED ? NULL : board;
}

static size_t size_of(uint32_t count)
{
	return sizeof(weft_board) + count * sizeof(weft_board_entry);
}

weft_board *weft_board_new(uint32_t count, int *fd)
{
	*fd = memfd_create("weft-board", MFD_CLOEXEC);
	if (*fd < 0) {
		return NULL;
	}
	weft_board *board = ftruncate(*fd, (off_t) size_of(count)) == 0 ? map(*fd, size_of(count)) : NULL;
	if (board) {
		board->count = count;
	} else {
		close(*fd);
		*fd = -1;
	}
	return board;
}

weft_board *weft_board_map(int fd)
{
	struct stat status;

	if (fstat(fd, &status) != 0 || (size_t) status.st_size < sizeof(weft_board)) {
		return NULL;
	}
	weft_board *board = map(fd, (size_t) status.st_size);
	if (board && size_of(board->count) > (size_t) status.st_size) {
		munmap(board, (size_t) status.st_size);
		return NULL;
	}
	return board;
}

void weft_board_unmap(weft_board *board)
{
	if (board) {
		munmap(board, size_of(board->count));
	}
}

weft_board_entry *weft_board_claim(weft_board *board)
{
	for (uint32_t i = 0; board && i < board->count; i++) {
		weft_board_entry *entry = &board->entries[i];
		if (entry->pid == 0) {
			entry->draining = entry->running = entry->connections = 0;
			entry->handled = 0;
			entry->since = (int64_t) time(NULL);
			entry->pid = CLAIMED;
			return entry;
		}
	}
	return NULL;
}

void weft_board_give(weft_board_entry *entry, int32_t pid)
{
	if (entry) {
		entry->pid = pid;
	}
}

bool weft_board_shown(const weft_board_entry *entry)
{
	return entry->pid > 0 && (kill(entry->pid, 0) == 0 || errno != ESRCH);
}

bool weft_board_any(const weft_board *board)
{
	for (uint32_t i = 0; i < board->count; i++) {
		if (weft_board_shown(&board->entries[i])) {
			return true;
		}
	}
	return false;
}

bool weft_board_any_accepts(const weft_board *board)
{
	for (uint32_t i = 0; i < board->count; i++) {
		if (!board->entries[i].draining && weft_board_shown(&board->entries[i])) {
			return true;
		}
	}
	return false;
}

uint32_t weft_board_running(const weft_board *board)
{
	uint32_t running = 0;

	for (uint32_t i = 0; i < board->count; i++) {
		if (weft_board_shown(&board->entries[i])) {
			running += board->entries[i].running;
		}
	}
	return running;
}

/* With no lock: nobody else writes it. */
static void board_raise(_Atomic uint64_t *number, uint64_t by)
{
	atomic_store_explicit(number, atomic_load_explicit(number, memory_order_relaxed) + by, memory_order_relaxed);
}

void weft_board_count(weft_board_entry *entry, int status, uint64_t time, uint64_t cpu, uint64_t bytes)
{
	static const uint32_t bounds[] = WEFT_BOARD_BOUNDS;
	weft_board_tally *tally = &entry->tally;
	uint32_t bucket = 0;

	_Static_assert(sizeof(bounds) / sizeof(bounds[0]) == WEFT_BOARD_BUCKETS - 1, "one more counts those beyond");
	while (bucket < WEFT_BOARD_BUCKETS - 1 && time > bounds[bucket] * UINT64_C(1000000)) {
		bucket++;
	}
	board_raise(&tally->statuses[status >= 100 && status < 600 ? status / 100 : 0], 1);
	board_raise(&tally->buckets[bucket], 1);
	board_raise(&tally->time, time);
	board_raise(&tally->cpu, cpu);
	board_raise(&tally->bytes, bytes);
}

void weft_board_refused(weft_board_entry *entry)
{
	if (entry) {
		board_raise(&entry->tally.refused, 1);
	}
}

void weft_board_tally_add(const weft_board_tally *tally, weft_board_tally *sum)
{
	for (uint32_t i = 0; i < sizeof(tally->statuses) / sizeof(tally->statuses[0]); i++) {
		board_raise(&sum->statuses[i], tally->statuses[i]);
	}
	for (uint32_t i = 0; i < WEFT_BOARD_BUCKETS; i++) {
		board_raise(&sum->buckets[i], tally->buckets[i]);
	}
	board_raise(&sum->time, tally->time);
	board_raise(&sum->cpu, tally->cpu);
	board_raise(&sum->bytes, tally->bytes);
	board_raise(&sum->refused, tally->refused);
}

void weft_board_add(const weft_board *board, weft_board_tally *sum)
{
	for (uint32_t i = 0; i < board->count; i++) {
		weft_board_tally_add(&board->entries[i].tally, sum);
	}
}
