/*
 * The two clocks, and when which of them is believed.
 */
#include "coroutine/weft_cpu_time.h"
#include "reactor/weft_reactor.h"

#include <time.h>

/* What lasts less is taken for computed in whole. */
#define EXACT WEFT_NS_PER_MS

typedef struct {
	uint64_t wall, cpu;
} moment;

static uint64_t *charged;
static bool runs;
static moment started; /* the present stretch */
static moment looked;  /* when both clocks were looked at last */

static void look(uint64_t now)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	looked.wall = now;
	looked.cpu = (uint64_t) time.tv_sec * WEFT_NS_PER_SEC + (uint64_t) time.tv_nsec;
}

static uint64_t stretch_until(uint64_t now)
{
	uint64_t lasted = now - started.wall, computed;

	if (lasted < EXACT) {
		return lasted;
	}
	look(now);
	computed = looked.cpu > started.cpu ? looked.cpu - started.cpu : 0;
	return computed < lasted ? computed : lasted;
}

void weft_cpu_time_begin(uint64_t *account, uint64_t now)
{
	charged = account;
	weft_cpu_time_go_on(now);
}

void weft_cpu_time_end(uint64_t now)
{
	if (runs) {
		*charged += stretch_until(now);
		runs = false;
	}
}

void weft_cpu_time_go_on(uint64_t now)
{
	if (!charged) {
		return;
	}
	if (now - looked.wall >= EXACT) {
		look(now);
	}
	started.wall = now;
	started.cpu = looked.cpu + (now - looked.wall);
	runs = true;
}

uint64_t weft_cpu_time_went_on(void)
{
	return started.wall;
}

bool weft_cpu_time_is_charged(void)
{
	return charged != NULL;
}

uint64_t weft_cpu_time_of_present(uint64_t now)
{
	return charged ? weft_cpu_time_on(charged, now) : 0;
}

uint64_t weft_cpu_time_on(const uint64_t *account, uint64_t now)
{
	return *account + (runs && charged == account ? stretch_until(now) : 0);
}

void weft_cpu_time_close(const uint64_t *account)
{
	if (charged == account) {
		charged = NULL;
		runs = false;
	}
}
