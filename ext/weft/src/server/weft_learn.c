/*
 * Learning which pages to warm: the routes that take most CPU, as the workers have counted it on the board. A spare of
 * the serving zygote warms them as well, and its workers take over. Visitors choose what is popular, so all of it is
 * bounded: how many pages, how often, and how long.
 *
 * The spare is sent lines: "=/path" for what is warm now and must stay so, "+/path" for what is to be learnt. A zygote
 * answers, when it has warmed up, with "=/path" for what is warm, "-/path" for what is never to be learnt, each with a
 * tab and the reason, and "!reason" when the old workers are to serve on.
 */
#include "server/weft_supervisor_internal.h"

#include "zend_smart_str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A route counts that has been asked for so often, and by so many more for its path than for other ones, and that
 * takes so many percent of the CPU time of all. */
#define LEAST_REQUESTS 20
#define LEAST_PERCENT 1

/* New workers are worth it for so many percent. */
#define WORTH_PERCENT 10

/* What is warm already takes less because of that. */
#define WEIGHT_OF_WARM 2

/* The pause doubles with each try, so often. */
#define DOUBLINGS 6

static void look_after_pause(weft_supervisor *self, const weft_generation *serving)
{
	uint32_t doublings = MIN(self->learning.tries, DOUBLINGS);

	self->learning.at = serving->learn_most > 0 ? weft_process_now() + (serving->learn_after << doublings) : 0;
}

/* --- what the traffic says --- */

static const weft_learnt *find_route(const weft_lesson *lesson, const char *route)
{
	for (uint32_t i = 0; i < lesson->count; i++) {
		if (strcmp(lesson->pages[i].route, route) == 0) {
			return &lesson->pages[i];
		}
	}
	return NULL;
}

static bool is_refused(const weft_supervisor *self, const char *route)
{
	for (uint32_t i = 0; i < self->learning.refused_count; i++) {
		if (strcmp(self->learning.refused[i], route) == 0) {
			return true;
		}
	}
	return false;
}

/* Whether there is the line "=/path". */
static bool is_warm(const weft_generation *generation, const char *path)
{
	size_t length = strlen(path);

	for (const char *line = generation->warm; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1) {
		if (*line == '=' && strncmp(line + 1, path, length) == 0 && line[1 + length] == '\n') {
			return true;
		}
	}
	return false;
}

/* Nothing that could be taken for the end of a line, or that has another meaning in a URL. */
static bool is_plain(const char *path)
{
	if (*path != '/') {
		return false;
	}
	for (const char *c = path; *c != '\0'; c++) {
		if (*c <= ' ' || *c > '~' || *c == '?' || *c == '#') {
			return false;
		}
	}
	return true;
}

static bool may_be_learnt(const weft_supervisor *self, const weft_generation *serving, const weft_board_route *route,
	uint64_t total)
{
	return route->name[0] != '\0' && route->name[0] != '(' && is_plain(route->page.path) &&
		route->page.count >= LEAST_REQUESTS && route->page.votes >= LEAST_REQUESTS &&
		route->page.cpu * 100 >= total * LEAST_PERCENT && !is_refused(self, route->name) &&
		!is_warm(serving, route->page.path);
}

/* The list has the heaviest first, and at most so many. */
static void insert(weft_lesson *lesson, uint32_t most, const weft_learnt *page)
{
	uint32_t at = lesson->count;

	while (at > 0 && lesson->pages[at - 1].weight < page->weight) {
		at--;
	}
	if (at >= most) {
		return;
	}
	uint32_t moved = MIN(lesson->count, most - 1) - at;
	memmove(&lesson->pages[at + 1], &lesson->pages[at], moved * sizeof(*page));
	lesson->pages[at] = *page;
	lesson->count = MIN(lesson->count + 1, most);
}

static void choose(const weft_supervisor *self, const weft_generation *serving, const weft_board_route *routes,
	uint64_t total, weft_lesson *lesson)
{
	uint32_t most = MIN(serving->learn_most, WEFT_LEARN_MOST);

	for (uint32_t i = 0; i < WEFT_BOARD_ROUTES; i++) {
		const weft_learnt *known = find_route(&self->learning.now, routes[i].name);
		weft_learnt page = {.cpu = routes[i].page.cpu, .weight = routes[i].page.cpu, .percent = 0};
		if (known == NULL && !may_be_learnt(self, serving, &routes[i], total)) {
			continue;
		}
		page.weight *= known != NULL ? WEIGHT_OF_WARM : 1;
		page.percent = total > 0 ? (uint32_t) ((page.cpu * 100 + total / 2) / total) : 0;
		page.known = known != NULL;
		strcpy(page.route, routes[i].name);
		strcpy(page.path, known != NULL ? known->path : routes[i].page.path);
		insert(lesson, most, &page);
	}
}

/* Percent that those take that are not warm yet. */
static uint32_t gain(const weft_lesson *lesson)
{
	uint32_t percent = 0;

	for (uint32_t i = 0; i < lesson->count; i++) {
		percent += lesson->pages[i].known ? 0 : lesson->pages[i].percent;
	}
	return percent;
}

static bool find_lesson(weft_supervisor *self, const weft_generation *serving, weft_lesson *lesson)
{
	weft_board_route *routes = calloc(WEFT_BOARD_ROUTES, sizeof(*routes));
	uint64_t total = 0;

	lesson->count = 0;
	if (routes == NULL) {
		return false;
	}
	weft_board_add_all_routes(serving->board, routes);
	for (uint32_t i = 0; i < WEFT_BOARD_ROUTES; i++) {
		total += routes[i].page.cpu;
	}
	choose(self, serving, routes, total, lesson);
	free(routes);
	return gain(lesson) >= WORTH_PERCENT;
}

/* --- a spare learns --- */

static bool was_learnt(const weft_lesson *lesson, const char *path, size_t length)
{
	for (uint32_t i = 0; i < lesson->count; i++) {
		if (strncmp(lesson->pages[i].path, path, length) == 0 && lesson->pages[i].path[length] == '\0') {
			return true;
		}
	}
	return false;
}

/* What is warm because the owner wants it, and what of the learnt is to stay. */
static void add_lines(const weft_supervisor *self, const weft_generation *serving, smart_str *lines)
{
	const weft_lesson *asked = &self->learning.asked;

	for (const char *line = serving->warm, *end; line != NULL && *line == '='; line = end + 1) {
		end = strchr(line, '\n');
		if (!was_learnt(&self->learning.now, line + 1, (size_t) (end - line - 1))) {
			smart_str_appendl(lines, line, (size_t) (end - line) + 1);
		}
	}
	for (uint32_t i = 0; i < asked->count; i++) {
		smart_str_appendc(lines, asked->pages[i].known ? '=' : '+');
		smart_str_appends(lines, asked->pages[i].path);
		smart_str_appendc(lines, '\n');
	}
}

static void teach(weft_supervisor *self, weft_generation *serving)
{
	smart_str lines = {0};

	add_lines(self, serving, &lines);
	weft_generation *generation = weft_generation_start_spare(&self->options->generations, serving, ZSTR_VAL(lines.s),
		ZSTR_LEN(lines.s));
	smart_str_free(&lines);
	if (generation == NULL) {
		weft_process_say("nothing can be learnt from the traffic: %s", strerror(errno));
		return;
	}
	generation->number = ++self->started;
	generation->next = self->generations;
	self->generations = generation;
}

/* Else another generation is on its way or due, or has not gone: each takes as much memory as a server. */
static bool is_alone(const weft_supervisor *self, const weft_generation *serving)
{
	return self->generations == serving && serving->next == NULL && !serving->leader_ended && self->start_at == 0 &&
		self->settles_by == 0 && !self->reload_asked;
}

uint64_t weft_learn_deadline(const weft_supervisor *self)
{
	const weft_generation *serving = weft_supervisor_serving(self);

	return serving != NULL && serving->spare_pid > 0 && is_alone(self, serving) ? self->learning.at : 0;
}

void weft_learn_look(weft_supervisor *self, uint64_t now)
{
	uint64_t at = weft_learn_deadline(self);
	weft_generation *serving = weft_supervisor_serving(self);

	if (at == 0 || now < at) {
		return;
	}
	if (find_lesson(self, serving, &self->learning.asked)) {
		self->learning.tries++;
		teach(self, serving);
	}
	look_after_pause(self, serving);
}

/* --- what came of it --- */

void weft_learn_heard_spare(weft_generation *generation, const char *text)
{
	int pid;
	uint32_t most;
	uint64_t after;

	if (sscanf(text, "%d %" SCNu32 " %" SCNu64, &pid, &most, &after) == 3) {
		generation->spare_pid = pid;
		generation->learn_most = most;
		generation->learn_after = after;
	}
}

/* Each of its lines ends with a line break. What holds a NUL is not what our own code sends. */
void weft_learn_heard_warm(weft_generation *generation, const char *text, size_t length)
{
	free(generation->warm);
	bool is_lines = length > 0 && text[length - 1] == '\n' && memchr(text, '\0', length) == NULL;
	generation->warm = is_lines ? strndup(text, length) : NULL;
}

static void refuse_route(weft_supervisor *self, const char *path, size_t length, const char *why)
{
	const weft_lesson *asked = &self->learning.asked;

	for (uint32_t i = 0; i < asked->count; i++) {
		const weft_learnt *page = &asked->pages[i];
		if (strncmp(page->path, path, length) != 0 || page->path[length] != '\0') {
			continue;
		}
		if (self->learning.refused_count < WEFT_BOARD_ROUTES) {
			strcpy(self->learning.refused[self->learning.refused_count++], page->route);
		}
		weft_process_tell("%s is not learnt: %s", page->path, why);
	}
}

/* Returns what the line with "!" says, to be freed; NULL: there is none. */
static char *hear_refusals(weft_supervisor *self, const weft_generation *generation)
{
	char *why = NULL;

	for (const char *line = generation->warm, *end; line != NULL && *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		const char *tab = memchr(line, '\t', (size_t) (end - line));
		if (*line == '-' && tab != NULL) {
			char *reason = strndup(tab + 1, (size_t) (end - tab - 1));
			refuse_route(self, line + 1, (size_t) (tab - line - 1), reason != NULL ? reason : "");
			free(reason);
		} else if (*line == '!' && why == NULL) {
			why = strndup(line + 1, (size_t) (end - line - 1));
		}
	}
	return why;
}

void weft_learn_ready(weft_supervisor *self, const weft_generation *generation)
{
	weft_lesson learnt = {0};

	free(hear_refusals(self, generation));
	for (uint32_t i = 0; i < self->learning.asked.count; i++) {
		const weft_learnt *page = &self->learning.asked.pages[i];
		if (is_warm(generation, page->path)) {
			learnt.pages[learnt.count++] = *page;
		}
	}
	self->learning.now = learnt;
	look_after_pause(self, generation);
}

void weft_learn_tell(const weft_supervisor *self)
{
	const weft_lesson *now = &self->learning.now;
	smart_str pages = {0};

	for (uint32_t i = 0; i < now->count; i++) {
		smart_str_append_printf(&pages, "%s%s (%u %%)", i > 0 ? ", " : "", now->pages[i].path, now->pages[i].percent);
	}
	smart_str_0(&pages);
	weft_process_tell("learnt from the traffic to warm these as well, by their share of the CPU time: %s; new workers "
					  "serve (--learn=off keeps to the pages of --warm)",
		pages.s != NULL ? ZSTR_VAL(pages.s) : "");
	smart_str_free(&pages);
}

/* Said once: it may be so for as long as the server lives. */
static void tell_why(weft_supervisor *self, const char *why)
{
	if (self->learning.told == NULL || strcmp(self->learning.told, why) != 0) {
		weft_process_say("nothing was learnt from the traffic: %s; the old workers serve on", why);
		free(self->learning.told);
		self->learning.told = strdup(why);
	}
}

void weft_learn_failed(weft_supervisor *self, weft_generation *generation)
{
	weft_generation *serving = weft_supervisor_serving(self);
	char how[64], *why = hear_refusals(self, generation);

	if (why == NULL && generation->refused == NULL) {
		weft_process_describe_status(generation->status, how, sizeof(how));
		/* whichever of them it was */
		for (uint32_t i = 0; i < self->learning.asked.count; i++) {
			const char *path = self->learning.asked.pages[i].path;
			if (!self->learning.asked.pages[i].known) {
				refuse_route(self, path, strlen(path), "the process that tried it has ended");
			}
		}
	}
	if (generation->refused == NULL) {
		tell_why(self, why != NULL ? why : how);
	}
	free(why);
	if (serving != NULL && serving->spare < 0) {
		/* what it has left; another generation may serve by now, with a spare of its own */
		serving->spare = generation->spare;
		serving->spare_pid = generation->spare_pid;
		generation->spare = -1;
		generation->spare_pid = 0;
	}
	bool goes_on = self->start_at != 0 || weft_supervisor_booting(self) != NULL;
	if (!goes_on && (serving == NULL || serving->leader_ended)) {
		self->start_at = weft_process_now() + weft_restart_delay(&self->restarts, 0);
	}
}

void weft_learn_give_up(const weft_supervisor *self)
{
	for (weft_generation *g = self->generations; g != NULL; g = g->next) {
		if (g->learns && !g->ready && !g->leader_ended && g->refused == NULL) {
			g->refused = strdup("others are needed more");
			weft_generation_kill(g);
		}
	}
}

void weft_learn_begin_anew(weft_supervisor *self, const weft_generation *serving)
{
	self->learning.now.count = 0;
	self->learning.tries = 0;
	if (serving->by_reload) {
		self->learning.refused_count = 0;
	}
	look_after_pause(self, serving);
}
