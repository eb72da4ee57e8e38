/*
 * Statements. PDO's part of one belongs to the application; the driver's part belongs to a link, and may move to
 * another one: then it is prepared again there.
 *
 * While the driver works it must see its own connection in PDO's structure, not the handle. That is put in place for
 * a call and taken out after it; a statement found in that state is in use by another coroutine.
 */
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_cache.h"
#include "pdo/weft_pdo_handle.h"
#include "pdo/weft_pdo_native.h"
#include "pdo/weft_pdo.h"
#include "isolation/weft_domain.h"
#include "php_weft.h"
#include "zend_exceptions.h"

/* A statement that was given more than this is not kept: MySQL's driver keeps what was bound. */
#define KEEP_PARAMETERS_BELOW 65536

struct weft_pdo_statement {
	pdo_stmt_t *statement;
	weft_pdo_handle *handle;
	void *domain;              /* of who prepared it */
	weft_pdo_link *link;       /* where the driver's part is; NULL: there is none */
	weft_pdo_link *leased;     /* between binding values and the execution's end */
	weft_pdo_prepared prepared;
	bool has_data;             /* `prepared` is filled */
	bool keep;                 /* may be kept for the next who prepares the same */
	bool reused;               /* it was kept */
	bool ran;                  /* executed since it was prepared or taken: it has a result to forget */
	bool binary;               /* a value was bound as LOB: the server was told a type */
	bool pending;              /* rows or results are still on their way */
	bool virtual;              /* a setting that is known: nothing to execute */
	uint32_t flags;            /* of its SQL */
	zend_string *sql;
	zval options;
	zval error;
	weft_pdo_statement *next, **place;
};

static weft_pdo_statement *of(const pdo_stmt_t *statement)
{
	return statement->driver_data;
}

zval *weft_pdo_statement_error(const pdo_stmt_t *statement)
{
	return statement->driver_data ? &of(statement)->error : NULL;
}

/* --- what the driver sees --- */

typedef struct {
	weft_pdo_statement *ours;
	pdo_dbh_t *dbh;
	zval object;
} saved;

static void put_in(pdo_stmt_t *statement, weft_pdo_link *link, saved *saved)
{
	saved->ours = of(statement);
	saved->dbh = statement->dbh;
	ZVAL_COPY_VALUE(&saved->object, &statement->database_object_handle);
	statement->driver_data = saved->ours->prepared.data;
	statement->dbh = link->dbh;
	ZVAL_OBJ_COPY(&statement->database_object_handle, link->hidden);
}

static void take_out(pdo_stmt_t *statement, saved *saved)
{
	zval hidden;

	ZVAL_COPY_VALUE(&hidden, &statement->database_object_handle);
	saved->ours->prepared.data = statement->driver_data;
	/* MySQL's driver says so only when it prepares */
	saved->dbh->alloc_own_columns = statement->dbh->alloc_own_columns;
	statement->driver_data = saved->ours;
	statement->dbh = saved->dbh;
	ZVAL_COPY_VALUE(&statement->database_object_handle, &saved->object);
	zval_ptr_dtor(&hidden);
}

/* False with an exception when it can't be used now, or not here. */
static bool may_use(pdo_stmt_t *statement)
{
	const weft_pdo_statement *ours;

	if (UNEXPECTED(!statement->dbh || !statement->dbh->methods ||
			statement->dbh->methods->preparer != weft_pdo_statement_prepare)) {
		weft_pdo_throw("HY010", "Another coroutine is executing this statement; prepare one in each coroutine");
		return false;
	}
	ours = of(statement);
	if (UNEXPECTED(ours->domain != weft_domain_in_place) && weft_snapshot_taken()) {
		weft_pdo_throw("HY010",
			"This statement was prepared on a connection of another request or of the boot; prepare it again here");
		return false;
	}
	return true;
}

static void failed(pdo_stmt_t *statement, weft_pdo_link *link)
{
	weft_pdo_statement *ours = of(statement);
	saved saved;

	put_in(statement, link, &saved);
	weft_pdo_driver_failed(link, ours->handle, statement, &ours->error);
	take_out(statement, &saved);
	if (Z_TYPE(ours->error) == IS_ARRAY) {
		zval_ptr_dtor(&ours->handle->error);
		ZVAL_COPY(&ours->handle->error, &ours->error);
	}
}

/* --- the driver's part comes and goes --- */

static void enlist(weft_pdo_statement *ours, weft_pdo_link *link)
{
	ours->link = link;
	ours->has_data = true;
	link->references++;
	ours->next = link->statements;
	ours->place = &link->statements;
	if (ours->next) {
		ours->next->place = &ours->next;
	}
	link->statements = ours;
}

static void delist(weft_pdo_statement *ours)
{
	*ours->place = ours->next;
	if (ours->next) {
		ours->next->place = ours->place;
	}
	weft_pdo_link_release(ours->link);
	ours->link = NULL;
	ours->has_data = false;
}

static void no_longer_pending(weft_pdo_statement *ours)
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
	saved saved;

	/* MySQL's driver would forget what it needs of one that has not been executed */
	if (ours->ran && ours->prepared.methods->cursor_closer) {
		put_in(statement, ours->link, &saved);
		done = ours->prepared.methods->cursor_closer(statement);
		take_out(statement, &saved);
	}
	return done;
}

static bool can_be_kept(const weft_pdo_statement *ours)
{
	const weft_pdo_link *link = ours->link;

	return ours->keep && !ours->binary && !link->broken && ours->prepared.resets == link->resets && link->generation == weft_pdo_generation() &&
		WEFT_G(pdo_statement_cache) > 0 &&
		weft_pdo_native_knows_statement(ours->prepared.data, link->dbh, link->driver->dialect);
}

/* Whether the running coroutine may talk to the server on it. */
static bool is_free(const weft_pdo_link *link)
{
	return !link->broken && (!link->user || link->user == weft_pdo_self());
}

/* Whether to end or to keep it takes no word with the server. */
static bool is_silent(const weft_pdo_statement *ours)
{
	const weft_pdo_link *link = ours->link;

	return link->driver->dialect == WEFT_SQL_POSTGRESQL &&
		weft_pdo_native_knows_statement(ours->prepared.data, link->dbh, WEFT_SQL_POSTGRESQL);
}

static void keep_or_end(weft_pdo_statement *ours)
{
	weft_pdo_link *link = ours->link;
	bool keep = can_be_kept(ours) && (is_silent(ours) || is_free(link));

	if (keep && link->driver->dialect == WEFT_SQL_MYSQL) {
		keep = close_cursor(ours);
	}
	no_longer_pending(ours);
	ours->has_data = false;
	if (keep) {
		weft_pdo_cache_give(link, ours->sql, &ours->prepared);
	} else {
		weft_pdo_cache_destroy(link, &ours->prepared);
	}
}

/* Others must not begin in the middle of what is said to the server. */
static void keep_or_end_alone(weft_pdo_statement *ours)
{
	weft_pdo_link *link = ours->link;

	if (link->idle) {
		weft_pdo_pool_take(link);
	}
	link->user = weft_pdo_self();
	keep_or_end(ours);
	link->user = NULL;
	weft_pdo_link_wake(link);
	if (link->pool && !link->handle) {
		weft_pdo_pool_release(link);
	}
}

static void drop_data(weft_pdo_statement *ours)
{
	weft_pdo_link *link = ours->link;

	if (link->generation == weft_pdo_generation()) {
		if (is_silent(ours) || link->user || link->broken) {
			keep_or_end(ours);
		} else {
			keep_or_end_alone(ours);
		}
	}
	delist(ours);
}

/* --- preparing --- */

static bool wants_no_cache(const zval *options)
{
	return Z_TYPE_P(options) == IS_ARRAY && zend_hash_num_elements(Z_ARRVAL_P(options));
}

/* Names of parameters are PDO's part: it has parsed them for the one who prepared this first. */
static bool parse_parameters(weft_pdo_statement *ours)
{
	pdo_stmt_t *statement = ours->statement;
	weft_pdo_parse_params parse = weft_pdo_native_parser();
	HashTable *bound = statement->bound_params;
	zend_string *rewritten = NULL;
	int result;

	if (!parse) {
		return false;
	}
	statement->supports_placeholders = ours->prepared.supports_placeholders;
	statement->named_rewrite_template = ours->prepared.named_rewrite_template;
	statement->bound_params = NULL;
	result = parse(statement, ours->sql, &rewritten);
	statement->bound_params = bound;
	if (rewritten) {
		zend_string_release(rewritten);
	}
	return result >= 0;
}

static bool take_kept(weft_pdo_statement *ours, weft_pdo_link *link)
{
	if (!ours->keep || ours->binary || !WEFT_G(pdo_statement_cache) ||
		!weft_pdo_cache_take(link, ours->sql, &ours->prepared)) {
		return false;
	}
	if (!parse_parameters(ours)) {
		weft_pdo_cache_destroy(link, &ours->prepared);
		return false;
	}
	ours->reused = true;
	ours->ran = false;
	ours->statement->methods = weft_pdo_driver_statement_methods(link->driver, ours->prepared.methods);
	enlist(ours, link);
	return true;
}

static uint32_t count_parameters(const pdo_stmt_t *statement)
{
	return statement->bound_param_map ? zend_hash_num_elements(statement->bound_param_map) : 0;
}

static bool prepare_anew(weft_pdo_statement *ours, weft_pdo_link *link)
{
	pdo_stmt_t *statement = ours->statement;
	HashTable *bound = statement->bound_params;
	pdo_dbh_t *dbh = statement->dbh;
	bool prepared;
	saved saved;

	memset(&ours->prepared, 0, sizeof(ours->prepared));
	put_in(statement, link, &saved);
	statement->methods = NULL;
	statement->bound_params = NULL;
	prepared = link->dbh->methods->preparer(link->dbh, ours->sql, statement,
		Z_TYPE(ours->options) == IS_ARRAY ? &ours->options : NULL);
	statement->bound_params = bound;
	ours->prepared.methods = statement->methods;
	take_out(statement, &saved);
	ours->reused = false;
	ours->ran = false;
	if (ours->prepared.methods) {
		ours->prepared.supports_placeholders = statement->supports_placeholders;
		ours->prepared.named_rewrite_template = statement->named_rewrite_template;
		ours->prepared.attributes = link->profile->attributes;
		ours->prepared.resets = link->resets;
		ours->prepared.parameters = count_parameters(statement);
		ours->prepared.executed = false;
		statement->methods = weft_pdo_driver_statement_methods(link->driver, ours->prepared.methods);
		enlist(ours, link);
	} else {
		statement->methods = NULL;
		statement->driver_data = NULL;
	}
	/* emulated ones are text, and have nothing to keep */
	if (statement->supports_placeholders == PDO_PLACEHOLDER_NONE) {
		ours->keep = false;
	}
	if (!prepared) {
		ours->keep = false;
		strcpy(dbh->error_code, link->dbh->error_code);
	}
	return prepared;
}

static bool provide(weft_pdo_statement *ours, weft_pdo_link *link)
{
	return take_kept(ours, link) || prepare_anew(ours, link);
}

static void free_ours(weft_pdo_statement *ours)
{
	zend_string_release(ours->sql);
	zval_ptr_dtor(&ours->options);
	zval_ptr_dtor(&ours->error);
	free(ours);
}

static weft_pdo_statement *new_statement(weft_pdo_handle *handle, zend_string *sql, pdo_stmt_t *statement,
	zval *options)
{
	weft_pdo_statement *ours = pecalloc(1, sizeof(*ours), 1);

	ours->statement = statement;
	ours->handle = handle;
	ours->domain = weft_domain_in_place;
	ours->sql = zend_string_copy(sql);
	ours->flags = weft_sql_classify(ZSTR_VAL(sql), ZSTR_LEN(sql), handle->driver->dialect);
	ZVAL_UNDEF(&ours->error);
	if (options) {
		ZVAL_COPY(&ours->options, options);
	} else {
		ZVAL_UNDEF(&ours->options);
	}
	ours->keep = handle->driver->dialect != WEFT_SQL_OTHER_DIALECT && !(ours->flags & WEFT_SQL_SEVERAL) &&
		!wants_no_cache(&ours->options);
	statement->driver_data = ours;
	return ours;
}

/* --- settings that are known: nothing to ask anybody --- */

static int virtual_free(pdo_stmt_t *statement)
{
	free_ours(of(statement));
	statement->driver_data = NULL;
	return 1;
}

static int virtual_execute(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = of(statement);
	weft_pdo_profile *known = weft_pdo_profile_find_sql(ours->handle->profile, ours->sql);

	statement->column_count = 0;
	statement->row_count = 0;
	if (known && !weft_pdo_leased(ours->handle)) {
		ours->handle->profile = known;
		return 1;
	}
	return statement->dbh->methods->doer(statement->dbh, ours->sql) >= 0;
}

static int virtual_fetch(pdo_stmt_t *statement, enum pdo_fetch_orientation orientation, zend_long offset)
{
	return 0;
}

static int virtual_describe(pdo_stmt_t *statement, int column)
{
	return 0;
}

static int virtual_column(pdo_stmt_t *statement, int column, zval *result, enum pdo_param_type *type)
{
	return 0;
}

static int virtual_close(pdo_stmt_t *statement)
{
	return 1;
}

static const struct pdo_stmt_methods virtual_methods = {
	.dtor = virtual_free,
	.executer = virtual_execute,
	.fetcher = virtual_fetch,
	.describer = virtual_describe,
	.get_col = virtual_column,
	.cursor_closer = virtual_close,
};

static bool prepare_virtual(weft_pdo_statement *ours)
{
	pdo_stmt_t *statement = ours->statement;

	if (!(ours->flags & WEFT_SQL_SETTING) || weft_pdo_leased(ours->handle) ||
		!weft_pdo_profile_find_sql(ours->handle->profile, ours->sql)) {
		return false;
	}
	ours->virtual = true;
	statement->methods = &virtual_methods;
	statement->supports_placeholders = PDO_PLACEHOLDER_NAMED | PDO_PLACEHOLDER_POSITIONAL;
	return true;
}

bool weft_pdo_statement_prepare(pdo_dbh_t *dbh, zend_string *sql, pdo_stmt_t *statement, zval *options)
{
	weft_pdo_handle *handle = dbh->driver_data;
	weft_pdo_statement *ours = new_statement(handle, sql, statement, options);
	weft_pdo_link *link;
	bool prepared;

	if (prepare_virtual(ours)) {
		return true;
	}
	link = weft_pdo_lease(handle, NULL, false);
	if (!link) {
		statement->driver_data = NULL;
		free_ours(ours);
		return false;
	}
	weft_pdo_note_sql(link, sql);
	prepared = provide(ours, link);
	if (!prepared) {
		weft_pdo_driver_failed(link, handle, NULL, &handle->error);
		strcpy(dbh->error_code, link->dbh->error_code);
	}
	weft_pdo_settle(link);
	if (!statement->driver_data) {
		free_ours(ours);
	}
	return prepared;
}

/* --- executing --- */

static bool bind_again(pdo_stmt_t *statement, weft_pdo_link *link)
{
	struct pdo_bound_param_data *parameter;
	bool done = true;
	saved saved;

	if (!statement->bound_params || !of(statement)->prepared.methods->param_hook) {
		return true;
	}
	put_in(statement, link, &saved);
	ZEND_HASH_FOREACH_PTR(statement->bound_params, parameter) {
		done = done && saved.ours->prepared.methods->param_hook(statement, parameter, PDO_PARAM_EVT_EXEC_PRE);
	}
	ZEND_HASH_FOREACH_END();
	take_out(statement, &saved);
	return done;
}

static bool is_reserved_link_fit(const weft_pdo_statement *ours, const weft_pdo_link *link)
{
	if (!ours->has_data || ours->link != link || link->generation != weft_pdo_generation() ||
		ours->prepared.resets != link->resets) {
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

/* A link, with the driver's part of the statement on it. */
static weft_pdo_link *make_ready(weft_pdo_statement *ours)
{
	weft_pdo_link *link;

	if (ours->leased) {
		return ours->leased;
	}
	link = weft_pdo_lease(ours->handle, ours->link, false);
	if (!link) {
		return NULL;
	}
	if (!is_reserved_link_fit(ours, link)) {
		if (ours->has_data) {
			drop_data(ours);
		}
		forget_columns(ours->statement);
		if (!provide(ours, link)) {
			weft_pdo_driver_failed(link, ours->handle, NULL, &ours->error);
			strcpy(ours->statement->error_code, link->dbh->error_code);
			weft_pdo_settle(link);
			return NULL;
		}
	}
	ours->leased = link;
	return link;
}

static void done_with(weft_pdo_statement *ours)
{
	weft_pdo_link *link = ours->leased;

	ours->leased = NULL;
	weft_pdo_settle(link);
}

static void note_size(weft_pdo_statement *ours, const struct pdo_bound_param_data *parameter)
{
	const zval *value = &parameter->parameter;

	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) == IS_STRING && Z_STRLEN_P(value) > KEEP_PARAMETERS_BELOW) {
		ours->keep = false;
	}
	if (PDO_PARAM_TYPE(parameter->param_type) == PDO_PARAM_LOB) {
		ours->binary = true;
	}
}

static int method_param_hook(pdo_stmt_t *statement, struct pdo_bound_param_data *parameter,
	enum pdo_param_event event)
{
	weft_pdo_statement *ours = of(statement);
	weft_pdo_link *link;
	saved saved;
	int done;

	if (event == PDO_PARAM_EVT_FREE && (!ours || !ours->has_data)) {
		return 1;
	}
	if (event != PDO_PARAM_EVT_FREE && !may_use(statement)) {
		return 0;
	}
	if (event == PDO_PARAM_EVT_EXEC_PRE && parameter->is_param) {
		note_size(ours, parameter);
		if (!make_ready(ours)) {
			return 0;
		}
	}
	link = ours->link;
	if (!link) {
		return 1;
	}
	put_in(statement, link, &saved);
	done = ours->prepared.methods->param_hook(statement, parameter, event);
	take_out(statement, &saved);
	if (!done) {
		/* the application's __toString() may have thrown: nothing was said to the server */
		bool broken = link->broken;

		failed(statement, link);
		link->broken = broken;
		if (ours->leased) {
			done_with(ours);
		}
	}
	return done;
}

static int run_driver(pdo_stmt_t *statement, weft_pdo_link *link)
{
	saved saved;
	int done;

	put_in(statement, link, &saved);
	done = saved.ours->prepared.methods->executer(statement);
	take_out(statement, &saved);
	return done;
}

/* What a statement prepared earlier may fail of, and one prepared now would not. */
static bool is_stale(const pdo_stmt_t *statement, const weft_pdo_statement *ours)
{
	static const char *const states[] = {"0A000", "26000", "42", NULL};
	const zval *code = Z_TYPE(ours->error) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL(ours->error), 0) : NULL;

	for (int i = 0; states[i]; i++) {
		if (strncmp(statement->error_code, states[i], strlen(states[i])) == 0) {
			return true;
		}
	}
	/* unknown statement, needs to be prepared again, number of columns has changed */
	return code && Z_TYPE_P(code) == IS_LONG &&
		(Z_LVAL_P(code) == 1243 || Z_LVAL_P(code) == 1615 || Z_LVAL_P(code) == 2057);
}

static int execute_again(pdo_stmt_t *statement, weft_pdo_link *link)
{
	weft_pdo_statement *ours = of(statement);

	ours->keep = false;
	drop_data(ours);
	forget_columns(statement);
	ours->keep = true;
	if (!prepare_anew(ours, link) || !bind_again(statement, link)) {
		return 0;
	}
	strcpy(statement->error_code, PDO_ERR_NONE);
	return run_driver(statement, link);
}

/* Rows that the driver has not taken in, or further results, keep the connection busy; so does an open cursor. */
static bool leaves_pending(const weft_pdo_statement *ours)
{
	const zval *cursor;

	if (ours->link->driver->dialect == WEFT_SQL_MYSQL) {
		return (ours->flags & WEFT_SQL_SEVERAL) || !weft_pdo_native_is_ready(ours->link->dbh, WEFT_SQL_MYSQL);
	}
	if (Z_TYPE(ours->options) != IS_ARRAY) {
		return false;
	}
	cursor = zend_hash_index_find(Z_ARRVAL(ours->options), PDO_ATTR_CURSOR);
	return cursor && zval_get_long((zval *) cursor) == PDO_CURSOR_SCROLL;
}

/* After a call that may have taken in the last of it. */
static void note_progress(weft_pdo_statement *ours)
{
	if (ours->pending && !leaves_pending(ours)) {
		no_longer_pending(ours);
	}
}

static void note_success(pdo_stmt_t *statement, weft_pdo_link *link)
{
	weft_pdo_statement *ours = of(statement);

	ours->ran = true;
	ours->prepared.executed = true;
	ours->prepared.has_columns = statement->column_count > 0;
	ours->prepared.transaction = link->transaction;
	ours->prepared.definitions = link->definitions;
	if (leaves_pending(ours) && !ours->pending) {
		ours->pending = true;
		link->pending++;
	}
	ours->flags = weft_pdo_driver_note_setting(link, ours->handle, ours->sql, ours->flags);
}

static int method_execute(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = of(statement);
	weft_pdo_link *link;
	bool retry;
	int done;

	if (!may_use(statement)) {
		return 0;
	}
	link = make_ready(ours);
	if (!link) {
		return 0;
	}
	weft_pdo_note_sql(link, ours->sql);
	weft_pdo_driver_prepare_session(link, ours->handle, ours->flags);
	no_longer_pending(ours);
	retry = ours->reused && !link->in_transaction && link->pool;
	done = run_driver(statement, link);
	if (UNEXPECTED(!done)) {
		failed(statement, link);
		if (retry && !link->broken && !EG(exception) && is_stale(statement, ours)) {
			done = execute_again(statement, link);
			if (!done && ours->has_data) {
				failed(statement, link);
			}
		}
	}
	if (done) {
		note_success(statement, link);
	} else if (link->driver->dialect == WEFT_SQL_MYSQL) {
		/* its driver leaves it in a state that only it knows */
		ours->keep = false;
	}
	weft_pdo_driver_note_effects(link, ours->handle, ours->flags);
	done_with(ours);
	return done;
}

/* --- rows --- */

/* Whether the driver may need the connection for what comes next. */
static bool needs_link(const weft_pdo_statement *ours)
{
	return ours->pending || !ours->link->pool;
}

typedef struct {
	weft_pdo_link *leased;
	saved saved;
} call;

/* False with an exception. */
static bool begin_call(pdo_stmt_t *statement, bool with_link, call *call)
{
	weft_pdo_statement *ours = of(statement);

	call->leased = NULL;
	if (!may_use(statement)) {
		return false;
	}
	if (UNEXPECTED(!ours->has_data)) {
		weft_pdo_throw("HY010", "This statement's connection has ended; execute it again");
		return false;
	}
	if (with_link && !ours->leased) {
		call->leased = weft_pdo_lease(ours->handle, ours->link, true);
		if (!call->leased) {
			return false;
		}
	}
	put_in(statement, ours->link, &call->saved);
	return true;
}

static void end_call(pdo_stmt_t *statement, call *call, bool failure)
{
	take_out(statement, &call->saved);
	if (failure && strcmp(statement->error_code, PDO_ERR_NONE) != 0) {
		failed(statement, of(statement)->link);
	}
	if (call->leased) {
		weft_pdo_settle(call->leased);
	}
}

static int method_fetch(pdo_stmt_t *statement, enum pdo_fetch_orientation orientation, zend_long offset)
{
	weft_pdo_statement *ours = of(statement);
	call call;
	int got;

	if (!begin_call(statement, ours->link && needs_link(ours), &call)) {
		return 0;
	}
	got = ours->prepared.methods->fetcher(statement, orientation, offset);
	note_progress(ours);
	end_call(statement, &call, !got);
	return got;
}

static int method_describe(pdo_stmt_t *statement, int column)
{
	call call;
	int done;

	if (!begin_call(statement, false, &call)) {
		return 0;
	}
	done = call.saved.ours->prepared.methods->describer(statement, column);
	end_call(statement, &call, !done);
	return done;
}

static int method_get_column(pdo_stmt_t *statement, int column, zval *result, enum pdo_param_type *type)
{
	weft_pdo_statement *ours = of(statement);
	call call;
	int done;

	/* a large object is opened on the connection */
	if (!begin_call(statement, ours->link && type && *type == PDO_PARAM_LOB && ours->link->handle == ours->handle,
			&call)) {
		return 0;
	}
	done = ours->prepared.methods->get_col(statement, column, result, type);
	end_call(statement, &call, !done);
	return done;
}

static int method_set_attribute(pdo_stmt_t *statement, zend_long attribute, zval *value)
{
	call call;
	int done;

	if (!begin_call(statement, true, &call)) {
		return 0;
	}
	done = call.saved.ours->prepared.methods->set_attribute(statement, attribute, value);
	end_call(statement, &call, !done);
	return done;
}

static int method_get_attribute(pdo_stmt_t *statement, zend_long attribute, zval *value)
{
	call call;
	int done;

	if (!begin_call(statement, true, &call)) {
		return -1;
	}
	done = call.saved.ours->prepared.methods->get_attribute(statement, attribute, value);
	end_call(statement, &call, done == -1);
	return done;
}

static int method_column_meta(pdo_stmt_t *statement, zend_long column, zval *value)
{
	call call;
	int done;

	if (!begin_call(statement, true, &call)) {
		return FAILURE;
	}
	done = call.saved.ours->prepared.methods->get_column_meta(statement, column, value);
	end_call(statement, &call, done == FAILURE);
	return done;
}

static int method_next_rowset(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = of(statement);
	call call;
	int done;

	if (!ours->link || !needs_link(ours)) {
		return 0;
	}
	if (!begin_call(statement, true, &call)) {
		return 0;
	}
	done = ours->prepared.methods->next_rowset(statement);
	if (!done) {
		no_longer_pending(ours);
	}
	end_call(statement, &call, !done);
	return done;
}

static int method_close_cursor(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = of(statement);
	call call;
	int done;

	if (!ours->has_data) {
		return 1;
	}
	if (!begin_call(statement, needs_link(ours), &call)) {
		return 0;
	}
	done = ours->prepared.methods->cursor_closer(statement);
	if (done && ours->link->driver->dialect == WEFT_SQL_MYSQL) {
		no_longer_pending(ours);
	}
	end_call(statement, &call, !done);
	return done;
}

static int method_free(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = of(statement);

	if (!ours) {
		return 1;
	}
	if (statement->dbh && statement->dbh->methods &&
		statement->dbh->methods->preparer != weft_pdo_statement_prepare) {
		return 1; /* a fatal error ended a call: what the driver has is not to be trusted */
	}
	statement->driver_data = NULL;
	if (ours->has_data) {
		weft_pdo_link *link = ours->link;

		link->references++;
		statement->driver_data = ours;
		drop_data(ours);
		statement->driver_data = NULL;
		if (link->handle && link->pool && !link->user && link->depth == 0 && !link->broken) {
			link->depth = 1;
			weft_pdo_settle(link); /* it may have been the last that held it */
		}
		weft_pdo_link_release(link);
	}
	free_ours(ours);
	return 1;
}

void weft_pdo_statement_methods(struct pdo_stmt_methods *methods, const struct pdo_stmt_methods *original)
{
#define STAND_IN(member, function) methods->member = original->member ? function : NULL
	methods->dtor = method_free;
	methods->executer = method_execute;
	STAND_IN(fetcher, method_fetch);
	STAND_IN(describer, method_describe);
	STAND_IN(get_col, method_get_column);
	STAND_IN(param_hook, method_param_hook);
	STAND_IN(set_attribute, method_set_attribute);
	STAND_IN(get_attribute, method_get_attribute);
	STAND_IN(get_column_meta, method_column_meta);
	STAND_IN(next_rowset, method_next_rowset);
	STAND_IN(cursor_closer, method_close_cursor);
}

/* --- the end of a domain or a link --- */

bool weft_pdo_statements_of(const weft_pdo_link *link, const void *domain)
{
	for (const weft_pdo_statement *ours = link->statements; ours; ours = ours->next) {
		if (ours->domain == domain) {
			return true;
		}
	}
	return false;
}

void weft_pdo_statements_finish(weft_pdo_link *link, const void *domain, bool all)
{
	weft_pdo_statement *ours = link->statements;

	link->references++;
	while (ours) {
		if ((all || ours->domain == domain) && ours->statement->driver_data == ours) {
			ours->statement->executed = 0;
			drop_data(ours);
			ours = link->statements; /* it may have waited */
		} else {
			ours = ours->next;
		}
	}
	weft_pdo_link_release(link);
}
