/*
 * What each worker of a generation shows of itself, in shared memory: the supervisor counts what runs there, and tells
 * who asks for the server's status. A worker writes its own entry, with plain stores, and nobody waits for anybody.
 */
#ifndef WEFT_BOARD_H
#define WEFT_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Upper bounds of what a request's time is counted in, in milliseconds; one more counts those beyond. */
#define WEFT_BOARD_BOUNDS \
	{ \
		5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000 \
	}
#define WEFT_BOARD_BUCKETS 13

/* Why a worker's place was taken by another. */
typedef enum {
	WEFT_BOARD_DIED, /* a signal, or an end that nobody asked for */
	WEFT_BOARD_STUCK,
	WEFT_BOARD_FATAL_ERROR,
	WEFT_BOARD_MAX_REQUESTS,
	WEFT_BOARD_MAX_LIFETIME,
	WEFT_BOARD_MAX_MEMORY,
	WEFT_BOARD_ASKED, /* it got SIGTERM */
	WEFT_BOARD_CAUSES
} weft_board_cause;

/* As metrics call it: "fatal_error". */
extern const char *const weft_board_cause_names[WEFT_BOARD_CAUSES];

/* Of messages of WebSockets. */
typedef enum { WEFT_BOARD_IN, WEFT_BOARD_OUT, WEFT_BOARD_DIRECTIONS } weft_board_direction;

/* As metrics call it: "in". */
extern const char *const weft_board_direction_names[WEFT_BOARD_DIRECTIONS];

/* Extensions that are counted for themselves; those that come later are not. */
#define WEFT_BOARD_EXTENSIONS 16

/* One that has kept a worker from all else. */
typedef struct {
	char name[32];         /* "": nobody's yet */
	_Atomic uint64_t time; /* nanoseconds */
} weft_board_extension;

/* What has been answered, since the board was made. */
typedef struct {
	_Atomic uint64_t statuses[6]; /* by their first digit; 0: any other */
	_Atomic uint64_t buckets[WEFT_BOARD_BUCKETS];
	_Atomic uint64_t time, cpu;                       /* nanoseconds */
	_Atomic uint64_t bytes;                           /* of bodies */
	_Atomic uint64_t refused;                         /* since too many waited */
	_Atomic uint64_t switches;                        /* between requests */
	_Atomic uint64_t dirty;                           /* slots that those have moved */
	_Atomic uint64_t messages[WEFT_BOARD_DIRECTIONS]; /* of WebSockets */
	_Atomic uint64_t replaced[WEFT_BOARD_CAUSES];
	weft_board_extension blocked[WEFT_BOARD_EXTENSIONS];
} weft_board_tally;

/* Routes that are counted for themselves; those that come later are "(others)". */
#define WEFT_BOARD_ROUTES 128
/* Bytes of a route's name, with its end. */
#define WEFT_BOARD_ROUTE 104

/* How long answers have taken. */
typedef struct {
	_Atomic uint64_t buckets[WEFT_BOARD_BUCKETS];
	_Atomic uint64_t time; /* nanoseconds */
} weft_board_durations;

/* Bytes of a path that is remembered, with its end; longer ones are not. */
#define WEFT_BOARD_PATH 168

/* Of a route, what a made-up visitor could ask for as well: GET without a query, answered with 200. Of the visitors who
 * asked nothing is kept but the path. */
typedef struct {
	_Atomic uint64_t count, cpu; /* nanoseconds */
	_Atomic uint32_t version;    /* odd: the path is being written */
	uint32_t votes;              /* for this path: it has come so much more often than others since it is there */
	char path[WEFT_BOARD_PATH];
} weft_board_page;

typedef struct {
	char name[WEFT_BOARD_ROUTE];       /* letters, digits and signs that need no escape anywhere; "": nobody's yet */
	weft_board_durations by_status[6]; /* by their first digit; 0: any other */
	weft_board_page page;
} weft_board_route;

/* Requests of one worker that can be shown at once; a page of them that nobody uses takes no memory. */
#define WEFT_BOARD_REQUESTS 1024

/* One that runs. Of the path, and of a method that nobody knows, as much as there is room for; no query, which may hold
 * what is nobody's business. */
typedef struct {
	_Atomic uint64_t began; /* weft_now() of its head's end; 0: it is over */
	char id[65];
	char method[15];
	char path[WEFT_BOARD_PATH];
} weft_board_request;

/* Bytes in which a worker describes what it runs; what nobody has asked for takes no memory. */
#define WEFT_BOARD_VIEW (256 << 10)

/* What the supervisor asks a worker to describe. */
typedef struct {
	_Atomic uint32_t asked;    /* the how manieth time */
	_Atomic uint32_t answered; /* of those, the last that has been */
	_Atomic uint32_t frames;   /* with PHP's frames */
	_Atomic uint32_t length;   /* of the answer */
	ptrdiff_t text;            /* from here to the answer: an array in JSON */
} weft_board_view;

/* One process. Its fields may be of different moments. */
typedef struct {
	_Atomic int32_t pid; /* 0: nobody's */
	_Atomic uint32_t draining;
	_Atomic uint32_t running;      /* requests */
	_Atomic uint32_t queued;       /* those that have not begun */
	_Atomic uint64_t queued_since; /* weft_now() when the one began to wait that does for longest; 0: none does */
	_Atomic uint32_t connections;
	_Atomic uint32_t websockets;
	_Atomic uint32_t coroutines;
	_Atomic uint32_t idle, leased;    /* connections of its PDO pools */
	_Atomic uint32_t waiting;         /* for one of those */
	_Atomic uint64_t switches, dirty; /* as the process has counted, of what the tally has */
	_Atomic uint64_t handled;         /* requests, since its start */
	_Atomic int64_t since;            /* seconds of the clock: when it was started; 0: nobody has had the entry */
	_Atomic uint64_t beat;            /* grows as long as its thread comes back to its loop */
	_Atomic uint64_t stuck_at;        /* the beat with which it has stood still for long, plus one; 0: it never has */
	_Atomic uint64_t shown[WEFT_BOARD_REQUESTS / 64]; /* a bit for each of its requests */
	ptrdiff_t requests;                               /* from here to WEFT_BOARD_REQUESTS of them */
	ptrdiff_t routes;                                 /* from here to WEFT_BOARD_ROUTES of them */
	weft_board_view view;
	weft_board_tally tally; /* and of those before it that had the entry */
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
/* The same for its route. `path` is NULL where no made-up visitor could ask for the same. */
void weft_board_count_route(weft_board_entry *entry, const char *name, int status, uint64_t time, uint64_t cpu,
	const char *path);
/* Adds to a table of WEFT_BOARD_ROUTES, in no order, those of another one; who has no name is free. */
void weft_board_add_routes(const weft_board_route *from, weft_board_route *to);
/* The same of all entries. */
void weft_board_add_all_routes(const weft_board *board, weft_board_route *to);
/* One was refused, since too many waited. NULL: nobody sees it. */
void weft_board_refused(weft_board_entry *entry);
/* A WebSocket was opened or closed: there are so many. NULL: nobody sees it. */
void weft_board_show_websockets(weft_board_entry *entry, uint32_t count);
/* A message of one has come, or was sent. NULL: nobody sees it. */
void weft_board_count_message(weft_board_entry *entry, weft_board_direction direction);
/* An extension has kept the process from all else. NULL: nobody sees it. */
void weft_board_count_blocked(weft_board_entry *entry, const char *extension, uint64_t time);
/* So many times has this process gone from one request to another, and so many slots has that moved. */
void weft_board_show_switches(weft_board_entry *entry, uint64_t switches, uint64_t dirty);
/* Another worker takes this one's place, or will. NULL: nobody sees it. From any thread. */
void weft_board_replaced(weft_board_entry *entry, weft_board_cause cause);
/* Whether it was since it stands still, and it still does. */
bool weft_board_is_stuck(const weft_board_entry *entry);
/* A request begins. NULL: it is not shown, for there is no place, or no entry. */
weft_board_request *weft_board_show_request(weft_board_entry *entry, uint64_t began, const char *id, const char *method,
	const char *path);
/* It is over. NULL is fine. */
void weft_board_hide_request(weft_board_entry *entry, weft_board_request *request);
/* Copies the next one that runs, for anybody; *next is 0 at first. False when there is none. */
bool weft_board_next_request(const weft_board_entry *entry, uint32_t *next, weft_board_request *copy);
/* Asks a worker to describe what runs in it. */
void weft_board_ask_view(weft_board_entry *entry, bool frames);
/* Where the worker writes it, WEFT_BOARD_VIEW bytes; NULL: nobody has asked. */
char *weft_board_view_wanted(weft_board_entry *entry);
void weft_board_view_written(weft_board_entry *entry, size_t length);
/* The answer, NULL while there is none, and its length. */
const char *weft_board_view_answer(weft_board_entry *entry, size_t *length);
/* Nobody looks at the answer any more: gives its memory back. */
void weft_board_view_drop(weft_board_entry *entry);
/* Adds what all have counted. */
void weft_board_add(const weft_board *board, weft_board_tally *sum);
void weft_board_tally_add(const weft_board_tally *tally, weft_board_tally *sum);

#endif /* WEFT_BOARD_H */
