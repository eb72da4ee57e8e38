/*
 * The replaced libc calls. Each keeps the contract of the call it stands for; made off the coroutine path it is
 * that call. Inside this extension the libc names mean libc's functions: its own import table is left alone.
 */
#ifndef WEFT_CALLS_H
#define WEFT_CALLS_H

#include "interpose/weft_wait.h"
#include <dirent.h>
#include <errno.h>
#include <mqueue.h>
#include <netdb.h>
#include <resolv.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>

/* weft_calls_poll.c */
int weft_call_poll(struct pollfd *fds, nfds_t count, int timeout);
int weft_call_poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t size);
int weft_call_ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
int weft_call_ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask,
	size_t size);
int weft_call_select(int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout);
int weft_call_pselect(int count, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
	const sigset_t *mask);
int weft_call_epoll_wait(int epfd, struct epoll_event *events, int max, int timeout);
int weft_call_epoll_pwait(int epfd, struct epoll_event *events, int max, int timeout, const sigset_t *mask);
int weft_call_epoll_pwait2(int epfd, struct epoll_event *events, int max, const struct timespec *timeout,
	const sigset_t *mask);

/* weft_calls_socket.c, weft_calls_connect.c */
int weft_call_connect(int fd, const struct sockaddr *address, socklen_t size);
int weft_call_accept(int fd, struct sockaddr *address, socklen_t *size);
int weft_call_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags);
int weft_call_socket(int domain, int type, int protocol);
int weft_call_socketpair(int domain, int type, int protocol, int pair[2]);
int weft_call_setsockopt(int fd, int level, int option, const void *value, socklen_t size);
ssize_t weft_call_recv(int fd, void *buffer, size_t size, int flags);
ssize_t weft_call_recv_chk(int fd, void *buffer, size_t size, size_t room, int flags);
ssize_t weft_call_recvfrom(int fd, void *buffer, size_t size, int flags, struct sockaddr *from, socklen_t *from_size);
ssize_t weft_call_recvfrom_chk(int fd, void *buffer, size_t size, size_t room, int flags, struct sockaddr *from,
	socklen_t *from_size);
ssize_t weft_call_recvmsg(int fd, struct msghdr *message, int flags);
int weft_call_recvmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags, struct timespec *timeout);
ssize_t weft_call_send(int fd, const void *buffer, size_t size, int flags);
/* Returns `sent`. Who finds a connection dead wants to know whether anything has left on it. */
ssize_t weft_note_sent(int fd, ssize_t sent);
ssize_t weft_call_sendto(int fd, const void *buffer, size_t size, int flags, const struct sockaddr *to,
	socklen_t to_size);
ssize_t weft_call_sendmsg(int fd, const struct msghdr *message, int flags);
int weft_call_sendmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags);

/* weft_calls_file.c */
ssize_t weft_call_read(int fd, void *buffer, size_t size);
ssize_t weft_call_read_chk(int fd, void *buffer, size_t size, size_t room);
ssize_t weft_call_write(int fd, const void *buffer, size_t size);
ssize_t weft_call_readv(int fd, const struct iovec *parts, int count);
ssize_t weft_call_writev(int fd, const struct iovec *parts, int count);
ssize_t weft_call_sendfile(int out, int in, off_t *offset, size_t size);
ssize_t weft_call_splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size, unsigned int flags);

/* weft_calls_sleep.c */
unsigned int weft_call_sleep(unsigned int seconds);
int weft_call_usleep(useconds_t microseconds);
int weft_call_nanosleep(const struct timespec *time, struct timespec *left);
int weft_call_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left);
int weft_call_sigwait(const sigset_t *set, int *number);
int weft_call_sigwaitinfo(const sigset_t *set, siginfo_t *info);
int weft_call_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);
/* Nobody waits for a signal any more: those who did are gone (the end of a script, a forked child). */
void weft_signals_forget_waits(void);

/* weft_calls_process.c, weft_calls_popen.c */
pid_t weft_call_wait(int *status);
pid_t weft_call_waitpid(pid_t pid, int *status, int options);
pid_t weft_call_wait3(int *status, int options, struct rusage *usage);
pid_t weft_call_wait4(pid_t pid, int *status, int options, struct rusage *usage);
int weft_call_waitid(idtype_t type, id_t id, siginfo_t *info, int options);
pid_t weft_call_fork(void);
pid_t weft_call_vfork(void);
int weft_call_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]);
int weft_call_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]);
int weft_call_system(const char *command);
FILE *weft_call_popen(const char *command, const char *mode);
int weft_call_pclose(FILE *file);
int weft_call_fclose(FILE *file);
/* The request is over, and the coroutines are gone that ran a command and would have put the signals back. */
void weft_commands_forget(void);

/* weft_calls_resolve.c, weft_calls_hosts.c */
int weft_call_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
	struct addrinfo **result);
int weft_call_getnameinfo(const struct sockaddr *address, socklen_t size, char *host, socklen_t host_size,
	char *service, socklen_t service_size, int flags);
struct hostent *weft_call_gethostbyname(const char *name);
struct hostent *weft_call_gethostbyname2(const char *name, int family);
int weft_call_gethostbyname_r(const char *name, struct hostent *host, char *buffer, size_t size,
	struct hostent **result, int *error);
int weft_call_gethostbyname2_r(const char *name, int family, struct hostent *host, char *buffer, size_t size,
	struct hostent **result, int *error);
struct hostent *weft_call_gethostbyaddr(const void *address, socklen_t size, int family);
int weft_call_gethostbyaddr_r(const void *address, socklen_t address_size, int family, struct hostent *host,
	char *buffer, size_t size, struct hostent **result, int *error);
/* The request is over, and the stacks are gone on which waiting calls had their notes. */
void weft_hosts_forget(void);
int weft_call_res_query(const char *name, int class, int type, unsigned char *answer, int size);
int weft_call_res_search(const char *name, int class, int type, unsigned char *answer, int size);
int weft_call_res_nquery(res_state state, const char *name, int class, int type, unsigned char *answer, int size);
int weft_call_res_nsearch(res_state state, const char *name, int class, int type, unsigned char *answer, int size);

/* weft_calls_lock.c */
int weft_call_flock(int fd, int operation);
int weft_call_lockf(int fd, int command, off_t size);
/* fcntl(F_SETLKW) and fcntl(F_OFD_SETLKW). */
int weft_lock_record(int fd, int command, struct flock *lock);

/* weft_calls_ipc.c */
int weft_call_semop(int id, struct sembuf *operations, size_t count);
int weft_call_semtimedop(int id, struct sembuf *operations, size_t count, const struct timespec *timeout);
int weft_call_msgsnd(int id, const void *message, size_t size, int flags);
ssize_t weft_call_msgrcv(int id, void *message, size_t size, long type, int flags);
int weft_call_sem_wait(sem_t *semaphore);
int weft_call_sem_timedwait(sem_t *semaphore, const struct timespec *deadline);
int weft_call_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);
int weft_call_mq_send(mqd_t queue, const char *message, size_t size, unsigned int priority);
ssize_t weft_call_mq_receive(mqd_t queue, char *message, size_t size, unsigned int *priority);
int weft_call_mq_timedsend(mqd_t queue, const char *message, size_t size, unsigned int priority,
	const struct timespec *deadline);
ssize_t weft_call_mq_timedreceive(mqd_t queue, char *message, size_t size, unsigned int *priority,
	const struct timespec *deadline);

/* weft_calls_open.c */
int weft_call_open(const char *path, int flags, ...);
int weft_call_open_2(const char *path, int flags);
int weft_call_openat(int directory, const char *path, int flags, ...);
int weft_call_openat_2(int directory, const char *path, int flags);
int weft_call_creat(const char *path, mode_t mode);
int weft_call_mkstemp(char *pattern);
FILE *weft_call_fopen(const char *path, const char *mode);
DIR *weft_call_opendir(const char *path);
int weft_call_closedir(DIR *directory);

/* weft_calls_close.c */
/* Whether the request that runs may have so many more descriptors; false with EMFILE. Who runs for none may. */
bool weft_may_open(uint32_t more);
/* The reactor hears of a number that the kernel has just given out, which is the running request's now. */
void weft_opened(int fd, bool nonblocking);
int weft_call_close(int fd);
int weft_call_dup(int fd);
int weft_call_dup2(int fd, int target);
int weft_call_dup3(int fd, int target, int flags);
void weft_call_closefrom(int first);
int weft_call_close_range(unsigned int first, unsigned int last, int flags);
int weft_call_fcntl(int fd, int command, ...);
int weft_call_ioctl(int fd, unsigned long request, ...);
int weft_call_pipe(int ends[2]);
int weft_call_pipe2(int ends[2], int flags);
int weft_call_epoll_create(int size);
int weft_call_epoll_create1(int flags);
int weft_call_eventfd(unsigned int value, int flags);

/* weft_calls_memory.c */
void *weft_call_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
int weft_call_mprotect(void *address, size_t size, int protection);
int weft_call_munmap(void *address, size_t size);

/* guard/weft_libpq.c */
void *weft_call_PQgetResult(void *connection);

/* weft_interpose.c: objects that come later */
void *weft_call_dlopen(const char *name, int flags);
void *weft_call_dlmopen(long space, const char *name, int flags);
void *weft_call_dlsym(void *handle, const char *name);

/* Bad arguments that a fortified call must not survive. */
_Noreturn void weft_fortify_failed(void);

#endif /* WEFT_CALLS_H */
