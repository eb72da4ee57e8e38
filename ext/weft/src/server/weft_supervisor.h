/*
 * The supervisor: a loop around poll() that hears of signals, of the zygote's messages and of its end.
 */
#ifndef WEFT_SUPERVISOR_H
#define WEFT_SUPERVISOR_H

#include "server/weft_generation.h"

/* The exit status when the application did not boot. */
#define WEFT_EXIT_NOT_BOOTED 1

typedef struct {
	weft_listeners listeners;
	char **argv; /* of the zygote; ends with NULL */
	const char *configuration;
	size_t configuration_length;
	uint32_t grace_ms;
	/* called once, when the first workers serve; false (with an exception) ends the server */
	bool (*on_ready)(void *arg, const char *json, size_t length);
	void *arg;
} weft_supervisor_options;

/* Returns the exit status. Takes over the listening sockets. */
int weft_supervisor_run(weft_supervisor_options *options);

#endif /* WEFT_SUPERVISOR_H */
