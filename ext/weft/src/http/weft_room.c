/*
 * Room for newcomers. Connections have a limit, and never take all descriptors, since requests need some too. Whoever
 * comes beyond it gets the place of the connection that has been idle for longest.
 */
#include "http/weft_http_internal.h"
#include "interpose/weft_descriptors.h"
#include "reactor/weft_fd_owners.h"

#include <fcntl.h>
#include <sys/select.h>
#include <unistd.h>

/* Of the descriptors, what connections may take, in quarters. */
#define QUARTERS 3
/* Of the quarter that is left, one request may have half. All requests together may have what remains when the public
 * files that are kept open have a quarter of it (weft_file_cache.c), and the server for itself an eighth, or this. */
#define SERVERS_OWN 32
/* How many of the eldest connections are looked at. Those of them that have never asked for anything go first. */
#define LOOK_AT 256
/* From this number on a connection's descriptor makes way for those that an application may give to select(). */
#define LOW_NUMBERS (FD_SETSIZE / 2)

void weft_room_init(weft_http_server *server)
{
	uint32_t descriptors = weft_descriptors_limit();

	server->room = MAX(1, MIN(server->config.connections, descriptors / 4 * QUARTERS));
	server->numbers = descriptors;
	weft_fd_owners_limit(descriptors / 4 - descriptors / 16 - MIN(descriptors / 32, SERVERS_OWN), descriptors / 8);
}

bool weft_room_exceeded(const weft_http_server *server)
{
	return server->connection_count > server->room;
}

/* --- the lists of connections: the one that has been idle for longest is the last --- */

static void enter(weft_http_connection *connection, weft_http_connections *list)
{
	connection->list = list;
	connection->previous = NULL;
	connection->next = list->first;
	if (connection->next) {
		connection->next->previous = connection;
	} else {
		list->last = connection;
	}
	list->first = connection;
}

void weft_room_enter(weft_http_connection *connection)
{
	enter(connection, &connection->server->connections);
}

void weft_room_leave(weft_http_connection *connection)
{
	weft_http_connections *list = connection->list;

	if (connection->previous) {
		connection->previous->next = connection->next;
	} else {
		list->first = connection->next;
	}
	if (connection->next) {
		connection->next->previous = connection->previous;
	} else {
		list->last = connection->previous;
	}
}

static void visit_each(const weft_http_connections *list, void (*visit)(weft_http_connection *connection))
{
	weft_http_connection *next;

	for (weft_http_connection *connection = list->first; connection; connection = next) {
		next = connection->next;
		visit(connection);
	}
}

void weft_room_each(weft_http_server *server, void (*visit)(weft_http_connection *connection))
{
	visit_each(&server->busy, visit);
	visit_each(&server->connections, visit);
}

/* --- who makes room --- */

static bool waits_for_client(const weft_http_connection *connection)
{
	return connection->exchange.state == WEFT_CONNECTION_HANDSHAKE ||
		connection->exchange.state == WEFT_CONNECTION_IDLE || connection->exchange.state == WEFT_CONNECTION_HEAD;
}

/* One that has never asked for anything, else the one that is idle for longest. Others are put aside, until they wait
 * for their client again (weft_connection_await_request()): there may be 50,000 WebSockets. */
static weft_http_connection *dispensable(weft_http_server *server)
{
	weft_http_connection *longest = NULL, *previous;
	uint32_t seen = 0;

	for (weft_http_connection *c = server->connections.last; c && seen < LOOK_AT; c = previous) {
		previous = c->previous;
		if (!waits_for_client(c)) {
			weft_room_leave(c);
			enter(c, &server->busy);
			continue;
		}
		seen++;
		if (c->first && (previous || !longest)) {
			return c; /* but for the newcomer, which may be about to ask */
		}
		longest = longest ? longest : c;
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
