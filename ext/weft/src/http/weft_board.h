/*
 * What each worker of a generation shows of itself, in shared memory: the supervisor counts what runs there, and tells
 * who asks for the server's status. A worker writes its own entry, with plain stores, and nobody waits for anybody.
 */
#ifndef WEFT_BOARD_H
#define WEFT_BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Upper bounds of what a request's time is counted in, in milliseconds; one more counts those beyond. */
#define WEFT_BOARD_BOUNDS \
	{ \
		5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000 \
	}
#define WEFT_BOARD_BUCKETS 13

/* What has been answered, since the board was made. */
typedef struct {
	_Atomic uint64_t statuses[6]; /* by their first digit; 0: any other */
	_Atomic uint64_t buckets[WEFT_BOARD_BUCKETS];
	_Atomic uint64_t time, cpu; /* nanoseconds */
	_Atomic uint64_t bytes;     /* of bodies */
	_Atomic uint64_t refused;   /* since too many waited */
} weft_board_tally;

/* One process. Its fields may be of different moments. */
typedef struct {
	_Atomic int32_t pid; /* 0: nobody's */
	_Atomic uint32_t draining;
	_Atomic uint32_t running; /* requests */
	_Atomic uint32_t queued;  /* those that have not begun */
	_Atomic uint32_t connections;
	_Atomic uint64_t handled; /* requests, since its start */
	_Atomic int64_t since;    /* seconds of the clock: when it was started */
	weft_board_tally tally;   /* and of those before it that had the entry */
} weft_board_entry;

typedef struct {
	uint32_t count;
	weft_board_entry entries[];
} weft_board;

/* For so many processes; *fd is handed on to those that map it. NULL with errno. */
weft_board *weft_board_new(uint32_t count, int *fd);
/* The one behind a descriptor that was handed on. */
weft_board *weft_board_map(int fd);
void weft_board_unmap(weft_board *board);
/* A free entry, for a process that is about to be forked; NULL when there is none, or no board. */
weft_board_entry *weft_board_claim(weft_board *board);
/* It is this process's from now on, or nobody's (0). */
void weft_board_give(weft_board_entry *entry, int32_t pid);
/* Whether the entry is that of a process that lives: nobody may have been left to free it. */
bool weft_board_shown(const weft_board_entry *entry);
/* Whether any lives. */
bool weft_board_any(const weft_board *board);
/* Whether any lives and may accept connections. */
bool weft_board_any_accepts(const weft_board *board);
/* Requests of all that live. */
uint32_t weft_board_running(const weft_board *board);
/* One more was answered. Times in nanoseconds. Only its own process writes an entry. */
void weft_board_count(weft_board_entry *entry, int status, uint64_t time, uint64_t cpu, uint64_t bytes);
/* One was refused, since too many waited. NULL: nobody sees it. */
void weft_board_refused(weft_board_entry *entry);
/* Adds what all have counted. */
void weft_board_add(const weft_board *board, weft_board_tally *sum);
void weft_board_tally_add(const weft_board_tally *tally, weft_board_tally *sum);

#endif /* WEFT_BOARD_H */
