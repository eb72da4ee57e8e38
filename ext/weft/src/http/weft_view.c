/*
 * What a worker runs, for people: `weft dump` and `weft top`.
 */
#include "http/weft_http_internal.h"
#include "coroutine/weft_frames.h"
#include "reactor/weft_log.h"

#include <arpa/inet.h>

#define FRAMES 6000
#define PATH 512
/* Of a name in JSON, and of all that is said of one coroutine. */
#define NAME 128
#define LONGEST ((FRAMES + PATH + 4 * NAME) * WEFT_LOG_JSON_LONGEST + 1024)
/* Room for the number of those that are left out, and the end. */
#define TAIL 32

typedef struct {
	char *to;
	size_t room, length;
	uint32_t left_out;
	bool frames;
	char one[LONGEST];
	size_t one_length;
} view;

/* --- one of them --- */

static void put_text(view *self, const char *name, const char *text, size_t length)
{
	self->one_length += (size_t) sprintf(self->one + self->one_length, ",\"%s\":\"", name);
	self->one_length += weft_log_json(self->one + self->one_length, text, length);
	self->one[self->one_length++] = '"';
}

static void put_short(view *self, const char *name, const char *text)
{
	put_text(self, name, text, strnlen(text, NAME));
}

static void view_number(view *self, const char *name, uint64_t number)
{
	self->one_length += (size_t) sprintf(self->one + self->one_length, ",\"%s\":%" PRIu64, name, number);
}

static const char *view_state(const weft_coroutine *coroutine)
{
	switch (coroutine->state) {
		case WEFT_COROUTINE_QUEUED: return "queued";
		case WEFT_COROUTINE_SUSPENDED: return "waits";
		case WEFT_COROUTINE_RUNNING: return "runs";
		default: return "ready";
	}
}

/* "127.0.0.1:5432", or the path of a Unix socket; false when it is no socket, or nobody is there. */
static bool describe_peer(int fd, char *text, size_t room)
{
	weft_http_address peer;
	socklen_t length = sizeof(peer);
	char host[INET6_ADDRSTRLEN];

	if (getpeername(fd, &peer.any, &length) != 0) {
		return false;
	}
	if (peer.any.sa_family == AF_INET && inet_ntop(AF_INET, &peer.in.sin_addr, host, sizeof(host))) {
		snprintf(text, room, "%s:%u", host, ntohs(peer.in.sin_port));
	} else if (peer.any.sa_family == AF_INET6 && inet_ntop(AF_INET6, &peer.in6.sin6_addr, host, sizeof(host))) {
		snprintf(text, room, "[%s]:%u", host, ntohs(peer.in6.sin6_port));
	} else if (peer.any.sa_family == AF_UNIX && length > offsetof(struct sockaddr_un, sun_path)) {
		/* without an end when it fills its place */
		length = MIN(length - offsetof(struct sockaddr_un, sun_path), room - 1);
		memcpy(text, peer.un.sun_path, length);
		text[length] = '\0';
	} else {
		return false;
	}
	return true;
}

static void put_wait(view *self, const weft_wait_info *wait)
{
	char peer[NAME];

	put_short(self, "waits_for", wait->what ? wait->what : "something");
	if (wait->fd >= 0) {
		view_number(self, "fd", (uint64_t) wait->fd);
		if (describe_peer(wait->fd, peer, sizeof(peer))) {
			put_short(self, "peer", peer);
		}
	}
}

static void put_request(view *self, weft_http_request *request)
{
	put_short(self, "request", weft_request_id(request));
	put_short(self, "method", weft_request_shown_method(request));
	put_text(self, "path", request->uri, MIN(strcspn(request->uri, "?"), PATH));
	view_number(self, "age_ms", (weft_now() - request->began) / WEFT_NS_PER_MS);
}

static void put_trace(view *self, const weft_coroutine *coroutine)
{
	static char frames[FRAMES];

	if (coroutine->suspended_at && coroutine->state != WEFT_COROUTINE_QUEUED) {
		size_t length = weft_frames_describe(coroutine->suspended_at, frames, sizeof(frames));
		put_text(self, "trace", frames + (length > 0), length - (length > 0));
	}
}

static void describe_coroutine(view *self, const weft_coroutine *coroutine)
{
	weft_http_request *request = weft_request_of(coroutine);

	self->one_length = (size_t) sprintf(self->one, "{\"coroutine\":%" PRIu64 ",\"state\":\"%s\"", coroutine->id,
		view_state(coroutine));
	if (request) {
		put_request(self, request);
	}
	if (coroutine->state == WEFT_COROUTINE_SUSPENDED) {
		put_wait(self, &coroutine->wait);
	}
	if (self->frames) {
		put_trace(self, coroutine);
	}
	self->one[self->one_length++] = '}';
}

/* --- all of them --- */

static void add(view *self, const weft_coroutine *coroutine)
{
	if (self->left_out) {
		self->left_out++;
		return;
	}
	describe_coroutine(self, coroutine);
	if (self->length + self->one_length + 1 > self->room - TAIL) {
		self->left_out++;
		return;
	}
	if (self->length > 1) {
		self->to[self->length++] = ',';
	}
	memcpy(self->to + self->length, self->one, self->one_length);
	self->length += self->one_length;
}

typedef struct {
	weft_coroutine **of;
	uint32_t count, room;
} gathered;

static void gather_one(weft_coroutine *coroutine, void *arg)
{
	gathered *all = arg;

	if (!coroutine->is_main && !coroutine->background && all->count < all->room) {
		all->of[all->count++] = coroutine;
	}
}

size_t weft_http_describe_coroutines(char *to, size_t room, bool frames)
{
	gathered all = {.room = weft_coroutine_count()};
	view *self = malloc(sizeof(*self));

	all.of = malloc((all.room + 1) * sizeof(*all.of));
	if (!self || !all.of) {
		free(self);
		free(all.of);
		return (size_t) snprintf(to, room, "[]");
	}
	self->to = to;
	self->room = room;
	self->frames = frames;
	self->left_out = 0;
	self->length = 0;
	to[self->length++] = '[';
	weft_scheduler_each(gather_one, &all);
	while (all.count > 0) {
		add(self, all.of[--all.count]); /* the newest come first */
	}
	if (self->left_out) {
		self->length += (size_t) sprintf(to + self->length, ",%u", self->left_out);
	}
	to[self->length++] = ']';
	size_t length = self->length;
	free(self);
	free(all.of);
	return length;
}
