/*
 * The replacements of the calls that a warm-up may not make, and of those that tell time and random numbers; at another
 * time files stay as they are.
 */
#include "interpose/weft_quarantine.h"
#include "interpose/weft_got.h"
#include "interpose/weft_interpose.h"
#include "reactor/weft_reactor.h"
#include "zend_exceptions.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* A clock that stands still goes on by a microsecond after so many questions: who waits for another time asks for
 * ever. */
#define ASKED_IN_VAIN 1000

static struct {
	bool begun, fixed;
	zend_long offset;
	uint64_t seed;
	struct timespec began[2]; /* CLOCK_REALTIME, CLOCK_MONOTONIC: the same for all who are compared */
	struct timespec stopped[2];
	uint32_t asked;    /* since one of them went on */
	char refused[160]; /* the first one */
} quarantine;

/* --- time --- */

static void move_on(struct timespec *clock)
{
	clock->tv_nsec += 1000;
	if (clock->tv_nsec >= (long) WEFT_NS_PER_SEC) {
		clock->tv_nsec -= (long) WEFT_NS_PER_SEC;
		clock->tv_sec++;
	}
}

static void tell_stopped(clockid_t clock, struct timespec *now)
{
	struct timespec *stopped = &quarantine.stopped[clock == CLOCK_MONOTONIC];

	if (++quarantine.asked > ASKED_IN_VAIN) {
		quarantine.asked = 0;
		move_on(stopped);
	}
	*now = *stopped;
}

static int tell_clock(clockid_t clock, struct timespec *now)
{
	int result = 0;

	if (quarantine.fixed && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC)) {
		tell_stopped(clock, now);
	} else {
		result = clock_gettime(clock, now);
	}
	if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC)) {
		now->tv_sec += quarantine.offset;
	}
	return result;
}

static time_t call_time(time_t *to)
{
	struct timespec now;

	tell_clock(CLOCK_REALTIME, &now);
	if (to) {
		*to = now.tv_sec;
	}
	return now.tv_sec;
}

static int call_gettimeofday(struct timeval *to, void *zone)
{
	struct timespec now;

	tell_clock(CLOCK_REALTIME, &now);
	to->tv_sec = now.tv_sec;
	to->tv_usec = now.tv_nsec / 1000;
	return 0;
}

/* --- random numbers --- */

static void random_fill(unsigned char *bytes, size_t count)
{
	uint64_t state = quarantine.seed ^ (count * 0x9e3779b97f4a7c15ull);

	for (size_t i = 0; i < count; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		bytes[i] = (unsigned char) (state >> 24);
	}
	/* whoever wants a number out of a range asks again and again while it is too large: never a large one */
	if (count == 4 || count == 8) {
		bytes[count - 1] &= 0x3f;
	}
}

static ssize_t call_getrandom(void *bytes, size_t count, unsigned int flags)
{
	if (!quarantine.fixed) {
		return getrandom(bytes, count, flags);
	}
	random_fill(bytes, count);
	return (ssize_t) count;
}

static long call_syscall(long number, ...)
{
	long argument[6];
	va_list arguments;

	va_start(arguments, number);
	for (int i = 0; i < 6; i++) {
		argument[i] = va_arg(arguments, long);
	}
	va_end(arguments);
	if (number == SYS_getrandom) {
		return call_getrandom((void *) argument[0], (size_t) argument[1], (unsigned int) argument[2]);
	}
	return syscall(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}

/* --- what would leave the process --- */

static int quarantine_refuse(const char *what, const char *whom)
{
	if (!*quarantine.refused) {
		snprintf(quarantine.refused, sizeof(quarantine.refused), "%s%s%s", what, *whom ? " " : "", whom);
	}
	errno = EPERM;
	return -1;
}

static const char *address_name(const struct sockaddr *address, char *buffer, size_t size)
{
	char text[INET6_ADDRSTRLEN] = "";

	if (address->sa_family == AF_INET) {
		const struct sockaddr_in *in = (const struct sockaddr_in *) address;

		inet_ntop(AF_INET, &in->sin_addr, text, sizeof(text));
		snprintf(buffer, size, "%s:%u", text, ntohs(in->sin_port));
	} else if (address->sa_family == AF_INET6) {
		const struct sockaddr_in6 *in = (const struct sockaddr_in6 *) address;

		inet_ntop(AF_INET6, &in->sin6_addr, text, sizeof(text));
		snprintf(buffer, size, "[%s]:%u", text, ntohs(in->sin6_port));
	} else if (address->sa_family == AF_UNIX) {
		snprintf(buffer, size, "%s", ((const struct sockaddr_un *) address)->sun_path);
	} else {
		snprintf(buffer, size, "a socket of family %d", address->sa_family);
	}
	return buffer;
}

/* Who asked for the warm-up looks after PDO: its work is rolled back. */
static bool is_pdo(void)
{
	const zend_execute_data *frame = EG(current_execute_data);
	const zend_class_entry *scope = frame && frame->func ? frame->func->common.scope : NULL;

	return scope && frame->func->type == ZEND_INTERNAL_FUNCTION && zend_string_equals_literal(scope->name, "PDO");
}

static int call_connect(int fd, const struct sockaddr *address, socklen_t size)
{
	char name[128];

	if (is_pdo()) {
		return connect(fd, address, size);
	}
	return quarantine_refuse("connect to", address_name(address, name, sizeof(name)));
}

static ssize_t call_sendto(int fd, const void *bytes, size_t count, int flags, const struct sockaddr *to,
	socklen_t size)
{
	char name[128];

	return to ? quarantine_refuse("send to", address_name(to, name, sizeof(name)))
			  : sendto(fd, bytes, count, flags, to, size);
}

static ssize_t call_sendmsg(int fd, const struct msghdr *message, int flags)
{
	char name[128];

	return message->msg_name ? quarantine_refuse("send to", address_name(message->msg_name, name, sizeof(name)))
							 : sendmsg(fd, message, flags);
}

static FILE *call_popen(const char *command, const char *mode)
{
	quarantine_refuse("run", command);
	return NULL;
}

static int call_system(const char *command)
{
	return quarantine_refuse("run", command ? command : "a shell");
}

static pid_t call_fork(void)
{
	return quarantine_refuse("start a process", "");
}

static int call_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
	quarantine_refuse("run", path);
	return EPERM;
}

/* --- files --- */

/* At another time nothing may be written: a cache would keep it for a year. PHP's own functions for files say that the
 * disk is read-only, which every application has to bear; sessions, SQLite and OPcache go on. */
static bool is_read_only(const char *path)
{
	const zend_execute_data *frame = EG(current_execute_data);
	const zend_function *function = frame ? frame->func : NULL;

	return (quarantine.fixed || quarantine.offset) && function && function->type == ZEND_INTERNAL_FUNCTION &&
		function->internal_function.module && strcmp(function->internal_function.module->name, "standard") == 0 &&
		strncmp(path, "/dev/", strlen("/dev/")) != 0;
}

static int call_open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list arguments;

	if (flags & (O_CREAT | __O_TMPFILE)) {
		va_start(arguments, flags);
		mode = (mode_t) va_arg(arguments, int);
		va_end(arguments);
	}
	if ((flags & (O_CREAT | O_TRUNC | O_APPEND)) && is_read_only(path)) {
		/* what is added to a log may get lost */
		if (flags & O_APPEND) {
			return open("/dev/null", flags & ~(O_CREAT | O_EXCL));
		}
		errno = EROFS;
		return -1;
	}
	return open(path, flags, mode);
}

static int call_rename(const char *from, const char *to)
{
	if (is_read_only(from)) {
		errno = EROFS;
		return -1;
	}
	return rename(from, to);
}

static int call_unlink(const char *path)
{
	if (is_read_only(path)) {
		errno = EROFS;
		return -1;
	}
	return unlink(path);
}

static int call_mkdir(const char *path, mode_t mode)
{
	if (is_read_only(path)) {
		errno = EROFS;
		return -1;
	}
	return mkdir(path, mode);
}

#define CALL(call, by) \
	{ \
		.name = #call, .replacement = (void *) (by) \
	}

static weft_replacement calls[] = {
	CALL(time, call_time),
	CALL(gettimeofday, call_gettimeofday),
	CALL(clock_gettime, tell_clock),
	CALL(syscall, call_syscall),
	CALL(getrandom, call_getrandom),
	CALL(connect, call_connect),
	CALL(__connect, call_connect),
	CALL(sendto, call_sendto),
	CALL(sendmsg, call_sendmsg),
	CALL(open, call_open),
	CALL(open64, call_open),
	CALL(rename, call_rename),
	CALL(unlink, call_unlink),
	CALL(mkdir, call_mkdir),
	CALL(popen, call_popen),
	CALL(system, call_system),
	CALL(fork, call_fork),
	CALL(vfork, call_fork),
	CALL(posix_spawn, call_posix_spawn),
	CALL(posix_spawnp, call_posix_spawn),
};

bool weft_quarantine_begin(zend_long offset, const char *seed)
{
	if (weft_interpose_installed()) {
		zend_throw_error(NULL, "A page of the warm-up has started coroutines, and what they need can't be undone");
		return false;
	}
	quarantine.offset = offset;
	quarantine.fixed = seed != NULL;
	if (seed) {
		quarantine.seed = zend_inline_hash_func(seed, strlen(seed)) | 1;
		if (!quarantine.began[0].tv_sec) {
			clock_gettime(CLOCK_REALTIME, &quarantine.began[0]);
			clock_gettime(CLOCK_MONOTONIC, &quarantine.began[1]);
		}
		memcpy(quarantine.stopped, quarantine.began, sizeof(quarantine.stopped));
		quarantine.asked = 0;
	}
	/* again each time: a library may have been loaded */
	quarantine.begun = true;
	weft_got_patch(calls, sizeof(calls) / sizeof(*calls));
	return true;
}

zend_string *weft_quarantine_refused(void)
{
	zend_string *refused = *quarantine.refused ? zend_string_init(quarantine.refused, strlen(quarantine.refused), 0)
											   : NULL;

	*quarantine.refused = '\0';
	return refused;
}

bool weft_quarantine_begun(void)
{
	return quarantine.begun;
}

void weft_quarantine_end(void)
{
	if (quarantine.begun) {
		weft_got_restore();
		memset(&quarantine, 0, sizeof(quarantine));
	}
}
