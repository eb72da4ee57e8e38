/*
 * WebSockets (RFC 6455), with wslay for what comes in: what an exchange becomes when an application accepts it.
 * Without the library there are none, and nobody asks for one.
 *
 * A socket knows no protocol below it, only its carrier (weft_ws_carrier.h), and nothing of who uses it: PHP's class
 * (weft_ws_object.c), or a static method that is called for each message (weft_ws_job.c), and rooms.
 */
#ifndef WEFT_WS_H
#define WEFT_WS_H

#include "http/weft_http_internal.h"

#ifdef WEFT_WEBSOCKET

/* --- for rooms --- */

/* RFC 6455, 7.4.1, and the registry of IANA. */
enum {
	WEFT_WS_NORMAL = 1000,
	WEFT_WS_PROTOCOL_ERROR = 1002,
	WEFT_WS_NO_CODE = 1005, /* never sent: the client gave none */
	WEFT_WS_LOST = 1006,    /* never sent: there was no close */
	WEFT_WS_BAD_TEXT = 1007,
	WEFT_WS_TOO_BIG = 1009,
	WEFT_WS_FAILED = 1011,
	WEFT_WS_RESTART = 1012,
	WEFT_WS_TRY_LATER = 1013
};

/* Bytes: what a control frame may have (RFC 6455, 5.5), behind the code of a close. */
#define WEFT_WS_REASON_LONGEST 123

typedef struct weft_ws weft_ws;
/* To be sent: encoded once, and shared by all sockets that it is sent to. */
typedef struct weft_ws_message weft_ws_message;
struct weft_room_place;

/* With a reference for the caller. */
weft_ws_message *weft_ws_message_new(bool binary, const char *data, size_t length);
void weft_ws_message_release(weft_ws_message *message);

typedef enum {
	WEFT_WS_SENT, /* or waits for the client, within weft.ws_buffer */
	WEFT_WS_FULL, /* nothing was done: the client takes too little. The caller closes it with 1013, or waits */
	WEFT_WS_GONE  /* it is closed, or about to be */
} weft_ws_result;

/* Never waits, and ends no socket: who walks through many may call it. */
weft_ws_result weft_ws_deliver(weft_ws *socket, weft_ws_message *message);
/* Begins the close handshake; nothing once it has begun. Of the reason WEFT_WS_REASON_LONGEST bytes are sent. */
void weft_ws_close(weft_ws *socket, uint16_t code, const char *reason, size_t length);
/* Its part of the id: no two of a worker are the same. The other one is the worker's, and is drawn at its start. */
uint64_t weft_ws_serial(const weft_ws *socket);
uint32_t weft_ws_node(void);
/* The list of the rooms that it is in, and the number of the last delivery to several of them, which are theirs. */
struct weft_room_place **weft_ws_places(weft_ws *socket);
uint64_t *weft_ws_last_delivery(weft_ws *socket);
/* The socket of an object of class WebSocket. NULL with an exception: nobody has accepted it. */
weft_ws *weft_ws_of_object(zend_object *object);
/* A socket's memory stays while somebody has a reference, whatever becomes of its client. */
void weft_ws_addref(weft_ws *socket);
void weft_ws_release(weft_ws *socket);
/* Rooms have this: called once, when nothing can be sent to the socket any more. C only. */
void weft_rooms_leave_all(weft_ws *socket);

/* --- for the connections that carry them --- */

/* Whether it takes bytes now. */
bool weft_ws_wants(const weft_ws *socket);
/* Bytes have come. Returns how many it has taken: fewer when it wants no more for now. May end the socket. */
size_t weft_ws_receive(weft_ws *socket, const char *data, size_t length);
/* No more bytes will come. May end the socket. */
void weft_ws_half_closed(weft_ws *socket);
/* What waits may be sent. May end the socket. */
void weft_ws_writable(weft_ws *socket);
/* The exchange's deadline has passed. May end the socket. */
void weft_ws_look(weft_ws *socket);
/* The server drains: it closes. */
void weft_ws_drain(weft_ws *socket);
/* The exchange is gone, with its client. */
void weft_ws_gone(weft_ws *socket);

/* --- for requests --- */

/* A request that has accepted a socket is over: nobody uses that any more, unless it was handed over. */
void weft_ws_request_over(weft_http_request *request);
/* A request that is a message: calls the method. In its domain. */
void weft_ws_job_run(weft_http_request *request);
/* A request's coroutine is done: if it was a message, the next one has its turn. */
void weft_ws_job_over(weft_http_request *request);

/* There is no other worker: its rooms have this one's sockets only. */
void weft_ws_alone(void);
void weft_ws_minit(int module_number);
void weft_ws_config_defaults(weft_http_config *config);

#else

#define weft_ws_wants(socket) false
#define weft_ws_receive(socket, data, length) (length)
#define weft_ws_half_closed(socket) ((void) 0)
#define weft_ws_writable(socket) ((void) 0)
#define weft_ws_look(socket) ((void) 0)
#define weft_ws_drain(socket) ((void) 0)
#define weft_ws_gone(socket) ((void) 0)
#define weft_ws_request_over(request) ((void) 0)
#define weft_ws_job_run(request) ((void) 0)
#define weft_ws_job_over(request) ((void) 0)
#define weft_ws_alone() ((void) 0)
#define weft_ws_minit(module_number) ((void) 0)
#define weft_ws_config_defaults(config) ((void) 0)

#endif /* WEFT_WEBSOCKET */

#endif /* WEFT_WS_H */
