/*
 * Listening sockets.
 */
#ifndef WEFT_LISTEN_H
#define WEFT_LISTEN_H

#include "php.h"
#include "server/weft_process.h"
#include "http/weft_http.h"
#include "server/weft_unix_socket.h"

/* A host that begins so is the path of a Unix socket. */
#define WEFT_LISTEN_UNIX "unix:"

typedef struct {
	int fds[WEFT_MAX_LISTENERS];
	weft_http_port ports[WEFT_MAX_LISTENERS]; /* what they are for */
	struct stat files[WEFT_MAX_LISTENERS];    /* of those that have a name in the file system */
	uint32_t count;
	bool held; /* by who has started the server, too, and hands them to the next one: they outlive this process */
} weft_listeners;

/* Opens a socket for every address that the host stands for; port 0 takes a free one, the same for all. "unix:/path"
 * is a Unix socket, to which all may connect who reach the file, as all on this machine may connect to 127.0.0.1. On
 * failure nothing stays open and a RuntimeException with the errno as its code is thrown. */
bool weft_listen_open(weft_listeners *listeners, const char *host, zend_long port);
/* Adds one that another process has opened, and that is for plain HTTP until somebody says otherwise. */
void weft_listen_add(weft_listeners *listeners, int fd);
/* Takes over the listening sockets that this process was started with, as systemd hands them on (LISTEN_FDS,
 * LISTEN_PID), and those of the admin address that another Weft has handed on; false when there are none. */
bool weft_listen_inherit(weft_listeners *listeners, weft_listeners *admin);
/* Executes a program that inherits them in that way. Returns only when that fails, with errno. */
void weft_listen_hand_on(const weft_listeners *listeners, const weft_listeners *admin, char *const *argv);
void weft_listen_close(weft_listeners *listeners);
/* From now on the kernel answers no new client; a connection that it has answered still comes into the queue.
 * Whoever tries meanwhile tries again by itself (the kernel's, after a second), and finds the next server or nobody;
 * a Unix socket's file is gone. For sockets that are closed soon: it holds for all processes that have them, and for
 * good. So it does nothing to those that somebody holds for the next server. */
void weft_listen_admit_nobody(const weft_listeners *listeners);
/* Both, for a server that ends. */
void weft_listen_abandon(weft_listeners *listeners);
/* Connections that the kernel has accepted and nobody has taken; of a Unix socket it tells of one at most. */
uint32_t weft_listen_waiting(const weft_listeners *listeners);
/* "127.0.0.1:8000", "[::1]:8000", "unix:/run/shop.sock". */
zend_string *weft_listen_address(int fd);

#endif /* WEFT_LISTEN_H */
