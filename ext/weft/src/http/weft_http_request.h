/*
 * A request and its response. Everything here is malloc()ed, as in weft_http_internal.h.
 */
#ifndef WEFT_HTTP_REQUEST_H
#define WEFT_HTTP_REQUEST_H

#include "http/weft_buffer.h"
#include "http/files/weft_file_ranges.h"
#include "http/weft_http.h"
#include "domain/weft_domain.h"
#include "http/weft_parser.h"
#include "coroutine/weft_coroutine.h"

#include "SAPI.h"

#include <netinet/in.h>

typedef struct weft_http_connection weft_http_connection;
typedef struct weft_http_exchange weft_http_exchange;
typedef struct weft_http_place weft_http_place;
typedef struct weft_http_request weft_http_request;
typedef struct weft_h2_session weft_h2_session;
typedef struct weft_ws weft_ws;

/* An answer on its way through weft_compress.c. */
typedef struct {
	weft_encoder *encoder; /* NULL: it is sent as it is, or is whole already */
	uint64_t left;         /* of what the application has declared; WEFT_CODEC_ANY_SIZE: nothing */
	bool off;              /* so wants the application */
	bool holds;            /* the encoder keeps bytes that the client should get with the next flush */
	bool cut;              /* it can't be completed */
} weft_http_compression;

typedef struct {
	int status;
	char reason[64];  /* the application's own wording; empty: the usual one */
	weft_buffer head; /* header lines without the status line and without framing */
	weft_buffer body; /* given by the application, not framed yet */
	bool head_ready;  /* the SAPI has handed over the headers */
	bool committed;   /* the head is on its way: nothing of it can change any more */
	bool ended;
	bool close; /* the connection ends with this response */
	bool chunked;
	bool has_length; /* the application declared a Content-Length */
	bool has_date, has_server;
	bool is_settled; /* what the application prints is not sent */
	bool encoded;    /* what is sent is no whole text: it is compressed already, or a part of something */
	uint64_t length; /* what it declared */
	uint64_t sent;   /* body bytes framed so far */
	int file;        /* what follows of the body, given as a file; -1 */
	uint64_t file_offset, file_length;
	weft_file_ranges *ranges; /* several of it make a message of file_length bytes; NULL: one */
	bool has_hsts;
	size_t early; /* bytes of the status line that are out before the rest of it is known */
	weft_http_compression compression;
} weft_http_response;

/* A coroutine that waits until the client has taken what was written. */
typedef struct weft_http_writer weft_http_writer;
struct weft_http_writer {
	weft_coroutine *coroutine;
	weft_http_writer *next;
};

static inline void weft_writers_wake(const weft_http_writer *all)
{
	for (; all; all = all->next) {
		weft_wake(all->coroutine);
	}
}

/* The running one is of these until it is woken. As weft_suspend(). Whose they are must be there then. */
static inline int weft_writers_wait(weft_http_writer **all, const weft_wait_info *info)
{
	weft_http_writer self = {.coroutine = weft_current, .next = *all}, **link = all;
	int result;

	*all = &self;
	result = weft_suspend(info);
	while (*link != &self) {
		link = &(*link)->next;
	}
	*link = self.next;
	return result;
}

/* What classic mode executes. */
typedef struct {
	char *file; /* NULL: nothing */
	char *name; /* its path as clients know it */
	char *info; /* what follows that in the path: "" or "/…" */
	bool threw; /* an exception has ended it: PHP says what status that is */
} weft_script;

/* How long a request may take. */
typedef struct {
	uint64_t allowed; /* until the answer begins, and between two pieces of it; 0: for ever */
	uint64_t since;   /* when that began; when it was answered */
	bool answered;    /* its response has ended, and it is no WebSocket: what it still does has weft.http_linger_ms */
	uint32_t ended;   /* how often it was told to end */
	uint64_t next;    /* when it will be again */
	weft_http_request *next_request, **link;
} weft_time_limit;

/* Of a client's own. */
#define WEFT_REQUEST_ID_LONGEST 64
#define WEFT_TRACE_ID_LENGTH 32

struct weft_http_request {
	uint32_t references;
	weft_http_server *server;
	weft_http_exchange *exchange; /* NULL: the response is complete, or the client is gone */
	weft_coroutine *coroutine;
	weft_parser parser;

	char *head; /* the request's head; its parts are made C strings in place */
	size_t head_length;
	char *uri;                                              /* origin form, in head */
	char *query;                                            /* behind the question mark, in a copy; never NULL */
	char *host;                                             /* with the port, in head or a copy; NULL without */
	char *cookies;                                          /* all Cookie headers; NULL without */
	char *uri_copy, *query_copy, *cookies_copy, *host_copy; /* own what isn't in head */

	weft_script script;

	weft_buffer body; /* the first body_memory bytes, or all */
	int body_file;    /* the whole body when it is larger; -1 */
	uint64_t in_file; /* bytes of it that are there */
	uint64_t body_length;
	uint64_t body_read;    /* by the SAPI */
	weft_decoder *decoder; /* of a body that comes compressed; NULL */
	uint64_t body_coded;   /* bytes that came of such a body */

	uint64_t began;                       /* weft_now() when the head was complete */
	char id[WEFT_REQUEST_ID_LONGEST + 1]; /* "": nobody has asked for it yet */
	char remote_address[INET6_ADDRSTRLEN];
	uint16_t remote_port;
	char local_address[INET6_ADDRSTRLEN];
	uint16_t local_port;
	bool https;                   /* to the proxy in front */
	weft_board_request *shown;    /* what others see of it; NULL: nothing */
	char route[WEFT_BOARD_ROUTE]; /* as the application calls it; "": not known */

	weft_http_response response;
	weft_http_writer *writers;
	bool aborted;    /* the client went away before the end */
	bool fatal;      /* a fatal error ended it */
	bool failed;     /* an exception that nobody caught ended it */
	bool takes_long; /* it has computed for long */
	bool is_long;    /* its route is known to compute for longer than a slice, or it has itself */
	uint32_t path;   /* hash of method and path, for the usual CPU time; 0: not needed so far */
	bool ran;        /* the coroutine got as far as its first line */
	struct {
		bool counted;   /* it has begun, for the queue for memory, and has not ended */
		uint64_t age;   /* the how manieth */
		uint64_t since; /* when it began */
		size_t parked;  /* bytes that it had when it was parked */
		weft_http_request *elder, *younger;
	} memory;
	weft_buffer stderr_line; /* what it has written to standard error since the last line break */
	weft_time_limit limit;
	uint64_t cpu_limit;      /* nanoseconds that it may compute; 0: for ever */
	uint64_t cpu_before;     /* those that its domain had when that began */
	weft_end_step ending;    /* how far its end has come */
	bool called;             /* the application has been */
	bool handling;           /* the application works on the answer */
	bool ignores_abort;      /* its ignore_user_abort */
	bool hung_up;            /* aborted, and noticed before the next output */
	bool cancelled;          /* for that */
	void *last_error;        /* PG(last_error_message) at the start */
	weft_ws *ws;             /* that it has accepted; NULL */
	struct weft_ws_job *job; /* it is a message of a WebSocket; NULL */
	bool parked;             /* it waits for one, and is not counted */
};

#endif /* WEFT_HTTP_REQUEST_H */
