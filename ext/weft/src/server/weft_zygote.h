/*
 * The zygote's second life, after the application has booted in it: it forks the workers and keeps as many of
 * them alive as were asked for. It runs no PHP any more.
 */
#ifndef WEFT_ZYGOTE_H
#define WEFT_ZYGOTE_H

#include "server/weft_worker.h"

typedef struct {
	int control; /* to the supervisor */
	weft_board *board;
	weft_listeners listeners;
	uint32_t workers;
	uint32_t retiring_workers; /* at most so many finish their requests beside their successors */
	const char *about;         /* JSON for the supervisor's ready callback */
	size_t about_length;
	weft_worker_options worker;
} weft_zygote_options;

/* Returns false in the zygote when all workers have ended after a drain, true in a worker that has ended. */
bool weft_zygote_run(weft_zygote_options *options);

#endif /* WEFT_ZYGOTE_H */
