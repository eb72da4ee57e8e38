/*
 * How many sockets there are in each room: every worker is asked, and answers piece by piece.
 */
#include "http/ws/weft_rooms_internal.h"

#include <string.h>

/* That the answers may take. */
#define PATIENCE WEFT_NS_PER_SEC
/* Bytes of a piece, and rooms that are looked at for one. */
#define PIECE 16384
#define ROOMS 1024

typedef struct question question;
struct question {
	uint64_t number;
	weft_rooms_line line;
	uint32_t *awaited; /* nodes that have not answered */
	uint32_t count;    /* of those */
	weft_operation answers;
	question *next;
};

static question *questions;

/* --- answering --- */

static bool begins_with(const weft_ws_room *room, weft_bytes prefix)
{
	return room->length >= prefix.length && memcmp(room->name, prefix.bytes, prefix.length) == 0;
}

static void put_count(weft_operation *operation, const weft_ws_room *room)
{
	if (room && room->sockets > 0) {
		weft_put_text(operation, (weft_bytes){room->name, room->length});
		weft_put_number(operation, room->sockets);
	}
}

static void put_count_if(weft_operation *operation, const weft_ws_room *room, weft_bytes prefix)
{
	if (begins_with(room, prefix)) {
		put_count(operation, room);
	}
}

static void begin_answer(weft_operation *operation, uint64_t number, bool last)
{
	weft_operation_begin(operation, WEFT_OPERATION_COUNTED);
	weft_put_serial(operation, number);
	weft_put_byte(operation, last);
}

static bool send_counts(weft_rooms_job *job)
{
	weft_bytes prefix = {(const char *) job->prefix.bytes, job->prefix.length};
	weft_operation operation = {0};

	begin_answer(&operation, job->question, false);
	size_t head = operation.length;
	for (uint32_t i = 0; job->room && i < ROOMS && operation.length < PIECE; i++) {
		put_count_if(&operation, job->room, prefix);
		job->room = job->room->next;
	}
	bool more = job->room != NULL;
	if (more && operation.length == head) {
		weft_operation_free(&operation);
		return true; /* nothing of these */
	}
	operation.bytes[head - 1] = !more;
	weft_rooms_send(job->to, &operation);
	weft_operation_free(&operation);
	return more;
}

void weft_rooms_apply_count(uint32_t node, weft_operation_reader *reader)
{
	uint64_t number = weft_get_serial(reader);
	weft_bytes prefix = weft_get_text(reader);

	if (!weft_got_all(reader)) {
		reader->bad = true;
		return;
	}
	if (node != weft_ws_node()) {
		weft_rooms_job *job = weft_rooms_job_new(send_counts, node);
		job->question = number;
		job->room = weft_rooms_all;
		weft_put_rest(&job->prefix, prefix);
		weft_rooms_jobs_go_on();
	}
}

void weft_rooms_apply_count_room(uint32_t node, weft_operation_reader *reader)
{
	uint64_t number = weft_get_serial(reader);
	weft_bytes name = weft_get_text(reader);
	weft_operation operation = {0};

	if (!weft_got_all(reader)) {
		reader->bad = true;
		return;
	}
	if (node != weft_ws_node()) {
		begin_answer(&operation, number, true);
		put_count(&operation, weft_rooms_find(name));
		weft_rooms_send(node, &operation);
		weft_operation_free(&operation);
	}
}

/* --- asking --- */

static void no_more_from(question *asked, uint32_t node)
{
	for (uint32_t i = 0; i < asked->count; i++) {
		if (asked->awaited[i] == node) {
			asked->awaited[i] = asked->awaited[--asked->count];
			break;
		}
	}
	if (asked->count == 0) {
		weft_rooms_wake(&asked->line, 0);
	}
}

void weft_rooms_apply_counted(uint32_t node, weft_operation_reader *reader)
{
	uint64_t number = weft_get_serial(reader);
	bool last = weft_get_byte(reader);
	weft_bytes counts = weft_get_rest(reader);
	question *asked = questions;

	while (asked && asked->number != number) {
		asked = asked->next;
	}
	if (asked && !reader->bad) {
		weft_put_rest(&asked->answers, counts);
		if (last) {
			no_more_from(asked, node);
		}
	}
}

void weft_rooms_count_without(uint32_t node)
{
	for (question *asked = questions; asked; asked = asked->next) {
		asked->count = node == 0 ? 0 : asked->count;
		no_more_from(asked, node);
	}
}

static void await_all_nodes(question *asked)
{
	uint32_t count = 0;

	for (const weft_ws_node_known *node = weft_nodes_first(); node; node = node->next) {
		count++;
	}
	asked->awaited = pemalloc(MAX(count, 1) * sizeof(uint32_t), 1);
	for (const weft_ws_node_known *node = weft_nodes_first(); node; node = node->next) {
		if (node->number != weft_ws_node()) {
			asked->awaited[asked->count++] = node->number;
		}
	}
}

static weft_rooms_result ask(question *asked, weft_operation_kind kind, weft_bytes name)
{
	static uint64_t asked_so_far;
	weft_operation operation = {0};
	weft_rooms_result result = WEFT_ROOMS_DONE;

	asked->number = ++asked_so_far;
	await_all_nodes(asked);
	asked->next = questions;
	questions = asked;
	weft_operation_begin(&operation, kind);
	weft_put_serial(&operation, asked->number);
	weft_put_text(&operation, name);
	weft_rooms_send(0, &operation);
	weft_operation_free(&operation);
	if (asked->count > 0 && weft_can_suspend()) {
		result = weft_rooms_wait(&asked->line, 0, weft_now() + PATIENCE);
	}
	question **link = &questions;
	while (*link != asked) {
		link = &(*link)->next;
	}
	*link = asked->next;
	pefree(asked->awaited, 1);
	return result;
}

/* Own rooms are counted when the others have answered, in the same form. */
static void count_own(weft_operation *answers, weft_bytes prefix)
{
	for (const weft_ws_room *room = weft_rooms_all; room; room = room->next) {
		put_count_if(answers, room, prefix);
	}
}

static void tell_answers(const weft_operation *answers, weft_rooms_tell *tell, void *arg)
{
	weft_operation_reader reader = {answers->bytes, answers->bytes + answers->length, false};

	while (reader.at < reader.end) {
		weft_bytes name = weft_get_text(&reader);
		uint32_t count = weft_get_number(&reader);
		if (reader.bad) {
			return;
		}
		tell(arg, name, (weft_bytes){"", 0}, count);
	}
}

weft_rooms_result weft_rooms_count(weft_bytes name, bool exact, weft_rooms_tell *tell, void *arg)
{
	question asked = {0};

	if (!weft_rooms_begun()) {
		return WEFT_ROOMS_NO_WORKER;
	}
	weft_rooms_result result = ask(&asked, exact ? WEFT_OPERATION_COUNT_ROOM : WEFT_OPERATION_COUNT, name);
	if (result == WEFT_ROOMS_DONE) {
		if (exact) {
			put_count(&asked.answers, weft_rooms_find(name));
		} else {
			count_own(&asked.answers, name);
		}
		if (asked.answers.length > 0) {
			tell_answers(&asked.answers, tell, arg);
		}
	}
	weft_operation_free(&asked.answers);
	return result;
}
