/*
 * What the files of this room share: a socket, and what comes in and goes out of it.
 */
#ifndef WEFT_WS_INTERNAL_H
#define WEFT_WS_INTERNAL_H

#include "http/ws/weft_ws.h"
#include "http/ws/weft_ws_carrier.h"
#include "http/weft_sending.h"

/* RFC 6455, 11.8. */
enum { WEFT_WS_TEXT = 1, WEFT_WS_BINARY = 2, WEFT_WS_CLOSE = 8, WEFT_WS_PING = 9, WEFT_WS_PONG = 10 };

/* Of a control frame's content (RFC 6455, 5.5). */
#define WEFT_WS_CONTROL_LONGEST 125

struct weft_ws_message {
	uint32_t references;
	uint32_t head;               /* bytes of it that are the frame's head */
	size_t length;               /* of the frame: its head, and the message */
	weft_ws_message *compressed; /* itself: that would not be shorter. NULL: nobody has asked for it yet */
	char frame[];
};

/* A message that has come and nobody has taken. */
typedef struct weft_ws_incoming weft_ws_incoming;
struct weft_ws_incoming {
	weft_ws_incoming *next;
	uint8_t opcode;
	weft_buffer data;
};

/* While a message is incomplete. */
typedef struct weft_ws_reader weft_ws_reader;
/* What requests that are messages show of the one that has accepted the socket, whose connection may be gone. */
typedef struct {
	uint16_t remote_port, local_port;
	bool https;
	char text[]; /* a head, and the two addresses, each with a NUL behind it */
} weft_ws_about;
/* A text that is answered without PHP. */
typedef struct weft_ws_answer weft_ws_answer;
/* What waits for the client. */
typedef struct {
	weft_ws_message **piece; /* a ring */
	uint32_t room, first, count;
	size_t left_of_first; /* bytes of it that have gone */
	size_t bytes;         /* of all that have not */
} weft_ws_queue;

typedef enum {
	WEFT_WS_OPEN,
	WEFT_WS_CLOSING, /* the close was sent, and the client's has not come */
	WEFT_WS_ENDING,  /* nothing is read any more; what waits is sent, then the exchange ends */
	WEFT_WS_ENDED    /* it has no exchange any more */
} weft_ws_state;

struct weft_ws {
	uint32_t references;
	weft_ws_state state;
	weft_http_server *server;
	weft_http_exchange *exchange; /* NULL: WEFT_WS_ENDED */
	const weft_ws_carrier *carrier;
	uint64_t serial;
	struct weft_room_place *places;
	uint64_t last_delivery; /* the rooms' */
	/* in */
	weft_ws_reader *reader;          /* NULL: no byte of a message has come */
	weft_ws_incoming *first, **last; /* nearly always none or one: no more is read then */
	uint8_t deflate_bits;            /* of the window that was agreed on for permessage-deflate; 0: it was not */
	uint64_t heard;                  /* when its client has sent anything */
	uint64_t pinged;                 /* when it was asked for a sign of life; 0: it was not, or has given one */
	weft_ws_answer *answer;          /* NULL: all that it says is for PHP */
	/* out */
	weft_ws_queue queue;
	weft_http_writer *writers;
	uint64_t closed_at; /* when the close was sent, or the client's has come */
	/* its end */
	uint16_t code;        /* 0: it has not come */
	uint16_t client_code; /* of the client's close, or fault, behind messages that are at work; 0: there was none */
	uint16_t restart_code;
	bool has_room_again; /* and has not been read since it had none */
	bool waits;          /* the request that has accepted it may wait for a message: it is counted */
	bool end_told;       /* the method has been called for it */
	bool reads;          /* what came is looked at: the answers to it go together */
	uint8_t kept;        /* frames that wait for that, and for nothing else */
	bool broken;         /* the socket below is: the next event tells */
	char *reason;        /* the client's; NULL */
	size_t reason_length;
	/* who takes the messages */
	weft_coroutine *receiver; /* NULL: nobody waits for one */
	bool at_work;             /* one was taken, and nobody has asked for the next */
	uint64_t turn;            /* when the receiver last went on after others had their turns */
	weft_http_request *by;    /* the request that has accepted it; NULL: it is over */
	char *method;             /* "Class::method"; NULL: it was not handed over */
	weft_ws_about *about;     /* of the requests that its messages are */
	struct weft_ws_job *job;  /* the one that runs */
	char *bytes;              /* the application's */
	size_t bytes_length;
	char *protocol; /* NULL: none */
};

/* The client has ended the talk, and what it has sent before is at work. */
static inline bool weft_ws_has_close_to_answer(const weft_ws *socket)
{
	return socket->client_code && socket->state == WEFT_WS_OPEN;
}

/* --- weft_ws.c --- */
/* The running request becomes a socket's; its head is sent, and it has no client any more. */
weft_ws *weft_ws_new(weft_http_request *request, const char *protocol);
/* No request waits for a message of it any more. */
void weft_ws_waits_no_more(weft_ws *socket);
/* A fatal error or an exception has ended it, and so its socket. */
bool weft_ws_request_failed(const weft_http_request *request);
/* The client has sent its close, or what is against the rules: it is answered with this code when what it has sent
 * before is done with. May end the socket. */
void weft_ws_ends_with(weft_ws *socket, uint16_t code);
/* Now it is, if it has come. */
void weft_ws_all_done(weft_ws *socket);
/* What the deadline is by what the socket waits for. */
void weft_ws_set_deadline(weft_ws *socket);
/* Somebody has taken a message: more may come. May end the socket. */
void weft_ws_resume(weft_ws *socket);

/* --- weft_ws_reader.c --- */
/* How many of the bytes it has taken. What it finds wrong, or at its end, is told when it is safe to. */
size_t weft_ws_read(weft_ws *socket, const char *data, size_t length);
void weft_ws_reader_free(weft_ws *socket);
/* The next message is the caller's, or NULL. */
weft_ws_incoming *weft_ws_take_incoming(weft_ws *socket);
void weft_ws_incoming_free(weft_ws *socket, weft_ws_incoming *incoming);
/* Nobody takes those that have come. */
void weft_ws_drop_incoming(weft_ws *socket);

/* --- weft_ws_answer.c --- */
/* Of the text, and of the answer. */
#define WEFT_WS_ANSWER_LONGEST 1024
/* True: it has been. */
bool weft_ws_answers(weft_ws *socket, const char *text, size_t length);
void weft_ws_answer_free(weft_ws *socket);

/* --- weft_ws_message.c --- */
weft_ws_message *weft_ws_frame_new(uint8_t opcode, const char *data, size_t length);
/* The same one compressed, made the first time and kept with it; itself, if that is no shorter. */
weft_ws_message *weft_ws_message_compressed(weft_ws_message *message, int level);
/* A close; code 0: without. */
weft_ws_message *weft_ws_close_frame_new(uint16_t code, const char *reason, size_t length);

/* --- weft_ws_sending.c --- */
/* Sends it, or keeps it until it can be, however much waits; the reference is taken over. */
void weft_ws_send(weft_ws *socket, weft_ws_message *frame);
/* The same for a message, as its client is to get it, which is counted. */
void weft_ws_send_message(weft_ws *socket, weft_ws_message *message);
/* What has come was looked at: the answers to it go. */
void weft_ws_send_kept(weft_ws *socket);
/* Less than weft.ws_buffer waits. */
bool weft_ws_has_room(const weft_ws *socket);
/* Waits for that. False when the socket closes, or an exception was thrown. */
bool weft_ws_await_room(weft_ws *socket);
/* Nothing of it will be sent. */
void weft_ws_queue_free(weft_ws *socket);

/* --- weft_ws_handshake.c --- */
/* What the client asks for, and the answer's lines for that. False: it was refused, with an exception. */
bool weft_ws_agree(weft_http_request *request, HashTable *protocols, HashTable *origins, const char **protocol);
#define WEFT_WS_ACCEPT_LENGTH 28
/* Sec-WebSocket-Accept for that key (RFC 6455, 4.2.2). */
void weft_ws_accept_of(const char *key, char to[WEFT_WS_ACCEPT_LENGTH + 1]);

/* --- weft_ws_object.c --- */
extern zend_class_entry *weft_ws_ce, *weft_ws_ce_exception, *weft_ws_ce_closed, *weft_ws_ce_refused,
	*weft_ws_ce_upgrade_required;
void weft_ws_object_minit(void);
/* Another object of it. `owner`: the socket closes with it. */
void weft_ws_object_new(zval *to, weft_ws *socket, bool owner);
/* Of a close that an application wants. False with an exception. */
bool weft_ws_check_code(zend_long code, uint32_t argument);
bool weft_ws_check_reason(const char *reason, size_t length, uint32_t argument);
/* In a method: the object's. */
#define WEFT_WS_OF_THIS() \
	weft_ws *socket = weft_ws_of_object(Z_OBJ_P(ZEND_THIS)); \
	if (!socket) { \
		RETURN_THROWS(); \
	}

/* --- weft_ws_receiving.c --- */
zend_object_iterator *weft_ws_get_iterator(zend_class_entry *ce, zval *object, int by_reference);

/* --- weft_ws_job.c --- */
/* Calls the method for what is next, if there is anything and no such call is under way. */
void weft_ws_job_go_on(weft_ws *socket);
/* Keeps of the running request what those of the messages are to show. */
void weft_ws_job_prepare(weft_ws *socket, const weft_http_request *request);

/* --- weft_ws_extension.c --- */
/* What is taken of the client's offers of permessage-deflate, with the answer's line for it. Returns the window's bits;
 * 0: nothing. */
uint8_t weft_ws_agree_on_deflate(weft_http_request *request);
/* Of a message as long as weft.ws_max_message, if compressed it is. */
size_t weft_ws_longest(const weft_ws *socket, bool compressed);
/* A whole message that came compressed, in place. 0, or the code of the close that it deserves. */
uint16_t weft_ws_decompress(weft_ws *socket, weft_buffer *message);
/* What somebody sends as that client is to get it, with a reference for the caller. */
weft_ws_message *weft_ws_message_for(const weft_ws *socket, weft_ws_message *message);

/* --- weft_ws_config.c --- */
void weft_ws_config_minit(int module_number);

#endif /* WEFT_WS_INTERNAL_H */
