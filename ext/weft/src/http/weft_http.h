/*
 * The HTTP server of a worker: connections are state machines driven by the reactor (no stack while idle);
 * each request becomes a coroutine with a domain of its own when its body has arrived.
 */
#ifndef WEFT_HTTP_H
#define WEFT_HTTP_H

#include "php.h"
#include "http/weft_load.h"

typedef struct weft_http_server weft_http_server;

/* Every limit has a default here, a name, and a weft.http_* ini directive of that name. */
typedef struct {
	uint32_t concurrency;          /* requests running at once; more wait unaccepted or unread. 256 */
	uint32_t connections;          /* open at once; a newcomer beyond replaces the longest idle one. 20000 */
	size_t max_request_line;       /* bytes; 414 beyond. 8192, as nginx and Apache */
	size_t max_header_bytes;       /* all header lines; 431 beyond. 32768: room for a few fat cookies */
	uint32_t max_header_count;     /* 431 beyond. 100, as Apache */
	size_t body_memory;            /* bytes of a body kept in memory; beyond goes to a file. 262144 */
	size_t input_memory;           /* bytes of heads and bodies in memory, of all clients. 67108864 */
	uint32_t header_timeout_ms;    /* from the first byte to the end of the head; 408 beyond. 10000 */
	uint32_t body_timeout_ms;      /* without any progress while reading a body; 408. 30000 */
	uint32_t idle_timeout_ms;      /* keep-alive without a request; closed. 60000 */
	uint32_t write_timeout_ms;     /* nothing acknowledged by the client; closed. 30000 */
	uint32_t min_rate;             /* bytes a second of a body or an answer, beyond the time-out; 408 or closed. 500 */
	size_t write_buffer;           /* unsent bytes beyond which the coroutine is suspended. 65536 */
	uint32_t linger_ms;            /* for coroutines that outlive their request; then cancelled. 30000 */
	bool hang_up_cancels;          /* a client's hang-up cancels its request where it waits. False: at its next output */
	bool isolation;                /* requests are domains over a snapshot */
	bool access_log;               /* a line a request */
	bool colour;                   /* the log goes to a terminal */
	int log_fd;                    /* where the log goes. 1 */
} weft_http_config;

void weft_http_config_defaults(weft_http_config *config); /* reads the ini directives */

/* `handler` is a PHP callable without arguments: superglobals, headers and output are set up as any SAPI does.
 * `on_fatal` is called (C only) after a request ended in a fatal error. Listening descriptors stay the caller's. */
weft_http_server *weft_http_server_new(const weft_http_config *config, const int *listeners, uint32_t count,
	zend_fcall_info *handler, zend_fcall_info_cache *handler_cache, void (*on_fatal)(void *), void *arg);
/* Spreads the connections over the workers that show their loads there. Once, before the reactor runs. */
void weft_http_server_share(weft_http_server *server, weft_loads *loads, uint32_t place);
/* Stops accepting, closes idle connections; requests that run go on and answer with Connection: close. */
void weft_http_server_drain(weft_http_server *server);
/* No connection left. */
bool weft_http_server_idle(const weft_http_server *server);
uint32_t weft_http_server_running(const weft_http_server *server); /* requests being handled */
uint64_t weft_http_server_handled(const weft_http_server *server); /* since the start */
void weft_http_server_free(weft_http_server *server);

/* The PHP side's view of a server process: sapi name "weft", HTML errors, web-like ini defaults. Called in the
 * zygote before any line of the application runs. */
void weft_sapi_become_server(void);

/* What $_SERVER calls DOCUMENT_ROOT; SCRIPT_FILENAME is index.php in it. The working directory until it is set. */
void weft_http_set_document_root(const char *directory);

/* Ends the response of the running request (what fastcgi_finish_request() does); false when there is none. */
bool weft_http_finish_request(void);

/* Module life. */
void weft_http_minit(int module_number);
void weft_http_rshutdown(void);

#endif /* WEFT_HTTP_H */
