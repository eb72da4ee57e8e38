/*
 * Starts generations, hears of them and of signals, and drains them.
 */
#include "server/weft_supervisor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* The current generation, and at most a few whose workers drain. */
#define WEFT_MAX_POLLED 32

typedef enum {
	PHASE_SERVING,
	PHASE_DRAINING, /* asked to end: what runs is finished */
	PHASE_ENDED
} phase;

typedef struct {
	weft_supervisor_options *options;
	phase phase;
	int exit_status;
	int signals; /* signalfd */
	bool announced;
	bool cold;         /* a warm-up has ended badly: none is tried again */
	uint64_t start_at; /* when the next zygote is due; 0: none is */
	uint64_t drain_deadline;
	weft_restart_policy restarts;
	weft_generation *generations; /* the current one first */
} supervisor;

static void supervisor_end(supervisor *self, int exit_status)
{
	self->phase = PHASE_ENDED;
	self->exit_status = exit_status;
}

static void start_generation(supervisor *self)
{
	const weft_supervisor_options *options = self->options;
	self->start_at = 0;
	weft_generation *generation = weft_generation_start(options->argv, &options->listeners, self->cold,
		options->configuration, options->configuration_length);
	if (generation == NULL) {
		weft_process_say("the zygote can't be started: %s", strerror(errno));
		supervisor_end(self, WEFT_EXIT_NOT_BOOTED);
		return;
	}
	generation->next = self->generations;
	self->generations = generation;
}

static bool has_generation(const supervisor *self)
{
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (!g->leader_ended) {
			return true;
		}
	}
	return false;
}

static void supervisor_begin_drain(supervisor *self)
{
	weft_listeners *listeners = &self->options->listeners;
	self->phase = PHASE_DRAINING;
	self->start_at = 0;
	self->drain_deadline = weft_process_now() + self->options->grace_ms;
	weft_listen_admit_nobody(listeners);
	/* while one zygote has died and the next one boots, clients wait for it */
	bool awaited = self->announced && weft_listen_waiting(listeners) > 0;
	if (awaited && !has_generation(self)) {
		start_generation(self);
	}
	weft_listen_close(listeners);
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g->control >= 0 && g->ready) {
			weft_message_send(g->control, WEFT_MESSAGE_DRAIN, NULL, 0);
		} else if (!g->ready && !awaited) {
			/* it still boots and serves nobody */
			weft_generation_kill(g);
		}
	}
}

static void generation_ended(supervisor *self, weft_generation *generation)
{
	char how[64];
	weft_process_describe_status(generation->status, how, sizeof(how));
	if (self->phase == PHASE_DRAINING) {
		return;
	}
	if (!generation->ready && generation->give_up_at != 0) {
		weft_process_say("warm-up has ended the zygote (%d) with %s; another one starts and stays cold",
			(int) generation->pid, how);
		/* what the application has started there */
		weft_generation_kill(generation);
		self->cold = true;
		self->start_at = weft_process_now();
		return;
	}
	if (!generation->ready) {
		if (!generation->refused) {
			weft_process_say("the application did not boot: its process ended with %s", how);
		}
		supervisor_end(self, WEFT_EXIT_NOT_BOOTED);
		return;
	}
	uint32_t delay = weft_restart_delay(&self->restarts, weft_process_now() - generation->ready_at);
	weft_process_say("the zygote (%d) ended with %s; a new one starts", (int) generation->pid, how);
	self->start_at = weft_process_now() + delay;
}

static weft_generation *generation_of(supervisor *self, pid_t pid)
{
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g->pid == pid) {
			return g;
		}
	}
	return NULL;
}

static void drop_dead_generations(supervisor *self)
{
	weft_generation **link = &self->generations;
	while (*link != NULL) {
		weft_generation *generation = *link;
		if (generation->leader_ended && self->phase == PHASE_DRAINING && WIFEXITED(generation->status)) {
			/* its workers ended before it: what is left was started by the application */
			weft_generation_kill(generation);
		}
		if (generation->leader_ended && !weft_generation_lives(generation)) {
			*link = generation->next;
			weft_generation_free(generation);
		} else {
			link = &generation->next;
		}
	}
}

static void supervisor_reap(supervisor *self)
{
	int status;
	pid_t pid;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		weft_generation *generation = generation_of(self, pid);
		if (generation != NULL) {
			generation->leader_ended = true;
			generation->status = status;
			generation_ended(self, generation);
		}
	}
}

static void supervisor_on_signal(supervisor *self)
{
	struct signalfd_siginfo info;
	while (read(self->signals, &info, sizeof(info)) == (ssize_t) sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			supervisor_reap(self);
		} else if (self->phase == PHASE_SERVING) {
			supervisor_begin_drain(self);
		} else {
			supervisor_end(self, 128 + (int) info.ssi_signo);
		}
	}
}

static void on_message(supervisor *self, weft_generation *generation)
{
	char buffer[WEFT_MESSAGE_MAX];
	ssize_t length;
	while ((length = weft_message_receive(generation->control, buffer, sizeof(buffer))) > 0) {
		if (buffer[0] == WEFT_MESSAGE_WARMING) {
			uint64_t ms = strtoull(buffer + 1, NULL, 10);
			generation->give_up_at = ms != 0 ? weft_process_now() + ms : 0;
		}
		if (buffer[0] == WEFT_MESSAGE_REFUSED) {
			generation->refused = true;
		}
		if (buffer[0] != WEFT_MESSAGE_READY) {
			continue;
		}
		generation->ready = true;
		generation->give_up_at = 0;
		generation->ready_at = weft_process_now();
		if (self->phase == PHASE_DRAINING) {
			weft_message_send(generation->control, WEFT_MESSAGE_DRAIN, NULL, 0);
		} else if (self->announced) {
			weft_process_say("a new zygote (%d) and its workers serve", (int) generation->pid);
		} else {
			self->announced = true;
			if (!self->options->on_ready(self->options->arg, buffer + 1, (size_t) length - 1)) {
				supervisor_end(self, WEFT_EXIT_NOT_BOOTED);
			}
		}
	}
	if (length == 0) {
		close(generation->control);
		generation->control = -1;
	}
}

static uint64_t next_deadline(const supervisor *self)
{
	uint64_t next = self->phase == PHASE_DRAINING ? self->drain_deadline : self->start_at;
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g->give_up_at != 0 && !g->leader_ended && (next == 0 || g->give_up_at < next)) {
			next = g->give_up_at;
		}
	}
	return next;
}

static void give_up_warming(const supervisor *self, uint64_t now)
{
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g->give_up_at != 0 && !g->leader_ended && now >= g->give_up_at) {
			weft_generation_kill(g);
		}
	}
}

static void supervisor_wait_and_handle(supervisor *self)
{
	struct pollfd polled[WEFT_MAX_POLLED] = {{self->signals, POLLIN, 0}};
	weft_generation *of[WEFT_MAX_POLLED] = {NULL};
	nfds_t count = 1;
	for (weft_generation *g = self->generations; g != NULL && count < WEFT_MAX_POLLED; g = g->next) {
		if (g->control >= 0) {
			polled[count].fd = g->control;
			polled[count].events = POLLIN;
			of[count++] = g;
		}
	}
	if (poll(polled, count, weft_process_timeout(next_deadline(self), -1)) <= 0) {
		return;
	}
	/* messages first: a zygote that was ready and then died was ready */
	for (nfds_t i = 1; i < count; i++) {
		if (polled[i].revents != 0) {
			on_message(self, of[i]);
		}
	}
	if (polled[0].revents != 0) {
		supervisor_on_signal(self);
	}
}

static void handle_deadlines(supervisor *self)
{
	uint64_t now = weft_process_now();
	give_up_warming(self, now);
	if (self->phase == PHASE_SERVING && self->start_at != 0 && now >= self->start_at) {
		start_generation(self);
	}
	if (self->phase != PHASE_DRAINING) {
		return;
	}
	if (self->generations == NULL) {
		supervisor_end(self, 0);
	} else if (now >= self->drain_deadline) {
		weft_process_say("%u ms have passed: what still runs is ended", self->options->grace_ms);
		supervisor_end(self, 0);
	}
}

int weft_supervisor_run(weft_supervisor_options *options)
{
	supervisor self = {.options = options, .phase = PHASE_SERVING};
	sigset_t heard, before;
	sigemptyset(&heard);
	sigaddset(&heard, SIGINT);
	sigaddset(&heard, SIGTERM);
	sigaddset(&heard, SIGCHLD);
	sigprocmask(SIG_BLOCK, &heard, &before);
	self.signals = signalfd(-1, &heard, SFD_NONBLOCK | SFD_CLOEXEC);
	/* the workers of a zygote that was killed come to the supervisor, which waits for them */
	prctl(PR_SET_CHILD_SUBREAPER, 1);

	start_generation(&self);
	while (self.phase != PHASE_ENDED) {
		supervisor_wait_and_handle(&self);
		drop_dead_generations(&self);
		if (self.phase != PHASE_ENDED) {
			handle_deadlines(&self);
		}
	}

	weft_listen_close(&options->listeners);
	for (weft_generation *next, *g = self.generations; g != NULL; g = next) {
		next = g->next;
		weft_generation_kill(g);
		weft_generation_free(g);
	}
	close(self.signals);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return self.exit_status;
}
