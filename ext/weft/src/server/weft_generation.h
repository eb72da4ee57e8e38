/*
 * A generation: one zygote and the workers it forked. The supervisor knows a process group and a socket.
 * Usually there is one; while the workers of a dead zygote drain, there are two.
 */
#ifndef WEFT_GENERATION_H
#define WEFT_GENERATION_H

#include "server/weft_listen.h"

typedef struct weft_generation weft_generation;
struct weft_generation {
	pid_t pid;    /* the zygote, and the process group of all */
	int control;  /* the supervisor's end; -1 once the zygote has closed its own */
	bool ready;   /* its workers serve */
	bool refused; /* it has said why the application did not boot */
	bool leader_ended;
	int status; /* wait status of the zygote, when leader_ended */
	uint64_t ready_at;
	uint64_t give_up_at; /* while it warms up: when to end it; 0: it doesn't */
	weft_generation *next;
};

/* Executes a zygote: a fresh process, so that nothing of the command exists there. `argv` ends with NULL;
 * `configuration` is JSON, `cold` that it must not warm up. NULL with errno on failure. */
weft_generation *weft_generation_start(char *const *argv, const weft_listeners *listeners, bool cold,
	const char *configuration, size_t configuration_length);
/* Whether anything of it still lives (or waits to be reaped). */
bool weft_generation_lives(const weft_generation *generation);
void weft_generation_kill(const weft_generation *generation);
/* Reaps what has been killed, then frees. */
void weft_generation_free(weft_generation *generation);

#endif /* WEFT_GENERATION_H */
