/*
 * What the supervisor's loop knows, for those of its parts that have a file of their own. Private to them.
 */
#ifndef WEFT_SUPERVISOR_INTERNAL_H
#define WEFT_SUPERVISOR_INTERNAL_H

#include "php.h"
#include "server/weft_control.h"
#include "server/weft_notify.h"
#include "server/weft_relay.h"
#include "server/weft_supervisor.h"
#include "server/weft_watch.h"

typedef enum {
	WEFT_PHASE_SERVING,
	WEFT_PHASE_DRAINING, /* asked to end: what runs is finished */
	WEFT_PHASE_ENDED
} weft_phase;

/* Pages that --learn allows at most. */
#define WEFT_LEARN_MOST 32

/* A page that was learnt from the traffic, or is to be. */
typedef struct {
	char route[WEFT_BOARD_ROUTE];
	char path[WEFT_BOARD_PATH];
	uint64_t cpu, weight; /* nanoseconds since the workers were started */
	uint32_t percent;     /* of what all pages have taken */
	bool known;           /* it is warm */
} weft_learnt;

typedef struct {
	uint32_t count;
	weft_learnt pages[WEFT_LEARN_MOST];
} weft_lesson;

typedef struct {
	uint64_t at;            /* when to look at the traffic; 0: never */
	uint32_t tries;         /* since the last reload */
	weft_lesson now, asked; /* what is warm, and what a spare was asked for last */
	uint32_t refused_count; /* routes that are never tried again, before the next reload */
	char refused[WEFT_BOARD_ROUTES][WEFT_BOARD_ROUTE];
	char *told; /* why it has not worked, the last time */
} weft_learning;

typedef struct {
	weft_supervisor_options *options;
	weft_phase phase;
	int exit_status;
	int signals; /* signalfd */
	bool announced;
	bool cold;           /* a warm-up has ended badly: none is tried again before the next reload */
	bool reload_asked;   /* and not begun */
	bool restarts_anew;  /* it drains to make room for another supervisor */
	uint32_t reloads;    /* begun */
	uint32_t started;    /* generations */
	char *release;       /* what serves; a zygote that dies is followed by one of the same */
	uint64_t settles_by; /* a generation is ready, and the old ones are about to accept no more; 0: none */
	uint64_t booted_in;  /* ms that the last boot took */
	uint64_t control_at; /* when to try to open the control socket again; 0: it is open, or not wanted */
	uint64_t start_at;   /* when the next zygote is due; 0: none is */
	uint32_t drain_ms;   /* how long a drain may take */
	uint64_t drain_deadline;
	uint64_t tell_at; /* that what still runs is finished first; 0: has been told */
	weft_restart_policy restarts;
	weft_generation *generations; /* the youngest first */
	weft_control *control;        /* NULL: none */
	weft_relay *relay;            /* of the bus */
	weft_notify notify;
	weft_watch *watch;      /* NULL: nobody wants to know what changes */
	int64_t since;          /* seconds of the clock */
	weft_board_tally ended; /* what generations that are gone have answered */
	weft_board_route ended_routes[WEFT_BOARD_ROUTES];
	weft_learning learning;
	uint64_t views_until; /* workers describe what they run: when those that have not are given up; 0: none does */
} weft_supervisor;

/* --- weft_supervisor.c --- */
/* The one that clients get to: its workers may have outlived their zygote. NULL: none. */
weft_generation *weft_supervisor_serving(const weft_supervisor *self);
/* The one that is not ready yet. NULL: none. */
weft_generation *weft_supervisor_booting(const weft_supervisor *self);
/* Requests of all generations. */
uint32_t weft_supervisor_running(const weft_supervisor *self);
/* What all have counted since the server's start, those included that are gone. */
void weft_supervisor_tally(const weft_supervisor *self, weft_board_tally *sum);
/* A zygote of this release, NULL: of where the application's path leads now. NULL with errno on failure. */
weft_generation *weft_supervisor_start(weft_supervisor *self, const char *release, weft_boot boot);
/* A zygote could not be started, or did not boot, and nobody serves: another try comes after a pause. A server that has
 * never served ends instead. */
void weft_supervisor_try_again(weft_supervisor *self);
/* While it serves, and while it restarts: a stop then is a stop. */
bool weft_supervisor_may_stop(const weft_supervisor *self);
/* Accepts nobody, and ends when what runs is finished, or after so many milliseconds. */
void weft_supervisor_drain(weft_supervisor *self, uint32_t ms);
/* The same, but another supervisor takes over the listening sockets: who connects meanwhile waits for that. */
void weft_supervisor_restart(weft_supervisor *self);
void weft_supervisor_end(weft_supervisor *self, int exit_status);

/* --- weft_reload.c --- */
/* Begins the reload that was asked for, when it may. */
bool weft_reload_begin_asked(weft_supervisor *self, uint64_t now);
/* The old workers serve on. `how` is for the log, `why` for who has asked. */
void weft_supervisor_reload_failed(weft_supervisor *self, const char *how, const char *why);
/* They finish what they have: another generation is ready. */
void weft_reload_retire_others(weft_supervisor *self, const weft_generation *successor);
/* When to look; 0: nothing is under way. */
uint64_t weft_reload_deadline(const weft_supervisor *self);
/* Tells that the new code alone is there, and ends what old workers have not finished in time. */
void weft_reload_look(weft_supervisor *self, uint64_t now);

/* --- weft_ends.c --- */
/* Children have ended. */
void weft_ends_reap(weft_supervisor *self);
/* Frees generations of which nothing lives. */
void weft_ends_drop_dead(weft_supervisor *self);
/* Ends zygotes that warm up for too long. */
void weft_ends_give_up_warming(const weft_supervisor *self, uint64_t now);

/* --- weft_learn.c --- */
/* When to look; 0: nothing can be learnt now. */
uint64_t weft_learn_deadline(const weft_supervisor *self);
/* Has a spare warm what takes most CPU time, when it is time and worth it. */
void weft_learn_look(weft_supervisor *self, uint64_t now);
/* A spare, or a zygote that has warmed up, has told this. */
void weft_learn_heard_spare(weft_generation *generation, const char *text);
void weft_learn_heard_warm(weft_generation *generation, const char *text, size_t length);
/* A generation that was a spare serves, or has ended before that. */
void weft_learn_ready(weft_supervisor *self, const weft_generation *generation);
void weft_learn_failed(weft_supervisor *self, weft_generation *generation);
void weft_learn_tell(const weft_supervisor *self);
/* Ends a spare that warms up: a reload waits, or workers have lost their zygote. */
void weft_learn_give_up(const weft_supervisor *self);
/* Another generation serves, which has learnt nothing yet. */
void weft_learn_begin_anew(weft_supervisor *self, const weft_generation *serving);

/* --- weft_orders.c --- */
/* Of the control socket: answers, does, or has the client wait. */
void weft_orders_asked(void *self, weft_control_client *client, const char *request);
/* Tells who waits for the reload that was begun last, and earlier ones. `why` is NULL when it has succeeded. */
void weft_orders_reloaded(weft_supervisor *self, const char *why);
/* Tells everybody that nothing more comes of what they wait for. */
void weft_orders_stopping(weft_supervisor *self);

/* --- weft_views.c --- */
/* The client gets, once they have described it, what the workers run. */
void weft_views_ask(weft_supervisor *self, weft_control_client *client, bool frames);
/* When to look; 0: nobody waits. */
uint64_t weft_views_deadline(const weft_supervisor *self);
void weft_views_look(weft_supervisor *self, uint64_t now);

/* --- weft_metrics.c --- */
/* Of the admin address. */
void weft_metrics_asked(void *self, weft_control_client *client, const char *request);

#endif /* WEFT_SUPERVISOR_INTERNAL_H */
