/*
 * What the files of this room share: sessions and streams.
 */
#ifndef WEFT_H2_INTERNAL_H
#define WEFT_H2_INTERNAL_H

#include "http/h2/weft_h2.h"
#include "http/weft_sending.h"

#include <nghttp2/nghttp2.h>

typedef struct weft_h2_stream weft_h2_stream;

/* What may happen so often at once, and so often a second, has happened once more: false: too often. */
bool weft_h2_bucket_take(uint64_t *full, uint32_t burst, uint32_t rate);
#define WEFT_H2_TOO_MANY_FRAMES "it sends more frames that bring nothing than weft.http2_control_frames allows"
/* What a client sends first is its preface. */
void weft_h2_frames_begin(weft_h2_session *session);
/* Counts the frames that begin in what has come. False: too many of them bring nothing. */
bool weft_h2_frames_pass(weft_h2_session *session, const char *data, size_t length);
/* nghttp2's callback for a frame that it does not ignore, before its content. */
int weft_h2_frame_begins(nghttp2_session *nghttp2, const nghttp2_frame_hd *head, void *session);

typedef enum {
	WEFT_H2_METHOD,
	WEFT_H2_SCHEME,
	WEFT_H2_AUTHORITY,
	WEFT_H2_PATH,
	WEFT_H2_PROTOCOL, /* of an extended CONNECT (RFC 8441) */
	WEFT_H2_PSEUDO    /* how many */
} weft_h2_pseudo;

/* A request's head while it arrives. Nothing else may arrive meanwhile, so a session has one. */
typedef struct {
	nghttp2_rcbuf *pseudo[WEFT_H2_PSEUDO];
	weft_buffer fields;  /* as lines of HTTP/1.1 */
	weft_buffer cookies; /* one line: it comes in crumbs (RFC 9113, 8.2.3) */
	size_t size;         /* as SETTINGS_MAX_HEADER_LIST_SIZE counts */
	uint32_t count;
	bool has_host;
} weft_h2_head;

/* Where the client is among its frames, by their heads. */
typedef struct {
	uint8_t head[10]; /* of the present frame, and the length of DATA's padding */
	uint32_t have;    /* bytes of it */
	uint32_t skip;    /* bytes of the payload that are still to come */
} weft_h2_frames;

struct weft_h2_session {
	nghttp2_session *nghttp2;
	weft_http_connection *connection;
	weft_h2_stream *streams;
	uint32_t stream_count, held; /* and how many of those are held */
	bool inside;                 /* nghttp2's code is on the stack: frames are only queued */
	bool rests;                  /* its client has been sent its share, and waits for its turn */
	bool half_closed;            /* the client has been seen to send no more */
	bool over;                   /* the connection ends, as far as the session is concerned */
	bool noticed;                /* it has been told to connect anew: the server drains, or another worker is idle */
	bool said_bye;               /* and that no new stream is served */
	bool reset_by_client;        /* the frame that has come last is one */
	bool resets_own;             /* a stream was reset from here: what the client had sent for it may come later */
	bool failed;                 /* and the log has been told why */
	size_t buffered;             /* bytes of answers in memory that the client has not taken */
	uint32_t updates;            /* WINDOW_UPDATE frames that DATA has made likely */
	uint64_t resets, control;    /* when their buckets will be full (weft_bucket.h) */
	uint64_t noticed_at;         /* when it was told */
	uint64_t data;               /* bytes of answers that have been handed over, ever */
	weft_h2_frames frames;
	weft_h2_head head;
	weft_h2_session *next_due, **due; /* those that have something to send in the reactor's next round */
};

struct weft_h2_stream {
	weft_http_exchange exchange; /* first */
	weft_h2_session *session;
	weft_h2_stream *next, **link;
	int32_t id;
	bool tunnel;        /* its request is an extended CONNECT: what follows is no body */
	bool request_ended; /* all of it has come */
	bool answered;      /* a final head was queued */
	bool whole;         /* all of the answer is here */
	bool cut;           /* or will never be */
	uint32_t discarded; /* bytes of its request that nobody reads, since it has its answer */
	bool held;          /* its complete request waits until the client has taken more of other answers */
	weft_buffer ahead;  /* of a tunnel: what has come and nobody has taken yet */
	bool is_giving;     /* its WebSocket is being given bytes */
};

extern const weft_http_framing weft_h2_stream_framing;

static inline bool weft_h2_is_closed(const weft_http_connection *connection)
{
	return connection->exchange.state == WEFT_CONNECTION_CLOSED;
}

/* Bytes of a stream's answer in memory that nghttp2 has not taken. */
static inline size_t weft_h2_unsent(const weft_h2_stream *stream)
{
	return weft_buffer_length(&stream->exchange.out) + weft_buffer_length(&stream->exchange.behind);
}

/* --- weft_h2_session.c --- */
/* Ends the session with that error of RFC 9113, 7, and a line in the log. */
void weft_h2_fail(weft_h2_session *session, uint32_t error, const char *why);

/* The client is told to connect anew for further requests. What has come, and what is on its way, is served. */
void weft_h2_notice(weft_h2_session *session);

/* A stream was reset, or one that is closed was once more: too often ends the session. */
void weft_h2_count_reset(weft_h2_session *session);

/* --- weft_h2_sending.c --- */
/* Sends what is queued, now or in the reactor's next round. May close the connection. */
void weft_h2_send(weft_h2_session *session);
/* The same, in that round, whatever else there is: closes nothing. */
void weft_h2_send_later(weft_h2_session *session);
/* The same, now, and does what follows of it. */
void weft_h2_send_now(weft_h2_session *session);
/* Sends what is queued, and nothing else. */
void weft_h2_send_frames(weft_h2_session *session);
/* The server's h2_round: sends what is due in it. */
void weft_h2_due_fired(weft_round *round);
void weft_h2_leave_due(weft_h2_session *session);
/* Whether it has as much in memory for its client as it may. */
bool weft_h2_is_crowded(const weft_h2_session *session);
/* Its weft_h2_unsent() was so many bytes, and may have changed. */
void weft_h2_count_buffered(weft_h2_stream *stream, size_t before);

/* --- weft_h2_stream.c --- */
weft_h2_stream *weft_h2_stream_open(weft_h2_session *session, int32_t id);
/* It has no client any more. Freed at the next reaping. */
void weft_h2_stream_drop(weft_h2_stream *stream);
void weft_h2_drop_streams(weft_h2_session *session);
/* A piece of its request's body. False: the client shall send no more than it may already. */
bool weft_h2_stream_data(weft_h2_stream *stream, const char *data, size_t length);
/* Its request is complete. */
void weft_h2_stream_end(weft_h2_stream *stream);
/* The same, of one that has no body, although the client may send more. */
void weft_h2_stream_complete(weft_h2_stream *stream);
/* With what its parser says. */
void weft_h2_stream_refuse(weft_h2_stream *stream);
/* Holds its complete request if its client lets other answers wait. False: it may begin. */
bool weft_h2_stream_hold(weft_http_exchange *exchange);
/* Requests that were held begin, if they may now. */
void weft_h2_stream_unhold(weft_h2_session *session);

/* --- weft_h2_head.c --- */
void weft_h2_head_begin(weft_h2_session *session);
/* One field of it. False: the session ends. */
bool weft_h2_head_field(weft_h2_session *session, nghttp2_rcbuf *name, nghttp2_rcbuf *value);
/* It has come in whole: checks it as one of HTTP/1.1. */
void weft_h2_head_complete(weft_h2_stream *stream, bool ended);
void weft_h2_head_free(weft_h2_session *session);

/* --- weft_h2_tunnel.c --- */
#ifdef WEFT_WEBSOCKET
extern const weft_ws_carrier weft_h2_ws_carrier;
/* A piece of what a client sends on an extended CONNECT, and its end. */
void weft_h2_tunnel_data(weft_h2_stream *stream, const char *data, size_t length);
void weft_h2_tunnel_end(weft_h2_stream *stream);
/* What its WebSocket has for the client, at most so much. */
size_t weft_h2_tunnel_take(weft_h2_stream *stream, uint8_t *to, size_t room);
/* The server drains. */
void weft_h2_tunnels_drain(weft_h2_session *session);
#else
#define weft_h2_tunnel_data(stream, data, length) ((void) 0)
#define weft_h2_tunnel_end(stream) ((void) 0)
#define weft_h2_tunnel_take(stream, to, room) 0
#define weft_h2_tunnels_drain(session) ((void) 0)
#endif

/* --- weft_h2_framing.c --- */
/* Tells the client to go on (RFC 9110, 10.1.1). */
void weft_h2_send_continue(weft_h2_stream *stream);

#endif /* WEFT_H2_INTERNAL_H */
