/*
 * Fuzzes what comes by the channel of Redis from servers on other machines (server/weft_peers_heard.c). An input is a
 * row of messages, each with its length before it; those that would be refused for their first bytes get the right
 * ones. What must hold besides: workers here hear of a node's coming before anything else of it, and of its end once.
 */
#include "server/weft_peers_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES 65536
#define LONGEST 64

static struct {
	uint32_t number;
} there[NODES];
static uint32_t count;

static void promise(bool kept, const char *what)
{
	if (!kept) {
		fprintf(stderr, "broken: %s\n", what);
		abort();
	}
}

/* --- what stands around it --- */

void *__zend_realloc(void *memory, size_t size)
{
	return realloc(memory, size);
}

void weft_log(const char *format, ...)
{
}

uint64_t weft_process_now(void)
{
	return 1000000;
}

void weft_redis_proven(weft_redis *redis)
{
}

void weft_peers_say(weft_peers *peers, weft_peers_kind kind, uint64_t to)
{
	promise(to != peers->id, "nobody asks himself");
}

void weft_peers_go_on(weft_peers *peers)
{
}

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

static bool is_own(void *arg, uint32_t node)
{
	return node == 1 || node == 2;
}

static void deliver(void *arg, uint32_t to, uint32_t node, weft_bus_kind kind, const void *operation, size_t length)
{
	uint32_t i = 0;

	while (i < count && there[i].number != node) {
		i++;
	}
	promise(node != 0 && !is_own(NULL, node), "nobody has the number of a worker here");
	if (kind == WEFT_BUS_GONE) {
		promise(i < count, "who goes was there");
		there[i] = there[--count];
	} else if (kind == WEFT_BUS_OPERATION) {
		promise(i < count, "who says something is there");
		promise(length > 0 && length <= LONGEST, "an operation is as long as it may be");
		free(memcpy(malloc(length), operation, length));
	} else if (i == count) {
		promise(kind != WEFT_BUS_AGAIN, "who is to tell again was there");
		promise(count < NODES, "there are no more than may be");
		there[count++].number = node;
	}
}

/* --- an input --- */

static void take(weft_peers *peers, const uint8_t *bytes, size_t length, bool right)
{
	static const char head[] = {'w', 'e', 'f', 't', WEFT_PEERS_VERSION};
	char *message = malloc(length + 1);

	memcpy(message, bytes, length);
	if (right && length >= sizeof(head)) {
		memcpy(message, head, sizeof(head));
	}
	/* few servers, and few numbers, so that messages have to do with each other */
	for (size_t i = 7; right && i < 14 && i < length; i++) {
		message[i] = 0;
	}
	for (size_t i = 15; right && i < 22 && i < length; i++) {
		message[i] = 0;
	}
	weft_peers_take(peers, message, length);
	free(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	weft_peers peers = {.id = 7, .limits = {.longest = LONGEST, .silence_ms = 1000}, .joined_at = 1000000};

	peers.side = (weft_peers_side){.deliver = deliver, .is_own = is_own};
	count = 0;
	while (size > 1) {
		size_t length = data[0] & 127, most = size - 1;
		length = length < most ? length : most;
		take(&peers, data + 1, length, data[0] & 128);
		data += 1 + length;
		size -= 1 + length;
	}
	while (peers.first != NULL) {
		weft_peer_forget(&peers, peers.first);
	}
	promise(count == 0, "when all servers are gone their workers are");
	promise(peers.count == 0, "and all are counted");
	return 0;
}
