/*
 * What the zygote calls: functions for its boot, and the one in which it serves.
 */
#include "server/weft_server.h"
#include "inspect/weft_inspect.h"

#include "coroutine/weft_coroutine.h"
#include "directive/weft_directive.h"
#include "ext/json/php_json.h"
#include "ext/spl/spl_exceptions.h"
#include "interpose/weft_interpose.h"
#include "domain/weft_domain.h"
#include "main/php_ini.h"
#include "main/php_output.h"
#include "reactor/weft_log.h"
#include "server/weft_boot_output.h"
#include "server/weft_config.h"
#include "server/weft_generation.h"
#include "server/weft_join.h"
#include "server/weft_machine.h"
#include "server/weft_scout.h"
#include "server/weft_signals.h"
#include "server/weft_spare.h"
#include "server/weft_start_time.h"
#include "server/weft_trim.h"
#include "server/weft_zygote.h"
#include "tls/weft_tls.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"
#include "php_weft.h"
#include "weft_server_arginfo.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define WEFT_DEFAULT_STUCK_SECONDS 60.0
/* Percent of the machine's memory that all workers have together, and what one has at least. */
#define WEFT_SHARE_OF_MEMORY 80
#define WEFT_LEAST_MEMORY (UINT64_C(64) << 20)

/* A zygote is configured, then boots, then has workers. Other processes have none of this. */
typedef enum { ROLE_NONE, ROLE_BOOTING, ROLE_BOOTED } weft_role;

static struct {
	weft_role role;
	pid_t pid;   /* whose role it is: the application may fork while it boots */
	bool booted; /* what ends it from now on is no fault of the boot, or has been told */
	zval configuration;
	weft_listeners listeners;
	const weft_tls_vault *vault; /* NULL: no TLS */
	char *hsts, *acme;           /* as they are configured; NULL: not */
} state;

/* --- the zygote --- */

static void no_supervisor(void)
{
	zend_throw_exception(spl_ce_RuntimeException,
		"This process was not started by Weft's supervisor. Use \"bin/weft serve\" to start a server.", 0);
}

static bool is_control_socket(int fd)
{
	int type, domain;
	socklen_t length = sizeof(type);
	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || type != SOCK_SEQPACKET) {
		return false;
	}
	length = sizeof(domain);
	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_UNIX;
}

/* What the application executes must inherit none of them. */
static void keep_from_children(int fd)
{
	fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static void ignore_signal(int number)
{
}

/* A handler, not SIG_IGN: programs that the application executes get the default action back. SIGTERM ends a zygote
 * that boots. */
static void ignore_signals(void)
{
	static const int numbers[] = {SIGINT, SIGHUP, SIGUSR1, SIGUSR2};
	struct sigaction ignoring = {.sa_handler = ignore_signal, .sa_flags = SA_RESTART};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct sigaction before;
		zend_sigaction(numbers[i], NULL, &before);
		if (before.sa_handler != SIG_IGN) {
			sigaction(numbers[i], &ignoring, NULL);
		} else {
			/* PHP has put a handler of its own before it */
			signal(numbers[i], SIG_IGN);
		}
	}
	weft_signals_survive();
}

static void take_listeners(uint32_t count, const char *ports)
{
	for (uint32_t i = 0; i < count; i++) {
		int fd = WEFT_FIRST_LISTENER_FD + (int) i;
		weft_listen_add(&state.listeners, fd);
		state.listeners.ports[i] = (weft_http_port) ports[i];
		keep_from_children(fd);
	}
}

/* No line of the application's finds a descriptor by which it could be read. */
static void take_vault(int fd)
{
	state.vault = weft_tls_vault_map(fd);
	close(fd);
}

ZEND_FUNCTION(weft_server_configuration)
{
	char message[WEFT_MESSAGE_MAX];

	ZEND_PARSE_PARAMETERS_NONE();

	if (state.role != ROLE_NONE || !is_control_socket(WEFT_CONTROL_FD)) {
		no_supervisor();
		RETURN_THROWS();
	}
	ssize_t length = weft_message_receive(WEFT_CONTROL_FD, message, sizeof(message));
	const size_t head = 1 + WEFT_CONFIGURE_HEAD;
	if (length < (ssize_t) head || message[0] != WEFT_MESSAGE_CONFIGURE ||
		(unsigned char) message[1] > WEFT_MAX_LISTENERS) {
		no_supervisor();
		RETURN_THROWS();
	}
	const char *path = message + head, *json = memchr(path, '\0', (size_t) length - head);
	if (json == NULL) {
		no_supervisor();
		RETURN_THROWS();
	}
	json++;
	keep_from_children(WEFT_CONTROL_FD);
	keep_from_children(WEFT_LEASH_FD);
	keep_from_children(WEFT_BOARD_FD);
	keep_from_children(WEFT_BUS_FD);
	keep_from_children(WEFT_SPARE_FD);
	take_listeners((unsigned char) message[1], message + 5);
	state.listeners.held = message[3];
	if (message[4]) {
		take_vault(WEFT_FIRST_LISTENER_FD + (unsigned char) message[1]);
	}
	if (php_json_decode_ex(return_value, json, (size_t) (message + length - json), PHP_JSON_OBJECT_AS_ARRAY,
			PHP_JSON_PARSER_DEFAULT_DEPTH) != SUCCESS ||
		Z_TYPE_P(return_value) != IS_ARRAY) {
		no_supervisor();
		RETURN_THROWS();
	}
	if (*path != '\0') {
		add_assoc_string(return_value, "application", path);
	}
	if (message[2] != WEFT_BOOT_WARM) {
		add_assoc_bool(return_value, message[2] == WEFT_BOOT_COLD ? "cold" : "broken", true);
	}
	weft_log_as_json(weft_config_bool(Z_ARRVAL_P(return_value), "log_json", false));
	ignore_signals();
	prctl(PR_SET_NAME, "weft-zygote");
	ZVAL_COPY(&state.configuration, return_value);
	state.role = ROLE_BOOTING;
	state.pid = getpid();
}

ZEND_FUNCTION(weft_server_scout)
{
	zend_fcall_info boot;
	zend_fcall_info_cache boot_cache;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC(boot, boot_cache)
	ZEND_PARSE_PARAMETERS_END();

	if (state.role != ROLE_BOOTING) {
		no_supervisor();
		RETURN_THROWS();
	}
	weft_scout_send(&boot, &boot_cache);
}

ZEND_FUNCTION(weft_server_fork_spare)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (state.role != ROLE_BOOTING) {
		no_supervisor();
		RETURN_THROWS();
	}
	RETURN_BOOL(weft_spare_fork());
}

ZEND_FUNCTION(weft_server_wait_as_spare)
{
	zend_long most;
	double after;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_LONG(most)
		Z_PARAM_DOUBLE(after)
	ZEND_PARSE_PARAMETERS_END();

	if (state.role != ROLE_BOOTING || state.pid == getpid()) {
		no_supervisor();
		RETURN_THROWS();
	}
	zend_string *lines = weft_spare_wait((uint32_t) most, (uint64_t) (after * 1000));
	state.pid = getpid();
	RETURN_STR(lines);
}

ZEND_FUNCTION(weft_server_tell_warm)
{
	zend_string *lines;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(lines)
	ZEND_PARSE_PARAMETERS_END();

	if (state.role == ROLE_BOOTING) {
		weft_message_send(WEFT_CONTROL_FD, WEFT_MESSAGE_WARM, ZSTR_VAL(lines), ZSTR_LEN(lines));
	}
}

ZEND_FUNCTION(weft_server_last_words)
{
	zend_string *lines;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(lines)
	ZEND_PARSE_PARAMETERS_END();

	if (state.role != ROLE_BOOTING) {
		no_supervisor();
		RETURN_THROWS();
	}
	weft_message_send(WEFT_CONTROL_FD, WEFT_MESSAGE_WARM, ZSTR_VAL(lines), ZSTR_LEN(lines));
	_exit(0);
}

ZEND_FUNCTION(weft_server_warming)
{
	double seconds;
	char text[32];

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_DOUBLE(seconds)
	ZEND_PARSE_PARAMETERS_END();

	/* an audit warms up as well, and nobody watches it */
	if (state.role == ROLE_BOOTING) {
		state.booted = true;
		weft_boot_output_release();
		int length = snprintf(text, sizeof(text), "%" PRIu64, (uint64_t) (seconds * 1000));
		weft_message_send(WEFT_CONTROL_FD, WEFT_MESSAGE_WARMING, text, (size_t) length);
	}
}

ZEND_FUNCTION(weft_server_join_machines)
{
	zend_string *url, *channel;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_PATH_STR(url)
		Z_PARAM_PATH_STR(channel)
	ZEND_PARSE_PARAMETERS_END();

	weft_join_machines(url, channel, state.role == ROLE_BOOTING && state.pid == getpid() ? WEFT_CONTROL_FD : -1);
}

/* Says why on stderr, and to the supervisor. */
static void refuse(const char *why, size_t length)
{
	weft_log("weft: the application did not boot: %s", why);
	weft_message_send(WEFT_CONTROL_FD, WEFT_MESSAGE_REFUSED, why, MIN(length, WEFT_REASON_MAX));
}

ZEND_FUNCTION(weft_server_not_booted)
{
	zend_string *why;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(why)
	ZEND_PARSE_PARAMETERS_END();

	if (state.role != ROLE_BOOTING) {
		no_supervisor();
		RETURN_THROWS();
	}
	weft_boot_output_release();
	refuse(ZSTR_VAL(why), ZSTR_LEN(why));
	state.booted = true;
}

ZEND_FUNCTION(weft_server_become_server)
{
	ZEND_PARSE_PARAMETERS_NONE();
	weft_sapi_become_server();
	if (state.role == ROLE_BOOTING) {
		weft_boot_output_hold();
	}
}

/* The rest is for who else is there: OPcache, the zygote, the database on small machines. */
static size_t share_of_memory(uint64_t workers)
{
	uint64_t share = weft_machine_memory() / 100 * WEFT_SHARE_OF_MEMORY / MAX(workers, 1);

	return share ? MAX(share, WEFT_LEAST_MEMORY) : 0;
}

/* The command has looked at them; what is none is trusted by nobody. */
static void trust_proxies(HashTable *config)
{
	zval *proxies = weft_config_find(config, "trusted_proxies"), *proxy;

	if (proxies != NULL && Z_TYPE_P(proxies) == IS_ARRAY) {
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(proxies), proxy) {
			if (Z_TYPE_P(proxy) == IS_STRING && !weft_forwarded_trust(Z_STRVAL_P(proxy))) {
				weft_process_say("%s is no address of a proxy", Z_STRVAL_P(proxy));
			}
		} ZEND_HASH_FOREACH_END();
	}
}

/* A list of pairs of strings. */
static void take_pairs(HashTable *config, const char *name, void (*take)(const char *first, const char *second))
{
	zval *rules = weft_config_find(config, name), *rule;

	if (rules != NULL && Z_TYPE_P(rules) == IS_ARRAY) {
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(rules), rule) {
			zval *pattern = Z_TYPE_P(rule) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(rule), 0) : NULL;
			zval *value = pattern ? zend_hash_index_find(Z_ARRVAL_P(rule), 1) : NULL;

			if (value && Z_TYPE_P(pattern) == IS_STRING && Z_TYPE_P(value) == IS_STRING) {
				take(Z_STRVAL_P(pattern), Z_STRVAL_P(value));
			}
		} ZEND_HASH_FOREACH_END();
	}
}

/* NULL: it is not there. What the configuration has is gone when the workers serve. */
static char *copy_text(HashTable *config, const char *key, const char *format)
{
	const char *text = weft_config_text(config, key);
	char *copy = NULL;

	return text != NULL && asprintf(&copy, format, text) >= 0 ? copy : NULL;
}

static void configure_worker(weft_worker_options *options, HashTable *config)
{
	weft_http_config_defaults(&options->http);
	options->http.concurrency = (uint32_t) weft_config_long(config, "concurrency", options->http.concurrency);
	options->http.request_timeout_ms = weft_config_ms(config, "request_timeout",
		options->http.request_timeout_ms / 1000.0);
	options->http.timeout_is_firm |= weft_config_find(config, "request_timeout") != NULL;
	options->http.slow_ms = weft_config_ms(config, "slow", options->http.slow_ms / 1000.0);
	options->http.max_memory = (size_t) weft_config_long(config, "max_memory", (zend_long) options->http.max_memory);
	if (!options->http.max_memory) {
		options->http.max_memory = share_of_memory((uint64_t) weft_config_long(config, "workers", 1));
	}
	options->http.isolation = weft_config_bool(config, "isolation", true);
	options->http.access_log = weft_config_bool(config, "access_log", options->http.access_log);
	options->http.colour = weft_config_bool(config, "colour", false);
	options->http.log_fd = STDOUT_FILENO;
	options->http.ports = state.listeners.ports;
	options->http.vault = state.vault;
	options->http.hsts = state.hsts = copy_text(config, "hsts", "Strict-Transport-Security: %s\r\n");
	options->http.acme = state.acme = copy_text(config, "acme_webroot", "%s");
	options->grace_ms = weft_config_ms(config, "grace", WEFT_DEFAULT_GRACE_SECONDS);
	options->max_requests = (uint64_t) weft_config_long(config, "max_requests", 0);
	options->max_lifetime_ns = (uint64_t) weft_config_long(config, "max_lifetime", 0) * WEFT_NS_PER_SEC;
	trust_proxies(config);
	take_pairs(config, "cache_control", weft_files_add_rule);
	take_pairs(config, "sendfile", weft_files_add_folder);
	options->stuck_ms = weft_config_ms(config, "stuck_timeout", WEFT_DEFAULT_STUCK_SECONDS);
}

/* Once for each zygote: the base is the same in all its workers. */
static void name_uncovered(void)
{
	zend_string *line = weft_uncovered_line();

	if (line) {
		weft_log("weft: %s", ZSTR_VAL(line));
		zend_string_release(line);
	}
}

/* The zygote's copy of what the boot registered for the end of a request belongs to requests. */
static void end_without_application(bool in_worker)
{
	php_output_discard_all();
	php_free_shutdown_functions();
	if (in_worker) {
		/* objects of the boot are the zygote's: their destructors run once, there */
		zend_objects_store_mark_destructed(&EG(objects_store));
	}
	EG(exit_status) = 0;
	zend_throw_unwind_exit();
}

/* A warm-up has taken one, and has left objects of ours in it. */
static bool take_snapshot(void)
{
	return weft_snapshot_taken() ? weft_snapshot_take_again() : weft_snapshot_take();
}

ZEND_FUNCTION(weft_server_run)
{
	zend_fcall_info handler;
	zend_fcall_info_cache handler_cache;
	HashTable *about = NULL;
	zval about_value;
	smart_str json = {0};

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_FUNC(handler, handler_cache)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT(about)
	ZEND_PARSE_PARAMETERS_END();

	if (state.role != ROLE_BOOTING) {
		no_supervisor();
		RETURN_THROWS();
	}
	if (about != NULL) {
		ZVAL_ARR(&about_value, about);
		php_json_encode(&json, &about_value, PHP_JSON_PARTIAL_OUTPUT_ON_ERROR);
	}
	smart_str_0(&json);
	HashTable *config = Z_ARRVAL(state.configuration);
	weft_zygote_options options = {
		.control = WEFT_CONTROL_FD,
		.listeners = state.listeners,
		.board = weft_board_map(WEFT_BOARD_FD),
		.workers = weft_config_workers(config),
		.retiring_workers = (uint32_t) MIN(WEFT_G(retiring_workers), UINT32_MAX),
		.about = json.s != NULL ? ZSTR_VAL(json.s) : "",
		.about_length = json.s != NULL ? ZSTR_LEN(json.s) : 0,
		.worker = {.handler = &handler, .handler_cache = &handler_cache, .leash = WEFT_LEASH_FD, .bus = WEFT_BUS_FD},
	};
	configure_worker(&options.worker, config);
	weft_boot_output_release();
	/* before the snapshot: nothing of ours is to be part of the base */
	zval_ptr_dtor(&state.configuration);
	ZVAL_UNDEF(&state.configuration);
	/* garbage goes before the snapshot, which would hold it */
	gc_collect_cycles();
	/* here, not only in each worker: the pages it writes to stay shared. It warns where it fails; without a
	 * library's calls the others still yield. */
	weft_interpose_install();
	if (options.worker.http.isolation && !take_snapshot()) {
		smart_str_free(&json);
		RETURN_THROWS();
	}
	if (options.worker.http.isolation) {
		name_uncovered();
	}
	/* Free pages that the boot has written to would stay with the zygote and be copied by whichever worker writes
	 * to them next; given back, they are nobody's. */
	weft_trim_memory();
	state.role = ROLE_BOOTED;
	bool in_worker = weft_zygote_run(&options);
	smart_str_free(&json);
	end_without_application(in_worker);
}

ZEND_FUNCTION(weft_server_start_time_constant)
{
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();
	if (!weft_start_time_constant(name)) {
		zend_argument_value_error(1, "must be the name of a constant that is a float");
	}
}

ZEND_FUNCTION(weft_server_unknown_directives)
{
	zend_string *name;

	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	ZEND_HASH_FOREACH_STR_KEY(php_ini_get_configuration_hash(), name) {
		if (name && zend_string_starts_with_literal(name, "weft.") && !zend_hash_exists(EG(ini_directives), name)) {
			add_next_index_stringl(return_value, ZSTR_VAL(name), ZSTR_LEN(name));
		}
	}
	ZEND_HASH_FOREACH_END();
}

ZEND_FUNCTION(weft_server_refused_directives)
{
	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	weft_directives_refused(return_value);
}

/* --- module life --- */

void weft_server_minit(void)
{
	zend_register_functions(NULL, ext_functions, NULL, MODULE_PERSISTENT);
}

/* What it has printed last tells why, if anything does: "No database is configured." */
static void refuse_exit(void)
{
	zend_string *printed = weft_boot_output_take();
	zend_string *why = zend_strpprintf(0, "it has called exit(), with status %d%s%s", EG(exit_status),
		printed ? ". It has printed:\n" : "", printed ? ZSTR_VAL(printed) : "");

	refuse(ZSTR_VAL(why), ZSTR_LEN(why));
	zend_string_release(why);
	if (printed) {
		zend_string_release(printed);
	}
}

void weft_server_rshutdown(void)
{
	if (state.role != ROLE_BOOTING) {
		return;
	}
	if (PG(last_error_message) != NULL && (PG(last_error_type) & E_FATAL_ERRORS)) {
		zend_string *why = zend_strpprintf(0, "%s in %s on line %d", ZSTR_VAL(PG(last_error_message)),
			PG(last_error_file) != NULL ? ZSTR_VAL(PG(last_error_file)) : "unknown file", PG(last_error_lineno));
		refuse(ZSTR_VAL(why), ZSTR_LEN(why));
		zend_string_release(why);
	} else if (weft_sapi_is_server() && !state.booted && state.pid == getpid()) {
		refuse_exit();
	}
	zval_ptr_dtor(&state.configuration);
	ZVAL_UNDEF(&state.configuration);
}
