/*
 * popen, pclose and system. In libc they wait where no import table is passed, so they are made anew here. The
 * FILE is one whose reads and writes are ours (fopencookie), so that fgets() or fprintf() on it waits by
 * suspending too.
 *
 * A child must not hold the pipes of its elder siblings, or none of them would see the end of its input while the
 * younger lives. libc takes care of those that it opened itself and we of ours, so all of PHP's are ours, in and out
 * of coroutines. Only what was opened before the scheduler started is libc's.
 */
#include "interpose/weft_calls.h"
#include <fcntl.h>
#include <paths.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

typedef struct weft_process_file weft_process_file;
struct weft_process_file {
	FILE *file;
	pid_t pid;
	int fd;
	weft_process_file *next;
};

/* Those that are open. They outlive a request: PHP closes its own when RSHUTDOWN is over, and a library may keep
 * others for as long as it likes. */
static weft_process_file *process_files;

static ssize_t cookie_read(void *cookie, char *buffer, size_t size)
{
	return weft_call_read(((weft_process_file *) cookie)->fd, buffer, size);
}

/* A cookie's write reports failure as 0. */
static ssize_t cookie_write(void *cookie, const char *buffer, size_t size)
{
	ssize_t written = weft_call_write(((weft_process_file *) cookie)->fd, buffer, size);

	return written < 0 ? 0 : written;
}

static int cookie_close(void *cookie)
{
	return weft_call_close(((weft_process_file *) cookie)->fd);
}

static int spawn_shell(pid_t *pid, const char *command, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes)
{
	char *arguments[] = {"sh", "-c", "--", (char *) command, NULL};

	return weft_call_posix_spawn(pid, _PATH_BSHELL, actions, attributes, arguments, environ);
}

static int close_elder_pipes(posix_spawn_file_actions_t *actions)
{
	int error = 0;

	for (const weft_process_file *process = process_files; process && error == 0; process = process->next) {
		error = posix_spawn_file_actions_addclose(actions, process->fd);
	}
	return error;
}

/* Starts the shell with its end of the pipe as standard input or output. Returns 0 or an errno. */
static int spawn_on_pipe(pid_t *pid, const char *command, int child_end, int as)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0) {
		return error;
	}
	/* In this order: an elder pipe may have the number that the child's end is to get. */
	error = close_elder_pipes(&actions);
	if (error == 0) {
		/* Both ends are close-on-exec; dup2 onto the number it already has clears that. */
		error = posix_spawn_file_actions_adddup2(&actions, child_end, as);
	}
	if (error == 0) {
		error = spawn_shell(pid, command, &actions, NULL);
	}
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* "r" or "w", with "e" for close-on-exec anywhere. */
static bool parse_mode(const char *mode, bool *reads, bool *close_on_exec)
{
	bool writes = false;

	*reads = *close_on_exec = false;
	for (; *mode; mode++) {
		switch (*mode) {
			case 'r': *reads = true; break;
			case 'w': writes = true; break;
			case 'e': *close_on_exec = true; break;
			default: return false;
		}
	}
	return *reads != writes;
}

static FILE *open_process_file(weft_process_file *process, bool reads)
{
	cookie_io_functions_t functions = {
		.read = reads ? cookie_read : NULL,
		.write = reads ? NULL : cookie_write,
		.close = cookie_close,
	};
	FILE *file = fopencookie(process, reads ? "r" : "w", functions);

	if (file) {
		/* For fileno(), which PHP asks to read past stdio. glibc leaves the field of such a FILE to us. */
		file->_fileno = process->fd;
	}
	return file;
}

FILE *weft_call_popen(const char *command, const char *mode)
{
	bool reads, close_on_exec;
	int ends[2];

	if (weft_thread == WEFT_THREAD_FOREIGN) {
		return popen(command, mode);
	}
	if (!parse_mode(mode, &reads, &close_on_exec)) {
		errno = EINVAL;
		return NULL;
	}
	weft_process_file *process = calloc(1, sizeof(*process));
	if (!process || weft_call_pipe2(ends, O_CLOEXEC) != 0) {
		free(process);
		return NULL;
	}
	process->fd = ends[reads ? 0 : 1];
	int child_end = ends[reads ? 1 : 0];
	process->file = open_process_file(process, reads);
	int error = process->file ? spawn_on_pipe(&process->pid, command, child_end, reads ? STDOUT_FILENO : STDIN_FILENO)
							  : errno;
	weft_call_close(child_end);
	if (error != 0) {
		if (process->file) {
			fclose(process->file);
		} else {
			weft_call_close(process->fd);
		}
		free(process);
		errno = error;
		return NULL;
	}
	if (!close_on_exec) {
		fcntl(process->fd, F_SETFD, 0);
	}
	process->next = process_files;
	process_files = process;
	return process->file;
}

static weft_process_file *take_process(const FILE *file)
{
	for (weft_process_file **link = &process_files; *link; link = &(*link)->next) {
		if ((*link)->file == file) {
			weft_process_file *process = *link;
			*link = process->next;
			return process;
		}
	}
	return NULL;
}

/* Returns the child's status, or -1. */
static int close_process(weft_process_file *process)
{
	pid_t pid = process->pid, found;
	int status;

	fclose(process->file);
	free(process);
	do {
		found = weft_call_waitpid(pid, &status, 0);
	} while (found < 0 && errno == EINTR);
	return found == pid ? status : -1;
}

int weft_call_pclose(FILE *file)
{
	weft_process_file *process = weft_thread != WEFT_THREAD_FOREIGN ? take_process(file) : NULL;

	return process ? close_process(process) : pclose(file);
}

int weft_call_fclose(FILE *file)
{
	if (weft_thread == WEFT_THREAD_FOREIGN) {
		return fclose(file);
	}
	weft_process_file *process = take_process(file);
	if (process) {
		return close_process(process) < 0 ? EOF : 0;
	}
	int saved_errno = errno;
	int fd = fileno(file);
	errno = saved_errno;
	if (fd >= 0) {
		weft_fd_closing(fd);
	}
	return fclose(file);
}

/* --- system --- */

/* While a command runs, the terminal's signals are for it alone. Several coroutines may be here at once. */
static unsigned commands_running;
static struct sigaction interrupt_before, quit_before;

static void ignore_terminal_signals(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	if (commands_running++ == 0) {
		sigaction(SIGINT, &ignore, &interrupt_before);
		sigaction(SIGQUIT, &ignore, &quit_before);
	}
}

static void heed_terminal_signals(void)
{
	if (--commands_running == 0) {
		sigaction(SIGINT, &interrupt_before, NULL);
		sigaction(SIGQUIT, &quit_before, NULL);
	}
}

static int run_command(const char *command)
{
	posix_spawnattr_t attributes;
	sigset_t defaults;
	pid_t pid, found;
	int status;

	sigemptyset(&defaults);
	if (interrupt_before.sa_handler != SIG_IGN) {
		sigaddset(&defaults, SIGINT);
	}
	if (quit_before.sa_handler != SIG_IGN) {
		sigaddset(&defaults, SIGQUIT);
	}
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	int error = spawn_shell(&pid, command, NULL, &attributes);
	posix_spawnattr_destroy(&attributes);
	if (error != 0) {
		/* As if the shell had ended with exit(127). */
		return W_EXITCODE(127, 0);
	}
	do {
		found = weft_call_waitpid(pid, &status, 0);
	} while (found < 0 && errno == EINTR);
	return found == pid ? status : -1;
}

int weft_call_system(const char *command)
{
	if (!command || !weft_may_wait()) {
		return system(command);
	}
	ignore_terminal_signals();
	int status = run_command(command);
	heed_terminal_signals();
	return status;
}

void weft_commands_forget(void)
{
	if (commands_running > 0) {
		commands_running = 1;
		heed_terminal_signals();
	}
}
