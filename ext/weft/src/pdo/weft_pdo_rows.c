/*
 * Everything that is asked of a statement after it was executed: rows, columns, attributes, the next result, its
 * end.
 */
#include "pdo/weft_pdo_inserted.h"
#include "pdo/weft_pdo_statement.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo.h"

/* After a call that may have taken in the last of it. */
static void note_progress(weft_pdo_statement *ours)
{
	if (ours->pending && !weft_pdo_statement_leaves_pending(ours)) {
		weft_pdo_statement_not_pending(ours);
	}
}

/* Whether the driver may need the connection for what comes next. */
static bool needs_link(const weft_pdo_statement *ours)
{
	return ours->pending || !ours->link->pool;
}

/* NULL with an exception. In the middle of another coroutine's call, what is found there is the driver's. */
static zend_always_inline weft_pdo_statement *usable(pdo_stmt_t *statement)
{
	return weft_pdo_statement_may_use(statement) ? weft_pdo_statement_of(statement) : NULL;
}

typedef enum {
	WITHOUT_LINK,
	WITH_LINK_IF_NEEDED,
	WITH_LINK,
	WITH_LINK_OR_CLOSED /* one that the pool has closed will do: it stays open as long as it has statements */
} need;

typedef struct {
	weft_pdo_link *leased;
	weft_pdo_link *closed;
	weft_pdo_swap saved;
} call;

static bool refuse_ended(void)
{
	weft_pdo_throw("08006", "This statement's connection has ended; execute it again");
	return false;
}

/* The link that the statement is on, and no other that its handle may have. It may suspend, and a sibling may use the
 * statement meanwhile. */
static bool lease_for_call(pdo_stmt_t *statement, need need, call *call)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);
	weft_pdo_link *link = ours->link;

	call->leased = weft_pdo_lease_only(ours->handle, link);
	if (EG(exception)) {
		return false;
	}
	if (!weft_pdo_statement_may_use(statement) || ours->link != link) {
		if (call->leased) {
			weft_pdo_settle(call->leased);
		}
		return refuse_ended();
	}
	if (!call->leased && need == WITH_LINK_OR_CLOSED && !link->user) {
		call->closed = link;
		link->user = weft_pdo_self();
	}
	return call->leased || call->closed || refuse_ended();
}

static zend_never_inline void refuse_without_link(void)
{
	weft_pdo_throw("HY010", "This statement's connection has ended; execute it again");
}

/* False with an exception. */
static zend_always_inline bool rows_begin_call(pdo_stmt_t *statement, need need, call *call)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);

	call->leased = NULL;
	call->closed = NULL;
	if (!weft_pdo_statement_may_use(statement)) {
		return false;
	}
	if (UNEXPECTED(!ours->link)) {
		refuse_without_link();
		return false;
	}
	if (need == WITHOUT_LINK || (need == WITH_LINK_IF_NEEDED && EXPECTED(!needs_link(ours)))) {
		weft_pdo_statement_put_in(statement, ours->link, &call->saved);
		return true;
	}
	if (!ours->leased && !lease_for_call(statement, need, call)) {
		return false;
	}
	weft_pdo_statement_put_in(statement, ours->link, &call->saved);
	return true;
}

static zend_always_inline void rows_end_call(pdo_stmt_t *statement, call *call, bool failure)
{
	weft_pdo_statement_take_out(statement, &call->saved);
	if (failure && strcmp(statement->error_code, PDO_ERR_NONE) != 0) {
		weft_pdo_statement_failed(statement, weft_pdo_statement_of(statement)->link);
	}
	if (call->leased) {
		weft_pdo_settle(call->leased);
	} else if (call->closed) {
		call->closed->user = NULL;
	}
}

static int method_fetch(pdo_stmt_t *statement, enum pdo_fetch_orientation orientation, zend_long offset)
{
	call call;
	int got;

	if (!rows_begin_call(statement, WITH_LINK_IF_NEEDED, &call)) {
		return 0;
	}
	got = call.saved.ours->prepared.methods->fetcher(statement, orientation, offset);
	note_progress(call.saved.ours);
	rows_end_call(statement, &call, !got);
	return got;
}

static int method_describe(pdo_stmt_t *statement, int column)
{
	call call;
	int done;

	if (!rows_begin_call(statement, WITHOUT_LINK, &call)) {
		return 0;
	}
	done = call.saved.ours->prepared.methods->describer(statement, column);
	rows_end_call(statement, &call, !done);
	return done;
}

/* It is opened on the connection, which the stream then holds. */
static zend_never_inline int get_large_object(pdo_stmt_t *statement, int column, zval *result,
	enum pdo_param_type *type)
{
	weft_pdo_statement *ours = usable(statement);
	bool leased = ours && ours->link && ours->link->handle == ours->handle;
	call call = {0};
	int done;

	if (!ours || !rows_begin_call(statement, leased ? WITH_LINK : WITHOUT_LINK, &call)) {
		return 0;
	}
	if (!call.saved.object) {
		weft_pdo_statement_put_in_object(statement, ours->link, &call.saved);
	}
	done = ours->prepared.methods->get_col(statement, column, result, type);
	rows_end_call(statement, &call, !done);
	return done;
}

static int method_get_column(pdo_stmt_t *statement, int column, zval *result, enum pdo_param_type *type)
{
	call call;
	int done;

	if (UNEXPECTED(type && *type == PDO_PARAM_LOB)) {
		return get_large_object(statement, column, result, type);
	}
	if (!rows_begin_call(statement, WITHOUT_LINK, &call)) {
		return 0;
	}
	done = call.saved.ours->prepared.methods->get_col(statement, column, result, type);
	rows_end_call(statement, &call, !done);
	return done;
}

static int method_set_statement_attribute(pdo_stmt_t *statement, zend_long attribute, zval *value)
{
	call call;
	int done;

	if (!rows_begin_call(statement, WITH_LINK, &call)) {
		return 0;
	}
	done = call.saved.ours->prepared.methods->set_attribute(statement, attribute, value);
	rows_end_call(statement, &call, !done);
	return done;
}

static int method_get_statement_attribute(pdo_stmt_t *statement, zend_long attribute, zval *value)
{
	call call;
	int done;

	if (!rows_begin_call(statement, WITH_LINK, &call)) {
		return -1;
	}
	done = call.saved.ours->prepared.methods->get_attribute(statement, attribute, value);
	rows_end_call(statement, &call, done == -1);
	return done;
}

static int method_column_meta(pdo_stmt_t *statement, zend_long column, zval *value)
{
	weft_pdo_statement *ours = usable(statement);
	call call;
	int done;

	/* MySQL's driver knows nothing of a result that is closed */
	if (ours && ours->closed && ours->handle->driver->dialect == WEFT_SQL_MYSQL) {
		return FAILURE;
	}
	/* PostgreSQL's driver asks the server for names */
	if (!ours ||
		!rows_begin_call(statement,
			ours->handle->driver->dialect == WEFT_SQL_MYSQL ? WITHOUT_LINK : WITH_LINK_OR_CLOSED, &call)) {
		return FAILURE;
	}
	done = ours->prepared.methods->get_column_meta(statement, column, value);
	rows_end_call(statement, &call, done == FAILURE);
	return done;
}

/* To MySQL's client the next result is the connection's, whichever statement asks for it. */
static bool is_in_front_of_results(const weft_pdo_statement *ours)
{
	const weft_pdo_link *link = ours->link;

	return link->driver->dialect == WEFT_SQL_MYSQL && link->pending && link->handle == ours->handle &&
		link == weft_pdo_leased(ours->handle);
}

static int method_next_rowset(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = usable(statement);
	call call;
	int done;

	if (!ours || !ours->link || (!needs_link(ours) && !is_in_front_of_results(ours))) {
		return 0;
	}
	if (!rows_begin_call(statement, WITH_LINK, &call)) {
		return 0;
	}
	done = ours->prepared.methods->next_rowset(statement);
	if (done) {
		weft_pdo_inserted_note_last(ours->link, ours->handle);
		weft_pdo_statement_note_pending(ours);
	} else {
		weft_pdo_statement_not_pending(ours);
	}
	rows_end_call(statement, &call, !done);
	return done;
}

static int method_close_cursor(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = usable(statement);
	call call;
	int done;

	if (!ours) {
		return 0;
	}
	/* it has taken in all of its own, and executing it again forgets them */
	if (!ours->link || weft_pdo_statement_is_among_results(ours)) {
		ours->closed = true;
		return 1;
	}
	if (!rows_begin_call(statement, WITH_LINK_IF_NEEDED, &call)) {
		return 0;
	}
	done = ours->prepared.methods->cursor_closer(statement);
	if (done && ours->link->driver->dialect == WEFT_SQL_MYSQL) {
		weft_pdo_statement_not_pending(ours);
	}
	rows_end_call(statement, &call, !done);
	return done;
}

void weft_pdo_rows_methods(struct pdo_stmt_methods *methods, const struct pdo_stmt_methods *original)
{
	WEFT_PDO_STAND_IN(fetcher, method_fetch);
	WEFT_PDO_STAND_IN(describer, method_describe);
	WEFT_PDO_STAND_IN(get_col, method_get_column);
	WEFT_PDO_STAND_IN(set_attribute, method_set_statement_attribute);
	WEFT_PDO_STAND_IN(get_attribute, method_get_statement_attribute);
	WEFT_PDO_STAND_IN(get_column_meta, method_column_meta);
	WEFT_PDO_STAND_IN(next_rowset, method_next_rowset);
	WEFT_PDO_STAND_IN(cursor_closer, method_close_cursor);
}
