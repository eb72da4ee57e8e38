/*
 * One line a request. Lines of one round of the reactor are written with one write.
 */
#include "http/weft_http_internal.h"
#include "http/weft_text.h"
#include "domain/weft_domain.h"
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
	weft_http_server *server = (weft_http_server *) ((char *) timer - XtOffsetOf(weft_http_server, log_timer));

	weft_access_log_flush(server, false);
}

void weft_access_log_init(weft_http_server *server)
{
	server->log_timer.fire = flush_timer_fired;
}

static void access_log_add(weft_http_server *server, const char *line, size_t length)
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

/* What a line tells. */
typedef struct {
	const weft_http_connection *connection; /* one of both */
	weft_http_request *request;
	const char *method, *path;
	size_t path_length;
	int status;
	uint64_t nanoseconds;
} access_log_entry;

static void put_milliseconds(weft_text *text, uint64_t nanoseconds)
{
	uint64_t tenths = (nanoseconds + WEFT_NS_PER_MS / 20) / (WEFT_NS_PER_MS / 10);

	weft_text_number(text, tenths / 10);
	weft_text_literal(text, ".");
	weft_text_number(text, tenths % 10);
}

static void put_for_people(weft_text *text, const access_log_entry *entry, bool colour)
{
	weft_text_string(text, colour ? "\033[2m" : "");
	weft_text_string(text, weft_http_clock());
	weft_text_string(text, colour ? "\033[0m " : " ");
	weft_text_string(text, entry->method);
	weft_text_literal(text, " ");
	text->at += access_log_escape(text->at, entry->path, entry->path_length);
	weft_text_literal(text, " ");
	weft_text_string(text, colour ? colour_of(entry->status) : "");
	weft_text_number(text, (uint64_t) entry->status);
	weft_text_string(text, colour ? "\033[0m " : " ");
	put_milliseconds(text, entry->nanoseconds);
	weft_text_literal(text, " ms\n");
}

static void put_request(weft_text *text, weft_http_request *request)
{
	weft_text_literal(text, ",\"request_id\":\"");
	weft_text_string(text, weft_request_id(request));
	weft_text_literal(text, "\",\"bytes\":");
	weft_text_number(text, request->response.sent);
	if (request == weft_request_current()) {
		weft_text_literal(text, ",\"cpu_ms\":");
		put_milliseconds(text, weft_domain_cpu_time());
	}
}

static void put_for_machines(weft_text *text, const access_log_entry *entry, pid_t pid)
{
	const char *client = entry->request ? entry->request->remote_address : entry->connection->remote_address;

	weft_text_literal(text, "{\"time\":\"");
	weft_log_time(text->at);
	text->at += WEFT_LOG_TIME_LENGTH;
	weft_text_literal(text, "\",\"level\":\"info\",\"pid\":");
	weft_text_number(text, (uint64_t) pid);
	weft_text_literal(text, ",\"client\":\"");
	weft_text_string(text, client);
	weft_text_literal(text, "\",\"method\":\"");
	weft_text_string(text, entry->method);
	weft_text_literal(text, "\",\"path\":\"");
	text->at += weft_log_json(text->at, entry->path, MIN(entry->path_length, LONGEST_PATH));
	weft_text_literal(text, "\",\"status\":");
	weft_text_number(text, (uint64_t) entry->status);
	weft_text_literal(text, ",\"ms\":");
	put_milliseconds(text, entry->nanoseconds);
	if (entry->request) {
		put_request(text, entry->request);
	}
	weft_text_literal(text, "}\n");
}

static void log_entry(weft_http_server *server, const access_log_entry *entry)
{
	char line[LONGEST_PATH * WEFT_LOG_JSON_LONGEST + 512];
	weft_text text = {line, line + sizeof(line)};

	if (weft_log_is_json()) {
		put_for_machines(&text, entry, server->pid);
	} else {
		put_for_people(&text, entry, server->config.colour);
	}
	access_log_add(server, line, (size_t) (text.at - line));
}

void weft_access_log_request(weft_http_request *request, int status)
{
	access_log_entry entry = {NULL, request, weft_parser_method(&request->parser), request->uri,
		strcspn(request->uri, "?"), status, weft_now() - request->began};

	if (request->server->config.access_log) {
		log_entry(request->server, &entry);
	}
}

/* A request that was refused before it could be understood in full. */
void weft_access_log_refused(weft_http_connection *connection, int status)
{
	weft_http_request *request = connection->request;
	access_log_entry entry = {connection, NULL, "-", "-", 1, status, 0};

	if (!connection->server->config.access_log) {
		return;
	}
	if (request && request->uri) {
		weft_access_log_request(request, status);
	} else {
		log_entry(connection->server, &entry);
	}
}
