/*
 * receive() and foreach: a coroutine waits for a message.
 */
#include "http/ws/weft_ws_internal.h"

#include "zend_exceptions.h"
#include "zend_interfaces.h"

/* Messages of one socket, one after the other, until others have their turns: as many as cost more than a switch. */
#define TURN WEFT_NS_PER_MS

static bool check_receiver(const weft_ws *socket)
{
	if (socket->method) {
		zend_throw_exception(weft_ws_ce_exception,
			"This WebSocket was handed over: its messages go to the method that was named there", 0);
	} else if (socket->receiver) {
		zend_throw_exception(weft_ws_ce_exception, "Another coroutine waits for the next message of this WebSocket", 0);
	} else if (!socket->first && socket->state == WEFT_WS_OPEN && !weft_can_suspend()) {
		zend_throw_exception(weft_ws_ce_exception, "Nobody can wait for a message here", 0);
	}
	return !EG(exception);
}

/* A message that is there already is the next request of its client, and others have their turns before it: code that
 * computes for each message would otherwise go on from one to the next for a whole time slice. */
static void let_others_go_first(weft_ws *socket)
{
	if (socket->at_work && socket->first && weft_can_suspend() && weft_now() - socket->turn >= TURN) {
		weft_preempt(); /* looks at timers and descriptors as well: their coroutines are not ready before */
		socket->turn = weft_now();
	}
}

/* The request is no longer one of those that run, but an open page: it holds up nobody. */
static int await_message(weft_ws *socket)
{
	static const weft_wait_info waiting_for_message = {.what = "websocket message", .fd = -1};
	int result = 0;

	while (result == 0 && !socket->first && socket->state == WEFT_WS_OPEN) {
		socket->receiver = weft_current;
		if (socket->by) {
			weft_request_park(socket->by);
		}
		result = weft_suspend(&waiting_for_message);
		socket->turn = weft_now();
		socket->receiver = NULL;
		if (socket->by) {
			weft_request_unpark(socket->by);
		}
	}
	return result;
}

/* NULL: there is none any more, or an exception. The object may have gone meanwhile, the socket may not. */
static weft_ws_incoming *receive(weft_ws *socket)
{
	weft_ws_incoming *incoming = NULL;

	weft_ws_addref(socket);
	let_others_go_first(socket);
	socket->at_work = false;
	if (!socket->first) {
		weft_ws_all_done(socket);
	}
	if (check_receiver(socket) && await_message(socket) == 0) {
		incoming = weft_ws_take_incoming(socket);
		if (incoming && socket->by) {
			weft_cpu_limit_begin(socket->by, weft_domain_cpu_time()); /* each message has max_execution_time */
		}
		socket->at_work = incoming != NULL;
		weft_ws_resume(socket);
	}
	weft_ws_release(socket);
	return incoming;
}

static void to_string(weft_ws *socket, weft_ws_incoming *incoming, zval *to)
{
	ZVAL_STRINGL_FAST(to, weft_buffer_data(&incoming->data), weft_buffer_length(&incoming->data));
	weft_ws_incoming_free(socket, incoming);
}

ZEND_METHOD(Weft_Http_WebSocket, receive)
{
	weft_ws_incoming *incoming;

	ZEND_PARSE_PARAMETERS_NONE();
	WEFT_WS_OF_THIS();
	incoming = receive(socket);
	if (incoming) {
		to_string(socket, incoming, return_value);
	}
}

/* --- foreach --- */

typedef struct {
	zend_object_iterator std;
	weft_ws *socket;
	zval message; /* UNDEF: there is none any more */
	bool binary;
} ws_iterator;

static void iterator_forget(ws_iterator *self)
{
	zval_ptr_dtor(&self->message);
	ZVAL_UNDEF(&self->message);
}

static void iterator_free(zend_object_iterator *iterator)
{
	ws_iterator *self = (ws_iterator *) iterator;

	iterator_forget(self);
	zval_ptr_dtor(&self->std.data);
}

static int iterator_valid(zend_object_iterator *iterator)
{
	return Z_TYPE(((ws_iterator *) iterator)->message) != IS_UNDEF ? SUCCESS : FAILURE;
}

static zval *iterator_current(zend_object_iterator *iterator)
{
	zval *message = &((ws_iterator *) iterator)->message;

	return Z_TYPE_P(message) != IS_UNDEF ? message : NULL; /* without foreach nobody asks whether there is one */
}

static void iterator_key(zend_object_iterator *iterator, zval *key)
{
	if (((ws_iterator *) iterator)->binary) {
		ZVAL_STRING(key, "binary");
	} else {
		ZVAL_STRING(key, "text");
	}
}

static void iterator_next(zend_object_iterator *iterator)
{
	ws_iterator *self = (ws_iterator *) iterator;
	weft_ws_incoming *incoming;

	iterator_forget(self);
	incoming = receive(self->socket);
	if (incoming) {
		self->binary = incoming->opcode == WEFT_WS_BINARY;
		to_string(self->socket, incoming, &self->message);
	}
}

static const zend_object_iterator_funcs iterator_funcs = {
	.dtor = iterator_free,
	.valid = iterator_valid,
	.get_current_data = iterator_current,
	.get_current_key = iterator_key,
	.move_forward = iterator_next,
	.rewind = iterator_next,
};

zend_object_iterator *weft_ws_get_iterator(zend_class_entry *ce, zval *object, int by_reference)
{
	ws_iterator *self;
	weft_ws *socket = weft_ws_of_object(Z_OBJ_P(object));

	if (!socket || by_reference) {
		if (socket) {
			zend_throw_error(NULL, "A WebSocket has no messages by reference");
		}
		return NULL;
	}
	self = ecalloc(1, sizeof(*self));
	zend_iterator_init(&self->std);
	ZVAL_OBJ_COPY(&self->std.data, Z_OBJ_P(object));
	self->std.funcs = &iterator_funcs;
	self->socket = socket;
	ZVAL_UNDEF(&self->message);
	return &self->std;
}

ZEND_METHOD(Weft_Http_WebSocket, getIterator)
{
	ZEND_PARSE_PARAMETERS_NONE();
	zend_create_internal_iterator_zval(return_value, ZEND_THIS);
}
