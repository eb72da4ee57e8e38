/*
 * A memfd with an entry for each worker, and its requests.
 */
#include "http/weft_board_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Somebody's who is not there yet. */
#define CLAIMED (-1)

static weft_board *map(int fd, size_t size)
{
	weft_board *board = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return board == MAP_FAILED ? NULL : board;
}

#define REQUESTS (WEFT_BOARD_REQUESTS * sizeof(weft_board_request))
#define ROUTES (WEFT_BOARD_ROUTES * sizeof(weft_board_route))

/* Views are whole pages, and can be given back. */
static size_t size_of_entries(uint32_t count)
{
	size_t bytes = sizeof(weft_board) + count * (sizeof(weft_board_entry) + REQUESTS + ROUTES),
		   page = (size_t) sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

/* Requests and routes of all follow the entries, and their views follow those. */
static size_t size_of(uint32_t count)
{
	return size_of_entries(count) + (size_t) count * WEFT_BOARD_VIEW;
}

static void lay_out(weft_board *board, uint32_t count)
{
	char *requests = (char *) &board->entries[count], *view = (char *) board + size_of_entries(count);

	board->count = count;
	for (uint32_t i = 0; i < count; i++) {
		weft_board_entry *entry = &board->entries[i];
		entry->requests = requests - (char *) entry;
		entry->view.text = view - (char *) entry;
		entry->routes = entry->requests + (ptrdiff_t) REQUESTS;
		requests += REQUESTS + ROUTES;
		view += WEFT_BOARD_VIEW;
	}
}

weft_board *weft_board_new(uint32_t count, int *fd)
{
	*fd = memfd_create("weft-board", MFD_CLOEXEC);
	if (*fd < 0) {
		return NULL;
	}
	weft_board *board = ftruncate(*fd, (off_t) size_of(count)) == 0 ? map(*fd, size_of(count)) : NULL;
	if (board) {
		lay_out(board, count);
	} else {
		close(*fd);
		*fd = -1;
	}
	return board;
}

weft_board *weft_board_map(int fd)
{
	struct stat status;

	if (fstat(fd, &status) != 0 || (size_t) status.st_size < sizeof(weft_board)) {
		return NULL;
	}
	weft_board *board = map(fd, (size_t) status.st_size);
	if (board && size_of(board->count) > (size_t) status.st_size) {
		munmap(board, (size_t) status.st_size);
		return NULL;
	}
	return board;
}

void weft_board_unmap(weft_board *board)
{
	if (board) {
		munmap(board, size_of(board->count));
	}
}

weft_board_entry *weft_board_claim(weft_board *board)
{
	for (uint32_t i = 0; board && i < board->count; i++) {
		weft_board_entry *entry = &board->entries[i];
		if (entry->pid == 0) {
			entry->draining = entry->running = entry->queued = entry->connections = 0;
			entry->queued_since = 0;
			entry->handled = entry->beat = entry->switches = entry->dirty = 0;
			entry->coroutines = entry->idle = entry->leased = entry->waiting = entry->websockets = 0;
			entry->stuck_at = 0;
			for (uint32_t j = 0; j < WEFT_BOARD_REQUESTS / 64; j++) {
				entry->shown[j] = 0;
			}
			entry->since = (int64_t) time(NULL);
			entry->pid = CLAIMED;
			return entry;
		}
	}
	return NULL;
}

void weft_board_give(weft_board_entry *entry, int32_t pid)
{
	if (entry) {
		entry->pid = pid;
	}
}

bool weft_board_shown(const weft_board_entry *entry)
{
	return entry->pid > 0 && (kill(entry->pid, 0) == 0 || errno != ESRCH);
}

bool weft_board_any(const weft_board *board)
{
	for (uint32_t i = 0; i < board->count; i++) {
		if (weft_board_shown(&board->entries[i])) {
			return true;
		}
	}
	return false;
}

bool weft_board_any_accepts(const weft_board *board)
{
	for (uint32_t i = 0; i < board->count; i++) {
		if (!board->entries[i].draining && weft_board_shown(&board->entries[i])) {
			return true;
		}
	}
	return false;
}

uint32_t weft_board_running(const weft_board *board)
{
	uint32_t running = 0;

	for (uint32_t i = 0; i < board->count; i++) {
		if (weft_board_shown(&board->entries[i])) {
			running += board->entries[i].running;
		}
	}
	return running;
}

uint32_t weft_board_bucket(uint64_t time)
{
	static const uint32_t bounds[] = WEFT_BOARD_BOUNDS;
	uint32_t bucket = 0;

	_Static_assert(sizeof(bounds) / sizeof(bounds[0]) == WEFT_BOARD_BUCKETS - 1, "one more counts those beyond");
	while (bucket < WEFT_BOARD_BUCKETS - 1 && time > bounds[bucket] * UINT64_C(1000000)) {
		bucket++;
	}
	return bucket;
}

uint32_t weft_board_digit(int status)
{
	return status >= 100 && status < 600 ? (uint32_t) status / 100 : 0;
}

void weft_board_count(weft_board_entry *entry, int status, uint64_t time, uint64_t cpu, uint64_t bytes)
{
	weft_board_tally *tally = &entry->tally;

	weft_board_raise(&tally->statuses[weft_board_digit(status)], 1);
	weft_board_raise(&tally->buckets[weft_board_bucket(time)], 1);
	weft_board_raise(&tally->time, time);
	weft_board_raise(&tally->cpu, cpu);
	weft_board_raise(&tally->bytes, bytes);
}

void weft_board_refused(weft_board_entry *entry)
{
	if (entry) {
		weft_board_raise(&entry->tally.refused, 1);
	}
}

const char *const weft_board_direction_names[WEFT_BOARD_DIRECTIONS] = {"in", "out"};

void weft_board_show_websockets(weft_board_entry *entry, uint32_t count)
{
	if (entry) {
		atomic_store_explicit(&entry->websockets, count, memory_order_relaxed);
	}
}

void weft_board_count_message(weft_board_entry *entry, weft_board_direction direction)
{
	if (entry) {
		weft_board_raise(&entry->tally.messages[direction], 1);
	}
}

void weft_board_show_switches(weft_board_entry *entry, uint64_t switches, uint64_t dirty)
{
	weft_board_raise(&entry->tally.switches, switches - entry->switches);
	weft_board_raise(&entry->tally.dirty, dirty - entry->dirty);
	entry->switches = switches;
	entry->dirty = dirty;
}

const char *const weft_board_cause_names[WEFT_BOARD_CAUSES] = {"died", "stuck", "fatal_error", "max_requests",
	"max_lifetime", "max_memory", "asked"};

void weft_board_replaced(weft_board_entry *entry, weft_board_cause cause)
{
	if (entry) {
		weft_board_raise(&entry->tally.replaced[cause], 1);
		if (cause == WEFT_BOARD_STUCK) {
			entry->stuck_at = entry->beat + 1;
		}
	}
}

bool weft_board_is_stuck(const weft_board_entry *entry)
{
	return entry->stuck_at == entry->beat + 1;
}

/* --- the requests that run --- */

static weft_board_request *requests_of(const weft_board_entry *entry)
{
	return (weft_board_request *) ((char *) entry + entry->requests);
}

static void board_put(char *to, const char *text, size_t length, size_t room)
{
	size_t fits = length < room ? length : room - 1;

	memcpy(to, text, fits);
	to[fits] = '\0';
}

/* The first place that is free: so few pages are ever written to. */
static bool find_place(const weft_board_entry *entry, uint32_t *place)
{
	for (uint32_t i = 0; i < WEFT_BOARD_REQUESTS / 64; i++) {
		uint64_t shown = atomic_load_explicit(&entry->shown[i], memory_order_relaxed);
		if (~shown) {
			*place = i * 64 + (uint32_t) __builtin_ctzll(~shown);
			return true;
		}
	}
	return false;
}

weft_board_request *weft_board_show_request(weft_board_entry *entry, uint64_t began, const char *id, const char *method,
	const char *path)
{
	uint32_t place;

	if (!entry || !find_place(entry, &place)) {
		return NULL;
	}
	weft_board_request *request = &requests_of(entry)[place];
	board_put(request->id, id, strlen(id), sizeof(request->id));
	board_put(request->method, method, strlen(method), sizeof(request->method));
	board_put(request->path, path, strcspn(path, "?"), sizeof(request->path));
	atomic_store_explicit(&request->began, began, memory_order_release);
	entry->shown[place / 64] |= UINT64_C(1) << place % 64;
	return request;
}

void weft_board_hide_request(weft_board_entry *entry, weft_board_request *request)
{
	if (entry && request) {
		uint32_t place = (uint32_t) (request - requests_of(entry));
		entry->shown[place / 64] &= ~(UINT64_C(1) << place % 64);
		atomic_store_explicit(&request->began, 0, memory_order_relaxed);
		atomic_thread_fence(memory_order_release); /* it is read before the next one's name is written */
	}
}

/* Its worker may write it at the same time: what is no longer the same afterwards was another one's. */
static bool copy_request(const weft_board_request *request, weft_board_request *copy)
{
	uint64_t began = atomic_load_explicit(&request->began, memory_order_acquire);

	memcpy(copy->id, request->id, sizeof(copy->id));
	memcpy(copy->method, request->method, sizeof(copy->method));
	memcpy(copy->path, request->path, sizeof(copy->path));
	copy->id[sizeof(copy->id) - 1] = copy->method[sizeof(copy->method) - 1] = copy->path[sizeof(copy->path) - 1] = 0;
	copy->began = began;
	atomic_thread_fence(memory_order_acquire);
	return began && atomic_load_explicit(&request->began, memory_order_relaxed) == began;
}

bool weft_board_next_request(const weft_board_entry *entry, uint32_t *next, weft_board_request *copy)
{
	while (*next < WEFT_BOARD_REQUESTS) {
		uint32_t place = (*next)++;
		if (entry->shown[place / 64] >> place % 64 & 1 && copy_request(&requests_of(entry)[place], copy)) {
			return true;
		}
	}
	return false;
}

/* --- views --- */

void weft_board_ask_view(weft_board_entry *entry, bool frames)
{
	entry->view.frames = frames;
	entry->view.asked++;
}

char *weft_board_view_wanted(weft_board_entry *entry)
{
	return entry->view.asked != entry->view.answered ? (char *) entry + entry->view.text : NULL;
}

void weft_board_view_written(weft_board_entry *entry, size_t length)
{
	entry->view.length = (uint32_t) length;
	entry->view.answered = entry->view.asked;
}

const char *weft_board_view_answer(weft_board_entry *entry, size_t *length)
{
	*length = entry->view.length;
	if (entry->view.asked != entry->view.answered || *length == 0 || *length > WEFT_BOARD_VIEW) {
		return NULL;
	}
	return (const char *) entry + entry->view.text;
}

void weft_board_view_drop(weft_board_entry *entry)
{
	entry->view.length = 0;
	madvise((char *) entry + entry->view.text, WEFT_BOARD_VIEW, MADV_REMOVE);
}

static void count_blocked(weft_board_tally *tally, const char *name, uint64_t time)
{
	for (uint32_t i = 0; i < WEFT_BOARD_EXTENSIONS; i++) {
		weft_board_extension *extension = &tally->blocked[i];

		if (!extension->name[0]) {
			snprintf(extension->name, sizeof(extension->name), "%s", name);
		}
		if (strncmp(extension->name, name, sizeof(extension->name) - 1) == 0) {
			weft_board_raise(&extension->time, time);
			return;
		}
	}
}

void weft_board_count_blocked(weft_board_entry *entry, const char *extension, uint64_t time)
{
	if (entry) {
		count_blocked(&entry->tally, extension, time);
	}
}

void weft_board_tally_add(const weft_board_tally *tally, weft_board_tally *sum)
{
	for (uint32_t i = 0; i < sizeof(tally->statuses) / sizeof(tally->statuses[0]); i++) {
		weft_board_raise(&sum->statuses[i], tally->statuses[i]);
	}
	for (uint32_t i = 0; i < WEFT_BOARD_BUCKETS; i++) {
		weft_board_raise(&sum->buckets[i], tally->buckets[i]);
	}
	weft_board_raise(&sum->time, tally->time);
	weft_board_raise(&sum->cpu, tally->cpu);
	weft_board_raise(&sum->bytes, tally->bytes);
	weft_board_raise(&sum->refused, tally->refused);
	weft_board_raise(&sum->switches, tally->switches);
	weft_board_raise(&sum->dirty, tally->dirty);
	for (uint32_t i = 0; i < WEFT_BOARD_CAUSES; i++) {
		weft_board_raise(&sum->replaced[i], tally->replaced[i]);
	}
	for (uint32_t i = 0; i < WEFT_BOARD_DIRECTIONS; i++) {
		weft_board_raise(&sum->messages[i], tally->messages[i]);
	}
	for (uint32_t i = 0; i < WEFT_BOARD_EXTENSIONS && tally->blocked[i].name[0]; i++) {
		count_blocked(sum, tally->blocked[i].name, tally->blocked[i].time);
	}
}

void weft_board_add(const weft_board *board, weft_board_tally *sum)
{
	for (uint32_t i = 0; i < board->count; i++) {
		weft_board_tally_add(&board->entries[i].tally, sum);
	}
}
