/*
 * The list of servers, and what is decided for all pools of one.
 */
#include "pdo/weft_pdo_server.h"
#include "pdo/weft_pdo_key.h"
#include "pdo/weft_pdo_limit.h"
#include "pdo/weft_pdo_line.h"
#include "pdo/weft_pdo_list.h"
#include "pdo/weft_pdo.h"
#include "zend_exceptions.h"

#include <unistd.h>

/* A server goes on counting a connection for a moment after it was closed. It is asked again from time to time for so
 * long, before another one is closed. */
#define NOTICES_NS UINT64_C(100000000)
#define ASKS_AGAIN_NS UINT64_C(5000000)

#define MYSQL_TOO_MANY_CONNECTIONS 1040

static weft_pdo_server *servers;

weft_pdo_server *weft_pdo_server_join(const zval *dsn, const zend_string *environment)
{
	zend_string *name = weft_pdo_server_name(Z_STRVAL_P(dsn), environment);
	weft_pdo_server *server = servers;

	while (server && !zend_string_equals(server->name, name)) {
		server = server->next;
	}
	if (server) {
		zend_string_release(name);
	} else {
		server = pecalloc(1, sizeof(*server), 1);
		server->name = name;
		WEFT_PDO_LIST_ADD(&servers, server);
	}
	server->pools++;
	return server;
}

void weft_pdo_server_leave(weft_pdo_server *server)
{
	if (--server->pools) {
		return;
	}
	WEFT_PDO_LIST_REMOVE(server);
	zend_string_release(server->name);
	free(server);
}

void weft_pdo_server_count(weft_pdo_pool *pool, int more)
{
	pool->total += (uint32_t) more;
	pool->server->total += (uint32_t) more;
}

void weft_pdo_server_ask_anew(const weft_pdo_server *server)
{
	for (weft_pdo_pool *pool = weft_pdo_pools; pool; pool = pool->next) {
		if (pool->server == server) {
			pool->refused_until = 0;
		}
	}
}

/* What is idle where others stand in line has just come back for them. */
weft_pdo_link *weft_pdo_server_longest_idle(const weft_pdo_pool *pool)
{
	weft_pdo_link *longest = NULL;

	for (const weft_pdo_pool *other = weft_pdo_pools; other; other = other->next) {
		if (other != pool && other->server == pool->server && other->idle_last && !other->waiters &&
			(!longest || other->idle_last->idle_since < longest->idle_since)) {
			longest = other->idle_last;
		}
	}
	return longest;
}

/* --- those who wait --- */

/* The first in its line, when only the server keeps it from opening one more. Whoever waits for somebody else's first
 * connection could do nothing with it. */
static weft_pdo_waiter *first_of(const weft_pdo_pool *pool)
{
	weft_pdo_waiter *first = pool->waiters;

	return first && (!pool->opening || first->opens) && pool->total < weft_pdo_limit(pool) ? first : NULL;
}

weft_pdo_waiter *weft_pdo_server_find_first_waiter(const weft_pdo_server *server, const weft_pdo_pool *but)
{
	weft_pdo_waiter *foremost = NULL;

	for (const weft_pdo_pool *pool = weft_pdo_pools; pool; pool = pool->next) {
		weft_pdo_waiter *first = pool->server == server && pool != but ? first_of(pool) : NULL;

		if (first && (!foremost || first->rank < foremost->rank)) {
			foremost = first;
		}
	}
	return foremost;
}

void weft_pdo_server_wake(const weft_pdo_server *server)
{
	weft_pdo_waiter *first = weft_pdo_server_first_waiter(server, NULL);

	if (first) {
		weft_pdo_line_wake(first);
	}
}

bool weft_pdo_server_wants_room_of(const weft_pdo_pool *pool)
{
	const weft_pdo_waiter *first = weft_pdo_server_first_waiter(pool->server, pool);

	if (!first || !pool->waiters) {
		return false;
	}
	/* one that has none at all waits its turn with the others; more than one too many is shared in any case */
	return pool->total > first->pool->total + 1 || (first->pool->total == 0 && first->rank < pool->waiters->rank);
}

/* --- what the server says --- */

/* PostgreSQL's library tells no SQLSTATE of what it could not open: there is the text alone. Not meant are limits of
 * one role or one database, which are a matter of the pool. */
static bool text_says_full(const char *text)
{
	static const char *const texts[] = {"too many clients", "remaining connection slots",
		"no more connections allowed"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (strstr(text, texts[i])) {
			return true;
		}
	}
	return false;
}

bool weft_pdo_server_is_full(void)
{
	zend_object *refusal = EG(exception);
	zval rv, *message, *code;

	if (!refusal || refusal->ce != weft_pdo_exception_class()) {
		return false;
	}
	code = zend_read_property(zend_ce_exception, refusal, ZEND_STRL("code"), true, &rv);
	if (Z_TYPE_P(code) == IS_LONG && Z_LVAL_P(code) == MYSQL_TOO_MANY_CONNECTIONS) {
		return true;
	}
	message = zend_read_property(zend_ce_exception, refusal, ZEND_STRL("message"), true, &rv);
	return Z_TYPE_P(message) == IS_STRING && text_says_full(Z_STRVAL_P(message));
}

bool weft_pdo_server_makes_room(const weft_pdo_pool *pool)
{
	uint64_t closed_at = pool->server->closed_at;
	weft_pdo_link *idle = NULL;

	if (!weft_pdo_server_is_full()) {
		return false;
	}
	if (!closed_at || weft_now() - closed_at > NOTICES_NS) {
		idle = weft_pdo_server_longest_idle(pool);
		if (!idle) {
			return false;
		}
	}
	zend_clear_exception();
	if (idle) {
		weft_pdo_pool_take(idle);
		weft_pdo_pool_close_link(idle);
	}
	if (weft_can_suspend()) {
		weft_sleep_until(weft_now() + ASKS_AGAIN_NS, "a database server to notice that a connection was closed");
	} else {
		usleep(ASKS_AGAIN_NS / 1000);
	}
	return true;
}
