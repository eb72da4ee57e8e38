/*
 * PHP's side of the server: the sapi_module that the engine calls, and the superglobals.
 */
#include "http/weft_coding.h"
#include "http/weft_http_internal.h"
#include "http/weft_sapi.h"
#include "reactor/weft_log.h"
#include "weft_compat.h"

#include <syslog.h>
#include <unistd.h>
#include "SAPI.h"
#include "main/php_ini.h"
#include "main/php_main.h"
#include "main/php_output.h"
#include "main/php_variables.h"
#include "zend_ini_scanner.h"

/* Exported by the PHP binary, in no header. */
extern PHPAPI char *php_ini_opened_path;
extern PHPAPI char *php_ini_scanned_files;

static bool is_server;
/* The command line's own, for what is printed outside a request. */
static sapi_module_struct before;
static void (*divert)(const char *data, size_t length);

/* --- output --- */

/* A callback at the request's end has thrown or called exit(). PHP has no frame there and bails out, so nothing that is
 * still in a buffer is sent. Here is one, so PHP passes on what the callback was given. */
static bool output_is_lost(const weft_http_request *request)
{
	if (request->ending != WEFT_END_OUTPUT || !EG(exception)) {
		return false;
	}
	php_output_set_status(PHP_OUTPUT_DISABLED);
	return true;
}

void weft_http_divert_output(void (*take)(const char *data, size_t length))
{
	divert = take;
}

static size_t base_write(const char *data, size_t length)
{
	if (!divert) {
		return before.ub_write(data, length);
	}
	divert(data, length);
	return length;
}

static size_t sapi_write(const char *data, size_t length)
{
	weft_http_request *request = SG(server_context);

	if (!request) {
		/* The base prints where the command line prints. A domain whose request is over prints nowhere. */
		return weft_domain_in_place ? length : base_write(data, length);
	}
	if (request->response.ended || output_is_lost(request)) {
		return length;
	}
	request->references++; /* who waits for its client may outlive it */
	if (request->exchange) {
		weft_response_write(request, data, length);
	}
	if (!request->response.ended && !request->exchange) {
		weft_request_tell_aborted(request);
	}
	weft_request_release(request);
	return length;
}

static void sapi_flush_response(void *context)
{
	weft_http_request *request = context;

	if (!request) {
		if (!weft_domain_in_place) {
			before.flush(context);
		}
		return;
	}
	if (SG(headers_sent) && request->response.head_ready && !request->response.ended) {
		request->references++;
		if (request->exchange) {
			weft_response_flush(request);
		}
		if (!request->response.ended && !request->exchange) {
			weft_request_tell_aborted(request);
		}
		weft_request_release(request);
	}
}

static int sapi_take_headers(sapi_headers_struct *headers)
{
	weft_http_request *request = SG(server_context);

	if (request && output_is_lost(request)) {
		return SAPI_HEADER_SEND_FAILED; /* for now: the exception may change the status */
	}
	if (request && !request->response.head_ready) {
		weft_response_headers(request, headers);
	}
	return SAPI_HEADER_SENT_SUCCESSFULLY;
}

static void take_timeout(weft_http_request *request, const char *value)
{
	if (!weft_time_limit_set(request, value)) {
		php_error_docref(NULL, E_WARNING,
			"X-Weft-Timeout must be a number of seconds from 0 to %d, \"%s\" given; it changes nothing", WEFT_HTTP_DAY,
			value);
	}
}

static void take_compression(weft_http_request *request, const char *value)
{
	if (!weft_compress_set(request, value)) {
		php_error_docref(NULL, E_WARNING,
			"X-Weft-Compression must be \"on\" or \"off\", \"%s\" given; it changes nothing", value);
	}
}

/* Words of the application to the server: no client gets them. */
static const struct {
	const char *name;
	void (*take)(weft_http_request *request, const char *value);
} for_server[] = {
	{"Timeout:", take_timeout},
	{"Compression:", take_compression},
};

static bool is_for_server(const sapi_header_struct *header)
{
	static const char prefix[] = "X-Weft-";
	weft_http_request *request = SG(server_context);

	if (strncasecmp(header->header, prefix, sizeof(prefix) - 1) != 0) {
		return false;
	}
	for (size_t i = 0; i < sizeof(for_server) / sizeof(for_server[0]); i++) {
		const char *rest = header->header + sizeof(prefix) - 1;
		size_t length = strlen(for_server[i].name);

		if (strncasecmp(rest, for_server[i].name, length) == 0) {
			if (request) {
				for_server[i].take(request, rest + length + strspn(rest + length, " \t"));
			}
			return true;
		}
	}
	return false;
}

/* The last line that was fit: nearly every answer has the same one, its type. */
static struct {
	char line[128];
	size_t length;
} fit;

static void keep_fit(const sapi_header_struct *header)
{
	if (header->header_len <= sizeof(fit.line)) {
		memcpy(fit.line, header->header, header->header_len);
		fit.length = header->header_len;
	}
}

/* PHP has refused CR, LF and NUL; what is left to refuse is what no client would understand. */
static int sapi_check_header(sapi_header_struct *header, sapi_header_op_enum op, sapi_headers_struct *headers)
{
	const char *colon;

	if (op == SAPI_HEADER_DELETE || op == SAPI_HEADER_DELETE_ALL) {
		return 0;
	}
	if (fit.length && header->header_len == fit.length && memcmp(header->header, fit.line, fit.length) == 0) {
		return SAPI_HEADER_ADD;
	}
	colon = memchr(header->header, ':', header->header_len);
	if (!colon || !weft_http_is_token(header->header, (size_t) (colon - header->header))) {
		php_error_docref(NULL, E_WARNING, "A header must be of the form \"Name: value\"; it was not sent");
		return 0;
	}
	if (is_for_server(header)) {
		return 0;
	}
	for (const char *c = colon; c < header->header + header->header_len; c++) {
		if (((unsigned char) *c < ' ' && *c != '\t') || *c == 127) {
			php_error_docref(NULL, E_WARNING, "A header must not contain control characters; it was not sent");
			return 0;
		}
	}
	keep_fit(header);
	return SAPI_HEADER_ADD;
}

/* --- input --- */

static size_t sapi_read_body(char *buffer, size_t length)
{
	weft_http_request *request = SG(server_context);
	size_t left;

	if (!request) {
		return 0;
	}
	left = (size_t) MIN((uint64_t) length, request->body_length - request->body_read);
	if (left == 0) {
		return 0;
	}
	if (request->body_file >= 0) {
		size_t got = 0;
		while (got < left) {
			ssize_t n = pread(request->body_file, buffer + got, left - got, (off_t) (request->body_read + got));
			if (n <= 0) {
				break;
			}
			got += (size_t) n;
		}
		left = got;
	} else {
		memcpy(buffer, weft_buffer_data(&request->body) + request->body_read, left);
	}
	request->body_read += left;
	return left;
}

static char *sapi_read_cookie_header(void)
{
	weft_http_request *request = SG(server_context);

	return request ? request->cookies : NULL;
}

/* getenv() sees the request's variables, as under any web server; the process environment comes after. What
 * $_SERVER has of the boot is not the request's: putenv() may have changed it since. */
static char *sapi_read_environment(const char *name, size_t length)
{
	zval *server = &PG(http_globals)[TRACK_VARS_SERVER];
	zval *value;

	if (!SG(server_context) || Z_TYPE_P(server) != IS_ARRAY || weft_sapi_is_of_boot(name, length)) {
		return NULL;
	}
	value = zend_hash_str_find(Z_ARRVAL_P(server), name, length);
	return value && Z_TYPE_P(value) == IS_STRING ? Z_STRVAL_P(value) : NULL;
}

static zend_result sapi_request_time(double *time)
{
	weft_http_request *request = SG(server_context);

	if (!request) {
		return FAILURE;
	}
	*time = weft_request_time(request);
	return SUCCESS;
}

/* --- the rest --- */

/* What error_log() is given comes as a notice, be it the worst of news. */
static const char *level_of(int syslog_type)
{
	switch (syslog_type) {
		case LOG_WARNING: return "warning";
		case LOG_INFO: return "info";
		case LOG_DEBUG: return "debug";
		default: return "error";
	}
}

static void sapi_log(const char *message, int syslog_type)
{
	if (divert && (PG(last_error_type) & E_FATAL_ERRORS)) {
		return;
	}
	if (weft_log_is_json()) {
		weft_log_at(level_of(syslog_type), "%s", message);
	} else {
		char stamp[WEFT_LOG_STAMP];

		weft_log_stamp(stamp);
		weft_log("%s%s", stamp, message);
	}
}

static int sapi_nothing(void)
{
	return SUCCESS;
}

/* PHP_SAPI was registered as "cli" when the process started. */
static void rename_sapi_constant(void)
{
	zend_constant *constant = zend_hash_str_find_ptr(EG(zend_constants), ZEND_STRL("PHP_SAPI"));

	if (constant) {
		/* the old value may be known to compiled code; it is never freed */
		ZVAL_INTERNED_STR(&constant->value, zend_string_init_interned(ZEND_STRL("weft"), 1));
	}
}

/* The command line forces its own values on these directives; a server has the configuration's. */
typedef struct {
	const char *name;
	const char *value; /* PHP's default until php.ini or -d says otherwise */
	uint32_t forced;   /* how often the command line's own settings are still to be skipped */
	char *found;
} web_directive;

static web_directive web_directives[] = {
	{"html_errors", "1", 0, NULL},
	{"register_argc_argv", WEFT_DEFAULT_ARGC_ARGV, 0, NULL},
	{"implicit_flush", "0", 0, NULL},
	{"output_buffering", "0", 0, NULL},
	{"max_execution_time", "30", 0, NULL},
};

static void note_directive(zval *name, zval *value, zval *index, int type, void *arg)
{
	if (type != ZEND_INI_PARSER_ENTRY || !name || !value || Z_TYPE_P(value) != IS_STRING) {
		return;
	}
	for (size_t i = 0; i < sizeof(web_directives) / sizeof(web_directives[0]); i++) {
		web_directive *directive = &web_directives[i];
		if (strcmp(Z_STRVAL_P(name), directive->name) == 0) {
			if (directive->forced > 0) {
				directive->forced--;
			} else {
				free(directive->found);
				directive->found = strdup(Z_STRVAL_P(value));
			}
		}
	}
}

static void read_ini_file(const char *path)
{
	zend_file_handle file;
	FILE *stream = fopen(path, "r");

	if (stream) {
		zend_stream_init_fp(&file, stream, path);
		zend_parse_ini_file(&file, 1, ZEND_INI_SCANNER_NORMAL, note_directive, NULL);
		zend_destroy_file_handle(&file);
	}
}

static void read_scanned_files(void)
{
	char *files = php_ini_scanned_files ? strdup(php_ini_scanned_files) : NULL;
	char *rest = files;
	char *file;

	while (files && (file = strsep(&rest, ",\n")) != NULL) {
		if (*file) {
			read_ini_file(file);
		}
	}
	free(files);
}

static void apply_web_directives(void)
{
	if (php_ini_opened_path) {
		read_ini_file(php_ini_opened_path);
	}
	read_scanned_files();
	if (sapi_module.ini_entries) {
		/* the command line's own settings come first in it, then the user's -d options */
		for (size_t i = 0; i < sizeof(web_directives) / sizeof(web_directives[0]); i++) {
			web_directives[i].forced = 1;
		}
		char *entries = strdup(sapi_module.ini_entries);
		zend_parse_ini_string(entries, 1, ZEND_INI_SCANNER_NORMAL, note_directive, NULL);
		free(entries);
	}
	for (size_t i = 0; i < sizeof(web_directives) / sizeof(web_directives[0]); i++) {
		const web_directive *directive = &web_directives[i];
		const char *value = directive->found ? directive->found : directive->value;
		zend_string *name = zend_string_init(directive->name, strlen(directive->name), 0);
		/* not as the system, or no application could change it any more */
		zend_alter_ini_entry_chars_ex(name, value, strlen(value), PHP_INI_USER, PHP_INI_STAGE_ACTIVATE, true);
		zend_string_release(name);
	}
}

/* How the globals of FFI begin. */
typedef struct {
	int restriction;
	bool is_cli;
} ffi_globals_head;

#define FFI_PRELOAD 2

/* ffi.enable=preload, the default, lets preloaded code alone call C, but on the command line everybody, and this
 * process began there. Where that can't be taken back, nobody may, unless code is preloaded that would lose it. */
static void withhold_ffi(void)
{
	const zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("ffi"));
	const char *enable = zend_ini_string(ZEND_STRL("ffi.enable"), 0);
	const char *preload = zend_ini_string(ZEND_STRL("opcache.preload"), 0);
	ffi_globals_head *globals = module ? module->globals_ptr : NULL;
	zend_string *name;

	if (!globals || !enable || strcasecmp(enable, "preload") != 0) {
		return;
	}
	if (globals->restriction == FFI_PRELOAD && *(unsigned char *) &globals->is_cli == 1) {
		globals->is_cli = false;
	} else if (!(preload && *preload)) {
		name = zend_string_init(ZEND_STRL("ffi.enable"), 0);
		zend_alter_ini_entry_chars(name, "0", 1, PHP_INI_SYSTEM, PHP_INI_STAGE_ACTIVATE);
		zend_string_release(name);
	}
}

bool weft_sapi_is_server(void)
{
	return is_server;
}

void weft_sapi_become_server(void)
{
	if (is_server) {
		return;
	}
	is_server = true;
	before = sapi_module;
	SG(server_context) = NULL; /* 8.4's command line keeps its own there */
	weft_cpu_limit_become_server();
	apply_web_directives();
	sapi_module.name = "weft";
	sapi_module.pretty_name = "Weft";
	sapi_module.activate = NULL;
	sapi_module.deactivate = sapi_nothing;
	sapi_module.ub_write = sapi_write;
	sapi_module.flush = sapi_flush_response;
	sapi_module.getenv = sapi_read_environment;
	sapi_module.header_handler = sapi_check_header;
	sapi_module.send_headers = sapi_take_headers;
	sapi_module.send_header = NULL;
	sapi_module.read_post = sapi_read_body;
	sapi_module.read_cookies = sapi_read_cookie_header;
	sapi_module.register_server_variables = weft_sapi_server_variables;
	sapi_module.log_message = sapi_log;
	sapi_module.get_request_time = sapi_request_time;
	sapi_module.phpinfo_as_text = 0;
	rename_sapi_constant();
	withhold_ffi();
	weft_hang_up_become_server();
	weft_stderr_become_server();
	weft_sapi_register_functions();
	SG(request_info).argc = 0;
	SG(request_info).argv = NULL;
	if (PG(expose_php)) {
		/* the boot may remove it, as any script may; the command line keeps no headers */
		sapi_add_header(SAPI_PHP_VERSION_HEADER, sizeof(SAPI_PHP_VERSION_HEADER) - 1, 1);
	}
	php_output_set_implicit_flush(0);
}
