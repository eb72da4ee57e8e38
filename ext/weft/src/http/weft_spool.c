/*
 * Temporary files: for bodies, and for answers whose requests should be over.
 */
#include "http/weft_http_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "main/php_globals.h"
#include "main/php_open_temporary_file.h"

int weft_spool_open(void)
{
	const char *directory = PG(upload_tmp_dir) && *PG(upload_tmp_dir) ? PG(upload_tmp_dir) : php_get_temporary_directory();
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
		fprintf(stderr, "weft: can't keep what clients send or wait for in %s: %s\n", directory, strerror(errno));
	}
	return file;
}

bool weft_spool_write(int file, const char *data, size_t length)
{
	while (length > 0) {
		ssize_t written = write(file, data, length);
		if (written < 0) {
			if (errno == EINTR) {
				continue;
			}
			return false;
		}
		data += written;
		length -= (size_t) written;
	}
	return true;
}

/* --- answers --- */

bool weft_spool_begin(weft_http_connection *connection)
{
	if (connection->spools || connection->server->config.spool == 0 || (connection->file = weft_spool_open()) < 0) {
		return false;
	}
	connection->file_offset = connection->file_left = 0;
	connection->spools = true;
	return true;
}

bool weft_spool_append(weft_http_connection *connection, const char *data, size_t length)
{
	if (!weft_spool_write(connection->file, data, length)) {
		fprintf(stderr, "weft: can't write an answer to its temporary file: %s\n", strerror(errno));
		return false;
	}
	connection->file_left += length;
	return true;
}

void weft_spool_rewind(weft_http_connection *connection)
{
	connection->file_offset = 0;
	if (ftruncate(connection->file, 0) == 0) {
		lseek(connection->file, 0, SEEK_SET);
	}
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
