#include "pdo/weft_pdo_handle.h"
#include "pdo/weft_pdo_cache.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_native.h"
#include "pdo/weft_pdo.h"
#include "isolation/weft_domain.h"
#include "php_weft.h"
#include "SAPI.h"
#include "zend_exceptions.h"

/* A PDO object of the base and what it is in other domains. */
typedef struct {
	zend_object *object;
	pdo_dbh_t *own;
	HashTable views; /* domain => pdo_dbh_t */
} base_object;

/* object handle => base_object */
static HashTable base_objects;
/* id of a coroutine => id of the one whose transaction it was spawned in */
static HashTable joined;
static weft_pdo_handle *handles;
/* Links whose transaction is open; without any, spawning costs nothing. */
static uint32_t transactions;

static const weft_coroutine the_script;

const weft_coroutine *weft_pdo_self(void)
{
	return weft_current ? weft_current : &the_script;
}

static uint64_t owner_of(const weft_coroutine *coroutine)
{
	zval *found = zend_hash_num_elements(&joined) ? zend_hash_index_find(&joined, coroutine->id) : NULL;

	return found ? (uint64_t) Z_LVAL_P(found) : coroutine->id;
}

static uint64_t own_id(void)
{
	return owner_of(weft_pdo_self());
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
	while (text && *text && to < end) {
		*to++ = *text++;
	}
	*to = '\0';
	return to;
}

/* For people who ask who holds the connections. */
static void note_holder(weft_pdo_link *link)
{
	const char *end = link->holder + sizeof(link->holder) - 1;
	char *to = link->holder;

	if (!SG(request_info).request_uri) {
		append(to, end, "a script");
		return;
	}
	to = append(to, end, SG(request_info).request_method);
	to = append(to, end, " ");
	append(to, end, SG(request_info).request_uri);
}

static void attach(weft_pdo_handle *handle, weft_pdo_link *link)
{
	link->handle = handle;
	link->domain = weft_domain_in_place;
	link->owner = own_id();
	link->leased_at = weft_now();
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
}

static void unpin_transaction(weft_pdo_link *link)
{
	if (link->pins & WEFT_PIN_TRANSACTION) {
		link->pins &= ~WEFT_PIN_TRANSACTION;
		transactions--;
	}
}

/* The lease is over; the link is clean, or broken. */
static void give_back(weft_pdo_link *link)
{
	unpin_transaction(link);
	detach(link);
	if (link->pool) {
		weft_pdo_pool_release(link);
	} else {
		weft_pdo_link_close(link);
	}
}

static bool wait_for(weft_pdo_link *link)
{
	weft_wait_info wait = {.what = "the database connection of its transaction", .fd = -1, .on = link};
	weft_pdo_waiter waiter = {.coroutine = weft_current};
	int result;

	if (!weft_can_suspend()) {
		weft_pdo_throw("HY010", "Another coroutine is using the connection, and this code can't wait for it");
		return false;
	}
	link->references++;
	waiter.link = &link->waiters;
	while (*waiter.link) {
		waiter.link = &(*waiter.link)->next;
	}
	*waiter.link = &waiter;
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

static weft_pdo_link *begin(weft_pdo_link *link)
{
	link->user = weft_pdo_self();
	if (link->depth++ == 0) {
		link->last_used = weft_now();
		strcpy(link->dbh->error_code, PDO_ERR_NONE);
		link->dbh->error_mode = link->handle->dbh->error_mode;
		link->dbh->default_fetch_type = link->handle->dbh->default_fetch_type;
		weft_pdo_cache_tell(link);
	}
	return link;
}

/* A handle without a pool, in a domain that has no link of it yet. */
static weft_pdo_link *open_own(weft_pdo_handle *handle)
{
	zend_object *hidden = weft_pdo_link_open(handle->own_argument_count, handle->own_arguments);
	weft_pdo_profile *root = handle->profile;
	weft_pdo_link *link;

	if (!hidden) {
		return NULL;
	}
	while (root->parent) {
		root = root->parent;
	}
	link = weft_pdo_link_new(hidden, handle->driver, NULL, root);
	if (weft_pdo_link_adapt(link, handle->profile)) {
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
	link = handle->pool ? weft_pdo_pool_acquire(handle->pool, handle->profile, wanted, only_wanted)
						: open_own(handle);
	if (link) {
		attach(handle, link);
	}
	return link;
}

weft_pdo_link *weft_pdo_lease(weft_pdo_handle *handle, weft_pdo_link *wanted, bool only_wanted)
{
	weft_pdo_link *link;

	while ((link = weft_pdo_leased(handle))) {
		if (link->broken) {
			weft_pdo_throw("08006",
				"No connection to the server: it was lost in the middle of a transaction; roll back");
			return NULL;
		}
		if (!link->user || link->user == weft_pdo_self()) {
			return begin(link);
		}
		if (!wait_for(link)) {
			return NULL;
		}
	}
	link = lease_another(handle, wanted, only_wanted);
	return link ? begin(link) : NULL;
}

static void note_transaction(weft_pdo_link *link)
{
	bool now = weft_pdo_driver_in_transaction(link);

	if (now && !link->in_transaction) {
		link->transaction++;
	}
	link->in_transaction = now;
	if (!now) {
		unpin_transaction(link);
	} else if (!(link->pins & WEFT_PIN_TRANSACTION)) {
		link->pins |= WEFT_PIN_TRANSACTION;
		transactions++;
	}
}

static void note_results(weft_pdo_link *link)
{
	if (weft_pdo_native_is_ready(link->dbh, link->driver->dialect)) {
		link->pins &= ~WEFT_PIN_RESULTS;
	} else {
		link->pins |= WEFT_PIN_RESULTS;
	}
}

static bool is_held(const weft_pdo_link *link)
{
	return link->pins || link->pending || !link->pool || (WEFT_G(pdo_lease_request) && link->domain);
}

void weft_pdo_settle(weft_pdo_link *link)
{
	if (--link->depth) {
		return;
	}
	link->user = NULL;
	if (!link->broken) {
		note_transaction(link);
		note_results(link);
	}
	weft_pdo_link_wake(link);
	/* With a transaction it stays though it is broken: what follows must not run outside of one. */
	if (link->broken ? !(link->pins & WEFT_PIN_TRANSACTION) : !is_held(link)) {
		give_back(link);
	}
}

bool weft_pdo_drop_lost_transaction(weft_pdo_handle *handle)
{
	weft_pdo_link *link = weft_pdo_leased(handle);

	if (!link || !link->broken || link->user) {
		return false;
	}
	give_back(link);
	weft_pdo_throw("08006", "No connection to the server: it was lost in the middle of this transaction");
	return true;
}

/* Ends a lease that something may hold. */
static void finish(weft_pdo_link *link)
{
	if (link->user && link->user != weft_pdo_self()) {
		link->broken = true;
	}
	link->user = weft_pdo_self();
	link->depth = 1;
	unpin_transaction(link);
	if (!link->broken && !weft_pdo_link_clean(link)) {
		link->broken = true;
	}
	link->depth = 0;
	link->user = NULL;
	weft_pdo_link_wake(link);
	give_back(link);
}

/* --- handles --- */

weft_pdo_handle *weft_pdo_handle_new(pdo_dbh_t *dbh, weft_pdo_driver *driver, weft_pdo_pool *pool,
	const pdo_dbh_t *pristine)
{
	weft_pdo_handle *handle = pecalloc(1, sizeof(*handle), 1);

	*dbh = *pristine;
	dbh->methods = &driver->methods;
	dbh->driver_data = handle;
	dbh->driver = (pdo_driver_t *) driver->driver;
	dbh->data_source = pristine->data_source ? estrdup(pristine->data_source) : NULL;
	dbh->username = pristine->username ? estrdup(pristine->username) : NULL;
	dbh->password = pristine->password ? estrdup(pristine->password) : NULL;
	Z_TRY_ADDREF(dbh->def_stmt_ctor_args);
	dbh->query_stmt = NULL;
	dbh->is_persistent = false;
	dbh->persistent_id = NULL;
	memset(dbh->cls_methods, 0, sizeof(dbh->cls_methods));
	handle->dbh = dbh;
	handle->driver = driver;
	handle->pool = pool;
	handle->profile = pool ? &pool->root : &handle->own_root;
	ZVAL_UNDEF(&handle->error);
	handle->domain = weft_domain_in_place;
	handle->next = handles;
	handle->place = &handles;
	if (handles) {
		handles->place = &handle->next;
	}
	handles = handle;
	return handle;
}

void weft_pdo_handle_own(weft_pdo_handle *handle, weft_pdo_link *link, uint32_t count, zval *arguments)
{
	handle->own_argument_count = count;
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY_DEREF(&handle->own_arguments[i], &arguments[i]);
	}
	if (link) {
		attach(handle, link);
	}
}

void weft_pdo_handle_end_leases(weft_pdo_handle *handle)
{
	/* closing may wait, and others run meanwhile: look anew after each */
	while (handle->links) {
		weft_pdo_statements_finish(handle->links, NULL, true);
		finish(handle->links);
	}
}

void weft_pdo_handle_free(weft_pdo_handle *handle)
{
	weft_pdo_handle_end_leases(handle);
	*handle->place = handle->next;
	if (handle->next) {
		handle->next->place = handle->place;
	}
	for (weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (link->sequence_owner == handle) {
			link->sequence_owner = NULL;
		}
	}
	for (uint32_t i = 0; i < handle->own_argument_count; i++) {
		zval_ptr_dtor(&handle->own_arguments[i]);
	}
	weft_pdo_profile_free_children(&handle->own_root);
	if (handle->last_id) {
		zend_string_release(handle->last_id);
	}
	zval_ptr_dtor(&handle->error);
	free(handle);
}

/* --- objects of the base, as other domains see them --- */

static zend_ulong key_of(const void *domain)
{
	return (zend_ulong) (uintptr_t) domain >> 4;
}

static pdo_dbh_t *new_view(const base_object *base)
{
	const weft_pdo_handle *model = base->own->driver_data;
	pdo_dbh_t *view = ecalloc(1, sizeof(*view));
	weft_pdo_handle *handle = weft_pdo_handle_new(view, model->driver, model->pool, base->own);

	strcpy(view->error_code, PDO_ERR_NONE);
	view->in_txn = false;
	handle->profile = model->profile;
	if (!model->pool) {
		weft_pdo_handle_own(handle, NULL, model->own_argument_count, (zval *) model->own_arguments);
	}
	return view;
}

static void free_view(pdo_dbh_t *view)
{
	if (view->query_stmt) {
		zval_ptr_dtor(&view->query_stmt_zval);
	}
	weft_pdo_handle_free(view->driver_data);
	efree((char *) view->data_source);
	if (view->username) {
		efree(view->username);
	}
	if (view->password) {
		efree(view->password);
	}
	zval_ptr_dtor(&view->def_stmt_ctor_args);
	for (int i = 0; i < PDO_DBH_DRIVER_METHOD_KIND__MAX; i++) {
		if (view->cls_methods[i]) {
			zend_hash_destroy(view->cls_methods[i]);
			efree(view->cls_methods[i]);
		}
	}
	efree(view);
}

void weft_pdo_handle_of_base(zend_object *object)
{
	base_object *base = pecalloc(1, sizeof(*base), 1);

	base->object = object;
	base->own = php_pdo_dbh_fetch_inner(object);
	zend_hash_init(&base->views, 8, NULL, NULL, 1);
	zend_hash_index_update_ptr(&base_objects, object->handle, base);
}

void weft_pdo_handle_forget_object(zend_object *object)
{
	base_object *base = zend_hash_num_elements(&base_objects)
		? zend_hash_index_find_ptr(&base_objects, object->handle) : NULL;
	pdo_dbh_t *view;

	if (!base) {
		return;
	}
	zend_hash_index_del(&base_objects, object->handle);
	php_pdo_dbh_fetch_object(object)->inner = base->own;
	ZEND_HASH_FOREACH_PTR(&base->views, view) {
		free_view(view);
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_destroy(&base->views);
	free(base);
}

static void enter_domain(weft_domain *domain)
{
	base_object *base;

	if (EXPECTED(!zend_hash_num_elements(&base_objects)) || !weft_snapshot_taken()) {
		return;
	}
	ZEND_HASH_FOREACH_PTR(&base_objects, base) {
		pdo_dbh_t *view = domain ? zend_hash_index_find_ptr(&base->views, key_of(domain)) : base->own;

		if (!view) {
			view = new_view(base);
			zend_hash_index_add_new_ptr(&base->views, key_of(domain), view);
		}
		php_pdo_dbh_fetch_object(base->object)->inner = view;
	}
	ZEND_HASH_FOREACH_END();
}

/* --- the end of a domain --- */

static weft_pdo_link *leased_to(const void *domain)
{
	for (weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (link->handle && link->domain == domain && link->generation == weft_pdo_generation()) {
			return link;
		}
	}
	return NULL;
}

static bool has_statements_of(const void *domain)
{
	for (weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (weft_pdo_statements_of(link, domain)) {
			return true;
		}
	}
	return false;
}

static void end_views(const void *domain)
{
	base_object *base;

	ZEND_HASH_FOREACH_PTR(&base_objects, base) {
		pdo_dbh_t *view = zend_hash_index_find_ptr(&base->views, key_of(domain));

		if (view) {
			zend_hash_index_del(&base->views, key_of(domain));
			if (php_pdo_dbh_fetch_inner(base->object) == view) {
				php_pdo_dbh_fetch_object(base->object)->inner = base->own;
			}
			free_view(view);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static bool has_handles(const void *domain)
{
	for (const weft_pdo_handle *handle = handles; handle; handle = handle->next) {
		if (handle->domain == domain) {
			return true;
		}
	}
	return false;
}

/* Garbage that the collector has not found yet. Without a snapshot every value is shared, and the next request uses
 * the same objects. The address of the domain may be a new one's soon. */
static void close_handles(const void *domain)
{
	for (weft_pdo_handle *handle = handles; handle; handle = handle->next) {
		if (handle->domain == domain) {
			handle->domain = NULL;
			handle->closed = weft_snapshot_taken();
		}
	}
}

static void end_lease_of_domain(weft_pdo_link *link)
{
	if (!link->pool && !weft_snapshot_taken()) {
		link->domain = NULL;
		return;
	}
	finish(link);
}

static void domain_ends(weft_domain *domain)
{
	weft_pdo_link *link;

	for (link = weft_pdo_links; link;) {
		if (weft_pdo_statements_of(link, domain) && (link->pool || weft_snapshot_taken())) {
			weft_pdo_statements_finish(link, domain, false);
			link = weft_pdo_links; /* it may have waited */
		} else {
			link = link->next;
		}
	}
	while ((link = leased_to(domain))) {
		end_lease_of_domain(link);
	}
	end_views(domain);
	close_handles(domain);
}

static bool has_view(const void *domain)
{
	base_object *base;

	ZEND_HASH_FOREACH_PTR(&base_objects, base) {
		if (zend_hash_index_exists(&base->views, key_of(domain))) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static bool domain_holds(weft_domain *domain)
{
	return leased_to(domain) || has_statements_of(domain) || has_view(domain) || has_handles(domain);
}

void weft_pdo_handle_minit(void)
{
	zend_hash_init(&base_objects, 8, NULL, NULL, 1);
	zend_hash_init(&joined, 8, NULL, NULL, 1);
	weft_domain_on_end(domain_holds, domain_ends);
	weft_domain_on_enter(enter_domain);
	weft_coroutine_observe(coroutine_spawned, coroutine_ended);
}

static void forget_views(void)
{
	base_object *base;

	ZEND_HASH_FOREACH_PTR(&base_objects, base) {
		php_pdo_dbh_fetch_object(base->object)->inner = base->own;
	}
	ZEND_HASH_FOREACH_END();
}

void weft_pdo_handle_rshutdown(void)
{
	weft_pdo_link *link;

	forget_views();
	for (link = weft_pdo_links; link;) {
		weft_pdo_link *next = link->next;

		link->references++;
		weft_pdo_statements_finish(link, NULL, true);
		if (link->handle) {
			link->broken = true;
			give_back(link);
		}
		weft_pdo_link_release(link);
		link = next;
	}
	zend_hash_clean(&joined);
}
