/*
 * Which names are replaced by what, and when.
 */
#include "interpose/weft_interpose.h"
#include "interpose/weft_calls.h"
#include "interpose/weft_got.h"
#include "interpose/weft_interpose_arginfo.h"
#include "interpose/weft_library_path.h"
#include "php_weft.h"
#include <dlfcn.h>
#include <pthread.h>

__thread weft_thread_kind weft_thread __attribute__((tls_model("initial-exec")));

static bool installed;

#define WEFT_REPLACE(call, by) \
	{ \
		.name = #call, .replacement = (void *) (by) \
	}

/* glibc exports many calls under a second name with underscores; libraries import either. */
static weft_replacement replacements[] = {
	WEFT_REPLACE(poll, weft_call_poll),
	WEFT_REPLACE(__poll, weft_call_poll),
	WEFT_REPLACE(__poll_chk, weft_call_poll_chk),
	WEFT_REPLACE(ppoll, weft_call_ppoll),
	WEFT_REPLACE(__ppoll_chk, weft_call_ppoll_chk),
	WEFT_REPLACE(select, weft_call_select),
	WEFT_REPLACE(__select, weft_call_select),
	WEFT_REPLACE(pselect, weft_call_pselect),
	WEFT_REPLACE(epoll_wait, weft_call_epoll_wait),
	WEFT_REPLACE(epoll_pwait, weft_call_epoll_pwait),
	WEFT_REPLACE(epoll_pwait2, weft_call_epoll_pwait2),

	WEFT_REPLACE(connect, weft_call_connect),
	WEFT_REPLACE(__connect, weft_call_connect),
	WEFT_REPLACE(accept, weft_call_accept),
	WEFT_REPLACE(accept4, weft_call_accept4),
	WEFT_REPLACE(socket, weft_call_socket),
	WEFT_REPLACE(socketpair, weft_call_socketpair),
	WEFT_REPLACE(setsockopt, weft_call_setsockopt),
	WEFT_REPLACE(recv, weft_call_recv),
	WEFT_REPLACE(__recv_chk, weft_call_recv_chk),
	WEFT_REPLACE(recvfrom, weft_call_recvfrom),
	WEFT_REPLACE(__recvfrom_chk, weft_call_recvfrom_chk),
	WEFT_REPLACE(recvmsg, weft_call_recvmsg),
	WEFT_REPLACE(recvmmsg, weft_call_recvmmsg),
	WEFT_REPLACE(send, weft_call_send),
	WEFT_REPLACE(__send, weft_call_send),
	WEFT_REPLACE(sendto, weft_call_sendto),
	WEFT_REPLACE(sendmsg, weft_call_sendmsg),
	WEFT_REPLACE(sendmmsg, weft_call_sendmmsg),
	WEFT_REPLACE(__sendmmsg, weft_call_sendmmsg),

	WEFT_REPLACE(read, weft_call_read),
	WEFT_REPLACE(__read, weft_call_read),
	WEFT_REPLACE(__read_chk, weft_call_read_chk),
	WEFT_REPLACE(write, weft_call_write),
	WEFT_REPLACE(__write, weft_call_write),
	WEFT_REPLACE(readv, weft_call_readv),
	WEFT_REPLACE(writev, weft_call_writev),
	WEFT_REPLACE(sendfile, weft_call_sendfile),
	WEFT_REPLACE(sendfile64, weft_call_sendfile),
	WEFT_REPLACE(splice, weft_call_splice),

	WEFT_REPLACE(sleep, weft_call_sleep),
	WEFT_REPLACE(usleep, weft_call_usleep),
	WEFT_REPLACE(nanosleep, weft_call_nanosleep),
	WEFT_REPLACE(__nanosleep, weft_call_nanosleep),
	WEFT_REPLACE(clock_nanosleep, weft_call_clock_nanosleep),
	WEFT_REPLACE(__clock_nanosleep, weft_call_clock_nanosleep),
	WEFT_REPLACE(sigwait, weft_call_sigwait),
	WEFT_REPLACE(sigwaitinfo, weft_call_sigwaitinfo),
	WEFT_REPLACE(sigtimedwait, weft_call_sigtimedwait),

	WEFT_REPLACE(wait, weft_call_wait),
	WEFT_REPLACE(__wait, weft_call_wait),
	WEFT_REPLACE(waitpid, weft_call_waitpid),
	WEFT_REPLACE(__waitpid, weft_call_waitpid),
	WEFT_REPLACE(wait3, weft_call_wait3),
	WEFT_REPLACE(wait4, weft_call_wait4),
	WEFT_REPLACE(waitid, weft_call_waitid),
	WEFT_REPLACE(fork, weft_call_fork),
	WEFT_REPLACE(__fork, weft_call_fork),
	WEFT_REPLACE(vfork, weft_call_vfork),
	WEFT_REPLACE(__vfork, weft_call_vfork),
	WEFT_REPLACE(posix_spawn, weft_call_posix_spawn),
	WEFT_REPLACE(posix_spawnp, weft_call_posix_spawnp),
	WEFT_REPLACE(system, weft_call_system),
	WEFT_REPLACE(popen, weft_call_popen),
	WEFT_REPLACE(pclose, weft_call_pclose),
	WEFT_REPLACE(fclose, weft_call_fclose),

	WEFT_REPLACE(getaddrinfo, weft_call_getaddrinfo),
	WEFT_REPLACE(getnameinfo, weft_call_getnameinfo),
	WEFT_REPLACE(gethostbyname, weft_call_gethostbyname),
	WEFT_REPLACE(gethostbyname2, weft_call_gethostbyname2),
	WEFT_REPLACE(gethostbyname_r, weft_call_gethostbyname_r),
	WEFT_REPLACE(gethostbyname2_r, weft_call_gethostbyname2_r),
	WEFT_REPLACE(gethostbyaddr, weft_call_gethostbyaddr),
	WEFT_REPLACE(gethostbyaddr_r, weft_call_gethostbyaddr_r),
	WEFT_REPLACE(res_query, weft_call_res_query),
	WEFT_REPLACE(__res_query, weft_call_res_query),
	WEFT_REPLACE(res_search, weft_call_res_search),
	WEFT_REPLACE(__res_search, weft_call_res_search),
	WEFT_REPLACE(res_nquery, weft_call_res_nquery),
	WEFT_REPLACE(__res_nquery, weft_call_res_nquery),
	WEFT_REPLACE(res_nsearch, weft_call_res_nsearch),
	WEFT_REPLACE(__res_nsearch, weft_call_res_nsearch),

	WEFT_REPLACE(flock, weft_call_flock),
	WEFT_REPLACE(lockf, weft_call_lockf),
	WEFT_REPLACE(lockf64, weft_call_lockf),
	WEFT_REPLACE(semop, weft_call_semop),
	WEFT_REPLACE(semtimedop, weft_call_semtimedop),
	WEFT_REPLACE(msgsnd, weft_call_msgsnd),
	WEFT_REPLACE(msgrcv, weft_call_msgrcv),
	WEFT_REPLACE(sem_wait, weft_call_sem_wait),
	WEFT_REPLACE(sem_timedwait, weft_call_sem_timedwait),
	WEFT_REPLACE(sem_clockwait, weft_call_sem_clockwait),
	WEFT_REPLACE(mq_send, weft_call_mq_send),
	WEFT_REPLACE(mq_receive, weft_call_mq_receive),
	WEFT_REPLACE(mq_timedsend, weft_call_mq_timedsend),
	WEFT_REPLACE(mq_timedreceive, weft_call_mq_timedreceive),

	WEFT_REPLACE(open, weft_call_open),
	WEFT_REPLACE(open64, weft_call_open),
	WEFT_REPLACE(__open, weft_call_open),
	WEFT_REPLACE(__open64, weft_call_open),
	WEFT_REPLACE(__open_2, weft_call_open_2),
	WEFT_REPLACE(__open64_2, weft_call_open_2),
	WEFT_REPLACE(openat, weft_call_openat),
	WEFT_REPLACE(openat64, weft_call_openat),
	WEFT_REPLACE(__openat_2, weft_call_openat_2),
	WEFT_REPLACE(__openat64_2, weft_call_openat_2),
	WEFT_REPLACE(creat, weft_call_creat),
	WEFT_REPLACE(creat64, weft_call_creat),
	WEFT_REPLACE(mkstemp, weft_call_mkstemp),
	WEFT_REPLACE(mkstemp64, weft_call_mkstemp),
	WEFT_REPLACE(fopen, weft_call_fopen),
	WEFT_REPLACE(fopen64, weft_call_fopen),
	WEFT_REPLACE(opendir, weft_call_opendir),
	WEFT_REPLACE(closedir, weft_call_closedir),

	WEFT_REPLACE(close, weft_call_close),
	WEFT_REPLACE(__close, weft_call_close),
	WEFT_REPLACE(dup, weft_call_dup),
	WEFT_REPLACE(dup2, weft_call_dup2),
	WEFT_REPLACE(__dup2, weft_call_dup2),
	WEFT_REPLACE(dup3, weft_call_dup3),
	WEFT_REPLACE(closefrom, weft_call_closefrom),
	WEFT_REPLACE(close_range, weft_call_close_range),
	WEFT_REPLACE(fcntl, weft_call_fcntl),
	WEFT_REPLACE(__fcntl, weft_call_fcntl),
	WEFT_REPLACE(fcntl64, weft_call_fcntl),
	WEFT_REPLACE(ioctl, weft_call_ioctl),
	WEFT_REPLACE(pipe, weft_call_pipe),
	WEFT_REPLACE(__pipe, weft_call_pipe),
	WEFT_REPLACE(pipe2, weft_call_pipe2),
	WEFT_REPLACE(epoll_create, weft_call_epoll_create),
	WEFT_REPLACE(epoll_create1, weft_call_epoll_create1),
	WEFT_REPLACE(eventfd, weft_call_eventfd),

	WEFT_REPLACE(mmap, weft_call_mmap),
	WEFT_REPLACE(mmap64, weft_call_mmap),
	WEFT_REPLACE(mprotect, weft_call_mprotect),
	WEFT_REPLACE(munmap, weft_call_munmap),

	{.name = "PQgetResult", .replacement = (void *) weft_call_PQgetResult, .not_of_libc = true},

	WEFT_REPLACE(dlopen, weft_call_dlopen),
	WEFT_REPLACE(dlmopen, weft_call_dlmopen),
	WEFT_REPLACE(dlsym, weft_call_dlsym),
};

#define WEFT_REPLACEMENTS (sizeof(replacements) / sizeof(*replacements))

/* In a forked child calls are plain until weft_interpose_install() is called there. */
static void interpose_after_fork_in_child(void)
{
	if (weft_thread == WEFT_THREAD_ARMED) {
		weft_thread = WEFT_THREAD_PHP;
	}
	weft_got_after_fork();
	weft_fd_mode_after_fork();
	weft_signals_forget_waits();
}

/* From the first patch on, other objects and threads of the DNS pool may enter our code at any time: it must
 * never be unloaded, not even when PHP ends its modules. */
static void stay_loaded(void)
{
	Dl_info self;

	if (dladdr(replacements, &self) && self.dli_fname) {
		dlopen(self.dli_fname, RTLD_NOLOAD | RTLD_NODELETE | RTLD_LAZY);
	}
}

static void prepare_once(void)
{
	static bool prepared;

	if (!prepared) {
		prepared = true;
		pthread_atfork(NULL, NULL, interpose_after_fork_in_child);
		stay_loaded();
	}
}

bool weft_interpose_install(void)
{
	if (!WEFT_G(interpose)) {
		return true;
	}
	prepare_once();
	if (!installed) {
		weft_fd_drop_foreign_closes();
	}
	bool done = weft_got_patch(replacements, WEFT_REPLACEMENTS);
	installed = true;
	weft_thread = WEFT_THREAD_ARMED;
	if (!done) {
		php_error_docref(NULL, E_WARNING,
			"Weft could not make the import table of %s writable: calls that block "
			"there will not yield. Set weft.interpose=0 to do without",
			weft_got_failed_object());
	}
	return done;
}

void weft_interpose_remove(void)
{
	if (installed) {
		weft_got_restore();
		installed = false;
	}
	weft_thread = WEFT_THREAD_FOREIGN;
}

bool weft_interpose_installed(void)
{
	/* A forked child has the patched tables of its parent, but must ask to be armed again. */
	return installed && weft_thread == WEFT_THREAD_ARMED;
}

_Noreturn void weft_fortify_failed(void)
{
	static const char message[] = "Weft: a library passed a buffer that is smaller than it says; aborting\n";
	ssize_t written = write(STDERR_FILENO, message, sizeof(message) - 1);

	(void) written;
	abort();
}

/* --- objects that come later --- */

/* Constructors run under the loader's lock: nobody else may get in between. */
static void *load(void *(*how)(long, const char *, int), long space, const char *name, int flags, const void *caller)
{
	bool in_coroutine = weft_thread == WEFT_THREAD_ARMED;

	if (in_coroutine) {
		weft_no_switch_begin();
	}
	char *path = space == LM_ID_BASE ? weft_library_of_caller(name, caller) : NULL;
	/* A name that is loaded already means that library, whoever asks. */
	void *handle = path ? how(space, name, flags | RTLD_NOLOAD) : NULL;
	if (!handle) {
		handle = how(space, path ? path : name, flags);
	}
	free(path);
	if (handle && installed) {
		weft_got_patch(replacements, WEFT_REPLACEMENTS);
	}
	if (in_coroutine) {
		weft_no_switch_end();
	}
	return handle;
}

static void *open_here(long space, const char *name, int flags)
{
	return dlopen(name, flags);
}

void *weft_call_dlopen(const char *name, int flags)
{
	return load(open_here, LM_ID_BASE, name, flags, __builtin_return_address(0));
}

void *weft_call_dlmopen(long space, const char *name, int flags)
{
	return load(dlmopen, space, name, flags, __builtin_return_address(0));
}

/* FFI and libraries that bind by name at run time. RTLD_NEXT means "after the caller", which dlsym() finds by its
 * return address: those calls, and names that are none of ours, are jumped to, not called. */
__attribute__((optimize("optimize-sibling-calls"))) void *weft_call_dlsym(void *handle, const char *name)
{
	if (handle == RTLD_NEXT || weft_thread == WEFT_THREAD_FOREIGN || !weft_got_replaces(name)) {
		return dlsym(handle, name);
	}
	return weft_got_replacement(name, dlsym(handle, name));
}

/* --- what PHP sees --- */

ZEND_FUNCTION(Weft_Internal_interposition)
{
	zval names;

	ZEND_PARSE_PARAMETERS_NONE();
	array_init(&names);
	for (size_t i = 0; i < WEFT_REPLACEMENTS; i++) {
		if (installed && replacements[i].words > 0) {
			add_assoc_long(&names, replacements[i].name, replacements[i].words);
		}
	}
	array_init(return_value);
	add_assoc_bool(return_value, "installed", installed);
	add_assoc_long(return_value, "objects", weft_got_objects());
	add_assoc_long(return_value, "words", weft_got_words());
	add_assoc_zval(return_value, "names", &names);
}

void weft_interpose_minit(void)
{
	zend_register_functions(NULL, ext_functions, NULL, MODULE_PERSISTENT);
}

void weft_interpose_rshutdown(void)
{
	weft_signals_forget_waits();
	weft_hosts_forget();
	weft_commands_forget();
}

void weft_interpose_mshutdown(void)
{
	weft_interpose_remove();
}
