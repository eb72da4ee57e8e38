/*
 * Counts its looks, not the time: a process that was stopped, or a machine that slept, has not stood still.
 */
#include "server/weft_guard.h"
#include "server/weft_process.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_frames.h"
#include "http/weft_http.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define GUARD_STACK (128 << 10)
/* Room for where PHP code stands. */
#define FRAMES 6000

static weft_guard guarded;

/* --- a worker that stands still --- */

typedef struct {
	uint64_t beat;   /* as it was at the last look */
	uint32_t served; /* the same: interrupts, which who computes in PHP serves */
	uint32_t ms;     /* for as long has it stood still */
	bool told;
} standing;

static const char *describe_request(char *text, size_t room)
{
	weft_board_request request;

	if (weft_http_running_request(&request)) {
		snprintf(text, room, "%s %s (request %s)", request.method, request.path, request.id);
		return text;
	}
	return "no request";
}

static void tell(const standing *seen)
{
	char frames[FRAMES], request[300];

	weft_frames_describe(EG(current_execute_data), frames, sizeof(frames));
	weft_log_at("warning",
		"weft: worker %u (%d) has stood still for %.1f s in a call that nothing can interrupt; another takes its "
		"place, and it is ended after %.0f s (--stuck-timeout). It runs %s%s",
		guarded.number, (int) getpid(), seen->ms / 1000.0, guarded.stuck_ms / 1000.0,
		describe_request(request, sizeof(request)), frames);
	weft_board_replaced(guarded.entry, WEFT_BOARD_STUCK);
	weft_message_send(guarded.channel, WEFT_MESSAGE_REPLACE, NULL, 0);
}

static void look(standing *seen)
{
	uint64_t beat = guarded.entry->beat;
	uint32_t served = weft_interrupts_served();

	if (beat != seen->beat || served != seen->served) {
		*seen = (standing){.beat = beat, .served = served};
		return;
	}
	seen->ms += WEFT_GUARD_LOOK_MS;
	if (!seen->told && seen->ms >= guarded.stuck_ms / WEFT_GUARD_TELLS_AFTER) {
		seen->told = true;
		tell(seen);
	}
	if (seen->ms >= guarded.stuck_ms) {
		weft_process_say("worker %u (%d) has stood still for %.1f s and is ended (--stuck-timeout)", guarded.number,
			(int) getpid(), seen->ms / 1000.0);
		kill(getpid(), SIGKILL);
	}
}

/* --- the thread --- */

static void *guard_run(void *arg)
{
	/* of the leash, no event but the end is asked for: a word in it is the main thread's */
	struct pollfd polled = {guarded.leash, 0, 0};
	struct timespec left = {guarded.grace_ms / 1000, (long) (guarded.grace_ms % 1000) * 1000000};
	bool watches = guarded.entry && guarded.stuck_ms;
	standing seen = {0};
	int ready;

	while ((ready = poll(&polled, 1, watches ? WEFT_GUARD_LOOK_MS : -1)) <= 0) {
		if (ready == 0) {
			look(&seen);
		}
	}
	while (nanosleep(&left, &left) != 0 && errno == EINTR) {
	}
	kill(getpid(), SIGKILL);
	return arg;
}

bool weft_guard_start(const weft_guard *guard)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, before;

	guarded = *guard;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, GUARD_STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	errno = pthread_create(&thread, &attributes, guard_run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return errno == 0;
}
