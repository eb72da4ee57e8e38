/*
 * A message of a socket that was handed over is a request of its own: it waits in line, has a domain, limits and a
 * place on the board as any other, and an exchange without a client, which takes whatever is sent.
 */
#include "http/ws/weft_ws_internal.h"

#include "zend_exceptions.h"

struct weft_ws_job {
	weft_http_exchange exchange; /* first */
	weft_ws *socket;
	weft_ws_incoming *incoming; /* NULL: it is the end */
};

typedef struct weft_ws_job job;

static job *job_of(weft_http_exchange *exchange)
{
	return (job *) exchange;
}

/* --- its exchange --- */

static void job_send(weft_http_request *request, const char *data, size_t length, bool whole)
{
	request->response.body.start = request->response.body.end = 0;
}

static void job_nothing(weft_http_request *request)
{
}

static void job_interim(weft_http_request *request, int status, const weft_buffer *lines)
{
}

/* It was not run: the client may try again. What else it has sent would be refused in its turn. */
static void job_error(weft_http_exchange *exchange, int status, const char *message)
{
	weft_http_request *request = exchange->request;
	weft_ws *socket = job_of(exchange)->socket;

	weft_ws_drop_incoming(socket);
	weft_ws_close(socket, WEFT_WS_TRY_LATER, NULL, 0);
	request->response.ended = true;
	request->references++;
	weft_exchange_done(exchange);
	if (!request->coroutine) {
		weft_ws_job_over(request);
	}
	weft_request_release(request);
}

static void job_done(weft_http_exchange *exchange, bool keep_alive)
{
	if (!exchange->request->coroutine) {
		job_error(exchange, 503, NULL); /* it was refused */
	} else {
		weft_exchange_done(exchange);
	}
}

static void job_cut(weft_http_exchange *exchange)
{
	weft_exchange_done(exchange);
}

static uint64_t job_taken(const weft_http_exchange *exchange)
{
	return 0;
}

static void job_give_up(weft_http_exchange *exchange)
{
}

static size_t job_may_wait(const weft_http_exchange *exchange)
{
	return SIZE_MAX;
}

static const weft_http_framing job_framing = {
	.send = job_send,
	.send_file = job_nothing,
	.begin_early = job_nothing,
	.interim = job_interim,
	.error = job_error,
	.done = job_done,
	.cut = job_cut,
	.taken = job_taken,
	.give_up = job_give_up,
	.may_wait = job_may_wait,
};

/* --- its beginning --- */

void weft_ws_job_prepare(weft_ws *socket, const weft_http_request *request)
{
	static const char format[] = "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n%c%s%c%s";
	const char *host = request->host ? request->host : "";
	size_t room = sizeof(format) + strlen(request->uri) + strlen(host) + strlen(request->remote_address) +
		strlen(request->local_address);
	weft_ws_about *about = pemalloc(sizeof(*about) + room, 1);

	snprintf(about->text, room, format, request->uri, host, 0, request->remote_address, 0, request->local_address);
	about->remote_port = request->remote_port;
	about->local_port = request->local_port;
	about->https = request->https;
	socket->about = about;
}

static weft_http_request *request_new(job *self)
{
	const weft_ws_about *about = self->socket->about;
	weft_http_request *request = weft_request_new(&self->exchange);
	size_t used, length = strlen(about->text);
	const char *remote = about->text + length + 1, *local = remote + strlen(remote) + 1;

	weft_parser_head(&request->parser, about->text, length, &used); /* as the client's own was */
	weft_request_take_head(request, about->text, length);
	memcpy(request->remote_address, remote, strlen(remote) + 1);
	memcpy(request->local_address, local, strlen(local) + 1);
	request->remote_port = about->remote_port;
	request->local_port = about->local_port;
	request->https = about->https;
	request->job = self;
	request->response.is_settled = true; /* what is printed nobody gets */
	return request;
}

static void job_begin(weft_ws *socket, weft_ws_incoming *incoming)
{
	job *self = pecalloc(1, sizeof(*self), 1);

	self->exchange.framing = &job_framing;
	self->exchange.server = socket->server;
	self->exchange.file = -1;
	if (socket->exchange && socket->exchange->connection) {
		self->exchange.place = &socket->exchange->connection->place;
	}
	self->socket = socket;
	self->incoming = incoming;
	self->exchange.waits_in_any_case = !incoming;
	weft_ws_addref(socket);
	socket->job = self;
	self->exchange.request = request_new(self);
	weft_admission_line_up(&self->exchange);
}

void weft_ws_job_go_on(weft_ws *socket)
{
	if (!socket->method || socket->job) {
		return;
	}
	if (socket->first) {
		job_begin(socket, weft_ws_take_incoming(socket));
	} else if (weft_ws_has_close_to_answer(socket)) {
		weft_ws_all_done(socket); /* and comes back here */
	} else if (socket->state >= WEFT_WS_ENDING && !socket->end_told) {
		socket->end_told = true;
		job_begin(socket, NULL);
	}
}

/* --- its run --- */

static void put_event(const job *self, zval *arguments)
{
	const weft_ws_incoming *incoming = self->incoming;

	weft_ws_object_new(&arguments[0], self->socket, false);
	if (incoming) {
		ZVAL_STRING(&arguments[1], incoming->opcode == WEFT_WS_BINARY ? "binary" : "text");
		ZVAL_STRINGL_FAST(&arguments[2], weft_buffer_data(&incoming->data), weft_buffer_length(&incoming->data));
	} else {
		ZVAL_STRING(&arguments[1], "close");
		ZVAL_STRINGL(&arguments[2], self->socket->reason ? self->socket->reason : "", self->socket->reason_length);
	}
}

void weft_ws_job_run(weft_http_request *request)
{
	job *self = request->job;
	zval method, result, arguments[3];

	put_event(self, arguments);
	if (self->incoming) {
		weft_ws_incoming_free(self->socket, self->incoming);
		self->incoming = NULL;
	}
	ZVAL_STRING(&method, self->socket->method);
	ZVAL_UNDEF(&result);
	if (call_user_function(NULL, NULL, &method, &result, 3, arguments) != SUCCESS && !EG(exception)) {
		zend_throw_exception_ex(weft_ws_ce_exception, 0, "%s() of handOver() can't be called", self->socket->method);
	}
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&method);
	for (int i = 0; i < 3; i++) {
		zval_ptr_dtor(&arguments[i]);
	}
}

void weft_ws_job_over(weft_http_request *request)
{
	job *self = request->job;
	weft_ws *socket;

	if (EXPECTED(!self)) {
		return;
	}
	socket = self->socket;
	request->job = NULL;
	socket->job = NULL;
	if (self->incoming) {
		weft_ws_incoming_free(socket, self->incoming);
	}
	free(self);
	if (request->fatal || request->failed || request->limit.ended) {
		weft_ws_close(socket, WEFT_WS_FAILED, NULL, 0);
	}
	weft_ws_job_go_on(socket);
	weft_ws_resume(socket);
	weft_ws_release(socket);
}
