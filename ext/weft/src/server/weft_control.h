/*
 * The control socket: a Unix socket that only its owner and root may use. Who connects sends one line, a request, and
 * gets a line of JSON; to some requests the answer comes later, or is followed by the end of the connection as a second
 * one. And the admin address, where anybody may read by HTTP how the server does. Nobody who connects can keep the
 * supervisor busy, or from answering others.
 */
#ifndef WEFT_CONTROL_H
#define WEFT_CONTROL_H

#include "server/weft_listen.h"

#include <poll.h>

/* Connections at once. A newcomer beyond takes the place of the one that has been silent for longest. */
#define WEFT_CONTROL_CLIENTS 32
/* Of a request, with its line break. */
#define WEFT_CONTROL_LINE 256
/* For a request to come, and for an answer to be taken. */
#define WEFT_CONTROL_PATIENCE_MS 5000
/* Of the head of a request of HTTP. */
#define WEFT_CONTROL_HEAD 16384
/* Entries of poll() that it needs. */
#define WEFT_CONTROL_POLLED (1 + WEFT_MAX_LISTENERS + WEFT_CONTROL_CLIENTS)

typedef struct weft_control weft_control;

typedef enum {
	WEFT_CONTROL_FREE,
	WEFT_CONTROL_READING,
	WEFT_CONTROL_WAITING, /* has asked for something that takes time, or for the end */
	WEFT_CONTROL_WRITING  /* its last answer */
} weft_control_state;

typedef struct {
	weft_control_state state;
	int fd;
	uint64_t since;
	uint32_t ticket; /* whoever answers later: for what it waits. 0: for the end of the server */
	char line[WEFT_CONTROL_LINE];
	uint32_t length;
	bool http;                     /* has come to the admin address, and sends more lines than that */
	bool line_is_over;             /* of the request */
	uint32_t head;                 /* bytes so far */
	uint32_t column;               /* in the present line */
	char field[WEFT_CONTROL_LINE]; /* the beginning of the present line, when it is one of a header */
	char host[WEFT_CONTROL_LINE];  /* the value of the last Host header; empty: none has come */
	bool hosts_differ;             /* there is more than one */
	char *answer;
	size_t answer_length, answered;
} weft_control_client;

/* A request: printable characters. It answers, or has the client wait. */
typedef void weft_control_asked(void *arg, weft_control_client *client, const char *request);

/* Without clients yet. NULL: no memory. */
weft_control *weft_control_new(void *arg);
/* Takes the place of a socket that nobody listens on. False with errno: EADDRINUSE when somebody does, EEXIST when the
 * path is something else. */
bool weft_control_open(weft_control *control, const char *path, weft_control_asked *asked);
/* Takes clients of these listening sockets of TCP as well, who speak HTTP: `got` hears of a request by its first line,
 * and answers; the client has its Host. */
void weft_control_admit(weft_control *control, const weft_listeners *listeners, weft_control_asked *got);
/* One line more, then the end of the connection; from asked() or later. */
void weft_control_answer(weft_control_client *client, const char *json, size_t length);
/* So many bytes, then the end of the connection. */
void weft_control_send(weft_control_client *client, const char *bytes, size_t length);
/* The line at once, as far as the client takes it, and the end with the server's. */
void weft_control_keep(weft_control_client *client, const char *json, size_t length);
/* Its answer comes later. */
void weft_control_wait(weft_control_client *client, uint32_t ticket);
/* The next that waits for a ticket from this one up to that one; NULL: nobody. */
weft_control_client *weft_control_waiting(weft_control *control, uint32_t least, uint32_t most);
/* Fills in what to poll for, at most WEFT_CONTROL_POLLED, and how many. */
nfds_t weft_control_poll(weft_control *control, struct pollfd *polled);
void weft_control_handle(weft_control *control, const struct pollfd *polled, nfds_t count);
/* When somebody's time is over; 0: nobody's. */
uint64_t weft_control_deadline(const weft_control *control);
/* Removes the socket's file, and ends all connections. */
void weft_control_close(weft_control *control);

#endif /* WEFT_CONTROL_H */
