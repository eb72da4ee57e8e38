/*
 * Feeds the rooms of a worker with operations of other workers, whole and broken ones, while sockets come, join, leave
 * and go.
 *
 * The input is a program: an instruction, and the bytes it needs. What is sent to all comes back in its order, as by
 * the bus. Besides what the sanitizers find, it aborts when a promise is broken: who is told of as a member is one, a
 * message reaches a socket once, and nobody who is in none of its rooms or came later; when all have gone, nothing is
 * left. A message goes out in turns of one socket, and they come and go in between.
 */
#include "http/ws/weft_rooms_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOCKETS 6
#define ROOMS 4
#define MEMBERS 3
#define NODES 4 /* the first is this worker */

static void promise(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "broken promise: %s\n", what);
		abort();
	}
}

/* --- what stands in for the rest of Weft --- */

zend_compiler_globals compiler_globals;
zend_executor_globals executor_globals;
zend_output_globals output_globals;
bool weft_collecting;
weft_coroutine *weft_current;

void *__zend_malloc(size_t length)
{
	return malloc(length);
}

void *__zend_calloc(size_t count, size_t length)
{
	return calloc(count, length);
}

void *__zend_realloc(void *memory, size_t length)
{
	return realloc(memory, length);
}

uint32_t weft_rooms_most(void)
{
	return ROOMS - 1;
}

size_t weft_rooms_buffer(void)
{
	return 65536;
}

void weft_log(const char *format, ...)
{
}

uint64_t weft_now(void)
{
	return 1;
}

void weft_timer_arm(weft_timer *timer, uint64_t deadline)
{
}

void weft_timer_disarm(weft_timer *timer)
{
}

void weft_wake(weft_coroutine *coroutine)
{
}

int weft_suspend(const weft_wait_info *info)
{
	promise(0, "nobody waits where nothing can");
	return 0;
}

static weft_round *awaited[4];

void weft_round_await(weft_round *round)
{
	for (size_t i = 0; i < sizeof(awaited) / sizeof(awaited[0]); i++) {
		if (awaited[i] == round || awaited[i] == NULL) {
			awaited[i] = round;
			return;
		}
	}
	promise(0, "there are few kinds of rounds");
}

static void run_rounds(void)
{
	for (size_t i = 0; i < sizeof(awaited) / sizeof(awaited[0]); i++) {
		weft_round *round = awaited[i];
		awaited[i] = NULL;
		if (round) {
			round->fire(round);
		}
	}
}

/* --- sockets --- */

struct weft_ws_message {
	int references;
};

struct weft_ws {
	bool open, slow;
	bool late; /* it came when the last message was under way, or behind it */
	uint64_t serial;
	struct weft_room_place *places;
	uint64_t last_delivery;
	const weft_ws_message *last;
};

static weft_ws sockets[SOCKETS];
static uint64_t serials;
static int messages;

weft_ws_message *weft_ws_message_new(bool binary, const char *data, size_t length)
{
	weft_ws_message *message = malloc(sizeof(*message));

	for (size_t i = 0; i < length; i++) {
		promise((data[i] | 1) != 0, "the message can be read");
	}
	message->references = 1;
	messages++;
	for (int i = 0; i < SOCKETS; i++) {
		sockets[i].last = NULL;
		sockets[i].late = false;
	}
	return message;
}

void weft_ws_message_release(weft_ws_message *message)
{
	messages--;
	free(message);
}

static void socket_close(weft_ws *socket)
{
	if (socket->open) {
		socket->open = false;
		weft_rooms_leave_all(socket);
		promise(socket->places == NULL, "who has left is in no room");
	}
}

weft_ws_result weft_ws_deliver(weft_ws *socket, weft_ws_message *message)
{
	promise(socket->open, "only who is there is sent something");
	promise(socket->last != message, "a message comes once");
	promise(!socket->late, "who comes later has no message of before");
	socket->last = message;
	return socket->slow ? WEFT_WS_FULL : WEFT_WS_SENT;
}

/* The close may end it at once. */
void weft_ws_close(weft_ws *socket, uint16_t code, const char *reason, size_t length)
{
	socket_close(socket);
}

uint64_t weft_ws_serial(const weft_ws *socket)
{
	return socket->serial;
}

uint64_t *weft_ws_last_delivery(weft_ws *socket)
{
	return &socket->last_delivery;
}

uint32_t weft_ws_node(void)
{
	return 1;
}

struct weft_room_place **weft_ws_places(weft_ws *socket)
{
	return &socket->places;
}

/* --- the bus --- */

static weft_operation under_way, came;
static size_t came_at;
static bool leaving; /* members of a node that is gone may be there */

static void bus_send(uint32_t to, const void *operation, size_t length)
{
	uint32_t head = (uint32_t) length;

	promise(to != 1, "nobody sends to himself alone");
	if (to == 0) {
		weft_put_rest(&under_way, (weft_bytes){(const char *) &head, sizeof(head)});
		weft_put_rest(&under_way, (weft_bytes){operation, length});
	}
}

static size_t bus_unsent(void)
{
	return 0;
}

static const weft_rooms_carrier carrier = {bus_send, bus_unsent};

static void come_back(void)
{
	uint32_t length;
	bool gone_on;

	if (came_at == came.length) {
		weft_operation_free(&came);
		came = under_way;
		came_at = 0;
		under_way = (weft_operation){0};
	}
	while ((gone_on = weft_rooms_go_on()) && came_at < came.length) {
		memcpy(&length, came.bytes + came_at, sizeof(length));
		came_at += sizeof(length);
		weft_rooms_apply(1, came.bytes + came_at, length);
		came_at += length;
	}
	leaving = leaving && !gone_on;
}

static bool is_all_back(void)
{
	return under_way.length == 0 && came_at == came.length && weft_rooms_go_on();
}

static void wait_for_all(void)
{
	while (!is_all_back()) {
		come_back();
		run_rounds();
	}
}

/* Before anything else comes by the bus. */
static void finish(void)
{
	while (!weft_rooms_go_on()) {
	}
	leaving = false;
}

/* What another node says, in memory that ends where it ends. */
static void apply(uint32_t node, const unsigned char *bytes, size_t length)
{
	unsigned char *copy = malloc(length ? length : 1);

	finish();
	memcpy(copy, bytes, length);
	weft_rooms_apply(node, copy, length);
	free(copy);
}

/* --- what is known of others' members --- */

static int model[NODES][16][ROOMS]; /* serials of others are below 16; the member and 1, 0: none */
static bool known;                  /* nothing made up was applied */
static bool own;                    /* a socket here has been a member */

static void forget_node(int node)
{
	memset(model[node], 0, sizeof(model[node]));
}

static bool is_member(int room, int member)
{
	for (int n = 1; n < NODES; n++) {
		for (int s = 0; s < 16; s++) {
			if (model[n][s][room] == member + 1) {
				return true;
			}
		}
	}
	return false;
}

static bool told[MEMBERS];

static void tell(void *arg, weft_bytes name, weft_bytes about, uint32_t count)
{
	promise(count > 0, "who is told of has a socket");
	if (name.length == 1 && name.bytes[0] >= 'a' && name.bytes[0] < 'a' + MEMBERS) {
		told[name.bytes[0] - 'a'] = true;
	}
}

static const char names[ROOMS][2] = {"w", "x", "y", "z"};

static void compare(void)
{
	for (int room = 0; known && room < ROOMS; room++) {
		memset(told, 0, sizeof(told));
		weft_rooms_members((weft_bytes){names[room], 1}, tell, NULL);
		for (int m = 0; m < MEMBERS; m++) {
			promise(!is_member(room, m) || told[m], "a member is told of");
			promise(own || !told[m] || is_member(room, m), "who is told of is a member");
		}
	}
}

/* --- the program --- */

typedef struct {
	const unsigned char *at, *end;
} program;

static unsigned next(program *p)
{
	return p->at < p->end ? *p->at++ : 0;
}

static weft_bytes room_of(unsigned byte)
{
	return (weft_bytes){names[byte % ROOMS], 1};
}

static void enter(weft_ws *socket, unsigned room, unsigned member)
{
	char name = (char) ('a' + member % MEMBERS);
	weft_rooms_member about = {{&name, member % 4 == 3 ? 0 : 1}, {"about", 5}, {"joined", 6}, {"left", 4}};

	if (socket->open) {
		own = own || about.name.length > 0;
		weft_rooms_enter(socket, room_of(room), &about);
	}
}

static void join_elsewhere(unsigned node, unsigned serial, unsigned room, unsigned member)
{
	char name = (char) ('a' + member % MEMBERS);
	weft_rooms_member about = {{&name, 1}, {"", 0}, {"joined", 6}, {"left", 4}};
	weft_operation operation = {0};
	int n = 1 + (int) node % (NODES - 1), s = (int) serial % 16, r = (int) room % ROOMS;

	weft_presence_write_join(&operation, room_of(room), (uint64_t) s, &about);
	apply((uint32_t) n + 1, operation.bytes, operation.length);
	weft_operation_free(&operation);
	model[n][s][r] = model[n][s][r] ? model[n][s][r] : (int) (member % MEMBERS) + 1;
}

static void leave_elsewhere(unsigned node, unsigned serial, unsigned room)
{
	weft_operation operation = {0};
	int n = 1 + (int) node % (NODES - 1), s = (int) serial % 16;

	weft_operation_begin(&operation, WEFT_OPERATION_LEAVE);
	weft_put_serial(&operation, (uint64_t) s);
	weft_put_text(&operation, room_of(room));
	apply((uint32_t) n + 1, operation.bytes, operation.length);
	weft_operation_free(&operation);
	model[n][s][room % ROOMS] = 0;
}

static void publish(program *p)
{
	weft_bytes rooms[3] = {room_of(next(p)), room_of(next(p)), room_of(next(p))};
	weft_rooms_except except = {next(p) % 3, serials};

	weft_rooms_publish(rooms, 1 + next(p) % 3, (weft_bytes){"message", 7}, false, except);
}

static void make_up(program *p)
{
	size_t length = next(p) % 64, left;
	unsigned node = next(p) % NODES;

	left = (size_t) (p->end - p->at);
	length = length < left ? length : left;
	/* this worker's own operations have an order of their own */
	apply(node == 0 ? 2 : node + 1, p->at, length);
	p->at += length;
	known = false;
}

static void step(program *p)
{
	weft_ws *socket = &sockets[next(p) % SOCKETS];

	unsigned what = next(p) % 14;
	if (what == 6 || what == 7 || what == 13) {
		finish();
	}
	switch (what) {
		case 0:
			if (!socket->open) {
				*socket = (weft_ws){.open = true, .late = true, .serial = ++serials + 16};
			}
			break;
		case 1: socket_close(socket); break;
		case 2: enter(socket, next(p), 3); break;
		case 3: enter(socket, next(p), next(p)); break;
		case 4:
			if (socket->open) {
				weft_rooms_leave(socket, room_of(next(p)));
			}
			break;
		case 5: publish(p); break;
		case 6: {
			unsigned byte = next(p);
			(byte & 128 ? weft_rooms_node_come : weft_rooms_node_found)(2 + byte % (NODES - 1));
			break;
		}
		case 7: {
			unsigned node = 1 + next(p) % (NODES - 1);
			forget_node((int) node);
			weft_rooms_node_gone(node + 1);
			leaving = true;
			break;
		}
		case 8: join_elsewhere(next(p), next(p), next(p), next(p)); break;
		case 9: leave_elsewhere(next(p), next(p), next(p)); break;
		case 10: weft_rooms_close_all(room_of(next(p)), 4000, (weft_bytes){"bye", 3}); break;
		case 11: make_up(p); break;
		case 12: socket->slow = !socket->slow; break;
		case 13: weft_rooms_node_again(1 + next(p) % NODES); break;
	}
	if (next(p) % 2) {
		come_back();
		run_rounds();
	}
}

static void miss_something(void)
{
	wait_for_all();
	weft_rooms_cut(true);
	for (int i = 0; i < SOCKETS; i++) {
		promise(sockets[i].places == NULL, "who has missed something is closed");
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t length)
{
	program p = {bytes, bytes + length};

	known = true;
	own = false;
	memset(model, 0, sizeof(model));
	weft_rooms_begin(&carrier);
	weft_rooms_node_come(1);
	while (p.at < p.end) {
		step(&p);
		if (!leaving) {
			compare();
		}
	}
	weft_rooms_count((weft_bytes){"", 0}, false, tell, NULL);
	if (length % 4 == 3) {
		miss_something();
	}
	for (int i = 0; i < SOCKETS; i++) {
		socket_close(&sockets[i]);
	}
	wait_for_all();
	for (uint32_t node = 2; length % 2 == 0 && node <= NODES; node++) {
		weft_rooms_node_gone(node);
		finish();
	}
	if (length % 4 == 1) {
		weft_rooms_cut(false);
	}
	run_rounds();
	promise(weft_rooms_all == NULL, "when all have gone there is no room");
	promise(messages == 0, "a message that was sent is freed");
	return 0;
}
