/*
 * A name for each request, for the logs: the one that a proxy has given it in X-Request-Id, so that both tell of it by
 * the same name, or one of our own. Made when somebody asks for it.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "http/weft_http_internal.h"
#include "reactor/weft_log.h"

#include <ctype.h>
#include <pthread.h>
#include <sys/random.h>
#include <unistd.h>

/* A log's reader must be able to search for it, and it must be no more than a name there. */
static bool is_fit(const char *id, size_t length)
{
	if (length == 0 || length > WEFT_REQUEST_ID_LONGEST) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		if (!isalnum((unsigned char) id[i]) && !strchr("-_.:+/=@", id[i])) {
			return false;
		}
	}
	return true;
}

static bool take_clients(weft_http_request *request)
{
	int64_t index = weft_request_find_header(request, "x-request-id", 0);
	const weft_parser_header *header = index < 0 ? NULL : &request->parser.headers[index];

	if (!header || !is_fit(request->head + header->value, header->value_length)) {
		return false;
	}
	memcpy(request->id, request->head + header->value, header->value_length);
	request->id[header->value_length] = '\0';
	return true;
}

/* Chance has put this process somewhere; a child of it goes elsewhere. */
static bool has_number;

static void forget_number(void)
{
	has_number = false;
}

/* SplitMix64: one step for each request. */
static uint64_t next_number(void)
{
	static uint64_t state;
	uint64_t mixed;

	if (UNEXPECTED(!has_number)) {
		has_number = true;
		if (getrandom(&state, sizeof(state), GRND_NONBLOCK) != sizeof(state)) {
			state = weft_now() ^ ((uint64_t) getpid() << 32);
		}
	}
	mixed = state += UINT64_C(0x9e3779b97f4a7c15);
	mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ (mixed >> 31);
}

const char *weft_request_id(weft_http_request *request)
{
	static const char digits[] = "0123456789abcdef";

	if (!request->id[0] && !take_clients(request)) {
		uint64_t number = next_number();

		for (int i = 0; i < 16; i++, number >>= 4) {
			request->id[i] = digits[number & 15];
		}
		request->id[16] = '\0';
	}
	return request->id;
}

/* Other threads log as well; the request is the first one's. What the server itself does is no request's, though the
 * values of one are in place. */
static const char *id_of_running(void)
{
	weft_http_request *request = gettid() == getpid() && !weft_reacting ? weft_request_current() : NULL;

	return request ? weft_request_id(request) : NULL;
}

void weft_request_id_minit(void)
{
	weft_log_request_id = id_of_running;
	pthread_atfork(NULL, NULL, forget_number);
}
