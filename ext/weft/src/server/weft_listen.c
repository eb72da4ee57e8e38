/*
 * Listening sockets: opened for a host and a port, on each of its addresses, closed so that nobody who connects is
 * reset.
 */
#include "server/weft_listen.h"

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Names and ports are shown as numbers, whatever the resolver knows. */
#define NUMERIC (NI_NUMERICHOST | NI_NUMERICSERV)
#define FOR_ALL 0666

static zend_string *address_to_string(const struct sockaddr *address, socklen_t length)
{
	char host[NI_MAXHOST], port[NI_MAXSERV];
	if (getnameinfo(address, length, host, sizeof(host), port, sizeof(port), NUMERIC) != 0) {
		return zend_string_init("unknown address", sizeof("unknown address") - 1, 0);
	}
	return zend_strpprintf(0, address->sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

zend_string *weft_listen_address(int fd)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);
	const char *path = weft_unix_socket_path(fd);
	if (path != NULL) {
		return zend_strpprintf(0, WEFT_LISTEN_UNIX "%s", path);
	}
	if (getsockname(fd, (struct sockaddr *) &address, &length) != 0) {
		length = 0;
		address.ss_family = AF_UNSPEC;
	}
	return address_to_string((struct sockaddr *) &address, length);
}

static in_port_t *port_of(struct sockaddr *address)
{
	return address->sa_family == AF_INET6 ? &((struct sockaddr_in6 *) address)->sin6_port
										  : &((struct sockaddr_in *) address)->sin_port;
}

static int open_one(const struct sockaddr *address, socklen_t length)
{
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0) {
		return -1;
	}
	int on = 1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (address->sa_family == AF_INET6) {
		/* "localhost" opens a socket for each family, which must not collide */
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	}
	if (bind(fd, address, length) != 0 || listen(fd, WEFT_BACKLOG) != 0) {
		int error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

void weft_listen_add(weft_listeners *listeners, int fd)
{
	weft_unix_socket_file(fd, &listeners->files[listeners->count]);
	listeners->ports[listeners->count] = WEFT_PORT_PLAIN;
	listeners->fds[listeners->count++] = fd;
}

static bool open_file(weft_listeners *listeners, const char *path)
{
	int fd = listeners->count < WEFT_MAX_LISTENERS ? weft_unix_socket_open(path, FOR_ALL, WEFT_BACKLOG) : -1;
	if (fd >= 0) {
		weft_listen_add(listeners, fd);
		return true;
	}
	zend_throw_exception_ex(spl_ce_RuntimeException, errno, "Can't listen on " WEFT_LISTEN_UNIX "%s: %s", path,
		strerror(errno));
	weft_listen_abandon(listeners);
	return false;
}

/* A machine without IPv6 still resolves ::1; the other family's sockets do then. */
static bool is_missing_family(int error)
{
	return error == EAFNOSUPPORT || error == EADDRNOTAVAIL;
}

/* That of the sockets which are open already; 0: none has one. */
static in_port_t chosen_port(const weft_listeners *listeners)
{
	struct sockaddr_storage address;
	for (uint32_t i = 0; i < listeners->count; i++) {
		socklen_t length = sizeof(address);
		if (getsockname(listeners->fds[i], (struct sockaddr *) &address, &length) == 0 &&
			address.ss_family != AF_UNIX) {
			return *port_of((struct sockaddr *) &address);
		}
	}
	return 0;
}

/* Two names may stand for one address. */
static bool is_open(const weft_listeners *listeners, const struct sockaddr *address, socklen_t length)
{
	zend_string *wanted = address_to_string(address, length);
	bool found = false;
	for (uint32_t i = 0; i < listeners->count && !found; i++) {
		zend_string *open = weft_listen_address(listeners->fds[i]);
		found = zend_string_equals(open, wanted);
		zend_string_release(open);
	}
	zend_string_release(wanted);
	return found;
}

bool weft_listen_open(weft_listeners *listeners, const char *host, zend_long port)
{
	struct addrinfo hints = {.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	struct addrinfo *found = NULL;
	char service[16];
	uint32_t opened = 0;
	int error = 0;

	if (strncmp(host, WEFT_LISTEN_UNIX, strlen(WEFT_LISTEN_UNIX)) == 0) {
		return open_file(listeners, host + strlen(WEFT_LISTEN_UNIX));
	}
	snprintf(service, sizeof(service), ZEND_LONG_FMT, port);
	int lookup = getaddrinfo(host, service, &hints, &found);
	if (lookup != 0) {
		zend_throw_exception_ex(spl_ce_RuntimeException, 0, "The host name \"%s\" can't be resolved: %s", host,
			gai_strerror(lookup));
		return false;
	}
	in_port_t chosen = port != 0 ? htons((uint16_t) port) : chosen_port(listeners);
	for (struct addrinfo *a = found; a != NULL && listeners->count < WEFT_MAX_LISTENERS; a = a->ai_next) {
		*port_of(a->ai_addr) = chosen;
		if (is_open(listeners, a->ai_addr, a->ai_addrlen)) {
			opened++;
			continue;
		}
		int fd = open_one(a->ai_addr, a->ai_addrlen);
		if (fd < 0) {
			error = errno;
			if (is_missing_family(error)) {
				continue;
			}
			zend_string *address = address_to_string(a->ai_addr, a->ai_addrlen);
			zend_throw_exception_ex(spl_ce_RuntimeException, error, "Can't listen on %s: %s", ZSTR_VAL(address),
				strerror(error));
			zend_string_release(address);
			break;
		}
		struct sockaddr_storage bound;
		socklen_t length = sizeof(bound);
		if (getsockname(fd, (struct sockaddr *) &bound, &length) == 0) {
			chosen = *port_of((struct sockaddr *) &bound);
		}
		weft_listen_add(listeners, fd);
		opened++;
	}
	freeaddrinfo(found);
	if (!EG(exception) && opened == 0) {
		zend_throw_exception_ex(spl_ce_RuntimeException, error, "Can't listen on %s: %s", host, strerror(error));
	}
	if (EG(exception)) {
		weft_listen_abandon(listeners);
		return false;
	}
	return true;
}

/* --- from one process to the next --- */

/* The first of them, as sd_listen_fds(3) has it. */
#define INHERITED_FD 3
/* Of more, nobody has said what they are for. */
#define MOST_INHERITED 1024
/* What a server calls those that it hands to its successor. What another holds as well has that one's name, or none. */
#define OWN_NAME "weft"
#define HELD_NAME "weft-held"
#define ADMIN_NAME "weft-admin"
#define REDIRECT_NAME "weft-redirect"
#define LONGEST_NAME 16

static bool listens(int fd)
{
	int on = 0;
	socklen_t length = sizeof(on);
	return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &length) == 0 && on;
}

/* The name of the next one in LISTEN_FDNAMES, which have colons between; empty when there is none. */
static void take_name(const char **names, char name[LONGEST_NAME])
{
	size_t length = *names != NULL ? strcspn(*names, ":") : 0;
	snprintf(name, LONGEST_NAME, "%.*s", (int) length, *names != NULL ? *names : "");
	*names = *names != NULL && (*names)[length] == ':' ? *names + length + 1 : NULL;
}

bool weft_listen_inherit(weft_listeners *listeners, weft_listeners *admin)
{
	const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS"), *names = getenv("LISTEN_FDNAMES");
	char name[LONGEST_NAME];
	if (pid == NULL || count == NULL || atol(pid) != (long) getpid()) {
		return false;
	}
	int end = INHERITED_FD + MIN(MAX(atoi(count), 0), MOST_INHERITED);
	for (int fd = INHERITED_FD; fd < end; fd++) {
		take_name(&names, name);
		weft_listeners *to = strcmp(name, ADMIN_NAME) == 0 ? admin : listeners;
		if (listens(fd) && to->count < WEFT_MAX_LISTENERS) {
			fcntl(fd, F_SETFD, FD_CLOEXEC);
			fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
			weft_listen_add(to, fd);
			if (strcmp(name, REDIRECT_NAME) == 0) {
				to->ports[to->count - 1] = WEFT_PORT_REDIRECT;
			} else {
				to->held = to == listeners && strcmp(name, OWN_NAME) != 0;
			}
		}
	}
	/* this was meant for this process alone */
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	return listeners->count > 0;
}

static void hand_on(const weft_listeners *listeners, const char *name, int *above, uint32_t *count, char *names)
{
	for (uint32_t i = 0; i < listeners->count; i++) {
		/* out of the way of those that get the first numbers */
		above[(*count)++] = fcntl(listeners->fds[i], F_DUPFD_CLOEXEC, INHERITED_FD + 2 * WEFT_MAX_LISTENERS);
		strcat(strcat(names, *names != '\0' ? ":" : ""),
			listeners->ports[i] == WEFT_PORT_REDIRECT ? REDIRECT_NAME : name);
	}
}

void weft_listen_hand_on(const weft_listeners *listeners, const weft_listeners *admin, char *const *argv)
{
	int above[2 * WEFT_MAX_LISTENERS];
	char names[2 * WEFT_MAX_LISTENERS * LONGEST_NAME] = "", text[16];
	uint32_t count = 0;
	hand_on(listeners, listeners->held ? HELD_NAME : OWN_NAME, above, &count, names);
	hand_on(admin, ADMIN_NAME, above, &count, names);
	for (uint32_t i = 0; i < count; i++) {
		dup2(above[i], INHERITED_FD + (int) i);
	}
	snprintf(text, sizeof(text), "%u", count);
	setenv("LISTEN_FDS", text, 1);
	snprintf(text, sizeof(text), "%d", (int) getpid());
	setenv("LISTEN_PID", text, 1);
	setenv("LISTEN_FDNAMES", names, 1);
	execv(argv[0], argv);
}

void weft_listen_close(weft_listeners *listeners)
{
	for (uint32_t i = 0; i < listeners->count; i++) {
		close(listeners->fds[i]);
	}
	listeners->count = 0;
}

/* Between the last accept() and close() there would always be a moment for one more connection, which close() resets.
 * So the kernel is told to overlook packets that begin one: byte 13 of a TCP header has the flags, 2 is SYN. */
void weft_listen_admit_nobody(const weft_listeners *listeners)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, 0),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	for (uint32_t i = 0; i < listeners->count && !listeners->held; i++) {
		if (weft_unix_socket_path(listeners->fds[i]) != NULL) {
			weft_unix_socket_remove(listeners->fds[i], &listeners->files[i]);
			continue;
		}
		/* where that is not allowed, the moment remains */
		setsockopt(listeners->fds[i], SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
	}
}

void weft_listen_abandon(weft_listeners *listeners)
{
	weft_listen_admit_nobody(listeners);
	weft_listen_close(listeners);
}

uint32_t weft_listen_waiting(const weft_listeners *listeners)
{
	uint32_t waiting = 0;

	for (uint32_t i = 0; i < listeners->count; i++) {
		struct tcp_info info = {0};
		socklen_t length = sizeof(info);
		/* of a listening socket this is the length of its queue */
		if (getsockopt(listeners->fds[i], IPPROTO_TCP, TCP_INFO, &info, &length) == 0) {
			waiting += info.tcpi_unacked;
		} else {
			waiting += poll(&(struct pollfd){.fd = listeners->fds[i], .events = POLLIN}, 1, 0) == 1;
		}
	}
	return waiting;
}
