/*
 * Which file a request is for, and what becomes of those that are for none.
 */
#include "http/files/weft_files.h"
#include "http/weft_sapi.h"
#include "http/files/weft_file_answer.h"
#include "http/files/weft_file_cache.h"
#include "http/files/weft_file_path.h"
#include "http/files/weft_file_types.h"

#include <fnmatch.h>

#define INDEX "index.html"

typedef struct {
	char *pattern, *cache_control;
} cache_rule;

static weft_file_root root = {.fd = -1};
static bool alone;
static cache_rule *rules;
static uint32_t rule_count;

/* What Vite makes has a new name whenever it is something else. */
static const cache_rule by_default = {"/build/assets/*", "public, max-age=31536000, immutable"};

static const char *cache_control_of(const char *path)
{
	for (uint32_t i = 0; i < rule_count; i++) {
		if (fnmatch(rules[i].pattern, path, 0) == 0) {
			return *rules[i].cache_control ? rules[i].cache_control : NULL;
		}
	}
	return rule_count == 0 && fnmatch(by_default.pattern, path, 0) == 0 ? by_default.cache_control : NULL;
}

void weft_files_add_rule(const char *pattern, const char *cache_control)
{
	rules = perealloc(rules, (rule_count + 1) * sizeof(*rules), 1);
	rules[rule_count++] = (cache_rule){pestrdup(pattern, 1), pestrdup(cache_control, 1)};
}

void weft_files_serve(const char *directory, bool is_alone)
{
	weft_file_types_load();
	weft_file_root_set(&root, directory);
	alone = is_alone;
}

void weft_files_init(const weft_http_server *server)
{
	const weft_http_config *config = &server->config;
	weft_file_cache_limits limits = {config->file_cache, config->file_check_ms};

	root.any_link = config->any_link;
	root.plainly = config->open_plainly;
	weft_file_cache_init(&limits, cache_control_of);
}

void weft_files_free(void)
{
	weft_file_cache_free();
	weft_file_root_close(&root);
}

/* --- what is no file --- */

static bool is_there(const char *path, size_t length, const char *name)
{
	char file[MAXPATHLEN];
	struct stat status;

	return snprintf(file, sizeof(file), "%s%.*s/%s", root.directory, (int) length, path, name) < (int) sizeof(file) &&
		stat(file, &status) == 0 && S_ISREG(status.st_mode);
}

/* Links in a directory's page are relative to it, so its path must end with a slash. */
static void show_directory(weft_http_request *request)
{
	const char *path = request->uri + strspn(request->uri, "/");
	size_t length = strcspn(path, "?");
	weft_buffer *head = &request->response.head;

	/* one slash at the beginning: two would be a host */
	weft_buffer_append(head, "Location: /", strlen("Location: /"));
	weft_buffer_append(head, path, length);
	weft_buffer_append(head, "/", 1);
	weft_buffer_append(head, path + length, strlen(path + length));
	weft_buffer_append(head, "\r\n", 2);
	weft_response_end_with_status(request, 301, NULL);
}

static void refuse(weft_http_request *request, bool is_file)
{
	static const char allow[] = "Allow: GET, HEAD\r\n";

	if (is_file) {
		weft_buffer_append(&request->response.head, allow, sizeof(allow) - 1);
		weft_response_end_with_status(request, 405, "Method Not Allowed\n");
	} else {
		weft_response_end_with_status(request, 404, "Not Found\n");
	}
}

/* --- what is one --- */

static bool only_asks(const weft_http_request *request)
{
	return request->parser.llhttp.method == HTTP_GET || request->parser.llhttp.method == HTTP_HEAD;
}

/* Nothing that anybody may ask for has another path. */
static weft_file_found file_of_path(const char *path, weft_file **file)
{
	return weft_path_is_secret(path) || strchr(path, '\\') ? WEFT_FILE_NONE : weft_file_cache_get(&root, path, file);
}

static bool answer_with(weft_http_request *request, weft_file_found found, weft_file *file)
{
	switch (found) {
		case WEFT_FILE_IS: weft_file_answer(request, &root, file); return true;
		case WEFT_FILE_FORBIDDEN: weft_response_end_with_status(request, 403, "Forbidden\n"); return true;
		case WEFT_FILE_TROUBLE:
			request->exchange->framing->error(request->exchange, 503,
				"The server can't open files now: too many are open.");
			return true;
		default: return false;
	}
}

/* Classic mode, where no script was found. */
static void answer_alone(weft_http_request *request)
{
	char path[MAXPATHLEN];
	weft_file_found found;
	weft_file *file = NULL;
	size_t length;

	if (!weft_path_clean(request->uri, path, sizeof(path) - sizeof(INDEX))) {
		refuse(request, false);
		return;
	}
	length = strlen(path);
	if (path[length - 1] == '/') {
		memcpy(path + length, INDEX, sizeof(INDEX));
	}
	found = file_of_path(path, &file);
	if (found == WEFT_FILE_DIRECTORY && (is_there(path, length, "index.php") || is_there(path, length, INDEX))) {
		show_directory(request);
	} else if (found == WEFT_FILE_IS && !only_asks(request)) {
		refuse(request, true);
	} else if (!answer_with(request, found, file)) {
		refuse(request, false);
	}
}

/* Most requests of an application are for no file: they cost one call of the kernel. */
static bool answer_beside_application(weft_http_request *request)
{
	char path[MAXPATHLEN];
	weft_file_found found;
	weft_file *file = NULL;

	if (!only_asks(request) || !weft_path_clean(request->uri, path, sizeof(path)) || path[strlen(path) - 1] == '/') {
		return false;
	}
	found = file_of_path(path, &file);
	return answer_with(request, found, file);
}

bool weft_files_answer(weft_http_request *request)
{
	if (!root.directory) {
		return false;
	}
	if (!alone) {
		return answer_beside_application(request);
	}
	if (weft_script_find(request)) {
		return false;
	}
	answer_alone(request);
	return true;
}
