/*
 * What the command calls: functions of the supervisor, of the zygote while it boots, and the one in which it serves.
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
#include "server/weft_machine.h"
#include "server/weft_scout.h"
#include "server/weft_start_time.h"
#include "server/weft_supervisor.h"
#include "server/weft_trim.h"
#include "server/weft_zygote.h"
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

#define WEFT_DEFAULT_GRACE_SECONDS 10.0
#define WEFT_DEFAULT_STUCK_SECONDS 60.0
#define WEFT_DEFAULT_RELOAD_GRACE_SECONDS 60.0
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
} state;

static zval *config_find(HashTable *table, const char *key)
{
	return zend_hash_str_find_deref(table, key, strlen(key));
}

static zend_long find_long(HashTable *table, const char *key, zend_long otherwise)
{
	zval *value = config_find(table, key);
	return value != NULL ? zval_get_long(value) : otherwise;
}

static uint32_t find_workers(HashTable *table)
{
	return (uint32_t) find_long(table, "workers", 1);
}

static bool find_bool(HashTable *table, const char *key, bool otherwise)
{
	zval *value = config_find(table, key);
	return value != NULL ? zend_is_true(value) : otherwise;
}

static uint32_t find_ms(HashTable *table, const char *key, double otherwise)
{
	zval *value = config_find(table, key);
	double seconds = value != NULL ? zval_get_double(value) : otherwise;
	return (uint32_t) (seconds * 1000);
}

/* --- the supervisor --- */

typedef struct {
	zend_fcall_info info;
	zend_fcall_info_cache cache;
	const weft_listeners *listeners, *admin;
} ready_callback;

static void add_addresses(zval *about, const char *name, const weft_listeners *listeners)
{
	zval addresses;
	array_init(&addresses);
	for (uint32_t i = 0; i < listeners->count; i++) {
		add_next_index_str(&addresses, weft_listen_address(listeners->fds[i]));
	}
	add_assoc_zval(about, name, &addresses);
}

static bool call_ready(void *arg, const char *json, size_t length)
{
	ready_callback *ready = arg;
	zval about, result;
	if (php_json_decode_ex(&about, json, length, PHP_JSON_OBJECT_AS_ARRAY, PHP_JSON_PARSER_DEFAULT_DEPTH) != SUCCESS ||
		Z_TYPE(about) != IS_ARRAY) {
		array_init(&about);
	}
	SEPARATE_ARRAY(&about);
	add_addresses(&about, "addresses", ready->listeners);
	add_addresses(&about, "admin", ready->admin);
	ZVAL_UNDEF(&result);
	ready->info.retval = &result;
	ready->info.params = &about;
	ready->info.param_count = 1;
	zend_call_function(&ready->info, &ready->cache);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&about);
	return !EG(exception);
}

static bool open_listeners(weft_listeners *listeners, HashTable *config, const char *key)
{
	zval *pairs = config_find(config, key), *pair;
	if (pairs == NULL || Z_TYPE_P(pairs) != IS_ARRAY) {
		zend_argument_value_error(1, "must have a \"%s\" list of host and port", key);
		return false;
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(pairs), pair) {
		zval *host = Z_TYPE_P(pair) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(pair), 0) : NULL;
		zval *port = Z_TYPE_P(pair) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(pair), 1) : NULL;
		if (host == NULL || Z_TYPE_P(host) != IS_STRING || port == NULL || Z_TYPE_P(port) != IS_LONG) {
			zend_argument_value_error(1, "must have a \"%s\" list of host and port", key);
			weft_listen_close(listeners);
			return false;
		}
		if (!weft_listen_open(listeners, Z_STRVAL_P(host), Z_LVAL_P(port))) {
			return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

/* Those where clients come may be another's, which has handed them on. The admin address is a server's own. */
static bool open_all_listeners(weft_supervisor_options *options, HashTable *config)
{
	weft_listeners *listeners = &options->generations.listeners;
	if (!weft_listen_inherit(listeners) && !open_listeners(listeners, config, "listen")) {
		return false;
	}
	if (config_find(config, "admin") != NULL && !open_listeners(&options->admin, config, "admin")) {
		weft_listen_close(listeners);
		return false;
	}
	return true;
}

static char **command_line(HashTable *config, const char *key)
{
	zval *words = config_find(config, key), *word;
	if (words == NULL || Z_TYPE_P(words) != IS_ARRAY || zend_hash_num_elements(Z_ARRVAL_P(words)) == 0) {
		zend_argument_value_error(1, "must have a \"%s\" list of strings", key);
		return NULL;
	}
	char **argv = ecalloc(zend_hash_num_elements(Z_ARRVAL_P(words)) + 1, sizeof(*argv)), **next = argv;
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(words), word) {
		if (Z_TYPE_P(word) != IS_STRING) {
			zend_argument_value_error(1, "must have a \"%s\" list of strings", key);
			efree(argv);
			return NULL;
		}
		*next++ = Z_STRVAL_P(word);
	} ZEND_HASH_FOREACH_END();
	return argv;
}

/* NULL: none is wanted. In a directory it has the name of the first address, which no other server has. */
static zend_string *control_path(HashTable *config, const weft_listeners *listeners)
{
	zval *control = config_find(config, "control");
	if (control == NULL || Z_TYPE_P(control) != IS_STRING || Z_STRLEN_P(control) == 0) {
		return NULL;
	}
	if (Z_STRVAL_P(control)[Z_STRLEN_P(control) - 1] != '/') {
		return zend_string_copy(Z_STR_P(control));
	}
	zend_string *address = weft_listen_address(listeners->fds[0]);
	zend_string *path = zend_strpprintf(0, "%s%s.sock", Z_STRVAL_P(control), ZSTR_VAL(address));
	zend_string_release(address);
	return path;
}

/* Executes the command that started this server. Returns an exit status when that is impossible. */
static int start_anew(HashTable *config, weft_listeners *listeners)
{
	char **argv = command_line(config, "restart");
	if (argv == NULL) {
		weft_listen_close(listeners);
		return EXIT_FAILURE;
	}
	weft_listen_hand_on(listeners, argv);
	weft_process_say("the server can't be started anew: %s: %s", argv[0], strerror(errno));
	weft_listen_close(listeners);
	efree(argv);
	return EXIT_FAILURE;
}

ZEND_FUNCTION(weft_server_supervise)
{
	HashTable *config;
	ready_callback ready;
	weft_supervisor_options options = {.on_ready = call_ready, .arg = &ready};
	smart_str json = {0};

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_ARRAY_HT(config)
		Z_PARAM_FUNC(ready.info, ready.cache)
	ZEND_PARSE_PARAMETERS_END();

	weft_generation_options *generations = &options.generations;
	generations->argv = command_line(config, "command");
	if (generations->argv == NULL) {
		RETURN_THROWS();
	}
	zval *application = config_find(config, "application"), *configuration = config_find(config, "configuration");
	if (configuration == NULL || php_json_encode(&json, configuration, 0) != SUCCESS || json.s == NULL) {
		zend_argument_value_error(1, "must have a \"configuration\" that can be written as JSON");
		goto done;
	}
	smart_str_0(&json);
	generations->configuration = ZSTR_VAL(json.s);
	generations->configuration_length = ZSTR_LEN(json.s);
	generations->application = application != NULL && Z_TYPE_P(application) == IS_STRING ? Z_STRVAL_P(application)
																						 : NULL;
	generations->workers = Z_TYPE_P(configuration) == IS_ARRAY ? find_workers(Z_ARRVAL_P(configuration)) : 1;
	weft_log_as_json(find_bool(config, "log_json", false));
	options.grace_ms = find_ms(config, "grace", WEFT_DEFAULT_GRACE_SECONDS);
	options.reload_grace_ms = find_ms(config, "reload_grace", WEFT_DEFAULT_RELOAD_GRACE_SECONDS);
	ready.listeners = &generations->listeners;
	ready.admin = &options.admin;
	if (open_all_listeners(&options, config)) {
		zend_string *control = control_path(config, &generations->listeners);
		options.control = control != NULL ? ZSTR_VAL(control) : NULL;
		options.control_wanted = find_bool(config, "control_wanted", false);
		zval *ignore = config_find(config, "watch_ignore");
		options.watch_ignore = ignore != NULL && Z_TYPE_P(ignore) == IS_STRING ? Z_STRVAL_P(ignore) : NULL;
		int status = weft_supervisor_run(&options);
		if (control != NULL) {
			zend_string_release(control);
		}
		RETVAL_LONG(status == WEFT_RESTART ? start_anew(config, &generations->listeners) : status);
	}
done:
	smart_str_free(&json);
	efree(generations->argv);
}

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
	if (length < 3 || message[0] != WEFT_MESSAGE_CONFIGURE || (unsigned char) message[1] > WEFT_MAX_LISTENERS) {
		no_supervisor();
		RETURN_THROWS();
	}
	const char *path = message + 3, *json = memchr(path, '\0', (size_t) length - 3);
	if (json == NULL) {
		no_supervisor();
		RETURN_THROWS();
	}
	json++;
	keep_from_children(WEFT_CONTROL_FD);
	keep_from_children(WEFT_LEASH_FD);
	keep_from_children(WEFT_BOARD_FD);
	state.listeners.count = (unsigned char) message[1];
	for (uint32_t i = 0; i < state.listeners.count; i++) {
		state.listeners.fds[i] = WEFT_FIRST_LISTENER_FD + (int) i;
		keep_from_children(state.listeners.fds[i]);
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
	weft_log_as_json(find_bool(Z_ARRVAL_P(return_value), "log_json", false));
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
	zval *proxies = config_find(config, "trusted_proxies"), *proxy;

	if (proxies != NULL && Z_TYPE_P(proxies) == IS_ARRAY) {
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(proxies), proxy) {
			if (Z_TYPE_P(proxy) == IS_STRING && !weft_forwarded_trust(Z_STRVAL_P(proxy))) {
				weft_process_say("%s is no address of a proxy", Z_STRVAL_P(proxy));
			}
		} ZEND_HASH_FOREACH_END();
	}
}

static void configure_worker(weft_worker_options *options, HashTable *config)
{
	weft_http_config_defaults(&options->http);
	options->http.concurrency = (uint32_t) find_long(config, "concurrency", options->http.concurrency);
	options->http.request_timeout_ms = find_ms(config, "request_timeout", options->http.request_timeout_ms / 1000.0);
	options->http.slow_ms = find_ms(config, "slow", options->http.slow_ms / 1000.0);
	options->http.max_memory = (size_t) find_long(config, "max_memory", (zend_long) options->http.max_memory);
	if (!options->http.max_memory) {
		options->http.max_memory = share_of_memory((uint64_t) find_long(config, "workers", 1));
	}
	options->http.isolation = find_bool(config, "isolation", true);
	options->http.access_log = find_bool(config, "access_log", options->http.access_log);
	options->http.colour = find_bool(config, "colour", false);
	options->http.log_fd = STDOUT_FILENO;
	options->grace_ms = find_ms(config, "grace", WEFT_DEFAULT_GRACE_SECONDS);
	options->max_requests = (uint64_t) find_long(config, "max_requests", 0);
	options->max_lifetime_ns = (uint64_t) find_long(config, "max_lifetime", 0) * WEFT_NS_PER_SEC;
	trust_proxies(config);
	options->stuck_ms = find_ms(config, "stuck_timeout", WEFT_DEFAULT_STUCK_SECONDS);
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
		.workers = find_workers(config),
		.retiring_workers = (uint32_t) MIN(WEFT_G(retiring_workers), UINT32_MAX),
		.about = json.s != NULL ? ZSTR_VAL(json.s) : "",
		.about_length = json.s != NULL ? ZSTR_LEN(json.s) : 0,
		.worker = {.handler = &handler, .handler_cache = &handler_cache, .leash = WEFT_LEASH_FD},
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
