/*
 * The end of each answer, in one place: it is counted on the board and has its line in the access log.
 */
#include "http/weft_http_internal.h"
#include "domain/weft_domain.h"

static void tell(const weft_outcome *outcome)
{
	weft_http_server *server = outcome->server;

	server->handled++;
	if (server->shown) {
		weft_board_count(server->shown, outcome->status, outcome->time, outcome->cpu,
			outcome->request ? outcome->request->response.sent : 0);
		if (outcome->request && outcome->request->route[0]) {
			weft_board_count_route(server->shown, outcome->request->route, outcome->status, outcome->time);
		}
	}
	if (server->config.access_log) {
		weft_access_log_add(outcome);
	}
}

void weft_outcome_of_request(weft_http_request *request, int status)
{
	weft_outcome outcome = {.server = request->server,
		.request = request,
		.client = request->remote_address,
		.status = status};

	outcome.time = weft_now() - request->began;
	outcome.computed = request == weft_request_current();
	outcome.cpu = outcome.computed ? weft_domain_cpu_time() : 0;
	tell(&outcome);
}

void weft_outcome_of_refusal(weft_http_connection *connection, int status)
{
	weft_outcome outcome = {.server = connection->server, .client = connection->remote_address, .status = status};

	if (connection->request && connection->request->uri) {
		weft_outcome_of_request(connection->request, status);
	} else {
		tell(&outcome);
	}
}
