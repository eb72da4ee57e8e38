/*
 * What the workers run, for `weft dump` and `weft top`. They write it on the board when they next come back to their
 * loop; of who does not, the board has the requests.
 */
#include "server/weft_supervisor_internal.h"
#include "reactor/weft_log.h"

#include "zend_smart_str.h"

#include <string.h>

/* No reload gets so far. */
#define TICKET UINT32_MAX
/* For a worker to describe what it runs: it looks four times a second whether it is to. */
#define PATIENCE_MS 1500
#define LOOK_MS 20
/* Of the answer; what the workers beyond it run is left out. */
#define LONGEST (32 << 20)

void weft_views_ask(weft_supervisor *self, weft_control_client *client, bool frames)
{
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		for (uint32_t i = 0; i < g->board->count; i++) {
			if (weft_board_shown(&g->board->entries[i])) {
				weft_board_ask_view(&g->board->entries[i], frames);
			}
		}
	}
	self->views_until = self->views_until ? self->views_until : weft_process_now() + PATIENCE_MS;
	weft_control_wait(client, TICKET);
}

uint64_t weft_views_deadline(const weft_supervisor *self)
{
	return self->views_until ? weft_process_now() + LOOK_MS : 0;
}

static bool all_have_answered(const weft_supervisor *self)
{
	size_t length;

	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		for (uint32_t i = 0; i < g->board->count; i++) {
			weft_board_entry *entry = &g->board->entries[i];
			if (weft_board_shown(entry) && !weft_board_view_answer(entry, &length)) {
				return false;
			}
		}
	}
	return true;
}

/* --- the answer --- */

static void put_json_text(smart_str *json, const char *name, const char *text)
{
	char escaped[256 * WEFT_LOG_JSON_LONGEST];

	smart_str_append_printf(json, ",\"%s\":\"", name);
	smart_str_appendl(json, escaped, weft_log_json(escaped, text, strnlen(text, 256)));
	smart_str_appendc(json, '"');
}

static void put_shown_requests(smart_str *json, const weft_board_entry *entry)
{
	uint64_t now = weft_process_now();
	weft_board_request request;
	uint32_t next = 0;
	bool first = true;

	while (weft_board_next_request(entry, &next, &request)) {
		uint64_t began = request.began / 1000000;
		smart_str_append_printf(json, "%s{\"age_ms\":%" PRIu64, first ? "" : ",", now > began ? now - began : 0);
		put_json_text(json, "request", request.id);
		put_json_text(json, "method", request.method);
		put_json_text(json, "path", request.path);
		smart_str_appendc(json, '}');
		first = false;
	}
}

static void put_worker(smart_str *json, weft_board_entry *entry)
{
	size_t length;
	const char *view = weft_board_view_answer(entry, &length);

	smart_str_append_printf(json, "{\"pid\":%d,\"answers\":%s,\"running\":", entry->pid, view ? "true" : "false");
	if (view && smart_str_get_len(json) + length < LONGEST) {
		smart_str_appendl(json, view, length);
	} else {
		smart_str_appendc(json, '[');
		put_shown_requests(json, entry);
		smart_str_appendc(json, ']');
	}
	smart_str_appendc(json, '}');
}

static void compose(const weft_supervisor *self, smart_str *json)
{
	bool first = true;

	smart_str_appends(json, "{\"ok\":true,\"workers\":[");
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		for (uint32_t i = 0; i < g->board->count; i++) {
			weft_board_entry *entry = &g->board->entries[i];
			if (weft_board_shown(entry)) {
				smart_str_appends(json, first ? "" : ",");
				put_worker(json, entry);
				weft_board_view_drop(entry);
				first = false;
			}
		}
	}
	smart_str_appends(json, "]}");
	smart_str_0(json);
}

void weft_views_look(weft_supervisor *self, uint64_t now)
{
	weft_control_client *client;
	smart_str json = {0};

	if (self->views_until == 0 || (now < self->views_until && !all_have_answered(self))) {
		return;
	}
	self->views_until = 0;
	compose(self, &json);
	while ((client = weft_control_waiting(self->control, TICKET, TICKET)) != NULL) {
		weft_control_answer(client, ZSTR_VAL(json.s), ZSTR_LEN(json.s));
	}
	smart_str_free(&json);
}
