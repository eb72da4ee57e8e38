/*
 * The server of a worker: accepts, holds to the limit of concurrent requests, drains.
 */
#include "http/weft_http_internal.h"
#include "async/weft_async.h"
#include "interpose/guard/weft_modules.h"
#include "globals/weft_process_calls.h"
#include "http/weft_sapi.h"
#include "http/files/weft_files.h"
#include "http/weft_sending.h"
#include "http/weft_transport.h"
#include "http/h2/weft_h2.h"
#include "domain/weft_domain.h"
#include "interpose/weft_interpose.h"
#include "reactor/weft_log.h"

#include <pthread.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <netinet/tcp.h>

/* Connections taken in one go, so that those who are connected already get their turn. */
#define ACCEPT_AT_ONCE 32
/* A connection that a worker with less to do has not taken for this long is taken here. Idle ones need a tenth. */
#define YIELD_FOR (WEFT_NS_PER_MS / 2)
/* To wait for less is better than a new connection, with a handshake of TLS. */
#define WORTH_A_CONNECTION (10 * WEFT_NS_PER_MS)
/* Connections that a worker may have more than others that take none: they are stuck. */
#define MOST_AHEAD 1024
/* Bytes that the kernel takes of us beyond what it may send at once: enough to keep any network busy. */
#define UNSENT_IN_KERNEL (128 * 1024)
/* Requests that wait for their clients: an answer of one more goes to a file, however many places are free. */
#define MANY_SLOW 128
/* Of that many requests at once stacks are kept for the next ones. */
#define STACKS_KEPT 1024
/* When the process or the system has no descriptor left. */
#define ACCEPT_PAUSE (100 * WEFT_NS_PER_MS)
#define COMPLAIN_EVERY WEFT_NS_PER_SEC
/* The kernel may have answered a client whose last packet of the handshake is still under way when the server stops. */
#define HANDSHAKE_TIME (100 * WEFT_NS_PER_MS)

static bool wants_connections(const weft_http_server *server)
{
	if (server->draining) {
		return server->takes_rest;
	}
	return weft_admission_wants_more(server);
}

/* A connection will ask for something; one that does already counts twice. */
static uint32_t load_of(const weft_http_server *server)
{
	return server->connection_count + server->running;
}

void weft_http_server_show_load(const weft_http_server *server)
{
	const weft_http_place *head = weft_admission_head(server);

	weft_load_show(&server->load, !server->draining && wants_connections(server) ? load_of(server) : WEFT_LOAD_ABSENT,
		server->running == 0 && !head);
	if (server->shown) {
		atomic_store_explicit(&server->shown->running, server->running, memory_order_relaxed);
		atomic_store_explicit(&server->shown->queued, server->admission.length, memory_order_relaxed);
		atomic_store_explicit(&server->shown->queued_since, head ? head->first->queued_since : 0, memory_order_relaxed);
		atomic_store_explicit(&server->shown->connections, server->connection_count, memory_order_relaxed);
		atomic_store_explicit(&server->shown->handled, server->handled, memory_order_relaxed);
		atomic_store_explicit(&server->shown->draining, server->draining, memory_order_relaxed);
	}
}

bool weft_http_server_sends_away(const weft_http_server *server)
{
	return (weft_preempted_count() > 0 || weft_admission_has_waited(server, WORTH_A_CONNECTION)) &&
		weft_load_other_is_idle(&server->load);
}

/* Every worker is woken for a connection: the one with the least load takes it now. A connection that is left to the
 * others, and not taken, shows that they are stuck or behind: each time that happens before the kernel's queue is
 * empty, a worker may have twice as much more to do than the others before it leaves the next one to them. So
 * connections are spread evenly, and a thousand that come at once don't wait for a thousand looks at the load. */
static bool yields(weft_http_server *server)
{
	uint32_t load = load_of(server);

	if (load < server->ahead || !weft_load_other_is_less(&server->load, load - server->ahead)) {
		return false;
	}
	server->ahead = server->ahead ? MIN(2 * server->ahead, MOST_AHEAD) : 1;
	return true;
}

static void complain(weft_http_server *server, int error)
{
	if (weft_log_is_due(&server->complained, COMPLAIN_EVERY)) {
		weft_log("weft: can't accept connections: %s. %u are open; see ulimit -n.", strerror(error),
			server->connection_count);
	}
}

/* Returns false when the listener has nothing more, or nothing can be taken now. */
static bool accept_one(weft_http_listener *listener)
{
	weft_http_server *server = listener->server;
	weft_http_address peer = {0};
	socklen_t length = sizeof(peer);
	int on = 1;
	int fd;

	/* only one too many: that one has come, so that nobody was sent away for nothing */
	if (weft_room_exceeded(server) && !weft_room_make(server)) {
		weft_timer_arm(&server->accept_again, weft_now() + ACCEPT_PAUSE);
		return false;
	}
	fd = accept4(listener->watch.fd, &peer.any, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd < 0) {
		switch (errno) {
			case EINTR:
			case ECONNABORTED: return true;
			case EMFILE:
			case ENFILE:
			case ENOBUFS:
			case ENOMEM:
				if (weft_room_make(server)) {
					return true;
				}
				complain(server, errno);
				weft_timer_arm(&server->accept_again, weft_now() + ACCEPT_PAUSE);
				return false;
			default: listener->readable = false; return false;
		}
	}
	fd = weft_room_move(server, fd);
	weft_fd_fresh(fd);
	/* responses leave in one piece, so there is nothing to wait for */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	weft_connection_open(server, fd, &peer, listener->port);
	if (weft_room_exceeded(server)) {
		weft_room_make(server);
	}
	return true;
}

/* Whether it was left to the others for a moment. */
static bool leave_to_others(weft_http_server *server)
{
	if (server->draining || !yields(server)) {
		return false;
	}
	weft_timer_arm(&server->accept_again, weft_now() + YIELD_FOR);
	return true;
}

static void accept_some(weft_http_server *server)
{
	bool more = false;

	for (uint32_t i = 0; i < server->listener_count; i++) {
		weft_http_listener *listener = &server->listeners[i];
		uint32_t taken = 0;

		while (listener->readable && wants_connections(server) && taken++ < ACCEPT_AT_ONCE) {
			if (leave_to_others(server)) {
				return;
			}
			if (!accept_one(listener)) {
				break;
			}
		}
		more = more || listener->readable;
	}
	if (!more) {
		server->ahead = 0;
		weft_admission_taken(server);
	} else if (!wants_connections(server)) {
		weft_admission_hold(server);
	} else if (!weft_timer_armed(&server->accept_again)) {
		weft_timer_arm(&server->accept_again, weft_now()); /* go on in the reactor's next round */
	}
}

static void listener_fired(weft_watch *watch, uint32_t revents)
{
	weft_http_listener *listener = (weft_http_listener *) watch;

	weft_connection_reap(listener->server);
	listener->readable = true;
	if (!weft_timer_armed(&listener->server->accept_again)) {
		accept_some(listener->server);
	}
}

static void accept_timer_fired(weft_timer *timer)
{
	weft_http_server *server = (weft_http_server *) ((char *) timer - offsetof(weft_http_server, accept_again));

	weft_connection_reap(server);
	accept_some(server);
}

static void held_for_long(weft_timer *timer)
{
	weft_http_server *server = (weft_http_server *) ((char *) timer - offsetof(weft_http_server, admission.late));

	weft_connection_reap(server);
	server->admission.overload = true;
	if (!weft_timer_armed(&server->accept_again)) {
		accept_some(server);
	}
}

/* --- the end of accepting --- */

static void stop_listening(weft_http_server *server)
{
	server->takes_rest = false;
	for (uint32_t i = 0; i < server->listener_count; i++) {
		weft_watch_remove(&server->listeners[i].watch);
	}
	weft_timer_disarm(&server->accept_again);
	weft_timer_disarm(&server->admission.late);
	weft_timer_disarm(&server->rest_timer);
}

static void handshakes_over(weft_timer *timer)
{
	weft_http_server *server = (weft_http_server *) ((char *) timer - offsetof(weft_http_server, rest_timer));

	weft_connection_reap(server);
	weft_timer_disarm(&server->accept_again);
	for (uint32_t i = 0; i < server->listener_count; i++) {
		server->listeners[i].readable = true;
		while (accept_one(&server->listeners[i])) {
		}
	}
	if (weft_timer_armed(&server->accept_again)) {
		/* no descriptor is free for who waits: one will be when a connection ends */
		weft_timer_arm(timer, weft_now() + HANDSHAKE_TIME);
		return;
	}
	stop_listening(server);
}

/* --- concurrency --- */

bool weft_http_server_full(const weft_http_server *server)
{
	return server->running >= server->config.concurrency;
}

bool weft_http_server_has_slow_clients(const weft_http_server *server)
{
	return server->slow >= MANY_SLOW || weft_http_server_full(server);
}

bool weft_http_server_is_awaited(const weft_http_server *server)
{
	bool awaited = server->admission.length > 0;

	for (uint32_t i = 0; !awaited && i < server->listener_count; i++) {
		const weft_http_listener *listener = &server->listeners[i];
		struct pollfd queue = {.fd = listener->watch.fd, .events = POLLIN};

		awaited = listener->readable && poll(&queue, 1, 0) > 0;
	}
	return awaited;
}

void weft_http_server_begin(weft_http_server *server, weft_http_exchange *exchange)
{
	exchange->state = WEFT_CONNECTION_RUNNING;
	server->running++;
	weft_http_server_show_load(server);
	if (!server->begun && server->events.first_request) {
		server->events.first_request(server->events.arg);
	}
	server->begun = true;
	weft_request_start(exchange->request);
	if (weft_http_server_full(server) && server->slow > 0) {
		weft_spool_one(server);
	}
}

void weft_http_server_accept_again(weft_http_server *server)
{
	if (wants_connections(server) && !weft_timer_armed(&server->accept_again)) {
		/* edges of the time when no more were wanted are still due; they are taken at the next round */
		for (uint32_t i = 0; i < server->listener_count; i++) {
			if (server->listeners[i].readable) {
				weft_timer_arm(&server->accept_again, weft_now());
				break;
			}
		}
	}
}

void weft_http_server_slot_free(weft_http_server *server)
{
	server->running--;
	weft_admission_go_on(server);
	weft_http_server_show_load(server);
	weft_http_server_accept_again(server);
}

/* --- life --- */

bool weft_http_forked;

static void note_fork(void)
{
	weft_http_forked = true;
}

/* 0: it has none. */
static uint16_t port_of(int listener)
{
	weft_http_address address = {0};
	socklen_t length = sizeof(address);

	getsockname(listener, &address.any, &length);
	/* of IPv4 and IPv6 it is at the same place */
	return address.any.sa_family == AF_UNIX ? 0 : ntohs(address.in.sin_port);
}

weft_http_server *weft_http_server_new(const weft_http_config *config, const int *listeners, uint32_t count,
	zend_fcall_info *handler, zend_fcall_info_cache *handler_cache, const weft_http_events *events)
{
	weft_http_server *server = pecalloc(1, sizeof(*server), 1);

	server->config = *config;
	server->pid = getpid();
	server->limits.max_request_line = config->max_request_line;
	server->limits.max_header_bytes = config->max_header_bytes;
	server->limits.max_header_count = config->max_header_count;
	server->limits.max_chunk_extensions = config->max_chunk_extensions;
	server->limits.max_body = SG(post_max_size) > 0 ? (uint64_t) SG(post_max_size) : 0;
	server->handler = *handler;
	server->handler_cache = *handler_cache;
	Z_TRY_ADDREF(server->handler.function_name);
	server->events = *events;
	server->accept_again.fire = accept_timer_fired;
	server->rest_timer.fire = handshakes_over;
	server->admission.late.fire = held_for_long;
	weft_room_init(server);
	weft_turns_init(server);
	weft_address_limit_init(server);
	weft_http_forked = false;
	weft_process_calls_refuse();
	pthread_atfork(NULL, NULL, note_fork);
	weft_stacks_for(MIN(config->concurrency, STACKS_KEPT));
	weft_spawn_set_limit(config->coroutines);
	weft_access_log_init(server);
	weft_sapi_boot_superglobals();
	weft_admission_init(server);
	weft_memory_queue_init(server);
	weft_time_limit_init(server);
	weft_request_end_init(server);
	weft_files_init(server);
	server->acceptor = config->vault ? weft_transport_acceptor(config) : NULL;
	server->listeners = pecalloc(count, sizeof(weft_http_listener), 1);
	server->listener_count = count;
	for (uint32_t i = 0; i < count; i++) {
		weft_http_listener *listener = &server->listeners[i];
		listener->server = server;
		listener->readable = true;
		listener->port = config->ports ? config->ports[i] : WEFT_PORT_PLAIN;
		listener->watch.fd = listeners[i];
		if (listener->port == WEFT_PORT_TLS && !server->https_port) {
			server->https_port = port_of(listeners[i]);
		}
		listener->watch.events = WEFT_IN;
		listener->watch.fire = listener_fired;
		/* what is accepted there inherits it: the kernel keeps no megabytes for who reads slowly */
		setsockopt(listeners[i], IPPROTO_TCP, TCP_NOTSENT_LOWAT, &(int){UNSENT_IN_KERNEL}, sizeof(int));
		weft_watch_add(&listener->watch);
	}
	weft_timer_arm(&server->accept_again, weft_now());
	return server;
}

void weft_http_server_share(weft_http_server *server, weft_loads *loads, uint32_t place)
{
	server->load.loads = loads;
	server->load.place = place;
	weft_http_server_show_load(server);
}

static weft_board_entry *shown_here;

static void count_blocked(const char *extension, uint64_t nanoseconds)
{
	weft_board_count_blocked(shown_here, extension, nanoseconds);
}

void weft_http_server_show(weft_http_server *server, weft_board_entry *entry)
{
	server->shown = shown_here = entry;
	weft_module_kept_waiting = count_blocked;
	weft_http_server_show_load(server);
}

void weft_http_server_leave_place(weft_http_server *server)
{
	server->load.place = WEFT_LOAD_NO_PLACE;
}

static void take_rest(weft_http_server *server)
{
	server->takes_rest = true;
	/* as if an edge had come: what no longer was wanted may be wanted now */
	for (uint32_t i = 0; i < server->listener_count; i++) {
		server->listeners[i].readable = true;
	}
	accept_some(server);
	weft_timer_arm(&server->rest_timer, weft_now() + HANDSHAKE_TIME);
}

void weft_http_server_drain(weft_http_server *server, weft_drain how)
{
	server->draining = true;
	weft_http_server_show_load(server);
	weft_http_server_leave_place(server);
	weft_timer_disarm(&server->accept_again);
	weft_room_each(server, weft_connection_drain);
	if (how == WEFT_DRAIN_NOBODY_ELSE) {
		take_rest(server);
	} else {
		stop_listening(server);
	}
}

bool weft_http_server_accepts(const weft_http_server *server)
{
	return !server->draining || server->takes_rest;
}

bool weft_http_server_idle(const weft_http_server *server)
{
	return server->connection_count == 0 && server->running == 0 && server->admission.length == 0 &&
		!server->takes_rest && !weft_linger_goes_on();
}

uint32_t weft_http_server_running(const weft_http_server *server)
{
	return server->running;
}

uint64_t weft_http_server_handled(const weft_http_server *server)
{
	return server->handled;
}

void weft_http_server_trim(weft_http_server *server)
{
	weft_request_free_spare(server);
	weft_codec_trim();
}

void weft_http_server_free(weft_http_server *server)
{
	if (!server->draining) {
		weft_http_server_drain(server, WEFT_DRAIN_OTHERS_ACCEPT);
	}
	stop_listening(server);
	weft_room_each(server, weft_connection_close);
	weft_connection_reap(server);
	weft_request_free_spare(server);
	weft_codec_trim();
	weft_admission_forget(server);
	weft_round_forget(&server->turns.round);
	weft_address_limit_free(server);
	weft_memory_queue_end(server);
	weft_time_limit_free(server);
	weft_request_end_free(server);
	weft_domain_all_over();
	weft_files_free();
	weft_h2_server_free(server);
	weft_access_log_flush(server, true);
	weft_timer_disarm(&server->log_timer);
	weft_buffer_free(&server->log);
	weft_tls_acceptor_free(server->acceptor);
	zval_ptr_dtor(&server->handler.function_name);
	free(server->listeners);
	free(server);
}
