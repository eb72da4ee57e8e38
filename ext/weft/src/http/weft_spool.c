/*
 * Temporary files: for bodies, and for answers whose requests should be over.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sending.h"
#include "reactor/weft_log.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "main/php_globals.h"
#include "main/php_open_temporary_file.h"

/* A full disk is not tried again for every piece of every answer. */
#define AGAIN_AFTER (10 * WEFT_NS_PER_SEC)

int weft_spool_open(void)
{
	const char *directory = PG(upload_tmp_dir) && *PG(upload_tmp_dir) ? PG(upload_tmp_dir)
																	  : php_get_temporary_directory();
	int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (file < 0) {
		char path[MAXPATHLEN];
		snprintf(path, sizeof(path), "%s/weft-body-XXXXXX", directory);
		file = mkostemp(path, O_CLOEXEC);
		if (file >= 0) {
			unlink(path);
		}
	}
	if (file < 0) {
		weft_log("weft: can't keep what clients send or wait for in %s: %s", directory, strerror(errno));
	}
	return file;
}

size_t weft_spool_write(int file, const char *data, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t written = write(file, data + done, length - done);
		if (written >= 0) {
			done += (size_t) written;
		} else if (errno != EINTR) {
			break;
		}
	}
	return done;
}

/* --- answers --- */

bool weft_spool_may_begin(const weft_http_exchange *exchange)
{
	const weft_http_server *server = exchange->server;

	return !exchange->spools && server->config.spool > 0 && !weft_spool_full(server) &&
		weft_now() >= server->spools_again;
}

bool weft_spool_begin(weft_http_exchange *exchange)
{
	if (!weft_spool_may_begin(exchange) || (exchange->file = weft_spool_open()) < 0) {
		return false;
	}
	exchange->file_offset = exchange->file_left = 0;
	exchange->spools = true;
	return true;
}

/* The file has room for no more: what follows waits behind it. */
static void keep_in_memory(weft_http_exchange *exchange, const char *data, size_t length)
{
	if (exchange->file_left > 0) {
		weft_buffer_append(&exchange->behind, data, length);
	} else {
		weft_sending_drop_file(exchange);
		weft_buffer_append(&exchange->out, data, length);
	}
}

void weft_spool_append(weft_http_exchange *exchange, const char *data, size_t length)
{
	weft_http_server *server = exchange->server;
	size_t written;

	if (!exchange->spools || weft_buffer_length(&exchange->behind) > 0) {
		weft_buffer_append(exchange->spools ? &exchange->behind : &exchange->out, data, length);
		return;
	}
	written = weft_spool_write(exchange->file, data, length);
	exchange->file_left += written;
	server->spooled += written;
	if (written < length) {
		weft_log("weft: can't write an answer to its temporary file, so its request waits for its client: %s",
			strerror(errno));
		server->spools_again = weft_now() + AGAIN_AFTER;
		keep_in_memory(exchange, data + written, length - written);
	}
}

/* Who waits for its client because the files were full looks again. */
static void wake_writers(const weft_http_server *server)
{
	for (weft_http_request *request = server->limited; request; request = request->limit.next_request) {
		weft_writers_wake(request->writers);
	}
}

/* The file's length is what has left and what is left. */
static void forget_length(weft_http_exchange *exchange)
{
	weft_http_server *server = exchange->server;
	bool full = weft_spool_full(server);

	server->spooled -= exchange->file_offset + exchange->file_left;
	exchange->file_offset = exchange->file_left = 0;
	if (full && !weft_spool_full(server) && server->slow > 0) {
		wake_writers(server);
	}
}

bool weft_spool_rewind(weft_http_exchange *exchange)
{
	if (weft_buffer_length(&exchange->behind) > 0) {
		weft_buffer_free(&exchange->out);
		exchange->out = exchange->behind;
		memset(&exchange->behind, 0, sizeof(exchange->behind));
		weft_sending_drop_file(exchange);
		return true;
	}
	/* what is not cut off would be sent again */
	if (ftruncate(exchange->file, 0) != 0 || lseek(exchange->file, 0, SEEK_SET) != 0) {
		weft_log("weft: can't empty an answer's temporary file: %s", strerror(errno));
		return false;
	}
	forget_length(exchange);
	return true;
}

void weft_spool_end(weft_http_exchange *exchange)
{
	exchange->spools = false;
	weft_buffer_free(&exchange->behind);
	forget_length(exchange);
}

bool weft_spool_full(const weft_http_server *server)
{
	return server->spooled >= server->config.spool_total;
}

void weft_spool_one(weft_http_server *server)
{
	for (weft_http_request *request = server->limited; request; request = request->limit.next_request) {
		if (request->exchange && request->writers && !request->exchange->spools) {
			if (weft_spool_begin(request->exchange)) {
				weft_response_writable(request);
			}
			return;
		}
	}
}
