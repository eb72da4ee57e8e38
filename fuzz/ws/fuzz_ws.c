/*
 * Feeds a WebSocket with what a client may send: frames, right ones and wrong ones, cut anywhere, to an application
 * that takes its time, sends, and closes, while the client takes little, or time passes.
 *
 * The input is a program. Its first bytes choose limits, who takes the messages, and what happens between two pieces;
 * the others make frames. Besides what the sanitizers find, it aborts when a promise is broken: the application gets
 * the messages that a slow reading of the bytes finds (model.c), whole, once and in order, and the close has the code
 * that it says; what is sent are frames; nothing incomplete needs no memory of wslay; and when the client has gone,
 * nothing is left.
 */
#include "model.h"
#include "stand_ins.h"

#include <stdlib.h>
#include <string.h>

#define CONTROL 3
/* More rounds than a socket can make use of. */
#define ROUNDS 4000

static model expected;
static unsigned char stream[MODEL_LONGEST];
static size_t stream_length;
static int taken;
static bool interfered; /* something else than the client's bytes may have ended it */

/* --- the program --- */

static void put(const void *bytes, size_t length)
{
	if (stream_length + length < sizeof(stream)) {
		memcpy(stream + stream_length, bytes, length);
		stream_length += length;
	}
}

static void put_byte(unsigned byte)
{
	unsigned char one = (unsigned char) byte;

	put(&one, 1);
}

static void put_length(bool masked, unsigned first, uint64_t length, int bytes)
{
	put_byte((masked ? 128 : 0) | first);
	while (bytes-- > 0) {
		put_byte((unsigned) (length >> (8 * bytes)) & 255);
	}
}

static void put_masked(const unsigned char *payload, size_t length, bool masked)
{
	static const unsigned char mask[4] = {0x37, 0, 0x21, 0xfd};

	if (masked) {
		put(mask, sizeof(mask));
	}
	for (size_t i = 0; i < length; i++) {
		put_byte(masked ? payload[i] ^ mask[i % 4] : payload[i]);
	}
}

/* So long that a length of two or eight bytes says it. */
static void put_long(bool masked, unsigned kind)
{
	static const size_t lengths[] = {124, 125, 126, 127, 128, 150, 200, 299, 300, 301, 302, 500, 600, 700, 65535,
		65536};
	static unsigned char payload[65536];
	size_t length = lengths[kind % (sizeof(lengths) / sizeof(lengths[0]))];

	memset(payload, 'a', sizeof(payload));
	put_length(masked,
		length < 126         ? (unsigned) length
			: length < 65536 ? 126
							 : 127,
		length,
		length < 126         ? 0
			: length < 65536 ? 2
							 : 8);
	put_masked(payload, length, masked);
}

/* One that nobody should say, and nothing behind it. */
static void put_odd(bool masked, unsigned kind)
{
	switch (kind % 6) {
		case 0: put_length(masked, 126, 5, 2); break;
		case 1: put_length(masked, 127, 200, 8); break;
		case 2: put_length(masked, 127, UINT64_MAX, 8); break;
		case 3: put_length(masked, 127, (uint64_t) 1 << 62, 8); break;
		case 4: put_length(masked, 126, 60000, 2); break;
		default: put_length(masked, 127, UINT32_MAX, 8); break;
	}
	put_masked((const unsigned char *) "short", 5, masked);
}

static void make_stream(const unsigned char *at, const unsigned char *end)
{
	stream_length = 0;
	while (end - at >= 2) {
		unsigned first = at[0], second = at[1];
		bool masked = !(second & 128);

		at += 2;
		second &= 127;
		put_byte(first);
		if (second < 100) {
			size_t length = MIN(second, (size_t) (end - at));

			put_length(masked, second, 0, 0);
			put_masked(at, length, masked);
			at += length;
		} else if (second < 118) {
			put_long(masked, second);
		} else if (second < 124) {
			put_odd(masked, second);
		} /* else what follows is what it is */
	}
}

/* --- what happens --- */

void application_took(bool binary, const char *data, size_t length)
{
	const model_message *message = &expected.messages[taken];

	promise(taken < expected.count, "no message is made up");
	promise(binary == message->binary && length == message->length &&
			(length == 0 || memcmp(data, expected.text + message->at, length) == 0),
		"messages are what was sent");
	taken++;
}

static void application_sends(weft_ws *socket)
{
	weft_ws_message *message = weft_ws_message_new(dice() & 1, (const char *) stream, dice() % 200);

	weft_ws_deliver(socket, message);
	weft_ws_message_release(message);
}

static void round_between(weft_ws *socket, unsigned way)
{
	unsigned number = dice();

	if (way & 1) {
		client_takes(number % 5 == 0 ? 0 : number % 300);
	}
	if (number & 64) {
		application_goes_on(socket);
	}
	if (way & 2 && number & 128) {
		application_sends(socket);
	}
	if (way & 4 && number % 100 == 0) {
		interfered = true;
		time_passes(WEFT_NS_PER_SEC * (number % 50));
	}
	if (way & 8 && number % 200 == 1) {
		interfered = true;
		weft_ws_close(socket, 4000, "bye", 3);
	}
	if (way & 16 && number % 400 == 2) {
		interfered = true;
		client_hangs_up();
	}
}

static void check_idle(const weft_ws *socket)
{
	if (!interfered && socket->state == WEFT_WS_OPEN && expected.idle[client_heard()]) {
		promise(socket->reader == NULL, "nothing incomplete needs no context");
	}
}

static void converse(weft_ws *socket, unsigned pieces, unsigned way)
{
	size_t sent = 0;

	for (int i = 0; i < ROUNDS && client_is_there() && sent < stream_length; i++) {
		size_t piece = pieces < 8 && stream_length < 3000 ? pieces + 1 : 1 + dice() % (pieces * pieces + 1000);

		piece = MIN(piece, stream_length - sent);
		client_sends(piece);
		sent += piece;
		check_idle(socket);
		round_between(socket, way);
	}
	if (client_is_there()) {
		client_sends(stream_length - sent);
	}
	for (int i = 0; i < ROUNDS && socket->state == WEFT_WS_OPEN &&
		 (socket->first || socket->at_work || socket->job || client_heard() < stream_length);
		 i++) {
		client_takes(SIZE_MAX);
		application_goes_on(socket);
	}
	check_idle(socket);
}

static void compare(const weft_ws *socket)
{
	if (interfered || expected.code == MODEL_PERHAPS) {
		return;
	}
	promise(taken == expected.count || socket->state != WEFT_WS_OPEN, "all messages come");
	promise((expected.code == 0) == (socket->code == 0), "who has broken the rules, or closed, is closed");
	if (expected.code > 0) {
		promise(socket->code == expected.code, "with that code");
	}
	if (expected.client_closed && expected.code > 0 && expected.code != 1007 && expected.code != 1002) {
		promise(taken == expected.count, "who closes has his messages taken before");
	}
}

static void finish(weft_ws *socket)
{
	const unsigned char *got;
	size_t length;

	weft_ws_request_over(client_request());
	for (int i = 0; i < 100 && client_is_there(); i++) {
		client_takes(SIZE_MAX);
		application_goes_on(socket);
		if (i == 50) {
			weft_ws_close(socket, 1000, "", 0);
		}
		time_passes(WEFT_NS_PER_SEC * 20);
	}
	promise(!client_is_there(), "a socket that is closed ends");
	while (socket->job) {
		application_goes_on(socket);
	}
	got = client_got(&length);
	model_check_sent(got, length);
	client_end();
	promise(socket->references == 1, "nobody else has the socket");
	weft_ws_release(socket);
	promise(server->websockets == 0 && server->ws_waiting == 0, "none is counted");
	promise(server->input == 0, "the memory of what was sent is given back");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	weft_ws *socket;
	unsigned way;

	if (size < CONTROL) {
		return 0;
	}
	if (!server) {
		server = calloc(1, sizeof(*server));
	}
	way = data[2];
	server->config.ws_max_message = data[0] & 1 ? 300 : 100000;
	server->config.ws_buffer = data[0] & 2 ? 1024 : 100000;
	server->config.input_memory = 1 << 20;
	server->config.ws_ping_ms = server->config.ws_pong_ms = 30000;
	server->config.ws_close_ms = 5000;
	interfered = false;
	taken = 0;
	dice_begin((unsigned) (data[0] << 16 | data[1] << 8 | way));
	make_stream(data + CONTROL, data + size);
	model_read(&expected, stream, stream_length, server->config.ws_max_message);
	client_begin();
	client_will_send(stream, stream_length);
	socket = weft_ws_new(client_request(), NULL);
	weft_ws_addref(socket);
	if (data[0] & 4) {
		socket->method = strdup("A::b");
		weft_ws_waits_no_more(socket);
	}
	converse(socket, data[1], way);
	compare(socket);
	finish(socket);
	return 0;
}
