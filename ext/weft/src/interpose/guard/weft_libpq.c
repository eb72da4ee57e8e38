/*
 * PQgetResult(), as PHP's extensions call it. They call it until nothing is left, before most of what they do with a
 * connection and when they close it. A COPY that no function has ended is left for good: PHP computes for ever. And
 * where that wait is cancelled, nothing seems left, while an answer is on its way that the next query would get. Such a
 * connection is hung up.
 */
#include "interpose/weft_calls.h"
#include "coroutine/weft_client_call.h"

#include <dlfcn.h>

/* of libpq's states of a result */
#define PQ_COPY_OUT 3
#define PQ_COPY_IN 4
#define PQ_COPY_BOTH 8

/* It comes with the extensions. */
static struct {
	void *(*get_result)(void *connection);
	int (*result_status)(const void *result);
	int (*socket)(const void *connection);
	int (*consume_input)(void *connection);
} pq;

static void look_up(void)
{
	pq.result_status = (int (*)(const void *)) dlsym(RTLD_DEFAULT, "PQresultStatus");
	pq.socket = (int (*)(const void *)) dlsym(RTLD_DEFAULT, "PQsocket");
	pq.consume_input = (int (*)(void *)) dlsym(RTLD_DEFAULT, "PQconsumeInput");
	pq.get_result = (void *(*) (void *) ) dlsym(RTLD_DEFAULT, "PQgetResult");
}

static bool is_copy(const void *result)
{
	int status = result ? pq.result_status(result) : 0;

	return status == PQ_COPY_OUT || status == PQ_COPY_IN || status == PQ_COPY_BOTH;
}

/* The one function that gives what it gets to the application. */
static bool in_pg_get_result(void)
{
	const zend_execute_data *frame = EG(current_execute_data);

	return frame && frame->func && frame->func->common.function_name && !ZEND_USER_CODE(frame->func->type) &&
		zend_string_equals_literal(frame->func->common.function_name, "pg_get_result");
}

/* PDO's pool closes what was cut short, and tells the server which query to stop. */
static bool is_the_pools(void)
{
	return weft_client_call() && !weft_client_call_hangs_up();
}

void *weft_call_PQgetResult(void *connection)
{
	uint32_t cuts = weft_current ? weft_current->waits_cut : 0;
	void *result;
	bool cut;

	if (UNEXPECTED(!pq.get_result)) {
		look_up();
	}
	result = pq.get_result(connection);
	if (weft_thread == WEFT_THREAD_FOREIGN) {
		return result; /* no connection of PHP's */
	}
	cut = weft_current && weft_current->waits_cut != cuts && !is_the_pools();
	if (cut || (is_copy(result) && !in_pg_get_result())) {
		weft_hang_up(pq.socket(connection));
		/* so that libpq sees it */
		while (pq.consume_input(connection)) {
		}
	}
	return result;
}
