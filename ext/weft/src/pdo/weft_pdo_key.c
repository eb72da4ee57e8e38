/*
 * Makes the key of a pool out of what PDO's constructor was given, and names without passwords for pools and
 * servers.
 */
#include "pdo/weft_pdo_key.h"
#include "pdo/weft_pdo_environment.h"
#include "domain/weft_php_request.h"
#include "php_weft.h"
#include "zend_smart_str.h"

/* False for a value that nothing lasting stands for: an object, a resource, a class that goes with its request, a
 * reference, by which a variable can change it later or an array holds itself. */
static bool append_value(smart_str *key, zval *value)
{
	zend_string *name;
	zend_ulong index;
	zval *element;

	if (Z_ISREF_P(value) && Z_REFCOUNT_P(value) > 1) {
		return false;
	}
	ZVAL_DEREF(value);
	switch (Z_TYPE_P(value)) {
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE: smart_str_append_printf(key, "%d;", Z_TYPE_P(value)); return true;
		case IS_LONG: smart_str_append_printf(key, "i" ZEND_LONG_FMT ";", Z_LVAL_P(value)); return true;
		case IS_DOUBLE: smart_str_append_printf(key, "d%.17g;", Z_DVAL_P(value)); return true;
		case IS_STRING:
			smart_str_append_printf(key, "s%zu:", Z_STRLEN_P(value));
			smart_str_append(key, Z_STR_P(value));
			return true;
		case IS_ARRAY:
			smart_str_appendc(key, '{');
			ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(value), index, name, element) {
				/* every connection of a pool may outlive a request, as a persistent one does */
				if (!name && index == PDO_ATTR_PERSISTENT) {
					continue;
				}
				/* the class ends with the request, the pool does not */
				if (!name && index == PDO_ATTR_STATEMENT_CLASS && weft_php_request_in_place) {
					return false;
				}
				if (name) {
					smart_str_append_printf(key, "k%zu:", ZSTR_LEN(name));
					smart_str_append(key, name);
				} else {
					smart_str_append_printf(key, "n" ZEND_ULONG_FMT "=", index);
				}
				if (!append_value(key, element)) {
					return false;
				}
			}
			ZEND_HASH_FOREACH_END();
			smart_str_appendc(key, '}');
			return true;
		default: return false;
	}
}

zend_string *weft_pdo_pool_key(uint32_t count, zval *arguments, const zend_string *environment)
{
	smart_str key = {0};

	if (WEFT_G(pdo_pool_max) == 0) {
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!append_value(&key, &arguments[i])) {
			smart_str_free(&key);
			return NULL;
		}
	}
	smart_str_append(&key, environment);
	return smart_str_extract(&key);
}

/* "pgsql:host=db;dbname=shop as app": what comes after `password=` in a DSN is nobody's business. */
zend_string *weft_pdo_pool_name(const char *driver, const char *source, const char *user)
{
	smart_str name = {0};
	const char *end;

	smart_str_append_printf(&name, "%s:", driver);
	for (source = source ? source : ""; *source; source = *end ? end + 1 : end) {
		end = source + strcspn(source, "; ");
		if (strncasecmp(source, "password", strlen("password")) == 0) {
			continue;
		}
		if (ZSTR_VAL(name.s)[ZSTR_LEN(name.s) - 1] != ':') {
			smart_str_appendc(&name, ';');
		}
		smart_str_appendl(&name, source, (size_t) (end - source));
	}
	if (user) {
		smart_str_append_printf(&name, " as %s", user);
	}
	return smart_str_extract(&name);
}

/* What a data source or else the environment says of a server's place; the last word counts. */
typedef struct {
	const char *key, *variable, *otherwise;
} place;

static void append_place(smart_str *name, const char *source, const zend_string *environment, const place *part)
{
	const char *value = part->variable ? weft_pdo_environment_value(environment, part->variable) : NULL, *end;
	size_t length = strlen(part->key);

	value = value ? value : part->otherwise;
	for (; *source; source = *end ? end + 1 : end) {
		end = source + strcspn(source, "; ");
		if (strncasecmp(source, part->key, length) == 0) {
			value = source + length;
		}
	}
	smart_str_appends(name, part->key);
	smart_str_appendl(name, value, strcspn(value, "; "));
	smart_str_appendc(name, ';');
}

zend_string *weft_pdo_server_name(const char *dsn, const zend_string *environment)
{
	static const place of_pgsql[] = {{"host=", "PGHOST", ""}, {"hostaddr=", "PGHOSTADDR", ""},
		{"port=", "PGPORT", "5432"}, {"service=", "PGSERVICE", ""}, {NULL, NULL, NULL}};
	static const place of_mysql[] = {{"host=", NULL, "localhost"}, {"port=", NULL, "3306"}, {"unix_socket=", NULL, ""},
		{NULL, NULL, NULL}};
	const char *source = strchr(dsn, ':') + 1;
	smart_str name = {0};

	smart_str_appendl(&name, dsn, (size_t) (source - dsn));
	for (const place *part = *dsn == 'm' ? of_mysql : of_pgsql; part->key; part++) {
		append_place(&name, source, environment, part);
	}
	return smart_str_extract(&name);
}
