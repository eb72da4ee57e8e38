/*
 * What the others say. Whatever comes is checked: any client of that Redis may write to the channel.
 */
#ifdef WEFT_REDIS

#include "server/weft_peers_internal.h"
#include "server/weft_process.h"

#include <stdlib.h>
#include <string.h>

/* --- workers of others --- */

static void deliver(const weft_peers *peers, uint32_t node, weft_bus_kind kind)
{
	peers->side.deliver(peers->side.arg, 0, node, kind, NULL, 0);
}

static weft_peer_node *find_node(const weft_peer *peer, uint32_t number)
{
	for (uint32_t i = 0; i < peer->count; i++) {
		if (peer->nodes[i].number == number) {
			return &peer->nodes[i];
		}
	}
	return NULL;
}

/* Numbers are random: the next one is tried once in a thousand million. */
static uint32_t free_number(const weft_peers *peers, uint32_t number)
{
	while (number == 0 || peers->side.is_own(peers->side.arg, number) || weft_peers_knows(peers, number)) {
		number++;
	}
	return number;
}

/* NULL: there are far too many. */
static weft_peer_node *add_node(const weft_peers *peers, weft_peer *peer, uint32_t number, weft_bus_kind kind)
{
	if (peer->count == peer->room) {
		uint32_t room = peer->room > 0 ? 2 * peer->room : 8;
		weft_peer_node *nodes = room <= WEFT_PEER_NODES ? realloc(peer->nodes, room * sizeof(*nodes)) : NULL;
		if (nodes == NULL) {
			return NULL;
		}
		peer->nodes = nodes;
		peer->room = room;
	}
	weft_peer_node *node = &peer->nodes[peer->count];
	*node = (weft_peer_node){number, free_number(peers, number)};
	peer->count++;
	deliver(peers, node->here, kind);
	return node;
}

static void remove_node(const weft_peers *peers, weft_peer *peer, weft_peer_node *node)
{
	uint32_t here = node->here;

	*node = peer->nodes[--peer->count];
	deliver(peers, here, WEFT_BUS_GONE);
}

static bool is_in(const weft_operation_reader *list, uint32_t count, uint32_t number)
{
	weft_operation_reader reader = *list;

	for (uint32_t i = 0; i < count; i++) {
		if (weft_get_number(&reader) == number) {
			return true;
		}
	}
	return false;
}

/* These are all that it has. */
static void take_nodes(const weft_peers *peers, weft_peer *peer, weft_operation_reader list, uint32_t count,
	weft_bus_kind kind)
{
	for (uint32_t i = peer->count; i-- > 0;) {
		if (!is_in(&list, count, peer->nodes[i].number)) {
			remove_node(peers, peer, &peer->nodes[i]);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = weft_get_number(&list);
		if (number != 0 && find_node(peer, number) == NULL) {
			add_node(peers, peer, number, kind);
		}
	}
}

static void tell_all_of(const weft_peers *peers, const weft_peer *peer, weft_bus_kind kind)
{
	for (uint32_t i = 0; i < peer->count; i++) {
		deliver(peers, peer->nodes[i].here, kind);
	}
}

/* --- servers --- */

static weft_peer *find_peer(const weft_peers *peers, uint64_t id)
{
	weft_peer *peer = peers->first;

	while (peer != NULL && peer->id != id) {
		peer = peer->next;
	}
	return peer;
}

/* NULL: there are far too many. */
static weft_peer *add_peer(weft_peers *peers, uint64_t id, uint64_t last)
{
	weft_peer *peer = peers->count < WEFT_PEERS_MOST ? calloc(1, sizeof(*peer)) : NULL;

	if (peer != NULL) {
		peer->id = id;
		peer->last = last;
		peer->next = peers->first;
		peers->first = peer;
		peers->count++;
	}
	return peer;
}

void weft_peer_forget(weft_peers *peers, weft_peer *peer)
{
	weft_peer **link = &peers->first;

	while (*link != peer) {
		link = &(*link)->next;
	}
	*link = peer->next;
	peers->count--;
	tell_all_of(peers, peer, WEFT_BUS_GONE);
	free(peer->nodes);
	free(peer);
}

static void has_missed(weft_peers *peers, weft_peer *peer)
{
	if (!peer->missed) {
		peer->missed = true;
		weft_process_say(
			"something that another machine has said of rooms was missed; its members are asked for again");
	}
	tell_all_of(peers, peer, WEFT_BUS_AGAIN);
	weft_peers_say(peers, WEFT_PEERS_AGAIN, peer->id);
}

/* --- what they say --- */

typedef struct {
	weft_peers_kind kind;
	uint64_t id, number;
} message_head;

static bool is_news_of_itself(weft_peers_kind kind)
{
	return kind == WEFT_PEERS_ALIVE || kind == WEFT_PEERS_HELLO || kind == WEFT_PEERS_AGAIN;
}

/* Who has just come finds the others, and they have members. */
static weft_bus_kind kind_of_first_news(const weft_peers *peers, weft_peers_kind kind)
{
	bool new_here = weft_process_now() - peers->joined_at < peers->limits.silence_ms;

	return new_here && kind != WEFT_PEERS_HELLO ? WEFT_BUS_FOUND : WEFT_BUS_COME;
}

static void take_first_news(weft_peers *peers, const message_head *head, const weft_operation_reader *list,
	uint32_t count)
{
	weft_peer *peer = add_peer(peers, head->id, head->number);

	if (peer != NULL) {
		peer->heard_at = weft_process_now();
		peer->hears = true;
		take_nodes(peers, peer, *list, count, kind_of_first_news(peers, head->kind));
		/* it may know this server for long, and have told it everything: before this one forgot it */
		weft_peers_say(peers, WEFT_PEERS_AGAIN, peer->id);
	}
}

static void take_news(weft_peers *peers, weft_peer *peer, const message_head *head, const weft_operation_reader *list,
	uint32_t count, bool for_this)
{
	take_nodes(peers, peer, *list, count, WEFT_BUS_COME);
	if (head->number > peer->last) {
		peer->last = head->number;
		has_missed(peers, peer);
	} else if (head->kind == WEFT_PEERS_HELLO) {
		/* it was away, and may have missed that it was asked */
		weft_peers_say(peers, WEFT_PEERS_AGAIN, peer->id);
	} else if (head->kind == WEFT_PEERS_ALIVE) {
		peer->missed = false;
	}
	if (for_this) {
		tell_all_of(peers, peer, WEFT_BUS_FOUND);
	}
}

static void take_news_of_itself(weft_peers *peers, weft_peer *peer, const message_head *head,
	weft_operation_reader *reader)
{
	uint64_t to = weft_get_serial(reader);
	uint32_t count = weft_get_number(reader);

	if (reader->bad || count > WEFT_PEER_NODES || (size_t) (reader->end - reader->at) != count * sizeof(uint32_t)) {
		reader->bad = true;
	} else if (peer == NULL) {
		take_first_news(peers, head, reader, count);
	} else {
		take_news(peers, peer, head, reader, count, to == peers->id && head->kind == WEFT_PEERS_AGAIN);
	}
}

static void take_operation(const weft_peers *peers, weft_peer *peer, weft_operation_reader *reader)
{
	uint32_t number = weft_get_number(reader);
	uint64_t server = weft_get_serial(reader);
	uint32_t to = weft_get_number(reader);
	weft_bytes operation = weft_get_rest(reader);

	if (reader->bad || number == 0 || operation.length == 0 || operation.length > peers->limits.longest ||
		(server == peers->id && to == 0)) {
		reader->bad = true;
		return;
	}
	const weft_peer_node *node = find_node(peer, number);
	if (node == NULL) {
		node = add_node(peers, peer, number, WEFT_BUS_COME);
	}
	if (node != NULL && (server == 0 || server == peers->id)) {
		peers->side.deliver(peers->side.arg, server == 0 ? 0 : to, node->here, WEFT_BUS_OPERATION, operation.bytes,
			operation.length);
	}
}

static void take_node(const weft_peers *peers, weft_peer *peer, weft_peers_kind kind, weft_operation_reader *reader)
{
	uint32_t number = weft_get_number(reader);
	weft_peer_node *node = find_node(peer, number);

	if (!weft_got_all(reader) || number == 0) {
		reader->bad = true;
	} else if (kind == WEFT_PEERS_COME && node == NULL) {
		add_node(peers, peer, number, WEFT_BUS_COME);
	} else if (kind == WEFT_PEERS_GONE && node != NULL) {
		remove_node(peers, peer, node);
	}
}

/* In order, each once. */
static void take_numbered(weft_peers *peers, weft_peer *peer, const message_head *head, weft_operation_reader *reader)
{
	if (head->number <= peer->last) {
		return;
	}
	bool missed = head->number > peer->last + 1;
	peer->last = head->number;
	if (missed) {
		has_missed(peers, peer);
	}
	if (head->kind == WEFT_PEERS_OPERATION) {
		take_operation(peers, peer, reader);
	} else if (head->kind == WEFT_PEERS_COME || head->kind == WEFT_PEERS_GONE) {
		take_node(peers, peer, head->kind, reader);
	}
	/* what is not known is a newer server's */
}

static bool read_head(message_head *head, weft_operation_reader *reader)
{
	for (const char *word = WEFT_PEERS_WORD; *word != '\0'; word++) {
		if (weft_get_byte(reader) != (uint8_t) *word) {
			return false;
		}
	}
	bool known = weft_get_byte(reader) == WEFT_PEERS_VERSION;
	head->kind = weft_get_byte(reader);
	head->id = weft_get_serial(reader);
	head->number = weft_get_serial(reader);
	return known && !reader->bad && head->id != 0;
}

static void take_of_other(weft_peers *peers, const message_head *head, weft_operation_reader *reader)
{
	weft_peer *peer = find_peer(peers, head->id);

	if (peer != NULL) {
		peer->heard_at = weft_process_now();
		peer->hears = true;
	}
	if (is_news_of_itself(head->kind)) {
		take_news_of_itself(peers, peer, head, reader);
	} else if (head->kind == WEFT_PEERS_BYE && peer != NULL) {
		weft_peer_forget(peers, peer);
	} else if (peer != NULL) {
		take_numbered(peers, peer, head, reader);
	}
	weft_peers_go_on(peers);
}

void weft_peers_take(weft_peers *peers, const char *bytes, size_t length)
{
	weft_operation_reader reader = {(const unsigned char *) bytes, (const unsigned char *) bytes + length, false};
	message_head head;

	if (!read_head(&head, &reader)) {
		reader.bad = true;
	} else if (head.id == peers->id) {
		peers->own_at = weft_process_now();
		weft_redis_proven(peers->redis);
	} else {
		take_of_other(peers, &head, &reader);
	}
	if (reader.bad && !peers->unreadable) {
		peers->unreadable = true;
		weft_process_say(
			"what comes by the channel of Redis can't be read; does somebody else use it, or do servers of "
			"another version of Weft?");
	}
}

#endif /* WEFT_REDIS */
