/*
 * setenv() of glibc before 2.41 frees the array when a variable comes, moves the others under a reader when one goes,
 * and keeps every value that it was ever given. So each change is published as an array of its own here, and what it
 * replaces waits until the look-ups that run have ended.
 */
#include "globals/weft_environ.h"
#include "reactor/weft_dns.h"
#include "weft_grow.h"
#include "php.h"

extern char **environ;

typedef struct {
	void *memory;
	uint64_t since; /* weft_dns_phase() at that time */
} retired_memory;

static struct {
	char **array;      /* ours; environ may be another's again */
	HashTable strings; /* ours, by name */
	retired_memory *retired;
	uint32_t count, size;
} own;

static void free_retired(void)
{
	uint64_t phase = weft_dns_phase();
	uint32_t kept = 0;

	for (uint32_t i = 0; i < own.count; i++) {
		if (phase - own.retired[i].since < WEFT_DNS_PHASES) {
			own.retired[kept++] = own.retired[i];
		} else {
			free(own.retired[i].memory);
		}
	}
	own.count = kept;
}

static void retire(void *memory, uint64_t phase)
{
	WEFT_GROW(own.retired, own.count, own.size);
	own.retired[own.count++] = (retired_memory){memory, phase};
}

/* "name=value"; NULL for none. The one before is returned in `before`. */
static char *replace_string(const char *name, const char *value, char **before)
{
	size_t length = strlen(name);
	char *string;

	*before = zend_hash_str_find_ptr(&own.strings, name, length);
	if (!value) {
		zend_hash_str_del(&own.strings, name, length);
		return NULL;
	}
	string = safe_pemalloc(1, length + 1, strlen(value) + 1, 1);
	memcpy(string, name, length);
	string[length] = '=';
	strcpy(string + length + 1, value);
	zend_hash_str_update_ptr(&own.strings, name, length, string);
	return string;
}

/* The array in place without the variable, with room for one. */
static char **copy_without(const char *name, size_t *count)
{
	size_t length = strlen(name), all = 0;
	char **copy;

	while (environ && environ[all]) {
		all++;
	}
	copy = safe_pemalloc(all + 2, sizeof(char *), 0, 1);
	*count = 0;
	for (size_t i = 0; i < all; i++) {
		if (strncmp(environ[i], name, length) != 0 || environ[i][length] != '=') {
			copy[(*count)++] = environ[i];
		}
	}
	return copy;
}

void weft_environ_set(const char *name, const char *value)
{
	char *string, *string_before, **array_before = own.array;
	size_t count;
	uint64_t phase;

	if (!own.strings.nTableSize) {
		zend_hash_init(&own.strings, 8, NULL, NULL, 1);
	}
	own.array = copy_without(name, &count);
	string = replace_string(name, value, &string_before);
	if (string) {
		own.array[count++] = string;
	}
	own.array[count] = NULL;
	__atomic_store_n(&environ, own.array, __ATOMIC_RELEASE);
	phase = weft_dns_phase();
	if (array_before) {
		retire(array_before, phase);
	}
	if (string_before) {
		retire(string_before, phase);
	}
	free_retired();
}
