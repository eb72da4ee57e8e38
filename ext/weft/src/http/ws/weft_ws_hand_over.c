/*
 * handOver(), and the bytes that an application keeps with a socket then.
 */
#include "http/ws/weft_ws_internal.h"

#include "zend_exceptions.h"

static void set_bytes(weft_ws *socket, zend_string *bytes)
{
	free(socket->bytes);
	socket->bytes = ZSTR_LEN(bytes) ? pemalloc(ZSTR_LEN(bytes), 1) : NULL;
	socket->bytes_length = ZSTR_LEN(bytes);
	if (socket->bytes) {
		memcpy(socket->bytes, ZSTR_VAL(bytes), socket->bytes_length);
	}
}

/* A public static method, in a notation that another request understands. */
static bool check_method(zend_string *method)
{
	zend_fcall_info_cache cache;
	char *error = NULL;
	zval callable;
	bool fits;

	ZVAL_STR(&callable, method);
	fits = strstr(ZSTR_VAL(method), "::") && strlen(ZSTR_VAL(method)) == ZSTR_LEN(method) &&
		zend_is_callable_ex(&callable, NULL, 0, NULL, &cache, &error) &&
		(cache.function_handler->common.fn_flags & ZEND_ACC_STATIC);
	if (!fits && !EG(exception)) {
		zend_argument_value_error(1, "must be a public static method, \"Class::method\"%s%s", error ? ": " : "",
			error ? error : "");
	}
	if (error) {
		efree(error);
	}
	return fits && !EG(exception);
}

static bool check_hand_over(const weft_ws *socket)
{
	const char *problem = NULL;

	if (!socket->by || socket->by != weft_request_current()) {
		problem = "Only the request that has accepted a WebSocket can hand it over, and once";
	} else if (socket->method) {
		problem = "This WebSocket was handed over before";
	} else if (socket->receiver) {
		problem = "Another coroutine waits for the next message of this WebSocket";
	} else if (socket->by->script.file) {
		problem = "In classic mode nothing is loaded that a message could be handed to: use foreach or receive()";
	}
	if (problem) {
		zend_throw_exception(weft_ws_ce_exception, problem, 0);
	}
	return !problem;
}

ZEND_METHOD(Weft_Http_WebSocket, handOver)
{
	zend_string *method, *state = ZSTR_EMPTY_ALLOC();
	zend_long code = WEFT_WS_RESTART;

	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_STR(method)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(state)
		Z_PARAM_LONG(code)
	ZEND_PARSE_PARAMETERS_END();
	WEFT_WS_OF_THIS();
	if (!check_hand_over(socket) || !check_method(method) || !weft_ws_check_code(code, 3)) {
		RETURN_THROWS();
	}
	set_bytes(socket, state);
	socket->restart_code = (uint16_t) code;
	socket->method = strdup(ZSTR_VAL(method));
	socket->at_work = false;
	weft_ws_job_prepare(socket, socket->by);
	weft_ws_waits_no_more(socket);
	weft_ws_job_go_on(socket);
}

ZEND_METHOD(Weft_Http_WebSocket, state)
{
	ZEND_PARSE_PARAMETERS_NONE();
	WEFT_WS_OF_THIS();
	RETURN_STRINGL(socket->bytes ? socket->bytes : "", socket->bytes_length);
}

ZEND_METHOD(Weft_Http_WebSocket, setState)
{
	zend_string *state;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(state)
	ZEND_PARSE_PARAMETERS_END();
	WEFT_WS_OF_THIS();
	set_bytes(socket, state);
}
