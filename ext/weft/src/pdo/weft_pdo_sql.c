#include "pdo/weft_pdo_sql.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

typedef enum {
	END,
	WORD,
	QUOTED,      /* a quoted identifier: not a keyword */
	STRING,
	PLACEHOLDER,
	SEMICOLON,
	OPEN,        /* ( */
	USER_VARIABLE, /* MySQL's @name */
	SYSTEM_VARIABLE, /* MySQL's @@name */
	OTHER
} token_kind;

typedef struct {
	const char *at;
	const char *end;
	weft_sql_dialect dialect;
	token_kind kind;
	const char *word;
	size_t length;
} lexer;

/* A bit for each thing that the rest of a statement can tell. */
typedef struct {
	bool placeholder;
	bool parenthesis;
	bool user_variable;
	bool returning;
	bool inserts;
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
	while (lexer->at < lexer->end && *lexer->at != '\n') {
		lexer->at++;
	}
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

/* A doubled quote continues; a backslash escapes in MySQL and in PostgreSQL's E'' strings. */
static void skip_quoted(lexer *lexer, char quote, bool backslash)
{
	lexer->at++;
	while (lexer->at < lexer->end) {
		char c = *lexer->at++;

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
	if (left >= 2 && memcmp(lexer->at, "--", 2) == 0) {
		skip_line(lexer);
	} else if (left >= 1 && *lexer->at == '#' && lexer->dialect == WEFT_SQL_MYSQL) {
		skip_line(lexer);
	} else if (left >= 2 && memcmp(lexer->at, "/*", 2) == 0) {
		/* MySQL runs what is in such a comment */
		if (lexer->dialect == WEFT_SQL_MYSQL && left >= 3 && (lexer->at[2] == '!' || lexer->at[2] == 'M')) {
			return false;
		}
		skip_comment(lexer);
	}
	return lexer->at != before;
}

static token_kind next_word(lexer *lexer)
{
	lexer->word = lexer->at;
	while (lexer->at < lexer->end && continues_word((unsigned char) *lexer->at)) {
		lexer->at++;
	}
	lexer->length = (size_t) (lexer->at - lexer->word);
	if (lexer->length == 1 && strchr("eE", *lexer->word) && lexer->at < lexer->end && *lexer->at == '\'') {
		skip_quoted(lexer, '\'', true);
		return STRING;
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
		skip_quoted(lexer, (char) c, mysql);
		return STRING;
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
	lexer->at++;
	if (c == '/') {
		return USER_VARIABLE; /* a comment that MySQL runs: as suspicious as a variable */
	}
	if (c == ':' && lexer->at < lexer->end && *lexer->at == ':') {
		lexer->at++; /* a cast */
		return OTHER;
	}
	if (c == '?' || (c == ':' && lexer->at < lexer->end && starts_word((unsigned char) *lexer->at)) || c == '$') {
		return PLACEHOLDER;
	}
	return c == ';' ? SEMICOLON : c == '(' ? OPEN : OTHER;
}

static void advance(lexer *lexer)
{
	lexer->kind = next(lexer);
}

static bool is(const lexer *lexer, const char *word)
{
	return lexer->kind == WORD && strlen(word) == lexer->length && strncasecmp(lexer->word, word, lexer->length) == 0;
}

static bool is_one_of(const lexer *lexer, const char *const *words)
{
	for (; *words; words++) {
		if (is(lexer, *words)) {
			return true;
		}
	}
	return false;
}

static bool starts_with(const lexer *lexer, const char *start)
{
	return lexer->length >= strlen(start) && strncasecmp(lexer->word, start, strlen(start)) == 0;
}

/* --- words anywhere in a statement --- */

static bool is_session_lock(const lexer *lexer)
{
	if (lexer->dialect == WEFT_SQL_MYSQL) {
		return is(lexer, "get_lock");
	}
	return (starts_with(lexer, "pg_advisory_lock") || starts_with(lexer, "pg_try_advisory_lock"));
}

static void judge_word(const lexer *lexer, findings *found)
{
	static const char *const touching[] = {"set_config", "temp", "temporary", "sql_calc_found_rows",
		"dblink_connect", "dblink_connect_u", "pg_temp", "found_rows", "setseed", "lo_open", NULL};
	static const char *const moving[] = {"nextval", "setval", NULL};
	static const char *const asking[] = {"lastval", "currval", "last_insert_id", NULL};

	if (is(lexer, "returning")) {
		found->returning = true;
	} else if (is(lexer, "insert")) {
		found->inserts = true;
	} else if (is_one_of(lexer, touching) || is_session_lock(lexer)) {
		found->flags |= WEFT_SQL_TOUCHES;
	} else if (is_one_of(lexer, moving)) {
		found->flags |= WEFT_SQL_SEQUENCE;
	} else if (is_one_of(lexer, asking)) {
		found->flags |= WEFT_SQL_ASKS_SESSION;
	}
}

/* Reads to the end of the statement. */
static void read_rest(lexer *lexer, findings *found)
{
	for (; lexer->kind != END && lexer->kind != SEMICOLON; advance(lexer)) {
		switch (lexer->kind) {
			case WORD:
				judge_word(lexer, found);
				break;
			case PLACEHOLDER:
				found->placeholder = true;
				break;
			case OPEN:
				found->parenthesis = true;
				break;
			case USER_VARIABLE:
				found->user_variable = true;
				break;
			default:
				break;
		}
	}
	if (found->user_variable) {
		found->flags |= WEFT_SQL_TOUCHES;
	}
}

/* --- one statement --- */

static uint32_t judge_set(lexer *lexer)
{
	/* what the text alone does not set again, or what ends with a transaction */
	static const char *const special[] = {"local", "transaction", "role", "session_authorization", "authorization",
		"constraints", "global", "persist", "persist_only", "password", "autocommit", "default", "statement",
		"insert_id", "last_insert_id", "timestamp", "sql_log_bin", "resource", "gtid_next", NULL};
	findings found = {0};
	bool session = false;

	advance(lexer);
	if (is(lexer, "session")) {
		session = true;
		advance(lexer);
	}
	/* MySQL's SET SESSION TRANSACTION … is for all transactions to come */
	if (session && lexer->dialect == WEFT_SQL_MYSQL && is(lexer, "transaction")) {
		advance(lexer);
	}
	for (; lexer->kind != END && lexer->kind != SEMICOLON; advance(lexer)) {
		if (lexer->kind == WORD && is_one_of(lexer, special)) {
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

static uint32_t judge_definition(lexer *lexer)
{
	findings found = {0};

	read_rest(lexer, &found);
	return found.flags | WEFT_SQL_DEFINES;
}

/* The lexer stands on the first token. */
static uint32_t judge_statement(lexer *lexer)
{
	static const char *const inserting[] = {"insert", "replace", "merge", NULL};
	static const char *const harmless[] = {"select", "update", "delete", "with", "values", "table", "explain", "show",
		"describe", "desc", "begin", "start", "commit", "rollback", "savepoint", "release", "end", "abort", "notify",
		"analyze", "vacuum", "fetch", "move", "close", "copy", "optimize", "check", "kill", NULL};
	static const char *const defining[] = {"create", "alter", "drop", "truncate", "comment", "grant", "revoke",
		"reindex", "refresh", "cluster", "rename", NULL};
	findings found = {0};

	while (lexer->kind == OPEN) {
		advance(lexer);
	}
	if (is(lexer, "set")) {
		return judge_set(lexer);
	}
	if (is(lexer, "use") && lexer->dialect == WEFT_SQL_MYSQL) {
		read_rest(lexer, &found);
		return found.flags | WEFT_SQL_SETTING;
	}
	if (is_one_of(lexer, inserting)) {
		return judge_query(lexer, true);
	}
	if (is_one_of(lexer, harmless)) {
		return judge_query(lexer, false);
	}
	if (is_one_of(lexer, defining)) {
		return judge_definition(lexer);
	}
	read_rest(lexer, &found);
	return found.flags | WEFT_SQL_TOUCHES;
}

uint32_t weft_sql_classify(const char *sql, size_t length, weft_sql_dialect dialect)
{
	lexer lexer = {.at = sql, .end = sql + length, .dialect = dialect};
	uint32_t flags = 0, statements = 0;

	for (advance(&lexer); lexer.kind != END; advance(&lexer)) {
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
