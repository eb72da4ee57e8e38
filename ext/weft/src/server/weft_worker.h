/*
 * A worker: reactor, HTTP server, requests as coroutines. Forked from the zygote with the application booted.
 */
#ifndef WEFT_WORKER_H
#define WEFT_WORKER_H

#include "http/weft_http.h"
#include "server/weft_listen.h"

/* While it drains, a worker looks this often whether the last connection has gone. */
#define WEFT_DRAIN_LOOK_NS 10000000

/* A worker that has served nobody for this long, or up to twice as long, gives memory back. */
#define WEFT_TIDY_AFTER_NS 500000000

/* It looks this often whether it has to be replaced. */
#define WEFT_LOOK_AT_LIMITS_NS 250000000

typedef struct {
	weft_http_config http;
	zend_fcall_info *handler;
	zend_fcall_info_cache *handler_cache;
	uint32_t grace_ms;
	uint64_t max_requests;    /* then another worker takes its place; 0: never */
	uint64_t max_lifetime_ns; /* the same, give or take a tenth */
	uint32_t stuck_ms;        /* for as long may it stand still; 0: for ever */
	weft_loads *loads;        /* one place a worker; or NULL */
	weft_board_entry *entry;  /* this worker's; or NULL */
	int leash;                /* to the supervisor */
	int bus;                  /* its door */
} weft_worker_options;

/* Serves until it has drained. `channel` leads to the zygote; when that closes, the worker serves on: the supervisor
 * has another generation take its place. */
void weft_worker_run(const weft_worker_options *options, weft_listeners *listeners, uint32_t number, int channel);

#endif /* WEFT_WORKER_H */
