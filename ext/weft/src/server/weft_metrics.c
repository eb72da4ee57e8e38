/*
 * What the admin address answers: /metrics in Prometheus' text format (version 0.0.4), /healthz, /readyz.
 */
#include "server/weft_supervisor_internal.h"
#include "server/weft_machine.h"
#include "reactor/weft_reactor.h"

#include "zend_smart_str.h"

#include <arpa/inet.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Room for route="…",status="2xx". */
#define LABELS (WEFT_BOARD_ROUTE + 32)

typedef struct {
	uint32_t serving, draining, running, queued, connections, websockets, coroutines;
	uint32_t idle, leased, waiting;
	uint64_t resident;  /* bytes */
	uint64_t queue_age; /* of the eldest, in nanoseconds */
} now_running;

/* Whether it may take requests. Who is dead, and was not waited for, has no memory. */
static bool serves(const weft_board_entry *entry)
{
	uint64_t resident, shared;

	return weft_board_shown(entry) && !entry->draining &&
		(!weft_machine_process_memory(entry->pid, &resident, &shared) || resident > 0);
}

static bool any_serves(const weft_generation *generation)
{
	for (uint32_t i = 0; i < generation->board->count; i++) {
		if (serves(&generation->board->entries[i])) {
			return true;
		}
	}
	return false;
}

static void look_at(const weft_board_entry *entry, now_running *sum)
{
	uint64_t resident, shared, since = entry->queued_since, now = weft_now();

	if (weft_board_shown(entry)) {
		*(entry->draining ? &sum->draining : &sum->serving) += 1;
		sum->running += entry->running;
		sum->queued += entry->queued;
		sum->queue_age = MAX(sum->queue_age, since && since < now ? now - since : 0);
		sum->connections += entry->connections;
		sum->websockets += entry->websockets;
		sum->coroutines += entry->coroutines;
		sum->idle += entry->idle;
		sum->leased += entry->leased;
		sum->waiting += entry->waiting;
		if (weft_machine_process_memory(entry->pid, &resident, &shared)) {
			sum->resident += resident;
		}
	}
}

/* --- the text --- */

static void describe(smart_str *text, const char *name, const char *type, const char *help)
{
	smart_str_append_printf(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void whole(smart_str *text, const char *name, const char *type, const char *help, uint64_t value)
{
	describe(text, name, type, help);
	smart_str_append_printf(text, "%s %" PRIu64 "\n", name, value);
}

static void put_seconds(smart_str *text, uint64_t nanoseconds)
{
	smart_str_append_printf(text, "%" PRIu64 ".%09" PRIu64 "\n", nanoseconds / UINT64_C(1000000000),
		nanoseconds % UINT64_C(1000000000));
}

static void put_statuses(smart_str *text, const weft_board_tally *tally)
{
	describe(text, "weft_requests_total", "counter", "Requests answered, by the first digit of their status.");
	for (int digit = 1; digit <= 5; digit++) {
		smart_str_append_printf(text, "weft_requests_total{status=\"%dxx\"} %" PRIu64 "\n", digit,
			tally->statuses[digit]);
	}
}

/* `label` is one with a comma behind it, "" or `route="/",`; `alone` the same in braces. */
static void put_histogram(smart_str *text, const char *name, const char *label, const char *alone,
	const _Atomic uint64_t *buckets, uint64_t time)
{
	static const uint32_t bounds[] = WEFT_BOARD_BOUNDS;
	uint64_t count = 0;
	for (uint32_t i = 0; i < WEFT_BOARD_BUCKETS - 1; i++) {
		count += buckets[i];
		smart_str_append_printf(text, "%s_bucket{%sle=\"%u.%03u\"} %" PRIu64 "\n", name, label, bounds[i] / 1000,
			bounds[i] % 1000, count);
	}
	count += buckets[WEFT_BOARD_BUCKETS - 1];
	smart_str_append_printf(text, "%s_bucket{%sle=\"+Inf\"} %" PRIu64 "\n%s_sum%s ", name, label, count, name, alone);
	put_seconds(text, time);
	smart_str_append_printf(text, "%s_count%s %" PRIu64 "\n", name, alone, count);
}

static void put_durations(smart_str *text, const weft_board_tally *tally)
{
	describe(text, "weft_request_duration_seconds", "histogram",
		"From the end of a request's head to the end of its answer.");
	put_histogram(text, "weft_request_duration_seconds", "", "", tally->buckets, tally->time);
	describe(text, "weft_request_cpu_seconds_total", "counter", "CPU time that the code of requests has taken.");
	smart_str_appends(text, "weft_request_cpu_seconds_total ");
	put_seconds(text, tally->cpu);
}

static uint64_t answers(const weft_board_durations *durations)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < WEFT_BOARD_BUCKETS; i++) {
		sum += durations->buckets[i];
	}
	return sum;
}

typedef void (*put_answers)(smart_str *text, const char *labels, const weft_board_durations *durations);

static void put_route_durations(smart_str *text, const char *labels, const weft_board_durations *durations)
{
	char open[LABELS + 2], alone[LABELS + 2];
	snprintf(open, sizeof(open), "%s,", labels);
	snprintf(alone, sizeof(alone), "{%s}", labels);
	put_histogram(text, "weft_route_duration_seconds", open, alone, durations->buckets, durations->time);
}

static void put_route_requests(smart_str *text, const char *labels, const weft_board_durations *durations)
{
	smart_str_append_printf(text, "weft_route_requests_total{%s} %" PRIu64 "\n", labels, answers(durations));
}

/* Whatever a route was never answered with is left out: there are many routes. */
static void put_by_route(smart_str *text, const weft_board_route *routes, put_answers put)
{
	for (uint32_t i = 0; i < WEFT_BOARD_ROUTES; i++) {
		for (int digit = 1; digit <= 5; digit++) {
			const weft_board_durations *durations = &routes[i].by_status[digit];
			char labels[LABELS];
			if (routes[i].name[0] && answers(durations)) {
				snprintf(labels, sizeof(labels), "route=\"%s\",status=\"%dxx\"", routes[i].name, digit);
				put(text, labels, durations);
			}
		}
	}
}

static void put_routes(smart_str *text, const weft_supervisor *self)
{
	weft_board_route *routes = calloc(WEFT_BOARD_ROUTES, sizeof(*routes));
	if (routes == NULL) {
		return;
	}
	weft_board_add_routes(self->ended_routes, routes);
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		weft_board_add_all_routes(g->board, routes);
	}
	describe(text, "weft_route_duration_seconds", "histogram", "The same, of requests whose route has a name.");
	put_by_route(text, routes, put_route_durations);
	describe(text, "weft_route_requests_total", "counter", "Requests answered, by route and status.");
	put_by_route(text, routes, put_route_requests);
	free(routes);
}

static void put_restarts(smart_str *text, const weft_board_tally *tally)
{
	describe(text, "weft_worker_restarts_total", "counter", "Workers whose place another took, by what was the cause.");
	for (int cause = 0; cause < WEFT_BOARD_CAUSES; cause++) {
		smart_str_append_printf(text, "weft_worker_restarts_total{cause=\"%s\"} %" PRIu64 "\n",
			weft_board_cause_names[cause], tally->replaced[cause]);
	}
}

/* Names of extensions are letters, digits and signs that need no escape. */
static void put_blocked(smart_str *text, const weft_board_tally *tally)
{
	describe(text, "weft_extension_blocked_seconds_total", "counter",
		"Time for which calls of extensions that are never left kept a worker waiting, when longer than a time slice.");
	for (uint32_t i = 0; i < WEFT_BOARD_EXTENSIONS && tally->blocked[i].name[0]; i++) {
		smart_str_append_printf(text, "weft_extension_blocked_seconds_total{extension=\"%s\"} ",
			tally->blocked[i].name);
		put_seconds(text, tally->blocked[i].time);
	}
}

static void put_messages(smart_str *text, const weft_board_tally *tally)
{
	describe(text, "weft_websocket_messages_total", "counter", "Messages of WebSockets, by whether they came or went.");
	for (int direction = 0; direction < WEFT_BOARD_DIRECTIONS; direction++) {
		smart_str_append_printf(text, "weft_websocket_messages_total{direction=\"%s\"} %" PRIu64 "\n",
			weft_board_direction_names[direction], tally->messages[direction]);
	}
}

static void put_now(smart_str *text, const now_running *now)
{
	whole(text, "weft_requests_in_flight", "gauge", "Requests that run, those included that wait.", now->running);
	whole(text, "weft_requests_queued", "gauge", "Requests that have not begun.", now->queued);
	describe(text, "weft_request_queue_age_seconds", "gauge",
		"For how long the one of them has waited that has for longest.");
	smart_str_appends(text, "weft_request_queue_age_seconds ");
	put_seconds(text, now->queue_age);
	whole(text, "weft_connections", "gauge", "Open connections of clients.", now->connections);
	whole(text, "weft_websockets", "gauge", "Open WebSockets.", now->websockets);
	describe(text, "weft_workers", "gauge", "Worker processes, by what they do.");
	smart_str_append_printf(text, "weft_workers{state=\"serving\"} %u\nweft_workers{state=\"draining\"} %u\n",
		now->serving, now->draining);
	whole(text, "weft_coroutines", "gauge", "Coroutines that exist.", now->coroutines);
	describe(text, "weft_pool_connections", "gauge", "Connections of PDO's pools, by whether a request holds them.");
	smart_str_append_printf(text,
		"weft_pool_connections{state=\"idle\"} %u\nweft_pool_connections{state=\"leased\"} %u\n", now->idle,
		now->leased);
	whole(text, "weft_pool_waiting", "gauge", "Requests that wait for a connection of a pool.", now->waiting);
	whole(text, "weft_workers_resident_memory_bytes", "gauge",
		"Resident memory of all workers; what they share counts for each.", now->resident);
}

static void metrics(weft_supervisor *self, smart_str *text)
{
	weft_board_tally tally = {0};
	now_running now = {0};
	weft_supervisor_tally(self, &tally);
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		for (uint32_t i = 0; i < g->board->count; i++) {
			look_at(&g->board->entries[i], &now);
		}
	}
	put_statuses(text, &tally);
	put_durations(text, &tally);
	whole(text, "weft_response_body_bytes_total", "counter", "Bytes of answers' bodies.", tally.bytes);
	whole(text, "weft_requests_refused_total", "counter", "Requests refused with 503, since too many waited.",
		tally.refused);
	put_now(text, &now);
	put_messages(text, &tally);
	put_restarts(text, &tally);
	put_blocked(text, &tally);
	whole(text, "weft_request_switches_total", "counter", "Switches from one request to another.", tally.switches);
	whole(text, "weft_dirty_slots_total", "counter", "Values that such switches have exchanged.", tally.dirty);
	put_routes(text, self);
	whole(text, "weft_reloads_total", "counter", "Reloads begun.", self->reloads);
	whole(text, "weft_generations_total", "counter",
		"Zygotes started: one at the start, one for each reload, each try to learn and each zygote that died.",
		self->started);
	whole(text, "weft_start_time_seconds", "gauge", "When the server started, in seconds since 1970.",
		(uint64_t) self->since);
}

/* --- HTTP --- */

static void send_text(weft_control_client *client, const char *status, const char *type, const char *body,
	size_t length, bool only_head)
{
	smart_str answer = {0};
	smart_str_append_printf(&answer,
		"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
		"Connection: close\r\n\r\n",
		status, type, length);
	if (!only_head) {
		smart_str_appendl(&answer, body, length);
	}
	weft_control_send(client, ZSTR_VAL(answer.s), ZSTR_LEN(answer.s));
	smart_str_free(&answer);
}

static void send_line(weft_control_client *client, const char *status, const char *line, bool only_head)
{
	send_text(client, status, "text/plain; charset=utf-8", line, strlen(line), only_head);
}

static void send_metrics(weft_supervisor *self, weft_control_client *client, bool only_head)
{
	smart_str text = {0};
	metrics(self, &text);
	send_text(client, "200 OK", "text/plain; version=0.0.4; charset=utf-8", ZSTR_VAL(text.s), ZSTR_LEN(text.s),
		only_head);
	smart_str_free(&text);
}

/* "GET /metrics HTTP/1.1" is for this path. */
static bool is_for(const char *target, const char *path)
{
	size_t length = strlen(path);
	return strncmp(target, path, length) == 0 && (target[length] == ' ' || target[length] == '?');
}

static void send_readiness(const weft_supervisor *self, weft_control_client *client, bool only_head)
{
	const weft_generation *generation = weft_supervisor_serving(self);
	bool ready = self->phase == WEFT_PHASE_SERVING && generation != NULL && any_serves(generation);
	send_line(client, ready ? "200 OK" : "503 Service Unavailable", ready ? "ready\n" : "not ready\n", only_head);
}

/* A page in a browser can ask for any name, and have a name of its own lead here (DNS rebinding): then it could read
 * the answer. So the name that was asked for must be one that nobody else gives out. */
static bool is_our_name(const weft_supervisor *self, const char *name)
{
	char machine[HOST_NAME_MAX + 1] = "";
	gethostname(machine, sizeof(machine) - 1);
	return strcasecmp(name, "localhost") == 0 || (machine[0] != '\0' && strcasecmp(name, machine) == 0) ||
		(self->options->admin_name != NULL && strcasecmp(name, self->options->admin_name) == 0);
}

static bool is_for_us(const weft_supervisor *self, const weft_control_client *client)
{
	unsigned char address[sizeof(struct in6_addr)];
	char name[WEFT_CONTROL_LINE];
	bool in_brackets = client->host[0] == '[';
	const char *begin = client->host + in_brackets, *end = begin + strcspn(begin, in_brackets ? "]" : ":");
	if (client->host[0] == '\0') {
		return true; /* HTTP/1.0, as load balancers speak it: browsers name a host */
	}
	snprintf(name, sizeof(name), "%.*s", (int) (end - begin), begin);
	if (client->hosts_differ || (in_brackets && *end == '\0')) {
		return false;
	}
	return inet_pton(in_brackets ? AF_INET6 : AF_INET, name, address) == 1 || (!in_brackets && is_our_name(self, name));
}

void weft_metrics_asked(void *arg, weft_control_client *client, const char *request)
{
	weft_supervisor *self = arg;
	bool only_head = strncmp(request, "HEAD ", 5) == 0;
	const char *target = strchr(request, ' ');
	if (target == NULL || strstr(target, " HTTP/1.") == NULL) {
		send_line(client, "400 Bad Request", "This is no request of HTTP/1.1.\n", false);
		return;
	}
	target++;
	if (!is_for_us(self, client)) {
		send_line(client, "421 Misdirected Request",
			"The admin address answers to IP addresses, to localhost, to the name of this machine and to that in\n"
			"--admin. Use one of them, or start the server with --admin=NAME:PORT.\n",
			only_head);
	} else if (!only_head && strncmp(request, "GET ", 4) != 0) {
		send_line(client, "405 Method Not Allowed", "Only GET and HEAD are answered here.\n", false);
	} else if (is_for(target, "/metrics")) {
		send_metrics(self, client, only_head);
	} else if (is_for(target, "/healthz")) {
		send_line(client, "200 OK", "ok\n", only_head);
	} else if (is_for(target, "/readyz")) {
		send_readiness(self, client, only_head);
	} else {
		send_line(client, "404 Not Found", "There are /metrics, /healthz and /readyz.\n", only_head);
	}
}
