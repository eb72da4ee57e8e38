/*
 * What is sent to a client: at once what the socket takes, the rest from a buffer and, behind that, from a file,
 * without any coroutine.
 *
 * And whether the client takes it. What send() takes says nothing about that: the kernel holds much for who reads
 * slowly, and takes more only when a good part of it has left. What the client has acknowledged does, so the connection
 * looks there, some times within each time-out.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sending.h"
#include "http/weft_transport.h"

#include <errno.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* How long to listen to a client that has its answer. */
#define LINGER_TIME (2 * WEFT_NS_PER_SEC)
/* Looks within a time-out: so much later than it is due, as a part of it, is a client given up at most. */
#define LOOKS 4

/* --- whether it is taken --- */

uint64_t weft_progress_kept(const weft_http_connection *connection)
{
	int kept = 0;

	return ioctl(connection->watch.fd, SIOCOUTQ, &kept) == 0 && kept > 0 ? (uint64_t) kept : 0;
}

uint64_t weft_connection_taken(const weft_http_exchange *exchange)
{
	uint64_t kept = weft_progress_kept(exchange->connection);

	/* the kernel counts the end of the stream as a byte */
	return exchange->sent > kept ? exchange->sent - kept : 0;
}

void weft_progress_begin(weft_http_exchange *exchange)
{
	weft_http_progress *progress = &exchange->progress;

	progress->began = progress->taken_at = weft_now();
	progress->taken = progress->taken_then = exchange->framing->taken(exchange);
}

uint64_t weft_progress_deadline(uint64_t began, uint32_t timeout_ms, uint64_t bytes, uint32_t rate)
{
	if (rate == 0) {
		return UINT64_MAX;
	}
	return began + timeout_ms * WEFT_NS_PER_MS + bytes / rate * WEFT_NS_PER_SEC + bytes % rate * WEFT_NS_PER_SEC / rate;
}

/* Others wait for the place of its request, or for its memory. */
static bool is_short_of_room(const weft_http_server *server)
{
	return server->memory.first || (weft_http_server_full(server) && weft_http_server_is_awaited(server));
}

/* It does nothing but wait for its client. */
static bool is_in_the_way(const weft_http_exchange *exchange)
{
	return exchange->request && exchange->request->writers && !weft_spool_may_begin(exchange) &&
		is_short_of_room(exchange->server);
}

/* For so many milliseconds a client may take nothing. */
static uint32_t patience(const weft_http_config *config, bool in_the_way)
{
	return in_the_way && config->silent_ms > 0 ? MIN(config->silent_ms, config->write_timeout_ms)
											   : config->write_timeout_ms;
}

bool weft_progress_look(weft_http_exchange *exchange)
{
	weft_http_progress *progress = &exchange->progress;
	uint64_t now = weft_now(), now_taken;
	const weft_http_config *config = &exchange->server->config;
	uint32_t limit = patience(config, is_in_the_way(exchange));

	if (!progress->began) {
		weft_progress_begin(exchange);
		return true;
	}
	now_taken = exchange->framing->taken(exchange);
	if (now_taken > progress->taken) {
		progress->taken = now_taken;
		progress->taken_at = now;
	}
	return now < progress->taken_at + limit * WEFT_NS_PER_MS &&
		now < weft_progress_deadline(progress->began, limit, progress->taken - progress->taken_then, config->min_rate);
}

/* Who has a request may be in the way by then. */
uint64_t weft_progress_next_look(const weft_http_exchange *exchange)
{
	return weft_now() + patience(&exchange->server->config, exchange->request) * WEFT_NS_PER_MS / LOOKS;
}

void weft_sending_await_client(weft_http_exchange *exchange)
{
	weft_progress_begin(exchange);
	weft_exchange_set_deadline(exchange, weft_progress_next_look(exchange));
}

void weft_sending_linger(weft_http_exchange *exchange)
{
	exchange->state = WEFT_CONNECTION_LINGER;
	weft_progress_begin(exchange);
	weft_exchange_set_deadline(exchange, weft_now() + LINGER_TIME);
}

/* --- sending --- */

/* What became of an attempt to send. */
typedef enum {
	SENT,  /* go on */
	FULL,  /* the socket takes no more now */
	FAILED /* and the connection is closed */
} send_result;

static send_result send_result_of(weft_http_connection *connection, ssize_t sent)
{
	if (sent > 0) {
		return SENT;
	}
	if (sent < 0 && errno == EAGAIN) {
		return FULL;
	}
	/* of a file this may be its end, when it has become shorter: the message can't be completed */
	weft_connection_close(connection);
	return FAILED;
}

static send_result send_buffer(weft_http_connection *connection)
{
	weft_buffer *out = &connection->exchange.out;
	struct iovec part = {.iov_base = (void *) weft_buffer_data(out), .iov_len = weft_buffer_length(out)};
	ssize_t sent = weft_transport_send(connection, &part, 1);

	if (sent > 0) {
		weft_buffer_consume(out, (size_t) sent);
	}
	return send_result_of(connection, sent);
}

void weft_sending_drop_file(weft_http_exchange *exchange)
{
	if (exchange->spools) {
		weft_spool_end(exchange);
	}
	if (exchange->file >= 0) {
		close(exchange->file);
		exchange->file = -1;
	}
	free(exchange->ranges);
	exchange->ranges = NULL;
	exchange->file_left = 0;
}

/* What goes before the next range, and then it; or the end. */
static void next_range(weft_http_exchange *exchange)
{
	char head[WEFT_RANGES_HEAD];
	size_t length;
	const weft_file_range *range = weft_ranges_next(exchange->ranges, head, &length);

	weft_buffer_append(&exchange->out, head, length);
	if (range) {
		exchange->file_offset = range->offset;
		exchange->file_left = range->length;
	} else {
		weft_sending_drop_file(exchange);
	}
}

bool weft_sending_file_has_left(weft_http_exchange *exchange, uint64_t length)
{
	exchange->file_offset += length;
	exchange->file_left -= length;
	if (exchange->file_left > 0) {
		return true;
	}
	if (exchange->ranges) {
		next_range(exchange);
		return true;
	}
	if (exchange->spools) {
		return weft_spool_rewind(exchange);
	}
	weft_sending_drop_file(exchange);
	return true;
}

static send_result send_of_file(weft_http_connection *connection, uint64_t share)
{
	weft_http_exchange *exchange = &connection->exchange;
	ssize_t sent = weft_transport_send_file(connection, exchange->file, exchange->file_offset,
		MIN(exchange->file_left, share));

	if (sent > 0 && !weft_sending_file_has_left(exchange, (uint64_t) sent)) {
		weft_connection_close(connection);
		return FAILED;
	}
	return send_result_of(connection, sent);
}

bool weft_connection_flush(weft_http_connection *connection)
{
	weft_http_exchange *exchange = &connection->exchange;
	uint64_t share = exchange->sent + exchange->server->config.share;
	send_result result = SENT;

	while (result == SENT && weft_exchange_unsent(exchange)) {
		if (exchange->sent >= share) {
			weft_turns_enter(connection);
			return false;
		}
		result = weft_buffer_length(&exchange->out) > 0 ? send_buffer(connection)
														: send_of_file(connection, share - exchange->sent);
	}
	return result == SENT;
}

/* Nothing overtakes what is in the file already. */
static void connection_spool(weft_http_connection *connection, const struct iovec *parts, int count)
{
	bool waiting = weft_exchange_unsent(&connection->exchange);

	for (int i = 0; i < count; i++) {
		weft_spool_append(&connection->exchange, parts[i].iov_base, parts[i].iov_len);
	}
	if (!waiting && !weft_connection_flush(connection) && connection->exchange.state != WEFT_CONNECTION_CLOSED) {
		weft_sending_await_client(&connection->exchange);
	}
}

void weft_connection_send(weft_http_connection *connection, const struct iovec *parts, int count)
{
	bool waiting = weft_exchange_unsent(&connection->exchange);
	size_t sent = 0;

	if (UNEXPECTED(weft_http_forked)) {
		return; /* the answer is the parent's to give */
	}
	if (connection->exchange.spools) {
		connection_spool(connection, parts, count);
		return;
	}
	if (!waiting) {
		ssize_t result = weft_transport_send(connection, parts, count);
		if (result < 0 && errno != EAGAIN) {
			weft_connection_close(connection);
			return;
		}
		sent = result > 0 ? (size_t) result : 0;
	}
	for (int i = 0; i < count; i++) {
		size_t skip = MIN(sent, parts[i].iov_len);
		sent -= skip;
		if (skip < parts[i].iov_len) {
			weft_buffer_append(&connection->exchange.out, (const char *) parts[i].iov_base + skip,
				parts[i].iov_len - skip);
		}
	}
	if (!waiting && weft_exchange_unsent(&connection->exchange)) {
		weft_sending_await_client(&connection->exchange);
	}
}

/* The file is the connection's. */
static void begin_file(weft_http_connection *connection, bool waiting)
{
	weft_http_exchange *exchange = &connection->exchange;

	if (UNEXPECTED(weft_http_forked) || exchange->file_left == 0) {
		weft_sending_drop_file(exchange);
	} else if (!waiting && !weft_connection_flush(connection) && exchange->state != WEFT_CONNECTION_CLOSED) {
		weft_sending_await_client(exchange);
	}
}

void weft_connection_send_file(weft_http_connection *connection, int file, uint64_t offset, uint64_t length)
{
	connection->exchange.file = file;
	connection->exchange.file_offset = offset;
	connection->exchange.file_left = length;
	begin_file(connection, weft_buffer_length(&connection->exchange.out) > 0);
}

void weft_connection_send_ranges(weft_http_connection *connection, int file, weft_file_ranges *ranges)
{
	bool waiting = weft_buffer_length(&connection->exchange.out) > 0;

	connection->exchange.file = file;
	connection->exchange.ranges = ranges;
	next_range(&connection->exchange);
	begin_file(connection, waiting);
}
