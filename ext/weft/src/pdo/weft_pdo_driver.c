/*
 * The table of methods that stands in a handle in place of the driver's own.
 */
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_domain.h"
#include "pdo/weft_pdo_dry_run.h"
#include "pdo/weft_pdo_handle.h"
#include "pdo/weft_pdo_inserted.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_methods.h"
#include "pdo/weft_pdo.h"
#include "zend_exceptions.h"

/* Reading a statement takes longer than finding it: so many are remembered, none longer than that. */
#define JUDGED_MOST 512
#define JUDGED_LENGTH 4096

static weft_pdo_driver *drivers;

/* --- errors --- */

void weft_pdo_driver_note_error(weft_pdo_link *link, pdo_stmt_t *statement, zval *error)
{
	zval_ptr_dtor(error);
	array_init(error);
	if (link->dbh->methods->fetch_err) {
		link->dbh->methods->fetch_err(link->dbh, statement, error);
	}
}

/* Else PDO would throw its own exception, in place of an end that nothing may catch. */
static void hide_error(weft_pdo_link *link, weft_pdo_handle *handle, pdo_stmt_t *statement)
{
	strcpy(link->dbh->error_code, PDO_ERR_NONE);
	strcpy(handle->dbh->error_code, PDO_ERR_NONE);
	if (statement) {
		strcpy(statement->error_code, PDO_ERR_NONE);
	}
}

void weft_pdo_driver_failed(weft_pdo_link *link, weft_pdo_handle *handle, pdo_stmt_t *statement, zval *error)
{
	/* whoever was cancelled in the middle of a call has left an answer on its way, as has whom a handler of warnings
	 * has thrown out of it */
	bool interrupted = EG(exception) && !instanceof_function(EG(exception)->ce, weft_pdo_exception_class());

	weft_pdo_driver_note_error(link, statement, error);
	if (!statement) {
		strcpy(handle->dbh->error_code, link->dbh->error_code);
	}
	if (interrupted && weft_current && weft_current->cancel_requested) {
		if (!link->broken) {
			weft_pdo_stop_query(link);
		}
		hide_error(link, handle, statement);
	}
	if (interrupted || weft_pdo_link_is_lost(link, error)) {
		link->broken = true;
	}
	if (!statement && weft_pdo_link_remembers_what_is_gone(link, link->dbh->error_code, error)) {
		link->expires_at = 0;
	}
}

void weft_pdo_driver_throw(weft_pdo_link *link)
{
	zval error, *message;

	ZVAL_UNDEF(&error);
	weft_pdo_driver_note_error(link, NULL, &error);
	message = zend_hash_index_find(Z_ARRVAL(error), 1);
	weft_pdo_throw(link->dbh->error_code, "%s",
		message && Z_TYPE_P(message) == IS_STRING ? Z_STRVAL_P(message) : "The driver gives no reason");
	zval_ptr_dtor(&error);
}

/* --- what a statement does to the session --- */

uint32_t weft_pdo_driver_judge(weft_pdo_driver *driver, zend_string *sql)
{
	const zval *known = ZSTR_LEN(sql) <= JUDGED_LENGTH ? zend_hash_find(&driver->judged, sql) : NULL;
	zval flags;
	zend_string *key;

	if (EXPECTED(known)) {
		return (uint32_t) Z_LVAL_P(known);
	}
	ZVAL_LONG(&flags, weft_sql_classify(ZSTR_VAL(sql), ZSTR_LEN(sql), driver->dialect));
	if (ZSTR_LEN(sql) <= JUDGED_LENGTH) {
		if (zend_hash_num_elements(&driver->judged) >= JUDGED_MOST) {
			zend_hash_clean(&driver->judged);
		}
		key = zend_string_init(ZSTR_VAL(sql), ZSTR_LEN(sql), 1);
		ZSTR_H(key) = ZSTR_H(sql);
		zend_hash_add_new(&driver->judged, key, &flags);
		zend_string_release(key);
	}
	return (uint32_t) Z_LVAL(flags);
}

bool weft_pdo_driver_is_in_transaction(weft_pdo_link *link, weft_native_session session)
{
	const struct pdo_dbh_methods *methods = link->dbh->methods;

	if (session == WEFT_NATIVE_AT_REST || session == WEFT_NATIVE_IN_TRANSACTION) {
		return session == WEFT_NATIVE_IN_TRANSACTION;
	}
	/* libpq can't say while rows are on their way, which its driver takes for a transaction */
	if (session == WEFT_NATIVE_BUSY && link->driver->client == WEFT_NATIVE_LIBPQ) {
		return link->in_transaction;
	}
	return methods->in_transaction ? methods->in_transaction(link->dbh) : link->dbh->in_txn;
}

bool weft_pdo_driver_in_transaction(weft_pdo_link *link)
{
	return weft_pdo_driver_is_in_transaction(link, weft_pdo_native_session_state(link->dbh, link->driver->client));
}

void weft_pdo_driver_note_effects(weft_pdo_link *link, weft_pdo_handle *handle, uint32_t flags, bool done)
{
	if (flags & WEFT_SQL_TOUCHES) {
		link->pins |= WEFT_PIN_TOUCHED;
		link->settings++;
	}
	if (flags & WEFT_SQL_DEFINES) {
		link->definitions++;
		/* ROLLBACK TO takes back settings as well */
		link->settings += (link->pins & WEFT_PIN_TOUCHED) != 0;
	}
	weft_pdo_inserted_note(link, handle, flags, done);
}

/* --- the methods that PDO calls --- */

static weft_pdo_link *driver_enter(pdo_dbh_t *dbh)
{
	return weft_pdo_lease(dbh->driver_data, NULL);
}

/* After a call that failed: whether to make it once more. If so, the link has been given back. */
static bool once_more(pdo_dbh_t *dbh, weft_pdo_link *link)
{
	weft_pdo_handle *handle = dbh->driver_data;

	weft_pdo_driver_failed(link, handle, NULL, &handle->error);
	if (!weft_pdo_may_start_over(link)) {
		return false;
	}
	strcpy(dbh->error_code, PDO_ERR_NONE);
	zval_ptr_dtor(&handle->error);
	ZVAL_UNDEF(&handle->error);
	return true;
}

void weft_pdo_driver_leave(pdo_dbh_t *dbh, weft_pdo_link *link, bool done)
{
	weft_pdo_handle *handle = dbh->driver_data;

	if (UNEXPECTED(!done)) {
		weft_pdo_driver_failed(link, handle, NULL, &handle->error);
	}
	weft_pdo_settle(link);
}

static void method_close(pdo_dbh_t *dbh)
{
	if (dbh->driver_data) {
		weft_pdo_handle_free(dbh->driver_data);
		dbh->driver_data = NULL;
	}
}

/* A setting that this profile has seen accepted before: no connection needs to hear of it now. */
static bool is_known_setting(weft_pdo_handle *handle, const zend_string *sql, uint32_t flags)
{
	weft_pdo_profile *known;

	if (!(flags & WEFT_SQL_SETTING) || weft_pdo_leased(handle)) {
		return false;
	}
	known = weft_pdo_profile_find_sql(handle->profile, sql);
	if (known) {
		handle->profile = known;
		weft_pdo_inserted_nothing(handle);
	}
	return known != NULL;
}

uint32_t weft_pdo_driver_note_setting(weft_pdo_link *link, weft_pdo_handle *handle, zend_string *sql, uint32_t flags)
{
	weft_pdo_profile *step = NULL;

	if (!(flags & WEFT_SQL_SETTING)) {
		return flags;
	}
	/* a transaction may take it back, and what others have set meanwhile is not known */
	if (!link->in_transaction && !weft_pdo_driver_in_transaction(link) && link->profile == handle->profile) {
		step = weft_pdo_profile_add_sql(handle->profile, sql);
	}
	if (!step) {
		return flags | WEFT_SQL_TOUCHES;
	}
	link->profile = step;
	handle->profile = step;
	return flags;
}

static zend_long driver_exec(pdo_dbh_t *dbh, const zend_string *sql)
{
	weft_pdo_handle *handle = dbh->driver_data;
	uint32_t flags = weft_pdo_driver_judge(handle->driver, (zend_string *) sql);
	weft_pdo_link *link;
	zend_long result;
	int tries = 1;

	if (is_known_setting(handle, sql, flags)) {
		return 0;
	}
	do {
		link = driver_enter(dbh);
		if (!link) {
			return -1;
		}
		weft_pdo_note_sql(link, (zend_string *) sql);
		weft_pdo_domain_sends();
		weft_pdo_inserted_prepare(link, handle, flags);
		if (UNEXPECTED(weft_pdo_was_cut_short(link))) {
			result = -1;
			break;
		}
		result = UNEXPECTED(weft_pdo_dry_run()) ? weft_pdo_dry_run_exec(link, (zend_string *) sql, flags)
												: link->dbh->methods->doer(link->dbh, sql);
	} while (UNEXPECTED(result < 0) && tries-- && once_more(dbh, link));
	if (result >= 0) {
		flags = weft_pdo_driver_note_setting(link, handle, (zend_string *) sql, flags);
	}
	weft_pdo_driver_note_effects(link, handle, flags, result >= 0);
	weft_pdo_driver_leave(dbh, link, result >= 0);
	return result;
}

static zend_long method_exec(pdo_dbh_t *dbh, const zend_string *sql)
{
	uint64_t since = weft_pdo_domain_waits();
	zend_long result = driver_exec(dbh, sql);

	weft_pdo_domain_has_waited(since);
	return result;
}

static zend_string *method_quote(pdo_dbh_t *dbh, const zend_string *text, enum pdo_param_type type)
{
	weft_pdo_link *link = driver_enter(dbh);
	zend_string *quoted;

	if (!link) {
		return NULL;
	}
	quoted = link->dbh->methods->quoter(link->dbh, text, type);
	weft_pdo_driver_leave(dbh, link, quoted != NULL);
	return quoted;
}

static bool driver_begin(pdo_dbh_t *dbh)
{
	weft_pdo_link *link;
	int tries = 1;
	bool done;

	do {
		link = driver_enter(dbh);
		if (!link) {
			return false;
		}
		if (UNEXPECTED(weft_pdo_dry_run())) {
			done = weft_pdo_dry_run_begin(link);
		} else {
			weft_pdo_domain_sends();
			done = link->dbh->methods->begin(link->dbh);
			link->dbh->in_txn = done;
		}
	} while (UNEXPECTED(!done) && tries-- && once_more(dbh, link));
	if (done) {
		weft_pdo_inserted_note_last(link, dbh->driver_data);
	}
	weft_pdo_driver_leave(dbh, link, done);
	return done;
}

static bool method_begin(pdo_dbh_t *dbh)
{
	uint64_t since = weft_pdo_domain_waits();
	bool done = driver_begin(dbh);

	weft_pdo_domain_has_waited(since);
	return done;
}

static bool driver_end_transaction(pdo_dbh_t *dbh, pdo_dbh_txn_func end)
{
	weft_pdo_link *link;
	bool done;

	if (weft_pdo_drop_lost_transaction(dbh->driver_data)) {
		return false;
	}
	link = driver_enter(dbh);
	if (!link) {
		return false;
	}
	if (UNEXPECTED(link->dry_run)) {
		done = weft_pdo_dry_run_end(link, end == link->driver->original->commit);
	} else {
		weft_pdo_domain_sends();
		done = end(link->dbh);
		link->dbh->in_txn = link->dbh->in_txn && !done;
	}
	if (done) {
		weft_pdo_inserted_note_last(link, dbh->driver_data);
	}
	weft_pdo_driver_leave(dbh, link, done);
	return done;
}

static bool end_transaction(pdo_dbh_t *dbh, pdo_dbh_txn_func end)
{
	uint64_t since = weft_pdo_domain_waits();
	bool done = driver_end_transaction(dbh, end);

	weft_pdo_domain_has_waited(since);
	return done;
}

static bool method_commit(pdo_dbh_t *dbh)
{
	return end_transaction(dbh, ((weft_pdo_handle *) dbh->driver_data)->driver->original->commit);
}

static bool method_rollback(pdo_dbh_t *dbh)
{
	return end_transaction(dbh, ((weft_pdo_handle *) dbh->driver_data)->driver->original->rollback);
}

static bool method_in_transaction(pdo_dbh_t *dbh)
{
	weft_pdo_link *link = weft_pdo_leased(dbh->driver_data);

	if (UNEXPECTED(link && link->dry_run)) {
		return link->dry_run_transaction;
	}
	return link && (link->broken ? (link->pins & WEFT_PIN_TRANSACTION) != 0 : weft_pdo_driver_in_transaction(link));
}

static void note_attribute(weft_pdo_link *link, weft_pdo_handle *handle, zend_long attribute, zval *value)
{
	weft_pdo_profile *step = NULL;

	/* what PDO keeps for itself may have changed with it */
	handle->dbh->auto_commit = link->dbh->auto_commit;
	if (attribute != PDO_ATTR_AUTOCOMMIT && link->profile == handle->profile) {
		step = weft_pdo_profile_add_attribute(handle->profile, attribute, value);
	}
	if (step) {
		link->profile = step;
		handle->profile = step;
	} else {
		link->pins |= WEFT_PIN_TOUCHED;
		link->settings++;
		link->attributes_changed = link->attributes_changed || attribute != PDO_ATTR_AUTOCOMMIT;
	}
}

static bool method_set_attribute(pdo_dbh_t *dbh, zend_long attribute, zval *value)
{
	weft_pdo_handle *handle = dbh->driver_data;
	weft_pdo_profile *known;
	weft_pdo_link *link;
	bool done;

	if (!weft_pdo_leased(handle) && (known = weft_pdo_profile_find_attribute(handle->profile, attribute, value))) {
		handle->profile = known;
		return true;
	}
	link = driver_enter(dbh);
	if (!link) {
		return false;
	}
	done = link->dbh->methods->set_attribute(link->dbh, attribute, value);
	if (done) {
		note_attribute(link, handle, attribute, value);
	}
	/* not knowing an attribute is no error of the connection */
	weft_pdo_driver_leave(dbh, link, done || strcmp(link->dbh->error_code, PDO_ERR_NONE) == 0);
	return done;
}

static int method_get_attribute(pdo_dbh_t *dbh, zend_long attribute, zval *value)
{
	weft_pdo_link *link = driver_enter(dbh);
	int result;

	if (!link) {
		return -1;
	}
	result = link->dbh->methods->get_attribute(link->dbh, attribute, value);
	weft_pdo_driver_leave(dbh, link, result != -1);
	return result;
}

static void method_fetch_error(pdo_dbh_t *dbh, pdo_stmt_t *statement, zval *info)
{
	weft_pdo_handle *handle = dbh->driver_data;
	zval *error = statement ? weft_pdo_statement_error(statement) : &handle->error, *part;

	if (error && Z_TYPE_P(error) == IS_ARRAY) {
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(error), part) {
			Z_TRY_ADDREF_P(part);
			add_next_index_zval(info, part);
		}
		ZEND_HASH_FOREACH_END();
	}
}

/* --- drivers --- */

static weft_sql_dialect dialect_of(const pdo_driver_t *driver)
{
	if (strcmp(driver->driver_name, "pgsql") == 0) {
		return WEFT_SQL_POSTGRESQL;
	}
	return strcmp(driver->driver_name, "mysql") == 0 ? WEFT_SQL_MYSQL : WEFT_SQL_OTHER_DIALECT;
}

static void fill_methods(struct pdo_dbh_methods *methods, const struct pdo_dbh_methods *original)
{
	methods->closer = method_close;
	WEFT_PDO_STAND_IN(preparer, weft_pdo_statement_prepare);
	WEFT_PDO_STAND_IN(doer, method_exec);
	WEFT_PDO_STAND_IN(quoter, method_quote);
	WEFT_PDO_STAND_IN(begin, method_begin);
	WEFT_PDO_STAND_IN(commit, method_commit);
	WEFT_PDO_STAND_IN(rollback, method_rollback);
	WEFT_PDO_STAND_IN(set_attribute, method_set_attribute);
	WEFT_PDO_STAND_IN(last_id, weft_pdo_inserted_last);
	WEFT_PDO_STAND_IN(fetch_err, method_fetch_error);
	WEFT_PDO_STAND_IN(get_attribute, method_get_attribute);
	WEFT_PDO_STAND_IN(get_driver_methods, weft_pdo_methods_of_driver);
	methods->in_transaction = method_in_transaction;
#if PHP_VERSION_ID >= 80400
	methods->scanner = original->scanner;
#endif
}

weft_pdo_driver *weft_pdo_driver_of(const pdo_dbh_t *fresh)
{
	weft_pdo_driver *driver;

	for (driver = drivers; driver; driver = driver->next) {
		if (driver->driver == fresh->driver && driver->original == fresh->methods) {
			return driver;
		}
	}
	driver = pecalloc(1, sizeof(*driver), 1);
	driver->driver = fresh->driver;
	driver->original = fresh->methods;
	driver->dialect = dialect_of(fresh->driver);
	driver->client = weft_pdo_native_client(fresh, driver->dialect);
	fill_methods(&driver->methods, fresh->methods);
	zend_hash_init(&driver->judged, 64, NULL, NULL, 1);
	driver->next = drivers;
	drivers = driver;
	return driver;
}

const struct pdo_stmt_methods *weft_pdo_driver_statement_methods(weft_pdo_driver *driver,
	const struct pdo_stmt_methods *original)
{
	for (int i = 0; i < WEFT_PDO_STATEMENT_TABLES; i++) {
		if (!driver->statements[i].original) {
			driver->statements[i].original = original;
			weft_pdo_statement_methods(&driver->statements[i].methods, original);
		}
		if (driver->statements[i].original == original) {
			return &driver->statements[i].methods;
		}
	}
	ZEND_UNREACHABLE();
	return NULL;
}
