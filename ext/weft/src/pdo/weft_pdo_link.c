/*
 * A physical connection: opened in a hidden PDO object, brought to the state of a profile, reset after a request,
 * tested for life, and closed, or let alone in a process that did not open it.
 */
#include "pdo/weft_pdo_pool.h"
#include "pdo/weft_pdo.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_dry_run.h"
#include "pdo/weft_pdo_environment.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_list.h"
#include "pdo/weft_pdo_native.h"
#include "pdo/weft_pdo_cache.h"
#include "domain/weft_php_request.h"
#include "php_weft.h"
#include "zend_exceptions.h"
#include "reactor/weft_reactor.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

/* A link that served a moment ago is not asked whether it still lives. */
#define FRESH_NS UINT64_C(100000000)

weft_pdo_link *weft_pdo_links;

static uint32_t generation;

uint32_t weft_pdo_generation(void)
{
	return generation;
}

static void link_abandon(weft_pdo_link *link)
{
	link->dbh->methods = NULL;
	link->dbh->driver_data = NULL;
}

bool weft_pdo_link_is_abandoned(const weft_pdo_link *link)
{
	return !link->dbh->methods;
}

/* The sockets belong to the parent. Nothing may be sent on them, not even a good-bye. */
static void link_after_fork_in_child(void)
{
	int nowhere;

	generation++;
	if (!weft_pdo_links) {
		return;
	}
	nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		link->broken = true;
		if (!weft_pdo_link_is_abandoned(link) && !weft_pdo_memory_outlives_fork(link->driver, link->dbh) &&
			!weft_pdo_native_cut_off(link->dbh, link->driver->client, nowhere)) {
			link_abandon(link);
		}
	}
	close(nowhere);
}

void weft_pdo_link_minit(void)
{
	pthread_atfork(NULL, NULL, link_after_fork_in_child);
}

static uint64_t lifetime(void)
{
	/* so that links opened together don't end together */
	double jitter = 0.9 + (double) (weft_now() % 1000) / 5000.0;

	return (uint64_t) ((double) WEFT_G(pdo_max_life) * (double) WEFT_NS_PER_SEC * jitter);
}

weft_pdo_link *weft_pdo_link_new(zend_object *hidden, weft_pdo_driver *driver, weft_pdo_pool *pool,
	weft_pdo_profile *root)
{
	weft_pdo_link *link = pecalloc(1, sizeof(*link), 1);

	link->pool = pool;
	if (pool) {
		weft_pdo_pool_hold(pool);
	}
	link->driver = driver;
	link->hidden = hidden;
	link->dbh = php_pdo_dbh_fetch_inner(hidden);
	link->generation = generation;
	link->socket = weft_pdo_native_socket(link->dbh, driver->client);
	link->references = 1;
	link->profile = root;
	link->opened_at = weft_lately();
	link->last_used = link->opened_at;
	link->expires_at = link->opened_at + lifetime();
	weft_pdo_cache_init(link);
	WEFT_PDO_LIST_ADD(&weft_pdo_links, link);
	return link;
}

void weft_pdo_link_restore_end(void)
{
	if (weft_current && weft_current->unwinds && !zend_is_graceful_exit(EG(exception))) {
		zend_clear_exception();
		zend_throw_graceful_exit();
	}
}

/* A PHP request's objects go with it, and the connection does not: no list has this one. The first place of a list is
 * never an object's. */
static void leave_objects_of_request(zend_object *hidden)
{
	ZEND_OBJECTS_STORE_ADD_TO_FREE_LIST(hidden->handle);
	hidden->handle = 0;
	GC_ADD_FLAGS(hidden, GC_NOT_COLLECTABLE);
}

zend_object *weft_pdo_hidden_new(zend_class_entry *ce)
{
	zval hidden;

	if (object_init_ex(&hidden, ce) != SUCCESS) {
		return NULL;
	}
	if (weft_php_request_in_place) {
		leave_objects_of_request(Z_OBJ(hidden));
	}
	return Z_OBJ(hidden);
}

void weft_pdo_hidden_free(zend_object *hidden)
{
	if (hidden->handle) {
		zend_objects_store_del(hidden);
		return;
	}
	GC_SET_REFCOUNT(hidden, 1);
	hidden->handlers->free_obj(hidden);
	efree((char *) hidden - hidden->handlers->offset);
}

/* The class is PDO itself, so that no constructor of the application runs. */
zend_object *weft_pdo_link_open(uint32_t count, zval *arguments, const zend_string *environment)
{
	zend_class_entry *pdo = weft_pdo_class();
	weft_pdo_environment_loan loan;
	zend_object *hidden = weft_pdo_hidden_new(pdo);
	bool complete = false;

	if (!hidden) {
		return NULL;
	}
	weft_pdo_environment_lend(&loan, environment, &arguments[0]);
	zend_try
	{
		zend_call_known_function(weft_pdo_original_constructor(), hidden, pdo, NULL, count, arguments, NULL);
		complete = true;
	}
	zend_end_try();
	weft_pdo_environment_take_back(&loan);
	if (!complete) {
		zend_bailout();
	}
	if (EG(exception)) {
		weft_pdo_hidden_release(hidden);
		weft_pdo_link_restore_end();
		return NULL;
	}
	return hidden;
}

void weft_pdo_link_release(weft_pdo_link *link)
{
	if (--link->references) {
		return;
	}
	weft_pdo_cache_free(link);
	WEFT_PDO_LIST_REMOVE(link);
	if (link->last_sql) {
		zend_string_release(link->last_sql);
	}
	weft_pdo_hidden_release(link->hidden);
	if (link->pool) {
		weft_pdo_pool_let_go(link->pool);
	}
	free(link);
}

void weft_pdo_link_wake(weft_pdo_link *link)
{
	for (weft_pdo_waiter *waiter = link->waiters; waiter; waiter = waiter->next) {
		weft_wake(waiter->coroutine);
	}
}

void weft_pdo_link_close(weft_pdo_link *link)
{
	link->broken = true;
	weft_pdo_link_release(link);
}

void weft_pdo_note_sql(weft_pdo_link *link, zend_string *sql)
{
	if (link->last_sql) {
		zend_string_release(link->last_sql);
	}
	link->last_sql = zend_string_copy(sql);
}

/* --- profiles --- */

static bool set_attribute(weft_pdo_link *link, const weft_pdo_profile *step)
{
	zval value;

	ZVAL_COPY_VALUE(&value, &step->value);
	return link->dbh->methods->set_attribute && link->dbh->methods->set_attribute(link->dbh, step->attribute, &value);
}

static bool take_step(weft_pdo_link *link, weft_pdo_profile *step)
{
	bool done = step->sql ? link->dbh->methods->doer(link->dbh, step->sql) >= 0 : set_attribute(link, step);

	if (done) {
		link->profile = step;
	} else if (!EG(exception)) {
		weft_pdo_driver_throw(link);
	}
	return done;
}

bool weft_pdo_link_adapt(weft_pdo_link *link, weft_pdo_profile *profile)
{
	if (EXPECTED(link->profile == profile)) {
		return true;
	}
	if (!weft_pdo_profile_is_ancestor(link->profile, profile)) {
		link->pins |= WEFT_PIN_TOUCHED;
		if (!weft_pdo_link_clean(link) || !weft_pdo_profile_is_ancestor(link->profile, profile)) {
			return false;
		}
	}
	while (link->profile != profile) {
		weft_pdo_profile *step = profile;

		while (step->parent != link->profile) {
			step = step->parent;
		}
		if (!take_step(link, step)) {
			return false;
		}
	}
	return true;
}

/* --- before somebody else gets it --- */

static bool reset(weft_pdo_link *link)
{
	zend_string *discard;
	bool done;

	/* attributes are not the server's to reset */
	if (link->profile->attributes || link->attributes_changed) {
		return false;
	}
	weft_pdo_cache_forget(link);
	link->resets++;
	if (link->driver->dialect != WEFT_SQL_POSTGRESQL) {
		return weft_pdo_native_reset(link->dbh, link->driver->client, !link->pool || link->pool->pristine.auto_commit);
	}
	discard = zend_string_init(ZEND_STRL("DISCARD ALL"), 0);
	done = link->dbh->methods->doer(link->dbh, discard) >= 0;
	zend_string_release(discard);
	/* the library has taken in what came for LISTEN, and would give it to the next who listens */
	return done && weft_pdo_native_forget_notifications(link->dbh, link->driver->client);
}

static weft_pdo_profile *root_of(weft_pdo_profile *profile)
{
	while (profile->parent) {
		profile = profile->parent;
	}
	return profile;
}

bool weft_pdo_link_clean(weft_pdo_link *link)
{
	if (link->broken || link->generation != generation || link->pending ||
		!weft_pdo_native_is_ready(link->dbh, link->driver->client)) {
		return false;
	}
	link->cuts = weft_pdo_self()->waits_cut;
	if (weft_pdo_driver_in_transaction(link)) {
		if (!link->dbh->methods->rollback || !link->dbh->methods->rollback(link->dbh)) {
			return false;
		}
		link->dbh->in_txn = false;
	}
	weft_pdo_dry_run_over(link);
	if (link->pins & WEFT_PIN_TOUCHED) {
		if (!reset(link)) {
			return false;
		}
		link->profile = root_of(link->profile);
		link->sequence_owner = NULL;
		link->sequence_moved = false;
		if (link->pool) {
			link->dbh->auto_commit = link->pool->pristine.auto_commit;
		}
	}
	link->pins = 0;
	link->in_transaction = false;
	return link->cuts == weft_pdo_self()->waits_cut && !weft_pdo_driver_in_transaction(link);
}

/* --- whether it lives --- */

/* The reactor has looked since, or is about to. */
bool weft_pdo_link_is_surely_alive(const weft_pdo_link *link, uint64_t now)
{
	const weft_fd *known = link->socket >= 0 ? weft_fd_peek(link->socket) : NULL;

	return known && known->registered && now - link->last_used < FRESH_NS &&
		!(known->ready & (WEFT_IN | WEFT_RDHUP | WEFT_HUP | WEFT_ERR));
}

bool weft_pdo_link_is_alive(weft_pdo_link *link, uint64_t now)
{
	int fd = link->socket;
	ssize_t got;
	char byte;

	if (fd < 0 || weft_pdo_link_is_surely_alive(link, now)) {
		return true;
	}
	got = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	if (got > 0) {
		return weft_pdo_native_unexpected_input(link->dbh, link->driver->client) == WEFT_NATIVE_ALIVE;
	}
	if (got == 0) {
		return false;
	}
	if (errno == EAGAIN || errno == EWOULDBLOCK) {
		weft_fd_drained(fd, WEFT_IN);
	}
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTSOCK;
}

void weft_pdo_link_count_sends(weft_pdo_link *link)
{
	const weft_fd *known = link->socket >= 0 ? weft_fd_get(link->socket) : NULL;

	link->sends = known ? known->sends : 0;
}

bool weft_pdo_link_has_sent_nothing(const weft_pdo_link *link)
{
	const weft_fd *known = link->socket >= 0 ? weft_fd_get(link->socket) : NULL;

	return known && known->sends == link->sends;
}

static bool code_means_lost(zend_long code)
{
	/* the client library's: gone, lost, malformed, closed for idleness; the server is going down */
	static const zend_long lost[] = {2006, 2013, 2027, 2055, 4031, 1053, 1927};

	for (size_t i = 0; i < sizeof(lost) / sizeof(lost[0]); i++) {
		if (lost[i] == code) {
			return true;
		}
	}
	return false;
}

bool weft_pdo_link_remembers_what_is_gone(const weft_pdo_link *link, const char *state, const zval *error)
{
	/* PostgreSQL does not translate what it says of itself */
	static const char *const gone[] = {"cache lookup failed for ", "could not open relation with OID ",
		"could not find tuple for ", "could not find attribute ", NULL};
	const zval *message = Z_TYPE_P(error) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(error), 1) : NULL;

	if (link->driver->dialect != WEFT_SQL_POSTGRESQL || strcmp(state, "XX000") != 0 || !message ||
		Z_TYPE_P(message) != IS_STRING) {
		return false;
	}
	for (int i = 0; gone[i]; i++) {
		if (strstr(Z_STRVAL_P(message), gone[i])) {
			return true;
		}
	}
	return false;
}

bool weft_pdo_link_is_lost(weft_pdo_link *link, zval *error)
{
	zval *code = Z_TYPE_P(error) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(error), 0) : NULL;

	switch (weft_pdo_native_status(link->dbh, link->driver->client)) {
		case WEFT_NATIVE_ALIVE: return false;
		case WEFT_NATIVE_LOST: return true;
		default:
			return link->driver->dialect == WEFT_SQL_MYSQL && code && Z_TYPE_P(code) == IS_LONG &&
				code_means_lost(Z_LVAL_P(code));
	}
}
