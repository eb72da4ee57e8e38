/*
 * Classic mode: the script that a request asks for, found as a web server with a front controller finds it for PHP-FPM,
 * and executed as a PHP request of its own.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sapi.h"
#include "http/files/weft_file_path.h"
#include "http/files/weft_files.h"
#include "domain/weft_domain.h"
#include "globals/weft_c_state.h"

#include <errno.h>
#include <sys/stat.h>
#include "SAPI.h"
#include "main/php_main.h"
#include "zend_exceptions.h"

#define EXTENSION ".php"
#define INDEX "/index.php"

/* NULL: every request goes to the handler. */
static char *scripts;

void weft_scripts_serve(const char *directory)
{
	free(scripts);
	scripts = strdup(directory);
	weft_user_ini_begin(strlen(directory));
	weft_http_set_document_root(directory);
	weft_files_serve(directory, true);
}

/* --- the script --- */

static mode_t kind_of(const char *path)
{
	char file[MAXPATHLEN];
	struct stat status;
	int length = snprintf(file, sizeof(file), "%s%s", scripts, path);

	return length < (int) sizeof(file) && stat(file, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

static bool take_script(weft_http_request *request, const char *name, size_t length, const char *info)
{
	weft_script *script = &request->script;

	script->name = strndup(name, length);
	script->info = strdup(info);
	script->file = pemalloc(strlen(scripts) + length + 1, 1);
	memcpy(script->file, scripts, strlen(scripts));
	memcpy(script->file + strlen(scripts), script->name, length + 1);
	return true;
}

/* "/a.php/b": the first that is a file. */
static bool take_named(weft_http_request *request, const char *path)
{
	const char *end = path;
	char name[MAXPATHLEN];

	while ((end = strstr(end, EXTENSION)) != NULL) {
		end += strlen(EXTENSION);
		if (*end != '\0' && *end != '/') {
			continue;
		}
		memcpy(name, path, (size_t) (end - path));
		name[end - path] = '\0';
		if (kind_of(name) == S_IFREG) {
			return take_script(request, path, (size_t) (end - path), end);
		}
	}
	return false;
}

/* A directory is answered by its index. What has no slash at the end is told to add it, if there is one. */
static bool take_index(weft_http_request *request, const char *path, bool *exists)
{
	char index[MAXPATHLEN + sizeof(INDEX)];
	size_t length = strlen(path), name = length - (path[length - 1] == '/');

	snprintf(index, sizeof(index), "%.*s" INDEX, (int) name, path);
	if (kind_of(index) == S_IFREG) {
		*exists = true;
		return path[length - 1] == '/' && take_script(request, index, strlen(index), "");
	}
	snprintf(index, sizeof(index), "%.*s/index.html", (int) name, path);
	*exists = kind_of(index) == S_IFREG;
	return false;
}

bool weft_script_find(weft_http_request *request)
{
	char path[MAXPATHLEN];
	mode_t kind;
	bool exists = false;

	if (!scripts || !weft_path_clean(request->uri, path, sizeof(path))) {
		return false;
	}
	if (take_named(request, path)) {
		return true;
	}
	kind = kind_of(path);
	if (kind == S_IFDIR && take_index(request, path, &exists)) {
		return true;
	}
	if (exists || kind == S_IFREG) {
		return false;
	}
	return kind_of(INDEX) == S_IFREG && take_script(request, INDEX, strlen(INDEX), "");
}

void weft_script_free(weft_script *script)
{
	free(script->name);
	free(script->info);
	free(script->file);
}

/* --- its run --- */

static void go_to_its_directory(const char *file)
{
	char directory[MAXPATHLEN];

	snprintf(directory, sizeof(directory), "%.*s", (int) (strrchr(file, '/') - file), file);
	weft_c_directory_enter(directory);
	SG(options) |= SAPI_OPTION_NO_CHDIR;
}

/* One file, as zend_execute_scripts() does it, but for the exception handler: without a frame exit() or a throw in it
 * would bail out past what is to be freed. False: nothing follows. */
static bool execute_file(weft_script *script, zend_file_handle *file, zend_execute_data *root)
{
	zend_op_array *code = zend_compile_file(file, ZEND_REQUIRE);
	weft_uncaught uncaught;

	if (file->opened_path) {
		zend_hash_add_empty_element(&EG(included_files), file->opened_path);
	}
	if (!code) {
		if (EG(exception)) {
			zend_exception_error(EG(exception), E_ERROR); /* that is not for the handler */
		}
		return false;
	}
	zend_execute(code, NULL);
	weft_exception_restore();
	EG(current_execute_data) = root;
	uncaught = weft_report_exception();
	script->threw |= uncaught == WEFT_UNCAUGHT_REPORTED || uncaught == WEFT_UNCAUGHT_HANDLED;
	EG(current_execute_data) = NULL;
	zend_destroy_static_vars(code);
	destroy_op_array(code);
	efree_size(code, sizeof(zend_op_array));
	return uncaught == WEFT_UNCAUGHT_NONE;
}

static bool execute_guarded(weft_script *script, zend_file_handle *file, zend_execute_data *root)
{
	volatile bool ended = false;

	zend_try {
		ended = execute_file(script, file, root);
	} zend_end_try();
	return ended;
}

static bool execute_named(weft_script *script, const char *name, zend_execute_data *root)
{
	zend_file_handle file;
	bool ended;

	if (!name || !name[0]) {
		return true;
	}
	zend_stream_init_filename(&file, name);
	ended = execute_guarded(script, &file, root);
	zend_destroy_file_handle(&file); /* the compiler knows of it */
	return ended;
}

/* Before anything is executed, in PHP-FPM's words: it may be gone by now, or nobody's to read. */
static bool open_primary(zend_file_handle *file, const char *name)
{
	zend_stream_init_filename(file, name);
	file->primary_script = true;
	if (php_stream_open_for_zend_ex(file, USE_PATH | STREAM_OPEN_FOR_INCLUDE) == SUCCESS) {
		return true;
	}
	if (errno == EACCES) {
		SG(sapi_headers).http_response_code = 403;
		PUTS("Access denied.\n");
	} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
		SG(sapi_headers).http_response_code = 503;
		PUTS("Service unavailable.\n");
	} else {
		SG(sapi_headers).http_response_code = 404;
		PUTS("File not found.\n");
	}
	return false;
}

void weft_script_execute(weft_script *script)
{
	zend_execute_data *root = EG(current_execute_data);
	zend_file_handle file;

	go_to_its_directory(script->file);
	/* nobody has called it: its variables are the global ones */
	EG(current_execute_data) = NULL;
	if (open_primary(&file, script->file) && execute_named(script, PG(auto_prepend_file), root) &&
		execute_guarded(script, &file, root)) {
		execute_named(script, PG(auto_append_file), root);
	}
	zend_destroy_file_handle(&file);
	EG(current_execute_data) = root;
}
