/*
 * A statement's driver part: put in place for a call, taken out after it, kept with the link or ended.
 */
#include "pdo/weft_pdo_statement.h"
#include "pdo/weft_pdo_handle.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_list.h"
#include "pdo/weft_pdo_native.h"
#include "pdo/weft_pdo.h"
#include "domain/weft_domain.h"
#include "php_weft.h"

zval *weft_pdo_statement_error(const pdo_stmt_t *statement)
{
	return statement->driver_data ? &weft_pdo_statement_of(statement)->error : NULL;
}

/* --- who may use it --- */

bool weft_pdo_statement_refuse(const pdo_stmt_t *statement)
{
	const weft_pdo_statement *ours = weft_pdo_statement_is_ours(statement) ? weft_pdo_statement_of(statement) : NULL;

	if (!ours || weft_pdo_statement_is_executed_by_another(ours)) {
		weft_pdo_throw("HY010", "Another coroutine is executing this statement; prepare one in each coroutine");
		return true;
	}
	if (ours->domain != weft_domain_in_place && weft_snapshot_taken()) {
		weft_pdo_throw("HY010",
			"This statement was prepared on a connection of another request or of the boot; prepare it again here");
		return true;
	}
	return false;
}

void weft_pdo_statement_failed(pdo_stmt_t *statement, weft_pdo_link *link)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);
	weft_pdo_swap saved;

	weft_pdo_statement_put_in(statement, link, &saved);
	weft_pdo_driver_failed(link, ours->handle, statement, &ours->error);
	weft_pdo_statement_take_out(statement, &saved);
	/* prepared just now, and yet: it is the session that remembers, and only its end makes it forget */
	if (!ours->reused && weft_pdo_link_remembers_what_is_gone(link, statement->error_code, &ours->error)) {
		link->expires_at = 0;
	}
	if (Z_TYPE(ours->error) == IS_ARRAY) {
		zval_ptr_dtor(&ours->handle->error);
		ZVAL_COPY(&ours->handle->error, &ours->error);
	}
}

/* --- the driver's part comes and goes --- */

void weft_pdo_statement_enlist(weft_pdo_statement *ours, weft_pdo_link *link)
{
	ours->link = link;
	link->references++;
	/* MySQL's driver says so only when it prepares */
	ours->statement->dbh->alloc_own_columns = link->dbh->alloc_own_columns;
	WEFT_PDO_LIST_ADD(&link->statements, ours);
}

static void statement_delist(weft_pdo_statement *ours)
{
	WEFT_PDO_LIST_REMOVE(ours);
	weft_pdo_link_release(ours->link);
	ours->link = NULL;
}

void weft_pdo_statement_not_pending(weft_pdo_statement *ours)
{
	if (ours->pending) {
		ours->pending = false;
		ours->link->pending--;
	}
}

/* MySQL's driver drops rows that are still on their way, and forgets the result. */
static bool close_cursor(weft_pdo_statement *ours)
{
	pdo_stmt_t *statement = ours->statement;
	bool done = true;
	weft_pdo_swap saved;

	/* MySQL's driver would forget what it needs of one that has not been executed */
	if (ours->ran && ours->prepared.methods->cursor_closer) {
		weft_pdo_statement_put_in(statement, ours->link, &saved);
		done = ours->prepared.methods->cursor_closer(statement);
		weft_pdo_statement_take_out(statement, &saved);
	}
	return done;
}

/* Whether the running coroutine may talk to the server on it. */
static bool is_free(const weft_pdo_link *link)
{
	return !link->broken && (!link->user || link->user == weft_pdo_self());
}

bool weft_pdo_statement_is_among_results(const weft_pdo_statement *ours)
{
	return ours->link->driver->dialect == WEFT_SQL_MYSQL && ours->link->pending && !ours->pending;
}

static bool has_known_layout(const weft_pdo_statement *ours)
{
	const weft_pdo_link *link = ours->link;

	return weft_pdo_native_knows_statement(ours->prepared.data, link->dbh, link->driver->client);
}

/* Whether to end or to keep it takes no word with the server. */
static bool statement_is_silent(const weft_pdo_statement *ours)
{
	return ours->link->driver->client == WEFT_NATIVE_LIBPQ && !ours->pending && has_known_layout(ours);
}

static bool can_be_kept(const weft_pdo_statement *ours)
{
	const weft_pdo_link *link = ours->link;

	if (!ours->keep || ours->binary || WEFT_G(pdo_statement_cache) <= 0) {
		return false;
	}
	if (link->broken || ours->prepared.resets != link->resets) {
		return false;
	}
	/* forgetting rows that PostgreSQL still sends is its driver's business */
	if (ours->pending && link->driver->client == WEFT_NATIVE_LIBPQ) {
		return false;
	}
	return statement_is_silent(ours) ||
		(is_free(link) && !weft_pdo_statement_is_among_results(ours) && has_known_layout(ours));
}

static void keep_or_end(weft_pdo_statement *ours)
{
	weft_pdo_link *link = ours->link;
	bool keep = can_be_kept(ours), was_pending = ours->pending;
	weft_pdo_prepared prepared;
	zend_string *sql;

	if (keep && link->driver->dialect == WEFT_SQL_MYSQL) {
		keep = close_cursor(ours);
	}
	weft_pdo_statement_not_pending(ours);
	/* what follows may wait, and others must not find it any more */
	prepared = ours->prepared;
	sql = zend_string_copy(ours->sql);
	statement_delist(ours);
	if (keep) {
		weft_pdo_cache_give(link, sql, &prepared);
	} else {
		weft_pdo_cache_destroy(link, &prepared);
	}
	if (was_pending && is_free(link) && !weft_pdo_link_is_abandoned(link)) {
		weft_pdo_native_take_in_rest(link->dbh, link->driver->client);
	}
	zend_string_release(sql);
}

/* Others must not begin in the middle of what is said to the server. */
static void keep_or_end_alone(weft_pdo_statement *ours)
{
	weft_pdo_link *link = ours->link;
	bool lent = link->handle != NULL; /* whoever has it gives it back, even while we wait */

	if (link->idle) {
		weft_pdo_pool_take(link);
	}
	link->user = weft_pdo_self();
	link->cuts = weft_pdo_self()->waits_cut;
	keep_or_end(ours);
	link->broken = link->broken || weft_pdo_was_cut_short(link);
	link->user = NULL;
	weft_pdo_link_wake(link);
	if (link->pool && !lent) {
		weft_pdo_pool_release(link, weft_domain_in_place);
	}
}

void weft_pdo_statement_drop(weft_pdo_statement *ours)
{
	weft_pdo_link *link = ours->link;

	link->references++;
	if (weft_pdo_link_is_abandoned(link)) {
		statement_delist(ours);
	} else if (statement_is_silent(ours) || link->user || link->broken) {
		keep_or_end(ours);
	} else {
		keep_or_end_alone(ours);
	}
	weft_pdo_link_release(link);
}

/* --- its life --- */

static bool wants_no_cache(const zval *options)
{
	return Z_TYPE_P(options) == IS_ARRAY && zend_hash_num_elements(Z_ARRVAL_P(options));
}

static void leave_handle(weft_pdo_statement *ours)
{
	WEFT_PDO_LIST_REMOVE_BY(ours, next_of_handle, place_of_handle);
	ours->handle = NULL;
}

void weft_pdo_statement_free(weft_pdo_statement *ours)
{
	if (ours->handle) {
		leave_handle(ours);
	}
	zend_string_release(ours->sql);
	zval_ptr_dtor(&ours->options);
	zval_ptr_dtor(&ours->error);
	free(ours);
}

weft_pdo_statement *weft_pdo_statement_new(weft_pdo_handle *handle, zend_string *sql, pdo_stmt_t *statement,
	zval *options)
{
	weft_pdo_statement *ours = pecalloc(1, sizeof(*ours), 1);

	ours->statement = statement;
	ours->handle = handle;
	WEFT_PDO_LIST_ADD_BY(&handle->statements, ours, next_of_handle, place_of_handle);
	ours->domain = weft_domain_in_place;
	ours->sql = zend_string_copy(sql);
	ours->flags = weft_pdo_driver_judge(handle->driver, sql);
	ZVAL_UNDEF(&ours->error);
	if (options) {
		ZVAL_COPY(&ours->options, options);
	} else {
		ZVAL_UNDEF(&ours->options);
	}
	/* what touches the session may be a procedure that has committed a part: it must not run once more */
	ours->keep = handle->driver->dialect != WEFT_SQL_OTHER_DIALECT &&
		!(ours->flags & (WEFT_SQL_SEVERAL | WEFT_SQL_TOUCHES)) && !wants_no_cache(&ours->options);
	statement->driver_data = ours;
	return ours;
}

/* Rows that the driver has not taken in, or further results, keep the connection busy; so does an open cursor. */
bool weft_pdo_statement_leaves_pending(const weft_pdo_statement *ours)
{
	bool is_ready = weft_pdo_native_is_ready(ours->link->dbh, ours->link->driver->client);
	const zval *cursor;

	if (ours->link->driver->dialect == WEFT_SQL_MYSQL) {
		return (ours->flags & WEFT_SQL_SEVERAL) || !is_ready;
	}
	if (!is_ready) {
		return true;
	}
	if (Z_TYPE(ours->options) != IS_ARRAY) {
		return false;
	}
	cursor = zend_hash_index_find(Z_ARRVAL(ours->options), PDO_ATTR_CURSOR);
	return cursor && zval_get_long((zval *) cursor) == PDO_CURSOR_SCROLL;
}

void weft_pdo_statement_note_pending(weft_pdo_statement *ours)
{
	if (!ours->pending && weft_pdo_statement_leaves_pending(ours)) {
		ours->pending = true;
		ours->link->pending++;
	}
}

static int method_free(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);

	if (!ours) {
		return 1;
	}
	if (statement->dbh && statement->dbh->methods && statement->dbh->methods->preparer != weft_pdo_statement_prepare) {
		return 1; /* a fatal error ended a call: what the driver has is not to be trusted */
	}
	statement->driver_data = NULL;
	if (ours->link) {
		weft_pdo_link *link = ours->link;

		link->references++;
		statement->driver_data = ours;
		weft_pdo_statement_drop(ours);
		statement->driver_data = NULL;
		if (link->handle && link->pool && !link->user && link->depth == 0 && !link->broken) {
			link->depth = 1;
			weft_pdo_settle(link); /* it may have been the last that held it */
		}
		weft_pdo_link_release(link);
	}
	weft_pdo_statement_free(ours);
	return 1;
}

bool weft_pdo_statement_is_taken(const pdo_stmt_t *statement)
{
	const weft_pdo_statement *ours = weft_pdo_statement_is_ours(statement) ? weft_pdo_statement_of(statement) : NULL;

	if (EXPECTED(ours && !weft_pdo_statement_is_executed_by_another(ours))) {
		return false;
	}
	if (!statement->dbh || (statement->methods && statement->methods->dtor != method_free)) {
		return false;
	}
	if (weft_pdo_statement_is_ours(statement) && !ours) {
		return false;
	}
	return weft_pdo_statement_refuse(statement);
}

void weft_pdo_statement_methods(struct pdo_stmt_methods *methods, const struct pdo_stmt_methods *original)
{
	methods->dtor = method_free;
	weft_pdo_execute_methods(methods, original);
	weft_pdo_rows_methods(methods, original);
}

/* --- the end of a domain, a handle or everything --- */

bool weft_pdo_statements_of(const weft_pdo_link *link, const void *domain)
{
	for (const weft_pdo_statement *ours = link->statements; ours; ours = ours->next) {
		if (ours->domain == domain) {
			return true;
		}
	}
	return false;
}

static bool is_of_domain(const weft_pdo_statement *ours, const void *domain)
{
	return ours->domain == domain;
}

static bool is_of_handle(const weft_pdo_statement *ours, const void *handle)
{
	return ours->handle == handle;
}

static bool is_anybodys(const weft_pdo_statement *ours, const void *nobody)
{
	return true;
}

static void finish(weft_pdo_link *link, bool (*is_concerned)(const weft_pdo_statement *, const void *),
	const void *whose)
{
	weft_pdo_statement *ours = link->statements;

	link->references++;
	while (ours) {
		if (is_concerned(ours, whose) && ours->statement->driver_data == ours) {
			ours->statement->executed = 0;
			weft_pdo_statement_drop(ours);
			ours = link->statements; /* it may have waited */
		} else {
			ours = ours->next;
		}
	}
	weft_pdo_link_release(link);
}

void weft_pdo_statements_finish_domain(weft_pdo_link *link, const void *domain)
{
	finish(link, is_of_domain, domain);
}

void weft_pdo_statements_finish_handle(weft_pdo_link *link, const weft_pdo_handle *handle)
{
	finish(link, is_of_handle, handle);
}

void weft_pdo_statements_finish_all(weft_pdo_link *link)
{
	finish(link, is_anybodys, NULL);
}

/* PDO refuses a statement without a connection. */
void weft_pdo_statements_orphan(weft_pdo_handle *handle)
{
	weft_pdo_statement *ours;

	while ((ours = handle->statements)) {
		if (ours->link && ours->statement->driver_data == ours) {
			ours->statement->executed = 0;
			weft_pdo_statement_drop(ours);
		}
		if (handle->statements == ours) {
			if (ours->statement->dbh == handle->dbh) {
				ours->statement->dbh = NULL;
			}
			leave_handle(ours);
		}
	}
}
