/*
 * One line a request. Lines of one round of the reactor are written with one write.
 */
#include "http/weft_http_internal.h"
#include "http/weft_text.h"

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
		int n = snprintf(note, sizeof(note), "(%llu lines of the access log were dropped)\n",
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

static void log_line(weft_http_server *server, const char *method, const char *path, size_t path_length, int status,
	uint64_t nanoseconds)
{
	char line[LONGEST_PATH + 160];
	bool colour = server->config.colour;
	weft_text text = {line, line + sizeof(line)};
	uint64_t tenths = (nanoseconds + WEFT_NS_PER_MS / 20) / (WEFT_NS_PER_MS / 10);

	weft_text_string(&text, colour ? "\033[2m" : "");
	weft_text_string(&text, weft_http_clock());
	weft_text_string(&text, colour ? "\033[0m " : " ");
	weft_text_string(&text, method);
	weft_text_literal(&text, " ");
	text.at += access_log_escape(text.at, path, path_length);
	weft_text_literal(&text, " ");
	weft_text_string(&text, colour ? colour_of(status) : "");
	weft_text_number(&text, (uint64_t) status);
	weft_text_string(&text, colour ? "\033[0m " : " ");
	weft_text_number(&text, tenths / 10);
	weft_text_literal(&text, ".");
	weft_text_number(&text, tenths % 10);
	weft_text_literal(&text, " ms\n");
	access_log_add(server, line, (size_t) (text.at - line));
}

void weft_access_log_request(weft_http_request *request, int status)
{
	if (!request->server->config.access_log) {
		return;
	}
	log_line(request->server, weft_parser_method(&request->parser), request->uri, strcspn(request->uri, "?"), status,
		weft_now() - request->began);
}

/* A request that was refused before it could be understood in full. */
void weft_access_log_refused(weft_http_connection *connection, int status)
{
	weft_http_request *request = connection->request;

	if (!connection->server->config.access_log) {
		return;
	}
	if (request && request->uri) {
		weft_access_log_request(request, status);
	} else {
		log_line(connection->server, "-", "-", 1, status, 0);
	}
}
