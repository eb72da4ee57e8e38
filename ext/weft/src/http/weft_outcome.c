/*
 * The end of each answer, in one place: it is counted on the board and has its line in the access log, and one in the
 * error log when it was slow.
 */
#include "http/weft_http_internal.h"
#include "domain/weft_domain.h"
#include "reactor/weft_log.h"

/* Of a path, bytes that are told. */
#define LONGEST_PATH 512

static double ms(uint64_t nanoseconds)
{
	return (double) nanoseconds / (double) WEFT_NS_PER_MS;
}

static bool is_slow(const weft_outcome *outcome)
{
	uint64_t slow = outcome->server->config.slow_ms * WEFT_NS_PER_MS;

	return slow > 0 && outcome->time >= slow;
}

static void warn_of_slow(const weft_outcome *outcome)
{
	weft_http_request *request = outcome->request;
	const char *id = request ? weft_request_id(request) : NULL;
	const char *method = request ? weft_request_shown_method(request) : "-", *path = request ? request->uri : "-";
	int length = (int) MIN(strcspn(path, "?"), LONGEST_PATH);

	if (!outcome->ran) {
		weft_log_of(id, "warning",
			"weft: slow: %s %.*s took %.1f ms (--slow) and was answered with %d without being run", method, length,
			path, ms(outcome->time), outcome->status);
		return;
	}
	weft_log_of(id, "warning",
		"weft: slow: %s %.*s%s%s took %.1f ms (--slow) until %d was answered: %.1f ms before it began, %.1f ms of CPU, "
		"%.1f ms waiting; queries: %u, which took %.1f ms",
		method, length, path, request->route[0] ? ", route " : "", request->route, ms(outcome->time), outcome->status,
		ms(outcome->queued), ms(outcome->cpu), ms(outcome->waited), outcome->queries.count, ms(outcome->queries.time));
}

/* NULL: it is none that a made-up visitor could ask for as well. */
static const char *path_to_remember(const weft_outcome *outcome)
{
	const weft_http_request *request = outcome->request;
	bool asked_plainly = outcome->ran && outcome->status == 200 && !request->query_copy && !request->ws;

	return asked_plainly && strcmp(weft_parser_method(&request->parser), "GET") == 0 ? request->uri : NULL;
}

static void count(const weft_outcome *outcome)
{
	weft_http_server *server = outcome->server;

	server->handled++;
	if (server->shown) {
		weft_board_count(server->shown, outcome->status, outcome->time, outcome->cpu,
			outcome->request ? outcome->request->response.sent : 0);
		if (outcome->request && outcome->request->route[0]) {
			weft_board_count_route(server->shown, outcome->request->route, outcome->status, outcome->time, outcome->cpu,
				path_to_remember(outcome));
		}
	}
	if (server->config.access_log) {
		weft_access_log_add(outcome);
	}
}

static void tell(const weft_outcome *outcome)
{
	bool is_message = outcome->request && outcome->request->job; /* of a WebSocket: no request of a client */

	if (EXPECTED(!is_message)) {
		count(outcome);
	}
	if (UNEXPECTED(is_slow(outcome))) {
		warn_of_slow(outcome);
	}
}

/* Where its time went, by clocks that were read anyway. */
static void take_apart(weft_outcome *outcome, const weft_domain *domain, uint64_t now)
{
	const weft_http_request *request = outcome->request;

	outcome->ran = true;
	outcome->queued = request->memory.counted ? request->memory.since - request->began : outcome->time;
	outcome->cpu = weft_domain_cpu_time_of(domain, now);
	outcome->waited = outcome->time - MIN(outcome->time, outcome->queued + outcome->cpu);
	outcome->queries = weft_domain_queries_of(domain);
}

void weft_outcome_of_request(weft_http_request *request, int status)
{
	weft_outcome outcome = {.server = request->server,
		.request = request,
		.client = request->remote_address,
		.status = status};
	uint64_t now = weft_now_noted();

	outcome.time = now - request->began;
	if (request->ran && request->coroutine && request->coroutine->domain) {
		take_apart(&outcome, request->coroutine->domain, now);
	}
	tell(&outcome);
}

void weft_outcome_of_refusal(weft_http_exchange *exchange, int status)
{
	weft_outcome outcome = {.server = exchange->server,
		.client = exchange->connection->remote_address,
		.status = status};

	if (exchange->request && exchange->request->uri) {
		weft_request_take_client(exchange->request); /* nobody may have needed it yet */
		weft_outcome_of_request(exchange->request, status);
	} else {
		tell(&outcome);
	}
}
