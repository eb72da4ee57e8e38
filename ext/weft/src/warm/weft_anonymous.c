/*
 * Anonymous classes. The engine puts a number at the end of such a name, in the order in which it compiles classes. A
 * file that each request includes anew gives its class another name each time, and another class.
 */
#include "warm/weft_warm.h"

/* "Parent@anonymous", a NUL, "file:line$", and the number in hexadecimal digits. */
#define WEFT_MARK "@anonymous"

/* Of all but the number; 0: it is no such name. */
static size_t length_without_number(const zend_string *name)
{
	const char *start = ZSTR_VAL(name), *end = start + ZSTR_LEN(name);
	const char *mark = zend_memnstr(start, WEFT_MARK, sizeof(WEFT_MARK), end);
	const char *number = mark ? zend_memrchr(mark, '$', (size_t) (end - mark)) : NULL;

	if (!number || number + 1 == end || strspn(number + 1, "0123456789abcdef") != (size_t) (end - number - 1)) {
		return 0;
	}
	return (size_t) (number - start);
}

bool weft_same_anonymous_class(const zend_string *a, const zend_string *b)
{
	size_t length = length_without_number(a);

	return length && length == length_without_number(b) && memcmp(ZSTR_VAL(a), ZSTR_VAL(b), length) == 0;
}

bool weft_names_class_of_request(const zend_string *name)
{
	zend_string *key;
	bool in_base;

	if (!length_without_number(name)) {
		return false;
	}
	key = zend_string_tolower((zend_string *) name);
	in_base = zend_hash_exists(EG(class_table), key);
	zend_string_release(key);
	return !in_base;
}

zval *weft_find_alike(HashTable *map, zend_string *key)
{
	zval *found = zend_hash_num_elements(map) ? zend_hash_find(map, key) : NULL, *value;
	zend_string *other;

	if (found || !length_without_number(key)) {
		return found;
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(map, other, value) {
		if (other && weft_same_anonymous_class(key, other)) {
			return value;
		}
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}
