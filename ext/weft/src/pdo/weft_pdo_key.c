#include "pdo/weft_pdo_key.h"
#include "pdo/weft_pdo_environment.h"
#include "php_weft.h"
#include "zend_smart_str.h"

/* False for a value that has no lasting text: an object, a resource. */
static bool append_value(smart_str *key, zval *value)
{
	zend_string *name;
	zend_ulong index;
	zval *element;

	ZVAL_DEREF(value);
	switch (Z_TYPE_P(value)) {
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE:
			smart_str_append_printf(key, "%d;", Z_TYPE_P(value));
			return true;
		case IS_LONG:
			smart_str_append_printf(key, "i" ZEND_LONG_FMT ";", Z_LVAL_P(value));
			return true;
		case IS_DOUBLE:
			smart_str_append_printf(key, "d%.17g;", Z_DVAL_P(value));
			return true;
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
		default:
			return false;
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
zend_string *weft_pdo_pool_name(const weft_pdo_driver *driver, const pdo_dbh_t *fresh)
{
	smart_str name = {0};
	const char *source = fresh->data_source ? fresh->data_source : "", *end;

	smart_str_append_printf(&name, "%s:", driver->driver->driver_name);
	for (; *source; source = *end ? end + 1 : end) {
		end = source + strcspn(source, "; ");
		if (strncasecmp(source, "password", strlen("password")) == 0) {
			continue;
		}
		if (ZSTR_VAL(name.s)[ZSTR_LEN(name.s) - 1] != ':') {
			smart_str_appendc(&name, ';');
		}
		smart_str_appendl(&name, source, (size_t) (end - source));
	}
	if (fresh->username) {
		smart_str_append_printf(&name, " as %s", fresh->username);
	}
	return smart_str_extract(&name);
}

zend_string *weft_pdo_server_name(const pdo_dbh_t *fresh, const zend_string *environment)
{
	static const char *const variables[] = {"PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE", NULL};
	static const char *const places[] = {"host=", "hostaddr=", "port=", "unix_socket=", "service=", NULL};
	const char *source = fresh->data_source ? fresh->data_source : "", *end;
	smart_str name = {0};

	smart_str_append_printf(&name, "%s:", fresh->driver->driver_name);
	for (; *source; source = *end ? end + 1 : end) {
		end = source + strcspn(source, "; ");
		for (int i = 0; places[i]; i++) {
			if (strncasecmp(source, places[i], strlen(places[i])) == 0) {
				smart_str_appendl(&name, source, (size_t) (end - source));
				smart_str_appendc(&name, ';');
			}
		}
	}
	for (int i = 0; variables[i]; i++) {
		const char *value = weft_pdo_environment_value(environment, variables[i]);

		if (value) {
			smart_str_append_printf(&name, "%s=%s;", variables[i], value);
		}
	}
	return smart_str_extract(&name);
}
