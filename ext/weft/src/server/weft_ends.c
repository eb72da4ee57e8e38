/*
 * What follows when a zygote ends, and when nothing is left of its generation.
 */
#include "server/weft_supervisor_internal.h"

#include <sys/wait.h>

/* While somebody watches its files, an application that does not boot is shown as it is: each request executes it. */
static bool show_what_fails(weft_supervisor *self, const weft_generation *generation, const char *why)
{
	if (self->watch == NULL || generation->boot == WEFT_BOOT_BROKEN || self->reload_asked) {
		return false;
	}
	weft_orders_reloaded(self, why);
	weft_generation *next = weft_supervisor_start(self, generation->release, WEFT_BOOT_BROKEN);
	if (next != NULL) {
		next->by_reload = generation->by_reload;
	}
	return next != NULL;
}

/* A file was saved while the application booted for the first time, in vain: what is there now may boot. */
static bool boot_what_was_saved(weft_supervisor *self)
{
	if (self->watch == NULL || self->announced || !self->reload_asked) {
		return false;
	}
	self->reload_asked = false;
	weft_watch_follow(self->watch);
	return weft_supervisor_start(self, NULL, WEFT_BOOT_WARM) != NULL;
}

static void not_ready_ended(weft_supervisor *self, weft_generation *generation)
{
	char how[64], why[128];
	weft_process_describe_status(generation->status, how, sizeof(how));
	/* what the application has started there */
	weft_generation_kill(generation);
	if (generation->learns) {
		weft_learn_failed(self, generation);
		return;
	}
	if (generation->give_up_at != 0) {
		weft_process_say("warm-up has ended the zygote (%d) with %s; another one starts and stays cold",
			(int) generation->pid, how);
		self->cold = true;
		weft_generation *next = weft_supervisor_start(self, generation->release, WEFT_BOOT_COLD);
		if (next != NULL) {
			next->by_reload = generation->by_reload;
			return;
		}
	} else if (generation->refused == NULL) {
		weft_process_say("the application did not boot: its process ended with %s", how);
	}
	snprintf(why, sizeof(why), "the new code did not boot (%s)", how);
	if (boot_what_was_saved(self)) {
		return;
	}
	if (show_what_fails(self, generation, generation->refused != NULL ? generation->refused : why)) {
		return;
	}
	if (generation->by_reload) {
		weft_supervisor_reload_failed(self, why, generation->refused != NULL ? generation->refused : why);
	} else {
		weft_supervisor_try_again(self);
	}
}

static void generation_ended(weft_supervisor *self, weft_generation *generation)
{
	char how[64];
	if (self->phase == WEFT_PHASE_DRAINING || generation->retired) {
		return;
	}
	if (!generation->ready) {
		not_ready_ended(self, generation);
		return;
	}
	weft_process_describe_status(generation->status, how, sizeof(how));
	weft_process_say("the zygote (%d) ended with %s; a new one starts", (int) generation->pid, how);
	weft_learn_give_up(self);
	const weft_generation *booting = weft_supervisor_booting(self);
	if (booting == NULL || booting->learns) {
		uint32_t delay = weft_restart_delay(&self->restarts, weft_process_now() - generation->ready_at);
		self->start_at = weft_process_now() + delay;
	}
}

static weft_generation *generation_of(weft_supervisor *self, pid_t pid)
{
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g->pid == pid) {
			return g;
		}
	}
	return NULL;
}

void weft_ends_drop_dead(weft_supervisor *self)
{
	weft_generation **link = &self->generations;
	while (*link != NULL) {
		weft_generation *generation = *link;
		bool drains = self->phase == WEFT_PHASE_DRAINING || generation->retired;
		if (generation->leader_ended && drains && !weft_board_any(generation->board)) {
			/* its workers have ended: what is left was started by the application */
			weft_generation_kill(generation);
		}
		if (generation->leader_ended && !weft_generation_lives(generation)) {
			*link = generation->next;
			weft_board_add(generation->board, &self->ended);
			weft_board_add_all_routes(generation->board, self->ended_routes);
			weft_generation_free(generation);
		} else {
			link = &generation->next;
		}
	}
}

void weft_ends_reap(weft_supervisor *self)
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

void weft_ends_give_up_warming(const weft_supervisor *self, uint64_t now)
{
	for (const weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g->give_up_at != 0 && !g->leader_ended && now >= g->give_up_at) {
			weft_generation_kill(g);
		}
	}
}
