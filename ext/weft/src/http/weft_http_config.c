/*
 * The limits of the HTTP server, each an ini directive.
 */
#include "http/weft_http_internal.h"

#include <unistd.h>
#include "php_ini.h"

typedef struct {
	zend_long concurrency, connections, max_request_line, max_header_bytes, max_header_count, body_memory, input_memory, header_timeout_ms,
		body_timeout_ms, idle_timeout_ms, drain_ms, write_timeout_ms, min_rate, write_buffer, linger_ms, memory_share,
		memory_wait_ms;
	bool hang_up_cancels;
	bool access_log;
} directives;

static directives http_directives;

static ZEND_INI_MH(on_hang_up)
{
	bool cancel = zend_string_equals_literal_ci(new_value, "cancel");

	if (!cancel && !zend_string_equals_literal_ci(new_value, "write")) {
		zend_error(E_WARNING, "weft.http_hang_up must be \"write\" or \"cancel\", \"%s\" given", ZSTR_VAL(new_value));
		return FAILURE;
	}
	http_directives.hang_up_cancels = cancel;
	return SUCCESS;
}

#define LIMIT(name, value) \
	STD_PHP_INI_ENTRY("weft.http_" #name, value, PHP_INI_SYSTEM, OnUpdateLongGEZero, name, directives, http_directives)

static const zend_ini_entry_def ini_entries[] = {
	/* requests running at once in a worker: more would only fight for its one CPU and its memory */
	LIMIT(concurrency, "256")
	/* connections of a worker; beyond, and beyond three quarters of its descriptors, a newcomer replaces the one that is
	 * idle for longest. An idle one costs some 400 bytes of ours and 3 KB of the kernel's */
	LIMIT(connections, "20000")
	/* bytes of the request line; 414 beyond. What nginx and Apache allow */
	LIMIT(max_request_line, "8192")
	/* bytes of all header lines; 431 beyond. Room for a few fat cookies */
	LIMIT(max_header_bytes, "32768")
	/* header lines; 431 beyond. As Apache */
	LIMIT(max_header_count, "100")
	/* bytes of a body kept in memory; a larger one goes to a file. Most forms fit, no upload should */
	LIMIT(body_memory, "262144")
	/* bytes of all heads and bodies in memory; from half of it on all but small bodies go to files, beyond it all bodies
	 * do, and who has sent part of a head gets 503. Room for as many bodies as requests run at once */
	LIMIT(input_memory, "64M")
	/* from the first byte of a head to its end; 408 beyond. Whoever needs longer is dead or an attacker */
	LIMIT(header_timeout_ms, "10000")
	/* without any progress while a body is read; 408 beyond. A bad mobile connection recovers within that */
	LIMIT(body_timeout_ms, "30000")
	/* an open connection without a request; closed. Longer than a person reads a page between two clicks */
	LIMIT(idle_timeout_ms, "60000")
	/* the same while the worker drains. A client that has just connected sends at once; a longer wait delays each stop */
	LIMIT(drain_ms, "1000")
	/* without a byte of a response that the client has acknowledged; closed. As for bodies */
	LIMIT(write_timeout_ms, "30000")
	/* bytes a second that a body or an answer must keep up once its time-out has passed; 408 or closed; 0: none. As
	 * Apache's mod_reqtimeout. Any mobile network is faster, and a byte now and then is no client */
	LIMIT(min_rate, "500")
	/* unsent bytes of a response beyond which its coroutine waits: most pages fit */
	LIMIT(write_buffer, "65536")
	/* for coroutines that outlive their request; then they are cancelled. As long as a client waits for a body */
	LIMIT(linger_ms, "30000")
	/* percent of memory_limit in use beyond which requests wait before they begin; 0: none does. The rest is for what
	 * the running ones still allocate, and for holes between values */
	LIMIT(memory_share, "75")
	/* for that; then it begins all the same. About as long as a visitor is patient */
	LIMIT(memory_wait_ms, "10000")
	/* what a client's hang-up does to its request. As PHP: an order that is being paid is paid */
	PHP_INI_ENTRY("weft.http_hang_up", "write", PHP_INI_SYSTEM, on_hang_up)
	STD_PHP_INI_BOOLEAN("weft.http_access_log", "1", PHP_INI_SYSTEM, OnUpdateBool, access_log, directives, http_directives)
	{0}
};

void weft_http_config_minit(int module_number)
{
	zend_register_ini_entries(ini_entries, module_number);
}

/* A limit of 0 would refuse everything. */
static uint32_t at_least(zend_long value, zend_long least)
{
	return (uint32_t) MIN(MAX(value, least), UINT32_MAX);
}

void weft_http_config_defaults(weft_http_config *config)
{
	const directives *ini = &http_directives;

	memset(config, 0, sizeof(*config));
	config->concurrency = at_least(ini->concurrency, 1);
	config->connections = at_least(ini->connections, 1);
	config->max_request_line = at_least(ini->max_request_line, 64);
	config->max_header_bytes = at_least(ini->max_header_bytes, 64);
	config->max_header_count = at_least(ini->max_header_count, 1);
	config->body_memory = (size_t) ini->body_memory;
	config->input_memory = (size_t) MAX(ini->input_memory, 65536);
	config->header_timeout_ms = at_least(ini->header_timeout_ms, 1);
	config->body_timeout_ms = at_least(ini->body_timeout_ms, 1);
	config->idle_timeout_ms = at_least(ini->idle_timeout_ms, 1);
	config->drain_ms = at_least(ini->drain_ms, 0);
	config->write_timeout_ms = at_least(ini->write_timeout_ms, 1);
	config->min_rate = at_least(ini->min_rate, 0);
	config->write_buffer = at_least(ini->write_buffer, 1024);
	config->linger_ms = at_least(ini->linger_ms, 1);
	config->memory_share = MIN(at_least(ini->memory_share, 0), 100);
	config->memory_wait_ms = at_least(ini->memory_wait_ms, 0);
	config->hang_up_cancels = ini->hang_up_cancels;
	config->isolation = true;
	config->access_log = ini->access_log;
	config->log_fd = STDOUT_FILENO;
	config->colour = isatty(config->log_fd);
}
