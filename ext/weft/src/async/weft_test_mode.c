/*
 * For tests only: an ordinary script as a coroutine from its first line, and company for it. PHP's own tests run
 * like that (tests/php-src): whatever they show must not depend on it.
 *
 * The company is written in C, because every object that PHP code makes shifts the handles of the script's own.
 */
#include "async/weft_async.h"
#include "coroutine/weft_coroutine.h"
#include "interpose/weft_interpose.h"
#include "domain/weft_domain.h"
#include "php_weft.h"

#include "zend_exceptions.h"

static weft_domain *ticker_domain;

typedef struct {
	weft_timer timer;
	weft_coroutine *ticker;
} tick_timer;

static void on_tick(weft_timer *timer)
{
	weft_wake(((tick_timer *) timer)->ticker);
}

/* Its waits are not interruptible: a signal is the script's. With weft.stress it is always ready, so that each of
 * the script's turns ends in a switch. */
static void tick_for_ever(weft_coroutine *ticker, void *arg)
{
	tick_timer tick = {.timer.fire = on_tick, .ticker = ticker};
	weft_wait_info info = {.what = "the next tick", .fd = -1};

	while (WEFT_G(stress)) {
		weft_yield();
	}
	for (;;) {
		weft_timer_arm(&tick.timer, weft_now() + (uint64_t) WEFT_G(test_ticker) * WEFT_NS_PER_MS);
		weft_suspend(&info);
	}
}

static void spawn_ticker(void)
{
	if (weft_snapshot_taken()) {
		ticker_domain = weft_domain_new();
	}
	weft_coroutine_set_background(weft_coroutine_spawn_in(ticker_domain, tick_for_ever, NULL, NULL));
}

void weft_test_mode_rinit(void)
{
	if (!WEFT_G(test_coroutine)) {
		return;
	}
	if (!weft_scheduler_start() || !weft_interpose_install()) {
		return;
	}
	if (WEFT_G(test_snapshot) && !weft_snapshot_take()) {
		zend_clear_exception();
	}
	if (WEFT_G(test_ticker) > 0) {
		spawn_ticker();
	}
}

void weft_test_mode_rshutdown(void)
{
	if (ticker_domain) {
		weft_domain_release(ticker_domain);
		ticker_domain = NULL;
	}
}
