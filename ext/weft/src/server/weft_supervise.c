/*
 * Weft\Server\supervise(): opens what the server listens on, runs the supervisor, and starts anew.
 */
#include "server/weft_config.h"
#include "server/weft_identity.h"
#include "server/weft_supervisor.h"
#include "reactor/weft_log.h"

#include "ext/json/php_json.h"
#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"

#include <errno.h>
#include <unistd.h>

#define WEFT_DEFAULT_RELOAD_GRACE_SECONDS 60.0

typedef struct {
	zend_fcall_info info;
	zend_fcall_info_cache cache;
	const weft_listeners *listeners, *admin;
} ready_callback;

static void add_addresses(zval *about, const char *name, const weft_listeners *listeners, weft_http_port port)
{
	zval addresses;
	array_init(&addresses);
	for (uint32_t i = 0; i < listeners->count; i++) {
		if (listeners->ports[i] == port) {
			add_next_index_str(&addresses, weft_listen_address(listeners->fds[i]));
		}
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
	add_addresses(&about, "addresses", ready->listeners, WEFT_PORT_PLAIN);
	add_addresses(&about, "tls", ready->listeners, WEFT_PORT_TLS);
	add_addresses(&about, "redirect", ready->listeners, WEFT_PORT_REDIRECT);
	add_addresses(&about, "admin", ready->admin, WEFT_PORT_PLAIN);
	add_assoc_bool(&about, "root", geteuid() == 0);
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
	zval *pairs = weft_config_find(config, key), *pair;
	if (pairs == NULL || Z_TYPE_P(pairs) != IS_ARRAY) {
		zend_argument_value_error(1, "must have a \"%s\" list of host and port", key);
		return false;
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(pairs), pair) {
		zval *host = Z_TYPE_P(pair) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(pair), 0) : NULL;
		zval *port = Z_TYPE_P(pair) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(pair), 1) : NULL;
		if (host == NULL || Z_TYPE_P(host) != IS_STRING || port == NULL || Z_TYPE_P(port) != IS_LONG) {
			zend_argument_value_error(1, "must have a \"%s\" list of host and port", key);
			weft_listen_abandon(listeners);
			return false;
		}
		if (!weft_listen_open(listeners, Z_STRVAL_P(host), Z_LVAL_P(port))) {
			return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

/* Apart, since port 0 is to be another one's. */
static bool open_redirect(weft_listeners *listeners, HashTable *config)
{
	weft_listeners redirect = {0};
	if (!open_listeners(&redirect, config, "redirect")) {
		weft_listen_abandon(listeners);
		return false;
	}
	for (uint32_t i = 0; i < redirect.count; i++) {
		if (listeners->count == WEFT_MAX_LISTENERS) {
			close(redirect.fds[i]);
			continue;
		}
		weft_listen_add(listeners, redirect.fds[i]);
		listeners->ports[listeners->count - 1] = WEFT_PORT_REDIRECT;
	}
	return true;
}

/* What they are for. Who comes by a Unix socket is a proxy on this machine. */
static bool assign_ports(weft_listeners *listeners, bool tls)
{
	for (uint32_t i = 0; i < listeners->count; i++) {
		if (listeners->ports[i] == WEFT_PORT_REDIRECT) {
			if (!tls) {
				zend_throw_exception(spl_ce_RuntimeException,
					"The socket that is handed on as weft-redirect sends clients to https://, which needs a "
					"certificate: add --tls-cert=FILE and --tls-key=FILE, or disable the unit of that socket.",
					0);
				return false;
			}
		} else if (tls && weft_unix_socket_path(listeners->fds[i]) == NULL) {
			listeners->ports[i] = WEFT_PORT_TLS;
		}
	}
	return true;
}

/* Those where clients come may be another's, which has handed them on. The admin address is a server's own. */
static bool open_all_listeners(weft_supervisor_options *options, HashTable *config)
{
	weft_listeners *listeners = &options->generations.listeners;
	bool tls = options->certificates.vault != NULL;
	bool inherited = weft_listen_inherit(listeners, &options->admin);
	if (!inherited && !open_listeners(listeners, config, "listen")) {
		return false;
	}
	if (!assign_ports(listeners, tls)) {
		return false;
	}
	if (!inherited && weft_config_find(config, "redirect") != NULL && !open_redirect(listeners, config)) {
		return false;
	}
	if (weft_config_find(config, "admin") == NULL) {
		weft_listen_close(&options->admin); /* the server before had one */
	} else if (options->admin.count == 0 && !open_listeners(&options->admin, config, "admin")) {
		weft_listen_abandon(listeners);
		return false;
	}
	return true;
}

/* Before this process is another user, who must not be able to read the keys. */
static bool open_certificates(weft_supervisor_options *options, HashTable *config)
{
	if (!weft_certificates_open(&options->certificates, config)) {
		return false;
	}
	options->generations.vault = options->certificates.fd;
	return true;
}

/* Behind whatever needs another right of this process, as a port below 1024 does. */
static bool become_who_serves(weft_supervisor_options *options, HashTable *config)
{
	if (options->certificates.vault != NULL) {
		weft_identity_keep_reading();
	}
	return weft_identity_take(weft_config_text(config, "user"), weft_config_text(config, "group"));
}

static char **command_line(HashTable *config, const char *key)
{
	zval *words = weft_config_find(config, key), *word;
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

static const char *admin_name(HashTable *config)
{
	zval *pairs = weft_config_find(config, "admin");
	zval *pair = pairs != NULL && Z_TYPE_P(pairs) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(pairs), 0) : NULL;
	zval *host = pair != NULL && Z_TYPE_P(pair) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(pair), 0) : NULL;
	return host != NULL && Z_TYPE_P(host) == IS_STRING ? Z_STRVAL_P(host) : NULL;
}

/* NULL: none is wanted. In a directory it has the name of the first address, which no other server has. */
static zend_string *control_path(HashTable *config, const weft_listeners *listeners)
{
	zval *control = weft_config_find(config, "control");
	if (control == NULL || Z_TYPE_P(control) != IS_STRING || Z_STRLEN_P(control) == 0) {
		return NULL;
	}
	if (Z_STRVAL_P(control)[Z_STRLEN_P(control) - 1] != '/') {
		return zend_string_copy(Z_STR_P(control));
	}
	zend_string *address = weft_listen_address(listeners->fds[0]);
	for (char *c = ZSTR_VAL(address); *c != '\0'; c++) {
		*c = *c == '/' ? '-' : *c; /* of a Unix socket's path */
	}
	zend_string *path = zend_strpprintf(0, "%s%s.sock", Z_STRVAL_P(control), ZSTR_VAL(address));
	zend_string_release(address);
	return path;
}

/* Executes the command that started this server. Returns an exit status when that is impossible. */
static int start_anew(HashTable *config, weft_supervisor_options *options)
{
	weft_listeners *listeners = &options->generations.listeners;
	char **argv = command_line(config, "restart");
	if (argv == NULL) {
		weft_listen_abandon(listeners);
		return EXIT_FAILURE;
	}
	weft_identity_hand_on_reading();
	weft_listen_hand_on(listeners, &options->admin, argv);
	weft_process_say("the server can't be started anew: %s: %s", argv[0], strerror(errno));
	weft_listen_abandon(listeners);
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
	zval *configuration = weft_config_find(config, "configuration");
	if (configuration == NULL || php_json_encode(&json, configuration, 0) != SUCCESS || json.s == NULL) {
		zend_argument_value_error(1, "must have a \"configuration\" that can be written as JSON");
		goto done;
	}
	smart_str_0(&json);
	generations->configuration = ZSTR_VAL(json.s);
	generations->configuration_length = ZSTR_LEN(json.s);
	generations->application = weft_config_text(config, "application");
	generations->workers = Z_TYPE_P(configuration) == IS_ARRAY ? weft_config_workers(Z_ARRVAL_P(configuration)) : 1;
	weft_log_as_json(weft_config_bool(config, "log_json", false));
	options.grace_ms = weft_config_ms(config, "grace", WEFT_DEFAULT_GRACE_SECONDS);
	generations->boot_ms = weft_config_ms(config, "boot_timeout", 0);
	options.reload_grace_ms = weft_config_ms(config, "reload_grace", WEFT_DEFAULT_RELOAD_GRACE_SECONDS);
	ready.listeners = &generations->listeners;
	ready.admin = &options.admin;
	if (open_certificates(&options, config) && open_all_listeners(&options, config) &&
		become_who_serves(&options, config)) {
		zend_string *control = control_path(config, &generations->listeners);
		options.control = control != NULL ? ZSTR_VAL(control) : NULL;
		options.control_wanted = weft_config_bool(config, "control_wanted", false);
		options.admin_name = admin_name(config);
		options.watch_ignore = weft_config_text(config, "watch_ignore");
		int status = weft_supervisor_run(&options);
		if (control != NULL) {
			zend_string_release(control);
		}
		RETVAL_LONG(status == WEFT_RESTART ? start_anew(config, &options) : status);
	}
done:
	smart_str_free(&json);
	efree(generations->argv);
}
