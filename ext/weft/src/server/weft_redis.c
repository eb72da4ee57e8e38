/*
 * Two connections with hiredis' asynchronous interface, in an epoll of their own. What hiredis tells is noted, and
 * acted upon when it has returned: it must not be freed from below itself.
 */
#ifdef WEFT_REDIS

#include "server/weft_redis.h"
#include "server/weft_process.h"

#include <errno.h>
#include <hiredis/async.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Between attempts: the first, and the longest. */
#define LEAST_PAUSE_MS 100
#define MOST_PAUSE_MS 5000
/* That a connection may take until it has subscribed. */
#define CONNECT_MS 5000
/* Pieces that hiredis reads (16 KB each) before others have their turn. */
#define AT_ONCE 8
/* Beside a message: the rest of the reply, and what hiredis has read of the next ones. */
#define BESIDE 65536

#define REASON 256

typedef struct {
	weft_redis *redis;
	redisAsyncContext *context; /* NULL: none */
	uint32_t wants, awaits;     /* what hiredis wants to know, and what epoll tells */
	bool up;                    /* it publishes, or has subscribed */
} connection;

typedef enum { PAUSED, LOOKING_UP, CONNECTING, JOINED } redis_state;

struct weft_redis {
	redis_state state;
	int epoll;
	weft_redis_url url;
	char *channel;
	size_t longest;
	weft_redis_listener listener;
	connection subscriber, publisher;
	int names; /* a look-up under way; -1: none */
	char addresses[WEFT_REDIS_ADDRESSES];
	const char *address; /* the next one to be tried. NULL: they are to be looked up */
	uint64_t at;         /* when to try again, or to give up */
	uint32_t pause_ms;
	bool reads_nothing;
	bool proven;
	char trouble[REASON]; /* "": all is well */
	char said[REASON];
};

/* The first reason is the reason. */
static void note_trouble(weft_redis *redis, const char *why)
{
	if (redis->trouble[0] == '\0') {
		snprintf(redis->trouble, sizeof(redis->trouble), "%s", why[0] != '\0' ? why : "it has closed the connection");
	}
}

/* --- what epoll tells --- */

static void await(connection *c)
{
	bool pauses = c->redis->reads_nothing && c == &c->redis->subscriber;

	weft_process_await(c->redis->epoll, c->context->c.fd, &c->awaits,
		pauses ? c->wants & ~(uint32_t) EPOLLIN : c->wants, c);
}

static void want(connection *c, uint32_t more, uint32_t less)
{
	c->wants = (c->wants | more) & ~less;
	await(c);
}

static void add_read(void *arg)
{
	want(arg, EPOLLIN, 0);
}

static void no_read(void *arg)
{
	want(arg, 0, EPOLLIN);
}

static void add_write(void *arg)
{
	want(arg, EPOLLOUT, 0);
}

static void no_write(void *arg)
{
	want(arg, 0, EPOLLOUT);
}

/* hiredis is about to free it. */
static void cleanup(void *arg)
{
	connection *c = arg;

	want(c, 0, EPOLLIN | EPOLLOUT);
	c->context = NULL;
	c->up = false;
	note_trouble(c->redis, "");
}

/* --- what hiredis tells --- */

static void on_connect(const redisAsyncContext *context, int status)
{
	connection *c = context->data;

	if (c == NULL) {
		return;
	}
	if (status != REDIS_OK) {
		note_trouble(c->redis, context->errstr);
	} else if (c == &c->redis->publisher) {
		c->up = true;
	}
}

static bool is_trouble(const redisAsyncContext *context, const redisReply *reply)
{
	connection *c = context->data;

	if (c == NULL || reply == NULL) {
		if (c != NULL && context->err) {
			note_trouble(c->redis, context->errstr);
		}
		return true;
	}
	if (reply->type == REDIS_REPLY_ERROR) {
		note_trouble(c->redis, reply->str);
		return true;
	}
	return false;
}

static void on_answer(redisAsyncContext *context, void *reply, void *arg)
{
	(void) is_trouble(context, reply);
}

static void on_published(redisAsyncContext *context, void *reply, void *arg)
{
	if (!is_trouble(context, reply)) {
		weft_redis *redis = arg;
		redis->listener.published(redis->listener.arg);
	}
}

static bool is_word(const redisReply *reply, const char *word)
{
	return reply->type == REDIS_REPLY_STRING && strcmp(reply->str, word) == 0;
}

/* Three elements: "subscribe", channel, number; or "message", channel, message. */
static void on_channel(redisAsyncContext *context, void *data, void *arg)
{
	const redisReply *reply = data;
	weft_redis *redis = arg;

	if (is_trouble(context, reply) || reply->elements != 3) {
		return;
	}
	const redisReply *last = reply->element[2];
	if (is_word(reply->element[0], "subscribe")) {
		redis->subscriber.up = true;
	} else if (is_word(reply->element[0], "message") && last->type == REDIS_REPLY_STRING && redis->state == JOINED) {
		redis->listener.heard(redis->listener.arg, last->str, last->len);
	}
}

/* --- connecting --- */

static void command(connection *c, redisCallbackFn *then, void *arg, const char *words[], int count)
{
	size_t lengths[3];

	for (int i = 0; i < count; i++) {
		lengths[i] = strlen(words[i]);
	}
	redisAsyncCommandArgv(c->context, then, arg, count, words, lengths);
}

static void authenticate(connection *c)
{
	const weft_redis_url *url = &c->redis->url;

	if (url->user[0] != '\0') {
		command(c, on_answer, NULL, (const char *[]){"AUTH", url->user, url->password}, 3);
	} else if (url->password[0] != '\0') {
		command(c, on_answer, NULL, (const char *[]){"AUTH", url->password}, 2);
	}
}

static bool connect_one(weft_redis *redis, connection *c)
{
	redisAsyncContext *context = redis->url.path[0] != '\0' ? redisAsyncConnectUnix(redis->url.path)
															: redisAsyncConnect(redis->address, redis->url.port);

	if (context == NULL || context->err) {
		note_trouble(redis, context != NULL ? context->errstr : "out of memory");
		if (context != NULL) {
			redisAsyncFree(context);
		}
		return false;
	}
	*c = (connection){.redis = redis, .context = context};
	context->data = context->ev.data = c;
	context->ev.addRead = add_read;
	context->ev.delRead = no_read;
	context->ev.addWrite = add_write;
	context->ev.delWrite = no_write;
	context->ev.cleanup = cleanup;
	redisAsyncSetConnectCallback(context, on_connect);
	authenticate(c);
	return true;
}

static void connect_both(weft_redis *redis)
{
	redis->state = CONNECTING;
	redis->at = weft_process_now() + CONNECT_MS;
	if (connect_one(redis, &redis->publisher) && connect_one(redis, &redis->subscriber)) {
		command(&redis->subscriber, on_channel, redis, (const char *[]){"SUBSCRIBE", redis->channel}, 2);
	}
}

static void begin(weft_redis *redis)
{
	if (redis->url.path[0] != '\0' || redis->address != NULL) {
		connect_both(redis);
		return;
	}
	redis->state = LOOKING_UP;
	struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = NULL}};
	redis->names = weft_redis_find_addresses(redis->url.host);
	if (redis->names < 0 || epoll_ctl(redis->epoll, EPOLL_CTL_ADD, redis->names, &event) != 0) {
		note_trouble(redis, strerror(errno));
	}
}

static void take_addresses(weft_redis *redis)
{
	ssize_t got = recv(redis->names, redis->addresses, sizeof(redis->addresses), MSG_DONTWAIT);

	if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	epoll_ctl(redis->epoll, EPOLL_CTL_DEL, redis->names, NULL); /* a child may have it still */
	close(redis->names);
	redis->names = -1;
	if (got <= 1 || redis->addresses[0] == '!') {
		note_trouble(redis, got > 1 ? redis->addresses + 1 : "its name has no address");
		return;
	}
	redis->address = redis->addresses;
	connect_both(redis);
}

/* --- the end of a connection --- */

static void drop(connection *c)
{
	redisAsyncContext *context = c->context;

	if (context != NULL) {
		want(c, 0, EPOLLIN | EPOLLOUT);
		/* whatever it still calls finds nobody */
		context->data = NULL;
		memset(&context->ev, 0, sizeof(context->ev));
		redisAsyncFree(context);
	}
	*c = (connection){.redis = c->redis};
}

static void drop_all(weft_redis *redis)
{
	drop(&redis->subscriber);
	drop(&redis->publisher);
	if (redis->names >= 0) {
		epoll_ctl(redis->epoll, EPOLL_CTL_DEL, redis->names, NULL);
		close(redis->names);
		redis->names = -1;
	}
}

static const char *place(const weft_redis *redis)
{
	static char name[WEFT_REDIS_TEXT + 16];

	if (redis->url.path[0] != '\0') {
		return redis->url.path;
	}
	snprintf(name, sizeof(name), "%s:%d", redis->url.host, redis->url.port);
	return name;
}

static void say_trouble(weft_redis *redis)
{
	if (strcmp(redis->said, redis->trouble) != 0) {
		weft_process_say("rooms of other machines: Redis (%s): %s; rooms of this one work, and it is tried again",
			place(redis), redis->trouble);
		memcpy(redis->said, redis->trouble, sizeof(redis->said));
	}
	redis->trouble[0] = '\0';
}

/* What its name stands for may have several addresses: the next one is tried at once. */
static bool has_another_address(weft_redis *redis)
{
	if (redis->state == CONNECTING && redis->address != NULL) {
		redis->address += strlen(redis->address) + 1;
		return *redis->address != '\0';
	}
	return false;
}

static void give_up(weft_redis *redis)
{
	bool was_joined = redis->state == JOINED;

	drop_all(redis);
	if (has_another_address(redis)) {
		redis->trouble[0] = '\0';
		redis->at = weft_process_now();
	} else {
		redis->address = NULL;
		say_trouble(redis);
		redis->at = weft_process_now() + redis->pause_ms;
		redis->pause_ms = redis->pause_ms * 2 < MOST_PAUSE_MS ? redis->pause_ms * 2 : MOST_PAUSE_MS;
	}
	redis->state = PAUSED;
	redis->proven = false;
	if (was_joined) {
		redis->listener.lost(redis->listener.arg);
	}
}

/* --- the loop's side --- */

static void settle(weft_redis *redis)
{
	if (redis->trouble[0] != '\0') {
		give_up(redis);
	} else if (redis->state == CONNECTING && redis->subscriber.up && redis->publisher.up) {
		redis->state = JOINED;
		redis->listener.joined(redis->listener.arg);
	}
}

static void read_some(connection *c)
{
	for (int i = 0; i < AT_ONCE && c->context != NULL && (c->awaits & EPOLLIN || i == 0); i++) {
		redisAsyncHandleRead(c->context);
		if (c->context != NULL && c->context->c.reader->len > c->redis->longest + BESIDE) {
			note_trouble(c->redis, "a message is longer than any of Weft's; does somebody else use this channel?");
			return;
		}
	}
}

void weft_redis_handle(weft_redis *redis)
{
	struct epoll_event events[4];
	int count = epoll_wait(redis->epoll, events, 4, 0);

	for (int i = 0; i < count; i++) {
		connection *c = events[i].data.ptr;
		if (c == NULL) {
			take_addresses(redis);
			continue;
		}
		if (c->context != NULL && events[i].events & EPOLLOUT) {
			redisAsyncHandleWrite(c->context);
		}
		if (c->context != NULL && events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
			read_some(c);
		}
	}
	settle(redis);
}

void weft_redis_publish(weft_redis *redis, const char *bytes, size_t length, bool answer)
{
	const char *words[] = {"PUBLISH", redis->channel, bytes};
	size_t lengths[] = {strlen(words[0]), strlen(words[1]), length};

	if (redis->state == JOINED && redis->publisher.context != NULL) {
		redisAsyncCommandArgv(redis->publisher.context, answer ? on_published : on_answer, redis, 3, words, lengths);
	}
}

void weft_redis_proven(weft_redis *redis)
{
	if (!redis->proven) {
		redis->proven = true;
		redis->pause_ms = LEAST_PAUSE_MS;
		redis->said[0] = '\0';
		weft_process_tell("rooms are joined with other machines by Redis (%s, channel %s)", place(redis),
			redis->channel);
	}
}

void weft_redis_fail(weft_redis *redis, const char *why)
{
	note_trouble(redis, why);
	settle(redis);
}

void weft_redis_pause(weft_redis *redis, bool paused)
{
	if (paused != redis->reads_nothing) {
		redis->reads_nothing = paused;
		if (redis->subscriber.context != NULL) {
			await(&redis->subscriber);
		}
	}
}

void weft_redis_flush(weft_redis *redis, uint64_t until)
{
	connection *c = &redis->publisher;

	while (c->context != NULL && c->wants & EPOLLOUT) {
		struct pollfd polled = {c->context->c.fd, POLLOUT, 0};
		if (poll(&polled, 1, weft_process_timeout(until, -1)) <= 0) {
			return;
		}
		redisAsyncHandleWrite(c->context);
	}
}

int weft_redis_fd(const weft_redis *redis)
{
	return redis->epoll;
}

uint64_t weft_redis_deadline(const weft_redis *redis)
{
	return redis->state == PAUSED || redis->state == CONNECTING ? redis->at : 0;
}

void weft_redis_look(weft_redis *redis, uint64_t now)
{
	if (weft_redis_deadline(redis) == 0 || now < redis->at) {
		return;
	}
	if (redis->state == PAUSED) {
		begin(redis);
	} else {
		note_trouble(redis, "it has not answered in time");
	}
	settle(redis);
}

weft_redis *weft_redis_new(const weft_redis_url *url, const char *channel, size_t longest,
	const weft_redis_listener *listener)
{
	weft_redis *redis = calloc(1, sizeof(*redis));

	if (redis == NULL) {
		return NULL;
	}
	redis->names = -1;
	redis->epoll = epoll_create1(EPOLL_CLOEXEC);
	redis->channel = strdup(channel);
	if (redis->epoll < 0 || redis->channel == NULL) {
		weft_redis_free(redis);
		return NULL;
	}
	redis->subscriber.redis = redis->publisher.redis = redis;
	redis->url = *url;
	redis->longest = longest;
	redis->listener = *listener;
	redis->pause_ms = LEAST_PAUSE_MS;
	redis->at = weft_process_now();
	return redis;
}

void weft_redis_free(weft_redis *redis)
{
	drop_all(redis);
	if (redis->epoll >= 0) {
		close(redis->epoll);
	}
	free(redis->channel);
	free(redis);
}

#endif /* WEFT_REDIS */
