/*
 * Writes the exception and the report, with those who hold a link and since when.
 */
#include "pdo/weft_pdo_shortage.h"
#include "pdo/weft_pdo_beyond.h"
#include "pdo/weft_pdo_limit.h"
#include "pdo/weft_pdo_server.h"
#include "pdo/weft_pdo.h"
#include "php_weft.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"

/* A statement in the log is cut after so many bytes. */
#define SHOWN_SQL 200
/* A pool that is short is short for many: their reports would say the same. */
#define NANOSECONDS_BETWEEN_REPORTS WEFT_NS_PER_SEC

/* It is not the pool that has too few: what others have would do as well. */
static bool is_the_servers(const weft_pdo_pool *pool)
{
	return pool->total < weft_pdo_limit(pool);
}

static bool is_leased(const weft_pdo_link *link, const weft_pdo_pool *pool)
{
	return link->handle && !link->idle &&
		(link->pool == pool || (link->pool && link->pool->server == pool->server && is_the_servers(pool)));
}

static void append_time(smart_str *text, const weft_pdo_link *link)
{
	smart_str_append_printf(text, "for %.1f s", (double) (weft_now() - link->leased_at) / (double) WEFT_NS_PER_SEC);
	if (link->pins & WEFT_PIN_TRANSACTION) {
		smart_str_appends(text, " in a transaction");
	} else if (link->pins & WEFT_PIN_TOUCHED) {
		smart_str_appends(text, " for its session settings");
	} else if (link->pins & WEFT_PIN_SEQUENCE) {
		smart_str_appends(text, " for lastInsertId()");
	}
}

/* Since when each is leased, for whoever gets none. */
static void append_times(smart_str *text, const weft_pdo_pool *pool)
{
	const char *between = "; leased ";

	for (const weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (is_leased(link, pool)) {
			smart_str_appends(text, between);
			append_time(text, link);
			between = ", ";
		}
	}
}

/* What comes from a client is escaped: it could pass for a line of its own. */
static void append_holders(smart_str *text, const weft_pdo_pool *pool)
{
	for (const weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (!is_leased(link, pool)) {
			continue;
		}
		smart_str_appends(text, "; ");
		smart_str_append_escaped(text, link->holder, strlen(link->holder));
		smart_str_appendc(text, ' ');
		append_time(text, link);
		if (link->last_sql) {
			smart_str_appends(text, ", last statement: ");
			smart_str_append_escaped(text, ZSTR_VAL(link->last_sql), MIN(ZSTR_LEN(link->last_sql), SHOWN_SQL));
		}
	}
}

static void append_pool(smart_str *text, const weft_pdo_pool *pool)
{
	smart_str_append_printf(text, "Pool %s: %u connections (weft.pdo_pool_max), %u waiting", ZSTR_VAL(pool->name),
		pool->total, weft_pdo_pool_waiting(pool));
	if (!is_the_servers(pool)) {
		return;
	}
	smart_str_append_printf(text, "; all pools of its server: %u connections", pool->server->total);
	if (weft_pdo_limit_share(pool->server) != UINT32_MAX) {
		smart_str_append_printf(text, " of %u, this worker's share of the " ZEND_LONG_FMT " that the server allows",
			weft_pdo_limit_share(pool->server), pool->server->connections);
	}
}

/* False: a report of this pool has just been written. */
static bool report(weft_pdo_pool *pool)
{
	uint64_t now = weft_now();
	smart_str line = {0};

	if (pool->reported_at && now - pool->reported_at < NANOSECONDS_BETWEEN_REPORTS) {
		return false;
	}
	pool->reported_at = now;
	smart_str_appends(&line, "weft: no database connection is free. ");
	append_pool(&line, pool);
	append_holders(&line, pool);
	smart_str_0(&line);
	php_log_err_with_severity(ZSTR_VAL(line.s), LOG_WARNING);
	smart_str_free(&line);
	return true;
}

static void throw_shortage(weft_pdo_pool *pool, const char *why)
{
	smart_str state = {0};

	append_pool(&state, pool);
	append_times(&state, pool);
	smart_str_0(&state);
	report(pool);
	weft_pdo_throw("HYT00", "%s. %s. The log says to whom", why, ZSTR_VAL(state.s));
	smart_str_free(&state);
}

void weft_pdo_shortage_throw_too_long(weft_pdo_pool *pool)
{
	char why[512];
	bool refused = pool->refused_until && pool->refusal;

	pool->statistics.timeouts++;
	snprintf(why, sizeof(why), "No connection became free within %g s (weft.pdo_acquire_timeout)%s%.300s",
		WEFT_G(pdo_acquire_timeout), refused ? ", and the server refused to open one more: " : "",
		refused ? ZSTR_VAL(pool->refusal) : "");
	throw_shortage(pool, why);
}

void weft_pdo_shortage_throw_cannot_wait(weft_pdo_pool *pool)
{
	pool->statistics.timeouts++;
	throw_shortage(pool, "No connection is free, and this code can't wait for one");
}

void weft_pdo_shortage_throw_in_vain(weft_pdo_pool *pool)
{
	char why[160];

	snprintf(why, sizeof(why),
		"No connection is free, and this request, which keeps %u (weft.pdo_request_max), can't wait"
		" for another",
		weft_pdo_beyond_count());
	throw_shortage(pool, why);
}

void weft_pdo_shortage_explain_refusal(void)
{
	zend_object *refusal = EG(exception);
	zval rv, *message;
	zend_string *longer;

	if (!refusal || !instanceof_function(refusal->ce, weft_pdo_exception_class())) {
		return;
	}
	message = zend_read_property(zend_ce_exception, refusal, ZEND_STRL("message"), true, &rv);
	if (Z_TYPE_P(message) != IS_STRING) {
		return;
	}
	longer = zend_strpprintf(0,
		"%s (this request keeps %u connections, so it can't wait for another;"
		" see weft.pdo_request_max)",
		Z_STRVAL_P(message), weft_pdo_beyond_count());
	zend_update_property_str(zend_ce_exception, refusal, ZEND_STRL("message"), longer);
	zend_string_release(longer);
}
