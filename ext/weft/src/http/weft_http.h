/*
 * The HTTP server of a worker: connections are state machines driven by the reactor (no stack while idle);
 * each request becomes a coroutine with a domain of its own when its body has arrived.
 */
#ifndef WEFT_HTTP_H
#define WEFT_HTTP_H

#include "php.h"
#include "codec/weft_codec.h"
#include "http/weft_board.h"
#include "http/weft_load.h"

typedef struct weft_http_server weft_http_server;

/* What a listening socket is for. */
typedef enum {
	WEFT_PORT_PLAIN,
	WEFT_PORT_TLS,
	WEFT_PORT_REDIRECT /* sends clients to that of TLS, and answers who checks that a name is the server's (ACME) */
} weft_http_port;

/* Some codings, in the order in which they are preferred. */
typedef struct {
	uint8_t count;
	uint8_t coding[WEFT_CODINGS];
} weft_codings;

/* Every limit has a default here, a name, and a weft.http_* ini directive of that name. */
typedef struct {
	uint32_t concurrency;          /* requests running at once; more wait unaccepted or unread. 4096 */
	uint32_t connections;          /* open at once; a newcomer beyond replaces the longest idle one. 20000 */
	size_t max_request_line;       /* bytes; 414 beyond. 8192, as nginx and Apache */
	size_t max_header_bytes;       /* all header lines; 431 beyond. 32768: room for a few fat cookies */
	uint32_t max_header_count;     /* 431 beyond. 100, as Apache */
	uint32_t max_chunk_extensions; /* bytes of a body's; 400 beyond. 65536 */
	size_t body_memory;            /* bytes of a body kept in memory; beyond goes to a file. 262144 */
	size_t input_memory;           /* bytes of heads and bodies in memory, of all clients. 67108864 */
	uint64_t input_files;          /* bytes of bodies in files, of all clients; 503 beyond. 2147483648 */
	uint32_t address_connections;  /* of one address in a worker; 429 beyond. 0: any number. 0 */
	uint32_t address_rate;         /* requests a second of one address, of all workers; 429 beyond. 0: any number. 0 */
	uint32_t address_burst;        /* of those, at once. 100 */
	uint32_t header_timeout_ms;    /* from the first byte to the end of the head; 408 beyond. 10000 */
	uint32_t handshake_timeout_ms; /* from a connection's opening to the end of TLS's handshake; closed. 10000 */
	uint32_t body_timeout_ms;      /* without any progress while reading a body; 408. 30000 */
	uint32_t idle_timeout_ms;      /* keep-alive without a request; closed. 60000 */
	uint32_t drain_ms;             /* while it drains: an open connection without a request; closed. 1000 */
	uint32_t write_timeout_ms;     /* nothing acknowledged by the client; closed. 30000 */
	uint32_t silent_ms;            /* the same where others wait for its request's place. 3000 */
	uint32_t min_rate;             /* bytes a second of a body or an answer, beyond the time-out; 408 or closed. 500 */
	uint32_t share;                /* bytes that a client is sent before others have their turn. 1 MiB */
	size_t write_buffer;           /* unsent bytes beyond which the coroutine is suspended. 65536 */
	size_t spool;                /* bytes of an answer in a file, when others wait for its request's place. 67108864 */
	size_t spool_total;          /* bytes of all such files; beyond it those answers wait. 536870912 */
	uint32_t request_timeout_ms; /* until an answer begins, and between two pieces of it; 504 or cut. 0: none. 30000 */
	bool timeout_is_firm;        /* somebody has asked for that one: set_time_limit() does not raise it */
	uint32_t linger_ms;          /* for coroutines that outlive their request; then cancelled. 30000 */
	uint32_t coroutines;         /* of a request, at once; spawn() throws beyond. 0: any number. 10000 */
	size_t max_memory;           /* of all requests that run; 0: not known, none. The server's part of the machine's */
	uint32_t ready;              /* requests that could run, beyond which no other begins; 0: any number. 16 */
	uint32_t queue_ms;           /* that a request may wait before it starts; 0: any time. 30000 */
	uint32_t memory_share;       /* percent of max_memory beyond which requests wait to begin; 0: none does. 75 */
	uint32_t memory_wait_ms;     /* for that; then it begins all the same. 10000 */
	bool hang_up_cancels;        /* a client's hang-up cancels its request where it waits. False: at its next output */
	bool h2;                     /* HTTP/2 is spoken with who begins it. True */
	uint32_t h2_streams;         /* of a connection, open at once. 100 */
	uint32_t h2_resets;          /* of its streams, at once; the connection ends beyond. 100 */
	uint32_t h2_reset_rate;      /* and so many a second on the long run. 33 */
	uint32_t h2_continuations;   /* CONTINUATION frames of a head. 8 */
	uint32_t h2_control_frames;  /* a second that bring nothing; the connection ends beyond. 100 */
	uint32_t h2_window;          /* bytes of bodies that a client may send ahead. 1048576 */
	size_t h2_buffer;            /* bytes of answers in memory for one client. 1048576 */
	size_t ws_max_message;       /* bytes of a WebSocket's message; closed with 1009 beyond. 1048576 */
	size_t ws_buffer;            /* bytes that wait for one client; beyond it who sends waits. 1048576 */
	uint32_t ws_ping_ms;         /* of silence until the client is asked whether it is there; 0: never. 30000 */
	uint32_t ws_pong_ms;         /* that it may take to answer; closed. 30000 */
	uint32_t ws_close_ms;        /* from a close that was sent to the client's; closed. 5000 */
	uint32_t ws_waiting;         /* sockets whose request may wait for a message; 503 beyond. 1000 */
	bool ws_compress;            /* permessage-deflate is spoken with who offers it. True */
	size_t ws_compress_min;      /* bytes of a message worth it. 1024 */
	bool isolation;              /* requests are domains over a snapshot */
	bool access_log;             /* a line a request */
	uint32_t file_cache;         /* files of the public directory kept open. 1000 */
	uint32_t file_check_ms;      /* that an open file is taken for the one at its path. 1000 */
	uint32_t ranges;             /* of a file in one answer; more: all of it. 16 */
	bool any_link;               /* any symbolic link may lead out of the public directory, not only those in it */
	bool open_plainly;           /* for tests: as on a kernel without openat2() */
	uint32_t slow_ms;            /* of a request, until the end of its answer, worth a warning; 0: none. 0 */
	weft_codings compress;       /* what answers may be coded as */
	size_t compress_min;         /* bytes of an answer worth it. 1024 */
	int compress_level[WEFT_CODINGS];
	weft_codings decompress;     /* what bodies may be coded as, and are decoded; none: they are the application's */
	uint32_t decompress_ratio;   /* that a body may be longer than what came of it; 413 beyond; 0: any. 100 */
	size_t codec_memory;         /* of all streams that are coded or decoded: beyond it none begins. 67108864 */
	bool colour;                 /* the log goes to a terminal */
	int log_fd;                  /* where the log goes. 1 */
	const weft_http_port *ports; /* of each listening socket; NULL: all are plain */
	const struct weft_tls_vault *vault; /* certificates; NULL: none */
	const char *hsts;                   /* header line that TLS clients get; NULL: none */
	const char *acme;                   /* directory of answers to ACME's HTTP challenge; NULL: none */
} weft_http_config;

void weft_http_config_defaults(weft_http_config *config); /* reads the ini directives */

/* What the server's owner is told of. C only; each may be NULL. */
typedef struct {
	void (*first_request)(void *arg); /* once: the first request begins */
	void (*fatal)(void *arg);         /* a request ended in a fatal error */
	void *arg;
} weft_http_events;

/* `handler` is a PHP callable without arguments: superglobals, headers and output are set up as any SAPI does.
 * Listening descriptors stay the caller's. */
weft_http_server *weft_http_server_new(const weft_http_config *config, const int *listeners, uint32_t count,
	zend_fcall_info *handler, zend_fcall_info_cache *handler_cache, const weft_http_events *events);
/* Spreads the connections over the workers that show their loads there. Once, before the reactor runs. */
void weft_http_server_share(weft_http_server *server, weft_loads *loads, uint32_t place);
/* From now on it shows there what runs; NULL: nowhere. */
void weft_http_server_show(weft_http_server *server, weft_board_entry *entry);
/* The workers' places are others' from now on: shows nothing there any more, but still looks. */
void weft_http_server_leave_place(weft_http_server *server);

/* Who takes the connections that wait in the listening sockets' queues when this server accepts no more. */
typedef enum {
	WEFT_DRAIN_OTHERS_ACCEPT, /* the sockets stay open elsewhere: another worker, the next generation */
	WEFT_DRAIN_NOBODY_ELSE    /* this server: what the kernel has accepted is answered before the sockets are closed */
} weft_drain;

/* What runs goes on, and every answer says Connection: close. An open connection has drain_ms for a request: its first,
 * or the next after an answer that did not say so. A request that has begun to arrive is read and answered. */
void weft_http_server_drain(weft_http_server *server, weft_drain how);
/* False when the listening sockets may be closed: it drains, and has taken what it had to take. */
bool weft_http_server_accepts(const weft_http_server *server);
/* No connection left, and none to come; nor a coroutine that outlives its request and has time left. */
bool weft_http_server_idle(const weft_http_server *server);
uint32_t weft_http_server_running(const weft_http_server *server); /* requests being handled */
uint64_t weft_http_server_handled(const weft_http_server *server); /* since the start */
void weft_http_server_free(weft_http_server *server);
/* Gives back the memory that it keeps for requests to come. */
void weft_http_server_trim(weft_http_server *server);
/* Describes every coroutine, the eldest first, in JSON: an array of objects with "coroutine" (its number) and "state"
 * ("runs", "ready", "waits", "queued"). Of a request's there are "request", "method", "path" and "age_ms", of who waits
 * "waits_for" and, for a descriptor, "fd" and "peer"; with `frames` also "trace". The last element is a number when so
 * many did not fit. Returns the length. */
size_t weft_http_describe_coroutines(char *to, size_t room, bool frames);
/* What the board shows of the request whose code runs, from any thread and from a signal's handler. False when none
 * does. */
bool weft_http_running_request(weft_board_request *copy);

/* The PHP side's view of a server process: sapi name "weft", HTML errors, web-like ini defaults. Called in the
 * zygote before any line of the application runs. */
void weft_sapi_become_server(void);
bool weft_sapi_is_server(void);
/* What is printed outside of requests goes there, and nowhere else, and a fatal error is not logged: who takes the one
 * tells the other. NULL: both go where the command line's go. */
void weft_http_divert_output(void (*take)(const char *data, size_t length));

/* One more address or network ("10.0.0.0/8") whose X-Forwarded headers count, for the whole process. False: it is
 * none. */
bool weft_forwarded_trust(const char *proxy);

/* Before the workers are forked: what they all know of addresses. Idempotent. */
void weft_address_limit_share(void);

/* What Cache-Control says of files whose path fits a pattern (fnmatch()), in place of the rules by default. The first
 * that fits counts. */
void weft_files_add_rule(const char *pattern, const char *cache_control);

/* A folder whose files the application may have sent: by X-Accel-Redirect below `uri`, by X-Sendfile with their
 * path. */
void weft_files_add_folder(const char *uri, const char *directory);

/* What $_SERVER calls DOCUMENT_ROOT; SCRIPT_FILENAME is index.php in it. The working directory until it is set. */
void weft_http_set_document_root(const char *directory);

/* Ends the response of the running request (what fastcgi_finish_request() does); false when there is none. */
bool weft_http_finish_request(void);

/* "zstd 1.5.4, gzip 1.2.13": what answers and bodies can be coded as. */
void weft_http_codings(char *to, size_t room);

/* Module life. */
void weft_http_minit(int module_number);
void weft_http_rshutdown(void);

#endif /* WEFT_HTTP_H */
