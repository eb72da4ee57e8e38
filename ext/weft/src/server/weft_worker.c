/*
 * The life of a worker: set up, serving, looked at from time to time, drained.
 */
#include "server/weft_worker.h"

#include "coroutine/weft_coroutine.h"
#include "interpose/weft_descriptors.h"
#include "interpose/weft_interpose.h"
#include "globals/weft_c_state.h"
#include "reactor/weft_log.h"
#include "domain/weft_domain.h"
#include "pdo/weft_pdo.h"
#include "server/weft_bus.h"
#include "server/weft_crash.h"
#include "server/weft_entropy.h"
#include "server/weft_guard.h"
#include "server/weft_leash.h"
#include "server/weft_machine.h"
#include "server/weft_signals.h"
#include "server/weft_trim.h"

#include <errno.h>
#include <stdio.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

typedef struct {
	weft_watch channel; /* the zygote's messages, or its end */
	weft_watch leash;   /* the supervisor's word, or its end */
	weft_watch asked;   /* SIGTERM or SIGQUIT came */
	weft_timer look;
	weft_timer tidy;
	weft_timer limits;
	const weft_worker_options *options;
	uint32_t number;
	uint64_t replaced_at; /* 0: it may live for ever */
	size_t memory;        /* of its own when it started */
	uint64_t handled;     /* requests, when the tidy timer was last due */
	uint64_t tidied;      /* requests, when memory was last given back */
	weft_coroutine *main;
	weft_listeners *listeners;
	weft_http_server *server;
	bool leaves; /* it has asked to be replaced */
	bool stop;   /* wanted: the server stops, or nobody is left who could say so */
	bool retire; /* wanted: another worker has taken the place */
	bool draining;
} worker;

/* For the signal handler, which may touch nothing else. */
static volatile sig_atomic_t drain_event = -1;

static void on_sigterm(int number)
{
	int error = errno;
	uint64_t one = 1;
	weft_signal_is_ours();
	ssize_t ignored = write(drain_event, &one, sizeof(one));
	(void) ignored;
	errno = error;
}

/* A handler, not SIG_IGN: programs that the application executes get the default action back. */
static void on_sigint(int number)
{
	weft_signal_is_ours();
}

static void install_signals(void)
{
	struct sigaction term = {.sa_handler = on_sigterm, .sa_flags = SA_RESTART};
	struct sigaction harmless = {.sa_handler = on_sigint, .sa_flags = SA_RESTART};
	struct sigaction hangup;
	drain_event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	weft_fd_fresh(drain_event);
	sigaction(SIGTERM, &term, NULL);
	sigaction(SIGQUIT, &term, NULL);
	sigaction(SIGINT, &harmless, NULL);
	weft_c_signals_reserve(SIGTERM);
	weft_c_signals_reserve(SIGQUIT);
	weft_c_signals_reserve(SIGINT);
	/* what people send to every process of a name; a request may have a use of its own for them */
	sigaction(SIGUSR1, &harmless, NULL);
	sigaction(SIGUSR2, &harmless, NULL);
	if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) {
		sigaction(SIGHUP, &harmless, NULL);
	}
	weft_c_signals_keep(SIGUSR1);
	weft_c_signals_keep(SIGUSR2);
	weft_c_signals_keep(SIGHUP);
	weft_signals_survive_in_worker();
}

static void name_process(uint32_t number)
{
	char name[16];
	snprintf(name, sizeof(name), "weft-worker-%u", number);
	prctl(PR_SET_NAME, name);
}

static void want_stop(worker *self)
{
	self->stop = true;
	weft_wake(self->main);
}

static void want_retire(worker *self)
{
	self->retire = true;
	weft_wake(self->main);
}

/* The zygote has another worker take the place, and then says so: until that one serves, this one does. */
static void want_replacement(worker *self, weft_board_cause cause)
{
	if (!self->leaves) {
		weft_board_replaced(self->options->entry, cause);
	}
	if (!self->leaves && !weft_message_send(self->channel.fd, WEFT_MESSAGE_REPLACE, NULL, 0)) {
		/* there is no zygote: another is on its way, with workers */
		want_retire(self);
	}
	self->leaves = true;
}

static void on_channel(weft_watch *watch, uint32_t revents)
{
	worker *self = (worker *) ((char *) watch - offsetof(worker, channel));
	char buffer[16];
	ssize_t length;
	while ((length = weft_message_receive(watch->fd, buffer, sizeof(buffer))) > 0) {
		if (buffer[0] == WEFT_MESSAGE_RETIRE) {
			want_retire(self);
		}
	}
	if (length == 0) {
		weft_watch_remove(watch);
	} else {
		weft_fd_drained(watch->fd, WEFT_IN);
	}
}

static void on_leash(weft_watch *watch, uint32_t revents)
{
	worker *self = (worker *) ((char *) watch - offsetof(worker, leash));
	weft_leash_word word = weft_leash_heard(watch->fd);
	if (word == WEFT_LEASH_SILENT) {
		weft_fd_drained(watch->fd, WEFT_IN);
		return;
	}
	weft_watch_remove(watch);
	if (word == WEFT_LEASH_RETIRE || (word == WEFT_LEASH_GONE && self->listeners->held)) {
		/* who still connects waits for the next server */
		want_retire(self);
		return;
	}
	if (word == WEFT_LEASH_GONE) {
		/* it had no time to do this */
		weft_listen_admit_nobody(self->listeners);
	}
	want_stop(self);
}

static void on_asked(weft_watch *watch, uint32_t revents)
{
	worker *self = (worker *) ((char *) watch - offsetof(worker, asked));
	weft_watch_remove(watch);
	want_replacement(self, WEFT_BOARD_ASKED);
}

static void on_look(weft_timer *timer)
{
	worker *self = (worker *) ((char *) timer - offsetof(worker, look));
	weft_wake(self->main);
}

/* Requests leave cycles behind, which the collector finds when there are some ten thousand. A process of PHP-FPM
 * drops them with each request; here they go as soon as nobody waits. Destructors may run, so the coroutine has a
 * domain of its own. */
static void tidy(weft_coroutine *coroutine, void *arg)
{
	gc_collect_cycles();
	weft_domain_end(1);
	weft_trim_memory();
}

static void on_tidy(weft_timer *timer)
{
	worker *self = (worker *) ((char *) timer - offsetof(worker, tidy));
	uint64_t handled = weft_http_server_handled(self->server);
	if (handled != self->handled) {
		self->handled = handled;
	} else if (handled != self->tidied && weft_http_server_running(self->server) == 0) {
		weft_http_server_trim(self->server);
		self->tidied = handled;
		weft_coroutine_spawn_apart(tidy, NULL, NULL, weft_domain_begin);
	}
	weft_timer_arm(timer, weft_now() + WEFT_TIDY_AFTER_NS);
}

/* --- its limits --- */

/* Bytes that are nobody else's: neither the zygote's program nor OPcache's memory. 0: not known. */
static size_t own_memory(void)
{
	uint64_t resident, shared;

	return weft_machine_process_memory(getpid(), &resident, &shared) && resident > shared ? resident - shared : 0;
}

/* What PHP's heap holds is limited as it is: what has grown beyond that is native memory that nobody has given back. */
static bool describe_passed_limit(const worker *self, weft_board_cause *cause, char *text, size_t room)
{
	const weft_worker_options *options = self->options;
	uint64_t handled = weft_http_server_handled(self->server);
	size_t memory = own_memory(), most = options->http.max_memory;

	if (options->max_requests && handled >= options->max_requests) {
		*cause = WEFT_BOARD_MAX_REQUESTS;
		snprintf(text, room, "has answered %" PRIu64 " requests (--max-requests)", handled);
	} else if (self->replaced_at && weft_now() >= self->replaced_at) {
		*cause = WEFT_BOARD_MAX_LIFETIME;
		snprintf(text, room, "is old enough (--max-lifetime)");
	} else if (most && memory > self->memory && memory - self->memory > most) {
		*cause = WEFT_BOARD_MAX_MEMORY;
		snprintf(text, room, "has taken %zu MB (--max-memory)", (memory - self->memory) >> 20);
	} else {
		return false;
	}
	return true;
}

/* That it comes back to its loop, what changes often, and what it runs to who has asked. */
static void show_life(weft_board_entry *entry)
{
	const weft_isolation_stats *isolation = weft_isolation_statistics();
	weft_pdo_in_use connections = weft_pdo_count_in_use();

	entry->beat++;
	entry->coroutines = weft_coroutine_count() - 1; /* this one */
	entry->idle = connections.idle;
	entry->leased = connections.leased;
	entry->waiting = connections.waiting;
	weft_board_show_switches(entry, isolation->switches, isolation->dirty);
	char *view = weft_board_view_wanted(entry);
	if (view) {
		weft_board_view_written(entry, weft_http_describe_coroutines(view, WEFT_BOARD_VIEW, entry->view.frames));
	}
}

static void on_limits(weft_timer *timer)
{
	worker *self = (worker *) ((char *) timer - offsetof(worker, limits));
	weft_board_cause cause;
	char text[128];

	if (self->options->entry) {
		show_life(self->options->entry);
	}
	if (!self->leaves && !self->stop && !self->retire && describe_passed_limit(self, &cause, text, sizeof(text))) {
		weft_log_at("info", "weft: worker %u (%d) %s; another takes its place", self->number, (int) getpid(), text);
		want_replacement(self, cause);
	}
	weft_timer_arm(timer, weft_now() + WEFT_LOOK_AT_LIMITS_NS);
}

/* Give or take a tenth, so that those that were started together are not replaced together. */
static uint64_t end_of_life(uint64_t lifetime)
{
	uint64_t spread = lifetime / 5;

	return lifetime ? weft_now() + lifetime - lifetime / 10 + (spread ? weft_now() / 1000 * 2654435761U % spread : 0)
					: 0;
}

static void watch_limits(worker *self)
{
	self->memory = own_memory();
	self->replaced_at = end_of_life(self->options->max_lifetime_ns);
	weft_timer_arm(&self->limits, weft_now() + WEFT_LOOK_AT_LIMITS_NS);
}

static void on_first_request(void *arg)
{
	worker *self = arg;
	weft_message_send(self->channel.fd, WEFT_MESSAGE_BEGUN, NULL, 0);
}

/* What the error has skipped is never made up for: memory, at least, is lost. */
static void on_fatal(void *arg)
{
	want_replacement(arg, WEFT_BOARD_FATAL_ERROR);
}

/* It has missed what other workers have said. */
static void on_bus_lost(void *arg)
{
	worker *self = arg;
	want_replacement(self, WEFT_BOARD_ASKED);
}

static void worker_begin_drain(worker *self)
{
	self->draining = true;
	weft_bus_expect_end();
	weft_http_server_drain(self->server, self->stop ? WEFT_DRAIN_NOBODY_ELSE : WEFT_DRAIN_OTHERS_ACCEPT);
}

static void close_listeners(worker *self)
{
	for (uint32_t i = 0; i < self->listeners->count; i++) {
		weft_fd_forget(self->listeners->fds[i]);
	}
	weft_listen_close(self->listeners);
	if (self->stop) {
		weft_message_send(self->channel.fd, WEFT_MESSAGE_TAKEN, NULL, 0);
	}
}

static void serve_until_drained(worker *self)
{
	static const weft_wait_info waiting = {.what = "serve", .fd = -1};
	for (;;) {
		if ((self->stop || self->retire) && !self->draining) {
			worker_begin_drain(self);
		}
		if (self->draining) {
			if (self->listeners->count > 0 && !weft_http_server_accepts(self->server)) {
				close_listeners(self);
			}
			if (weft_http_server_idle(self->server)) {
				return;
			}
			weft_timer_arm(&self->look, weft_now() + WEFT_DRAIN_LOOK_NS);
		}
		weft_suspend(&waiting);
	}
}

/* The state that the zygote has handed on is made this process's own. */
static bool become_worker(const weft_worker_options *options, uint32_t number, int channel)
{
	weft_guard guard = {
		.leash = options->leash,
		.channel = channel,
		.grace_ms = options->grace_ms + WEFT_GRACE_MARGIN_MS,
		/* else who computes in PHP could not be told from who is stuck in C */
		.stuck_ms = weft_interrupts_come() ? options->stuck_ms : 0,
		.number = number,
		.entry = options->entry,
	};
	install_signals();
	weft_crash_tell(number);
	name_process(number);
	weft_descriptors_raise();
	weft_entropy_after_fork();
	/* the tables were patched before the fork; this tells that the thread here is the PHP thread again */
	weft_interpose_install();
	weft_keep_standard_descriptors = true;
	if (!weft_guard_start(&guard)) {
		weft_process_say("worker %u can't start its guard", number);
		return false;
	}
	if (guard.stuck_ms) {
		weft_time_slice_watch();
	}
	if (!weft_scheduler_start()) {
		weft_process_say("worker %u can't start its scheduler", number);
		return false;
	}
	return true;
}

void weft_worker_run(const weft_worker_options *options, weft_listeners *listeners, uint32_t number, int channel)
{
	worker self = {
		.channel = {.fd = channel, .events = WEFT_IN | WEFT_RDHUP, .fire = on_channel},
		.leash = {.fd = options->leash, .events = WEFT_IN | WEFT_RDHUP, .fire = on_leash},
		.asked = {.events = WEFT_IN, .fire = on_asked},
		.look = {.fire = on_look},
		.tidy = {.fire = on_tidy},
		.limits = {.fire = on_limits},
		.options = options,
		.number = number,
		.listeners = listeners,
	};
	if (!become_worker(options, number, channel)) {
		return;
	}
	self.main = weft_current;
	self.asked.fd = drain_event;
	weft_watch_add(&self.channel);
	weft_watch_add(&self.leash);
	weft_watch_add(&self.asked);
	self.server = weft_http_server_new(&options->http, listeners->fds, listeners->count, options->handler,
		options->handler_cache,
		&(weft_http_events){.first_request = on_first_request, .fatal = on_fatal, .arg = &self});
	if (self.server == NULL) {
		weft_process_say("worker %u can't start its HTTP server", number);
		return;
	}
	weft_http_server_share(self.server, options->loads, number - 1);
	weft_http_server_show(self.server, options->entry);
	weft_timer_arm(&self.tidy, weft_now() + WEFT_TIDY_AFTER_NS);
	watch_limits(&self);
	weft_bus_join(options->bus, on_bus_lost, &self);
	weft_message_send(channel, WEFT_MESSAGE_UP, NULL, 0);
	serve_until_drained(&self);
	weft_bus_leave();
	weft_timer_disarm(&self.look);
	weft_timer_disarm(&self.tidy);
	weft_timer_disarm(&self.limits);
	weft_watch_remove(&self.channel);
	weft_watch_remove(&self.leash);
	weft_watch_remove(&self.asked);
	weft_http_server_free(self.server);
}
