/*
 * Begins the transaction of a dry run before the first statement that is more than a setting of the session, and
 * refuses what would end it: MySQL commits before and after statements of some kinds.
 */
#include "pdo/weft_pdo_dry_run.h"
#include "pdo/weft_pdo.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_handle.h"
#include "domain/weft_domain.h"

typedef enum { CONTROLS_NOTHING, CONTROLS_BEGIN, CONTROLS_COMMIT, CONTROLS_ROLLBACK } control;

static bool running;
static HashTable told; /* SQL, in its order, since the last roll-back */

bool weft_pdo_dry_run(void)
{
	return running && weft_domain_in_place;
}

/* --- what a statement is --- */

/* And comments, but the words in one that MySQL executes. */
static const char *skip_blanks(const char *at)
{
	const char *end;

	for (;;) {
		if (*at && strchr(" \t\r\n\f\v(;", *at)) {
			at++;
		} else if (*at == '#' || strncmp(at, "--", 2) == 0) {
			at += strcspn(at, "\n");
		} else if (strncmp(at, "/*!", 3) == 0 || strncmp(at, "/*M!", 4) == 0) {
			at += strcspn(at, "!") + 1;
			at += strspn(at, "0123456789");
		} else if (strncmp(at, "*/", 2) == 0) {
			at += 2; /* of that one, or around another comment */
		} else if (strncmp(at, "/*", 2) == 0 && (end = strstr(at + 2, "*/"))) {
			at = end + 2;
		} else {
			return at;
		}
	}
}

/* Behind the word, if the text begins with it. */
static const char *after_word(const char *sql, const char *word)
{
	size_t length = strlen(word);

	sql = skip_blanks(sql);
	return strncasecmp(sql, word, length) == 0 && !isalnum((unsigned char) sql[length]) && sql[length] != '_'
		? skip_blanks(sql + length)
		: NULL;
}

static bool begins_with_one_of(const char *sql, const char *const *words)
{
	for (; *words; words++) {
		if (after_word(sql, *words)) {
			return true;
		}
	}
	return false;
}

static control control_of(const char *sql)
{
	const char *rest;

	if (after_word(sql, "begin") || ((rest = after_word(sql, "start")) && after_word(rest, "transaction"))) {
		return CONTROLS_BEGIN;
	}
	if (after_word(sql, "commit") || after_word(sql, "end")) {
		return CONTROLS_COMMIT;
	}
	if ((rest = after_word(sql, "rollback")) || (rest = after_word(sql, "abort"))) {
		for (const char *noise[] = {"work", "transaction", NULL}, **word = noise; *word; word++) {
			rest = after_word(rest, *word) ? after_word(rest, *word) : rest;
		}
		return after_word(rest, "to") ? CONTROLS_NOTHING : CONTROLS_ROLLBACK;
	}
	return CONTROLS_NOTHING;
}

static bool contains(const zend_string *sql, const char *text)
{
	return zend_memnistr(ZSTR_VAL(sql), text, strlen(text), ZSTR_VAL(sql) + ZSTR_LEN(sql)) != NULL;
}

/* What is between quotes may be taken for one, too. */
static bool one_controls(const char *sql)
{
	while (sql && control_of(sql) == CONTROLS_NOTHING) {
		sql = strchr(sql, ';');
		sql = sql ? sql + 1 : NULL;
	}
	return sql != NULL;
}

static bool would_commit(const weft_pdo_link *link, const zend_string *sql, uint32_t flags)
{
	static const char *const committing[] = {"lock", "unlock", "analyze", "optimize", "check", "repair", "flush",
		"reset", "cache", "install", "uninstall", "xa", NULL};

	if (control_of(ZSTR_VAL(sql)) != CONTROLS_NOTHING ||
		((flags & WEFT_SQL_SEVERAL) && (contains(sql, "commit") || one_controls(ZSTR_VAL(sql))))) {
		return true;
	}
	return link->driver->dialect == WEFT_SQL_MYSQL && !after_word(ZSTR_VAL(sql), "rollback") &&
		((flags & WEFT_SQL_DEFINES) || contains(sql, "autocommit") || begins_with_one_of(ZSTR_VAL(sql), committing));
}

/* It writes nothing, and SQLite takes some of its own outside of a transaction only. */
static bool is_setting(const zend_string *sql, uint32_t flags)
{
	return (flags & WEFT_SQL_SETTING) || after_word(ZSTR_VAL(sql), "pragma");
}

/* --- the transaction --- */

static void tell(zend_string *sql)
{
	zval value;

	ZVAL_STR_COPY(&value, sql);
	zend_hash_next_index_insert(&told, &value);
}

bool weft_pdo_dry_run_enter(weft_pdo_link *link, zend_string *sql, uint32_t flags)
{
	if (!weft_pdo_dry_run()) {
		return true;
	}
	if (sql) {
		tell(sql);
		if (would_commit(link, sql, flags)) {
			weft_pdo_throw("25000", "Weft tries this page out and rolls back what it writes; \"%s\" would commit it",
				ZSTR_VAL(sql));
			return false;
		}
		if (is_setting(sql, flags)) {
			return true;
		}
	}
	if (!link->dry_run) {
		link->dry_run = link->dbh->methods->begin && link->dbh->methods->begin(link->dbh);
		link->dbh->in_txn = link->dry_run;
		if (!link->dry_run && !EG(exception)) {
			weft_pdo_driver_throw(link);
		}
	}
	return link->dry_run;
}

static bool send_text(weft_pdo_link *link, const char *text)
{
	zend_string *sql = zend_string_init(text, strlen(text), 0);
	bool done = link->dbh->methods->doer(link->dbh, sql) >= 0;

	zend_string_release(sql);
	return done;
}

bool weft_pdo_dry_run_begin(weft_pdo_link *link)
{
	if (!weft_pdo_dry_run_enter(link, NULL, 0)) {
		return false;
	}
	link->dry_run_transaction = send_text(link, "SAVEPOINT weft_dry_run");
	return link->dry_run_transaction;
}

bool weft_pdo_dry_run_end(weft_pdo_link *link, bool commit)
{
	if (!commit && !send_text(link, "ROLLBACK TO SAVEPOINT weft_dry_run")) {
		return false;
	}
	link->dry_run_transaction = !send_text(link, "RELEASE SAVEPOINT weft_dry_run");
	return !link->dry_run_transaction;
}

zend_long weft_pdo_dry_run_exec(weft_pdo_link *link, zend_string *sql, uint32_t flags)
{
	control kind = control_of(ZSTR_VAL(sql));

	if (kind == CONTROLS_BEGIN && !link->dry_run_transaction) {
		return weft_pdo_dry_run_begin(link) ? 0 : -1;
	}
	if ((kind == CONTROLS_COMMIT || kind == CONTROLS_ROLLBACK) && link->dry_run_transaction) {
		return weft_pdo_dry_run_end(link, kind == CONTROLS_COMMIT) ? 0 : -1;
	}
	return weft_pdo_dry_run_enter(link, sql, flags) ? link->dbh->methods->doer(link->dbh, sql) : -1;
}

void weft_pdo_dry_run_over(weft_pdo_link *link)
{
	link->dry_run = link->dry_run_transaction = false;
}

/* --- functions --- */

ZEND_FUNCTION(Weft_Internal_dry_run)
{
	bool on;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_BOOL(on)
	ZEND_PARSE_PARAMETERS_END();
	running = on;
	zend_hash_clean(&told);
}

static weft_pdo_link *next_to_undo(void)
{
	for (weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (link->dry_run && link->handle && link->domain == weft_domain_in_place) {
			return link;
		}
	}
	return NULL;
}

ZEND_FUNCTION(Weft_Internal_dry_run_undo)
{
	weft_pdo_link *link;
	zval *sql;

	ZEND_PARSE_PARAMETERS_NONE();
	/* ending one may wait, and others go meanwhile: look anew after each */
	while ((link = next_to_undo())) {
		weft_pdo_handle_end_leases(link->handle);
	}
	array_init(return_value);
	ZEND_HASH_FOREACH_VAL(&told, sql) {
		Z_TRY_ADDREF_P(sql);
		zend_hash_next_index_insert(Z_ARRVAL_P(return_value), sql);
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_clean(&told);
}

void weft_pdo_dry_run_minit(void)
{
	zend_hash_init(&told, 8, NULL, ZVAL_PTR_DTOR, 1);
}

void weft_pdo_dry_run_rshutdown(void)
{
	running = false;
	zend_hash_clean(&told);
}
