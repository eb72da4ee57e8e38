/*
 * What is too much for one moment: all members for a worker that is new, all rooms for somebody who counts. It goes on
 * where it was while there is room on the way, and whatever goes away meanwhile is skipped.
 */
#include "http/ws/weft_rooms_internal.h"

/* Pieces sent in one round of the reactor. */
#define PIECES 256

static weft_rooms_job *jobs;
static weft_round round_of_jobs;

static void job_free(weft_rooms_job **link)
{
	weft_rooms_job *job = *link;

	*link = job->next;
	weft_operation_free(&job->prefix);
	pefree(job, 1);
}

static void jobs_fire(weft_round *round)
{
	uint32_t pieces = 0;

	while (jobs && weft_rooms_has_room()) {
		if (pieces++ == PIECES) {
			weft_round_await(round);
			return;
		}
		if (!jobs->step(jobs)) {
			job_free(&jobs);
		}
	}
	/* with less on the way the carrier says so, and they go on */
}

weft_rooms_job *weft_rooms_job_new(bool (*step)(weft_rooms_job *job), uint32_t to)
{
	weft_rooms_job *job = pecalloc(1, sizeof(*job), 1), **end = &jobs;

	job->step = step;
	job->to = to;
	while (*end) {
		end = &(*end)->next;
	}
	*end = job;
	return job;
}

void weft_rooms_jobs_go_on(void)
{
	if (jobs) {
		round_of_jobs.fire = jobs_fire;
		weft_round_await(&round_of_jobs);
	}
}

void weft_rooms_jobs_skip_presence(const weft_presence *presence)
{
	for (weft_rooms_job *job = jobs; job; job = job->next) {
		if (job->presence == presence) {
			job->presence = presence->next;
		}
	}
}

void weft_rooms_jobs_skip_room(const weft_ws_room *room)
{
	for (weft_rooms_job *job = jobs; job; job = job->next) {
		if (job->room == room) {
			job->room = room->next;
		}
	}
}

void weft_rooms_jobs_drop(uint32_t to)
{
	for (weft_rooms_job **link = &jobs; *link;) {
		if ((*link)->to == to) {
			job_free(link);
		} else {
			link = &(*link)->next;
		}
	}
}
