/*
 * Leases a link to a handle, keeps what pins it there, and gives it back to its pool when nothing does.
 */
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_cache.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_methods.h"
#include "pdo/weft_pdo_native.h"
#include "pdo/weft_pdo.h"
#include "domain/weft_domain.h"
#include "php_weft.h"
#include "SAPI.h"
#include "zend_exceptions.h"

/* What the main script's number will be when it becomes a coroutine. */
#define THE_SCRIPT 1

/* id of a coroutine => id of the one whose transaction it was spawned in */
static HashTable joined;
/* Links whose transaction is open; without any, spawning costs nothing. */
static uint32_t transactions;

const weft_coroutine weft_pdo_the_script;

static uint64_t owner_of(const weft_coroutine *coroutine)
{
	zval *found = zend_hash_num_elements(&joined) ? zend_hash_index_find(&joined, coroutine->id) : NULL;

	return found ? (uint64_t) Z_LVAL_P(found) : coroutine->id;
}

static uint64_t own_id(void)
{
	return owner_of(weft_pdo_self());
}

static uint64_t owner_number(const weft_coroutine *self)
{
	return self == &weft_pdo_the_script ? THE_SCRIPT : self->id;
}

bool weft_pdo_was_leased_by(const weft_pdo_link *link, const weft_coroutine *self)
{
	return link->leased_by == owner_number(self);
}

/* --- coroutines come and go --- */

static void coroutine_spawned(const weft_coroutine *parent, const weft_coroutine *child)
{
	uint64_t owner;
	zval value;

	if (EXPECTED(!transactions) || !parent) {
		return;
	}
	owner = owner_of(parent);
	for (const weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (link->owner == owner && link->handle && (link->pins & WEFT_PIN_TRANSACTION)) {
			ZVAL_LONG(&value, (zend_long) owner);
			zend_hash_index_update(&joined, child->id, &value);
			return;
		}
	}
}

static void coroutine_ended(const weft_coroutine *coroutine)
{
	if (zend_hash_num_elements(&joined)) {
		zend_hash_index_del(&joined, coroutine->id);
	}
	for (weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (link->handle && link->owner == coroutine->id) {
			link->owner = 0;
		}
		if (link->leased_by == coroutine->id) {
			link->leased_by = 0;
		}
		if (UNEXPECTED(link->user == coroutine)) {
			/* a fatal error has unwound nothing: who knows what was on its way */
			link->user = NULL;
			link->depth = 0;
			link->broken = true;
			weft_pdo_link_wake(link);
		}
	}
}

/* --- leases --- */

weft_pdo_link *weft_pdo_leased(const weft_pdo_handle *handle)
{
	uint64_t self = own_id();

	for (weft_pdo_link *link = handle->links; link; link = link->next_of_handle) {
		if (link->generation != weft_pdo_generation()) {
			continue;
		}
		if (!handle->pool || link->owner == 0) {
			return link;
		}
		/* a sibling's call that nothing outlasts is no reason to wait */
		if (link->owner == self && (link->pins || link->pending || !link->user || link->user == weft_pdo_self())) {
			return link;
		}
	}
	return NULL;
}

static char *append(char *to, const char *end, const char *text)
{
	size_t length = text ? strnlen(text, (size_t) (end - to)) : 0;

	if (length) {
		memcpy(to, text, length);
	}
	to[length] = '\0';
	return to + length;
}

/* For people who ask who holds the connections. A domain that has just had it still has the same name. */
static void note_holder(weft_pdo_link *link)
{
	uint64_t domain = weft_domain_in_place ? weft_domain_id(weft_domain_in_place) : 0;
	const char *end = link->holder + sizeof(link->holder) - 1;
	char *to = link->holder;

	if (domain && domain == link->holder_domain) {
		return;
	}
	link->holder_domain = domain;
	if (!SG(request_info).request_uri) {
		append(to, end, "a script");
		return;
	}
	to = append(to, end, SG(request_info).request_method);
	to = append(to, end, " ");
	to = append(to, end, SG(request_info).request_uri);
	link->holder[strcspn(link->holder, "?#")] = '\0';
}

void weft_pdo_attach(weft_pdo_handle *handle, weft_pdo_link *link)
{
	link->handle = handle;
	link->domain = weft_domain_in_place;
	link->owner = own_id();
	link->leased_by = owner_number(weft_pdo_self());
	link->leased_at = weft_lately();
	link->next_of_handle = handle->links;
	handle->links = link;
	note_holder(link);
}

static void detach(weft_pdo_link *link)
{
	weft_pdo_link **place = &link->handle->links;

	while (*place != link) {
		place = &(*place)->next_of_handle;
	}
	*place = link->next_of_handle;
	link->handle = NULL;
	link->domain = NULL;
	link->owner = 0;
	link->leased_by = 0;
}

static void unpin_transaction(weft_pdo_link *link)
{
	if (link->pins & WEFT_PIN_TRANSACTION) {
		link->pins &= ~WEFT_PIN_TRANSACTION;
		transactions--;
	}
}

void weft_pdo_give_back(weft_pdo_link *link)
{
	const void *domain = link->domain;

	unpin_transaction(link);
	detach(link);
	if (link->pool) {
		weft_pdo_pool_release(link, domain);
	} else {
		weft_pdo_link_close(link);
	}
}

static bool lease_wait(weft_pdo_link *link)
{
	weft_wait_info wait = {.what = "the database connection of its transaction", .fd = -1, .on = link};
	weft_pdo_waiter waiter = {.coroutine = weft_current}, **last;
	int result;

	if (!weft_can_suspend()) {
		weft_pdo_throw("HY010", "Another coroutine is using the connection, and this code can't wait for it");
		return false;
	}
	link->references++;
	last = &link->waiters;
	while (*last) {
		last = &(*last)->next;
	}
	*last = &waiter;
	result = weft_suspend(&wait);
	for (weft_pdo_waiter **place = &link->waiters; *place; place = &(*place)->next) {
		if (*place == &waiter) {
			*place = waiter.next;
			break;
		}
	}
	weft_pdo_link_release(link);
	return result == 0;
}

/* NULL with an exception. */
static weft_pdo_link *lease_begin(weft_pdo_link *link)
{
	link->user = weft_pdo_self();
	if (link->depth++ == 0) {
		link->cuts = weft_pdo_self()->waits_cut;
		link->last_used = weft_lately();
		link->leased_by = link->leased_by ? link->leased_by : owner_number(weft_pdo_self());
		weft_pdo_link_count_sends(link);
		strcpy(link->dbh->error_code, PDO_ERR_NONE);
		link->dbh->error_mode = link->handle->dbh->error_mode;
		link->dbh->default_fetch_type = link->handle->dbh->default_fetch_type;
		weft_pdo_cache_tell(link);
		if (UNEXPECTED(weft_pdo_was_cut_short(link))) {
			weft_pdo_settle(link);
			return NULL;
		}
		/* else getWarningCount() would tell another handle's */
		weft_pdo_native_set_warnings(link->dbh, link->driver->client, link->handle->warnings);
	}
	return link;
}

/* Whether it begins as the boot has left the handle. */
static bool begins_as_in_base(const weft_pdo_handle *handle, weft_pdo_link *link)
{
	const weft_pdo_handle *model = handle->model;

	return !model ||
		((!model->links || weft_pdo_memory_copy(handle->driver, model->links->dbh, link->dbh)) &&
			weft_pdo_methods_repeat(model, link));
}

/* A handle without a pool, in a domain that has no link of it yet. */
static weft_pdo_link *open_own(weft_pdo_handle *handle)
{
	zend_object *hidden = weft_pdo_link_open(handle->own_argument_count, handle->own_arguments,
		handle->own_environment);
	weft_pdo_profile *root = handle->profile;
	weft_pdo_link *link;

	if (!hidden) {
		return NULL;
	}
	while (root->parent) {
		root = root->parent;
	}
	link = weft_pdo_link_new(hidden, handle->driver, NULL, root);
	if (begins_as_in_base(handle, link) && weft_pdo_link_adapt(link, handle->profile)) {
		return link;
	}
	weft_pdo_link_close(link);
	return NULL;
}

static weft_pdo_link *lease_another(weft_pdo_handle *handle, weft_pdo_link *wanted, bool only_wanted)
{
	weft_pdo_link *link;

	if (handle->closed) {
		zend_throw_error(NULL, "This PDO object's connection is closed: the request that opened it has ended");
		return NULL;
	}
	link = handle->pool ? weft_pdo_pool_acquire(handle->pool, handle->profile, wanted, only_wanted) : open_own(handle);
	if (link) {
		weft_pdo_attach(handle, link);
	}
	return link;
}

/* Nothing would be missed on another link: PostgreSQL says that lastval() is not yet defined there, MySQL says 0. */
static bool is_replaceable(const weft_pdo_link *link)
{
	uint32_t missed = link->driver->dialect == WEFT_SQL_MYSQL ? link->pins : link->pins & ~WEFT_PIN_SEQUENCE;

	return link->pool && !missed && !link->pending && !link->in_transaction;
}

bool weft_pdo_is_dead(weft_pdo_link *link)
{
	return is_replaceable(link) && !weft_pdo_link_is_alive(link, weft_lately());
}

static weft_pdo_link *refuse_broken(void)
{
	weft_pdo_throw("08006", "No connection to the server: it was lost in the middle of a transaction; roll back");
	return NULL;
}

weft_pdo_link *weft_pdo_lease(weft_pdo_handle *handle, weft_pdo_link *wanted)
{
	weft_pdo_link *link;

	while ((link = weft_pdo_leased(handle))) {
		if (link->broken) {
			return refuse_broken();
		}
		if (!link->user && weft_pdo_is_dead(link)) {
			link->broken = true;
			weft_pdo_give_back(link);
			continue;
		}
		if (!link->user || link->user == weft_pdo_self()) {
			return lease_begin(link);
		}
		if (!lease_wait(link)) {
			return NULL;
		}
	}
	link = lease_another(handle, wanted, false);
	return link ? lease_begin(link) : NULL;
}

static weft_pdo_link *lease_only(weft_pdo_handle *handle, weft_pdo_link *link)
{
	/* when another handle of the same request has it, the call comes in between: to wait would be to wait for itself */
	while (link->handle == handle || (link->handle && link->domain == weft_domain_in_place)) {
		if (link->broken) {
			return refuse_broken();
		}
		if (!link->user || link->user == weft_pdo_self()) {
			return lease_begin(link);
		}
		if (!lease_wait(link)) {
			return NULL;
		}
	}
	link = lease_another(handle, link, true);
	return link ? lease_begin(link) : NULL;
}

weft_pdo_link *weft_pdo_lease_only(weft_pdo_handle *handle, weft_pdo_link *link)
{
	weft_pdo_link *leased;

	if (!handle->pool) {
		return weft_pdo_lease(handle, link);
	}
	link->references++;
	leased = lease_only(handle, link);
	weft_pdo_link_release(link);
	return leased;
}

static void note_transaction(weft_pdo_link *link, bool now)
{
	if (now && !link->in_transaction) {
		link->transaction++;
	}
	/* with it ends what was set for it alone */
	if (!now && link->in_transaction && (link->pins & WEFT_PIN_TOUCHED)) {
		link->settings++;
	}
	link->in_transaction = now;
	if (!now) {
		unpin_transaction(link);
	} else if (!(link->pins & WEFT_PIN_TRANSACTION)) {
		link->pins |= WEFT_PIN_TRANSACTION;
		transactions++;
	}
}

static void note_session(weft_pdo_link *link)
{
	weft_native_session session = weft_pdo_native_session_state(link->dbh, link->driver->client);

	note_transaction(link, weft_pdo_driver_is_in_transaction(link, session));
	if (session == WEFT_NATIVE_BUSY) {
		link->pins |= WEFT_PIN_RESULTS;
	} else {
		link->pins &= ~WEFT_PIN_RESULTS;
	}
}

bool weft_pdo_is_held(const weft_pdo_link *link)
{
	return link->pins || link->pending || !link->pool || (WEFT_G(pdo_lease_request) && link->domain);
}

void weft_pdo_settle(weft_pdo_link *link)
{
	if (--link->depth) {
		return;
	}
	link->broken = link->broken || weft_pdo_was_cut_short(link);
	link->user = NULL;
	if (!link->broken) {
		note_session(link);
	}
	if (link->handle) {
		link->handle->warnings = weft_pdo_native_warnings(link->dbh, link->driver->client);
	}
	weft_pdo_link_wake(link);
	/* With a transaction it stays though it is broken: what follows must not run outside of one. */
	if (link->broken ? !(link->pins & WEFT_PIN_TRANSACTION) : !weft_pdo_is_held(link)) {
		weft_pdo_give_back(link);
	}
}

bool weft_pdo_may_start_over(weft_pdo_link *link)
{
	if (!link->broken || EG(exception) || link->depth != 1 || !is_replaceable(link) ||
		!weft_pdo_link_has_sent_nothing(link)) {
		return false;
	}
	weft_pdo_settle(link);
	return true;
}

bool weft_pdo_drop_lost_transaction(weft_pdo_handle *handle)
{
	weft_pdo_link *link = weft_pdo_leased(handle);

	if (!link || !link->broken || link->user) {
		return false;
	}
	weft_pdo_give_back(link);
	weft_pdo_throw("08006", "No connection to the server: it was lost in the middle of this transaction");
	return true;
}

void weft_pdo_lease_finish(weft_pdo_link *link)
{
	if (link->user && link->user != weft_pdo_self()) {
		link->broken = true;
	}
	/* Cleaning waits, and somebody else may finish it meanwhile: the collector has come upon its PDO object. */
	link->references++;
	link->user = weft_pdo_self();
	link->depth = 1;
	unpin_transaction(link);
	if (!link->broken && !weft_pdo_link_clean(link)) {
		link->broken = true;
	}
	if (link->handle) {
		link->depth = 0;
		link->user = NULL;
		weft_pdo_link_wake(link);
		weft_pdo_give_back(link);
	}
	weft_pdo_link_release(link);
}

void weft_pdo_lease_minit(void)
{
	zend_hash_init(&joined, 8, NULL, NULL, 1);
	weft_coroutine_observe(coroutine_spawned, coroutine_ended);
}

void weft_pdo_lease_rshutdown(void)
{
	zend_hash_clean(&joined);
}
