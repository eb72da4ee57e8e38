/*
 * One line a request. Lines of one round of the reactor are written with one write.
 */
#include "http/weft_http_internal.h"
#include "http/weft_text.h"
#include "reactor/weft_log.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* Written at once when so much has gathered. */
#define FLUSH_AT 32768
/* What a pipe takes whole, or refuses, when poll() says that it is writable. */
#define PIECE 4096
/* A reader that stands still must not fill the worker's memory. */
#define KEEP_AT_MOST (1024 * 1024)
#define TRY_AGAIN (50 * WEFT_NS_PER_MS)
/* Longer paths are cut in the log. */
#define LONGEST_PATH 512

static bool writable(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};

	return poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & POLLOUT);
}

void weft_access_log_flush(weft_http_server *server, bool last)
{
	weft_buffer *log = &server->log;

	while (weft_buffer_length(log) > 0) {
		size_t piece = MIN(weft_buffer_length(log), PIECE);
		ssize_t written;

		/* The descriptor is shared with other processes, so it can't be made non-blocking. */
		if (!writable(server->config.log_fd)) {
			break;
		}
		written = write(server->config.log_fd, weft_buffer_data(log), piece);
		if (written < 0) {
			if (errno == EINTR) {
				continue;
			}
			if (errno != EAGAIN) {
				weft_buffer_consume(log, weft_buffer_length(log)); /* nobody reads it any more */
			}
			break;
		}
		weft_buffer_consume(log, (size_t) written);
	}
	if (weft_buffer_length(log) > 0 && !last) {
		weft_timer_arm(&server->log_timer, weft_now() + TRY_AGAIN);
	}
}

static void flush_timer_fired(weft_timer *timer)
{
	weft_http_server *server = (weft_http_server *) ((char *) timer - offsetof(weft_http_server, log_timer));

	weft_access_log_flush(server, false);
}

void weft_access_log_init(weft_http_server *server)
{
	server->log_timer.fire = flush_timer_fired;
}

static void gather(weft_http_server *server, const char *line, size_t length)
{
	if (weft_buffer_length(&server->log) + length > KEEP_AT_MOST) {
		server->log_dropped++;
		return;
	}
	if (server->log_dropped) {
		char note[80];
		int n = snprintf(note, sizeof(note),
			weft_log_is_json() ? "{\"dropped\":%llu}\n" : "(%llu lines of the access log were dropped)\n",
			(unsigned long long) server->log_dropped);
		server->log_dropped = 0;
		weft_buffer_append(&server->log, note, (size_t) n);
	}
	weft_buffer_append(&server->log, line, length);
	if (weft_buffer_length(&server->log) >= FLUSH_AT && !weft_timer_armed(&server->log_timer)) {
		weft_access_log_flush(server, false);
	} else if (!weft_timer_armed(&server->log_timer)) {
		weft_timer_arm(&server->log_timer, weft_now()); /* due at the reactor's next round */
	}
}

static const char *colour_of(int status)
{
	return status >= 500 ? "\033[31m" : status >= 400 ? "\033[33m" : status >= 300 ? "\033[36m" : "\033[32m";
}

/* A path comes from the network: control characters could rewrite the terminal or forge a line. */
static size_t access_log_escape(char *to, const char *from, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0;

	for (size_t i = 0; i < length && n < LONGEST_PATH; i++) {
		unsigned char c = (unsigned char) from[i];
		if (c < 0x20 || c >= 0x7f || c == '\\') {
			to[n++] = '\\';
			to[n++] = 'x';
			to[n++] = digits[c >> 4];
			to[n++] = digits[c & 15];
		} else {
			to[n++] = (char) c;
		}
	}
	return n;
}

static const char *method_of(const weft_outcome *outcome)
{
	return outcome->request ? weft_parser_method(&outcome->request->parser) : "-";
}

static bool is_http2(const weft_outcome *outcome)
{
	return outcome->request && outcome->request->parser.major == 2;
}

/* Without its query, which may hold what is nobody's business. */
static const char *path_of(const weft_outcome *outcome, size_t *length)
{
	const char *path = outcome->request ? outcome->request->uri : "-";

	*length = strcspn(path, "?");
	return path;
}

static void put_milliseconds(weft_text *text, uint64_t nanoseconds)
{
	uint64_t tenths = (nanoseconds + WEFT_NS_PER_MS / 20) / (WEFT_NS_PER_MS / 10);

	const char behind_point[] = {'.', (char) ('0' + tenths % 10)};

	weft_text_number(text, tenths / 10);
	weft_text_bytes(text, behind_point, sizeof(behind_point));
}

static void put_for_people(weft_text *text, const weft_outcome *outcome, bool colour)
{
	size_t length;
	const char *path = path_of(outcome, &length);

	weft_text_string(text, colour ? "\033[2m" : "");
	weft_text_string(text, weft_http_clock());
	weft_text_string(text, colour ? "\033[0m " : " ");
	weft_text_string(text, method_of(outcome));
	weft_text_literal(text, " ");
	text->at += access_log_escape(text->at, path, length);
	weft_text_literal(text, " ");
	weft_text_string(text, colour ? colour_of(outcome->status) : "");
	weft_text_number(text, (uint64_t) outcome->status);
	weft_text_string(text, colour ? "\033[0m " : " ");
	put_milliseconds(text, outcome->time);
	weft_text_string(text, is_http2(outcome) ? " ms h2\n" : " ms\n");
}

static void put_times(weft_text *text, const weft_outcome *outcome)
{
	weft_text_literal(text, ",\"queued_ms\":");
	put_milliseconds(text, outcome->queued);
	weft_text_literal(text, ",\"cpu_ms\":");
	put_milliseconds(text, outcome->cpu);
	weft_text_literal(text, ",\"wait_ms\":");
	put_milliseconds(text, outcome->waited);
	weft_text_literal(text, ",\"queries\":");
	weft_text_number(text, outcome->queries.count);
	weft_text_literal(text, ",\"query_ms\":");
	put_milliseconds(text, outcome->queries.time);
}

static void put_request(weft_text *text, const weft_outcome *outcome)
{
	const char *trace = weft_trace_id(outcome->request);

	weft_text_literal(text, ",\"request_id\":\"");
	weft_text_string(text, weft_request_id(outcome->request));
	weft_text_string(text, is_http2(outcome) ? "\",\"protocol\":\"HTTP/2.0" : "");
	weft_text_literal(text, "\",\"bytes\":");
	weft_text_number(text, outcome->request->response.sent);
	if (outcome->ran) {
		put_times(text, outcome);
	}
	if (outcome->request->route[0]) {
		weft_text_literal(text, ",\"route\":\"");
		weft_text_string(text, outcome->request->route);
		weft_text_literal(text, "\"");
	}
	if (trace) {
		weft_text_literal(text, ",\"trace\":\"");
		weft_text_bytes(text, trace, WEFT_TRACE_ID_LENGTH);
		weft_text_literal(text, "\"");
	}
}

static void put_for_machines(weft_text *text, const weft_outcome *outcome)
{
	size_t length;
	const char *path = path_of(outcome, &length);

	weft_text_literal(text, "{\"time\":\"");
	weft_log_time(text->at);
	text->at += WEFT_LOG_TIME_LENGTH;
	weft_text_literal(text, "\",\"level\":\"info\",\"pid\":");
	weft_text_number(text, (uint64_t) outcome->server->pid);
	weft_text_literal(text, ",\"client\":\"");
	weft_text_string(text, outcome->client);
	weft_text_literal(text, "\",\"method\":\"");
	weft_text_string(text, method_of(outcome));
	weft_text_literal(text, "\",\"path\":\"");
	text->at += weft_log_json(text->at, path, MIN(length, LONGEST_PATH));
	weft_text_literal(text, "\",\"status\":");
	weft_text_number(text, (uint64_t) outcome->status);
	weft_text_literal(text, ",\"ms\":");
	put_milliseconds(text, outcome->time);
	if (outcome->request) {
		put_request(text, outcome);
	}
	weft_text_literal(text, "}\n");
}

void weft_access_log_add(const weft_outcome *outcome)
{
	char line[LONGEST_PATH * WEFT_LOG_JSON_LONGEST + 1024];
	weft_text text = {line, line + sizeof(line)};

	if (weft_log_is_json()) {
		put_for_machines(&text, outcome);
	} else {
		put_for_people(&text, outcome, outcome->server->config.colour);
	}
	gather(outcome->server, line, (size_t) (text.at - line));
}
