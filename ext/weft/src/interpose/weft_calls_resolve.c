/*
 * getaddrinfo, getnameinfo and the res_* calls, on the DNS pool.
 */
#include "interpose/weft_calls.h"
#include "interpose/weft_lookup.h"
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

static char *text_copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

/* --- getaddrinfo --- */

typedef struct {
	weft_lookup lookup;
	char *node, *service;
	bool hinted;
	struct addrinfo hints;
	struct addrinfo *found;
} addrinfo_lookup;

static void addrinfo_run(weft_lookup *lookup)
{
	addrinfo_lookup *self = (addrinfo_lookup *) lookup;

	lookup->result = getaddrinfo(self->node, self->service, self->hinted ? &self->hints : NULL, &self->found);
	if (lookup->result != 0) {
		self->found = NULL;
	}
}

static void addrinfo_release(weft_lookup *lookup)
{
	addrinfo_lookup *self = (addrinfo_lookup *) lookup;

	if (self->found) {
		freeaddrinfo(self->found);
	}
	free(self->node);
	free(self->service);
	free(self);
}

static bool is_numeric(const char *node)
{
	unsigned char address[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, node, address) == 1 || inet_pton(AF_INET6, node, address) == 1;
}

int weft_call_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
	/* Numbers need no name server. */
	if (!node || (hints && (hints->ai_flags & AI_NUMERICHOST)) || is_numeric(node) || !weft_may_wait()) {
		return getaddrinfo(node, service, hints, result);
	}
	addrinfo_lookup *self = calloc(1, sizeof(*self));
	if (!self) {
		return EAI_MEMORY;
	}
	self->lookup.run = addrinfo_run;
	self->lookup.release = addrinfo_release;
	self->node = text_copy(node);
	self->service = text_copy(service);
	if (hints) {
		self->hinted = true;
		self->hints = (struct addrinfo){
			.ai_flags = hints->ai_flags,
			.ai_family = hints->ai_family,
			.ai_socktype = hints->ai_socktype,
			.ai_protocol = hints->ai_protocol,
		};
	}
	int saved_errno = errno;
	int error = weft_lookup_wait(&self->lookup, "getaddrinfo");
	if (error != 0) {
		errno = error;
		return EAI_SYSTEM;
	}
	int status = self->lookup.result;
	errno = status == EAI_SYSTEM ? self->lookup.error : saved_errno;
	if (status == 0) {
		*result = self->found;
		self->found = NULL;
	}
	addrinfo_release(&self->lookup);
	return status;
}

/* --- getnameinfo --- */

typedef struct {
	weft_lookup lookup;
	struct sockaddr_storage address;
	socklen_t size, host_size, service_size;
	char host[NI_MAXHOST], service[NI_MAXSERV];
	int flags;
} nameinfo_lookup;

static void nameinfo_run(weft_lookup *lookup)
{
	nameinfo_lookup *self = (nameinfo_lookup *) lookup;

	lookup->result = getnameinfo((struct sockaddr *) &self->address, self->size, self->host_size ? self->host : NULL,
		self->host_size, self->service_size ? self->service : NULL, self->service_size, self->flags);
}

static void plain_release(weft_lookup *lookup)
{
	free(lookup);
}

int weft_call_getnameinfo(const struct sockaddr *address, socklen_t size, char *host, socklen_t host_size,
	char *service, socklen_t service_size, int flags)
{
	nameinfo_lookup *self;

	/* A service's name comes from a file. */
	if (!host || host_size == 0 || (flags & NI_NUMERICHOST) || size > sizeof(self->address) || !weft_may_wait()) {
		return getnameinfo(address, size, host, host_size, service, service_size, flags);
	}
	self = calloc(1, sizeof(*self));
	if (!self) {
		return EAI_MEMORY;
	}
	self->lookup.run = nameinfo_run;
	self->lookup.release = plain_release;
	memcpy(&self->address, address, size);
	self->size = size;
	self->host_size = MIN(host_size, (socklen_t) sizeof(self->host));
	self->service_size = service ? MIN(service_size, (socklen_t) sizeof(self->service)) : 0;
	self->flags = flags;
	int saved_errno = errno;
	int error = weft_lookup_wait(&self->lookup, "getnameinfo");
	if (error != 0) {
		errno = error;
		return EAI_SYSTEM;
	}
	int status = self->lookup.result;
	errno = status == EAI_SYSTEM ? self->lookup.error : saved_errno;
	if (status == 0) {
		memcpy(host, self->host, strlen(self->host) + 1);
		if (self->service_size) {
			memcpy(service, self->service, strlen(self->service) + 1);
		}
	}
	free(self);
	return status;
}

/* --- res_query and its family --- */

typedef struct {
	weft_lookup lookup;
	struct __res_state settings; /* the caller's, read only */
	bool search;
	char *name;
	int class, type, size;
	unsigned char answer[];
} query_lookup;

/* The thread resolves with a state of its own, set up as the caller's is: options, time limits, name servers. */
static void query_run(weft_lookup *lookup)
{
	query_lookup *self = (query_lookup *) lookup;
	struct __res_state state;

	memset(&state, 0, sizeof(state));
	if (res_ninit(&state) != 0) {
		lookup->result = -1;
		h_errno = NETDB_INTERNAL;
		return;
	}
	state.options = self->settings.options;
	state.retrans = self->settings.retrans;
	state.retry = self->settings.retry;
	if (self->settings.nscount > 0) {
		state.nscount = self->settings.nscount;
		memcpy(state.nsaddr_list, self->settings.nsaddr_list, sizeof(state.nsaddr_list));
	}
	lookup->result = self->search ? res_nsearch(&state, self->name, self->class, self->type, self->answer, self->size)
								  : res_nquery(&state, self->name, self->class, self->type, self->answer, self->size);
	int error = errno;
	h_errno = state.res_h_errno;
	res_nclose(&state);
	errno = error;
}

static void query_release(weft_lookup *lookup)
{
	free(((query_lookup *) lookup)->name);
	free(lookup);
}

static int query(res_state state, bool search, const char *name, int class, int type, unsigned char *answer, int size)
{
	query_lookup *self = calloc(1, sizeof(*self) + (size_t) size);

	if (!self) {
		h_errno = NETDB_INTERNAL;
		return -1;
	}
	self->lookup.run = query_run;
	self->lookup.release = query_release;
	self->settings = *state;
	self->search = search;
	self->name = text_copy(name);
	self->class = class;
	self->type = type;
	self->size = size;
	int error = weft_lookup_wait(&self->lookup, search ? "res_search" : "res_query");
	if (error != 0) {
		errno = error;
		state->res_h_errno = h_errno = TRY_AGAIN;
		return -1;
	}
	int length = self->lookup.result;
	if (length > 0) {
		memcpy(answer, self->answer, (size_t) MIN(length, size));
	}
	state->res_h_errno = h_errno = self->lookup.h_error;
	if (length < 0) {
		errno = self->lookup.error;
	}
	query_release(&self->lookup);
	return length;
}

int weft_call_res_nquery(res_state state, const char *name, int class, int type, unsigned char *answer, int size)
{
	if (size < 0 || !weft_may_wait()) {
		return res_nquery(state, name, class, type, answer, size);
	}
	return query(state, false, name, class, type, answer, size);
}

int weft_call_res_nsearch(res_state state, const char *name, int class, int type, unsigned char *answer, int size)
{
	if (size < 0 || !weft_may_wait()) {
		return res_nsearch(state, name, class, type, answer, size);
	}
	return query(state, true, name, class, type, answer, size);
}

/* The calls without a state use the thread's, which is set up at first use. */
static bool thread_state_ready(void)
{
	return (_res.options & RES_INIT) || res_init() == 0;
}

int weft_call_res_query(const char *name, int class, int type, unsigned char *answer, int size)
{
	if (size < 0 || !weft_may_wait() || !thread_state_ready()) {
		return res_query(name, class, type, answer, size);
	}
	return query(&_res, false, name, class, type, answer, size);
}

int weft_call_res_search(const char *name, int class, int type, unsigned char *answer, int size)
{
	if (size < 0 || !weft_may_wait() || !thread_state_ready()) {
		return res_search(name, class, type, answer, size);
	}
	return query(&_res, true, name, class, type, answer, size);
}
