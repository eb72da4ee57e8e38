/*
 * Statements. PDO's part of one belongs to the application; the driver's part belongs to a link, and may move to
 * another one: then it is prepared again there.
 *
 * While the driver works it must see its own connection in PDO's structure, not the handle. That is put in place for
 * a call and taken out after it; a statement found in that state is in use by another coroutine.
 *
 * prepare        where the driver's part comes from
 * execute        values, execution, and once more when a kept statement is stale
 * rows           everything that is asked of a statement after it was executed
 * known_setting  a setting that needs no connection
 */
#ifndef WEFT_PDO_STATEMENT_H
#define WEFT_PDO_STATEMENT_H

#include "pdo/weft_pdo_cache.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_lease.h"

struct weft_pdo_statement {
	pdo_stmt_t *statement;
	weft_pdo_handle *handle;
	void *domain;                   /* of who prepared it */
	weft_pdo_link *link;            /* where the driver's part is; NULL: there is none */
	weft_pdo_link *leased;          /* between binding values and the execution's end */
	const weft_coroutine *executor; /* who does that; only compared */
	weft_pdo_prepared prepared;     /* filled when there is a link */
	bool prepared_once;             /* PDO knows by now whether it is */
	bool emulated;
	bool keep;       /* may be kept for the next who prepares the same */
	bool reused;     /* it was kept */
	bool ran;        /* executed since it was prepared or taken: it has a result to forget */
	bool closed;     /* since it was executed, where the driver could not be told */
	bool binary;     /* a value was bound as LOB: the server was told a type */
	bool slow_value; /* binding one of its values may have taken time */
	bool pending;    /* rows or results are still on their way */
	uint32_t flags;  /* of its SQL */
	zend_string *sql;
	zval options;
	zval error;
	weft_pdo_statement *next, **place; /* of its link */
	weft_pdo_statement *next_of_handle, **place_of_handle;
};

/* What PDO's structure held before the driver's call. */
typedef struct {
	weft_pdo_statement *ours;
	pdo_dbh_t *dbh;
	zend_object *object; /* NULL: it is still there */
} weft_pdo_swap;

static inline weft_pdo_statement *weft_pdo_statement_of(const pdo_stmt_t *statement)
{
	return statement->driver_data;
}

/* Not inside a driver's call, nor after the end of its connection. */
static inline bool weft_pdo_statement_is_ours(const pdo_stmt_t *statement)
{
	return EXPECTED(
		statement->dbh && statement->dbh->methods && statement->dbh->methods->preparer == weft_pdo_statement_prepare);
}

/* Lets the driver see the connection's object as well, for streams of large objects keep what they find here. The
 * reference is for a fatal error in the call, after which PDO frees it. */
static zend_always_inline void weft_pdo_statement_put_in_object(pdo_stmt_t *statement, weft_pdo_link *link,
	weft_pdo_swap *saved)
{
	saved->object = WEFT_PDO_OBJECT(statement->database_object_handle);
	GC_ADDREF(link->hidden);
	WEFT_PDO_SET_OBJECT(statement->database_object_handle, link->hidden);
}

/* Lets the driver see its own connection and its own part of the statement: for each column of each row. */
static zend_always_inline void weft_pdo_statement_put_in(pdo_stmt_t *statement, weft_pdo_link *link,
	weft_pdo_swap *saved)
{
	saved->ours = weft_pdo_statement_of(statement);
	saved->dbh = statement->dbh;
	saved->object = NULL;
	statement->driver_data = saved->ours->prepared.data;
	statement->dbh = link->dbh;
	/* what others do with the object is not known */
	if (UNEXPECTED(link->driver->client == WEFT_NATIVE_OTHER)) {
		weft_pdo_statement_put_in_object(statement, link, saved);
	}
}

static zend_always_inline void weft_pdo_statement_take_out(pdo_stmt_t *statement, weft_pdo_swap *saved)
{
	saved->ours->prepared.data = statement->driver_data;
	statement->driver_data = saved->ours;
	statement->dbh = saved->dbh;
	if (UNEXPECTED(saved->object)) {
		zend_object *hidden = WEFT_PDO_OBJECT(statement->database_object_handle);

		WEFT_PDO_SET_OBJECT(statement->database_object_handle, saved->object);
		/* the link holds it: it is no root of garbage, for which the usual release would look */
		weft_pdo_hidden_release(hidden);
	}
}

/* --- weft_pdo_statement.c --- */
weft_pdo_statement *weft_pdo_statement_new(weft_pdo_handle *handle, zend_string *sql, pdo_stmt_t *statement,
	zval *options);
void weft_pdo_statement_free(weft_pdo_statement *ours);
/* For weft_pdo_statement_may_use(), which sees that something is amiss: true with an exception when that forbids it. */
bool weft_pdo_statement_refuse(const pdo_stmt_t *statement);
static inline bool weft_pdo_statement_is_executed_by_another(const weft_pdo_statement *ours)
{
	return ours->executor && ours->executor != weft_pdo_self();
}
/* False with an exception when it can't be used now, or not here. */
static inline bool weft_pdo_statement_may_use(const pdo_stmt_t *statement)
{
	return EXPECTED(weft_pdo_statement_is_ours(statement) &&
			   weft_pdo_statement_of(statement)->domain == weft_domain_in_place &&
			   !weft_pdo_statement_is_executed_by_another(weft_pdo_statement_of(statement))) ||
		!weft_pdo_statement_refuse(statement);
}
/* The driver's call has failed: notes what it says of that. */
void weft_pdo_statement_failed(pdo_stmt_t *statement, weft_pdo_link *link);
/* `prepared` is filled, and lives on this link from now on. */
void weft_pdo_statement_enlist(weft_pdo_statement *ours, weft_pdo_link *link);
/* Keeps the driver's part for others, or ends it. May suspend. */
void weft_pdo_statement_drop(weft_pdo_statement *ours);
/* Whether rows or results are on their way, for which the link must stay. */
bool weft_pdo_statement_leaves_pending(const weft_pdo_statement *ours);
void weft_pdo_statement_note_pending(weft_pdo_statement *ours);
/* Another one's results are on their way: MySQL's driver would take them for this one's. */
bool weft_pdo_statement_is_among_results(const weft_pdo_statement *ours);
void weft_pdo_statement_not_pending(weft_pdo_statement *ours);

/* --- weft_pdo_prepare.c --- */
/* Gives a statement without one the driver's part: one that was kept, or a new one. What fails is noted in `error`. */
bool weft_pdo_statement_provide(weft_pdo_statement *ours, weft_pdo_link *link, zval *error);
bool weft_pdo_statement_prepare_anew(weft_pdo_statement *ours, weft_pdo_link *link, zval *error);

/* --- weft_pdo_execute.c, weft_pdo_rows.c: their part of the table; NULL where the driver has nothing --- */
void weft_pdo_execute_methods(struct pdo_stmt_methods *methods, const struct pdo_stmt_methods *original);
void weft_pdo_rows_methods(struct pdo_stmt_methods *methods, const struct pdo_stmt_methods *original);

/* --- weft_pdo_known_setting.c --- */
/* Prepares it without a connection when it is a setting that the handle's profile has seen accepted. */
bool weft_pdo_known_setting_prepare(weft_pdo_statement *ours);

#endif /* WEFT_PDO_STATEMENT_H */
