/*
 * Feeds what tells the pool whether a statement leaves something in its session with anything.
 *
 * The first input byte chooses the dialect and what stands before the text; the rest is the text. Besides what the
 * sanitizers find, it aborts when a promise is broken: one that follows from the rules by another way than the code
 * takes. Missing that a statement touches its session is what must never happen; seeing it where it isn't only costs a
 * reset.
 */
#include "weft_pdo_sql.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TEXT_MAX 16384

static void promise(bool holds, const char *what, const char *text, size_t length)
{
	if (!holds) {
		fprintf(stderr, "broken promise: %s\n%.*s\n", what, (int) length, text);
		abort();
	}
}

/* In a block of its own, so that a byte too far is seen. */
static uint32_t classify(const char *text, size_t length, weft_sql_dialect dialect)
{
	char *copy = malloc(length ? length : 1);
	uint32_t flags;

	memcpy(copy, text, length);
	flags = weft_sql_classify(copy, length, dialect);
	free(copy);
	return flags;
}

static uint32_t classify_after(const char *before, const char *text, size_t length, weft_sql_dialect dialect)
{
	static char joined[TEXT_MAX + 256];
	size_t first = strlen(before);

	memcpy(joined, before, first);
	memcpy(joined + first, text, length);
	return classify(joined, first + length, dialect);
}

/* --- what comes first decides, whatever follows --- */

static size_t count(const char *const *list)
{
	size_t count = 0;

	while (list[count]) {
		count++;
	}
	return count;
}

static void check_beginnings(const char *text, size_t length, weft_sql_dialect dialect, size_t chosen)
{
	static const char *const any[] = {"set role x; ", "select 1; listen x; ", "create temporary table x (n int); ",
		"(select 1); call x(); ", "set x = 1; select 1; ", "select get_lock('a', 1), set_config('a', 'b', false); ",
		"do 1; ", "/* a */ -- b\n lock tables x read; ", NULL};
	static const char *const postgresql[] = {"select set_config('a', 'b', false) ", "select pg_advisory_lock(1) ",
		"select \"set_config\"('a', 'b', false) ", "select $x$ ; $x$, pg_try_advisory_lock(1) ",
		"set search_path to 'pg_temp' ", "select E'\\'', set_config('a', 'b', false), '\\' ", "listen ",
		"select /* /* */ ' */ set_config('a', 'b', false) ", "select 1 -- '\r, set_config('a', 'b', false) ", NULL};
	static const char *const mysql[] = {"select @a := 1 ", "select get_lock('a', 1) ", "select `get_lock`('a', 1) ",
		"select 5--get_lock('a', 1) ", "/*!50000 set @a = 1 */ ", "select 1 /*M!100000 , get_lock('a', 1) */ ",
		"select 'a\\', get_lock('a', 1), ' ", "begin not atomic set sql_mode = '' ",
		"set @@transaction_isolation = 'serializable' ", "handler x open ", NULL};

	const char *const *lists[] = {any, dialect == WEFT_SQL_MYSQL ? mysql : postgresql};

	for (int list = 0; list < 2; list++) {
		const char *beginning = lists[list][chosen % count(lists[list])];
		uint32_t flags = classify_after(beginning, text, length, dialect);

		promise((flags & WEFT_SQL_TOUCHES) != 0, beginning, text, length);
		promise(!(flags & WEFT_SQL_SETTING), "what touches is no setting", text, length);
	}
}

/* --- the simple texts once more, read another way --- */

static bool is_word_character(unsigned char c)
{
	return isalnum(c) || c == '_' || c >= 0x80;
}

static bool is_simple(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!is_word_character((unsigned char) text[i]) && !strchr(" \n,;()=*+<>", text[i])) {
			return false;
		}
		if (text[i] == '\0') {
			return false;
		}
	}
	return true;
}

static bool is_listed(const char *word, size_t length, const char *const *list)
{
	for (; *list; list++) {
		if (strlen(*list) == length && strncasecmp(word, *list, length) == 0) {
			return true;
		}
	}
	return false;
}

/* Without quotes, comments and signs there are only words: cuts them out with strcspn's simplicity. */
static void check_simple(const char *text, size_t length, weft_sql_dialect dialect)
{
	static const char *const touching[] = {"set_config", "pg_advisory_lock", "pg_try_advisory_lock_shared",
		"sql_calc_found_rows", "setseed", "pg_temp", NULL};
	static const char *const touching_mysql[] = {"get_lock", "sql_calc_found_rows", "found_rows", NULL};
	static const char *const first[] = {"call", "do", "listen", "unlisten", "prepare", "execute", "declare", "load",
		"lock", "handler", "discard", "reset", "deallocate", "flush", "xa", "if", "while", "nonsense", NULL};
	static const char *const settings[] = {"set", "use", NULL};
	uint32_t flags = classify(text, length, dialect);
	bool begins = true, sets = false, touches = false;

	for (size_t i = 0; i < length;) {
		size_t start = i;

		if (!is_word_character((unsigned char) text[i])) {
			begins = begins || text[i] == ';';
			/* a statement in parentheses begins there; anything else before a word makes it no first word */
			if (!strchr(" \n;(", text[i])) {
				begins = false;
			}
			i++;
			continue;
		}
		while (i < length && is_word_character((unsigned char) text[i])) {
			i++;
		}
		if (isdigit((unsigned char) text[start])) {
			begins = false;
			continue;
		}
		if (begins) {
			sets = sets || is_listed(text + start, i - start, settings);
			touches = touches || is_listed(text + start, i - start, first);
		} else if (!sets) {
			touches = touches ||
				is_listed(text + start, i - start, dialect == WEFT_SQL_MYSQL ? touching_mysql : touching);
		}
		begins = false;
	}
	promise(!touches || (flags & WEFT_SQL_TOUCHES), "a word that touches is seen", text, length);
	promise(!sets || (flags & (WEFT_SQL_TOUCHES | WEFT_SQL_SETTING)), "SET is never silent", text, length);
}

/* --- what must not matter --- */

static bool has_any(const char *text, size_t length, const char *characters)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] && strchr(characters, text[i])) {
			return true;
		}
	}
	return false;
}

static void check_what_does_not_matter(const char *text, size_t length, weft_sql_dialect dialect)
{
	static char changed[TEXT_MAX];
	uint32_t flags = classify(text, length, dialect);

	promise(classify_after(" /* x */\n-- y\n", text, length, dialect) == flags, "comments in front change nothing",
		text, length);
	promise(classify_after(";;", text, length, dialect) == flags, "nor do empty statements", text, length);
	/* but for the tags of $a$ … $A$, and for MariaDB's comments that run, which begin with a capital M */
	if (!has_any(text, length, "$") && !memmem(text, length, "/*m!", 4)) {
		for (size_t i = 0; i < length; i++) {
			changed[i] = (char) (text[i] >= 'a' && text[i] <= 'z' ? text[i] - 'a' + 'A' : text[i]);
		}
		promise(classify(changed, length, dialect) == flags, "nor does the case of letters", text, length);
	}
	promise(!(flags & WEFT_SQL_SETTING) || !(flags & (WEFT_SQL_TOUCHES | WEFT_SQL_SEVERAL)),
		"a setting is nothing else besides", text, length);
}

/* --- what is known to leave nothing must not cost a reset --- */

static void check_ordinary(void)
{
	static const struct {
		const char *sql;
		uint32_t flags;
	} ordinary[] = {
		{"select a / b, temp from t where c = 'set role x' and d = :temporary", 0},
		{"select * from \"users\" where \"users\".\"id\" in (1, 2) limit 1", 0},
		{"update t set a = a + 1 where b like 'It''s'", 0},
		{"select 'set_config(', \"temporary\" from t", 0},
		{"insert into t (a) values (?) returning id", WEFT_SQL_INSERTS},
		{"delete from temp", 0},
		{"begin", 0},
		{"start transaction", 0},
		{"savepoint trans2", 0},
		{"set session sql_mode='STRICT_ALL_TABLES'", WEFT_SQL_SETTING},
		{"set names 'utf8'", WEFT_SQL_SETTING},
		{"SET NAMES 'utf8mb4' COLLATE 'utf8mb4_unicode_ci'", WEFT_SQL_SETTING},
		{"create table t (n int)", WEFT_SQL_DEFINES},
	};

	for (size_t i = 0; i < sizeof(ordinary) / sizeof(ordinary[0]); i++) {
		const char *sql = ordinary[i].sql;

		promise(classify(sql, strlen(sql), WEFT_SQL_POSTGRESQL) == ordinary[i].flags, "ordinary SQL is known", sql,
			strlen(sql));
		promise(classify(sql, strlen(sql), WEFT_SQL_MYSQL) == ordinary[i].flags, "ordinary SQL is known in MySQL", sql,
			strlen(sql));
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void) argc;
	(void) argv;
	check_ordinary();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	weft_sql_dialect dialect;
	const char *text;

	if (size < 1 || size > TEXT_MAX) {
		return 0;
	}
	dialect = data[0] % 2 ? WEFT_SQL_MYSQL : WEFT_SQL_POSTGRESQL;
	text = (const char *) data + 1;
	size--;
	check_beginnings(text, size, dialect, data[0] / 2);
	check_what_does_not_matter(text, size, dialect);
	if (is_simple(text, size)) {
		check_simple(text, size, dialect);
	}
	return 0;
}
