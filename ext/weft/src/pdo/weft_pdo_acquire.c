/*
 * How a request gets a link of a pool: an idle one, room for a new one, or its turn in the line.
 */
#include "pdo/weft_pdo_limit.h"
#include "pdo/weft_pdo_line.h"
#include "pdo/weft_pdo_beyond.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_server.h"
#include "pdo/weft_pdo_shortage.h"
#include "pdo/weft_pdo.h"
#include "php_weft.h"
#include "zend_exceptions.h"

/* When the server has refused one more, the pool does not ask again for so long, but when one is lost. */
#define REFUSED_NS WEFT_NS_PER_SEC

/* The one used last is the likeliest to be warm; one with the same settings needs no word with the server. */
static weft_pdo_link *choose_idle(const weft_pdo_pool *pool, const weft_pdo_profile *profile, weft_pdo_link *wanted)
{
	weft_pdo_link *adaptable = NULL;

	if (wanted && wanted->idle && wanted->pool == pool) {
		return wanted;
	}
	for (weft_pdo_link *link = pool->idle; link; link = link->next_idle) {
		if (link->profile == profile) {
			return link;
		}
		if (!adaptable && weft_pdo_profile_is_ancestor(link->profile, profile)) {
			adaptable = link;
		}
	}
	return adaptable;
}

/* What a request has got hold of: a link, or room for a new one. */
typedef struct {
	weft_pdo_profile *profile;
	weft_pdo_link *wanted;
	bool only_wanted;
	weft_pdo_link *link;
	bool room;
	bool connecting;
	weft_pdo_link *victim;           /* of another pool, taken out: to be closed first */
	const weft_pdo_waiter *waiter;   /* NULL: stands in no line */
	bool refused;                    /* there was room, but not at the server */
	weft_pdo_beyond_verdict verdict; /* when there was neither */
	weft_pdo_opening opening;
} weft_pdo_claim;

/* The server would refuse one more, or it would be one of those that are for others. */
static bool is_short(const weft_pdo_pool *pool)
{
	return pool->server->total >= weft_pdo_limit_share(pool->server) ||
		(UNEXPECTED(pool->refused_until) && pool->total >= pool->allowed && weft_now() < pool->refused_until);
}

static bool has_room(const weft_pdo_pool *pool)
{
	return pool->total < weft_pdo_limit(pool) && !is_short(pool);
}

/* --- opening --- */

/* The server allows fewer than the pool: those that there are have to do, those included that are about to be, and
 * nobody asks for more for a while. What it said is kept for those who wait in vain. The exception of a request that
 * was cancelled meanwhile has that one before it. The claimant's own room has been left. */
static bool can_do_without(weft_pdo_pool *pool)
{
	zend_object *refusal = EG(exception);
	bool all = weft_pdo_server_is_full();
	zval message;

	if (refusal->ce != weft_pdo_exception_class() ||
		Z_TYPE_P(zend_read_property(zend_ce_exception, refusal, ZEND_STRL("previous"), true, &message)) == IS_OBJECT) {
		return false;
	}
	if ((all ? pool->server->total : pool->total) == 0) {
		if (all) {
			weft_pdo_server_ask_anew(pool->server);
		}
		return false;
	}
	if (pool->refusal) {
		zend_string_release(pool->refusal);
	}
	pool->refusal = zval_get_string(
		zend_read_property(zend_ce_exception, refusal, ZEND_STRL("message"), true, &message));
	pool->allowed = pool->total;
	pool->refused_until = weft_now() + REFUSED_NS;
	zend_clear_exception();
	return true;
}

static void close_claimed(weft_pdo_claim *claim)
{
	weft_pdo_link *link = claim->link;

	claim->link = NULL;
	link->broken = true;
	weft_pdo_pool_close_link(link);
}

static void close_victim(weft_pdo_claim *claim)
{
	weft_pdo_link *victim = claim->victim;

	claim->victim = NULL;
	if (victim) {
		weft_pdo_pool_close_link(victim);
	}
}

static void wake_others(weft_pdo_pool *pool)
{
	weft_pdo_line_wake_next(pool);
	weft_pdo_server_wake(pool->server);
}

static void leave_room(weft_pdo_pool *pool, weft_pdo_claim *claim)
{
	claim->room = false;
	weft_pdo_server_count(pool, -1);
}

static zend_object *connect_now(weft_pdo_pool *pool, weft_pdo_claim *claim)
{
	zend_object *hidden;

	pool->connecting++;
	claim->connecting = true;
	hidden = weft_pdo_link_open(pool->argument_count, pool->arguments, pool->environment);
	claim->connecting = false;
	pool->connecting--;
	return hidden;
}

/* There is room for it, which the claimant has taken. */
static void open_link(weft_pdo_pool *pool, weft_pdo_claim *claim)
{
	zend_object *hidden;

	close_victim(claim);
	do {
		hidden = connect_now(pool, claim);
	} while (!hidden && weft_pdo_server_makes_room(pool));
	if (!hidden) {
		leave_room(pool, claim);
		if (weft_pdo_beyond() == WEFT_PDO_MAY_WAIT) {
			claim->refused = can_do_without(pool);
		} else {
			weft_pdo_beyond_opened(&claim->opening); /* it is not among those that the request keeps */
			weft_pdo_shortage_explain_refusal();
		}
		wake_others(pool);
		return;
	}
	pool->refused_until = 0;
	pool->server->closed_at = 0;
	pool->statistics.opened++;
	claim->link = weft_pdo_link_new(hidden, pool->driver, pool, &pool->root);
	claim->room = false;
	if (!weft_pdo_limit_ask(claim->link)) {
		close_claimed(claim);
	}
}

/* --- claims --- */

/* An idle link that is still good; NULL when there is none. */
static weft_pdo_link *take_idle(weft_pdo_pool *pool, weft_pdo_profile *profile, weft_pdo_link *wanted)
{
	uint64_t now = weft_lately();
	weft_pdo_link *link;

	while ((link = choose_idle(pool, profile, wanted)) || (!has_room(pool) && (link = pool->idle_last))) {
		weft_pdo_pool_take(link);
		if (!link->broken && !weft_pdo_pool_has_expired(link, now) && weft_pdo_link_is_alive(link, now)) {
			return link;
		}
		weft_pdo_pool_close_link(link);
	}
	return NULL;
}

/* True without a link when it has ended. */
static bool claim_wanted(weft_pdo_claim *claim)
{
	weft_pdo_link *wanted = claim->wanted;

	if (!wanted->broken && !wanted->idle) {
		return false;
	}
	if (wanted->idle) {
		weft_pdo_pool_take(wanted);
		if (!wanted->broken && weft_pdo_link_is_alive(wanted, weft_lately())) {
			claim->link = wanted;
			return true;
		}
		weft_pdo_pool_close_link(wanted);
	}
	return true;
}

/* Closes what another pool has idle, but not before those who have waited longer for that. */
static bool find_victim(const weft_pdo_pool *pool, weft_pdo_claim *claim, bool passes)
{
	const weft_pdo_waiter *first = passes ? NULL : weft_pdo_server_first_waiter(pool->server, NULL);

	if (is_short(pool) && (!first || first == claim->waiter)) {
		claim->victim = weft_pdo_server_longest_idle(pool);
	}
	if (claim->victim) {
		weft_pdo_pool_take(claim->victim);
	}
	return claim->victim != NULL;
}

static bool claim_take_room(const weft_pdo_pool *pool, weft_pdo_claim *claim)
{
	if (has_room(pool) || (pool->total < weft_pdo_limit(pool) && find_victim(pool, claim, false))) {
		return true;
	}
	claim->verdict = weft_pdo_beyond();
	if (claim->verdict != WEFT_PDO_GETS_ONE_MORE) {
		return false;
	}
	find_victim(pool, claim, true);
	return true;
}

/* False: somebody must give one back first. */
static bool make_claim(weft_pdo_pool *pool, weft_pdo_claim *claim)
{
	claim->link = NULL;
	claim->room = false;
	claim->refused = false;
	claim->verdict = WEFT_PDO_MAY_WAIT;
	if (claim->only_wanted) {
		return claim_wanted(claim);
	}
	claim->link = take_idle(pool, claim->profile, claim->wanted);
	if (claim->link) {
		return true;
	}
	if (!claim_take_room(pool, claim)) {
		return false;
	}
	weft_pdo_server_count(pool, 1);
	claim->room = true;
	return true;
}

/* Leaves no link when it was refused, or with an exception. */
static void make_fit(weft_pdo_pool *pool, weft_pdo_claim *claim)
{
	if (!claim->link) {
		open_link(pool, claim);
	}
	while (claim->link && !weft_pdo_link_adapt(claim->link, claim->profile)) {
		bool refused = EG(exception) != NULL;

		claim->room = !refused;
		weft_pdo_server_count(pool, !refused); /* its room is for the next */
		close_claimed(claim);
		if (!refused) {
			open_link(pool, claim);
		}
	}
}

/* A fatal error came in between, which ends the request but not the pool: what it had got hold of is for others. */
static void claim_give_up(weft_pdo_pool *pool, weft_pdo_claim *claim)
{
	if (claim->connecting) {
		pool->connecting--;
	}
	weft_pdo_beyond_opened(&claim->opening);
	if (claim->room) {
		leave_room(pool, claim);
	}
	close_victim(claim);
	if (claim->link) {
		close_claimed(claim);
	}
	wake_others(pool);
}

/* NULL when it was refused, or with an exception. May suspend: whoever does this stands in no line any more, for the
 * others may have what becomes free meanwhile. */
static weft_pdo_link *fulfil(weft_pdo_pool *pool, weft_pdo_claim *claim)
{
	bool complete = false;

	if (claim->only_wanted || (claim->link && EXPECTED(claim->link->profile == claim->profile))) {
		return claim->link;
	}
	weft_pdo_beyond_opens(&claim->opening);
	zend_try {
		make_fit(pool, claim);
		complete = true;
	} zend_end_try();
	if (!complete) {
		claim_give_up(pool, claim);
		zend_bailout();
	}
	weft_pdo_beyond_opened(&claim->opening);
	return claim->link;
}

/* --- taking turns --- */

/* Whoever has been called already looks for himself. It may be time to ask the server again, too. */
static void waiter_is_late(weft_timer *timer)
{
	weft_pdo_waiter *waiter = (weft_pdo_waiter *) ((char *) timer - offsetof(weft_pdo_waiter, timer));

	waiter->timed_out = weft_now() >= waiter->until;
	weft_pdo_line_wake(waiter);
}

static void waiter_arm(weft_pdo_waiter *waiter)
{
	uint64_t again = waiter->pool->refused_until;

	weft_timer_arm(&waiter->timer, again > weft_now() ? MIN(again, waiter->until) : waiter->until);
}

static void note_wait(weft_pdo_pool *pool, uint64_t since)
{
	uint64_t waited = weft_now() - since;

	pool->statistics.waits[waited ? 63 - __builtin_clzll(waited) : 0]++;
}

/* Who is not the first has nothing to look for, unless he need not wait. */
static bool may_try(const weft_pdo_pool *pool, const weft_pdo_waiter *waiter)
{
	return weft_pdo_line_may_try(pool, waiter) || (!waiter->wanted && weft_pdo_beyond() != WEFT_PDO_MAY_WAIT);
}

/* Stands in the line until there is something to claim. False with an exception: it took too long, nothing could ever
 * come of it, or it was cancelled. */
static bool stand_in_line(weft_pdo_pool *pool, weft_pdo_waiter *waiter, weft_pdo_claim *claim)
{
	bool claimed = false;

	claim->waiter = waiter;
	weft_pdo_beyond_watch(pool);
	weft_pdo_server_wake(pool->server);
	while (!claimed) {
		waiter_arm(waiter);
		claimed = may_try(pool, waiter) && make_claim(pool, claim);
		if (!claimed &&
			(waiter->timed_out || claim->verdict == WEFT_PDO_WAITS_IN_VAIN || !weft_pdo_line_sleep(pool, waiter))) {
			break;
		}
	}
	if (!claimed && !EG(exception)) {
		if (claim->verdict == WEFT_PDO_WAITS_IN_VAIN) {
			weft_pdo_shortage_throw_in_vain(pool);
		} else if (waiter->timed_out) {
			weft_pdo_shortage_throw_too_long(pool);
		}
	}
	weft_pdo_line_leave(pool, waiter);
	weft_timer_disarm(&waiter->timer);
	claim->waiter = NULL;
	if (pool->idle || has_room(pool)) {
		weft_pdo_line_wake_next(pool);
	}
	weft_pdo_server_wake(pool->server);
	return claimed;
}

static weft_pdo_waiter new_waiter(weft_pdo_pool *pool, uint64_t since)
{
	return (weft_pdo_waiter){.coroutine = weft_current,
		.pool = pool,
		.domain = weft_domain_in_place,
		.since = since,
		.rank = weft_pdo_line_rank(since),
		.until = since + (uint64_t) (WEFT_G(pdo_acquire_timeout) * (double) WEFT_NS_PER_SEC),
		.timer = {.fire = waiter_is_late}};
}

static weft_pdo_link *wait_for_turn(weft_pdo_pool *pool, weft_pdo_claim *claim)
{
	weft_pdo_waiter waiter = new_waiter(pool, weft_now());
	weft_pdo_link *link;

	waiter.wanted = claim->only_wanted ? claim->wanted : NULL;
	weft_pdo_line_join(pool, &waiter);
	link = stand_in_line(pool, &waiter, claim) ? fulfil(pool, claim) : NULL;
	while (!link && claim->refused) {
		claim->refused = false;
		weft_pdo_line_join(pool, &waiter);
		link = stand_in_line(pool, &waiter, claim) ? fulfil(pool, claim) : NULL;
	}
	pool->statistics.waited++;
	note_wait(pool, waiter.since);
	return link;
}

static bool is_kept(const weft_pdo_link *wanted)
{
	return wanted && wanted->idle && wanted->kept_for == weft_pdo_self();
}

/* Who comes now does not pass those who wait, but to execute once what he has prepared when it was his turn, or when
 * they may be waiting for what he holds. */
static bool need_not_queue(const weft_pdo_pool *pool, const weft_pdo_claim *claim)
{
	return claim->only_wanted || !pool->waiters || is_kept(claim->wanted) || weft_pdo_beyond() != WEFT_PDO_MAY_WAIT;
}

/* False with an exception. */
static bool claim_may_wait(weft_pdo_pool *pool, const weft_pdo_claim *claim)
{
	if (claim->verdict == WEFT_PDO_WAITS_IN_VAIN) {
		weft_pdo_shortage_throw_in_vain(pool);
		return false;
	}
	if (!weft_can_suspend()) {
		weft_pdo_shortage_throw_cannot_wait(pool);
		return false;
	}
	return true;
}

static weft_pdo_link *acquire(weft_pdo_pool *pool, weft_pdo_claim *claim)
{
	pool->statistics.acquired++;
	if (need_not_queue(pool, claim) && make_claim(pool, claim)) {
		weft_pdo_link *link = fulfil(pool, claim);

		if (link || !claim->refused) {
			pool->statistics.waits[0]++;
			return link;
		}
	}
	return claim_may_wait(pool, claim) ? wait_for_turn(pool, claim) : NULL;
}

/* What nearly every query finds: an idle link that fits, and nobody who waits. It takes no turn and no suspension. */
static weft_pdo_link *take_at_once(weft_pdo_pool *pool, const weft_pdo_profile *profile, weft_pdo_link *wanted)
{
	weft_pdo_link *link = wanted && wanted->idle && wanted->pool == pool ? wanted : pool->idle;
	uint64_t now = weft_lately();

	if (!link || pool->waiters || link->profile != profile || link->broken || weft_pdo_pool_has_expired(link, now) ||
		!weft_pdo_link_is_surely_alive(link, now)) {
		return NULL;
	}
	weft_pdo_pool_take(link);
	pool->statistics.acquired++;
	pool->statistics.waits[0]++;
	return link;
}

weft_pdo_link *weft_pdo_pool_acquire(weft_pdo_pool *pool, weft_pdo_profile *profile, weft_pdo_link *wanted,
	bool only_wanted)
{
	weft_pdo_claim claim = {.profile = profile, .wanted = wanted, .only_wanted = only_wanted};
	weft_pdo_link *link = only_wanted ? NULL : take_at_once(pool, profile, wanted);

	if (EXPECTED(link)) {
		return link;
	}
	weft_pdo_pool_hold(pool);
	if (wanted) {
		/* it may turn out to be dead, or end while others have their turn */
		wanted->references++;
	}
	link = acquire(pool, &claim);
	if (wanted) {
		weft_pdo_link_release(wanted);
	}
	weft_pdo_pool_let_go(pool);
	return link;
}

/* --- the first connection of a pool, which its constructor opens --- */

static bool claim_wait_for_room(weft_pdo_pool *pool, weft_pdo_claim *claim, uint64_t since)
{
	weft_pdo_waiter waiter = new_waiter(pool, since);

	waiter.opens = true;
	weft_pdo_line_join(pool, &waiter);
	return stand_in_line(pool, &waiter, claim);
}

static bool claim_room(weft_pdo_pool *pool, uint64_t since, bool at_once)
{
	weft_pdo_claim claim = {0};
	bool claimed = (at_once && make_claim(pool, &claim)) ||
		(claim_may_wait(pool, &claim) && claim_wait_for_room(pool, &claim, since));

	if (claimed) {
		pool->connecting = 1;
	}
	close_victim(&claim);
	return claimed;
}

bool weft_pdo_pool_acquire_room(weft_pdo_pool *pool, uint64_t since)
{
	return claim_room(pool, since, true);
}

bool weft_pdo_pool_acquire_room_again(weft_pdo_pool *pool, uint64_t since)
{
	if (weft_pdo_server_makes_room(pool)) {
		return true;
	}
	if (!weft_pdo_server_is_full() || weft_pdo_beyond() != WEFT_PDO_MAY_WAIT || !weft_can_suspend()) {
		return false;
	}
	pool->connecting = 0;
	weft_pdo_server_count(pool, -1);
	if (!can_do_without(pool)) {
		return false;
	}
	wake_others(pool);
	return claim_room(pool, since, false);
}
