/*
 * Looks whether who waits for a link can ever get one, when the wait begins and from time to time while it lasts.
 */
#include "pdo/weft_pdo_beyond.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_line.h"
#include "pdo/weft_pdo_list.h"
#include "php_weft.h"

/* A request comes to wait for itself when its coroutines do, which the pool does not hear of. Nothing else goes wrong
 * meanwhile, and a look takes a few microseconds. */
#define NANOSECONDS_BETWEEN_LOOKS UINT64_C(50000000)

static weft_pdo_opening *openings;

/* Keeps it until its coroutine goes on: inside a call, or for longer than that. */
static bool link_is_kept(const weft_pdo_link *link)
{
	return link->user || weft_pdo_is_held(link);
}

static bool is_leased_to(const weft_pdo_link *link, const void *domain)
{
	return link->pool && link->handle && link->domain == domain && link->generation == weft_pdo_generation();
}

static bool domain_keeps_one(const void *domain)
{
	for (const weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (is_leased_to(link, domain) && link_is_kept(link)) {
			return true;
		}
	}
	return false;
}

/* A coroutine that has ended leaves what it held to all others of its request. */
static bool link_is_left(const weft_pdo_link *link)
{
	return !link->leased_by && weft_pdo_is_held(link);
}

static bool self_keeps_one(void)
{
	const weft_coroutine *self = weft_pdo_self();

	for (const weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (is_leased_to(link, weft_domain_in_place) &&
			(link->user == self || link_is_left(link) ||
				(weft_pdo_was_leased_by(link, self) && weft_pdo_is_held(link)))) {
			return true;
		}
	}
	return false;
}

uint32_t weft_pdo_beyond_count(void)
{
	uint32_t count = 0;

	for (const weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		count += is_leased_to(link, weft_domain_in_place);
	}
	for (const weft_pdo_opening *opening = openings; opening; opening = opening->next) {
		count += opening->domain == weft_domain_in_place;
	}
	return count;
}

/* pcntl_fork() in a request: what others had on lease is given back in the process that they are in, not here. */
static bool others_are_elsewhere(void)
{
	for (const weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (link->pool && link->handle && link->domain && link->domain != weft_domain_in_place &&
			link->generation != weft_pdo_generation()) {
			return true;
		}
	}
	return false;
}

weft_pdo_beyond_verdict weft_pdo_beyond(void)
{
	if (!self_keeps_one() && !others_are_elsewhere() &&
		!(domain_keeps_one(weft_domain_in_place) && weft_domain_waits_for_itself(weft_domain_in_place))) {
		return WEFT_PDO_MAY_WAIT;
	}
	return weft_pdo_beyond_count() < (zend_ulong) WEFT_G(pdo_request_max) ? WEFT_PDO_GETS_ONE_MORE
																		  : WEFT_PDO_WAITS_IN_VAIN;
}

void weft_pdo_beyond_opens(weft_pdo_opening *opening)
{
	opening->domain = weft_domain_in_place;
	WEFT_PDO_LIST_ADD(&openings, opening);
}

void weft_pdo_beyond_opened(weft_pdo_opening *opening)
{
	if (opening->place) {
		WEFT_PDO_LIST_REMOVE(opening);
		opening->place = NULL;
	}
}

/* --- while somebody waits --- */

void weft_pdo_beyond_watch(weft_pdo_pool *pool)
{
	if (!pool->watching) {
		pool->watching = true;
		weft_timer_arm(&pool->watch, weft_now() + NANOSECONDS_BETWEEN_LOOKS);
	}
}

void weft_pdo_beyond_look(weft_timer *timer)
{
	weft_pdo_pool *pool = (weft_pdo_pool *) ((char *) timer - offsetof(weft_pdo_pool, watch));

	pool->watching = false;
	if (!pool->waiters) {
		return;
	}
	for (const weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		weft_pdo_waiter *waiter;

		if (!is_leased_to(link, link->domain) || !link_is_kept(link)) {
			continue;
		}
		waiter = weft_pdo_line_first_of(pool, link->domain);
		if (waiter && weft_domain_waits_for_itself(link->domain)) {
			weft_pdo_line_wake(waiter);
		}
	}
	weft_pdo_beyond_watch(pool);
}
