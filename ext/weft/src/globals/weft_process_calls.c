/*
 * The table of functions that act on the process, and what becomes of each in a request.
 */
#include "globals/weft_process_calls.h"
#include "globals/weft_c_state.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_wrap.h"
#include "interpose/weft_quarantine.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/resource.h>

/* The process that serves, and whose children it and the other workers are; 0: none yet. */
static pid_t serving, parent, grandparent;

/* A made-up visitor's is one, too. */
static bool in_request(void)
{
	return weft_domain_in_place && (weft_quarantine_begun() || (serving && getpid() == serving));
}

/* --- whose a process is --- */

pid_t weft_parent_of(pid_t pid)
{
	char path[32], line[256], *end;
	FILE *file;
	int found = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int) pid);
	file = fopen(path, "re");
	if (!file) {
		return 0;
	}
	/* its name may contain anything */
	if (fgets(line, sizeof(line), file) && (end = strrchr(line, ')')) && sscanf(end + 1, " %*c %d", &found) != 1) {
		found = 0;
	}
	fclose(file);
	return found;
}

void weft_process_calls_refuse(void)
{
	serving = getpid();
	parent = getppid();
	grandparent = weft_parent_of(parent);
}

/* A worker, their zygote or the supervisor. */
static bool is_servers(pid_t pid)
{
	return pid == getpid() || pid == parent || (pid == grandparent && pid > 1) || weft_parent_of(pid) == parent;
}

static bool is_servers_group(pid_t group)
{
	return group == getpgrp() || group == getpgid(parent) || (grandparent > 1 && group == getpgid(grandparent));
}

static zend_long argument(const zend_execute_data *call, uint32_t number, zend_long otherwise)
{
	const zval *given = ZEND_CALL_NUM_ARGS(call) >= number ? ZEND_CALL_ARG(call, number) : NULL;

	return given && Z_TYPE_P(given) > IS_NULL ? zval_get_long((zval *) given) : otherwise;
}

/* --- what is allowed all the same --- */

static bool never(const zend_execute_data *call)
{
	return false;
}

static bool is_another(zend_long pid)
{
	return pid != 0 && !is_servers((pid_t) pid);
}

/* posix_setpgid(int $process_id, int $process_group_id) */
static bool group_of_another(const zend_execute_data *call)
{
	return is_another(argument(call, 1, 0));
}

#if PHP_VERSION_ID >= 80400
/* pcntl_setcpuaffinity(?int $process_id, array $cpu_ids) */
static bool affinity_of_another(const zend_execute_data *call)
{
	return is_another(argument(call, 1, 0));
}
#endif

/* pcntl_setpriority(int $priority, ?int $process_id, int $mode) */
static bool priority_of_another(const zend_execute_data *call)
{
	return argument(call, 3, PRIO_PROCESS) == PRIO_PROCESS && is_another(argument(call, 2, 0));
}

/* Signals that do nothing to a server's process, or have the supervisor reload. */
static bool spares_the_server(int number)
{
	return number == 0 || number == SIGHUP || number == SIGUSR1 || number == SIGUSR2;
}

static bool signal_for_others(const zend_execute_data *call)
{
	pid_t pid = (pid_t) argument(call, 1, 0);
	int number = (int) argument(call, 2, 0);

	if (spares_the_server(number)) {
		return true;
	}
	if (pid == getpid()) {
		return number == SIGINT || weft_c_signals_handled(number);
	}
	return pid > 0 ? !is_servers(pid) : pid < -1 && !is_servers_group(-pid);
}

/* --- the table --- */

#define WOULD_CHANGE_USER "it would change the user or group of all requests of the worker"
#define WOULD_MOVE "it would move all requests of the worker to other namespaces"

/* A call that is refused warns and returns what the function returns when it fails. `allows` tells which calls act as
 * ever. docs/isolation.md has the same list. */
static const struct {
	const char *module, *name;
	bool (*allows)(const zend_execute_data *call);
	zend_long failure; /* 0: false */
	const char *reason;
} table[] = {
	{"standard", "chroot", never, 0, "it would take their files away from all requests of the worker"},
	{"standard", "proc_nice", never, 0, "it would slow all requests of the worker, for good"},
	{"pcntl", "pcntl_exec", never, 0, "another program would replace the worker and end all its requests"},
	{"pcntl", "pcntl_setpriority", priority_of_another, 0,
		"it would slow all requests of the server's process, for good"},
	{"pcntl", "pcntl_unshare", never, 0, WOULD_MOVE},
	{"posix", "posix_setuid", never, 0, WOULD_CHANGE_USER},
	{"posix", "posix_seteuid", never, 0, WOULD_CHANGE_USER},
	{"posix", "posix_setgid", never, 0, WOULD_CHANGE_USER},
	{"posix", "posix_setegid", never, 0, WOULD_CHANGE_USER},
	{"posix", "posix_initgroups", never, 0, WOULD_CHANGE_USER},
	{"posix", "posix_setrlimit", never, 0, "it would limit all requests of the worker, for good"},
	{"posix", "posix_setsid", never, -1, "it would take the worker out of the server's session"},
	{"posix", "posix_setpgid", group_of_another, 0, "it would take the worker out of the server's process group"},
	{"posix", "posix_kill", signal_for_others, 0,
		"it could end a process of the server, with all its requests; exit ends this request alone"},
	{"cli", "cli_set_process_title", never, 0, "it would name the worker after one of its requests"},
#if PHP_VERSION_ID >= 80400
	{"pcntl", "pcntl_setns", never, 0, WOULD_MOVE},
	{"pcntl", "pcntl_setcpuaffinity", affinity_of_another, 0,
		"it would move all requests of the worker to other processors"},
#endif
};

#define CALLS (sizeof(table) / sizeof(table[0]))

static zif_handler plain[CALLS];

static size_t line_of(const zend_function *function)
{
	size_t line = 0;

	while (line < CALLS - 1 && strcmp(table[line].name, ZSTR_VAL(function->common.function_name)) != 0) {
		line++;
	}
	return line;
}

static ZEND_FUNCTION(weft_process_call)
{
	size_t line = line_of(EX(func));

	if (!in_request() || table[line].allows(execute_data)) {
		plain[line](INTERNAL_FUNCTION_PARAM_PASSTHRU);
		return;
	}
	php_error_docref(NULL, E_WARNING, "Refused in a request: %s", table[line].reason);
	if (table[line].failure) {
		RETURN_LONG(table[line].failure);
	}
	RETURN_FALSE;
}

/* PHP was built without it, on a system that has no such call. */
static bool left_out(const char *name)
{
	static const char *const optional[] = {"pcntl_setcpuaffinity", "pcntl_setns"};

	for (size_t i = 0; i < sizeof(optional) / sizeof(optional[0]); i++) {
		if (strcmp(optional[i], name) == 0) {
			return !zend_hash_str_exists(CG(function_table), name, strlen(name));
		}
	}
	return false;
}

void weft_process_calls_wrap(void)
{
	for (size_t i = 0; i < CALLS; i++) {
		if (left_out(table[i].name)) {
			continue;
		}
		plain[i] = weft_wrap(table[i].module, NULL, table[i].name, zif_weft_process_call);
	}
}
