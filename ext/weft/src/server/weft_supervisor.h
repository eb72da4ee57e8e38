/*
 * The supervisor: a loop around poll() that hears of signals, of the zygotes' messages and of their ends.
 */
#ifndef WEFT_SUPERVISOR_H
#define WEFT_SUPERVISOR_H

#include "server/weft_certificates.h"
#include "server/weft_generation.h"

/* The exit status when the application did not boot. */
#define WEFT_EXIT_NOT_BOOTED 1
/* Not an exit status: another supervisor is to take over the listening sockets, which are open still. */
#define WEFT_RESTART (-1)

typedef struct {
	weft_generation_options generations;
	uint32_t grace_ms; /* to finish what runs at a stop */
	weft_certificates certificates;
	weft_listeners admin;     /* where it tells how it does; may be none */
	const char *admin_name;   /* the host that it was configured with; NULL: there is none */
	const char *control;      /* where the control socket is to be; NULL: there is none */
	bool control_wanted;      /* without it, the server does not start */
	const char *watch_ignore; /* reload when the application's files change, but these; NULL: do not */
	uint32_t reload_grace_ms; /* the same in workers that a reload has replaced, and after SIGQUIT */
	/* called once, when the first workers serve; false (with an exception) ends the server */
	bool (*on_ready)(void *arg, const char *json, size_t length);
	void *arg;
} weft_supervisor_options;

/* Returns the exit status, or WEFT_RESTART. Takes over the listening sockets. */
int weft_supervisor_run(weft_supervisor_options *options);

#endif /* WEFT_SUPERVISOR_H */
