/*
 * gethostbyname and gethostbyaddr in all their shapes, on the DNS pool.
 */
#include "interpose/weft_calls.h"
#include "interpose/weft_lookup.h"
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

/* Where the thread's answer begins to grow from, and where it stops: glibc asks for more with ERANGE. */
#define WEFT_HOST_BUFFER 1024
#define WEFT_HOST_BUFFER_MOST (1024 * 1024)

typedef struct {
	weft_lookup lookup;
	char *name; /* NULL: by address */
	unsigned char address[sizeof(struct in6_addr)];
	socklen_t address_size;
	int family; /* of a name: 0 for what the resolver prefers */
	struct hostent host;
	struct hostent *found;
	char *buffer;
} host_lookup;

static int host_try(host_lookup *self, size_t size)
{
	if (!self->name) {
		return gethostbyaddr_r(self->address, self->address_size, self->family, &self->host, self->buffer, size,
			&self->found, &h_errno);
	}
	if (self->family != 0) {
		return gethostbyname2_r(self->name, self->family, &self->host, self->buffer, size, &self->found, &h_errno);
	}
	return gethostbyname_r(self->name, &self->host, self->buffer, size, &self->found, &h_errno);
}

static void host_run(weft_lookup *lookup)
{
	host_lookup *self = (host_lookup *) lookup;
	size_t size = WEFT_HOST_BUFFER;

	do {
		free(self->buffer);
		self->buffer = malloc(size);
		self->found = NULL;
		lookup->result = self->buffer ? host_try(self, size) : ENOMEM;
		size *= 2;
	} while (lookup->result == ERANGE && size <= WEFT_HOST_BUFFER_MOST);
}

static void host_release(weft_lookup *lookup)
{
	host_lookup *self = (host_lookup *) lookup;

	free(self->name);
	free(self->buffer);
	free(self);
}

static host_lookup *new_lookup(const char *name, const void *address, socklen_t address_size, int family)
{
	host_lookup *self = calloc(1, sizeof(*self));

	if (self) {
		self->lookup.run = host_run;
		self->lookup.release = host_release;
		self->name = name ? strdup(name) : NULL;
		self->family = family;
		self->address_size = address_size;
		if (address) {
			memcpy(self->address, address, address_size);
		}
	}
	return self;
}

/* Room in the caller's buffer, taken from the front. */
typedef struct {
	char *next;
	size_t left;
} host_room;

static void *hosts_take_room(host_room *room, size_t size, size_t alignment)
{
	size_t skip = (size_t) (-(uintptr_t) room->next) & (alignment - 1);

	if (size > room->left || skip > room->left - size) {
		return NULL;
	}
	char *taken = room->next + skip;
	room->next = taken + size;
	room->left -= skip + size;
	return taken;
}

/* Copies a list that ends with NULL; entries are `size` bytes, or strings when it is 0. */
static char **copy_host_list(host_room *room, char *const *list, size_t size)
{
	size_t count = 0;

	while (list && list[count]) {
		count++;
	}
	char **copy = hosts_take_room(room, (count + 1) * sizeof(*copy), sizeof(*copy));
	for (size_t i = 0; copy && i < count; i++) {
		size_t length = size ? size : strlen(list[i]) + 1;
		copy[i] = hosts_take_room(room, length, size ? sizeof(uint32_t) : 1);
		if (!copy[i]) {
			return NULL;
		}
		memcpy(copy[i], list[i], length);
	}
	if (copy) {
		copy[count] = NULL;
	}
	return copy;
}

/* Returns 0, or ERANGE when the buffer is too small. */
static int copy_host(const struct hostent *from, struct hostent *to, char *buffer, size_t size)
{
	host_room room = {.next = buffer, .left = size};

	to->h_addrtype = from->h_addrtype;
	to->h_length = from->h_length;
	to->h_addr_list = copy_host_list(&room, from->h_addr_list, (size_t) from->h_length);
	to->h_aliases = copy_host_list(&room, from->h_aliases, 0);
	to->h_name = hosts_take_room(&room, strlen(from->h_name) + 1, 1);
	if (!to->h_addr_list || !to->h_aliases || !to->h_name) {
		return ERANGE;
	}
	memcpy(to->h_name, from->h_name, strlen(from->h_name) + 1);
	return 0;
}

/* One call that waits for its answer, and where its caller wants it. */
typedef struct host_waiter host_waiter;
struct host_waiter {
	const struct hostent *host;
	bool overtaken;
	host_waiter *next;
};

static host_waiter *waiters;

/* PHP has one struct hostent and one buffer for all its look-ups, and frees the buffer before each: so once a second
 * look-up into the same struct has begun, the buffer of the first is gone. */
static void join_waiters(host_waiter *waiter, const struct hostent *host)
{
	for (host_waiter *other = waiters; other; other = other->next) {
		other->overtaken |= other->host == host;
	}
	*waiter = (host_waiter){.host = host, .next = waiters};
	waiters = waiter;
}

static void leave_waiters(const host_waiter *waiter)
{
	host_waiter **link = &waiters;

	while (*link != waiter) {
		link = &(*link)->next;
	}
	*link = waiter->next;
}

void weft_hosts_forget(void)
{
	waiters = NULL;
}

/* The last answers that lie in our memory instead of the caller's: valid until the next one, as in libc. One for
 * the calls that answer in static memory, one for those that were overtaken. */
static host_lookup *static_answer, *overtaken_answer;

static void keep_answer(host_lookup **kept, host_lookup *answer)
{
	if (*kept) {
		host_release(&(*kept)->lookup);
	}
	*kept = answer;
}

/* The contract of the *_r calls. Uses the look-up up. */
static int look_up_into(host_lookup *self, const char *what, struct hostent *host, char *buffer, size_t size,
	struct hostent **result, int *error)
{
	host_waiter waiter;

	*result = NULL;
	if (!self) {
		*error = NETDB_INTERNAL;
		return ENOMEM;
	}
	int saved_errno = errno;
	join_waiters(&waiter, host);
	int status = weft_lookup_wait(&self->lookup, what);
	leave_waiters(&waiter);
	if (status != 0) {
		errno = status;
		*error = NETDB_INTERNAL;
		return status;
	}
	status = self->lookup.result;
	*error = self->lookup.h_error;
	if (status == 0 && self->found && waiter.overtaken) {
		*host = *self->found;
		*result = host;
		errno = saved_errno;
		keep_answer(&overtaken_answer, self);
		return 0;
	}
	if (status == 0 && self->found) {
		status = copy_host(self->found, host, buffer, size);
		if (status == 0) {
			*result = host;
		} else {
			*error = NETDB_INTERNAL;
		}
	}
	errno = status != 0 ? status : saved_errno;
	host_release(&self->lookup);
	return status;
}

int weft_call_gethostbyname2_r(const char *name, int family, struct hostent *host, char *buffer, size_t size,
	struct hostent **result, int *error)
{
	if (!weft_may_wait()) {
		return gethostbyname2_r(name, family, host, buffer, size, result, error);
	}
	return look_up_into(new_lookup(name, NULL, 0, family), "gethostbyname2_r", host, buffer, size, result, error);
}

int weft_call_gethostbyname_r(const char *name, struct hostent *host, char *buffer, size_t size,
	struct hostent **result, int *error)
{
	if (!weft_may_wait()) {
		return gethostbyname_r(name, host, buffer, size, result, error);
	}
	return look_up_into(new_lookup(name, NULL, 0, 0), "gethostbyname_r", host, buffer, size, result, error);
}

int weft_call_gethostbyaddr_r(const void *address, socklen_t address_size, int family, struct hostent *host,
	char *buffer, size_t size, struct hostent **result, int *error)
{
	if (address_size > sizeof(struct in6_addr) || !weft_may_wait()) {
		return gethostbyaddr_r(address, address_size, family, host, buffer, size, result, error);
	}
	return look_up_into(new_lookup(NULL, address, address_size, family), "gethostbyaddr_r", host, buffer, size, result,
		error);
}

/* --- the calls that answer in static memory --- */

static struct hostent *hosts_look_up(host_lookup *self, const char *what)
{
	int saved_errno = errno;

	if (!self) {
		h_errno = NETDB_INTERNAL;
		return NULL;
	}
	int status = weft_lookup_wait(&self->lookup, what);
	if (status != 0) {
		errno = status;
		h_errno = NETDB_INTERNAL;
		return NULL;
	}
	h_errno = self->lookup.h_error;
	errno = self->lookup.result != 0 ? self->lookup.result : saved_errno;
	keep_answer(&static_answer, self);
	return self->found;
}

struct hostent *weft_call_gethostbyname2(const char *name, int family)
{
	return weft_may_wait() ? hosts_look_up(new_lookup(name, NULL, 0, family), "gethostbyname2")
						   : gethostbyname2(name, family);
}

struct hostent *weft_call_gethostbyname(const char *name)
{
	return weft_may_wait() ? hosts_look_up(new_lookup(name, NULL, 0, 0), "gethostbyname") : gethostbyname(name);
}

struct hostent *weft_call_gethostbyaddr(const void *address, socklen_t size, int family)
{
	if (size > sizeof(struct in6_addr) || !weft_may_wait()) {
		return gethostbyaddr(address, size, family);
	}
	return hosts_look_up(new_lookup(NULL, address, size, family), "gethostbyaddr");
}
