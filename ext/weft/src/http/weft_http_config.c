/*
 * The limits of the HTTP server, each an ini directive.
 */
#include "http/weft_coding.h"
#include "http/weft_http_internal.h"
#include "http/ws/weft_ws.h"

#include <unistd.h>
#include "directive/weft_directive.h"

typedef struct {
	zend_long h2_streams, h2_resets, h2_reset_rate, h2_continuations, h2_control_frames, h2_window, h2_buffer;
	zend_long concurrency, connections, max_request_line, max_header_bytes, max_header_count, max_chunk_extensions,
		body_memory, input_memory, input_files, address_connections, address_rate, address_burst, header_timeout_ms,
		handshake_timeout_ms, body_timeout_ms, idle_timeout_ms, drain_ms, write_timeout_ms, silent_ms, min_rate, share,
		write_buffer, spool, spool_total, request_timeout_ms, linger_ms, memory_share, memory_wait_ms, max_memory,
		coroutines, ready, queue_ms, slow_ms, file_cache, file_check_ms, ranges;
	bool h2;
	bool hang_up_cancels;
	bool any_link;
	bool access_log;
} directives;

static directives http_directives;

#define LIMIT(name, value, least, most, unit) \
	WEFT_NUMBER("weft.http_" #name, value, name, directives, http_directives, least, most, unit)

#define H2_LIMIT(name, value, least, most, unit) \
	WEFT_NUMBER("weft.http2_" #name, value, h2_##name, directives, http_directives, least, most, unit)

/* Milliseconds in a day: who means "never" means less. */
#define DAY (WEFT_HTTP_DAY * 1000)

static const zend_ini_entry_def ini_entries[] = {
	/* requests running at once in a worker. Nearly all of so many wait for something far away: who needs the CPU,
	 * memory or a database has narrower limits (ready, max_memory, pdo_pool_max). Their stacks are no burden to the
	 * kernel */
	LIMIT(concurrency, "4096", 1, 65536, "requests")
	/* connections of a worker; beyond, and beyond three quarters of its descriptors, a newcomer replaces the one
	 * that is idle for longest. An idle one costs some 400 bytes of ours and 3 KB of the kernel's */
	LIMIT(connections, "20000", 1, 10000000, "connections")
	/* bytes of the request line; 414 beyond. What nginx and Apache allow */
	LIMIT(max_request_line, "8192", 64, 1048576, "bytes")
	/* bytes of all header lines; 431 beyond. Room for a few fat cookies */
	LIMIT(max_header_bytes, "32768", 64, 16777216, "bytes")
	/* header lines; 431 beyond. As Apache */
	LIMIT(max_header_count, "100", 1, 1000, "lines")
	/* bytes of chunk extensions in a body; 400 beyond. Nobody uses any; as much as other servers read of them */
	LIMIT(max_chunk_extensions, "65536", 0, 16777216, "bytes")
	/* bytes of a body kept in memory; a larger one goes to a file. Most forms fit, no upload should */
	LIMIT(body_memory, "262144", 0, 1073741824, "bytes")
	/* bytes of all heads and bodies in memory; from half of it on all but small bodies go to files, beyond it all
	 * bodies do, and who has sent part of a head gets 503. Room for 256 bodies */
	LIMIT(input_memory, "64M", 65536, 68719476736, "bytes")
	/* bytes of all bodies in files; who would go beyond gets 503, unless there is no other. Room for 256 uploads of
	 * PHP's 8 MB */
	LIMIT(input_files, "2G", 0, 1099511627776, "bytes")
	/* connections of one address, and requests a second; 429 beyond; 0: any number. Off: whole companies come from one
	 * address, and a proxy in front is one until it is trusted */
	LIMIT(address_connections, "0", 0, 10000000, "connections")
		LIMIT(address_rate, "0", 0, 1000000, "requests a second")
	/* requests of one address at once, where there is such a rate. A page with all that it loads */
	LIMIT(address_burst, "100", 1, 1000000, "requests")
	/* from the first byte of a head to its end; 408 beyond. Whoever needs longer is dead or an attacker */
	LIMIT(header_timeout_ms, "10000", 1, DAY, "milliseconds")
	/* from a connection's opening to the end of TLS's handshake; closed. Three round trips of the slowest network, and
	 * lost packets */
	LIMIT(handshake_timeout_ms, "10000", 1, DAY, "milliseconds")
	/* without any progress while a body is read; 408 beyond. A bad mobile connection recovers within that */
	LIMIT(body_timeout_ms, "30000", 1, DAY, "milliseconds")
	/* an open connection without a request; closed. Longer than a person reads a page between two clicks */
	LIMIT(idle_timeout_ms, "60000", 1, DAY, "milliseconds")
	/* the same while the worker drains. A client that has just connected sends at once; a longer wait delays each
	 * stop */
	LIMIT(drain_ms, "1000", 0, DAY, "milliseconds")
	/* without a byte of a response that the client has acknowledged; closed. As for bodies */
	LIMIT(write_timeout_ms, "30000", 1, DAY, "milliseconds")
	/* the same while its request holds a place that others wait for, and can't go to a file; 0: no less. Longer than
	 * TCP needs after a few lost packets, and not as long as a newcomer has patience */
	LIMIT(silent_ms, "3000", 0, DAY, "milliseconds")
	/* bytes a second that a body or an answer must keep up once its time-out has passed; 408 or closed; 0: none. As
	 * Apache's mod_reqtimeout. Any mobile network is faster, and a byte now and then is no client */
	LIMIT(min_rate, "500", 0, 1073741824, "bytes a second")
	/* bytes that one client is sent, who can take them at once, before others have their turn: half a millisecond, and
	 * so many that the turns themselves cost nothing */
	LIMIT(share, "1M", 16384, 1073741824, "bytes")
	/* unsent bytes of a response beyond which its coroutine waits: most pages fit */
	LIMIT(write_buffer, "65536", 1024, 1073741824, "bytes")
	/* bytes of an answer that go to a file when its client is slow and many are, or all places are taken; most answers
	 * are over then */
	LIMIT(spool, "64M", 0, 68719476736, "bytes")
	/* bytes of all those files of a worker; beyond it answers wait for their clients. Eight of the largest, and of
	 * usual pages more than a worker has clients */
	LIMIT(spool_total, "512M", 0, 68719476736, "bytes")
	/* until an answer begins, and between two pieces of it; 504, or the connection is closed; 0: none. As PHP's
	 * max_execution_time, and within the minute that proxies wait */
	LIMIT(request_timeout_ms, "30000", 0, DAY, "milliseconds")
	/* for coroutines that outlive their request; then they are cancelled. As long as a client waits for a body */
	LIMIT(linger_ms, "30000", 1, DAY, "milliseconds")
	/* that a request has spawned and that have not ended; spawn() throws beyond; 0: any number. Nobody awaits so many
	 * on purpose, and they need less than the 128 MB that PHP gives a request */
	WEFT_NUMBER("weft.coroutines", "10000", coroutines, directives, http_directives, 0, 10000000, "coroutines")
	/* bytes of a worker's requests together */
	WEFT_NUMBER_OR("weft.max_memory", "auto", max_memory, directives, http_directives, 16777216, 1099511627776, "bytes",
		"auto")
	/* that could run, and beyond which no request begins; 0: any number. Few enough that they find what they need in
	 * the CPU's caches when their turn comes again, enough that some wait for a database while others compute */
	LIMIT(ready, "16", 0, 65536, "requests")
	/* that a request may wait before it starts; 503 beyond, and at a fifth once the queue has stood for as long; 0: for
	 * any time. As web servers and proxies wait for a backend */
	LIMIT(queue_ms, "30000", 0, DAY, "milliseconds")
	/* percent of that in use beyond which requests wait before they begin; 0: none does. The rest is for what
	 * the running ones still allocate, and for holes between values */
	LIMIT(memory_share, "75", 0, 100, "percent")
	/* for that; then it begins all the same. About as long as a visitor is patient */
	LIMIT(memory_wait_ms, "10000", 0, DAY, "milliseconds")
	/* of the public directory kept open, each with its descriptor, and never more than the 16th part of those. What a
	 * page needs is asked for together, and most sites have fewer */
	LIMIT(file_cache, "1000", 8, 65536, "files")
	/* that one of them is taken for the file at its path. What is changed, deleted or replaced by renaming shows at
	 * once; this is for what is moved away */
	LIMIT(file_check_ms, "1000", 0, DAY, "milliseconds")
	/* of a file in one answer; who asks for more is sent all of it, as who asks twice for the same bytes. Readers of
	 * PDF ask for a few */
	LIMIT(ranges, "16", 1, WEFT_RANGES_MAX, "ranges")
	/* which symbolic links may lead out of the public directory: those in itself, which who deploys has made, or any */
	WEFT_WORD("weft.http_links", "top", any_link, directives, http_directives, "top", "any")
	/* of a request, until its answer has ended, worth a warning; 0: none. A stream or a download is slow on purpose,
	 * and what else is slow depends on the application */
	LIMIT(slow_ms, "0", 0, DAY, "milliseconds")
	/* HTTP/2 for clients that begin with its preface, or ask for it in TLS */
	WEFT_SWITCH("weft.http2", "1", h2, directives, http_directives)
	/* of a connection, open at once; more are refused, and the client may try again. As nginx and Apache: browsers
	 * open no more */
	H2_LIMIT(streams, "100", 1, 65536, "streams")
	/* of its streams that are reset before they end, at once; the connection ends beyond. Who opens a page of so many
	 * parts and leaves it resets that many */
	H2_LIMIT(resets, "100", 1, 1000000, "streams")
	/* and so many a second on the long run. As nghttp2 */
	H2_LIMIT(reset_rate, "33", 1, 1000000, "streams a second")
	/* frames of a head beyond its first; the connection ends beyond. As nghttp2: room for four times the bytes that a
	 * head may have */
	H2_LIMIT(continuations, "8", 0, 1000, "frames")
	/* a second that bring nothing: settings, pings, priorities, empty data, more updates of windows than there is data.
	 * Ten times as many at once; the connection ends beyond. A browser sends a few at its beginning */
	H2_LIMIT(control_frames, "100", 1, 1000000, "frames a second")
	/* bytes of request bodies that a client may send before it hears that they were taken: as many as keep a fast line
	 * across an ocean busy. They are taken as they come, so they need no memory */
	H2_LIMIT(window, "1M", 65535, 1073741824, "bytes")
	/* bytes of answers in memory that wait for one client; beyond it its next requests wait to begin, and answers that
	 * stream wait for the client, however little each of them has */
	H2_LIMIT(buffer, "1M", 16384, 1073741824, "bytes")
	/* what a client's hang-up does to its request. As PHP: an order that is being paid is paid */
	WEFT_WORD("weft.http_hang_up", "write", hang_up_cancels, directives, http_directives, "write", "cancel")
		WEFT_SWITCH("weft.http_access_log", "1", access_log, directives, http_directives){0}};

void weft_http_config_minit(int module_number)
{
	zend_register_ini_entries(ini_entries, module_number);
	weft_coding_config_minit(module_number);
}

void weft_http_config_defaults(weft_http_config *config)
{
	const directives *ini = &http_directives;

	memset(config, 0, sizeof(*config));
	config->concurrency = (uint32_t) ini->concurrency;
	config->connections = (uint32_t) ini->connections;
	config->max_request_line = (uint32_t) ini->max_request_line;
	config->max_header_bytes = (uint32_t) ini->max_header_bytes;
	config->max_header_count = (uint32_t) ini->max_header_count;
	config->max_chunk_extensions = (uint32_t) ini->max_chunk_extensions;
	config->body_memory = (size_t) ini->body_memory;
	config->input_memory = (size_t) ini->input_memory;
	config->input_files = (uint64_t) ini->input_files;
	config->address_connections = (uint32_t) ini->address_connections;
	config->address_rate = (uint32_t) ini->address_rate;
	config->address_burst = (uint32_t) ini->address_burst;
	config->header_timeout_ms = (uint32_t) ini->header_timeout_ms;
	config->handshake_timeout_ms = (uint32_t) ini->handshake_timeout_ms;
	config->body_timeout_ms = (uint32_t) ini->body_timeout_ms;
	config->idle_timeout_ms = (uint32_t) ini->idle_timeout_ms;
	config->drain_ms = (uint32_t) ini->drain_ms;
	config->write_timeout_ms = (uint32_t) ini->write_timeout_ms;
	config->silent_ms = (uint32_t) ini->silent_ms;
	config->min_rate = (uint32_t) ini->min_rate;
	config->share = (uint32_t) ini->share;
	config->write_buffer = (uint32_t) ini->write_buffer;
	config->spool = (size_t) ini->spool;
	config->spool_total = (size_t) ini->spool_total;
	config->request_timeout_ms = (uint32_t) ini->request_timeout_ms;
	config->timeout_is_firm = cfg_get_entry(ZEND_STRL("weft.http_request_timeout_ms")) != NULL;
	config->linger_ms = (uint32_t) ini->linger_ms;
	config->coroutines = (uint32_t) ini->coroutines;
	config->max_memory = (size_t) MAX(ini->max_memory, 0);
	config->ready = (uint32_t) ini->ready;
	config->queue_ms = (uint32_t) ini->queue_ms;
	config->memory_share = (uint32_t) ini->memory_share;
	config->memory_wait_ms = (uint32_t) ini->memory_wait_ms;
	config->file_cache = (uint32_t) ini->file_cache;
	config->file_check_ms = (uint32_t) ini->file_check_ms;
	config->ranges = (uint32_t) ini->ranges;
	config->any_link = ini->any_link;
	config->slow_ms = (uint32_t) ini->slow_ms;
	config->h2 = ini->h2;
	config->h2_streams = (uint32_t) ini->h2_streams;
	config->h2_resets = (uint32_t) ini->h2_resets;
	config->h2_reset_rate = (uint32_t) ini->h2_reset_rate;
	config->h2_continuations = (uint32_t) ini->h2_continuations;
	config->h2_control_frames = (uint32_t) ini->h2_control_frames;
	config->h2_window = (uint32_t) ini->h2_window;
	config->h2_buffer = (size_t) ini->h2_buffer;
	weft_coding_config_defaults(config);
	weft_ws_config_defaults(config);
	config->hang_up_cancels = ini->hang_up_cancels;
	config->isolation = true;
	config->access_log = ini->access_log;
	config->log_fd = STDOUT_FILENO;
	config->colour = isatty(config->log_fd);
}
