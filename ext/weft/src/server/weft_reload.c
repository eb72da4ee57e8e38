/*
 * Reloads: another generation boots while the old one serves, which then finishes what it has.
 */
#include "server/weft_supervisor_internal.h"

#include <errno.h>
#include <string.h>

/* Generations that finish their requests, at most: a further reload waits until one has ended. Each takes as much
 * memory as a server. */
#define WEFT_MAX_RETIRED 4

/* How often to look whether the workers of an old generation have heard that they are to accept no more. */
#define WEFT_SETTLE_LOOK_MS 2

/* A boot is taken to hang, when a newer reload waits for it, after twice the time of the last one and this. */
#define WEFT_SUPERSEDE_AFTER_MS 1000

static bool may_begin_reload(const weft_supervisor *self)
{
	uint32_t retired = 0;
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		retired += g->retired;
	}
	return self->announced && retired < WEFT_MAX_RETIRED && weft_supervisor_booting(self) == NULL;
}

/* A boot that takes far longer than the last one is given up for a newer reload: it may hang. 0: there is none. Of the
 * first boot nobody knows how long it takes, and without it there is no server: the reload follows it. */
static uint64_t patience_ends_at(const weft_supervisor *self)
{
	const weft_generation *booting = self->reload_asked && self->announced ? weft_supervisor_booting(self) : NULL;
	bool waits = booting != NULL && booting->refused == NULL && !booting->learns;
	return waits ? booting->started_at + 2 * self->booted_in + WEFT_SUPERSEDE_AFTER_MS : 0;
}

static void give_up_for_reload(const weft_supervisor *self, uint64_t now)
{
	uint64_t end = patience_ends_at(self);
	if (end != 0 && now >= end) {
		weft_generation *booting = weft_supervisor_booting(self);
		booting->refused = strdup("It was given up for a newer reload, since it took too long to boot.");
		weft_generation_kill(booting);
	}
}

void weft_supervisor_reload_failed(weft_supervisor *self, const char *how, const char *why)
{
	const weft_generation *old = weft_supervisor_serving(self);
	weft_notify_reload_failed(&self->notify, self->release);
	weft_process_say("reload: %s; the old workers serve on", how);
	weft_orders_reloaded(self, why);
	if (self->start_at == 0 && (old == NULL || old->leader_ended)) {
		/* it was to replace that, too */
		self->start_at = weft_process_now() + weft_restart_delay(&self->restarts, 0);
	}
}

static void begin_reload(weft_supervisor *self)
{
	self->reload_asked = false;
	self->reloads++;
	weft_certificates_read(&self->options->certificates);
	self->cold = false;
	weft_watch_follow(self->watch);
	weft_notify_reloading(&self->notify);
	weft_generation *generation = weft_supervisor_start(self, NULL, WEFT_BOOT_WARM);
	if (generation == NULL) {
		weft_supervisor_reload_failed(self, "the zygote can't be started", strerror(errno));
		return;
	}
	generation->by_reload = true;
}

void weft_reload_retire_others(weft_supervisor *self, const weft_generation *successor)
{
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g == successor || !g->ready) {
			continue;
		}
		/* nobody has asked for workers that have learnt: the old ones have all the time that they need */
		if (g->ends_at == 0 && !successor->learns) {
			g->ends_at = weft_process_now() + self->options->reload_grace_ms;
		}
		if (!g->retired) {
			g->retired = true;
			weft_generation_dismiss_spare(g);
			weft_generation_tell(g, WEFT_LEASH_RETIRE);
		}
	}
}

static bool only_one_accepts(const weft_supervisor *self)
{
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g->retired && weft_board_any_accepts(g->board)) {
			return false;
		}
	}
	return true;
}

/* Whoever is told that the new code is there finds it at the next request. */
static void tell_when_settled(weft_supervisor *self, uint64_t now)
{
	const weft_generation *generation = weft_supervisor_serving(self);
	if (self->settles_by == 0 || (now < self->settles_by && !only_one_accepts(self))) {
		return;
	}
	self->settles_by = 0;
	weft_notify_ready(&self->notify, self->release);
	if (generation != NULL && generation->learns) {
		weft_learn_tell(self);
	} else if (generation != NULL && generation->boot == WEFT_BOOT_BROKEN) {
		weft_process_tell("pages show why it does not boot; the next change boots it anew");
	} else if (generation != NULL && generation->by_reload) {
		weft_process_tell("reloaded: a new zygote (%d) and its workers serve %s", (int) generation->pid,
			generation->release);
	} else if (generation != NULL) {
		weft_process_tell("a new zygote (%d) and its workers serve", (int) generation->pid);
	}
	/* also when what was reloaded has died since: somebody waits for an answer */
	weft_orders_reloaded(self, NULL);
}

static void end_overdue(const weft_supervisor *self, uint64_t now)
{
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g->ends_at != 0 && now >= g->ends_at) {
			uint32_t running = weft_board_running(g->board);
			if (running > 0) {
				weft_process_say("%u ms have passed since the reload: %u %s ended", self->options->reload_grace_ms,
					running, running > 1 ? "requests of the old workers are" : "request of the old workers is");
			}
			g->ends_at = 0;
			weft_generation_kill(g);
		}
	}
}

/* --- the loop's side --- */

bool weft_reload_begin_asked(weft_supervisor *self, uint64_t now)
{
	give_up_for_reload(self, now);
	if (self->reload_asked) {
		weft_learn_give_up(self);
	}
	if (!self->reload_asked || self->settles_by != 0 || !may_begin_reload(self)) {
		return false;
	}
	begin_reload(self);
	return true;
}

uint64_t weft_reload_deadline(const weft_supervisor *self)
{
	uint64_t look = self->settles_by != 0 ? weft_process_now() + WEFT_SETTLE_LOOK_MS : 0;
	return weft_process_earlier(patience_ends_at(self), look);
}

void weft_reload_look(weft_supervisor *self, uint64_t now)
{
	end_overdue(self, now);
	tell_when_settled(self, now);
}
