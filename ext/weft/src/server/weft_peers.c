/*
 * This server among the others: what it says, and when.
 *
 * When Redis is back after it was away, the others come back to it at different times, and what is published before
 * that is lost to them. So this one says hello, and keeps what it has until each of the others has said something: who
 * is heard hears.
 */
#ifdef WEFT_REDIS

#include "server/weft_peers_internal.h"
#include "server/weft_process.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* That a goodbye may take. */
#define GOODBYE_MS 1000

/* --- saying --- */

static void begin_message(const weft_peers *peers, weft_operation *message, weft_peers_kind kind, uint64_t number)
{
	message->length = 0;
	weft_put_rest(message, (weft_bytes){WEFT_PEERS_WORD, strlen(WEFT_PEERS_WORD)});
	weft_put_byte(message, WEFT_PEERS_VERSION);
	weft_put_byte(message, (uint8_t) kind);
	weft_put_serial(message, peers->id);
	weft_put_serial(message, number);
}

/* The number of the last message that has gone: whoever has not got it has missed it. */
static uint64_t last_gone(const weft_peers *peers)
{
	weft_operation_reader reader = {0};
	const weft_publication *unsent = peers->publications.unsent;

	if (unsent == NULL) {
		return peers->number;
	}
	reader.at = (const unsigned char *) unsent->bytes + WEFT_PEERS_HEAD - sizeof(uint64_t);
	reader.end = reader.at + sizeof(uint64_t);
	return weft_get_serial(&reader) - 1;
}

void weft_peers_say(weft_peers *peers, weft_peers_kind kind, uint64_t to)
{
	weft_operation message = {0};
	uint32_t count = 0;

	while (peers->side.own(peers->side.arg, count) != 0) {
		count++;
	}
	begin_message(peers, &message, kind, last_gone(peers));
	weft_put_serial(&message, to);
	weft_put_number(&message, count);
	for (uint32_t i = 0; i < count; i++) {
		weft_put_number(&message, peers->side.own(peers->side.arg, i));
	}
	weft_redis_publish(peers->redis, (const char *) message.bytes, message.length, false);
	weft_operation_free(&message);
}

static bool all_hear(const weft_peers *peers)
{
	for (const weft_peer *peer = peers->first; peer != NULL; peer = peer->next) {
		if (!peer->hears) {
			return false;
		}
	}
	return peers->joined;
}

void weft_peers_go_on(weft_peers *peers)
{
	const weft_publication *next;

	if (!all_hear(peers)) {
		return;
	}
	while ((next = weft_publications_next(&peers->publications)) != NULL) {
		weft_redis_publish(peers->redis, next->bytes, next->length, true);
	}
	if (peers->publications.unsent == NULL) {
		peers->publications.complained = false;
	}
}

static void add(weft_peers *peers, const weft_operation *message)
{
	weft_publications *queue = &peers->publications;

	if (!weft_publications_add(queue, message) && !queue->complained) {
		queue->complained = true;
		weft_process_say(
			"more than weft.bus_redis_buffer (%zu bytes) waits for Redis: other machines miss the oldest of "
			"what is published in rooms",
			queue->room);
	}
	weft_peers_go_on(peers);
}

void weft_peers_send(weft_peers *peers, uint32_t node, uint32_t to, const void *operation, size_t length)
{
	weft_operation message = {0};
	uint64_t server = 0;
	uint32_t number = 0;

	for (const weft_peer *peer = peers->first; to != 0 && peer != NULL; peer = peer->next) {
		for (uint32_t i = 0; i < peer->count; i++) {
			if (peer->nodes[i].here == to) {
				server = peer->id;
				number = peer->nodes[i].number;
			}
		}
	}
	begin_message(peers, &message, WEFT_PEERS_OPERATION, ++peers->number);
	weft_put_number(&message, node);
	weft_put_serial(&message, server);
	weft_put_number(&message, number);
	weft_put_rest(&message, (weft_bytes){operation, length});
	add(peers, &message);
	weft_operation_free(&message);
}

void weft_peers_tell(weft_peers *peers, uint32_t node, weft_bus_kind kind)
{
	weft_operation message = {0};

	begin_message(peers, &message, kind == WEFT_BUS_COME ? WEFT_PEERS_COME : WEFT_PEERS_GONE, ++peers->number);
	weft_put_number(&message, node);
	add(peers, &message);
	weft_operation_free(&message);
}

/* --- what there is --- */

bool weft_peers_knows(const weft_peers *peers, uint32_t node)
{
	for (const weft_peer *peer = peers->first; peer != NULL; peer = peer->next) {
		for (uint32_t i = 0; i < peer->count; i++) {
			if (peer->nodes[i].here == node) {
				return true;
			}
		}
	}
	return false;
}

void weft_peers_each(const weft_peers *peers, void (*tell)(void *arg, uint32_t node), void *arg)
{
	for (const weft_peer *peer = peers->first; peer != NULL; peer = peer->next) {
		for (uint32_t i = 0; i < peer->count; i++) {
			tell(arg, peer->nodes[i].here);
		}
	}
}

bool weft_peers_are_behind(const weft_peers *peers)
{
	return all_hear(peers) && peers->publications.bytes > peers->publications.room / 2;
}

/* --- what Redis tells --- */

static void on_joined(void *arg)
{
	weft_peers *peers = arg;
	uint64_t now = weft_process_now();

	peers->joined = true;
	peers->own_at = now;
	if (!peers->begun) {
		peers->begun = true;
		peers->joined_at = now;
	}
	for (weft_peer *peer = peers->first; peer != NULL; peer = peer->next) {
		peer->hears = false;
		peer->heard_at = now;
	}
	weft_publications_again(&peers->publications);
	weft_peers_say(peers, WEFT_PEERS_HELLO, 0);
	peers->alive_at = now + peers->limits.silence_ms / WEFT_PEERS_ALIVE_TIMES;
	weft_peers_go_on(peers);
}

static void on_lost(void *arg)
{
	weft_peers *peers = arg;

	peers->joined = false;
}

static void on_heard(void *arg, const char *bytes, size_t length)
{
	weft_peers_take(arg, bytes, length);
}

static void on_published(void *arg)
{
	weft_peers *peers = arg;

	weft_publications_arrived(&peers->publications);
	weft_peers_go_on(peers);
}

/* --- the loop's side --- */

int weft_peers_fd(const weft_peers *peers)
{
	return weft_redis_fd(peers->redis);
}

void weft_peers_handle(weft_peers *peers)
{
	weft_redis_handle(peers->redis);
}

void weft_peers_pause(weft_peers *peers, bool paused)
{
	weft_redis_pause(peers->redis, paused);
	if (paused) {
		/* nobody is silent who is not listened to */
		peers->own_at = weft_process_now();
		for (weft_peer *peer = peers->first; peer != NULL; peer = peer->next) {
			peer->heard_at = peers->own_at;
		}
	}
}

uint64_t weft_peers_deadline(const weft_peers *peers)
{
	return peers->joined ? peers->alive_at : weft_redis_deadline(peers->redis);
}

static void forget_silent_ones(weft_peers *peers, uint64_t now)
{
	for (weft_peer *next, *peer = peers->first; peer != NULL; peer = next) {
		next = peer->next;
		if (now - peer->heard_at >= peers->limits.silence_ms) {
			weft_process_say("a server on another machine has said nothing for %u ms: the members of its rooms leave",
				peers->limits.silence_ms);
			weft_peer_forget(peers, peer);
		}
	}
}

void weft_peers_look(weft_peers *peers, uint64_t now)
{
	if (peers->joined && now >= peers->alive_at) {
		peers->alive_at = now + peers->limits.silence_ms / WEFT_PEERS_ALIVE_TIMES;
		if (now - peers->own_at >= peers->limits.silence_ms) {
			weft_redis_fail(peers->redis, "what is published there does not come back");
		} else {
			forget_silent_ones(peers, now);
			weft_peers_say(peers, WEFT_PEERS_ALIVE, 0);
			weft_peers_go_on(peers);
		}
	}
	weft_redis_look(peers->redis, now);
}

/* --- the beginning and the end --- */

weft_peers *weft_peers_new(const weft_peers_limits *limits, const char *address, const char *channel,
	const weft_peers_side *side)
{
	weft_peers *peers = calloc(1, sizeof(*peers));
	const weft_redis_listener listener = {on_joined, on_lost, on_heard, on_published, peers};
	weft_redis_url url;

	if (peers != NULL && weft_redis_url_read(&url, address) == NULL &&
		getrandom(&peers->id, sizeof(peers->id), 0) == (ssize_t) sizeof(peers->id)) {
		peers->redis = weft_redis_new(&url, channel, limits->longest, &listener);
	}
	if (peers == NULL || peers->redis == NULL) {
		weft_process_say("rooms can't be joined with other machines: %s", strerror(errno));
		free(peers);
		return NULL;
	}
	peers->limits = *limits;
	peers->side = *side;
	weft_publications_init(&peers->publications, limits->buffer);
	return peers;
}

static void say_goodbye(weft_peers *peers)
{
	uint64_t until = weft_process_now() + GOODBYE_MS;

	while (all_hear(peers) && peers->publications.first != NULL && weft_process_now() < until) {
		struct pollfd polled = {weft_redis_fd(peers->redis), POLLIN, 0};
		poll(&polled, 1, weft_process_timeout(until, -1));
		weft_redis_handle(peers->redis);
	}
	weft_peers_say(peers, WEFT_PEERS_BYE, 0);
	weft_redis_flush(peers->redis, until);
}

void weft_peers_leave(weft_peers *peers)
{
	if (peers->joined) {
		say_goodbye(peers);
	}
	while (peers->first != NULL) {
		weft_peer_forget(peers, peers->first);
	}
	weft_publications_free(&peers->publications);
	weft_redis_free(peers->redis);
	free(peers);
}

#endif /* WEFT_REDIS */
