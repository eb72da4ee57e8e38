/*
 * What the supervisor, the zygote and the workers have in common: their messages, the descriptors that the
 * zygote inherits, and how long to wait before a dead process is replaced.
 */
#ifndef WEFT_PROCESS_H
#define WEFT_PROCESS_H

#include "http/weft_board.h"
#include "reactor/weft_log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What the zygote finds open: its end of the control socket, the workers' end of the leash, the board, the
 * door of the bus, its spare's end of a socket (weft_spare.c), then the listening sockets, and behind those the vault
 * of TLS, when there is one. */
#define WEFT_CONTROL_FD 3
#define WEFT_LEASH_FD 4
#define WEFT_BOARD_FD 5
#define WEFT_BUS_FD 6
#define WEFT_SPARE_FD 7
#define WEFT_FIRST_LISTENER_FD 8

/* Queue of the listening sockets: a burst waits there, since requests over the concurrency are not accepted.
 * The kernel cuts it to net.core.somaxconn, which is 4096 by default. */
#define WEFT_BACKLOG 4096

/* Addresses one host name may stand for: "localhost" is two. */
#define WEFT_MAX_LISTENERS 16

/* Of why an application did not boot, so much is passed on: the rest is on standard error. */
#define WEFT_REASON_MAX 8192

/* Bytes before the application's path in the message that configures. */
#define WEFT_CONFIGURE_HEAD (4 + WEFT_MAX_LISTENERS)

/* What weft.retiring_workers allows at most. */
#define WEFT_MAX_RETIRING 1000

/* A process that dies within WEFT_EARLY_DEATH_MS of its start is replaced after a delay that doubles each time; not
 * so a worker that a request has reached: requests can kill it as often as they like, and nobody else must wait for
 * that. */
#define WEFT_EARLY_DEATH_MS 1000
#define WEFT_RESTART_DELAY_MS 100
#define WEFT_RESTART_DELAY_MAX_MS 10000

/* A worker whose supervisor is gone has the grace and this much longer. */
#define WEFT_GRACE_MARGIN_MS 1000

/* Room for a message: the configuration and what the ready callback is told are the longest. */
#define WEFT_MESSAGE_MAX 65536

/* The first byte of each message. */
typedef enum {
	WEFT_MESSAGE_CONFIGURE = 'C', /* supervisor to zygote: number of listeners, weft_boot, whether
									 others hold the listeners, whether there is a vault of
									 TLS, what each listener is for (a byte each), the
									 application's path with a zero byte, JSON */
	WEFT_MESSAGE_DRAIN = 'D', /* supervisor to zygote: the server stops. End when the workers have, who have heard it */
	WEFT_MESSAGE_WARMING = 'W',  /* zygote to supervisor: give me up after so many ms (decimal; 0: no longer) */
	WEFT_MESSAGE_REFUSED = 'X',  /* zygote to supervisor: it did not boot, and I have said why, which follows */
	WEFT_MESSAGE_MACHINES = 'M', /* zygote to supervisor: once I am ready, join these: see weft_peers.h */
	WEFT_MESSAGE_SPARE = 'S', /* spare to supervisor, by its zygote's socket: here I am: my number, how many pages are
									to be learnt at most, and after how many ms (decimal, with blanks between) */
	WEFT_MESSAGE_LEARN = 'L', /* supervisor to spare, with descriptors: be a zygote. Lines follow: weft_learn.c */
	WEFT_MESSAGE_WARM = 'K',  /* zygote to supervisor: what is warm now. Lines follow: weft_learn.c */
	WEFT_MESSAGE_READY = 'R', /* zygote to supervisor: every worker serves; JSON follows */
	WEFT_MESSAGE_UP = 'U',    /* worker to zygote: serves */
	WEFT_MESSAGE_BEGUN = 'B', /* worker to zygote: my first request begins */
	WEFT_MESSAGE_REPLACE =
		'F', /* worker to zygote: a fatal error, a limit; I go on until you say that another one serves */
	WEFT_MESSAGE_RETIRE = 'T', /* downwards: others accept. Answer what has come, then end */
	WEFT_MESSAGE_TAKEN = 'E'   /* worker to zygote: I have taken what waited; the sockets may be closed */
} weft_message;

/* Remembers early deaths, one after the other. */
typedef struct {
	uint32_t early_deaths;
} weft_restart_policy;

/* CLOCK_MONOTONIC in milliseconds. */
uint64_t weft_process_now(void);

/* How long to wait before the process that lived for `lifetime_ms` is replaced. */
uint32_t weft_restart_delay(weft_restart_policy *policy, uint64_t lifetime_ms);

/* Sends one message; false when the other side is gone. Never blocks, never raises SIGPIPE. */
bool weft_message_send(int fd, weft_message kind, const char *text, size_t length);

/* Reads one message into `buffer` (always terminated by a zero byte). Returns its length, 0 when the other side
 * has closed, -1 when there is none now. */
ssize_t weft_message_receive(int fd, char *buffer, size_t size);

/* "exit status 3" or "signal 9 (Killed)" from a wait status. */
const char *weft_process_describe_status(int status, char *buffer, size_t size);

/* Room for what follows. */
#define WEFT_LOST_MAX 2048

/* "; lost with it: GET /a (request 5f, 12 ms), …" of the requests that a dead worker's entry shows; "" without any. */
const char *weft_process_describe_lost(const weft_board_entry *entry, char *buffer, size_t size);

/* A record of the error log, "weft: " before it. */
#define weft_process_say(...) weft_log("weft: " __VA_ARGS__)
/* The same for what is no fault: its level is "info". */
#define weft_process_tell(...) weft_log_at("info", "weft: " __VA_ARGS__)

/* Of two deadlines, of which 0 is none. */
static inline uint64_t weft_process_earlier(uint64_t a, uint64_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

/* For poll(): what is left until `deadline` (0: none, which is -1), at most `at_most` (-1: no limit). */
int weft_process_timeout(uint64_t deadline, int at_most);

/* Has `epoll` tell `events` of the descriptor, with `whose`; 0: it is none of its any more. What it told so far is in
 * *awaits, and 0 at first: of whom it has, the end is told again and again, whatever else is asked for. */
void weft_process_await(int epoll, int fd, uint32_t *awaits, uint32_t events, void *whose);

#endif /* WEFT_PROCESS_H */
