/*
 * Waiting for child processes.
 *
 * A single child is waited for through a pidfd, which becomes readable when it ends. For "any child" and process
 * groups there is no such descriptor, and SIGCHLD belongs to the application; so ask with WNOHANG, pausing a
 * little longer each time (at most WEFT_RETRY_LONGEST_NS). The same for stops and continuations.
 */
#include "interpose/weft_calls.h"
#include "interpose/weft_children.h"
#include "interpose/weft_descriptors.h"
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

static int open_pidfd(pid_t pid)
{
	return (int) syscall(SYS_pidfd_open, pid, 0);
}

/* A number of ours that the application never sees. */
static void close_own(int fd)
{
	int error = errno;

	weft_fd_closing(fd);
	close(fd);
	errno = error;
}

/* How one wait goes on between two looks. */
typedef struct {
	int pidfd; /* -1: none */
	uint64_t pause;
} weft_child_wait;

/* Returns 0 to look again, else an errno. */
static int wait_for_change(weft_child_wait *wait)
{
	if (wait->pidfd >= 0) {
		int error = weft_wait_fd(wait->pidfd, WEFT_IN, WEFT_NO_DEADLINE, "waitpid");
		if (error == 0) {
			/* Readable, yet nothing to collect: the child has ended, but a tracer holds it back. */
			close_own(wait->pidfd);
			wait->pidfd = -1;
		}
		return error;
	}
	return weft_wait_retry(&wait->pause, WEFT_NO_DEADLINE, "waitpid", true);
}

static pid_t wait_for_child(pid_t pid, int *status, int options, struct rusage *usage)
{
	if (pid == -1 && weft_children_apart()) {
		return weft_children_wait(status, options, usage);
	}
	if ((options & WNOHANG) || !weft_may_wait()) {
		return wait4(pid, status, options, usage);
	}
	pid_t found = wait4(pid, status, options | WNOHANG, usage);
	if (found != 0) {
		return found;
	}

	weft_child_wait wait = {.pidfd = -1};
	if (pid > 0 && !(options & (WUNTRACED | WCONTINUED))) {
		wait.pidfd = open_pidfd(pid);
		if (wait.pidfd >= 0) {
			weft_fd_fresh(wait.pidfd);
		}
	}
	int error = 0;
	while (found == 0 && error == 0) {
		error = wait_for_change(&wait);
		if (error == 0) {
			found = wait4(pid, status, options | WNOHANG, usage);
		}
	}
	if (wait.pidfd >= 0) {
		close_own(wait.pidfd);
	}
	if (error != 0) {
		errno = error;
		return -1;
	}
	return found;
}

pid_t weft_call_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	int own = 0;
	pid_t found = wait_for_child(pid, &own, options, usage);

	if (found > 0 && (WIFEXITED(own) || WIFSIGNALED(own))) {
		weft_child_ended(found);
	}
	if (found > 0 && status) {
		*status = own;
	}
	return found;
}

pid_t weft_call_waitpid(pid_t pid, int *status, int options)
{
	return weft_call_wait4(pid, status, options, NULL);
}

pid_t weft_call_wait(int *status)
{
	return weft_call_waitpid(-1, status, 0);
}

pid_t weft_call_wait3(int *status, int options, struct rusage *usage)
{
	return weft_call_wait4(-1, status, options, usage);
}

int weft_call_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	if ((options & WNOHANG) || !weft_may_wait()) {
		return waitid(type, id, info, options);
	}

	siginfo_t own;
	siginfo_t *seen = info ? info : &own;
	weft_child_wait wait = {.pidfd = -1};
	int result, error = 0;
	for (;;) {
		seen->si_pid = 0;
		result = waitid(type, id, seen, options | WNOHANG);
		if (result != 0 || seen->si_pid != 0) {
			break;
		}
		if (wait.pidfd < 0 && wait.pause == 0 && !(options & (WSTOPPED | WCONTINUED))) {
			wait.pidfd = type == P_PID ? open_pidfd((pid_t) id) : -1;
			if (wait.pidfd >= 0) {
				weft_fd_fresh(wait.pidfd);
			}
		}
		error = wait_for_change(&wait);
		if (error != 0) {
			break;
		}
	}
	if (wait.pidfd >= 0) {
		close_own(wait.pidfd);
	}
	if (error != 0) {
		errno = error;
		return -1;
	}
	return result;
}

/* A vfork child borrows the caller's memory, tables included, and would write to them through our calls. A forked
 * child has its own. */
pid_t weft_call_vfork(void)
{
	return weft_thread != WEFT_THREAD_FOREIGN ? weft_call_fork() : vfork();
}

pid_t weft_call_fork(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		weft_children_forget();
	} else if (pid > 0) {
		weft_child_begun(pid);
	}
	return pid;
}

static int note_spawned(int error, const pid_t *pid)
{
	if (error == 0) {
		weft_child_begun(*pid);
	}
	return error;
}

/* What is forked gets the limit of descriptors that programs expect by a handler; what is spawned runs none. */
int weft_call_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
	pid_t own;

	pid = pid ? pid : &own;
	weft_descriptors_lower();
	int error = posix_spawn(pid, path, actions, attributes, argv, envp);
	weft_descriptors_restore();
	return note_spawned(error, pid);
}

int weft_call_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
	pid_t own;

	pid = pid ? pid : &own;
	weft_descriptors_lower();
	int error = posix_spawnp(pid, file, actions, attributes, argv, envp);
	weft_descriptors_restore();
	return note_spawned(error, pid);
}
