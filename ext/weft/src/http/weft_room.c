/*
 * Room for newcomers. Connections have a limit, and never take all descriptors, since requests need some too. Whoever
 * comes beyond it gets the place of the connection that has been idle for longest.
 */
#include "http/weft_http_internal.h"
#include "interpose/weft_descriptors.h"

#include <fcntl.h>
#include <sys/select.h>
#include <unistd.h>

/* Of the descriptors, what connections may take, in quarters. */
#define QUARTERS 3
/* How many of the eldest connections are looked at. Those of them that have never asked for anything go first. */
#define LOOK_AT 256
/* From this number on a connection's descriptor makes way for those that an application may give to select(). */
#define LOW_NUMBERS (FD_SETSIZE / 2)

void weft_room_init(weft_http_server *server)
{
	uint32_t descriptors = weft_descriptors_limit();

	server->room = MAX(1, MIN(server->config.connections, descriptors / 4 * QUARTERS));
	server->numbers = descriptors;
}

bool weft_room_exceeded(const weft_http_server *server)
{
	return server->connection_count > server->room;
}

/* --- the list of connections: the one that has been idle for longest is the last --- */

void weft_room_enter(weft_http_connection *connection)
{
	weft_http_server *server = connection->server;

	connection->previous = NULL;
	connection->next = server->connections;
	if (connection->next) {
		connection->next->previous = connection;
	} else {
		server->connections_last = connection;
	}
	server->connections = connection;
}

void weft_room_leave(weft_http_connection *connection)
{
	weft_http_server *server = connection->server;

	if (connection->previous) {
		connection->previous->next = connection->next;
	} else {
		server->connections = connection->next;
	}
	if (connection->next) {
		connection->next->previous = connection->previous;
	} else {
		server->connections_last = connection->previous;
	}
}

/* --- who makes room --- */

static bool waits_for_client(const weft_http_connection *connection)
{
	return connection->exchange.state == WEFT_CONNECTION_HANDSHAKE ||
		connection->exchange.state == WEFT_CONNECTION_IDLE || connection->exchange.state == WEFT_CONNECTION_HEAD;
}

/* One that has never asked for anything, else the one that is idle for longest. */
static weft_http_connection *dispensable(const weft_http_server *server)
{
	weft_http_connection *longest = NULL;
	uint32_t seen = 0;

	for (weft_http_connection *c = server->connections_last; c && seen < LOOK_AT; c = c->previous) {
		if (waits_for_client(c)) {
			seen++;
			if (c->first) {
				return c;
			}
			longest = longest ? longest : c;
		}
	}
	return longest;
}

bool weft_room_make(weft_http_server *server)
{
	weft_http_connection *connection;

	/* one that has just asked for something is served instead, and waits no more */
	while ((connection = dispensable(server)) != NULL) {
		if (weft_connection_leave(connection)) {
			return true;
		}
	}
	return false;
}

int weft_room_move(const weft_http_server *server, int fd)
{
	int moved;

	if (fd < LOW_NUMBERS || fd >= FD_SETSIZE || server->numbers <= FD_SETSIZE) {
		return fd;
	}
	moved = fcntl(fd, F_DUPFD_CLOEXEC, FD_SETSIZE);
	if (moved < 0) {
		return fd;
	}
	close(fd);
	return moved;
}
