/*
 * A connection that begins with TLS, or should have, or should not have.
 */
#include "http/weft_transport.h"
#include "http/h2/weft_h2.h"
#include "reactor/weft_log.h"

void weft_handshake_await(weft_http_connection *connection)
{
	const weft_http_config *config = &connection->server->config;
	uint32_t limit = config->handshake_timeout_ms;

	if (connection->server->draining) {
		limit = MIN(limit, config->drain_ms);
	}
	weft_exchange_set_deadline(&connection->exchange, weft_just_now() + limit * WEFT_NS_PER_MS);
}

void weft_handshake_go_on(weft_http_connection *connection)
{
	switch (weft_transport_handshake(connection)) {
		case WEFT_TLS_DONE:
			connection->exchange.state = WEFT_CONNECTION_IDLE;
			weft_connection_await_start(connection);
			if (weft_transport_chose_http2(connection)) {
				weft_h2_begin(connection, NULL, 0);
			}
			break;
		case WEFT_TLS_AGAIN: connection->readable = false; break;
		case WEFT_TLS_PLAIN:
			weft_transport_drop_tls(connection);
			connection->exchange.framing->error(&connection->exchange, 400,
				"This port speaks HTTPS only: use https:// in the address.");
			break;
		default: weft_connection_close(connection);
	}
}

bool weft_handshake_misplaced(const weft_http_connection *connection, const char *data)
{
	return UNEXPECTED(data[0] == 22) && connection->exchange.state == WEFT_CONNECTION_IDLE &&
		!connection->exchange.request && !connection->tls;
}

void weft_handshake_refuse(weft_http_connection *connection)
{
	if (weft_log_is_due(&connection->server->tls_told, WEFT_NS_PER_SEC)) {
		weft_connection_local_address(connection);
		weft_log_at("info",
			"weft: %s speaks TLS (https://) to port %u, which has none: the connection is closed. --tls-cert and "
			"--tls-key give it TLS.",
			connection->remote_address, connection->local_port);
	}
	weft_connection_end(connection);
}
