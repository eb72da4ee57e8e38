/*
 * Operations on their way to all workers and back. Those of this worker have numbers, in the order in which they were
 * sent, which is that in which they come back: so whoever waits for his own knows when it has been applied.
 */
#include "http/ws/weft_rooms_internal.h"

#include "reactor/weft_log.h"

#include <pthread.h>
#include <string.h>

/* Who can't wait is refused where so many times as much is under way as may be. */
#define FAR_TOO_MUCH 2

/* A place that is not heard before the operation of that number. */
typedef struct expected expected;
struct expected {
	uint64_t number;
	weft_room_place *place;
	expected *next;
};

static struct {
	bool begun;
	const weft_rooms_carrier *carrier;
	uint64_t sent, applied; /* numbers */
	expected *expected, **expected_end;
	weft_rooms_line for_own, for_room;
	/* what comes back in the next round when nothing carries it: lengths and bytes; and what does so now */
	weft_round round;
	weft_operation loop, back;
	size_t back_at;
} state = {.expected_end = &state.expected};

/* --- without a carrier --- */

static void come_back(weft_round *round)
{
	uint32_t length;
	bool gone_on;

	if (state.back_at == state.back.length) {
		/* what is sent by whoever hears of these comes in a round of its own */
		weft_operation_free(&state.back);
		state.back = state.loop;
		state.back_at = 0;
		state.loop = (weft_operation){0};
	}
	while ((gone_on = weft_rooms_go_on()) && state.back_at < state.back.length) {
		memcpy(&length, state.back.bytes + state.back_at, sizeof(length));
		state.back_at += sizeof(length);
		weft_rooms_apply(weft_ws_node(), state.back.bytes + state.back_at, length);
		state.back_at += length;
	}
	if (!gone_on || state.loop.length > 0) {
		weft_round_await(round);
	}
	weft_rooms_sent();
}

static void send_back(const weft_operation *operation)
{
	uint32_t length = (uint32_t) operation->length;

	weft_put_rest(&state.loop, (weft_bytes){(const char *) &length, sizeof(length)});
	weft_put_rest(&state.loop, (weft_bytes){(const char *) operation->bytes, operation->length});
	weft_round_await(&state.round);
}

/* --- sending --- */

static void rooms_after_fork_in_child(void)
{
	/* the sockets are the parent's, and so is the bus */
	state.begun = false;
	state.carrier = NULL;
}

void weft_rooms_begin(const weft_rooms_carrier *carrier)
{
	static bool registered;

	state.round.fire = come_back;
	state.begun = true;
	state.carrier = carrier;
	if (!registered) {
		registered = true;
		pthread_atfork(NULL, NULL, rooms_after_fork_in_child);
	}
	if (!carrier) {
		weft_rooms_node_come(weft_ws_node());
	}
}

uint32_t weft_rooms_node(void)
{
	return weft_ws_node();
}

bool weft_rooms_begun(void)
{
	return state.begun;
}

uint64_t weft_rooms_send(uint32_t to, const weft_operation *operation)
{
	ZEND_ASSERT(to != weft_ws_node());
	if (!state.begun) {
		return 0;
	}
	if (state.carrier) {
		state.carrier->send(to, operation->bytes, operation->length);
	} else if (to == 0) {
		send_back(operation);
	}
	return to == 0 ? ++state.sent : state.sent;
}

static size_t unsent(void)
{
	return state.carrier ? state.carrier->unsent() : state.loop.length + state.back.length - state.back_at;
}

bool weft_rooms_has_room(void)
{
	return unsent() < weft_rooms_buffer();
}

weft_rooms_result weft_rooms_wait_for_room(void)
{
	weft_rooms_result result = WEFT_ROOMS_DONE;

	if (!state.begun) {
		return WEFT_ROOMS_NO_WORKER;
	}
	if (!weft_can_suspend()) {
		return unsent() < FAR_TOO_MUCH * weft_rooms_buffer() ? WEFT_ROOMS_DONE : WEFT_ROOMS_FULL;
	}
	while (result == WEFT_ROOMS_DONE && !weft_rooms_has_room()) {
		result = weft_rooms_wait(&state.for_room, 0, 0);
	}
	return result;
}

void weft_rooms_sent(void)
{
	if (weft_rooms_has_room()) {
		weft_rooms_wake(&state.for_room, 0);
		weft_rooms_jobs_go_on();
	}
}

weft_rooms_result weft_rooms_wait_for(uint64_t number)
{
	return state.applied < number && weft_can_suspend() ? weft_rooms_wait(&state.for_own, number, 0) : WEFT_ROOMS_DONE;
}

/* --- what is expected --- */

void weft_rooms_expect(uint64_t number, weft_room_place *place)
{
	expected *e = pemalloc(sizeof(*e), 1);

	*e = (expected){.number = number, .place = place};
	place->pending = true;
	*state.expected_end = e;
	state.expected_end = &e->next;
}

void weft_rooms_expect_no_more(const weft_room_place *place)
{
	for (expected *e = state.expected; e; e = e->next) {
		if (e->place == place) {
			e->place = NULL;
		}
	}
}

static void has_come(uint64_t number)
{
	expected *e;

	state.applied = number;
	while ((e = state.expected) != NULL && e->number <= number) {
		state.expected = e->next;
		if (!state.expected) {
			state.expected_end = &state.expected;
		}
		if (e->place) {
			weft_rooms_place_heard(e->place);
		}
		pefree(e, 1);
	}
}

/* --- applying --- */

static void dispatch(uint32_t node, weft_operation_kind kind, weft_operation_reader *reader)
{
	switch (kind) {
		case WEFT_OPERATION_PUBLISH: weft_rooms_apply_publish(node, reader); break;
		case WEFT_OPERATION_JOIN: weft_presence_apply_join(node, reader); break;
		case WEFT_OPERATION_LEAVE: weft_presence_apply_leave(node, reader); break;
		case WEFT_OPERATION_CLOSE: weft_rooms_apply_close(reader); break;
		case WEFT_OPERATION_MEMBERS_SENT: weft_nodes_apply_members_sent(node); break;
		case WEFT_OPERATION_COUNT: weft_rooms_apply_count(node, reader); break;
		case WEFT_OPERATION_COUNTED: weft_rooms_apply_counted(node, reader); break;
		case WEFT_OPERATION_COUNT_ROOM: weft_rooms_apply_count_room(node, reader); break;
	}
}

bool weft_rooms_go_on(void)
{
	bool done = weft_nodes_go_on();

	if (done) {
		weft_rooms_wake(&state.for_own, state.applied);
	}
	return done;
}

void weft_rooms_apply(uint32_t node, const void *operation, size_t length)
{
	static bool complained;
	weft_operation_reader reader = {operation, (const unsigned char *) operation + length, false};

	if (node == weft_ws_node()) {
		has_come(state.applied + 1);
	}
	dispatch(node, weft_get_byte(&reader), &reader);
	if (reader.bad && !complained) {
		complained = true;
		weft_log("weft: what another worker says of rooms can't be read; do all servers run the same version of Weft?");
	}
}

void weft_rooms_cut(bool missed)
{
	state.carrier = NULL;
	weft_rooms_deliver_all();
	has_come(state.sent);
	if (missed) {
		weft_rooms_close_everything(WEFT_WS_RESTART, "this worker has missed messages of others");
	}
	weft_nodes_forget_all();
	weft_round_await(&state.round);
	weft_rooms_count_without(0);
	weft_rooms_wake(&state.for_own, state.applied);
	weft_rooms_sent();
}
