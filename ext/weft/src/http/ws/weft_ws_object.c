/*
 * Class Weft\Http\WebSocket. An object is a handle: the socket lives on without it once it was handed over.
 */
#include "http/ws/weft_ws_internal.h"
#include "http/ws/weft_ws_deflate.h"

#include "ext/spl/spl_exceptions.h"
#include "main/php_output.h"
#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "weft_ws_arginfo.h"

zend_class_entry *weft_ws_ce, *weft_ws_ce_exception, *weft_ws_ce_closed, *weft_ws_ce_refused,
	*weft_ws_ce_upgrade_required;
static zend_object_handlers handlers;

typedef struct {
	weft_ws *socket;
	bool owner; /* the socket closes with it, unless it was handed over */
	zend_object std;
} ws_object;

static ws_object *object_of(zend_object *object)
{
	return (ws_object *) ((char *) object - offsetof(ws_object, std));
}

static zend_object *ws_create(zend_class_entry *ce)
{
	ws_object *self = zend_object_alloc(sizeof(*self), ce);

	zend_object_std_init(&self->std, ce);
	object_properties_init(&self->std, ce);
	self->std.handlers = &handlers;
	return &self->std;
}

/* An exception that goes by has ended the code that had it; or the object has outlived that, in a global variable. */
static uint16_t code_of_the_end(const weft_http_request *by)
{
	if (by && weft_ws_request_failed(by)) {
		return WEFT_WS_FAILED;
	}
	return EG(exception) && !zend_is_unwind_exit(EG(exception)) && !zend_is_graceful_exit(EG(exception))
		? WEFT_WS_FAILED
		: WEFT_WS_NORMAL;
}

static void ws_free(zend_object *object)
{
	ws_object *self = object_of(object);

	if (self->socket) {
		if (self->owner && !self->socket->method) {
			weft_ws_close(self->socket, code_of_the_end(self->socket->by), NULL, 0);
		}
		weft_ws_release(self->socket);
	}
	zend_object_std_dtor(object);
}

static void set_property(zend_object *object, uint32_t number, zend_string *value)
{
	zval *slot = OBJ_PROP_NUM(object, number);

	if (value) {
		ZVAL_STR(slot, value);
	} else {
		ZVAL_NULL(slot);
	}
	Z_PROP_FLAG_P(slot) = 0;
}

void weft_ws_object_new(zval *to, weft_ws *socket, bool owner)
{
	ws_object *self;

	object_init_ex(to, weft_ws_ce);
	self = object_of(Z_OBJ_P(to));
	self->socket = socket;
	self->owner = owner;
	weft_ws_addref(socket);
	set_property(&self->std, 0, strpprintf(0, "%u.%" PRIu64, weft_ws_node(), weft_ws_serial(socket)));
	set_property(&self->std, 1,
		socket->protocol ? zend_string_init(socket->protocol, strlen(socket->protocol), 0) : NULL);
}

weft_ws *weft_ws_of_object(zend_object *object)
{
	weft_ws *socket = object_of(object)->socket;

	if (!socket) {
		zend_throw_exception(weft_ws_ce_exception, "No WebSocket was accepted for this object", 0);
	}
	return socket;
}

/* --- accept() --- */

static bool buffer_holds(const php_output_handler *handler)
{
	return handler->buffer.used > 0;
}

static bool anything_is_buffered(void)
{
	php_output_handler **handler = OG(handlers).elements;

	for (int i = 0; i < OG(handlers).top; i++) {
		if (buffer_holds(handler[i])) {
			return true;
		}
	}
	return false;
}

/* False with an exception: there is an answer already. */
static bool check_unanswered(const weft_http_request *request, bool headers_sent)
{
	const weft_http_response *response = &request->response;

	if (request->ws) {
		zend_throw_exception(weft_ws_ce_exception, "The WebSocket of this request has been accepted before", 0);
	} else if (headers_sent || response->ended || response->committed || weft_buffer_length(&response->body) > 0) {
		zend_throw_exception(weft_ws_ce_exception,
			"The answer of this request has begun: accept its WebSocket before anything is sent", 0);
	} else if (anything_is_buffered()) {
		zend_throw_exception(weft_ws_ce_exception,
			"Something was printed: accept the WebSocket before, or discard it (ob_clean())", 0);
	} else if (!request->exchange) {
		zend_throw_exception(weft_ws_ce_closed, "The client has gone", 0);
	} else {
		return true;
	}
	return false;
}

/* NULL with an exception: it has none that can be accepted. */
static weft_http_request *request_to_accept(void)
{
	weft_http_request *request = weft_request_current();

	if (!request || request->job) {
		zend_throw_exception(weft_ws_ce_exception, "There is no request here whose WebSocket could be accepted", 0);
		return NULL;
	}
	return check_unanswered(request, SG(headers_sent)) ? request : NULL;
}

static bool are_strings(HashTable *table, uint32_t argument)
{
	zval *value;

	if (table) {
		ZEND_HASH_FOREACH_VAL(table, value) {
			if (Z_TYPE_P(value) != IS_STRING || Z_STRLEN_P(value) == 0 ||
				strlen(Z_STRVAL_P(value)) != Z_STRLEN_P(value)) {
				zend_argument_value_error(argument, "must be a list of non-empty strings");
				return false;
			}
		}
		ZEND_HASH_FOREACH_END();
	}
	return true;
}

/* The application's headers, without those that tell of a body, and of what we say ourselves. */
static void take_headers(weft_http_request *request)
{
	static const char *const ours[] = {"Content-", "Sec-WebSocket-", "Upgrade:"};
	weft_buffer all, *head = &request->response.head;
	const char *at, *next, *end;
	bool leave_out;

	SG(sapi_headers).send_default_content_type = 0;
	SG(sapi_headers).http_response_code = 200; /* which may be sent; what follows is none of the application's */
	sapi_send_headers();
	SG(sapi_headers).http_response_code = 101;
	all = *head;
	memset(head, 0, sizeof(*head));
	end = weft_buffer_data(&all) + weft_buffer_length(&all);
	for (at = weft_buffer_data(&all); at < end; at = next) {
		next = (const char *) memchr(at, '\n', (size_t) (end - at)) + 1;
		leave_out = false;
		for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
			leave_out |= strncasecmp(at, ours[i], strlen(ours[i])) == 0;
		}
		if (!leave_out) {
			weft_buffer_append(head, at, (size_t) (next - at));
		}
	}
	weft_buffer_free(&all);
}

ZEND_METHOD(Weft_Http_WebSocket, accept)
{
	zval *request_object = NULL;
	HashTable *protocols = NULL, *origins = NULL;
	weft_http_request *request;
	const char *protocol;

	ZEND_PARSE_PARAMETERS_START(0, 3)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(request_object)
		Z_PARAM_ARRAY_HT(protocols)
		Z_PARAM_ARRAY_HT_OR_NULL(origins)
	ZEND_PARSE_PARAMETERS_END();
	request = request_to_accept();
	if (!request || !are_strings(protocols, 2) || !are_strings(origins, 3) ||
		!weft_ws_agree(request, protocols, origins, &protocol)) {
		RETURN_THROWS();
	}
	take_headers(request);
	/* a header callback may have printed, thrown, or taken its time */
	if (EG(exception) || !check_unanswered(request, false)) {
		RETURN_THROWS();
	}
	if (protocol) {
		weft_buffer *head = &request->response.head;

		weft_buffer_append(head, ZEND_STRL("Sec-WebSocket-Protocol: "));
		weft_buffer_append(head, protocol, strlen(protocol));
		weft_buffer_append(head, ZEND_STRL("\r\n"));
	}
	weft_ws_object_new(return_value, weft_ws_new(request, protocol), true);
}

/* --- what goes --- */

/* The arguments of send() and trySend(), and whose they are. NULL with an exception. */
static weft_ws *parse_message(zend_execute_data *execute_data, zend_string **text, bool *binary)
{
	weft_ws *socket;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(*text)
		Z_PARAM_OPTIONAL
		Z_PARAM_BOOL(*binary)
	ZEND_PARSE_PARAMETERS_END_EX(return NULL);
	socket = weft_ws_of_object(Z_OBJ_P(ZEND_THIS));
	/* a client would close a socket that sends it other text */
	if (socket && !*binary && !weft_ws_is_utf8(ZSTR_VAL(*text), ZSTR_LEN(*text))) {
		zend_argument_value_error(1, "must be valid UTF-8, or be sent as binary");
		return NULL;
	}
	return socket;
}

/* False with an exception. Where nobody can wait (in an output callback, say) more is kept than should be. */
static bool await_room(weft_ws *socket)
{
	bool open = weft_ws_await_room(socket);

	if (!open && !EG(exception)) {
		zend_throw_exception(weft_ws_ce_closed, "The WebSocket is closed", 0);
	}
	return open;
}

ZEND_METHOD(Weft_Http_WebSocket, send)
{
	zend_string *text;
	bool binary = false;
	weft_ws *socket = parse_message(execute_data, &text, &binary);
	weft_ws_message *message;

	if (!socket || !await_room(socket)) {
		RETURN_THROWS();
	}
	message = weft_ws_message_new(binary, ZSTR_VAL(text), ZSTR_LEN(text));
	weft_ws_send_message(socket, message);
	weft_ws_message_release(message);
}

ZEND_METHOD(Weft_Http_WebSocket, trySend)
{
	zend_string *text;
	bool binary = false;
	weft_ws *socket = parse_message(execute_data, &text, &binary);
	weft_ws_message *message;

	if (!socket) {
		RETURN_THROWS();
	}
	message = weft_ws_message_new(binary, ZSTR_VAL(text), ZSTR_LEN(text));
	RETVAL_BOOL(weft_ws_deliver(socket, message) == WEFT_WS_SENT);
	weft_ws_message_release(message);
}

ZEND_METHOD(Weft_Http_WebSocket, ping)
{
	zend_string *data = NULL;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(data)
	ZEND_PARSE_PARAMETERS_END();
	WEFT_WS_OF_THIS();
	if (data && ZSTR_LEN(data) > WEFT_WS_CONTROL_LONGEST) {
		zend_argument_value_error(1, "must be at most %d bytes", WEFT_WS_CONTROL_LONGEST);
		RETURN_THROWS();
	}
	if (!await_room(socket)) {
		RETURN_THROWS();
	}
	weft_ws_send(socket, weft_ws_frame_new(WEFT_WS_PING, data ? ZSTR_VAL(data) : NULL, data ? ZSTR_LEN(data) : 0));
}

/* --- its end --- */

/* Those that may be sent (RFC 6455, 7.4). */
static bool is_code(zend_long code)
{
	return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

bool weft_ws_check_code(zend_long code, uint32_t argument)
{
	if (!is_code(code)) {
		zend_argument_value_error(argument, "must be 1000 to 1003, 1007 to 1014, or 3000 to 4999");
		return false;
	}
	return true;
}

bool weft_ws_check_reason(const char *reason, size_t length, uint32_t argument)
{
	if (length > WEFT_WS_REASON_LONGEST || !weft_ws_is_utf8(reason, length)) {
		zend_argument_value_error(argument, "must be valid UTF-8 of at most %d bytes", WEFT_WS_REASON_LONGEST);
		return false;
	}
	return true;
}

ZEND_METHOD(Weft_Http_WebSocket, close)
{
	zend_long code = WEFT_WS_NORMAL;
	char *reason = "";
	size_t length = 0;

	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(code)
		Z_PARAM_STRING(reason, length)
	ZEND_PARSE_PARAMETERS_END();
	WEFT_WS_OF_THIS();
	if (!weft_ws_check_code(code, 1) || !weft_ws_check_reason(reason, length, 2)) {
		RETURN_THROWS();
	}
	weft_ws_close(socket, (uint16_t) code, reason, length);
}

ZEND_METHOD(Weft_Http_WebSocket, isOpen)
{
	ZEND_PARSE_PARAMETERS_NONE();
	WEFT_WS_OF_THIS();
	RETURN_BOOL(socket->state == WEFT_WS_OPEN);
}

ZEND_METHOD(Weft_Http_WebSocket, closeCode)
{
	ZEND_PARSE_PARAMETERS_NONE();
	WEFT_WS_OF_THIS();
	if (socket->code) {
		RETURN_LONG(socket->code);
	}
}

/* Nobody makes one: not even a subclass can, for there is none. */
ZEND_METHOD(Weft_Http_WebSocket, __construct)
{
	ZEND_PARSE_PARAMETERS_NONE();
}

/* Whoever comes could fill the error log with it. */
static bool is_of_client(const zend_object *exception)
{
	return instanceof_function(exception->ce, weft_ws_ce_refused) || exception->ce == weft_ws_ce_closed;
}

void weft_ws_object_minit(void)
{
	weft_ws_ce_exception = register_class_Weft_Http_WebSocketException(spl_ce_RuntimeException);
	weft_ws_ce_closed = register_class_Weft_Http_WebSocketClosed(weft_ws_ce_exception);
	weft_ws_ce_refused = register_class_Weft_Http_UpgradeRefused(weft_ws_ce_exception);
	weft_ws_ce_upgrade_required = register_class_Weft_Http_UpgradeRequired(weft_ws_ce_refused);
	weft_ends_quietly = is_of_client;
	weft_ws_ce = register_class_Weft_Http_WebSocket(zend_ce_aggregate);
	weft_ws_ce->create_object = ws_create;
	weft_ws_ce->get_iterator = weft_ws_get_iterator;
	memcpy(&handlers, &std_object_handlers, sizeof(handlers));
	handlers.offset = offsetof(ws_object, std);
	handlers.free_obj = ws_free;
	handlers.clone_obj = NULL;
}
