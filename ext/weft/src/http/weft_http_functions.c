/*
 * Namespace Weft\Http, and a server in one process for tests.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sapi.h"
#include "http/files/weft_files.h"
#include "http/ws/weft_ws.h"
#include "interpose/weft_interpose.h"
#include "domain/weft_domain.h"
#include "domain/weft_php_request.h"
#include "globals/weft_c_state.h"
#include "reactor/weft_log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <arpa/inet.h>
#include <unistd.h>
#include "SAPI.h"
#include "main/php_main.h"
#include "main/php_output.h"
#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"
#include "weft_http_arginfo.h"

bool weft_http_finish_request(void)
{
	weft_http_request *request = weft_request_current();

	if (!request || request->response.ended) {
		return false;
	}
	php_output_end_all();
	sapi_send_headers();
	if (!request->response.ended) {
		weft_response_end(request, false);
	}
	return true;
}

ZEND_FUNCTION(Weft_Http_request_id)
{
	weft_http_request *request = weft_request_current();

	ZEND_PARSE_PARAMETERS_NONE();
	if (!request) {
		RETURN_NULL();
	}
	RETURN_STRING(weft_request_id(request));
}

/* Fit for a label of Prometheus', a log and a terminal, whatever the application has. */
static void copy_route(char to[WEFT_BOARD_ROUTE], const char *name, size_t length)
{
	size_t fits = MIN(length, WEFT_BOARD_ROUTE - 1);

	for (size_t i = 0; i < fits; i++) {
		to[i] = isalnum((unsigned char) name[i]) || (name[i] && strchr("-_./:{}?*@~+", name[i])) ? name[i] : '_';
	}
	to[fits] = '\0';
}

ZEND_FUNCTION(Weft_Http_name_route)
{
	weft_http_request *request = weft_request_current();
	char *name;
	size_t length;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STRING(name, length)
	ZEND_PARSE_PARAMETERS_END();
	if (!request || length == 0) {
		RETURN_FALSE;
	}
	copy_route(request->route, name, length);
	RETURN_TRUE;
}

ZEND_FUNCTION(Weft_Http_finish_request)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(weft_http_finish_request());
}

/* A regular file that can be read, or -1. */
static int open_file(const char *path, struct stat *status)
{
	int file = php_check_open_basedir(path) == 0 ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;

	if (file >= 0 && (fstat(file, status) != 0 || !S_ISREG(status->st_mode))) {
		close(file);
		file = -1;
	}
	return file;
}

ZEND_FUNCTION(Weft_Http_send_file)
{
	weft_http_request *request = weft_request_current();
	char *path;
	size_t path_length;
	zend_long offset = 0, length = -1;
	bool whole = true;
	struct stat status;

	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_PATH(path, path_length)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(offset)
		Z_PARAM_LONG_OR_NULL(length, whole)
	ZEND_PARSE_PARAMETERS_END();
	if (!request || request->response.ended || request->response.committed) {
		RETURN_FALSE;
	}
	int file = open_file(path, &status);
	if (file < 0) {
		RETURN_FALSE;
	}
	if (whole) {
		length = (zend_long) status.st_size - offset;
	}
	if (offset < 0 || length < 0 || offset > (zend_long) status.st_size ||
		length > (zend_long) status.st_size - offset) {
		close(file);
		RETURN_FALSE;
	}
	php_output_discard_all();
	php_output_end_all();
	sapi_send_headers();
	weft_response_end_with_file(request, file, (uint64_t) offset, (uint64_t) length);
	RETURN_TRUE;
}

/* --- the server for tests --- */

typedef struct {
	weft_watch watch; /* first */
	weft_timer timer;
	weft_http_server *server;
	weft_coroutine *main;
	bool stopping;
} test_run;

#define CHECK_IDLE (10 * WEFT_NS_PER_MS)

static void check_idle(weft_timer *timer)
{
	test_run *run = (test_run *) ((char *) timer - offsetof(test_run, timer));

	if (weft_http_server_idle(run->server)) {
		weft_wake(run->main);
	} else {
		weft_timer_arm(timer, weft_now() + CHECK_IDLE);
	}
}

static void signal_came(weft_watch *watch, uint32_t revents)
{
	test_run *run = (test_run *) watch;
	struct signalfd_siginfo info;

	/* taken, so that it does not strike when the mask is put back */
	if (read(watch->fd, &info, sizeof(info)) == (ssize_t) sizeof(info) && !run->stopping) {
		run->stopping = true;
		weft_http_server_drain(run->server, WEFT_DRAIN_NOBODY_ELSE);
		weft_timer_arm(&run->timer, weft_now());
	}
}

static zend_long number(HashTable *config, const char *name, zend_long otherwise)
{
	zval *value = zend_hash_str_find(config, name, strlen(name));

	return value ? zval_get_long(value) : otherwise;
}

static void read_config(HashTable *table, weft_http_config *config)
{
	weft_http_config_defaults(config);
#define LIMIT(name) config->name = (__typeof__(config->name)) number(table, #name, (zend_long) config->name)
	LIMIT(concurrency);
	LIMIT(connections);
	LIMIT(max_request_line);
	LIMIT(max_header_bytes);
	LIMIT(max_header_count);
	LIMIT(max_chunk_extensions);
	LIMIT(body_memory);
	LIMIT(input_memory);
	LIMIT(input_files);
	LIMIT(address_connections);
	LIMIT(address_rate);
	LIMIT(address_burst);
	LIMIT(header_timeout_ms);
	LIMIT(handshake_timeout_ms);
	LIMIT(body_timeout_ms);
	LIMIT(idle_timeout_ms);
	LIMIT(drain_ms);
	LIMIT(write_timeout_ms);
	LIMIT(silent_ms);
	LIMIT(min_rate);
	LIMIT(share);
	LIMIT(write_buffer);
	LIMIT(spool);
	LIMIT(spool_total);
	LIMIT(request_timeout_ms);
	LIMIT(timeout_is_firm);
	LIMIT(linger_ms);
	LIMIT(coroutines);
	LIMIT(max_memory);
	LIMIT(memory_share);
	LIMIT(memory_wait_ms);
	LIMIT(file_cache);
	LIMIT(file_check_ms);
	LIMIT(ranges);
	LIMIT(any_link);
	LIMIT(open_plainly);
	LIMIT(slow_ms);
	LIMIT(h2);
	LIMIT(h2_streams);
	LIMIT(h2_resets);
	LIMIT(h2_reset_rate);
	LIMIT(h2_continuations);
	LIMIT(h2_control_frames);
	LIMIT(h2_window);
	LIMIT(h2_buffer);
	LIMIT(hang_up_cancels);
	LIMIT(isolation);
	LIMIT(access_log);
	LIMIT(colour);
#undef LIMIT
	weft_log_as_json(number(table, "log_json", false) != 0);
}

static int open_listener(HashTable *config)
{
	zval *host = zend_hash_str_find(config, ZEND_STRL("host"));
	weft_http_address address = {.in = {.sin_family = AF_INET}};
	int on = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	weft_fd_fresh(fd);
	address.in.sin_port = htons((uint16_t) number(config, "port", 0));
	if (inet_pton(AF_INET, host && Z_TYPE_P(host) == IS_STRING ? Z_STRVAL_P(host) : "127.0.0.1",
			&address.in.sin_addr) != 1) {
		errno = EINVAL;
	} else if (fd >= 0) {
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		if (bind(fd, &address.any, sizeof(address.in)) == 0 && listen(fd, 511) == 0) {
			return fd;
		}
	}
	zend_throw_error(NULL, "Could not listen: %s", strerror(errno));
	if (fd >= 0) {
		close(fd);
	}
	return -1;
}

static void say_port(int fd)
{
	struct sockaddr_in address = {0};
	socklen_t length = sizeof(address);

	getsockname(fd, (struct sockaddr *) &address, &length);
	dprintf(STDOUT_FILENO, "%u\n", ntohs(address.sin_port)); /* beside the buffers that a test has begun */
	sapi_flush();
}

static int open_signals(sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, old);
	int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	weft_fd_fresh(fd);
	return fd;
}

static void serve(const weft_http_config *config, int listener, zend_fcall_info *handler, zend_fcall_info_cache *cache)
{
	static const weft_wait_info waiting = {.what = "requests", .fd = -1};
	sigset_t old;
	test_run run = {.watch.fire = signal_came, .timer.fire = check_idle};

	run.watch.fd = open_signals(&old);
	run.watch.events = WEFT_IN;
	run.main = weft_current;
	weft_ws_alone();
	run.server = weft_http_server_new(config, &listener, 1, handler, cache, &(weft_http_events){0});
	weft_watch_add(&run.watch);
	while (!run.stopping || !weft_http_server_idle(run.server)) {
		if (weft_suspend(&waiting) != 0) {
			break;
		}
	}
	weft_timer_disarm(&run.timer);
	weft_watch_remove(&run.watch);
	weft_fd_forget(run.watch.fd);
	close(run.watch.fd);
	sigprocmask(SIG_SETMASK, &old, NULL);
	weft_http_server_free(run.server);
}

ZEND_FUNCTION(Weft_Internal_serve_scripts)
{
	char *directory;
	size_t length;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_PATH(directory, length)
	ZEND_PARSE_PARAMETERS_END();
	if (!weft_collector_find() || !weft_c_autoloaders_found()) {
		zend_throw_exception_ex(spl_ce_RuntimeException, 0,
			"Weft does not find where this PHP keeps its %s, so it can't execute scripts. Report this with the output "
			"of php -v.",
			weft_c_autoloaders_found() ? "garbage" : "autoloaders");
		RETURN_THROWS();
	}
	weft_scripts_serve(directory);
}

ZEND_FUNCTION(Weft_Internal_serve_files)
{
	char *directory;
	size_t length;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_PATH(directory, length)
	ZEND_PARSE_PARAMETERS_END();
	weft_files_serve(directory, false);
}

ZEND_FUNCTION(Weft_Internal_serve_for_test)
{
	HashTable *table;
	zend_fcall_info handler;
	zend_fcall_info_cache cache;
	weft_http_config config;
	zval *root;
	int listener;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_ARRAY_HT(table)
		Z_PARAM_FUNC(handler, cache)
	ZEND_PARSE_PARAMETERS_END();
	weft_sapi_become_server();
	read_config(table, &config);
	root = zend_hash_str_find(table, ZEND_STRL("document_root"));
	if (root && Z_TYPE_P(root) == IS_STRING) {
		weft_http_set_document_root(Z_STRVAL_P(root));
	}
	root = zend_hash_str_find(table, ZEND_STRL("sendfile"));
	if (root && Z_TYPE_P(root) == IS_STRING) {
		weft_files_add_folder("/protected", Z_STRVAL_P(root));
	}
	listener = open_listener(table);
	if (listener < 0) {
		RETURN_THROWS();
	}
	weft_interpose_install();
	if (weft_scheduler_start() && (!config.isolation || weft_snapshot_take())) {
		say_port(listener);
		serve(&config, listener, &handler, &cache);
	}
	close(listener);
}

void weft_http_minit(int module_number)
{
	weft_http_config_minit(module_number);
	weft_server_variables_minit();
	weft_request_id_minit();
	weft_hang_up_minit();
	weft_ws_minit(module_number);
	zend_register_functions(NULL, ext_functions, NULL, MODULE_PERSISTENT);
}

void weft_http_rshutdown(void)
{
	weft_sapi_rshutdown();
	weft_superglobals_rshutdown();
}
