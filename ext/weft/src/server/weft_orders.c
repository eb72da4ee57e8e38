/*
 * The requests of the control socket: status, dump, reload, stop, restart. Each is a word; the table below has them.
 */
#include "server/weft_supervisor_internal.h"
#include "server/weft_machine.h"

#include "ext/json/php_json.h"
#include "zend_smart_str.h"

#include <signal.h>
#include <string.h>

/* The server's end is the end of the connection. */
static const char will_end[] = "{\"ok\":true}";

static void answer(weft_control_client *client, zval *value)
{
	smart_str json = {0};
	php_json_encode(&json, value, PHP_JSON_INVALID_UTF8_SUBSTITUTE | PHP_JSON_UNESCAPED_SLASHES);
	smart_str_0(&json);
	weft_control_answer(client, json.s != NULL ? ZSTR_VAL(json.s) : "{}", json.s != NULL ? ZSTR_LEN(json.s) : 2);
	smart_str_free(&json);
	zval_ptr_dtor(value);
}

static void refuse(weft_control_client *client, const char *why)
{
	zval value;
	array_init(&value);
	add_assoc_bool(&value, "ok", false);
	add_assoc_string(&value, "error", why);
	answer(client, &value);
}

/* --- status --- */

static const char *state_of(const weft_supervisor *self)
{
	if (self->phase != WEFT_PHASE_SERVING) {
		return "stopping";
	}
	if (!self->announced) {
		return "booting";
	}
	return weft_supervisor_booting(self) != NULL ? "reloading" : "serving";
}

static const char *state_of_worker(const weft_board_entry *entry)
{
	if (weft_board_is_stuck(entry)) {
		return "stuck";
	}
	return entry->draining ? "draining" : "serving";
}

static void add_worker(zval *list, const weft_generation *generation, const weft_board_entry *entry)
{
	uint64_t resident, shared;
	zval value;
	array_init(&value);
	add_assoc_long(&value, "pid", entry->pid);
	add_assoc_long(&value, "generation", generation->number);
	add_assoc_string(&value, "state", state_of_worker(entry));
	add_assoc_long(&value, "since", entry->since);
	add_assoc_long(&value, "in_flight", entry->running);
	add_assoc_long(&value, "queued", entry->queued);
	add_assoc_long(&value, "connections", entry->connections);
	add_assoc_long(&value, "websockets", entry->websockets);
	add_assoc_long(&value, "requests", (zend_long) entry->handled);
	if (weft_machine_process_memory(entry->pid, &resident, &shared)) {
		add_assoc_long(&value, "memory", (zend_long) (resident - shared));
	}
	add_next_index_zval(list, &value);
}

static void add_workers(zval *status, const weft_supervisor *self)
{
	zval list;
	array_init(&list);
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		for (uint32_t i = 0; i < g->board->count; i++) {
			if (weft_board_shown(&g->board->entries[i])) {
				add_worker(&list, g, &g->board->entries[i]);
			}
		}
	}
	add_assoc_zval(status, "workers", &list);
}

/* Of PDO's connections, now. */
static void add_pools(zval *status, const weft_supervisor *self)
{
	uint32_t idle = 0, leased = 0, waiting = 0;
	zval pools;
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		for (uint32_t i = 0; i < g->board->count; i++) {
			const weft_board_entry *entry = &g->board->entries[i];
			if (weft_board_shown(entry)) {
				idle += entry->idle;
				leased += entry->leased;
				waiting += entry->waiting;
			}
		}
	}
	array_init(&pools);
	add_assoc_long(&pools, "idle", idle);
	add_assoc_long(&pools, "leased", leased);
	add_assoc_long(&pools, "waiting", waiting);
	add_assoc_zval(status, "pools", &pools);
}

/* Since the server's start. The bounds of what durations are counted in are in milliseconds. */
static void add_totals(zval *status, const weft_supervisor *self)
{
	static const uint32_t bounds[] = WEFT_BOARD_BOUNDS;
	weft_board_tally tally = {0};
	zval totals, durations, restarts;
	uint64_t answered = 0;
	weft_supervisor_tally(self, &tally);
	array_init(&totals);
	array_init(&durations);
	array_init(&restarts);
	for (uint32_t i = 0; i < WEFT_BOARD_BUCKETS; i++) {
		zval bucket;
		array_init(&bucket);
		if (i < WEFT_BOARD_BUCKETS - 1) {
			add_assoc_long(&bucket, "up_to_ms", bounds[i]);
		}
		add_assoc_long(&bucket, "requests", (zend_long) tally.buckets[i]);
		add_next_index_zval(&durations, &bucket);
		answered += tally.buckets[i];
	}
	for (int cause = 0; cause < WEFT_BOARD_CAUSES; cause++) {
		add_assoc_long(&restarts, weft_board_cause_names[cause], (zend_long) tally.replaced[cause]);
	}
	add_assoc_long(&totals, "requests", (zend_long) answered);
	add_assoc_long(&totals, "server_errors", (zend_long) tally.statuses[5]);
	add_assoc_long(&totals, "refused", (zend_long) tally.refused);
	add_assoc_double(&totals, "cpu_seconds", (double) tally.cpu / 1e9);
	add_assoc_zval(&totals, "durations", &durations);
	add_assoc_zval(&totals, "worker_restarts", &restarts);
	add_assoc_zval(status, "totals", &totals);
}

static void add_generation(zval *status, const weft_generation *generation)
{
	zval about;
	add_assoc_long(status, "generation", generation->number);
	add_assoc_long(status, "zygote", generation->leader_ended ? 0 : generation->pid);
	add_assoc_string(status, "release", generation->release);
	if (php_json_decode_ex(&about, generation->about, strlen(generation->about), PHP_JSON_OBJECT_AS_ARRAY,
			PHP_JSON_PARSER_DEFAULT_DEPTH) == SUCCESS) {
		add_assoc_zval(status, "about", &about);
	}
}

static void status(weft_supervisor *self, weft_control_client *client)
{
	const weft_listeners *listeners = &self->options->generations.listeners;
	const weft_generation *generation = weft_supervisor_serving(self);
	const char *path = self->options->generations.application;
	zval value, addresses, tls;
	array_init(&value);
	array_init(&addresses);
	array_init(&tls);
	for (uint32_t i = 0; i < listeners->count; i++) {
		add_next_index_str(&addresses, weft_listen_address(listeners->fds[i]));
		if (listeners->ports[i] == WEFT_PORT_TLS) {
			add_next_index_str(&tls, weft_listen_address(listeners->fds[i]));
		}
	}
	add_assoc_bool(&value, "ok", true);
	add_assoc_string(&value, "state", state_of(self));
	add_assoc_long(&value, "pid", getpid());
	add_assoc_long(&value, "since", self->since);
	add_assoc_zval(&value, "addresses", &addresses);
	add_assoc_zval(&value, "tls", &tls);
	add_assoc_string(&value, "application", path != NULL ? path : "");
	add_assoc_long(&value, "reloads", self->reloads);
	add_assoc_long(&value, "in_flight", weft_supervisor_running(self));
	if (generation != NULL) {
		add_generation(&value, generation);
	}
	add_pools(&value, self);
	add_totals(&value, self);
	add_workers(&value, self);
	answer(client, &value);
}

static void running(weft_supervisor *self, weft_control_client *client)
{
	weft_views_ask(self, client, false);
}

static void dump(weft_supervisor *self, weft_control_client *client)
{
	weft_views_ask(self, client, true);
}

/* --- what changes something --- */

static bool refuses_while_stopping(const weft_supervisor *self, weft_control_client *client)
{
	if (self->phase != WEFT_PHASE_SERVING) {
		refuse(client, "The server is stopping.");
	}
	return self->phase != WEFT_PHASE_SERVING;
}

static void reload(weft_supervisor *self, weft_control_client *client)
{
	if (!refuses_while_stopping(self, client)) {
		self->reload_asked = true;
		weft_control_wait(client, self->reloads + 1);
	}
}

static void stop(weft_supervisor *self, weft_control_client *client)
{
	weft_control_keep(client, will_end, sizeof(will_end) - 1);
	if (weft_supervisor_may_stop(self)) {
		weft_supervisor_drain(self, self->options->grace_ms);
	}
}

static void stop_now(weft_supervisor *self, weft_control_client *client)
{
	weft_control_keep(client, will_end, sizeof(will_end) - 1);
	weft_supervisor_end(self, 128 + SIGTERM);
}

static void restart(weft_supervisor *self, weft_control_client *client)
{
	if (!refuses_while_stopping(self, client)) {
		weft_control_keep(client, will_end, sizeof(will_end) - 1);
		weft_supervisor_restart(self);
	}
}

static const struct {
	const char *request;
	void (*handle)(weft_supervisor *self, weft_control_client *client);
} orders[] = {
	{"status", status},
	{"running", running},
	{"dump", dump},
	{"reload", reload},
	{"stop", stop},
	{"stop now", stop_now},
	{"restart", restart},
};

void weft_orders_asked(void *arg, weft_control_client *client, const char *request)
{
	char known[WEFT_CONTROL_LINE] = "Known requests are";
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (strcmp(request, orders[i].request) == 0) {
			orders[i].handle(arg, client);
			return;
		}
		size_t length = strlen(known);
		snprintf(known + length, sizeof(known) - length, "%s \"%s\"", i > 0 ? "," : "", orders[i].request);
	}
	refuse(client, known);
}

/* --- who waits --- */

void weft_orders_reloaded(weft_supervisor *self, const char *why)
{
	const weft_generation *generation = weft_supervisor_serving(self);
	weft_control_client *client;
	while ((client = weft_control_waiting(self->control, 1, self->reloads)) != NULL) {
		if (why != NULL || generation == NULL) {
			refuse(client, why != NULL ? why : "The new workers have ended.");
			continue;
		}
		zval value;
		array_init(&value);
		add_assoc_bool(&value, "ok", true);
		add_assoc_long(&value, "generation", generation->number);
		add_assoc_string(&value, "release", generation->release);
		answer(client, &value);
	}
}

void weft_orders_stopping(weft_supervisor *self)
{
	weft_control_client *client;
	while ((client = weft_control_waiting(self->control, 1, UINT32_MAX)) != NULL) {
		refuse(client, "The server is stopping.");
	}
}
