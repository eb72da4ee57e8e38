/*
 * The reactor, the connection and the application, as far as a socket sees them.
 */
#include "stand_ins.h"
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned number;

void dice_begin(unsigned seed)
{
	number = seed;
}

unsigned dice(void)
{
	number = number * 1103515245 + 12345;
	return number >> 8;
}

void promise(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "broken promise: %s\n", what);
		abort();
	}
}

/* --- the engine --- */

zend_executor_globals executor_globals;
weft_coroutine *weft_current;
bool weft_http_forked;

void *__zend_malloc(size_t length)
{
	return malloc(length);
}

void *__zend_calloc(size_t count, size_t length)
{
	return calloc(count, length);
}

void *__zend_realloc(void *block, size_t length)
{
	return realloc(block, length);
}

void *_safe_malloc(size_t count, size_t length, size_t more)
{
	return malloc(count * length + more);
}

/* --- the rest of the server --- */

weft_http_server *server;

/* Nothing is agreed on with the client: what is compressed has a fuzzer of its own (fuzz/deflate). */
uint8_t weft_ws_agree_on_deflate(weft_http_request *request)
{
	return 0;
}

size_t weft_ws_longest(const weft_ws *socket, bool compressed)
{
	return socket->server->config.ws_max_message;
}

weft_ws_message *weft_ws_message_for(const weft_ws *socket, weft_ws_message *message)
{
	message->references++;
	return message;
}

static uint64_t now = 1000 * WEFT_NS_PER_SEC;

uint64_t weft_now(void)
{
	return now;
}

uint64_t weft_just_now(void)
{
	return now;
}

void weft_exchange_set_deadline(weft_http_exchange *exchange, uint64_t deadline)
{
	exchange->deadline = deadline;
}

void weft_exchange_done(weft_http_exchange *exchange)
{
	exchange->request->exchange = NULL;
	exchange->request = NULL;
}

void weft_progress_begin(weft_http_exchange *exchange)
{
	exchange->progress.began = now;
}

uint64_t weft_progress_next_look(const weft_http_exchange *exchange)
{
	return exchange->progress.began + WEFT_NS_PER_SEC;
}

bool weft_progress_look(weft_http_exchange *exchange)
{
	return dice() % 8 != 0;
}

void weft_outcome_of_request(weft_http_request *request, int status)
{
}

void weft_time_limit_end(weft_http_request *request)
{
}

void weft_request_unpark(weft_http_request *request)
{
}

void weft_wake(weft_coroutine *coroutine)
{
}

void weft_board_show_websockets(weft_board_entry *entry, uint32_t count)
{
}

void weft_board_count_message(weft_board_entry *entry, weft_board_direction direction)
{
}

static int left_rooms;

void weft_rooms_leave_all(weft_ws *socket)
{
	left_rooms++;
}

/* --- the connection --- */

static weft_http_exchange exchange;
static weft_http_request request;
static bool there; /* there is an exchange */
static const unsigned char *bytes;
static size_t come, heard; /* of those */
static bool reading;
static size_t takes;
static unsigned char *got;
static size_t got_length;

static void read_on(void)
{
	if (reading) {
		return; /* who reads goes on */
	}
	reading = true;
	while (there && exchange.ws && heard < come && weft_ws_wants(exchange.ws)) {
		/* in memory that ends where it ends */
		size_t length = 1 + dice() % (come - heard), taken;
		char *copy = malloc(length);

		memcpy(copy, bytes + heard, length);
		taken = weft_ws_receive(exchange.ws, copy, length);
		free(copy);
		promise(taken <= length, "no more is taken than there is");
		promise(taken > 0 || !exchange.ws || !weft_ws_wants(exchange.ws), "who wants bytes takes some");
		heard += taken;
	}
	reading = false;
}

static void begin(weft_http_request *of)
{
	weft_ws_begun(of);
}

static void flush(weft_http_exchange *of)
{
	struct iovec parts[3];
	int count;

	promise(there, "only who is there is sent something");
	while (takes > 0 && (count = weft_ws_unsent(of->ws, parts, 3)) > 0) {
		size_t all = 0;

		for (int i = 0; i < count && takes > 0; i++) {
			size_t length = MIN(parts[i].iov_len, takes);

			got = realloc(got, got_length + length);
			memcpy(got + got_length, parts[i].iov_base, length);
			got_length += length;
			takes -= length;
			all += length;
			if (length < parts[i].iov_len) {
				break;
			}
		}
		weft_ws_have_left(of->ws, all);
	}
}

static void resume(weft_http_exchange *of)
{
	read_on();
}

static void end(weft_http_exchange *of)
{
	promise(there && !of->ws, "who ends is there, and has no socket any more");
	there = false;
}

static void drop(weft_http_exchange *of)
{
	promise(there && of->ws, "who is dropped is there");
	there = false;
	weft_ws_gone(of->ws);
}

static const weft_ws_carrier carrier = {.begin = begin, .flush = flush, .resume = resume, .end = end, .drop = drop};
static const weft_http_framing framing = {.websocket = &carrier};

void client_begin(void)
{
	memset(&exchange, 0, sizeof(exchange));
	memset(&request, 0, sizeof(request));
	exchange.framing = &framing;
	exchange.server = request.server = server;
	exchange.request = &request;
	exchange.file = -1;
	request.exchange = &exchange;
	request.references = 1;
	there = true;
	come = heard = got_length = 0;
	left_rooms = 0;
	takes = SIZE_MAX;
}

weft_http_request *client_request(void)
{
	return &request;
}

bool client_is_there(void)
{
	return there;
}

void client_will_send(const unsigned char *stream, size_t length)
{
	bytes = stream;
}

void client_sends(size_t length)
{
	come += length;
	read_on();
}

void client_takes(size_t length)
{
	takes = length;
	if (there && exchange.ws) {
		weft_ws_writable(exchange.ws);
	}
}

void client_hangs_up(void)
{
	if (there) {
		there = false;
		weft_ws_gone(exchange.ws);
	}
}

size_t client_heard(void)
{
	return heard;
}

const unsigned char *client_got(size_t *length)
{
	*length = got_length;
	return got;
}

void client_end(void)
{
	promise(left_rooms == 1, "a socket leaves its rooms, and once");
	free(got);
	got = NULL;
}

void time_passes(uint64_t time)
{
	now += time;
	if (there && exchange.ws && exchange.deadline && now >= exchange.deadline) {
		weft_ws_look(exchange.ws);
	}
}

/* --- the application --- */

/* As weft_ws_job.c has it, without a request. */
void weft_ws_job_go_on(weft_ws *socket)
{
	if (!socket->method || socket->job) {
		return;
	}
	if (socket->first) {
		weft_ws_incoming *incoming = weft_ws_take_incoming(socket);

		weft_ws_addref(socket);
		socket->job = (struct weft_ws_job *) socket;
		application_took(incoming->opcode == WEFT_WS_BINARY, weft_buffer_data(&incoming->data),
			weft_buffer_length(&incoming->data));
		weft_ws_incoming_free(socket, incoming);
	} else if (socket->client_code && socket->state == WEFT_WS_OPEN) {
		weft_ws_all_done(socket);
	} else if (socket->state >= WEFT_WS_ENDING && !socket->end_told) {
		socket->end_told = true;
	}
}

static void receive(weft_ws *socket)
{
	weft_ws_incoming *incoming;

	weft_ws_addref(socket);
	socket->at_work = false;
	if (!socket->first) {
		weft_ws_all_done(socket);
	}
	incoming = weft_ws_take_incoming(socket);
	socket->at_work = incoming != NULL;
	if (incoming) {
		application_took(incoming->opcode == WEFT_WS_BINARY, weft_buffer_data(&incoming->data),
			weft_buffer_length(&incoming->data));
		weft_ws_incoming_free(socket, incoming);
	}
	weft_ws_resume(socket);
	weft_ws_release(socket);
}

void application_goes_on(weft_ws *socket)
{
	if (!socket->method) {
		receive(socket);
	} else if (socket->job) {
		socket->job = NULL;
		weft_ws_job_go_on(socket);
		weft_ws_resume(socket);
		weft_ws_release(socket);
	}
}
