/*
 * Feeds a connection with anything: bytes of HTTP/1.1 and HTTP/2, in pieces of any size, to a client that takes few of
 * the answers at a time, hangs up, half-closes, or says nothing until a limit of time has passed. With WEFT_FUZZ_HTTP2
 * what follows the preface of HTTP/2 is the input's.
 *
 * All of ext/weft/src/http is the real thing but what stands around it: the reactor, the socket (weft_transport.h), and
 * the application, which answers as the request's path says (stand_ins.h). The first input byte chooses
 * limits, the second the pieces, the third what becomes of the client; the rest is what it sends.
 *
 * Besides what the sanitizers find, it aborts when memory, a file, a timer or a stream is left when the connection is
 * gone, when what was sent is neither HTTP/1.1 nor HTTP/2, and when a file was sent that is secret.
 */
#include "input.h"
#include "stand_ins.h"

#include "http/files/weft_files.h"
#include "http/h2/weft_h2.h"

#include <stdio.h>

/* What a client of HTTP/2 begins with: the preface, and settings of its own. */
#define PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0"
/* More rounds than a connection can make use of. */
#define ROUNDS 2000

static weft_http_server *server;

/* Small, so that little is too much. */
static const weft_http_config limits = {
	.concurrency = 4,
	.connections = 100,
	.max_request_line = 256,
	.max_header_bytes = 1024,
	.max_header_count = 20,
	.max_chunk_extensions = 100,
	.body_memory = 512,
	.input_memory = 1 << 20,
	.input_files = 1 << 20,
	.header_timeout_ms = 10000,
	.handshake_timeout_ms = 10000,
	.body_timeout_ms = 30000,
	.idle_timeout_ms = 60000,
	.drain_ms = 1000,
	.write_timeout_ms = 30000,
	.min_rate = 500,
	.share = 16384,
	.write_buffer = 1024,
	.spool = 1 << 20,
	.spool_total = 1 << 20,
	.linger_ms = 30000,
	.h2 = true,
	.h2_streams = 10,
	.h2_resets = 20,
	.h2_reset_rate = 33,
	.h2_continuations = 8,
	.h2_control_frames = 100,
	.h2_window = 65536,
	.h2_buffer = 4096,
	.file_cache = 10,
	.file_check_ms = 1000,
	.ranges = 4,
	.compress_min = 100,
	.decompress_ratio = 100,
	.codec_memory = 1 << 24,
	.log_fd = -1,
};

static void set_limits(unsigned way)
{
	weft_http_config *config = &server->config;

	*config = limits;
	config->decompress = (weft_codings){3, {WEFT_CODING_GZIP, WEFT_CODING_BR, WEFT_CODING_ZSTD}};
	if (way & 1) {
		config->compress = config->decompress;
	}
	if (way & 2) {
		config->input_memory = 4096;
		config->input_files = 2000;
		config->codec_memory = 100000;
		config->spool_total = 1000;
	}
	if (way & 4) {
		config->h2 = false;
		config->decompress.count = 0;
	}
	if (way & 8) {
		config->h2_window = 100;
		config->write_buffer = 64;
		config->h2_buffer = 100;
		config->share = 500;
	}
	if (way & 16) {
		config->hang_up_cancels = true;
		config->h2_streams = 2;
		config->h2_resets = 2;
	}
	server->limits = (weft_parser_limits){config->max_request_line, config->max_header_bytes, config->max_header_count,
		config->max_chunk_extensions, 4096};
}

static void begin_server(void)
{
	server = calloc(1, sizeof(*server));
	weft_turns_init(server);
	weft_forwarded_trust("127.0.0.1");
	weft_forwarded_trust("10.0.0.0/8");
	weft_files_serve(getenv("WEFT_FUZZ_FILES"), false);
	weft_files_add_folder("/kept", getenv("WEFT_FUZZ_FILES"));
	set_limits(0);
	weft_files_init(server);
}

/* What a client may do, and what time does, between two pieces. */
static void round_between(unsigned way)
{
	unsigned dice = stand_in_dice();

	stand_in_let_through(way & 1 ? dice % 7 == 0 ? 0 : dice % 3000 : SIZE_MAX);
	stand_in_fire_writable();
	stand_in_rounds();
	stand_in_application(dice & 64);
	if (way & 2 && dice % 16 == 0) {
		stand_in_wait(WEFT_NS_PER_SEC * (dice % 20));
	}
	if (way & 4 && dice % 64 == 1) {
		stand_in_drain(server);
	}
}

static void client_sends(const char *data, size_t length, unsigned pieces, unsigned way)
{
	while (length > 0 && stand_in_is_open()) {
		unsigned dice = stand_in_dice();
		size_t piece = pieces == 0 ? length : pieces < 64 ? pieces : dice % (pieces * 4) + 1;

		piece = piece < length ? piece : length;
		stand_in_deliver(data, piece);
		data += piece;
		length -= piece;
		round_between(way);
	}
}

static void client_ends(unsigned way)
{
	switch (way >> 3 & 3) {
		case 0: stand_in_half_close(); break;
		case 1: stand_in_hang_up(); break;
		case 2: break; /* says nothing more */
		default: stand_in_reset(); break;
	}
	for (int i = 0; i < ROUNDS && (stand_in_is_open() || stand_in_applications() > 0); i++) {
		round_between(way & ~4u);
		if (i > 20) {
			stand_in_let_through(way & 32 ? 0 : SIZE_MAX);
			stand_in_fire_writable();
			stand_in_wait(WEFT_NS_PER_SEC * 10);
		}
	}
	promise(!stand_in_is_open(), "a connection that does nothing ends");
	promise(stand_in_applications() == 0, "requests end");
}

static void check_nothing_left(void)
{
	weft_connection_reap(server);
	promise(server->connection_count == 0 && !server->connections.first && !server->busy.first,
		"no connection is left");
	promise(server->running == 0, "no request runs");
	promise(server->input == 0, "the memory of what clients sent is given back");
	promise(server->input_files == 0 && server->spooled == 0, "so are files");
	promise(server->slow == 0 && !server->h2_due && !server->turns.first, "nobody waits");
	promise(weft_codec_memory() < (1 << 20), "codecs give back their memory");
	weft_files_free();
	promise(stand_in_timers() == 0, "no timer is armed");
	weft_files_serve(getenv("WEFT_FUZZ_FILES"), false);
	weft_files_init(server);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned way;

	if (size < CONTROL) {
		return 0;
	}
	if (!server) {
		begin_server();
	}
	way = data[2];
	set_limits(data[0]);
	server->draining = false;
	stand_in_begin(server, (unsigned) (data[1] << 16 | way << 8 | size % 251));
	if (getenv("WEFT_FUZZ_HTTP2")) {
		client_sends(PREFACE, sizeof(PREFACE), 0, 0); /* the last 0 is the frame's */
	}
	client_sends((const char *) data + CONTROL, size - CONTROL, data[1], way);
	client_ends(way);
	check_nothing_left();
	stand_in_check_sent();
	return 0;
}
