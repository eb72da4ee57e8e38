/*
 * Starts generations, hears of them and of signals, and drains them.
 */
#include "server/weft_supervisor_internal.h"
#include "server/weft_signals.h"

#include "zend_signal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* The current generation, and some whose workers drain. */
#define WEFT_MAX_POLLED (32 + WEFT_CONTROL_POLLED)
/* Signals, files that are watched and the relay come before them. */
#define WEFT_FIRST_GENERATION 3

/* A stop that takes no longer is not worth a line about what runs. */
#define WEFT_TELL_AFTER_MS 100

/* How long to wait until the workers of an old generation accept no more, when one is stuck. */
#define WEFT_SETTLE_MS 1000

/* How often to try whether the control socket's place has become free. */
#define WEFT_CONTROL_AGAIN_MS 500

void weft_supervisor_end(weft_supervisor *self, int exit_status)
{
	self->phase = WEFT_PHASE_ENDED;
	self->exit_status = exit_status;
}

weft_generation *weft_supervisor_start(weft_supervisor *self, const char *release, weft_boot boot)
{
	self->start_at = 0;
	weft_generation *generation = weft_generation_start(&self->options->generations, release, boot);
	if (generation != NULL) {
		generation->number = ++self->started;
		generation->next = self->generations;
		self->generations = generation;
	}
	return generation;
}

/* A server that has none is of no use. */
static void start_or_end(weft_supervisor *self)
{
	bool same = self->release != NULL && access(self->release, F_OK) == 0;
	if (weft_supervisor_start(self, same ? self->release : NULL, self->cold ? WEFT_BOOT_COLD : WEFT_BOOT_WARM) ==
		NULL) {
		weft_process_say("the zygote can't be started: %s", strerror(errno));
		weft_supervisor_try_again(self);
	}
}

void weft_supervisor_try_again(weft_supervisor *self)
{
	if (self->announced) {
		self->start_at = weft_process_now() + weft_restart_delay(&self->restarts, 0);
	} else {
		weft_supervisor_end(self, WEFT_EXIT_NOT_BOOTED);
	}
}

/* --- what there is --- */

weft_generation *weft_supervisor_booting(const weft_supervisor *self)
{
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (!g->ready && !g->leader_ended) {
			return g;
		}
	}
	return NULL;
}

weft_generation *weft_supervisor_serving(const weft_supervisor *self)
{
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g->ready && !g->retired && weft_generation_lives(g)) {
			return g;
		}
	}
	return NULL;
}

uint32_t weft_supervisor_running(const weft_supervisor *self)
{
	uint32_t running = 0;
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		running += weft_board_running(g->board);
	}
	return running;
}

void weft_supervisor_tally(const weft_supervisor *self, weft_board_tally *sum)
{
	weft_board_tally_add(&self->ended, sum);
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		weft_board_add(g->board, sum);
	}
}

/* --- the end --- */

bool weft_supervisor_may_stop(const weft_supervisor *self)
{
	return self->phase == WEFT_PHASE_SERVING || (self->phase == WEFT_PHASE_DRAINING && self->restarts_anew);
}

void weft_supervisor_drain(weft_supervisor *self, uint32_t ms)
{
	weft_listeners *listeners = &self->options->generations.listeners;
	self->phase = WEFT_PHASE_DRAINING;
	self->restarts_anew = false;
	weft_notify_stopping(&self->notify);
	self->start_at = 0;
	self->drain_ms = ms;
	self->drain_deadline = weft_process_now() + ms;
	weft_orders_stopping(self);
	self->tell_at = weft_process_now() + WEFT_TELL_AFTER_MS;
	weft_listen_admit_nobody(listeners);
	/* while one zygote and its workers have died and the next one boots, clients wait for it */
	bool awaited = !listeners->held && self->announced && weft_supervisor_serving(self) == NULL &&
		weft_listen_waiting(listeners) > 0;
	if (awaited && weft_supervisor_booting(self) == NULL) {
		start_or_end(self);
	}
	weft_listen_close(listeners);
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		weft_generation_dismiss_spare(g);
		if (g->ready && !g->retired) {
			weft_generation_tell(g, listeners->held ? WEFT_LEASH_RETIRE : WEFT_LEASH_DRAIN);
		} else if (!g->ready && !awaited) {
			/* it still boots and serves nobody */
			weft_generation_kill(g);
		}
	}
}

void weft_supervisor_restart(weft_supervisor *self)
{
	self->phase = WEFT_PHASE_DRAINING;
	self->restarts_anew = true;
	weft_notify_reloading(&self->notify);
	self->start_at = 0;
	self->drain_ms = self->options->grace_ms;
	self->drain_deadline = weft_process_now() + self->drain_ms;
	weft_orders_stopping(self);
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		weft_generation_dismiss_spare(g);
		if (g->ready && !g->retired) {
			weft_generation_tell(g, WEFT_LEASH_RETIRE);
		} else if (!g->ready) {
			weft_generation_kill(g);
		}
	}
}

/* --- hearing --- */

static void stop_by_signal(weft_supervisor *self, int number)
{
	if (!weft_supervisor_may_stop(self)) {
		weft_supervisor_end(self, 128 + number);
	} else {
		weft_supervisor_drain(self, number == SIGQUIT ? self->options->reload_grace_ms : self->options->grace_ms);
	}
}

/* A request must not end its neighbours. */
static void asked_by_signal(weft_supervisor *self, int number, pid_t sender)
{
	if (weft_signals_from_below(sender)) {
		const char *name = number == SIGINT ? "SIGINT" : number == SIGQUIT ? "SIGQUIT" : "SIGTERM";

		weft_process_say("ignored %s from process %d, which a request of this server has started; \"weft stop\" stops "
						 "it",
			name, (int) sender);
	} else {
		stop_by_signal(self, number);
	}
}

static void supervisor_on_signal(weft_supervisor *self)
{
	struct signalfd_siginfo info;
	while (read(self->signals, &info, sizeof(info)) == (ssize_t) sizeof(info)) {
		switch (info.ssi_signo) {
			case SIGCHLD: weft_ends_reap(self); break;
			case SIGINT:
			case SIGTERM:
			case SIGQUIT: asked_by_signal(self, (int) info.ssi_signo, (pid_t) info.ssi_pid); break;
			case SIGHUP:
			case SIGUSR2: self->reload_asked = self->phase == WEFT_PHASE_SERVING; break;
			default: break; /* SIGUSR1 asks other servers to open their logs anew; these are standard streams */
		}
	}
}

static void on_ready(weft_supervisor *self, weft_generation *generation, const char *about, size_t length)
{
	generation->ready = true;
	generation->give_up_at = 0;
	generation->ready_at = weft_process_now();
	if (!generation->learns) {
		self->booted_in = generation->ready_at - generation->started_at;
	}
	generation->about = strndup(about, length);
	if (self->phase == WEFT_PHASE_DRAINING) {
		weft_generation_tell(generation, WEFT_LEASH_DRAIN);
		return;
	}
	free(self->release);
	self->release = strdup(generation->release);
	self->start_at = 0;
	weft_relay_join(self->relay, generation->machines, generation->machines_length);
	weft_reload_retire_others(self, generation);
	if (generation->learns) {
		weft_learn_ready(self, generation);
	} else {
		weft_learn_begin_anew(self, generation);
	}
	if (!self->announced) {
		self->announced = true;
		if (!self->options->on_ready(self->options->arg, about, length)) {
			weft_supervisor_end(self, WEFT_EXIT_NOT_BOOTED);
			return;
		}
		weft_notify_ready(&self->notify, self->release);
	} else {
		self->settles_by = generation->ready_at + WEFT_SETTLE_MS;
	}
}

static void take_machines(weft_generation *generation, const char *machines, size_t length)
{
	free(generation->machines);
	generation->machines = malloc(length);
	generation->machines_length = length;
	if (generation->machines != NULL) {
		memcpy(generation->machines, machines, length);
	}
}

static void on_message(weft_supervisor *self, weft_generation *generation)
{
	char buffer[WEFT_MESSAGE_MAX];
	ssize_t length;
	while ((length = weft_message_receive(generation->control, buffer, sizeof(buffer))) > 0) {
		if (buffer[0] == WEFT_MESSAGE_WARMING) {
			uint64_t ms = strtoull(buffer + 1, NULL, 10);
			generation->give_up_at = ms != 0 ? weft_process_now() + ms : 0;
			generation->late_at = 0; /* it has booted */
		} else if (buffer[0] == WEFT_MESSAGE_REFUSED) {
			free(generation->refused);
			generation->refused = strdup(buffer + 1);
		} else if (buffer[0] == WEFT_MESSAGE_MACHINES) {
			take_machines(generation, buffer + 1, (size_t) length - 1);
		} else if (buffer[0] == WEFT_MESSAGE_SPARE) {
			weft_learn_heard_spare(generation, buffer + 1);
		} else if (buffer[0] == WEFT_MESSAGE_WARM) {
			weft_learn_heard_warm(generation, buffer + 1, (size_t) length - 1);
		} else if (buffer[0] == WEFT_MESSAGE_READY && generation->refused == NULL) {
			on_ready(self, generation, buffer + 1, (size_t) length - 1);
		}
	}
	if (length == 0) {
		close(generation->control);
		generation->control = -1;
	}
}

/* --- the loop --- */

static uint64_t next_deadline(const weft_supervisor *self)
{
	uint64_t next = self->phase == WEFT_PHASE_DRAINING ? self->drain_deadline : self->start_at;
	next = weft_process_earlier(next, weft_control_deadline(self->control));
	next = weft_process_earlier(next, self->control_at);
	next = weft_process_earlier(next, weft_reload_deadline(self));
	next = weft_process_earlier(next, weft_relay_deadline(self->relay));
	next = weft_process_earlier(next, self->tell_at);
	next = weft_process_earlier(next, weft_notify_deadline(&self->notify));
	next = weft_process_earlier(next, weft_watch_deadline(self->watch));
	next = weft_process_earlier(next, weft_views_deadline(self));
	next = weft_process_earlier(next, self->phase == WEFT_PHASE_SERVING ? weft_learn_deadline(self) : 0);
	next = weft_process_earlier(next, weft_certificates_deadline(&self->options->certificates));
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		next = weft_process_earlier(next, g->ends_at);
		if (!g->leader_ended) {
			next = weft_process_earlier(next, g->give_up_at);
		}
		if (!g->ready && g->refused == NULL) {
			next = weft_process_earlier(next, g->late_at);
		}
	}
	return next;
}

static void give_up_booting(const weft_supervisor *self, uint64_t now)
{
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		char why[128];
		if (g->ready || g->leader_ended || g->refused != NULL || g->late_at == 0 || now < g->late_at) {
			continue;
		}
		snprintf(why, sizeof(why), "%s within %g s (--boot-timeout).",
			g->learns ? "The process that was to learn from the traffic has not begun"
					  : "The application has not booted",
			self->options->generations.boot_ms / 1000.0);
		weft_process_say("%s", why);
		g->refused = strdup(why);
		weft_generation_kill(g);
	}
}

static void supervisor_wait_and_handle(weft_supervisor *self)
{
	struct pollfd polled[WEFT_MAX_POLLED] = {{self->signals, POLLIN, 0}, {weft_watch_fd(self->watch), POLLIN, 0},
		{weft_relay_fd(self->relay), POLLIN, 0}};
	weft_generation *of[WEFT_MAX_POLLED] = {NULL};
	nfds_t count = WEFT_FIRST_GENERATION;
	for (weft_generation *g = self->generations; g != NULL && count < WEFT_MAX_POLLED - WEFT_CONTROL_POLLED;
		 g = g->next) {
		if (g->control >= 0) {
			polled[count].fd = g->control;
			polled[count].events = POLLIN;
			of[count++] = g;
		}
	}
	nfds_t clients = weft_control_poll(self->control, polled + count);
	if (poll(polled, count + clients, weft_process_timeout(next_deadline(self), -1)) < 0) {
		return;
	}
	/* messages first: a zygote that was ready and then died was ready */
	for (nfds_t i = WEFT_FIRST_GENERATION; i < count; i++) {
		if (polled[i].revents != 0) {
			on_message(self, of[i]);
		}
	}
	weft_control_handle(self->control, polled + count, clients);
	if (polled[1].revents != 0) {
		weft_watch_read(self->watch);
	}
	if (polled[2].revents != 0) {
		weft_relay_handle(self->relay);
	}
	if (polled[0].revents != 0) {
		supervisor_on_signal(self);
	}
}

static void tell_what_runs(weft_supervisor *self)
{
	uint32_t running = weft_supervisor_running(self);
	self->tell_at = 0;
	if (running > 0) {
		weft_process_tell("finishing %u request%s; a second signal ends %s at once", running, running > 1 ? "s" : "",
			running > 1 ? "them" : "it");
	}
}

static void reload_what_has_changed(weft_supervisor *self, uint64_t now)
{
	const char *path = weft_watch_changed(self->watch, now);
	if (path != NULL) {
		weft_process_tell("%s has changed", path);
		self->reload_asked = true;
	}
}

static void open_control_again(weft_supervisor *self, uint64_t now)
{
	if (self->control_at != 0 && now >= self->control_at) {
		bool opened = weft_control_open(self->control, self->options->control, weft_orders_asked);
		self->control_at = opened ? 0 : now + WEFT_CONTROL_AGAIN_MS;
	}
}

static void handle_deadlines(weft_supervisor *self)
{
	uint64_t now = weft_process_now();
	open_control_again(self, now);
	weft_notify_beat(&self->notify, now);
	weft_ends_give_up_warming(self, now);
	give_up_booting(self, now);
	weft_reload_look(self, now);
	weft_relay_look(self->relay, now);
	weft_views_look(self, now);
	weft_certificates_look(&self->options->certificates, now);
	if (self->tell_at != 0 && now >= self->tell_at) {
		tell_what_runs(self);
	}
	if (self->phase == WEFT_PHASE_SERVING) {
		reload_what_has_changed(self, now);
		if (!weft_reload_begin_asked(self, now) && self->start_at != 0 && now >= self->start_at) {
			start_or_end(self);
		}
		weft_learn_look(self, now);
	} else if (self->generations == NULL) {
		weft_supervisor_end(self, self->restarts_anew ? WEFT_RESTART : 0);
	} else if (now >= self->drain_deadline) {
		weft_process_say("%u ms have passed: what still runs is ended", self->drain_ms);
		weft_supervisor_end(self, self->restarts_anew ? WEFT_RESTART : 0);
	}
}

/* poll() refuses more entries than files may be open, used or not: nothing would ever be heard. */
static bool may_open_enough(void)
{
	struct rlimit limit = {0};
	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur < WEFT_MAX_POLLED) {
		weft_process_say("no more than %lu files may be open here, and %d are needed: raise the limit (ulimit -n)",
			(unsigned long) limit.rlim_cur, WEFT_MAX_POLLED);
	}
	return limit.rlim_cur >= WEFT_MAX_POLLED;
}

/* SIGHUP stays ignored where it was when the server started, as nohup(1) wants it. PHP has put a handler of its own
 * before what was there. */
static void hear_signals(weft_supervisor *self, sigset_t *before)
{
	struct sigaction hangup;
	sigset_t heard;
	sigemptyset(&heard);
	sigaddset(&heard, SIGINT);
	sigaddset(&heard, SIGTERM);
	sigaddset(&heard, SIGQUIT);
	sigaddset(&heard, SIGCHLD);
	sigaddset(&heard, SIGUSR1);
	sigaddset(&heard, SIGUSR2);
	zend_sigaction(SIGHUP, NULL, &hangup);
	if (hangup.sa_handler == SIG_IGN) {
		signal(SIGHUP, SIG_IGN);
	} else {
		sigaddset(&heard, SIGHUP);
	}
	sigprocmask(SIG_BLOCK, &heard, before);
	self->signals = signalfd(-1, &heard, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* A server can do without the one that nobody has asked for. */
static bool open_control(weft_supervisor *self)
{
	const weft_supervisor_options *options = self->options;
	bool opened = true;
	self->control = weft_control_new(self);
	if (self->control == NULL) {
		return false;
	}
	if (options->control != NULL && !weft_control_open(self->control, options->control, weft_orders_asked)) {
		/* another server's, which may be about to end */
		self->control_at = errno == EADDRINUSE ? weft_process_now() + WEFT_CONTROL_AGAIN_MS : 0;
		weft_process_say(
			"the control socket %s can't be opened: %s; weft status and the others don't reach this server%s",
			options->control, strerror(errno), self->control_at ? " until it can" : "");
		opened = !options->control_wanted;
	}
	weft_control_admit(self->control, &options->admin, weft_metrics_asked);
	return opened;
}

/* Before the first zygote, which inherits the door. */
static bool open_relay(weft_supervisor *self)
{
	self->relay = weft_relay_new();
	if (self->relay == NULL) {
		weft_process_say("workers can't be connected with each other: %s", strerror(errno));
		return false;
	}
	self->options->generations.bus = weft_relay_door(self->relay);
	return true;
}

int weft_supervisor_run(weft_supervisor_options *options)
{
	weft_supervisor self = {.options = options, .phase = WEFT_PHASE_SERVING};
	sigset_t before;
	weft_signals_survive();
	hear_signals(&self, &before);
	/* the workers of a zygote that was killed come to the supervisor, which waits for them */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	self.since = (int64_t) time(NULL);
	weft_notify_open(&self.notify);
	if (options->watch_ignore != NULL && options->generations.application != NULL) {
		self.watch = weft_watch_new(options->generations.application, options->watch_ignore);
	}
	if (!may_open_enough() || !open_relay(&self) || !open_control(&self)) {
		weft_supervisor_end(&self, WEFT_EXIT_NOT_BOOTED);
	} else {
		start_or_end(&self);
	}
	while (self.phase != WEFT_PHASE_ENDED) {
		supervisor_wait_and_handle(&self);
		weft_ends_drop_dead(&self);
		if (self.phase != WEFT_PHASE_ENDED) {
			handle_deadlines(&self);
		}
	}

	if (self.exit_status != WEFT_RESTART) {
		weft_listen_abandon(&options->generations.listeners);
		weft_listen_close(&options->admin);
	}
	for (weft_generation *next, *g = self.generations; g != NULL; g = next) {
		next = g->next;
		weft_generation_kill(g);
		weft_generation_free(g);
	}
	weft_relay_free(self.relay);
	weft_control_close(self.control);
	weft_notify_close(&self.notify);
	weft_watch_free(self.watch);
	free(self.release);
	free(self.learning.told);
	close(self.signals);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return self.exit_status;
}
