/*
 * Until when a connection waits for its client, in each of its states, and what becomes of it when that time is over.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sending.h"

#include <sys/socket.h>

/* The timer is only moved when it would fire too late: most requests are over long before, and a heap operation
 * per request costs more than a timer that wakes for nothing now and then. */
void weft_connection_set_deadline(weft_http_connection *connection, uint64_t deadline)
{
	connection->deadline = deadline;
	if (deadline && (!weft_timer_armed(&connection->timer) || connection->timer.deadline > deadline)) {
		weft_timer_arm(&connection->timer, deadline);
	}
}

void weft_connection_set_timeout(weft_http_connection *connection, uint32_t milliseconds)
{
	weft_connection_set_deadline(connection, weft_now() + milliseconds * WEFT_NS_PER_MS);
}

/* A body has to go on, and at a rate that is not an attacker's. */
void weft_connection_await_body(weft_http_connection *connection)
{
	const weft_http_config *config = &connection->server->config;
	const weft_http_request *request = connection->request;
	uint64_t silent = weft_now() + config->body_timeout_ms * WEFT_NS_PER_MS;
	uint64_t slow = weft_progress_deadline(request->began, config->body_timeout_ms, request->parser.received,
		config->min_rate);

	connection->too_slow = slow < silent;
	weft_connection_set_deadline(connection, MIN(silent, slow));
}

/* It doesn't take what it asked for. A reset frees what the kernel holds for it, and can't be mistaken for an end. */
static void connection_give_up(weft_http_connection *connection)
{
	struct linger at_once = {.l_onoff = 1, .l_linger = 0};

	setsockopt(connection->watch.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	weft_connection_close(connection);
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
	weft_connection_set_deadline(connection, weft_just_now() + limit * WEFT_NS_PER_MS);
}

static void timed_out(weft_http_connection *connection)
{
	const weft_http_config *config = &connection->server->config;
	char message[128];

	if (weft_connection_unsent(connection)) {
		if (weft_progress_look(connection)) {
			weft_connection_set_deadline(connection, weft_progress_next_look(connection));
		} else {
			connection_give_up(connection);
		}
		return;
	}
	switch (connection->state) {
		case WEFT_CONNECTION_HEAD:
			snprintf(message, sizeof(message),
				"The request's head took longer than %u ms (weft.http_header_timeout_ms).", config->header_timeout_ms);
			weft_framing_error(connection, 408, message);
			break;
		case WEFT_CONNECTION_BODY:
			if (connection->too_slow) {
				snprintf(message, sizeof(message),
					"The request's body comes at less than %u bytes a second (weft.http_min_rate).", config->min_rate);
			} else {
				snprintf(message, sizeof(message),
					"Nothing of the request's body came for %u ms (weft.http_body_timeout_ms).",
					config->body_timeout_ms);
			}
			weft_framing_error(connection, 408, message);
			break;
		case WEFT_CONNECTION_QUEUED:
		case WEFT_CONNECTION_RUNNING: break; /* the answer may take as long as it takes */
		case WEFT_CONNECTION_LINGER:
			/* whoever has not got all of the answer yet would lose the rest by a reset */
			if (!connection->server->draining && weft_progress_kept(connection) > 0 && weft_progress_look(connection)) {
				weft_connection_set_deadline(connection, weft_progress_next_look(connection));
				break;
			}
			weft_connection_close(connection);
			break;
		default: weft_connection_close(connection);
	}
}

void weft_connection_timer_fired(weft_timer *timer)
{
	weft_http_connection *connection = (weft_http_connection *) ((char *) timer -
		XtOffsetOf(weft_http_connection, timer));

	weft_connection_reap(connection->server);
	if (!connection->deadline) {
		return;
	}
	if (weft_now() < connection->deadline) {
		weft_timer_arm(timer, connection->deadline);
		return;
	}
	connection->deadline = 0;
	timed_out(connection);
}
