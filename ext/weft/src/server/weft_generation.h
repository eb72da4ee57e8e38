/*
 * A generation: one zygote and the workers it forked. The supervisor knows a process group, a socket to the zygote,
 * the leash of the workers and the board on which they show what they do. Usually there is one; while those of a
 * zygote that died or that a reload has replaced drain, there are more.
 */
#ifndef WEFT_GENERATION_H
#define WEFT_GENERATION_H

#include "http/weft_board.h"
#include "server/weft_leash.h"
#include "server/weft_listen.h"

/* How the application is brought up. */
typedef enum {
	WEFT_BOOT_WARM,
	WEFT_BOOT_COLD,  /* it must not warm up */
	WEFT_BOOT_BROKEN /* it does not boot: pages are to show why */
} weft_boot;

typedef struct weft_generation weft_generation;
struct weft_generation {
	uint32_t number; /* 1 is the server's first */
	pid_t pid;       /* the zygote, and the process group of all */
	int control;     /* the supervisor's end; -1 once the zygote has closed its own */
	int leash;       /* the supervisor's end */
	weft_board *board;
	char *release; /* where the application's path led when it was started */
	weft_boot boot;
	bool by_reload; /* somebody asked for it, and others serve */
	bool ready;     /* its workers serve */
	bool retired;   /* others serve in its place */
	char *about;    /* JSON for people, once it is ready */
	char *machines; /* that it wants to be joined with (weft_peers.h); NULL: none */
	size_t machines_length;
	int spare;            /* the supervisor's end of a socket to its spare (weft_spare.c); -1: it has none */
	pid_t spare_pid;      /* 0: it has not told its own yet */
	uint32_t learn_most;  /* pages that may be learnt from traffic */
	uint64_t learn_after; /* ms */
	bool learns;          /* it was a spare, and warms what was learnt */
	char *warm;           /* as its zygote has told it: weft_learn.c; NULL: not yet */
	char *refused;        /* why the application did not boot, as it has said */
	bool leader_ended;
	int status;          /* wait status of the zygote, when leader_ended */
	uint64_t started_at; /* when it was executed */
	uint64_t late_at;    /* when its boot takes too long; 0: never */
	uint64_t ready_at;   /* once it is */
	uint64_t ends_at;    /* when what still runs is ended, once it is retired */
	uint64_t give_up_at; /* while it warms up: when to end it; 0: it doesn't */
	weft_generation *next;
};

/* What all zygotes are started with. */
typedef struct {
	char **argv; /* ends with NULL */
	weft_listeners listeners;
	int vault;                 /* of TLS; -1: none */
	int bus;                   /* the door of it */
	const char *application;   /* its path as the user gave it; NULL: the configuration has it */
	const char *configuration; /* JSON */
	size_t configuration_length;
	uint32_t workers;
	uint32_t boot_ms; /* how long a boot may take; 0: as long as it does */
} weft_generation_options;

/* Executes a zygote: a fresh process, so that nothing of the command exists there. `release` is where the application
 * is, NULL: wherever its path leads now. NULL with errno on failure. */
weft_generation *weft_generation_start(const weft_generation_options *options, const char *release, weft_boot boot);
/* The spare of this one becomes a generation of its own, and is told these lines. NULL with errno on failure. */
weft_generation *weft_generation_start_spare(const weft_generation_options *options, weft_generation *parent,
	const char *lines, size_t length);
/* Its spare ends, if it has one. */
void weft_generation_dismiss_spare(weft_generation *generation);
/* Its workers are to end, and it with them. */
void weft_generation_tell(weft_generation *generation, weft_leash_word word);
/* Whether anything of it still lives (or waits to be reaped). */
bool weft_generation_lives(const weft_generation *generation);
void weft_generation_kill(const weft_generation *generation);
/* Reaps what has been killed, then frees. */
void weft_generation_free(weft_generation *generation);

#endif /* WEFT_GENERATION_H */
