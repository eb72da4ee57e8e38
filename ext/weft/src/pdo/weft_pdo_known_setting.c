/*
 * A SET that its profile has seen accepted before: a statement that succeeds without a connection.
 */
#include "pdo/weft_pdo_inserted.h"
#include "pdo/weft_pdo_statement.h"
#include "pdo/weft_pdo_lease.h"

static int setting_free(pdo_stmt_t *statement)
{
	weft_pdo_statement_free(weft_pdo_statement_of(statement));
	statement->driver_data = NULL;
	return 1;
}

static int setting_execute(pdo_stmt_t *statement)
{
	weft_pdo_statement *ours = weft_pdo_statement_of(statement);
	weft_pdo_profile *known = weft_pdo_profile_find_sql(ours->handle->profile, ours->sql);

	statement->column_count = 0;
	statement->row_count = 0;
	if (known && !weft_pdo_leased(ours->handle)) {
		ours->handle->profile = known;
		weft_pdo_inserted_nothing(ours->handle);
		return 1;
	}
	if (statement->dbh->methods->doer(statement->dbh, ours->sql) >= 0) {
		return 1;
	}
	strcpy(statement->error_code, statement->dbh->error_code);
	zval_ptr_dtor(&ours->error);
	ZVAL_COPY(&ours->error, &ours->handle->error);
	return 0;
}

static int setting_fetch(pdo_stmt_t *statement, enum pdo_fetch_orientation orientation, zend_long offset)
{
	return 0;
}

static int setting_describe(pdo_stmt_t *statement, int column)
{
	return 0;
}

static int setting_column(pdo_stmt_t *statement, int column, zval *result, enum pdo_param_type *type)
{
	return 0;
}

static int setting_close(pdo_stmt_t *statement)
{
	return 1;
}

static const struct pdo_stmt_methods setting_methods = {
	.dtor = setting_free,
	.executer = setting_execute,
	.fetcher = setting_fetch,
	.describer = setting_describe,
	.get_col = setting_column,
	.cursor_closer = setting_close,
};

bool weft_pdo_known_setting_prepare(weft_pdo_statement *ours)
{
	pdo_stmt_t *statement = ours->statement;

	if (!(ours->flags & WEFT_SQL_SETTING) || weft_pdo_leased(ours->handle) ||
		!weft_pdo_profile_find_sql(ours->handle->profile, ours->sql)) {
		return false;
	}
	statement->methods = &setting_methods;
	statement->supports_placeholders = PDO_PLACEHOLDER_NAMED | PDO_PLACEHOLDER_POSITIONAL;
	return true;
}
