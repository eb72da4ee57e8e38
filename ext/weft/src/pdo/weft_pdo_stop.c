/*
 * A request that is cancelled in the middle of a query takes its connection with it, but a server that computes or
 * sleeps doesn't look whether its client is still there. So it is told, on a connection of its own.
 */
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_lease.h"
#include "zend_exceptions.h"

#include <sys/socket.h>

/* Runs in the base: nobody's request waits for it, and it must not keep the one that has ended. */
static void spawn_in_base(void (*entry)(weft_coroutine *, void *), void *arg)
{
	weft_coroutine_spawn_in(NULL, entry, arg, NULL);
}

static void cancel_in_coroutine(weft_coroutine *coroutine, void *cancel)
{
	weft_pdo_native_cancel(cancel);
}

typedef struct {
	weft_pdo_pool *pool;
	uint64_t session;
	struct sockaddr_storage server;
	socklen_t length;
} victim;

/* Sessions are numbered by each server, and behind one name there may be several. */
static bool is_at_the_same(const weft_pdo_link *link, const victim *target)
{
	struct sockaddr_storage server = {0};
	socklen_t length = sizeof(server);

	return link->socket >= 0 && getpeername(link->socket, (struct sockaddr *) &server, &length) == 0 &&
		length == target->length && memcmp(&server, &target->server, length) == 0;
}

static void kill_in_coroutine(weft_coroutine *coroutine, void *arg)
{
	victim target = *(victim *) arg;
	weft_pdo_link *link;

	free(arg);
	link = weft_pdo_pool_acquire(target.pool, &target.pool->root, NULL, false);
	if (link && is_at_the_same(link, &target)) {
		zend_string *sql = zend_strpprintf(0, "KILL QUERY %" PRIu64, target.session);

		/* an error: it has ended meanwhile */
		link->dbh->methods->doer(link->dbh, sql);
		zend_string_release(sql);
	}
	if (link) {
		weft_pdo_pool_release(link, weft_domain_in_place);
	}
	/* no connection to be had: the query runs to its end */
	if (EG(exception)) {
		zend_clear_exception();
	}
	weft_pdo_pool_let_go(target.pool);
}

static void kill_session(const weft_pdo_link *link, uint64_t session)
{
	victim *target = pecalloc(1, sizeof(*target), 1);

	target->pool = link->pool;
	target->session = session;
	target->length = sizeof(target->server);
	if (link->socket < 0 || getpeername(link->socket, (struct sockaddr *) &target->server, &target->length) != 0) {
		free(target);
		return;
	}
	weft_pdo_pool_hold(target->pool);
	spawn_in_base(kill_in_coroutine, target);
}

void weft_pdo_stop_query(const weft_pdo_link *link)
{
	uint64_t session;
	void *cancel;

	/* a call that fetches sends nothing: the query it fetches from was sent before */
	if (!weft_current || (!link->pending && weft_pdo_link_has_sent_nothing(link))) {
		return;
	}
	cancel = weft_pdo_native_cancel_handle(link->dbh, link->driver->client);
	if (cancel) {
		spawn_in_base(cancel_in_coroutine, cancel);
		return;
	}
	session = weft_pdo_native_session(link->dbh, link->driver->client);
	if (session && link->pool) {
		kill_session(link, session);
	}
}
