/*
 * Until when a connection waits for its client, in each of its states, and what becomes of it when that time is over.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sending.h"
#include "http/ws/weft_ws.h"

/* The timer is only moved when it would fire too late: most requests are over long before, and a heap operation
 * per request costs more than a timer that wakes for nothing now and then. */
void weft_exchange_set_deadline(weft_http_exchange *exchange, uint64_t deadline)
{
	exchange->deadline = deadline;
	if (deadline && (!weft_timer_armed(&exchange->timer) || exchange->timer.deadline > deadline)) {
		weft_timer_arm(&exchange->timer, deadline);
	}
}

void weft_exchange_set_timeout(weft_http_exchange *exchange, uint32_t milliseconds)
{
	weft_exchange_set_deadline(exchange, weft_now() + milliseconds * WEFT_NS_PER_MS);
}

/* A body has to go on, and at a rate that is not an attacker's. */
void weft_exchange_await_body(weft_http_exchange *exchange)
{
	const weft_http_config *config = &exchange->server->config;
	const weft_http_request *request = exchange->request;
	uint64_t silent = weft_now() + config->body_timeout_ms * WEFT_NS_PER_MS;
	uint64_t slow = weft_progress_deadline(request->began, config->body_timeout_ms, request->parser.received,
		config->min_rate);

	exchange->too_slow = slow < silent;
	weft_exchange_set_deadline(exchange, MIN(silent, slow));
}

/* It has no request: how long until it must have one. */
void weft_connection_await_start(weft_http_connection *connection)
{
	const weft_http_server *server = connection->server;
	uint32_t limit = server->config.idle_timeout_ms;

	if (connection->first) {
		/* a client that connects and says nothing gets no longer than one that dawdles over its head */
		limit = MIN(limit, server->config.header_timeout_ms);
	}
	if (server->draining) {
		limit = MIN(limit, server->config.drain_ms);
	}
	/* after an answer or its last bytes, or as a connection has come: the clock was looked at then */
	weft_exchange_set_deadline(&connection->exchange, weft_just_now() + limit * WEFT_NS_PER_MS);
}

static void timed_out(weft_http_exchange *exchange)
{
	const weft_http_config *config = &exchange->server->config;
	char message[128];

	if (UNEXPECTED(exchange->ws != NULL)) {
		weft_ws_look(exchange->ws);
		return;
	}
	if (weft_exchange_unsent(exchange)) {
		if (weft_progress_look(exchange)) {
			weft_exchange_set_deadline(exchange, weft_progress_next_look(exchange));
		} else {
			exchange->framing->give_up(exchange);
		}
		return;
	}
	switch (exchange->state) {
		case WEFT_CONNECTION_HEAD:
			snprintf(message, sizeof(message),
				"The request's head took longer than %u ms (weft.http_header_timeout_ms).", config->header_timeout_ms);
			exchange->framing->error(exchange, 408, message);
			break;
		case WEFT_CONNECTION_BODY:
			if (exchange->too_slow) {
				snprintf(message, sizeof(message),
					"The request's body comes at less than %u bytes a second (weft.http_min_rate).", config->min_rate);
			} else {
				snprintf(message, sizeof(message),
					"Nothing of the request's body came for %u ms (weft.http_body_timeout_ms).",
					config->body_timeout_ms);
			}
			exchange->framing->error(exchange, 408, message);
			break;
		case WEFT_CONNECTION_QUEUED:
		case WEFT_CONNECTION_RUNNING: break; /* the answer may take as long as it takes */
		case WEFT_CONNECTION_LINGER:
			/* whoever has not got all of the answer yet would lose the rest by a reset */
			if (!exchange->server->draining && weft_progress_kept(exchange->connection) > 0 &&
				weft_progress_look(exchange)) {
				weft_exchange_set_deadline(exchange, weft_progress_next_look(exchange));
				break;
			}
			exchange->framing->give_up(exchange);
			break;
		default: exchange->framing->give_up(exchange);
	}
}

void weft_exchange_timer_fired(weft_timer *timer)
{
	weft_http_exchange *exchange = (weft_http_exchange *) ((char *) timer - offsetof(weft_http_exchange, timer));

	weft_connection_reap(exchange->server);
	if (!exchange->deadline) {
		return;
	}
	if (weft_now() < exchange->deadline) {
		weft_timer_arm(timer, exchange->deadline);
		return;
	}
	exchange->deadline = 0;
	timed_out(exchange);
}
