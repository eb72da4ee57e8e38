/*
 * A lexer for PostgreSQL, MySQL and SQLite, and the words that tell what a statement does to its session.
 */
#include "pdo/weft_pdo_sql.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

typedef enum {
	END,
	WORD,
	QUOTED, /* a quoted identifier: not a keyword */
	STRING,
	PLACEHOLDER,
	SEMICOLON,
	OPEN,            /* ( */
	USER_VARIABLE,   /* MySQL's @name, and what is as suspicious as one */
	SYSTEM_VARIABLE, /* MySQL's @@name */
	OTHER
} token_kind;

typedef struct {
	const char *at;
	const char *end;
	weft_sql_dialect dialect;
	bool backslash; /* it escapes in ordinary strings */
	token_kind kind;
	const char *word; /* also what is between quotes */
	size_t length;
} lexer;

/* A bit for each thing that the rest of a statement can tell. */
typedef struct {
	bool placeholder;
	bool parenthesis;
	bool user_variable;
	bool returning;
	bool inserts;
	bool makes; /* the word before was one of those that TEMPORARY follows */
	uint32_t flags;
} findings;

static bool starts_word(unsigned char c)
{
	return isalpha(c) || c == '_' || c >= 0x80;
}

static bool continues_word(unsigned char c)
{
	return starts_word(c) || isdigit(c) || c == '$';
}

static void skip_line(lexer *lexer)
{
	while (lexer->at < lexer->end && *lexer->at != '\n' && (*lexer->at != '\r' || lexer->dialect == WEFT_SQL_MYSQL)) {
		lexer->at++;
	}
}

/* In MySQL 5--3 is 8: its dashes want a space behind them. */
static bool starts_line_comment(const lexer *lexer, size_t left)
{
	if (lexer->dialect == WEFT_SQL_MYSQL && left >= 1 && *lexer->at == '#') {
		return true;
	}
	if (left < 2 || memcmp(lexer->at, "--", 2) != 0) {
		return false;
	}
	return lexer->dialect != WEFT_SQL_MYSQL || left == 2 || (unsigned char) lexer->at[2] <= ' ' || lexer->at[2] == 0x7f;
}

/* MySQL runs what is in such a comment. */
static bool starts_executed_comment(const lexer *lexer, size_t left)
{
	return lexer->dialect == WEFT_SQL_MYSQL &&
		((left >= 3 && memcmp(lexer->at, "/*!", 3) == 0) || (left >= 4 && memcmp(lexer->at, "/*M!", 4) == 0));
}

/* PostgreSQL nests comments, MySQL does not. */
static void skip_comment(lexer *lexer)
{
	int depth = 0;

	while (lexer->at < lexer->end) {
		size_t left = (size_t) (lexer->end - lexer->at);

		if (left >= 2 && memcmp(lexer->at, "/*", 2) == 0 && (depth == 0 || lexer->dialect != WEFT_SQL_MYSQL)) {
			depth++;
			lexer->at += 2;
		} else if (left >= 2 && memcmp(lexer->at, "*/", 2) == 0) {
			lexer->at += 2;
			if (--depth == 0) {
				return;
			}
		} else {
			lexer->at++;
		}
	}
}

/* A doubled quote continues. */
static void skip_quoted(lexer *lexer, char quote, bool backslash)
{
	lexer->word = ++lexer->at;
	while (lexer->at < lexer->end) {
		char c = *lexer->at++;

		lexer->length = (size_t) (lexer->at - 1 - lexer->word);

		if (c == '\\' && backslash && lexer->at < lexer->end) {
			lexer->at++;
		} else if (c == quote) {
			if (lexer->at < lexer->end && *lexer->at == quote) {
				lexer->at++;
			} else {
				return;
			}
		}
	}
	lexer->length = (size_t) (lexer->end - lexer->word);
}

/* $tag$ … $tag$ of PostgreSQL. False when it is none. */
static bool skip_dollar_quoted(lexer *lexer)
{
	const char *tag_end = lexer->at + 1, *found;
	size_t length;

	while (tag_end < lexer->end && *tag_end != '$' && continues_word((unsigned char) *tag_end)) {
		tag_end++;
	}
	if (tag_end >= lexer->end || *tag_end != '$' || isdigit((unsigned char) lexer->at[1])) {
		return false;
	}
	length = (size_t) (tag_end + 1 - lexer->at);
	found = memmem(tag_end + 1, (size_t) (lexer->end - tag_end - 1), lexer->at, length);
	lexer->at = found ? found + length : lexer->end;
	lexer->word = tag_end + 1;
	lexer->length = (size_t) ((found ? found : lexer->end) - lexer->word);
	return true;
}

static bool skip_space_and_comments(lexer *lexer)
{
	const char *before = lexer->at;
	size_t left;

	while (lexer->at < lexer->end && isspace((unsigned char) *lexer->at)) {
		lexer->at++;
	}
	left = (size_t) (lexer->end - lexer->at);
	if (starts_line_comment(lexer, left)) {
		skip_line(lexer);
	} else if (left >= 2 && memcmp(lexer->at, "/*", 2) == 0 && !starts_executed_comment(lexer, left)) {
		skip_comment(lexer);
	}
	return lexer->at != before;
}

/* U&"\0070g_temp", U&"!0070g_temp" UESCAPE '!': it may be any name. */
static bool starts_unicode(const lexer *lexer)
{
	return lexer->length == 1 && strchr("uU", *lexer->word) && lexer->end - lexer->at >= 2 && lexer->at[0] == '&' &&
		strchr("\"'", lexer->at[1]);
}

static token_kind next_word(lexer *lexer)
{
	lexer->word = lexer->at;
	while (lexer->at < lexer->end && continues_word((unsigned char) *lexer->at)) {
		lexer->at++;
	}
	lexer->length = (size_t) (lexer->at - lexer->word);
	if (lexer->dialect == WEFT_SQL_MYSQL) {
		return WORD;
	}
	if (lexer->length == 1 && strchr("eE", *lexer->word) && lexer->at < lexer->end && *lexer->at == '\'') {
		skip_quoted(lexer, '\'', true);
		return STRING;
	}
	if (starts_unicode(lexer)) {
		lexer->at++;
		return USER_VARIABLE;
	}
	return WORD;
}

static token_kind next_at_sign(lexer *lexer)
{
	lexer->at++;
	if (lexer->at < lexer->end && *lexer->at == '@') {
		lexer->at++;
		return SYSTEM_VARIABLE;
	}
	return USER_VARIABLE;
}

static token_kind next(lexer *lexer)
{
	bool mysql = lexer->dialect == WEFT_SQL_MYSQL;
	unsigned char c;

	while (skip_space_and_comments(lexer)) {
	}
	if (lexer->at >= lexer->end) {
		return END;
	}
	c = (unsigned char) *lexer->at;
	if (starts_word(c)) {
		return next_word(lexer);
	}
	if (c == '\'' || (c == '"' && mysql)) {
		skip_quoted(lexer, (char) c, lexer->backslash);
		return c == '"' ? QUOTED : STRING; /* with ANSI_QUOTES it is a name */
	}
	if (c == '"' || c == '`') {
		skip_quoted(lexer, (char) c, false);
		return QUOTED;
	}
	if (c == '$' && !mysql && skip_dollar_quoted(lexer)) {
		return STRING;
	}
	if (c == '@' && mysql) {
		return next_at_sign(lexer);
	}
	if (starts_executed_comment(lexer, (size_t) (lexer->end - lexer->at))) {
		lexer->at++;
		return USER_VARIABLE;
	}
	lexer->at++;
	if (c == ':' && lexer->at < lexer->end && *lexer->at == ':') {
		lexer->at++; /* a cast */
		return OTHER;
	}
	if (c == '?' || (c == ':' && lexer->at < lexer->end && starts_word((unsigned char) *lexer->at)) || c == '$') {
		return PLACEHOLDER;
	}
	return c == ';' ? SEMICOLON : c == '(' ? OPEN : OTHER;
}

static void lexer_advance(lexer *lexer)
{
	lexer->kind = next(lexer);
}

/* Most words differ in their first letter. */
static bool is(const lexer *lexer, const char *word)
{
	return lexer->kind == WORD && lexer->length && tolower((unsigned char) *lexer->word) == *word &&
		strlen(word) == lexer->length && strncasecmp(lexer->word, word, lexer->length) == 0;
}

static bool is_word_of(const lexer *lexer, const char *const *words)
{
	while (*words && !is(lexer, *words)) {
		words++;
	}
	return *words != NULL;
}

static bool starts_with_one_of(const lexer *lexer, const char *const *starts)
{
	while (*starts && (lexer->length < strlen(*starts) || strncasecmp(lexer->word, *starts, strlen(*starts)) != 0)) {
		starts++;
	}
	return *starts != NULL;
}

/* --- words anywhere in a statement --- */

/* Locks, and what the extensions pg_variables and hypopg keep. */
static bool keeps_in_session(const lexer *lexer)
{
	static const char *const families[] = {"pg_advisory_lock", "pg_try_advisory_lock", "get_lock", "service_get_",
		"version_tokens_lock_", "pgv_", "hypopg_", NULL};

	return starts_with_one_of(lexer, families);
}

/* An UPDATE of pg_settings is a SET. */
static bool names_session(const lexer *lexer)
{
	return is(lexer, "pg_settings") || starts_with_one_of(lexer, (const char *const[]){"pg_temp", NULL});
}

/* PostgreSQL's functions that run a text, or what a name in a text stands for. */
static bool runs_text(const lexer *lexer)
{
	static const char *const families[] = {"query_to_xml", "cursor_to_xml", "table_to_xml", "schema_to_xml",
		"database_to_xml", "crosstab", "connectby", "xpath_table", NULL};

	return lexer->dialect == WEFT_SQL_POSTGRESQL &&
		(is(lexer, "ts_stat") || is(lexer, "ts_rewrite") || starts_with_one_of(lexer, families));
}

/* MariaDB's NEXT VALUE FOR and PREVIOUS VALUE FOR. */
static bool precedes_value(const lexer *now, const char *word)
{
	lexer ahead = *now;

	if (ahead.dialect != WEFT_SQL_MYSQL || !is(&ahead, word)) {
		return false;
	}
	lexer_advance(&ahead);
	return is(&ahead, "value");
}

static bool asks_session(const lexer *lexer)
{
	static const char *const asking[] = {"lastval", "currval", "last_insert_id", NULL};

	return is_word_of(lexer, asking) || precedes_value(lexer, "previous") ||
		(lexer->dialect == WEFT_SQL_MYSQL && is(lexer, "identity"));
}

/* With a value, it sets what it says from then on. */
static bool sets_last_insert_id(const lexer *now)
{
	lexer ahead = *now;

	if (ahead.dialect != WEFT_SQL_MYSQL || !is(&ahead, "last_insert_id")) {
		return false;
	}
	lexer_advance(&ahead);
	if (ahead.kind != OPEN) {
		return false;
	}
	lexer_advance(&ahead);
	return ahead.kind != OTHER || ahead.at[-1] != ')';
}

static void judge_word(const lexer *lexer, findings *found)
{
	static const char *const touching[] = {"set_config", "sql_calc_found_rows", "dblink_connect", "dblink_connect_u",
		"found_rows", "setseed", "set_limit", "lo_open", "pg_replication_origin_session_setup", "pg_backup_start",
		"pg_start_backup", "set_user", "set_session_auth", "reset_user", NULL};
	static const char *const moving[] = {"nextval", "setval", NULL};
	/* elsewhere TEMP is a name like any other */
	static const char *const making[] = {"create", "replace", "into", "local", "global", NULL};
	static const char *const temporary[] = {"temp", "temporary", NULL};
	bool makes = found->makes;

	found->makes = is_word_of(lexer, making);
	if (is(lexer, "returning")) {
		found->returning = true;
	} else if (is(lexer, "insert")) {
		found->inserts = true;
	} else if (is_word_of(lexer, touching) || keeps_in_session(lexer) || names_session(lexer) || runs_text(lexer) ||
		(makes && is_word_of(lexer, temporary))) {
		found->flags |= WEFT_SQL_TOUCHES;
	} else if (is_word_of(lexer, moving) || precedes_value(lexer, "next")) {
		/* MariaDB's LASTVAL() remembers it, and only a reset makes it forget */
		found->flags |= lexer->dialect == WEFT_SQL_MYSQL ? WEFT_SQL_TOUCHES : WEFT_SQL_SEQUENCE;
	} else if (asks_session(lexer)) {
		found->flags |= WEFT_SQL_ASKS_SESSION | (sets_last_insert_id(lexer) ? WEFT_SQL_SEQUENCE : 0);
	}
}

/* "set_config"(…) calls the function as well, @@`identity` is the variable; "temp" is no keyword. */
static void judge_quoted(const lexer *now, findings *found)
{
	lexer name = *now, ahead = *now;

	name.kind = WORD;
	if (names_session(&name)) {
		found->flags |= WEFT_SQL_TOUCHES;
	}
	if (asks_session(&name)) {
		found->flags |= WEFT_SQL_ASKS_SESSION;
	}
	lexer_advance(&ahead);
	if (ahead.kind == OPEN) {
		judge_word(&name, found);
	}
}

/* Reads to the end of the statement. */
static void read_rest(lexer *lexer, findings *found)
{
	for (; lexer->kind != END && lexer->kind != SEMICOLON; lexer_advance(lexer)) {
		switch (lexer->kind) {
			case WORD: judge_word(lexer, found); break;
			case QUOTED: judge_quoted(lexer, found); break;
			case PLACEHOLDER: found->placeholder = true; break;
			case OPEN: found->parenthesis = true; break;
			case USER_VARIABLE: found->user_variable = true; break;
			default: break;
		}
	}
	if (found->user_variable) {
		found->flags |= WEFT_SQL_TOUCHES;
	}
}

/* --- one statement --- */

/* With such a path CREATE TABLE makes temporary ones. */
static bool names_temporary_schema(const lexer *lexer)
{
	static const char schema[] = "pg_temp";

	if (lexer->kind != WORD && lexer->kind != QUOTED && lexer->kind != STRING) {
		return false;
	}
	for (size_t i = 0; i + strlen(schema) <= lexer->length; i++) {
		if (strncasecmp(lexer->word + i, schema, strlen(schema)) == 0) {
			return true;
		}
	}
	return false;
}

/* E'\x70g_temp', and 'pg_' 'temp' on two lines. */
static bool may_hide_a_name(const lexer *lexer, token_kind before)
{
	return lexer->dialect == WEFT_SQL_POSTGRESQL && lexer->kind == STRING &&
		(before == STRING || memchr(lexer->word, '\\', lexer->length));
}

static bool is_one_of_quoted(const lexer *now, const char *const *words)
{
	lexer name = *now;

	if (name.kind == QUOTED) {
		name.kind = WORD;
	}
	return is_word_of(&name, words);
}

static uint32_t judge_set(lexer *lexer)
{
	/* what the text alone does not set again, what ends with a transaction, or is for the next one or for the next
	 * statement only */
	static const char *const special[] = {"local", "transaction", "role", "session_authorization", "authorization",
		"constraints", "global", "persist", "persist_only", "password", "autocommit", "default", "statement",
		"insert_id", "last_insert_id", "identity", "timestamp", "sql_log_bin", "resource", "gtid_next", "seed",
		"rand_seed1", "rand_seed2", "tx_isolation", "transaction_isolation", "tx_read_only", "transaction_read_only",
		NULL};
	findings found = {0};
	token_kind before = WORD;
	bool session = false;

	lexer_advance(lexer);
	if (is(lexer, "session")) {
		session = true;
		lexer_advance(lexer);
	}
	/* MySQL's SET SESSION TRANSACTION … is for all transactions to come */
	if (session && lexer->dialect == WEFT_SQL_MYSQL && is(lexer, "transaction")) {
		lexer_advance(lexer);
	}
	for (; lexer->kind != END && lexer->kind != SEMICOLON; before = lexer->kind, lexer_advance(lexer)) {
		if (is_one_of_quoted(lexer, special) || names_temporary_schema(lexer) || may_hide_a_name(lexer, before)) {
			found.flags |= WEFT_SQL_TOUCHES;
		}
		if (lexer->kind == PLACEHOLDER || lexer->kind == OPEN || lexer->kind == USER_VARIABLE) {
			found.flags |= WEFT_SQL_TOUCHES;
		}
	}
	return found.flags ? found.flags : WEFT_SQL_SETTING;
}

/* PostgreSQL: who lets the INSERT return its ids does not ask lastval() for them. */
static uint32_t judge_query(lexer *lexer, bool inserts)
{
	findings found = {0};

	read_rest(lexer, &found);
	if (inserts || found.inserts) {
		found.flags |= WEFT_SQL_INSERTS;
		if (lexer->dialect == WEFT_SQL_POSTGRESQL && !found.returning) {
			found.flags |= WEFT_SQL_SEQUENCE;
		}
	}
	return found.flags;
}

/* With MySQL a session whose database is gone has none, also when there is one of that name again. */
static bool drops_database(lexer ahead)
{
	if (ahead.dialect != WEFT_SQL_MYSQL || !is(&ahead, "drop")) {
		return false;
	}
	lexer_advance(&ahead);
	return is(&ahead, "database") || is(&ahead, "schema");
}

static uint32_t judge_definition(lexer *lexer)
{
	findings found = {0};

	if (drops_database(*lexer)) {
		found.flags |= WEFT_SQL_TOUCHES;
	}
	read_rest(lexer, &found);
	return found.flags | WEFT_SQL_DEFINES;
}

/* MariaDB's BEGIN NOT ATOMIC, and its BEGIN with sql_mode=ORACLE, hold statements of any kind. */
static uint32_t judge_begin(lexer *lexer)
{
	findings found = {0};

	lexer_advance(lexer);
	if (lexer->dialect == WEFT_SQL_MYSQL && lexer->kind != END && lexer->kind != SEMICOLON && !is(lexer, "work")) {
		found.flags |= WEFT_SQL_TOUCHES;
	}
	read_rest(lexer, &found);
	return found.flags;
}

/* The lexer stands on the first token. */
static uint32_t judge_statement(lexer *lexer)
{
	static const char *const inserting[] = {"insert", "replace", "merge", NULL};
	static const char *const harmless[] = {"select", "update", "delete", "with", "values", "table", "explain", "show",
		"describe", "desc", "start", "commit", "savepoint", "release", "end", "abort", "notify", "analyze", "vacuum",
		"fetch", "move", "close", "copy", "optimize", "check", "kill", NULL};
	/* ROLLBACK TO takes back what was defined since, and the locks that kept others from defining */
	static const char *const defining[] = {"create", "alter", "drop", "truncate", "comment", "grant", "revoke",
		"reindex", "refresh", "cluster", "rename", "rollback", NULL};
	findings found = {0};

	while (lexer->kind == OPEN) {
		lexer_advance(lexer);
	}
	if (is(lexer, "set")) {
		return judge_set(lexer);
	}
	if (is(lexer, "use") && lexer->dialect == WEFT_SQL_MYSQL) {
		read_rest(lexer, &found);
		return found.flags ? WEFT_SQL_TOUCHES : WEFT_SQL_SETTING;
	}
	if (is(lexer, "begin")) {
		return judge_begin(lexer);
	}
	if (is_word_of(lexer, inserting)) {
		return judge_query(lexer, true);
	}
	if (is_word_of(lexer, harmless)) {
		return judge_query(lexer, false);
	}
	if (is_word_of(lexer, defining)) {
		return judge_definition(lexer);
	}
	read_rest(lexer, &found);
	return found.flags | WEFT_SQL_TOUCHES;
}

static uint32_t sql_classify(const char *sql, size_t length, weft_sql_dialect dialect, bool backslash)
{
	lexer lexer = {.at = sql, .end = sql + length, .dialect = dialect, .backslash = backslash};
	uint32_t flags = 0, statements = 0;

	for (lexer_advance(&lexer); lexer.kind != END; lexer_advance(&lexer)) {
		if (lexer.kind == SEMICOLON) {
			continue;
		}
		statements++;
		flags |= judge_statement(&lexer);
		if (lexer.kind == END) {
			break;
		}
	}
	if (statements > 1) {
		flags |= WEFT_SQL_SEVERAL;
		if (flags & WEFT_SQL_SETTING) {
			flags = (flags & ~WEFT_SQL_SETTING) | WEFT_SQL_TOUCHES;
		}
	}
	return flags;
}

static bool has_escaped_quote(const char *sql, size_t length)
{
	const char *at = sql, *end = sql + length;

	while ((at = memchr(at, '\\', (size_t) (end - at))) && ++at < end) {
		if (*at == '\'' || *at == '"') {
			return true;
		}
	}
	return false;
}

/* Whether a backslash escapes depends on settings of the session (NO_BACKSLASH_ESCAPES,
 * standard_conforming_strings). Where that matters, the statement counts as what it may be at worst. */
uint32_t weft_sql_classify(const char *sql, size_t length, weft_sql_dialect dialect)
{
	bool usual = dialect == WEFT_SQL_MYSQL;
	uint32_t flags = sql_classify(sql, length, dialect, usual), other;

	if (!has_escaped_quote(sql, length)) {
		return flags;
	}
	other = sql_classify(sql, length, dialect, !usual);
	return flags == other ? flags : ((flags | other) & ~WEFT_SQL_SETTING) | WEFT_SQL_TOUCHES;
}
