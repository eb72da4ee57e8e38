/*
 * What the files of this room share: the structs of server and connection. Those of a request have a header of their
 * own.
 *
 * Everything here is malloc()ed. Reactor callbacks run while any request's memory state is in place, and a
 * memory limit that one request has hit must not stop the server.
 */
#ifndef WEFT_HTTP_INTERNAL_H
#define WEFT_HTTP_INTERNAL_H

#include "http/weft_http_request.h"
#include "http/weft_framing.h"
#include "http/weft_usual_cpu.h"

#include <netinet/in.h>
#include <sys/un.h>
#include <sys/uio.h>

/* What clients have sent and no request has taken yet, which is counted. */
void weft_input_append(weft_http_server *server, weft_buffer *buffer, const char *data, size_t length);
void weft_input_free(weft_http_server *server, weft_buffer *buffer);

typedef union {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
} weft_http_address;

typedef enum {
	WEFT_CONNECTION_HANDSHAKE, /* TLS's */
	WEFT_CONNECTION_IDLE,      /* between requests, or before the first */
	WEFT_CONNECTION_HEAD,      /* part of a head has come */
	WEFT_CONNECTION_BODY,      /* the head is complete, the body is not */
	WEFT_CONNECTION_QUEUED,    /* a complete request waits for a free slot */
	WEFT_CONNECTION_RUNNING,   /* a coroutine works on the answer */
	WEFT_CONNECTION_SESSION,   /* HTTP/2: it carries streams */
	WEFT_CONNECTION_WEBSOCKET, /* the answer was that it is one */
	WEFT_CONNECTION_SENDING,   /* the answer is complete, no request is held any more, the client has yet to take it */
	WEFT_CONNECTION_CLOSING,   /* the last answer is being sent */
	WEFT_CONNECTION_LINGER, /* all is sent; what the client still sends is thrown away, lest a reset eat the answer */
	WEFT_CONNECTION_CLOSED
} weft_connection_state;

/* How the client takes what is sent to it. What the kernel has taken from us proves nothing: it holds megabytes. */
typedef struct {
	uint64_t began;      /* when something began to wait for the client; 0: at the first look */
	uint64_t taken_then; /* what it had acknowledged by then */
	uint64_t taken;      /* what it had at the last look */
	uint64_t taken_at;   /* the last look at which that had grown */
} weft_http_progress;

/* Places, in the order of their turns. */
typedef struct {
	weft_http_place *first, *last;
	uint64_t moved; /* when a request has begun from here, or when the queue began to stand */
	uint64_t every; /* nanoseconds after which one begins whatever is ready */
	uint32_t owed;  /* requests that need not wait for those that compute */
} weft_http_line;

/* A client's place in the queue, with its requests that wait. It is in the queue while there is one. */
struct weft_http_place {
	weft_http_exchange *first, *last;
	weft_http_place *next, *previous;
	weft_http_line *line; /* where it is */
	uint64_t since;       /* it is at this point of the queue */
	bool served;          /* a request of this client has started */
};

/* A request and its answer, and what waits of that for the client. It knows no socket: a connection carries it. In
 * HTTP/1.1 it is the connection's own, and has one request after the other. */
struct weft_http_exchange {
	const weft_http_framing *framing;
	weft_http_connection *connection; /* NULL: of a message of a WebSocket */
	weft_http_server *server;
	weft_timer timer;
	uint64_t deadline;     /* 0: none. The timer may be armed earlier, and then looks here */
	uint64_t queued_since; /* in the line */
	weft_http_exchange *next_queued, *previous_queued; /* in its place; next_queued: or dead */
	weft_http_place *place;                            /* that of its client in the queue; NULL: it has none */
	weft_http_request *request;
	weft_connection_state state;
	bool waits_in_any_case;   /* in the line: nobody would come again */
	bool too_slow;            /* the deadline is that of weft.http_min_rate */
	bool spools;              /* all that follows of this answer goes to the file */
	int file;                 /* goes behind `out`; -1 */
	weft_file_ranges *ranges; /* of the file, that follow the one that is being sent; NULL: none */
	weft_buffer out;
	weft_buffer behind; /* the file, when nothing more can be written to that */
	uint64_t file_offset, file_left;
	uint64_t sent; /* bytes that were taken of it, ever: by the kernel */
	weft_http_progress progress;
	weft_ws *ws; /* its answer was a WebSocket; NULL */
};

typedef struct {
	weft_http_connection *first, *last;
} weft_http_connections;

struct weft_http_connection {
	weft_http_exchange exchange; /* first: both are freed as one */
	weft_http_server *server;
	weft_http_place place; /* of its requests, and those of its streams and WebSockets */
	weft_watch watch;
	struct weft_tls *tls;        /* NULL: the socket carries HTTP as it is */
	weft_http_connections *list; /* where it is */
	weft_http_connection *previous, *next;
	weft_http_port port;                     /* that it came to */
	bool file_follows;                       /* what is sent is the head of a file, which is sent next */
	bool cut;                                /* its last answer: what is missing must be seen to be */
	weft_http_connection *next_turn, **turn; /* in the line of those that have had their share; turn NULL: not there */
	bool readable;                           /* an edge came and not all was read */
	bool unread;                             /* `in` holds bytes that the parser has not seen */
	bool half_closed;                        /* the client sends no more */
	bool first;                              /* no request yet */
	bool decodes;                            /* a body of its was decompressed */
	bool advancing;                          /* its bytes are being looked at */
	uint64_t idle_since;                     /* when the last answer ended */
	uint32_t discarded;                      /* while lingering */
	weft_buffer in;
	uint64_t address;    /* for which it is counted; 0: for none */
	weft_h2_session *h2; /* NULL: it speaks HTTP/1 */
	char remote_address[INET6_ADDRSTRLEN];
	uint16_t remote_port;
	uint16_t local_port; /* 0: not asked for yet */
	char local_address[INET6_ADDRSTRLEN];
};

/* That carries a request's answer; NULL: nothing more goes to a client, or it never had one. */
static inline weft_http_connection *weft_request_connection(const weft_http_request *request)
{
	return request->exchange ? request->exchange->connection : NULL;
}

typedef struct {
	weft_watch watch;
	weft_http_server *server;
	weft_http_port port;
	bool readable;
} weft_http_listener;

/* Requests that are complete and have not begun. */
typedef struct {
	weft_http_line short_ones; /* clients whose next request is known for no long computation */
	weft_http_line long_ones;
	weft_usual_cpu usual;
	weft_http_place without_client; /* requests whose connection is gone, and that run all the same */
	uint32_t length;                /* requests */
	uint32_t new_clients;           /* in the queue: none of their requests has started yet */
	uint32_t computing_long;        /* requests that have computed for WEFT_LONG, and have not ended */
	weft_round next;                /* in it: whether others may begin */
	weft_timer later;               /* the same, where little changes meanwhile */
	uint64_t since;                 /* requests, or connections not taken, have waited without a break; 0: none do */
	uint64_t looked;                /* when all that run were looked at */
	weft_timer late;                /* armed while connections wait that are not taken: until they are, to be told */
	bool overload;                  /* they are */
	uint64_t refused;
	uint64_t told; /* when the log was told last */
} weft_admission;

/* Requests that are about to begin, while those that run need the memory. */
typedef struct {
	size_t limit;                         /* of the worker */
	uint32_t share;                       /* percent of what is free when nobody runs; 0: nobody waits */
	size_t floor;                         /* in use when nobody runs, or only who will for long */
	size_t ceiling;                       /* in use: beyond it, others wait */
	size_t expected;                      /* what a request comes to use, on average */
	uint64_t patience;                    /* ns */
	uint64_t begun;                       /* requests, ever */
	uint32_t active;                      /* requests that have begun and not ended */
	weft_http_request *eldest, *youngest; /* of those */
	struct weft_memory_waiter *first;
	uint64_t told; /* when the log was told last */
} weft_memory_queue;

/* Connections that have had their share, of reading or of sending. */
typedef struct {
	weft_http_connection *first, **end;
	weft_round round; /* awaited while there is one */
} weft_http_turns;

/* Seconds; no limit of time is longer. */
#define WEFT_HTTP_DAY 86400
/* Room for one read: shared, since what a read brings is used up or copied at once. */
#define WEFT_HTTP_SCRATCH 65536

struct weft_http_server {
	weft_http_config config;
	weft_parser_limits limits;
	weft_http_listener *listeners;
	uint32_t listener_count;
	struct weft_tls_acceptor *acceptor; /* NULL: without TLS */
	uint64_t tls_told;                  /* when the log was told last of a handshake that failed */
	uint16_t https_port;                /* where clients are sent; 0: nowhere */
	zend_fcall_info handler;
	zend_fcall_info_cache handler_cache;
	weft_http_events events;
	bool begun;               /* a request has */
	weft_http_request *spare; /* those that are over, for those to come; linked by their limit's next_request */
	uint32_t spare_count;
	uint32_t running;
	weft_admission admission;
	weft_memory_queue memory;
	weft_http_turns turns;
	HashTable addresses;        /* connections, by address */
	weft_http_request *limited; /* those that run */
	weft_timer limit_timer;     /* when the first of them may have taken too long */
	uint32_t slow;              /* coroutines that wait for a client to take their output */
	uint64_t handled;
	uint32_t connection_count;
	size_t input;          /* bytes of memory that hold what clients have sent */
	uint64_t input_files;  /* bytes of the files that hold bodies */
	uint64_t spooled;      /* bytes of the files that hold answers */
	uint64_t spools_again; /* until then no further answer goes to a file: there was no room for one */
	uint32_t websockets;   /* that are open */
	uint32_t ws_waiting;   /* those whose request may wait for a message */
	bool draining;
	bool takes_rest;                   /* while it drains: of what waits in the listening sockets' queues */
	weft_timer rest_timer;             /* until the last handshakes are over */
	pid_t pid;                         /* of the process that serves */
	weft_load load;                    /* what the other workers see of this one */
	weft_board_entry *shown;           /* what the supervisor sees */
	uint32_t slices_settled;           /* weft_time_slices_used() when PHP's heap was put in order */
	uint32_t ahead;                    /* how much more load than others this worker may have and still accept */
	weft_http_connections connections; /* who has begun to wait for its client last comes first */
	weft_http_connections busy;        /* of whom it was seen that something is under way there */
	uint32_t room;                     /* connections at most */
	uint32_t numbers;                  /* of descriptors, that this process may use */
	weft_http_exchange *dead;          /* closed; freed when no callback of theirs can be on the stack */
	weft_h2_session *h2_due;           /* those of HTTP/2 that send something together */
	weft_round h2_round;               /* in which they do */
	uint64_t h2_told;                  /* when the log was told of a session that failed */
	uint32_t h2_untold;                /* of how many it was not, since then */
	weft_timer accept_again;           /* after EMFILE, or to give others a turn */
	uint64_t complained;               /* when the last complaint about accept was logged */
	weft_buffer log;
	weft_timer log_timer;
	uint64_t log_dropped;
	char scratch[WEFT_HTTP_SCRATCH];
};

/* --- weft_http_server.c --- */
/* An exchange's request begins. */
void weft_http_server_begin(weft_http_server *server, weft_http_exchange *exchange);
/* Nobody new is served before a request is over. */
bool weft_http_server_full(const weft_http_server *server);
/* So many requests wait for their clients, or run, that answers to slow clients go to files. */
bool weft_http_server_has_slow_clients(const weft_http_server *server);
/* Requests wait here while another worker has nothing to do: who is told to connect anew comes to that one. */
bool weft_http_server_sends_away(const weft_http_server *server);
/* Somebody waits to be: in the line, or in a listening socket's queue. */
bool weft_http_server_is_awaited(const weft_http_server *server);
/* A connection was opened or closed, a request has begun or ended. */
void weft_http_server_show_load(const weft_http_server *server);
/* In a child that a request forked: the connections are its parent's. */
extern bool weft_http_forked;

/* A request's coroutine is done. */
void weft_http_server_slot_free(weft_http_server *server);
/* Nobody stands in line any more: takes connections that have waited meanwhile. */
void weft_http_server_accept_again(weft_http_server *server);

/* --- weft_room.c --- */
void weft_room_init(weft_http_server *server);
bool weft_room_exceeded(const weft_http_server *server);
/* The server's lists of connections. Who enters is the last that shall make room. */
void weft_room_enter(weft_http_connection *connection);
void weft_room_leave(weft_http_connection *connection);
/* For all of them; `visit` may close it. */
void weft_room_each(weft_http_server *server, void (*visit)(weft_http_connection *connection));
/* Closes an idle connection. False when there is none. Only from where no connection's code is on the stack. */
bool weft_room_make(weft_http_server *server);
/* A new connection's descriptor, which may get another number. */
int weft_room_move(const weft_http_server *server, int fd);

/* --- weft_connection.c --- */
void weft_connection_open(weft_http_server *server, int fd, const weft_http_address *peer, weft_http_port port);
void weft_connection_close(weft_http_connection *connection);
/* Frees what was closed before. Only from where no connection's code is on the stack. */
void weft_connection_reap(weft_http_server *server);
/* The response of its request is framed to the end. Detaches the request. */
void weft_exchange_done(weft_http_exchange *exchange);
/* No answer is under way any more: the client may ask for something. */
void weft_connection_await_request(weft_http_connection *connection);
/* HTTP/1.1: the same, and what follows it on the connection. */
void weft_connection_response_done(weft_http_exchange *exchange, bool keep_alive);
/* Nothing sensible can follow: what was framed is sent, for a message that is cut short without its end, and nothing
 * more is read as a request. */
void weft_connection_end(weft_http_connection *connection);
/* Reads what has come as far as its state allows, and its share: now, or when it has its turn. */
void weft_connection_read_on(weft_http_connection *connection);
/* Sends what waits and reads what has come, as far as its share goes. */
void weft_connection_take_turn(weft_http_connection *connection);

/* --- weft_leave.c --- */
/* Closes it if it has nothing to ask for now. False when it has, and is served. */
bool weft_connection_leave(weft_http_connection *connection);
void weft_connection_drain(weft_http_connection *connection);

/* --- weft_address.c --- */
/* Returns the port; 0: it has none. */
uint16_t weft_address_print(const weft_http_address *address, char *text, size_t room);
/* Finds out the local address once. */
void weft_connection_local_address(weft_http_connection *connection);

/* --- weft_turns.c --- */
void weft_turns_init(weft_http_server *server);
/* It has more to read, and others come first. Idempotent, both. */
void weft_turns_enter(weft_http_connection *connection);
void weft_turns_leave(weft_http_connection *connection);

/* --- weft_deadline.c --- */
/* When to look at what it waits for; 0: never. */
void weft_exchange_set_deadline(weft_http_exchange *exchange, uint64_t deadline);
void weft_exchange_set_timeout(weft_http_exchange *exchange, uint32_t milliseconds);
/* It has no request: until when one must have begun. */
void weft_connection_await_start(weft_http_connection *connection);
/* Until when more of its request's body must have come. */
void weft_exchange_await_body(weft_http_exchange *exchange);
/* Its timer's. */
void weft_exchange_timer_fired(weft_timer *timer);

/* --- weft_request_memory.c --- */
weft_http_request *weft_request_new(weft_http_exchange *exchange);
void weft_request_release(weft_http_request *request);
/* Frees what is kept for requests to come. */
void weft_request_free_spare(weft_http_server *server);
/* --- weft_request.c --- */
/* The parser's sink: keeps a piece of the body, in memory or in a file. */
bool weft_request_keep_body(weft_http_request *request, const char *data, size_t length);
/* The same for what comes from the client: it may be compressed. (weft_decompress.c) */
bool weft_request_take_body(void *request, const char *data, size_t length);
/* Keeps the head (of `length` bytes) and makes C strings of its parts. */
void weft_request_take_head(weft_http_request *request, const char *head, size_t length);
/* Who asks, and where: of the connection, or of the proxy in front. Once, after weft_request_take_head(). */
void weft_request_take_client(weft_http_request *request);
/* As boards and logs show it: "WS" for a message of a WebSocket. */
const char *weft_request_shown_method(const weft_http_request *request);
/* When its head was complete, in seconds of the wall's clock. */
double weft_request_time(const weft_http_request *request);
void weft_request_start(weft_http_request *request);
/* The one that the coroutine handles, or works for; NULL: none. */
weft_http_request *weft_request_of(const weft_coroutine *coroutine);
/* The value of header `index` as a C string; only after weft_request_take_head(). */
const char *weft_request_header(const weft_http_request *request, weft_parser_known known);
/* The first of any name from number `from` on: its number; -1: there is none. The name in lower case. */
int64_t weft_request_find_header(const weft_http_request *request, const char *name, uint32_t from);

/* --- weft_forwarded.c --- */
/* What the connection tells of the client gives way to what a trusted proxy says. */
void weft_forwarded_apply(weft_http_request *request);
/* An address as text: IPv4 as RFC 4291, 2.5.5.2 maps it. False: it is none. */
bool weft_forwarded_read(const char *address, unsigned char bytes[16]);
bool weft_forwarded_trusts(const char *address);

/* --- weft_address_limit.c --- */
void weft_address_limit_init(weft_http_server *server);
void weft_address_limit_free(weft_http_server *server);
/* A connection is counted. False: its address has too many. */
bool weft_address_limit_connect(weft_http_connection *connection);
void weft_address_limit_disconnect(weft_http_connection *connection);
/* A request is counted, whose head is complete. False: its address sends too many. */
bool weft_address_limit_request(weft_http_request *request);
#define WEFT_ADDRESS_RATE_EXCEEDED "Too many requests come from this address (weft.http_address_rate)."

/* --- weft_request_end.c --- */
/* Runs one step of the request so that neither exception nor fatal error leaves it. False when it was broken off. */
bool weft_request_guarded(weft_http_request *request, void (*step)(weft_http_request *));
/* Shutdown functions, destructors, output, session, values. */
void weft_request_end_domain(weft_http_request *request);
void weft_request_end_response(weft_http_request *request);
/* Nothing, when it is none. */
void weft_request_end_php_request(weft_http_request *request);
/* exit() and fatal errors in coroutines are their requests' matter from now on, not the main script's. */
void weft_request_end_init(weft_http_server *server);
void weft_request_end_free(weft_http_server *server);

/* --- weft_request_id.c --- */
/* What its X-Request-Id says, when that is fit for it, or one of our own. */
const char *weft_request_id(weft_http_request *request);
/* The trace that it is part of, by its traceparent (W3C Trace Context, level 1): WEFT_TRACE_ID_LENGTH hexadecimal
 * digits. NULL: there is none, or none that is well-formed. */
const char *weft_trace_id(const weft_http_request *request);
/* The error log tells whose a record is. */
void weft_request_id_minit(void);
/* The request whose domain is in place, or NULL. */
weft_http_request *weft_request_current(void);
/* PHP's rules for a client that went away: connection_aborted(), and an end unless ignore_user_abort. */
void weft_request_tell_aborted(weft_http_request *request);

/* --- weft_stderr.c --- */
/* "[21:52:30 4711 9f1c0c4be1a7d2e5] ": when, in which worker, and for which request, if for one, something was written
 * that is for people to read. Its length. */
#define WEFT_LOG_STAMP (WEFT_REQUEST_ID_LONGEST + 32)
size_t weft_log_stamp(char to[WEFT_LOG_STAMP]);
/* What is left of a line without an end. While its values are in place. */
void weft_stderr_end(weft_http_request *request);
void weft_stderr_become_server(void);

/* --- weft_hang_up.c --- */
void weft_hang_up_minit(void);
void weft_hang_up_become_server(void);
/* No answer can arrive any more. */
void weft_hang_up_certain(weft_http_request *request);
/* Its request has no client any more. */
void weft_exchange_let_go(weft_http_exchange *exchange);
/* The client sends no more: finds out whether it still reads. May close the connection. */
void weft_hang_up_perhaps(weft_http_exchange *exchange);

/* --- weft_response.c --- */
/* Takes over what the SAPI has collected. */
void weft_response_headers(weft_http_request *request, sapi_headers_struct *headers);
/* Tells the client these headers before there is an answer, with a status below 200. */
void weft_response_interim(weft_http_request *request, int status, sapi_headers_struct *headers);
/* Both may suspend the coroutine while the client is slow: the caller has a reference. */
void weft_response_write(weft_http_request *request, const char *data, size_t length);
void weft_response_flush(weft_http_request *request);
/* Ends the message with a part of a file, which becomes the response's. Nothing was printed before. */
void weft_response_end_with_file(weft_http_request *request, int file, uint64_t offset, uint64_t length);
/* An answer of the server's own takes the place of what was to be sent. Nothing was. */
void weft_response_replace(weft_http_request *request, int status, const char *message);
/* Ends the message. With `cut`, so that the client can see that something is missing. */
void weft_response_end(weft_http_request *request, bool cut);
/* The same for a request that is complete and has not begun: without PHP. It and its connection may be gone then. */
void weft_response_end_alone(weft_http_request *request);
/* With the header lines that it has already, and a few words; NULL: none. */
void weft_response_end_with_status(weft_http_request *request, int status, const char *words);
/* Wakes coroutines that wait for room; called when the socket took something or went away. */
void weft_response_writable(weft_http_request *request);
void weft_response_free(weft_http_response *response);
/* To the framing, if the client is still there: as its send(). */
void weft_response_send(weft_http_request *request, const char *data, size_t length, bool whole);

/* --- weft_reasons.c --- */
const char *weft_http_reason(int status);

/* --- weft_parked.c --- */
/* Idempotent, both. From weft_request_park() on it is not counted among those that run. */
void weft_request_park(weft_http_request *request);
void weft_request_unpark(weft_http_request *request);

/* --- weft_linger.c --- */
/* Other coroutines run in the domain of a request that ends: they have weft.http_linger_ms from its answer on. */
void weft_linger_watch(const weft_http_request *request, weft_domain *domain);
/* Whether there are such coroutines, other than those that have been ended as by exit() and go on in spite of it. */
bool weft_linger_goes_on(void);
/* max_execution_time of those that run in the domain in place: its count begins anew; and whether it is over. */
void weft_linger_cpu_begin(void);
void weft_linger_look(void);
#define WEFT_LINGER_OVER "The request has been over for %u ms (weft.http_linger_ms)"

/* --- weft_time_limit.c --- */
void weft_time_limit_init(weft_http_server *server);
void weft_time_limit_free(weft_http_server *server);
/* The request is about to run, and is over, or has no limit any more. */
void weft_time_limit_begin(weft_http_request *request);
void weft_time_limit_end(weft_http_request *request);
/* X-Weft-Timeout: another limit for the running request. False: that is none. */
bool weft_time_limit_set(weft_http_request *request, const char *seconds);
/* Its response has ended: what it still does has weft.http_linger_ms. */
void weft_time_limit_answered(weft_http_request *request);

/* set_time_limit(): more time is meant for this, too, and its count begins anew. 0 or less: no limit. Nothing, where
 * somebody has asked for a limit. */
void weft_time_limit_extend(weft_http_request *request, zend_long seconds);

/* --- weft_cpu_limit.c --- */
/* Before any directive is set. */
void weft_cpu_limit_become_server(void);
/* In the request's domain, which has computed for so many nanoseconds: it has max_execution_time from now on. */
void weft_cpu_limit_begin(weft_http_request *request, uint64_t computed);
/* May not return. */
void weft_cpu_limit_look(weft_http_request *request);

/* --- weft_memory_queue.c --- */
void weft_memory_queue_init(weft_http_server *server);
void weft_memory_queue_end(weft_http_server *server);
/* On the request's coroutine, first thing: may suspend it. */
void weft_memory_queue_enter(weft_http_request *request);
/* In its domain: it keeps what it has and needs no more for now, and is one of those that run again. */
void weft_memory_queue_park(weft_http_request *request);
void weft_memory_queue_unpark(weft_http_request *request);
/* A request has done its work, and has not given back its memory. */
void weft_memory_queue_measure(weft_http_server *server);
/* It has. */
void weft_memory_queue_leave(weft_http_request *request);

/* --- weft_http_config.c --- */
void weft_http_config_minit(int module_number);

/* --- weft_admission.c --- */
void weft_admission_init(weft_http_server *server);
/* Whether there is room for connections. */
bool weft_admission_wants_more(const weft_http_server *server);
/* The client that waits for the longest time; NULL: none does. */
const weft_http_place *weft_admission_head(const weft_http_server *server);
/* Whether it has waited for longer, in nanoseconds. */
bool weft_admission_has_waited(const weft_http_server *server, uint64_t time);
/* There may be connections, and there is no room. */
void weft_admission_hold(weft_http_server *server);
/* All that there were have been taken. */
void weft_admission_taken(weft_http_server *server);
/* Its request is complete: begins it, queues it, or refuses it, and the connection may be closed then. */
void weft_admission_ask(weft_http_exchange *exchange);
/* The same for one that can be no request for a file. */
void weft_admission_line_up(weft_http_exchange *exchange);
/* A request has ended, or others may have had their turn. */
void weft_admission_go_on(weft_http_server *server);
/* A queued exchange is over, or its turn has come. */
void weft_admission_leave(weft_http_exchange *exchange);
/* A connection is gone. What still waits in its place, messages of WebSockets, keeps on waiting. */
void weft_admission_disown(weft_http_server *server, weft_http_place *place);
/* In a request's domain, at the end of a time slice. */
void weft_admission_look(weft_http_request *request);
/* In the domain of a request that is about to end, and was no WebSocket: what it has computed is to be expected of the
 * next one of its route. */
void weft_admission_note_cpu(weft_http_request *request);
void weft_admission_ended(weft_http_request *request);
/* Nobody begins any more. */
void weft_admission_forget(weft_http_server *server);

/* --- weft_outcome.c --- */
/* What came of a request, for those who count and tell. */
typedef struct {
	weft_http_server *server;
	weft_http_request *request; /* NULL: it could not be understood */
	const char *client;         /* address */
	int status;
	uint64_t time;   /* since its head was complete; all in ns */
	bool ran;        /* code of its own; else the rest is 0 */
	uint64_t queued; /* of that time, before its first line: its body was read, others ran */
	uint64_t cpu;    /* it has computed */
	uint64_t waited; /* the rest of it: for others, for its client, for its turn */
	weft_domain_queries queries;
} weft_outcome;

/* An answer is complete. */
void weft_outcome_of_request(weft_http_request *request, int status);
/* What has been sent is refused, perhaps before it could be understood. */
void weft_outcome_of_refusal(weft_http_exchange *exchange, int status);

/* --- weft_access_log.c --- */
void weft_access_log_add(const weft_outcome *outcome);
void weft_access_log_flush(weft_http_server *server, bool last);
void weft_access_log_init(weft_http_server *server);

/* --- weft_date.c --- */
#define WEFT_DATE_LENGTH 29 /* "Sun, 06 Nov 1994 08:49:37 GMT" */
void weft_http_date_write(char to[WEFT_DATE_LENGTH + 1], time_t time);
/* Any of the three forms of HTTP-date (RFC 9110, 5.6.7). False: it is none, and to be ignored. */
bool weft_http_date_read(const char *text, time_t *time);
#define WEFT_HTTP_DATE_LENGTH 37 /* "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n" */
/* The Date header line of this second; WEFT_HTTP_DATE_LENGTH bytes. */
const char *weft_http_date_line(void);
/* "08:49:37" local time of this second; 8 bytes. */
const char *weft_http_clock(void);

#endif /* WEFT_HTTP_INTERNAL_H */
