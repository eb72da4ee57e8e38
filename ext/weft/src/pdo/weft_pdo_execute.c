/*
 * Executing a statement: on the link that it is prepared on, or on another one where it is prepared first; and once
 * more when the link is dead or the kept statement stale.
 */
#include "pdo/weft_pdo_domain.h"
#include "pdo/weft_pdo_dry_run.h"
#include "pdo/weft_pdo_inserted.h"
#include "pdo/weft_pdo_statement.h"
#include "pdo/weft_pdo_lease.h"
#include "zend_exceptions.h"

/* A statement that was given more than this is not kept: MySQL's driver keeps what was bound. */
#define KEEP_PARAMETERS_BELOW 65536

static bool bind_again(pdo_stmt_t *statement, weft_pdo_link *link)
{
	struct pdo_bound_param_data *parameter;
	bool done = true;
	weft_pdo_swap saved;

	if (!statement->bound_params || !weft_pdo_statement_of(statement)->prepared.methods->param_hook) {
		return true;
	}
	weft_pdo_statement_put_in(statement, link, &saved);
	ZEND_HASH_FOREACH_PTR(statement->bound_params, parameter) {
		done = done && saved.ours->prepared.methods->param_hook(statement, parameter, PDO_PARAM_EVT_EXEC_PRE);
	}
	ZEND_HASH_FOREACH_END();
	weft_pdo_statement_take_out(statement, &saved);
	return done;
}

static bool is_reserved_link_fit(const weft_pdo_statement *ours, const weft_pdo_link *link)
{
	if (ours->link != link || link->generation != weft_pdo_generation() || ours->prepared.resets != link->resets) {
		return false;
	}
	/* a kept one that was good outside of a transaction is not, inside */
	return !(ours->reused && link->in_transaction && ours->prepared.has_columns &&
		ours->prepared.transaction != link->transaction);
}

/* The driver tells the types of columns when PDO asks for their names, which it does once. */
static void forget_columns(pdo_stmt_t *statement)
{
	for (int i = 0; statement->columns && i < statement->column_count; i++) {
		if (statement->columns[i].name) {
			zend_string_release(statement->columns[i].name);
		}
	}
	if (statement->columns) {
		efree(statement->columns);
	}
	statement->columns = NULL;
	statement->column_count = 0;
	statement->executed = 0;
}

static bool provide_on(weft_pdo_statement *ours, weft_pdo_link *link)
{
	if (is_reserved_link_fit(ours, link)) {
		return true;
	}
	if (ours->link) {
		weft_pdo_statement_drop(ours);
	}
	forget_columns(ours->statement);
	return weft_pdo_statement_provide(ours, link, &ours->error);
}

/* A link, with the driver's part of the statement on it. */
static weft_pdo_link *make_ready(weft_pdo_statement *ours)
{
	weft_pdo_link *link;
	int tries = 1;

	ours->executor = weft_pdo_self();
	while (!ours->leased) {
		link = weft_pdo_lease(ours->handle, ours->link);
		if (!link) {
			ours->executor = NULL;
			return NULL;
		}
		if (provide_on(ours, link)) {
			ours->leased = link;
		} else if (!tries-- || !weft_pdo_may_start_over(link)) {
			strcpy(ours->statement->error_code, link->dbh->error_code);
			ours->executor = NULL;
			weft_pdo_settle(link);
			return NULL;
		}
	}
	return ours->leased;
}

static void done_with(weft_pdo_statement *ours)
{
	weft_pdo_link *link = ours->leased;

	ours->leased = NULL;
	ours->executor = NULL;
	weft_pdo_settle(link);
}

static void note_value(weft_pdo_statement *ours, const struct pdo_bound_param_data *parameter)
{
	const zval *value = &parameter->parameter;

	ZVAL_DEREF(value);
	/* to make a string of it may run the application's code, or read a stream */
	ours->slow_value = ours->slow_value || Z_TYPE_P(value) > IS_STRING;
	if (Z_TYPE_P(value) == IS_STRING && Z_STRLEN_P(value) > KEEP_PARAMETERS_BELOW) {
		ours->keep = false;
	}
	if (PDO_PARAM_TYPE(parameter->param_type) == PDO_PARAM_LOB) {
		ours->binary = true;
	}
}

/* PDO calls the hook for each parameter after each execution, too, and before and after each row. The drivers that are
 * known have done all they do by then. */
static inline bool is_too_late_for_hook(const pdo_stmt_t *statement, enum pdo_param_event event)
{
	const weft_pdo_link *link;

	if (event != PDO_PARAM_EVT_EXEC_POST && event != PDO_PARAM_EVT_FETCH_PRE && event != PDO_PARAM_EVT_FETCH_POST) {
		return false;
	}
	link = weft_pdo_statement_is_ours(statement) ? weft_pdo_statement_of(statement)->link : NULL;
	return link && link->driver->client != WEFT_NATIVE_OTHER;
}

static zend_never_inline int call_param_hook(pdo_stmt_t *statement, struct pdo_bound_param_data *parameter,
	enum pdo_param_event event)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);
	weft_pdo_link *link;
	weft_pdo_swap saved;
	int done;

	/* all that drivers have to free is what they have hung on it */
	if (event == PDO_PARAM_EVT_FREE && (!parameter->driver_data || !ours || !ours->link)) {
		return 1;
	}
	if (event != PDO_PARAM_EVT_FREE && !weft_pdo_statement_may_use(statement)) {
		return 0;
	}
	if (event == PDO_PARAM_EVT_EXEC_PRE && parameter->is_param) {
		note_value(ours, parameter);
		if (!make_ready(ours)) {
			return 0;
		}
	}
	link = ours->link;
	if (!link) {
		return 1;
	}
	weft_pdo_statement_put_in(statement, link, &saved);
	done = ours->prepared.methods->param_hook(statement, parameter, event);
	weft_pdo_statement_take_out(statement, &saved);
	if (!done) {
		/* the application's __toString() may have thrown: nothing was said to the server */
		bool broken = link->broken;

		weft_pdo_statement_failed(statement, link);
		link->broken = broken;
		if (ours->leased) {
			done_with(ours);
		}
	}
	return done;
}

static int method_param_hook(pdo_stmt_t *statement, struct pdo_bound_param_data *parameter, enum pdo_param_event event)
{
	return is_too_late_for_hook(statement, event) ? 1 : call_param_hook(statement, parameter, event);
}

static int run_driver(pdo_stmt_t *statement, weft_pdo_link *link)
{
	weft_pdo_swap saved;
	int done;

	weft_pdo_statement_put_in(statement, link, &saved);
	done = saved.ours->prepared.methods->executer(statement);
	weft_pdo_statement_take_out(statement, &saved);
	return done;
}

/* What a statement prepared earlier may fail of, and one prepared now would not. MySQL prepares again by itself when a
 * table has changed, and what has failed may have written to tables without transactions. */
static bool statement_is_stale(const pdo_stmt_t *statement, const weft_pdo_statement *ours)
{
	static const char *const states[] = {"0A000", "26000", "42", NULL};
	const zval *code = Z_TYPE(ours->error) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL(ours->error), 0) : NULL;

	for (int i = 0; ours->handle->driver->dialect == WEFT_SQL_POSTGRESQL && states[i]; i++) {
		if (strncmp(statement->error_code, states[i], strlen(states[i])) == 0) {
			return true;
		}
	}
	if (weft_pdo_link_remembers_what_is_gone(ours->link, statement->error_code, &ours->error)) {
		return true;
	}
	/* unknown statement, needs to be prepared again, number of columns has changed: the server has executed it */
	return code && Z_TYPE_P(code) == IS_LONG &&
		(Z_LVAL_P(code) == 1243 || Z_LVAL_P(code) == 1615 ||
			(Z_LVAL_P(code) == 2057 && !(ours->flags & WEFT_SQL_INSERTS)));
}

/* So that the next execution prepares anew. */
static void drop_stale(weft_pdo_statement *ours)
{
	ours->keep = false;
	weft_pdo_statement_drop(ours);
	forget_columns(ours->statement);
	ours->keep = true;
}

static int execute_again(pdo_stmt_t *statement, weft_pdo_link *link)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);

	drop_stale(ours);
	if (!weft_pdo_statement_prepare_anew(ours, link, &ours->error)) {
		strcpy(statement->error_code, link->dbh->error_code);
		return 0;
	}
	strcpy(statement->error_code, PDO_ERR_NONE);
	if (!bind_again(statement, link) || !run_driver(statement, link)) {
		weft_pdo_statement_failed(statement, link);
		return 0;
	}
	return 1;
}

static void note_success(pdo_stmt_t *statement, weft_pdo_link *link)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);

	ours->ran = true;
	ours->closed = false;
	ours->prepared.executed = true;
	ours->prepared.has_columns = statement->column_count > 0;
	ours->prepared.transaction = link->transaction;
	ours->prepared.definitions = weft_pdo_definitions(link);
	weft_pdo_statement_note_pending(ours);
	if (UNEXPECTED(ours->flags & WEFT_SQL_SETTING)) {
		ours->flags = weft_pdo_driver_note_setting(link, ours->handle, ours->sql, ours->flags);
	}
}

static int run_on(pdo_stmt_t *statement, weft_pdo_link *link)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);
	/* an error of PostgreSQL has ended the transaction */
	bool aborted = link->in_transaction && link->driver->dialect == WEFT_SQL_POSTGRESQL;
	int done;

	weft_pdo_note_sql(link, ours->sql);
	weft_pdo_domain_sends();
	weft_pdo_inserted_prepare(link, ours->handle, ours->flags);
	weft_pdo_statement_not_pending(ours);
	done = !weft_pdo_was_cut_short(link) && weft_pdo_dry_run_enter(link, ours->sql, ours->flags) &&
		run_driver(statement, link);
	if (UNEXPECTED(!done)) {
		weft_pdo_statement_failed(statement, link);
		if (ours->reused && link->pool && !link->broken && !EG(exception) && statement_is_stale(statement, ours)) {
			link->pool->stale++;
			if (aborted) {
				drop_stale(ours);
			} else {
				done = execute_again(statement, link);
			}
		}
	}
	return done;
}

/* On another link, which is leased then, when this one is dead and the server has not heard of the statement. */
static bool start_over(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);

	if (!weft_pdo_may_start_over(ours->leased)) {
		return false;
	}
	ours->leased = NULL;
	strcpy(statement->error_code, PDO_ERR_NONE);
	if (!make_ready(ours)) {
		return false;
	}
	if (!bind_again(statement, ours->leased)) {
		weft_pdo_statement_failed(statement, ours->leased);
		done_with(ours);
		return false;
	}
	return true;
}

/* Binding values may have taken its time. */
static void replace_dead(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);
	weft_pdo_link *link = ours->leased;

	if (EXPECTED(!ours->slow_value)) {
		return;
	}
	ours->slow_value = false;
	if (weft_pdo_is_dead(link)) {
		link->broken = true;
		start_over(statement);
	}
}

/* PDO::query() keeps one statement that has failed, for errorInfo(), and puts the next in its place when that fails.
 * It lets go of the earlier one when a query begins: one that a sibling's query has left since then is still there. */
static void let_go_of_failed(pdo_dbh_t *dbh, const pdo_stmt_t *statement)
{
	if (UNEXPECTED(dbh->query_stmt) && dbh->query_stmt != statement) {
		zend_object *earlier = WEFT_PDO_QUERY_STATEMENT(dbh);

		dbh->query_stmt = NULL;
		WEFT_PDO_FORGET_QUERY_STATEMENT(dbh);
		OBJ_RELEASE(earlier);
	}
}

static int execute_leased(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);
	weft_pdo_link *link;
	int done = 0;

	if (!weft_pdo_statement_may_use(statement) || !make_ready(ours)) {
		return 0;
	}
	if (UNEXPECTED(EG(exception))) {
		/* while a parameter was read: half of it must not be written */
		if (ours->leased) {
			done_with(ours);
		}
		return 0;
	}
	replace_dead(statement);
	if (ours->leased) {
		done = run_on(statement, ours->leased);
		if (UNEXPECTED(!done) && start_over(statement)) {
			done = run_on(statement, ours->leased);
		}
	}
	link = ours->leased;
	if (!link) {
		return 0;
	}
	if (done) {
		note_success(statement, link);
	} else if (link->driver->dialect == WEFT_SQL_MYSQL) {
		/* its driver leaves it in a state that only it knows */
		ours->keep = false;
	}
	weft_pdo_driver_note_effects(link, ours->handle, ours->flags, done);
	done_with(ours);
	if (!done) {
		let_go_of_failed(statement->dbh, statement);
	}
	return done;
}

static int method_execute(pdo_stmt_t *statement)
{
	uint64_t since = weft_pdo_domain_waits();
	int done = execute_leased(statement);

	weft_pdo_domain_has_waited(since);
	return done;
}

void weft_pdo_execute_methods(struct pdo_stmt_methods *methods, const struct pdo_stmt_methods *original)
{
	methods->executer = method_execute;
	WEFT_PDO_STAND_IN(param_hook, method_param_hook);
}
