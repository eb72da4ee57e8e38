/*
 * Turns. The socket of a client that sends as fast as we read is never empty, that of one who reads as fast as we send
 * never full, and whoever goes on until it is serves nobody else. So a connection has its share and stands in line; in
 * each round of the reactor, behind those who have become ready meanwhile, the first of the line have their next turn.
 */
#include "http/weft_http_internal.h"

/* Connections that have a turn in one round: with the share of each, a millisecond or so. */
#define TURNS_A_ROUND 4

static void turns_begin(weft_round *round)
{
	weft_http_server *server = (weft_http_server *) ((char *) round - offsetof(weft_http_server, turns.round));

	const weft_http_connection *again = NULL; /* the first that has had its turn and stands in line for the next */

	weft_connection_reap(server);
	for (uint32_t i = 0; i < TURNS_A_ROUND && server->turns.first && server->turns.first != again; i++) {
		weft_http_connection *connection = server->turns.first;

		weft_turns_leave(connection);
		weft_connection_take_turn(connection);
		if (!again && connection->turn) {
			again = connection;
		}
	}
	if (server->turns.first) {
		weft_round_await(round);
	}
}

void weft_turns_init(weft_http_server *server)
{
	server->turns.round.fire = turns_begin;
	server->turns.end = &server->turns.first;
}

void weft_turns_enter(weft_http_connection *connection)
{
	weft_http_turns *turns = &connection->server->turns;

	if (connection->turn) {
		return;
	}
	connection->next_turn = NULL;
	connection->turn = turns->end;
	*turns->end = connection;
	turns->end = &connection->next_turn;
	weft_round_await(&turns->round);
}

void weft_turns_leave(weft_http_connection *connection)
{
	weft_http_turns *turns = &connection->server->turns;

	if (!connection->turn) {
		return;
	}
	*connection->turn = connection->next_turn;
	if (connection->next_turn) {
		connection->next_turn->turn = connection->turn;
	} else {
		turns->end = connection->turn;
	}
	connection->turn = NULL;
}
