/*
 * Collects the variables that belong to a driver, and exchanges them while a connection is opened.
 */
#include "pdo/weft_pdo_environment.h"
#include "globals/weft_environ.h"
#include "zend_smart_str.h"

extern char **environ;

/* libpq names its variables with PG, all of them and those to come; it looks for .pgpass and .pg_service.conf at
 * home. */
static const char *const of_pgsql[] = {"PG", NULL};
/* Not mysqlnd, but the client libraries that it may be built with instead; they look for .my.cnf at home. */
static const char *const of_mysql[] = {"MYSQL_", "MARIADB_", "LIBMYSQL_", NULL};
/* TLS and Kerberos under either. */
static const char *const of_both[] = {"HOME=", "SSL_CERT_FILE=", "SSL_CERT_DIR=", "KRB5", NULL};

static bool begins_with_one(const char *text, const char *const *beginnings)
{
	for (; *beginnings; beginnings++) {
		if (strncmp(text, *beginnings, strlen(*beginnings)) == 0) {
			return true;
		}
	}
	return false;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *) a, *(const char *const *) b);
}

static zend_string *join(const char **lines, size_t count)
{
	smart_str text = {0};

	for (size_t i = 0; i < count; i++) {
		smart_str_appendl(&text, lines[i], strlen(lines[i]) + 1);
	}
	return smart_str_extract(&text);
}

static zend_string *environment_collect(const char *const *of_driver)
{
	size_t all = 0, count = 0;
	const char **lines;
	zend_string *text;

	while (environ && environ[all]) {
		all++;
	}
	lines = safe_emalloc(all + 1, sizeof(*lines), 0);
	for (size_t i = 0; i < all; i++) {
		if (begins_with_one(environ[i], of_driver) || begins_with_one(environ[i], of_both)) {
			lines[count++] = environ[i];
		}
	}
	qsort(lines, count, sizeof(*lines), compare);
	text = join(lines, count);
	efree(lines);
	return text;
}

zend_string *weft_pdo_environment(const zval *dsn)
{
	bool mysql = Z_TYPE_P(dsn) == IS_STRING && strncmp(Z_STRVAL_P(dsn), "mysql:", strlen("mysql:")) == 0;

	/* an alias may mean anything; PostgreSQL's is the one with most */
	return environment_collect(mysql ? of_mysql : of_pgsql);
}

/* The line after this one, or the first; NULL: there is none. */
static const char *next_line(const zend_string *environment, const char *line)
{
	const char *next = line ? line + strlen(line) + 1 : ZSTR_VAL(environment);

	return next < ZSTR_VAL(environment) + ZSTR_LEN(environment) ? next : NULL;
}

const char *weft_pdo_environment_value(const zend_string *environment, const char *name)
{
	size_t length = strlen(name);
	const char *line = NULL;

	while ((line = next_line(environment, line))) {
		if (strncmp(line, name, length) == 0 && line[length] == '=') {
			return line + length + 1;
		}
	}
	return NULL;
}

/* --- lending it --- */

static void aside_exchange(weft_aside *aside)
{
	weft_pdo_environment_loan *loan = (weft_pdo_environment_loan *) aside;

	for (uint32_t i = 0; i < loan->count; i++) {
		const char *value = getenv(loan->names[i]);
		char *before = value ? strdup(value) : NULL;

		weft_environ_set(loan->names[i], loan->values[i]);
		free(loan->values[i]);
		loan->values[i] = before;
	}
}

static void loan_note(weft_pdo_environment_loan *loan, const char *line, const char *value)
{
	loan->names = safe_perealloc(loan->names, loan->count + 1, sizeof(char *), 0, 1);
	loan->values = safe_perealloc(loan->values, loan->count + 1, sizeof(char *), 0, 1);
	loan->names[loan->count] = strndup(line, strcspn(line, "="));
	loan->values[loan->count] = value ? strdup(value) : NULL;
	loan->count++;
}

/* What has to be another value, or none; what only the wanted one has comes from comparing the other way round. */
static void note_differences(weft_pdo_environment_loan *loan, const zend_string *wanted, const zend_string *now)
{
	const char *line = NULL;

	while ((line = next_line(wanted, line))) {
		char *name = estrndup(line, strcspn(line, "="));
		const char *value = line + strlen(name) + 1, *other = weft_pdo_environment_value(now, name);

		if (!other || strcmp(other, value) != 0) {
			loan_note(loan, line, value);
		}
		efree(name);
	}
	while ((line = next_line(now, line))) {
		char *name = estrndup(line, strcspn(line, "="));

		if (!weft_pdo_environment_value(wanted, name)) {
			loan_note(loan, line, NULL);
		}
		efree(name);
	}
}

void weft_pdo_environment_lend(weft_pdo_environment_loan *loan, const zend_string *environment, const zval *dsn)
{
	zend_string *now;

	memset(loan, 0, sizeof(*loan));
	if (!environment) {
		return;
	}
	now = weft_pdo_environment(dsn);
	if (!zend_string_equals(environment, now)) {
		note_differences(loan, environment, now);
		loan->aside.exchange = aside_exchange;
		aside_exchange(&loan->aside);
		loan->borrower = weft_current;
		if (weft_current) {
			weft_aside_add(weft_current, &loan->aside);
		}
	}
	zend_string_release(now);
}

void weft_pdo_environment_take_back(weft_pdo_environment_loan *loan)
{
	if (!loan->count) {
		return;
	}
	if (loan->borrower) {
		weft_aside_remove(loan->borrower, &loan->aside);
	}
	aside_exchange(&loan->aside);
	for (uint32_t i = 0; i < loan->count; i++) {
		free(loan->names[i]);
		free(loan->values[i]);
	}
	free(loan->names);
	free(loan->values);
	loan->count = 0;
}
