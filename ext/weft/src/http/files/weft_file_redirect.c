/*
 * The application says who may have a file, and the server sends it: the request is over at once, however slowly the
 * client reads. Only files of folders that were named for it (--sendfile), since an application may pass on headers
 * that it has from elsewhere.
 */
#include "http/files/weft_file_redirect.h"
#include "http/files/weft_file_conditions.h"
#include "http/files/weft_file_path.h"
#include "http/weft_head_line.h"
#include "http/weft_text.h"
#include "reactor/weft_log.h"

#include <unistd.h>

#define ACCEL "X-Accel-Redirect"
#define SENDFILE "X-Sendfile"

typedef struct {
	char *uri; /* without a slash at its end */
	size_t uri_length;
	weft_file_root root;
} folder;

static folder *folders;
static uint32_t folder_count;

void weft_files_add_folder(const char *uri, const char *directory)
{
	folder *added;

	folders = perealloc(folders, (folder_count + 1) * sizeof(*folders), 1);
	added = &folders[folder_count++];
	*added = (folder){.uri = pestrdup(uri, 1), .uri_length = strlen(uri), .root = {.fd = -1}};
	while (added->uri_length > 0 && uri[added->uri_length - 1] == '/') {
		added->uri_length--;
	}
	weft_file_root_set(&added->root, directory);
}

/* What follows the name and the colon; NULL: it is another header. */
static const char *value_if(const char *line, const char *name)
{
	size_t length = strlen(name);

	if (strncasecmp(line, name, length) != 0 || line[length] != ':') {
		return NULL;
	}
	line += length + 1;
	return line + strspn(line, " \t");
}

bool weft_file_redirect_is(const char *line)
{
	return folder_count > 0 && (value_if(line, ACCEL) || value_if(line, SENDFILE));
}

/* --- which file --- */

static bool begins(const char *path, const char *with, size_t length)
{
	return strncmp(path, with, length) == 0 && path[length] == '/';
}

static weft_file_found open_by_uri(const char *uri, int *fd, struct stat *status)
{
	char path[MAXPATHLEN];

	for (uint32_t i = 0; weft_path_clean(uri, path, sizeof(path)) && i < folder_count; i++) {
		if (begins(path, folders[i].uri, folders[i].uri_length)) {
			return weft_file_open(&folders[i].root, path + folders[i].uri_length, fd, status);
		}
	}
	return WEFT_FILE_NONE;
}

static weft_file_found open_by_path(const char *path, int *fd, struct stat *status)
{
	for (uint32_t i = 0; i < folder_count; i++) {
		const char *directory = folders[i].root.directory;

		if (begins(path, directory, strlen(directory))) {
			return weft_file_open(&folders[i].root, path + strlen(directory), fd, status);
		}
	}
	return WEFT_FILE_NONE;
}

static void refuse(weft_http_request *request, const char *line, weft_file_found found)
{
	weft_log_at("warning", "weft: %.200s: %s; %d was sent", line,
		found == WEFT_FILE_FORBIDDEN     ? "this file is not the server's to read"
			: found == WEFT_FILE_TROUBLE ? "too many files are open"
										 : "there is no such file in a folder of --sendfile",
		found == WEFT_FILE_TROUBLE ? 503 : 404);
	weft_response_replace(request, found == WEFT_FILE_TROUBLE ? 503 : 404,
		found == WEFT_FILE_TROUBLE ? "Service Unavailable\n" : "Not Found\n");
}

/* --- what is told of it --- */

/* The application's own word, which goes first. */
static bool has_said(const weft_buffer *head, const char *name, char *value, size_t room)
{
	const char *at = weft_buffer_data(head), *end = at + weft_buffer_length(head);
	weft_head_line line;

	while ((at = weft_head_line_next(at, end, &line)) != NULL) {
		if (weft_head_line_is(&line, name, strlen(name))) {
			size_t length = MIN(line.value_length, room - 1);

			memcpy(value, line.value, length);
			value[length] = '\0';
			return true;
		}
	}
	return false;
}

static void add_line(weft_buffer *head, const char *name, const char *value)
{
	weft_buffer_append(head, name, strlen(name));
	weft_buffer_append(head, ": ", 2);
	weft_buffer_append(head, value, strlen(value));
	weft_buffer_append(head, "\r\n", 2);
}

static time_t tell_of_file(weft_buffer *head, const struct stat *status, char etag[128])
{
	char said[64];
	time_t modified = status->st_mtim.tv_sec;

	if (!has_said(head, "ETag", etag, 128)) {
		weft_file_etag(etag, modified, (uint64_t) status->st_size, NULL);
		add_line(head, "ETag", etag);
	}
	if (!has_said(head, "Last-Modified", said, sizeof(said))) {
		weft_http_date_write(said, modified);
		add_line(head, "Last-Modified", said);
	} else if (!weft_http_date_read(said, &modified)) {
		modified = status->st_mtim.tv_sec;
	}
	if (!has_said(head, "Accept-Ranges", said, sizeof(said))) {
		add_line(head, "Accept-Ranges", "bytes");
	}
	return modified;
}

/* One range: several would need the type, which is the application's. */
static void take_part(weft_http_request *request, uint64_t size, const char *wanted)
{
	weft_http_response *response = &request->response;
	weft_file_range ranges[WEFT_RANGES_MAX];
	char line[96];
	weft_text text = {line, line + sizeof(line)};
	int count = wanted && request->parser.llhttp.method == HTTP_GET ? weft_ranges_read(wanted, size, ranges, 1) : 0;

	response->file_length = size;
	if (count == 0) {
		return;
	}
	response->encoded = true;
	response->status = count < 0 ? 416 : 206;
	response->file_offset = count < 0 ? 0 : ranges[0].offset;
	response->file_length = count < 0 ? 0 : ranges[0].length;
	weft_ranges_put_line(&text, count < 0 ? NULL : ranges, size);
	weft_buffer_append(&response->head, line, (size_t) (text.at - line));
	response->has_length = false; /* what was declared was that of the whole */
}

void weft_file_redirect(weft_http_request *request, const char *line)
{
	const char *uri = value_if(line, ACCEL);
	weft_http_response *response = &request->response;
	weft_file_conditions conditions;
	struct stat status;
	char etag[128];
	time_t modified;
	int fd, decided;
	weft_file_found found = uri ? open_by_uri(uri, &fd, &status) : open_by_path(value_if(line, SENDFILE), &fd, &status);

	if (found != WEFT_FILE_IS) {
		refuse(request, line, found);
		response->is_settled = true;
		return;
	}
	response->is_settled = true;
	response->file = weft_room_move(request->server, fd);
	response->file_length = (uint64_t) status.st_size;
	weft_buffer_free(&response->body);
	modified = tell_of_file(&response->head, &status, etag);
	if (response->status != 200) {
		return; /* conditions are for what has succeeded (RFC 9110, 13.2.1) */
	}
	weft_conditions_find(&conditions, request);
	decided = weft_conditions_status(&conditions, etag, modified);
	if (decided) {
		response->status = decided;
		response->file_length = 0;
		response->has_length = false;
	} else {
		take_part(request, (uint64_t) status.st_size, weft_conditions_range(&conditions, etag, modified));
	}
}
