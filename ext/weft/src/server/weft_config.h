/*
 * Reading the configuration that the command hands on: an array of PHP's.
 */
#ifndef WEFT_CONFIG_H
#define WEFT_CONFIG_H

#include "php.h"

/* Of "grace": the supervisor and the workers know it. */
#define WEFT_DEFAULT_GRACE_SECONDS 10.0

static inline zval *weft_config_find(HashTable *table, const char *key)
{
	return zend_hash_str_find_deref(table, key, strlen(key));
}

static inline zend_long weft_config_long(HashTable *table, const char *key, zend_long otherwise)
{
	zval *value = weft_config_find(table, key);
	return value != NULL ? zval_get_long(value) : otherwise;
}

static inline uint32_t weft_config_workers(HashTable *table)
{
	return (uint32_t) weft_config_long(table, "workers", 1);
}

static inline bool weft_config_bool(HashTable *table, const char *key, bool otherwise)
{
	zval *value = weft_config_find(table, key);
	return value != NULL ? zend_is_true(value) : otherwise;
}

/* NULL: it is not there. It lives as long as the configuration. */
static inline const char *weft_config_text(HashTable *table, const char *key)
{
	zval *text = weft_config_find(table, key);
	return text != NULL && Z_TYPE_P(text) == IS_STRING ? Z_STRVAL_P(text) : NULL;
}

static inline uint32_t weft_config_ms(HashTable *table, const char *key, double otherwise)
{
	zval *value = weft_config_find(table, key);
	double seconds = value != NULL ? zval_get_double(value) : otherwise;
	return (uint32_t) (seconds * 1000);
}

#endif /* WEFT_CONFIG_H */
