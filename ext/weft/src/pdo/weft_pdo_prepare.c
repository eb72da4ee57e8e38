/*
 * Where the driver's part of a statement comes from: kept with the link, or prepared there as it was before.
 */
#include "pdo/weft_pdo_domain.h"
#include "pdo/weft_pdo_statement.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_native.h"
#include "php_weft.h"

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
	ours->prepared_once = true;
	ours->reused = true;
	ours->ran = false;
	ours->statement->methods = weft_pdo_driver_statement_methods(link->driver, ours->prepared.methods);
	weft_pdo_statement_enlist(ours, link);
	return true;
}

static uint32_t count_parameters(const pdo_stmt_t *statement)
{
	return statement->bound_param_map ? zend_hash_num_elements(statement->bound_param_map) : 0;
}

/* The driver has made its part. */
static void note_prepared(weft_pdo_statement *ours, weft_pdo_link *link)
{
	pdo_stmt_t *statement = ours->statement;

	ours->prepared.supports_placeholders = statement->supports_placeholders;
	ours->prepared.named_rewrite_template = statement->named_rewrite_template;
	ours->prepared.profile = link->profile;
	ours->prepared.settings = link->settings;
	ours->prepared.resets = link->resets;
	ours->prepared.parameters = count_parameters(statement);
	statement->methods = weft_pdo_driver_statement_methods(link->driver, ours->prepared.methods);
	ours->prepared_once = true;
	ours->emulated = statement->supports_placeholders == PDO_PLACEHOLDER_NONE;
	/* emulated ones are text, and have nothing to keep */
	if (ours->emulated) {
		ours->keep = false;
	}
	weft_pdo_statement_enlist(ours, link);
}

static bool is_emulating(weft_pdo_link *link)
{
	zval value;

	ZVAL_FALSE(&value);
	return link->dbh->methods->get_attribute &&
		link->dbh->methods->get_attribute(link->dbh, PDO_ATTR_EMULATE_PREPARES, &value) > 0 && zend_is_true(&value);
}

static void emulate(weft_pdo_link *link, bool on)
{
	zval value;

	ZVAL_BOOL(&value, on);
	link->dbh->methods->set_attribute(link->dbh, PDO_ATTR_EMULATE_PREPARES, &value);
}

/* PDO gives values to the driver or puts them into the text, and decides before the driver hears of the execution. So a
 * statement stays what it was, whatever has been set since. */
static bool prepare_as_before(weft_pdo_statement *ours, weft_pdo_link *link)
{
	zval *options = Z_TYPE(ours->options) == IS_ARRAY ? &ours->options : NULL;
	bool other = ours->prepared_once && ours->handle->driver->dialect != WEFT_SQL_OTHER_DIALECT &&
		is_emulating(link) != ours->emulated,
		 prepared;

	if (UNEXPECTED(other)) {
		emulate(link, ours->emulated);
		ours->keep = false;
	}
	prepared = link->dbh->methods->preparer(link->dbh, ours->sql, ours->statement, options);
	if (UNEXPECTED(other)) {
		emulate(link, !ours->emulated);
	}
	return prepared;
}

/* After that it has the driver's part, or none at all. */
bool weft_pdo_statement_prepare_anew(weft_pdo_statement *ours, weft_pdo_link *link, zval *error)
{
	pdo_stmt_t *statement = ours->statement;
	const struct pdo_stmt_methods *methods = statement->methods;
	HashTable *bound = statement->bound_params;
	weft_pdo_swap saved;
	bool prepared;

	memset(&ours->prepared, 0, sizeof(ours->prepared));
	ours->reused = false;
	ours->ran = false;
	weft_pdo_statement_put_in(statement, link, &saved);
	statement->methods = NULL;
	statement->bound_params = NULL;
	prepared = prepare_as_before(ours, link);
	statement->bound_params = bound;
	ours->prepared.methods = statement->methods;
	statement->methods = methods;
	weft_pdo_statement_take_out(statement, &saved);
	if (ours->prepared.methods) {
		note_prepared(ours, link);
	}
	if (!prepared) {
		ours->keep = false;
		weft_pdo_driver_failed(link, ours->handle, NULL, error);
		if (ours->link) {
			weft_pdo_statement_drop(ours);
		}
	}
	return prepared;
}

bool weft_pdo_statement_provide(weft_pdo_statement *ours, weft_pdo_link *link, zval *error)
{
	return take_kept(ours, link) || weft_pdo_statement_prepare_anew(ours, link, error);
}

static bool prepare_on_link(weft_pdo_statement *ours)
{
	weft_pdo_handle *handle = ours->handle;
	weft_pdo_link *link;
	int tries = 1;
	bool prepared;

	do {
		strcpy(handle->dbh->error_code, PDO_ERR_NONE);
		link = weft_pdo_lease(handle, NULL);
		if (!link) {
			return false;
		}
		weft_pdo_note_sql(link, ours->sql);
		prepared = weft_pdo_statement_provide(ours, link, &handle->error);
		if (!prepared && tries-- && weft_pdo_may_start_over(link)) {
			continue;
		}
		link->kept_for = weft_pdo_self();
		weft_pdo_settle(link);
		return prepared;
	} while (true);
}

bool weft_pdo_statement_prepare(pdo_dbh_t *dbh, zend_string *sql, pdo_stmt_t *statement, zval *options)
{
	weft_pdo_statement *ours = weft_pdo_statement_new(dbh->driver_data, sql, statement, options);
	uint64_t since = weft_pdo_domain_waits();
	bool prepared = weft_pdo_known_setting_prepare(ours) || prepare_on_link(ours);

	weft_pdo_domain_has_waited(since);
	if (prepared) {
		return true;
	}
	statement->methods = NULL;
	statement->driver_data = NULL;
	weft_pdo_statement_free(ours);
	return false;
}
