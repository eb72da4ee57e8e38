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

bool weft_spool_begin(weft_http_connection *connection)
{
	const weft_http_server *server = connection->server;

	if (connection->spools || server->config.spool == 0 || weft_spool_full(server) ||
		weft_now() < server->spools_again || (connection->file = weft_spool_open()) < 0) {
		return false;
	}
	connection->file_offset = connection->file_left = 0;
	connection->spools = true;
	return true;
}

/* The file has room for no more: what follows waits behind it. */
static void keep_in_memory(weft_http_connection *connection, const char *data, size_t length)
{
	if (connection->file_left > 0) {
		weft_buffer_append(&connection->behind, data, length);
	} else {
		weft_sending_drop_file(connection);
		weft_buffer_append(&connection->out, data, length);
	}
}

void weft_spool_append(weft_http_connection *connection, const char *data, size_t length)
{
	weft_http_server *server = connection->server;
	size_t written;

	if (!connection->spools || weft_buffer_length(&connection->behind) > 0) {
		weft_buffer_append(connection->spools ? &connection->behind : &connection->out, data, length);
		return;
	}
	written = weft_spool_write(connection->file, data, length);
	connection->file_left += written;
	server->spooled += written;
	if (written < length) {
		weft_log("weft: can't write an answer to its temporary file, so its request waits for its client: %s",
			strerror(errno));
		server->spools_again = weft_now() + AGAIN_AFTER;
		keep_in_memory(connection, data + written, length - written);
	}
}

/* Who waits for its client because the files were full looks again. */
static void wake_writers(const weft_http_server *server)
{
	for (weft_http_connection *connection = server->connections; connection; connection = connection->next) {
		for (weft_http_writer *writer = connection->request ? connection->request->writers : NULL; writer;
			 writer = writer->next) {
			weft_wake(writer->coroutine);
		}
	}
}

/* The file's length is what has left and what is left. */
static void forget_length(weft_http_connection *connection)
{
	weft_http_server *server = connection->server;
	bool full = weft_spool_full(server);

	server->spooled -= connection->file_offset + connection->file_left;
	connection->file_offset = connection->file_left = 0;
	if (full && !weft_spool_full(server) && server->slow > 0) {
		wake_writers(server);
	}
}

bool weft_spool_rewind(weft_http_connection *connection)
{
	if (weft_buffer_length(&connection->behind) > 0) {
		weft_buffer_free(&connection->out);
		connection->out = connection->behind;
		memset(&connection->behind, 0, sizeof(connection->behind));
		weft_sending_drop_file(connection);
		return true;
	}
	/* what is not cut off would be sent again */
	if (ftruncate(connection->file, 0) != 0 || lseek(connection->file, 0, SEEK_SET) != 0) {
		weft_log("weft: can't empty an answer's temporary file: %s", strerror(errno));
		return false;
	}
	forget_length(connection);
	return true;
}

void weft_spool_end(weft_http_connection *connection)
{
	connection->spools = false;
	weft_buffer_free(&connection->behind);
	forget_length(connection);
}

bool weft_spool_full(const weft_http_server *server)
{
	return server->spooled >= server->config.spool_total;
}

void weft_spool_one(weft_http_server *server)
{
	for (weft_http_connection *connection = server->connections; connection; connection = connection->next) {
		weft_http_request *request = connection->request;
		if (request && request->writers && !connection->spools) {
			if (weft_spool_begin(connection)) {
				weft_response_writable(request);
			}
			return;
		}
	}
}
