/*
 * A place for each worker: started, replaced when it dies or retires, told to drain.
 */
#include "server/weft_zygote.h"
#include "server/weft_signals.h"
#include "pdo/weft_pdo.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct worker worker;
struct worker {
	pid_t pid;
	int channel;
	weft_board_entry *entry;
	uint32_t place; /* index of its place; who retires is followed there by another */
	bool begun;     /* a request has reached it */
	bool deaf;      /* it has closed its end of the channel */
	bool asks;      /* it wants to be replaced */
	bool retires;   /* its successor is on its way or serves */
	bool dismissed; /* its successor serves: it accepts no more */
	uint64_t started_at;
	worker *next;
};

/* What one of the N workers stands in. */
typedef struct {
	bool taken;        /* by a worker that does not retire */
	bool served;       /* a worker of this place has reported that it serves */
	uint64_t start_at; /* when the next one is due */
	weft_restart_policy restarts;
} place;

typedef struct {
	weft_zygote_options *options;
	int signals;
	bool leaves; /* asked to end by a signal: the workers serve until another zygote's do */
	bool draining;
	bool rest_taken; /* while draining: nothing waits in the sockets' queues any more, or nobody can be had for it */
	bool announced;
	bool in_worker;    /* this process is a worker now and has ended */
	uint32_t count;    /* of workers alive, those that retire included */
	uint32_t retiring; /* of those, the ones that have or get a successor */
	worker *workers;   /* the youngest first */
	place *places;
	sigset_t mask_before;
} zygote;

static void forget_parents_descriptors(zygote *self)
{
	for (worker *w = self->workers; w != NULL; w = w->next) {
		close(w->channel);
	}
	close(self->signals);
	close(self->options->control);
}

static void be_worker(zygote *self, uint32_t index, int channel)
{
	forget_parents_descriptors(self);
	sigprocmask(SIG_SETMASK, &self->mask_before, NULL);
	weft_worker_run(&self->options->worker, &self->options->listeners, index + 1, channel);
	self->in_worker = true;
}

/* NULL in the worker, and when it can't be started. */
static worker *start_worker(zygote *self, uint32_t index)
{
	place *p = &self->places[index];
	int pair[2];
	worker *w = calloc(1, sizeof(*w));
	p->start_at = 0;
	if (w == NULL || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		goto failed;
	}
	self->options->worker.entry = w->entry = weft_board_claim(self->options->board);
	w->pid = fork();
	if (w->pid == 0) {
		close(pair[0]);
		free(w);
		be_worker(self, index, pair[1]);
		return NULL;
	}
	close(pair[1]);
	if (w->pid < 0) {
		weft_board_give(w->entry, 0);
		close(pair[0]);
		goto failed;
	}
	weft_board_give(w->entry, w->pid);
	w->channel = pair[0];
	w->place = index;
	w->started_at = weft_process_now();
	w->next = self->workers;
	self->workers = w;
	self->count++;
	p->taken = true;
	return w;
failed:
	weft_process_say("worker %u can't be started: %s", index + 1, strerror(errno));
	free(w);
	p->start_at = weft_process_now() + weft_restart_delay(&p->restarts, 0);
	return NULL;
}

/* The places' order is the workers' order: number 1 is started first. */
static void start_due_workers(zygote *self)
{
	uint64_t now = weft_process_now();
	for (uint32_t i = 0; i < self->options->workers && !self->in_worker; i++) {
		if (!self->places[i].taken && self->places[i].start_at <= now) {
			start_worker(self, i);
		}
	}
}

static uint64_t next_start(const zygote *self)
{
	uint64_t next = 0;
	for (uint32_t i = 0; i < self->options->workers; i++) {
		const place *p = &self->places[i];
		if (!p->taken && (next == 0 || p->start_at < next)) {
			next = p->start_at;
		}
	}
	return next;
}

/* --- replacing who wants to retire --- */

/* Who has asked first comes first; the list has the youngest first. */
static worker *next_to_retire(zygote *self)
{
	worker *found = NULL;
	for (worker *w = self->workers; w != NULL; w = w->next) {
		if (w->asks && !w->retires) {
			found = w;
		}
	}
	return found;
}

/* A worker that retires may have requests that take hours. So only so many retire at a time; the others serve on
 * until it is their turn. */
static void let_some_retire(zygote *self)
{
	worker *w;
	while (self->retiring < self->options->retiring_workers && (w = next_to_retire(self)) != NULL) {
		w->retires = true;
		self->retiring++;
		/* replaced at once, however young: a page that always fails must not make the server pause */
		self->places[w->place].taken = false;
		self->places[w->place].start_at = 0;
	}
}

static void dismiss_predecessors(zygote *self, uint32_t index)
{
	for (worker *w = self->workers; w != NULL; w = w->next) {
		if (w->retires && !w->dismissed && w->place == index) {
			w->dismissed = true;
			weft_message_send(w->channel, WEFT_MESSAGE_RETIRE, NULL, 0);
		}
	}
}

/* --- the end --- */

static void rest_is_taken(zygote *self)
{
	self->rest_taken = true;
	weft_listen_close(&self->options->listeners);
}

static bool anyone_accepts(const zygote *self)
{
	for (const worker *w = self->workers; w != NULL; w = w->next) {
		if (!w->dismissed) {
			return true;
		}
	}
	return false;
}

/* The stop may find no worker that accepts: the last one has just died. What waits for it is answered all the same. */
static void see_to_the_rest(zygote *self)
{
	if (self->rest_taken || anyone_accepts(self)) {
		return;
	}
	/* it hears of the stop as the others have */
	worker *w = weft_listen_waiting(&self->options->listeners) > 0 ? start_worker(self, 0) : NULL;
	if (w == NULL && !self->in_worker) {
		rest_is_taken(self);
	}
}

static void tell_of_end(const worker *w, int status, const char *what_next)
{
	char how[64], lost[WEFT_LOST_MAX];
	weft_process_say("worker %u (%d) ended with %s%s%s", w->place + 1, (int) w->pid,
		weft_process_describe_status(status, how, sizeof(how)), what_next,
		weft_process_describe_lost(w->entry, lost, sizeof(lost)));
}

static void worker_ended(zygote *self, const worker *w, int status)
{
	place *p = &self->places[w->place];
	if (w->retires) {
		self->retiring--;
		if (status != 0) {
			tell_of_end(w, status, "; its successor has started");
		}
		return;
	}
	p->taken = false;
	/* who was told to end, with the whole generation, has ended in order */
	if (!w->asks && status != 0) {
		weft_board_replaced(w->entry, WEFT_BOARD_DIED);
	}
	if (self->draining) {
		if (!w->begun) {
			/* it is of no use to try again */
			rest_is_taken(self);
		}
		return;
	}
	weft_load_show(&(weft_load){self->options->worker.loads, w->place}, WEFT_LOAD_ABSENT, false);
	uint32_t delay = w->begun ? 0 : weft_restart_delay(&p->restarts, weft_process_now() - w->started_at);
	p->start_at = weft_process_now() + delay;
	tell_of_end(w, status, delay > 0 ? "; a new one starts after a pause, since it died early" : "; a new one starts");
}

/* --- hearing --- */

static void announce(zygote *self)
{
	for (uint32_t i = 0; i < self->options->workers; i++) {
		if (!self->places[i].served) {
			return;
		}
	}
	self->announced = true;
	weft_message_send(self->options->control, WEFT_MESSAGE_READY, self->options->about, self->options->about_length);
}

static void on_up(zygote *self, const worker *w)
{
	self->places[w->place].served = true;
	if (!self->announced) {
		announce(self);
	}
	dismiss_predecessors(self, w->place);
}

static void on_worker_message(zygote *self, worker *w)
{
	char buffer[WEFT_MESSAGE_MAX];
	ssize_t length;
	while ((length = weft_message_receive(w->channel, buffer, sizeof(buffer))) > 0) {
		switch (buffer[0]) {
			case WEFT_MESSAGE_UP: on_up(self, w); break;
			case WEFT_MESSAGE_BEGUN:
				w->begun = true;
				self->places[w->place].restarts.early_deaths = 0;
				break;
			case WEFT_MESSAGE_REPLACE: w->asks = true; break;
			case WEFT_MESSAGE_TAKEN:
				if (self->draining) {
					rest_is_taken(self);
				}
				break;
		}
	}
	w->deaf = length == 0;
}

static void zygote_reap(zygote *self)
{
	int status;
	pid_t pid;
	/* only workers: a child that the application started during its boot is not ours to wait for */
	for (worker **link = &self->workers; *link != NULL;) {
		worker *w = *link;
		pid = waitpid(w->pid, &status, WNOHANG);
		if (pid != w->pid) {
			link = &w->next;
			continue;
		}
		*link = w->next;
		self->count--;
		/* what it has said last decides what its end means */
		on_worker_message(self, w);
		worker_ended(self, w, status);
		weft_board_give(w->entry, 0);
		close(w->channel);
		free(w);
	}
}

static void on_control(zygote *self)
{
	char buffer[WEFT_MESSAGE_MAX];
	ssize_t length = weft_message_receive(self->options->control, buffer, sizeof(buffer));
	if (length < 0) {
		return;
	}
	self->draining = true;
	if (length > 0 && buffer[0] == WEFT_MESSAGE_RETIRE) {
		rest_is_taken(self);
	}
}

static void zygote_on_signal(zygote *self)
{
	struct signalfd_siginfo info;
	while (read(self->signals, &info, sizeof(info)) == (ssize_t) sizeof(info)) {
		if (info.ssi_signo != SIGCHLD && !weft_signals_from_below((pid_t) info.ssi_pid)) {
			self->leaves = true;
		}
	}
	zygote_reap(self);
}

static void zygote_wait_and_handle(zygote *self)
{
	nfds_t count = 2;
	struct pollfd *polled = calloc(2 + self->count, sizeof(*polled));
	worker **of = calloc(2 + self->count, sizeof(*of));
	if (polled == NULL || of == NULL) {
		goto done;
	}
	polled[0] = (struct pollfd){self->signals, POLLIN, 0};
	/* a supervisor that is gone stays readable for ever: it has been heard */
	polled[1] = (struct pollfd){self->draining ? -1 : self->options->control, POLLIN, 0};
	for (worker *w = self->workers; w != NULL; w = w->next) {
		polled[count] = (struct pollfd){w->deaf ? -1 : w->channel, POLLIN, 0};
		of[count++] = w;
	}
	if (poll(polled, count, weft_process_timeout(self->draining ? 0 : next_start(self), -1)) <= 0) {
		goto done;
	}
	/* messages first: the workers polled are alive in the list until the signal is handled */
	for (nfds_t i = 2; i < count; i++) {
		if (polled[i].revents & POLLIN) {
			on_worker_message(self, of[i]);
		}
	}
	if (polled[1].revents != 0) {
		on_control(self);
	}
	if (polled[0].revents != 0) {
		zygote_on_signal(self);
	}
done:
	free(polled);
	free(of);
}

bool weft_zygote_run(weft_zygote_options *options)
{
	zygote self = {.options = options};
	sigset_t heard;
	self.places = calloc(options->workers, sizeof(*self.places));
	if (self.places == NULL) {
		weft_process_say("out of memory");
		return false;
	}
	/* what the boot has asked of a database is asked; a connection must not cross a fork */
	weft_pdo_close_idle();
	weft_pdo_share_with(options->workers);
	options->worker.loads = weft_loads_new(options->workers);
	weft_address_limit_share();
	sigemptyset(&heard);
	sigaddset(&heard, SIGCHLD);
	sigaddset(&heard, SIGTERM);
	sigaddset(&heard, SIGQUIT);
	sigprocmask(SIG_BLOCK, &heard, &self.mask_before);
	self.signals = signalfd(-1, &heard, SFD_NONBLOCK | SFD_CLOEXEC);

	while (!self.in_worker && !self.leaves && !(self.draining && self.rest_taken && self.workers == NULL)) {
		if (self.draining) {
			see_to_the_rest(&self);
		} else {
			let_some_retire(&self);
			start_due_workers(&self);
		}
		if (!self.in_worker && !(self.draining && self.workers == NULL)) {
			zygote_wait_and_handle(&self);
		}
	}
	return self.in_worker;
}
