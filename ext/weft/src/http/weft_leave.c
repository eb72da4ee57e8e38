/*
 * Connections when their worker stops to serve: each is left when it has nothing to ask for any more.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sending.h"
#include "http/h2/weft_h2.h"
#include "http/ws/weft_ws.h"

bool weft_connection_leave(weft_http_connection *connection)
{
	connection->readable = true; /* a request may have arrived that nobody has told us of yet */
	weft_connection_read_on(connection);
	if (connection->exchange.state == WEFT_CONNECTION_IDLE || connection->exchange.state == WEFT_CONNECTION_HEAD ||
		connection->exchange.state == WEFT_CONNECTION_HANDSHAKE) {
		if (connection->h2) {
			weft_h2_say_goodbye(connection);
		}
		weft_connection_close(connection);
	}
	return connection->exchange.state == WEFT_CONNECTION_CLOSED;
}

/* A client sends the next request right after an answer or not soon: only the first is waited for. */
void weft_connection_drain(weft_http_connection *connection)
{
	uint64_t now = weft_now(), since = connection->first ? now : connection->idle_since;
	uint64_t deadline = since + connection->server->config.drain_ms * WEFT_NS_PER_MS;

	if (connection->exchange.state == WEFT_CONNECTION_HANDSHAKE) {
		weft_exchange_set_deadline(&connection->exchange, MIN(deadline, connection->exchange.deadline));
		return;
	}
	if (connection->h2) {
		weft_h2_drain(connection);
	}
	if (connection->exchange.ws) {
		weft_ws_drain(connection->exchange.ws);
	}
	if (connection->exchange.state != WEFT_CONNECTION_IDLE || weft_exchange_unsent(&connection->exchange)) {
		return;
	}
	/* a request that has arrived already, unnoticed, is answered however long it was awaited */
	connection->readable = true;
	weft_connection_read_on(connection);
	if (connection->exchange.state != WEFT_CONNECTION_IDLE) {
		return;
	}
	if (deadline <= now) {
		weft_connection_close(connection);
	} else if (deadline < connection->exchange.deadline) {
		weft_exchange_set_deadline(&connection->exchange, deadline);
	}
}
