/*
 * A domain's life, its entering and leaving, and its end.
 */
#include "domain/weft_domain.h"
#include "domain/weft_slots.h"
#include "domain/weft_tables.h"
#include "domain/weft_php_request.h"
#include "domain/hidden/weft_hidden.h"
#include "domain/weft_destructors.h"
#include "domain/weft_domain_floors.h"
#include "domain/weft_quiet.h"
#include "domain/weft_declarations.h"
#include "domain/weft_memory.h"
#include "globals/weft_c_state.h"
#include "interpose/weft_children.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_cpu_time.h"
#include "coroutine/weft_wrap.h"
#include "coroutine/weft_errors.h"
#include "reactor/weft_fd_owners.h"
#include "reactor/weft_reactor.h"
#include "zend_exceptions.h"
#include "weft_compat.h"

/* Destructors may make new values; a domain whose destructors never stop is cut off after so many rounds. */
#define WEFT_RELEASE_ROUNDS 8

struct weft_domain {
	weft_run_queue run_queue; /* the scheduler's: it comes first */
	uint32_t refcount;
	uint64_t id; /* a later one may lie where an earlier one did */
	uint64_t began;
	weft_private_list values;
	weft_hidden *hidden;
	weft_destructibles destructibles;
	void *c_state;
	weft_tables *tables;       /* NULL: it sees the base's */
	weft_php_request *request; /* NULL: it starts from the base */
	bool request_ended;
	const zend_execute_data *bottom; /* frames from here on are not its own */
	zend_long memory;                /* bytes that its code has allocated, less those that it has freed */
	uint64_t cpu_time;               /* nanoseconds that its code has computed */
	weft_domain_queries queries;
	weft_domain_coroutines coroutines;
	bool released_late; /* a coroutine of its own has released what was left: once is enough */
};

_Static_assert(offsetof(weft_domain, run_queue) == 0, "weft_coroutine.h promises it");

/* The base is a domain as well: the main script goes on changing things after the snapshot. */
static weft_domain base_domain = {.refcount = 1};

static weft_domain *in_place(void)
{
	return weft_domain_in_place ? weft_domain_in_place : &base_domain;
}

weft_destructibles *weft_domain_destructibles(void)
{
	return weft_domain_in_place && weft_base_state.taken ? &in_place()->destructibles : NULL;
}

/* --- tables --- */

void weft_domain_needs_tables(void)
{
	weft_domain *domain = weft_domain_in_place;

	if (!domain || domain->tables || domain->request || !weft_base_state.taken || weft_in_autoloader()) {
		return;
	}
	weft_statics_settle();
	weft_c_files_part();
	domain->tables = weft_tables_new(domain->bottom);
	weft_c_files_join();
	weft_base_state.stats.tables++;
}

/* --- life --- */

static void begin_life(weft_domain *domain)
{
	static uint64_t last_id, last_began;

	domain->refcount = 1;
	domain->id = ++last_id;
	last_began = MAX(last_began + 1, weft_lately());
	domain->began = last_began;
}

weft_domain *weft_domain_new(void)
{
	weft_domain *domain = pecalloc(1, sizeof(weft_domain), 1);

	begin_life(domain);
	if (!weft_c_state_captured()) {
		weft_c_state_capture();
	}
	if (!base_domain.c_state) {
		base_domain.c_state = weft_c_state_new_in_place();
		weft_base_undisturbed = false; /* it was never entered */
	}
	domain->c_state = weft_c_state_new();
	return domain;
}

void *weft_domain_begin(void)
{
	return weft_domain_new();
}

void *weft_domain_begin_php_request(void)
{
	weft_domain *domain = weft_domain_new();

	domain->request = weft_php_request_new();
	return domain;
}

void weft_domain_addref(weft_domain *domain)
{
	domain->refcount++;
}

void weft_domain_set_bottom(weft_domain *domain, const zend_execute_data *frame)
{
	domain->bottom = frame;
}

uint64_t weft_domain_id(const weft_domain *domain)
{
	return domain->id;
}

uint64_t weft_domain_began(const weft_domain *domain)
{
	return domain->began;
}

uint32_t weft_domain_references(const weft_domain *domain)
{
	return domain->refcount;
}

/* What lies beside the values, of a domain or of several that are none (`request` and `tables` NULL). */
static void own_enter(weft_php_request *request, weft_tables *tables)
{
	if (UNEXPECTED(tables)) {
		weft_tables_enter(tables);
	}
	if (UNEXPECTED(request)) {
		weft_php_request_enter(request);
	}
}

static void own_leave(weft_php_request *request, weft_tables *tables)
{
	if (UNEXPECTED(request)) {
		weft_php_request_leave(request);
	}
	if (UNEXPECTED(tables)) {
		weft_tables_leave(tables);
	}
}

static void free_values(weft_domain *domain)
{
	if (domain->values.used) {
		weft_slots_destroy(&domain->values);
	}
	weft_hidden_release(&domain->hidden);
	weft_destructors_free(&domain->destructibles);
	free(domain->values.items);
	weft_c_state_free(domain->c_state);
}

/* Nobody may be let in: this may be the end of a coroutine, or the middle of another domain. And nobody is there to
 * catch a fatal error: what it leaves is lost with its worker. */
static void free_request(weft_php_request *request)
{
	weft_no_switch_begin();
	zend_try {
		weft_php_request_empty();
	} zend_end_try();
	EG(active) = true;
	weft_no_switch_end();
	weft_php_request_leave(request);
	weft_php_request_free(request);
}

static void free_what_it_has(weft_domain *domain)
{
	weft_tables *others = weft_tables_in_place;
	weft_php_request *other = weft_php_request_in_place;
	bool apart = domain->tables || domain->request;

	if (apart) {
		own_leave(other, others);
		own_enter(domain->request, domain->tables);
	}
	free_values(domain);
	if (domain->tables) {
		weft_tables_end(domain->tables);
	}
	if (domain->request) {
		free_request(domain->request);
	}
	if (apart) {
		own_enter(other, others);
	}
}

/* What it leaves behind of its memory (garbage, what a fatal error has skipped) is nobody's, that is the base's. */
static void free_domain(weft_domain *domain)
{
	size_t before = weft_memory_end_begins();

	free_what_it_has(domain);
	base_domain.memory += domain->memory + weft_memory_end_is_over(before);
	weft_cpu_time_close(&domain->cpu_time);
	weft_fd_owner_ends(domain);
	free(domain);
}

static void release_in_coroutine(weft_coroutine *coroutine, void *domain)
{
	weft_domain_end(1);
	weft_domain_end_php_request(1);
}

/* The last coroutine of the domain is gone and left values or connections (it outlived its request, say). Their
 * destructors need a stack to run on and the domain in place: one more coroutine does it. */
static bool release_later(weft_domain *domain)
{
	/* a slot that differs from the base again after that would have a coroutine follow the other for ever */
	if (domain->released_late || !weft_coroutine_count() || (EG(flags) & EG_FLAGS_IN_SHUTDOWN)) {
		return false;
	}
	domain->released_late = true;
	weft_coroutine_spawn_in(domain, release_in_coroutine, NULL, NULL);
	return true;
}

static void let_go_of_domain(weft_domain *domain)
{
	if (domain->values.used || domain->destructibles.used || domain->hidden || weft_floors_hold(domain) ||
		(domain->request && !domain->request_ended)) {
		if (release_later(domain)) {
			return;
		}
		weft_floors_let_go(domain);
	}
	weft_children_orphan(domain);
	free_domain(domain);
}

void weft_domain_release(weft_domain *domain)
{
	if (--domain->refcount) {
		return;
	}
	if (weft_domain_in_place == domain) {
		weft_domain_enter(NULL);
	}
	weft_quiet_begin();
	let_go_of_domain(domain);
	weft_base_undisturbed &= weft_quiet_still();
	weft_quiet_end();
}

/* --- switching --- */

/* Every slot has the base's value already, and nobody could have changed that. */
static bool is_undisturbed(const weft_domain *domain)
{
	return domain == &base_domain ? weft_base_undisturbed : weft_quiet_still();
}

static void leave(weft_domain *domain)
{
	if (domain == &base_domain && weft_base_undisturbed) {
		weft_c_state_leave_again(domain->c_state);
	} else {
		weft_c_state_leave(domain->c_state);
	}
	/* who has a PHP request of its own has left the base's values alone */
	if (weft_base_state.taken && !domain->request) {
		weft_slots_leave(&domain->values, is_undisturbed(domain));
		weft_hidden_leave(&domain->hidden);
	}
	own_leave(domain->request, domain->tables);
	weft_quiet_end();
}

static void domain_enter(weft_domain *domain)
{
	weft_base_undisturbed = domain == &base_domain && weft_base_state.taken && !domain->values.used;
	own_enter(domain->request, domain->tables);
	if (weft_base_state.taken && !domain->request) {
		weft_slots_enter(&domain->values);
		weft_hidden_enter(&domain->hidden);
	}
	weft_c_state_enter(domain->c_state);
}

static void prepare_hidden(void)
{
	if (weft_base_state.taken && !weft_php_request_in_place) {
		weft_hidden_prepare(&in_place()->hidden);
	}
}

void weft_domain_enter(weft_domain *domain)
{
	/* belongs to the coroutine: its context saves it, and may not have done so yet */
	int error_reporting = EG(error_reporting);
	weft_domain *before = in_place();
	weft_errors_state errors;
	uint64_t start;

	if (weft_domain_in_place == domain) {
		return;
	}
	start = weft_now_noted();
	weft_cpu_time_end(start);
	weft_errors_quiet_begin(&errors);
	weft_memory_leave(&before->memory);
	prepare_hidden();
	leave(before);
	weft_domain_in_place = domain;
	domain_enter(in_place());
	weft_floors_tell_entered(domain);
	weft_errors_quiet_end(&errors);
	weft_memory_enter(&in_place()->memory);
	EG(error_reporting) = error_reporting;
	weft_base_state.stats.switches++;
	if (weft_histogram_wants(&weft_base_state.stats.whole)) {
		weft_histogram_add(&weft_base_state.stats.whole, weft_now() - start);
	}
	/* the switch itself is the newcomer's */
	weft_cpu_time_begin(&in_place()->cpu_time, start);
}

uint64_t weft_domain_cpu_time(void)
{
	return weft_domain_cpu_time_of(in_place(), weft_now());
}

uint64_t weft_domain_cpu_time_of(const weft_domain *domain, uint64_t now)
{
	return weft_cpu_time_on(&domain->cpu_time, now);
}

weft_domain_coroutines *weft_domain_coroutines_of(weft_domain *domain)
{
	return &domain->coroutines;
}

void weft_domain_charge(weft_domain *domain, zend_long bytes)
{
	weft_memory_charge(&domain->memory, bytes);
}

weft_domain_queries *weft_domain_queries_in_place(void)
{
	return &in_place()->queries;
}

weft_domain_queries weft_domain_queries_of(const weft_domain *domain)
{
	weft_domain_queries queries = domain->queries;

	if (queries.open > 0) {
		queries.time += queries.open * weft_now() - queries.begun;
	}
	return queries;
}

void weft_domain_visit(weft_domain *domain, void (*visit)(void *arg), void *arg)
{
	weft_domain *before = weft_domain_in_place;

	weft_domain_enter(domain);
	weft_memory_lift();
	visit(arg);
	if (weft_domain_in_place == before) {
		weft_memory_limit();
	} else {
		weft_domain_enter(before);
	}
}

/* --- the end of its values --- */

static bool release_dirty_values(void)
{
	weft_private_list list = {0};

	weft_slots_leave(&list, weft_quiet_still());
	if (!list.used) {
		free(list.items);
		if (!weft_quiet_still()) {
			weft_quiet_begin();
		}
		return false;
	}
	weft_quiet_begin();
	weft_slots_destroy(&list);
	weft_report_late_exception();
	return true;
}

/* What the domain keeps in objects of the base outside their slots. The slots are still its own. */
static void release_hidden_state(void)
{
	weft_hidden *hidden = in_place()->hidden;

	if (!weft_base_state.taken || !weft_hidden_count()) {
		return;
	}
	in_place()->hidden = NULL;
	weft_hidden_leave(&hidden);
	weft_hidden_release(&hidden);
	weft_report_late_exception();
}

static void release_all_values(void)
{
	for (int round = 0; weft_base_state.taken && round < WEFT_RELEASE_ROUNDS; round++) {
		if (!release_dirty_values()) {
			break;
		}
	}
}

/* Values first: what floors keep for the domain may be in use by them. */
static void release_values_and_let_go(void)
{
	release_all_values();
	weft_floors_let_go(weft_domain_in_place);
	weft_report_late_exception();
}

static void report_late(void)
{
	weft_report_late_exception();
}

void weft_domain_end_php_request(uint32_t references)
{
	if (!weft_php_request_in_place || in_place()->refcount > references) {
		return;
	}
	in_place()->request_ended = true;
	/* what is closed from here on may run PHP code, a stream filter's, and its coroutine would outlive the tables */
	weft_domain_coroutines_of(weft_domain_in_place)->refused = true;
	weft_c_state_finish();
	report_late();
	/* what is there of it holds objects and resources */
	weft_c_state_renew(in_place()->c_state);
	report_late();
	/* streams of PHP code run it, and may open others */
	for (int round = 0; round < WEFT_RELEASE_ROUNDS && weft_php_request_close(report_late); round++) {
		weft_c_state_renew(in_place()->c_state);
		report_late();
	}
	weft_cancel_no_more(weft_current);
	weft_php_request_empty();
	weft_floors_let_go(weft_domain_in_place);
	report_late();
}

bool weft_domain_has_nothing_to_destruct(void)
{
	return !weft_php_request_in_place && !in_place()->destructibles.used;
}

void weft_domain_destruct(void)
{
	if (weft_php_request_in_place) {
		weft_php_request_destruct();
		weft_report_late_exception();
		return;
	}
	/* destructors may make new objects */
	for (int round = 0; round < WEFT_RELEASE_ROUNDS && weft_destructors_wait(&in_place()->destructibles); round++) {
		weft_destructors_run(&in_place()->destructibles, false);
	}
}

void weft_domain_release_values(void)
{
	if (weft_php_request_in_place) {
		return;
	}
	/* what the output's callbacks and a session's save handler have made */
	weft_domain_destruct();
	release_hidden_state();
	release_values_and_let_go();
	weft_c_state_finish();
	if (in_place()->tables) {
		weft_tables_release_values(in_place()->tables);
		weft_report_late_exception();
	}
	/* a session's save handler and destructors are PHP code, which may have left values and taken connections */
	if (!weft_quiet_still()) {
		release_values_and_let_go();
	}
	if (in_place()->destructibles.used) {
		/* What held them may have been the domain's own, its C state, say. Cycles are garbage now, and whoever ran the
		 * collector would run their destructors in a domain that may not even know their class. */
		weft_destructors_run(&in_place()->destructibles, true);
		release_values_and_let_go();
	}
}

/* --- hooks of the scheduler --- */

static void *hook_inherit(void *parent)
{
	if (parent) {
		weft_domain_addref(parent);
	}
	return parent;
}

static void hook_drop(void *domain)
{
	if (domain) {
		weft_domain_release(domain);
	}
}

static void hook_enter(void *domain)
{
	weft_domain_enter(domain);
}

static void hook_prepare(void)
{
	int error = errno;

	prepare_hidden();
	errno = error;
}

void weft_domain_prepare_when_left(bool prepare)
{
	weft_domains.prepare = prepare ? hook_prepare : NULL;
}

void weft_isolation_minit(void)
{
	weft_domains.inherit = hook_inherit;
	weft_domains.drop = hook_drop;
	weft_domains.enter = hook_enter;
	weft_memory_minit();
	weft_frames_minit();
	weft_stream_contexts_minit();
	weft_c_files_minit();
}

void weft_isolation_mshutdown(void)
{
	weft_memory_mshutdown();
	weft_destructors_mshutdown();
}

void weft_isolation_rinit(void)
{
	weft_c_state_rinit();
	weft_c_files_rinit();
	weft_declarations_rinit();
	weft_cached_closures_rinit();
	weft_lazy_rinit();
	weft_compiling_rinit();
	weft_opcache_rinit();
	weft_destructors_rinit();
}

void weft_isolation_rshutdown(void)
{
	if (weft_domain_in_place) {
		weft_domain_enter(NULL);
	}
	if (base_domain.values.used) {
		weft_slots_enter(&base_domain.values);
	}
	free(base_domain.values.items);
	memset(&base_domain.values, 0, sizeof(base_domain.values));
	weft_hidden_enter(&base_domain.hidden);
	weft_hidden_release(&base_domain.hidden);
	weft_domain_close_leftovers();
	free(base_domain.c_state);
	base_domain.c_state = NULL;
	weft_c_state_forget();
	weft_snapshot_forget();
	weft_compiling_forget();
	weft_shared_forget();
}
