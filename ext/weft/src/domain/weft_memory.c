/*
 * The arithmetic of the heap's limit, the directive, and the words of the error.
 */
#include "domain/weft_memory.h"
#include "coroutine/weft_coroutine.h"
#include "weft_compat.h"

#define NO_LIMIT (SIZE_MAX >> 1)
#define ERROR_BEGINS "Allowed memory size of "
/* Laravel's error page, with what its log and an error tracker load for it, takes less than half of this. */
#define GRANTED (4 << 20)

typedef void (*error_callback)(int type, zend_string *file, const uint32_t line, zend_string *message);

static error_callback plain_error_cb;
static ZEND_INI_MH((*plain_on_modify));
static const zend_long *account; /* of the domain in place; NULL: no domain was ever entered */
static size_t entered;           /* the heap's size then */
static size_t total;
static size_t charged; /* to all domains */

static zend_long own_memory(void)
{
	return *account + (zend_long) (zend_memory_usage(false) - entered);
}

static void apply_limit(void)
{
	size_t real = zend_memory_usage(true), limit = NO_LIMIT;

	if (PG(memory_limit) >= 0) {
		zend_long left = PG(memory_limit) - own_memory();

		limit = real + (size_t) MAX(left, 0);
	}
	if (total && limit + charged > total) {
		limit = MAX(total - MIN(total, charged), real);
	}
	zend_set_memory_limit(limit);
}

void weft_memory_leave(zend_long *left)
{
	*left += (zend_long) (zend_memory_usage(false) - entered);
	zend_set_memory_limit(NO_LIMIT);
}

void weft_memory_enter(const zend_long *next)
{
	account = next;
	entered = zend_memory_usage(false);
	apply_limit();
}

void weft_memory_lift(void)
{
	zend_set_memory_limit(NO_LIMIT);
}

void weft_memory_limit(void)
{
	if (account) {
		apply_limit();
	}
}

size_t weft_memory_end_begins(void)
{
	return zend_memory_usage(false);
}

zend_long weft_memory_end_is_over(size_t before)
{
	size_t change = zend_memory_usage(false) - before;

	entered += change;
	return (zend_long) change;
}

size_t weft_memory_of_domain(void)
{
	return weft_domain_in_place ? (size_t) MAX(own_memory(), 0) : 0;
}

void weft_memory_set_total(size_t bytes)
{
	total = bytes;
}

size_t weft_memory_total(void)
{
	return total;
}

void weft_memory_charge(zend_long *own, zend_long bytes)
{
	if (own != account) {
		*own += bytes;
		charged += bytes;
		return;
	}
	if (bytes > 0 && PG(memory_limit) >= 0 && own_memory() + bytes > PG(memory_limit)) {
		zend_error_noreturn(E_ERROR,
			ERROR_BEGINS ZEND_LONG_FMT " bytes exhausted (tried to allocate " ZEND_LONG_FMT " bytes)", PG(memory_limit),
			bytes);
	}
	*own += bytes;
	charged += bytes;
	apply_limit();
}

size_t weft_memory_charged(void)
{
	return charged;
}

size_t weft_memory_in_use(void)
{
	return zend_memory_usage(false) + charged;
}

/* --- the directive --- */

/* PHP's own would have the number for the heap's limit. As a domain's values are put in place it is no more than a
 * number; the limit follows when all are. */
static ZEND_INI_MH(on_memory_limit)
{
	zend_long before = PG(memory_limit);
	int result;

	if (!account) {
		return plain_on_modify(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
	}
	weft_memory_lift();
	result = plain_on_modify(entry, new_value, mh_arg1, mh_arg2, mh_arg3, ZEND_INI_STAGE_DEACTIVATE);
	if (stage == ZEND_INI_STAGE_DEACTIVATE) {
		weft_memory_lift();
		return result;
	}
	if (result == SUCCESS && PG(memory_limit) >= 0 && own_memory() > PG(memory_limit)) {
		zend_error(E_WARNING,
			"Failed to set memory limit to " ZEND_LONG_FMT " bytes (Current memory usage is " ZEND_LONG_FMT " bytes)",
			PG(memory_limit), own_memory());
		PG(memory_limit) = before;
		result = FAILURE;
	}
	apply_limit();
	return result;
}

/* --- the error --- */

/* It names the heap's limit, which nobody has set. */
static zend_string *in_numbers_of_the_domain(const char *message)
{
	char *rest;
	size_t limit = (size_t) ZEND_STRTOUL(message + strlen(ERROR_BEGINS), &rest, 10);

	if (total && limit + charged >= total && limit != (size_t) PG(memory_limit)) {
		return zend_strpprintf(0, "%s%zu bytes exhausted by the requests of this worker (--max-memory)%s", ERROR_BEGINS,
			total, rest + strlen(" bytes exhausted"));
	}
	return zend_strpprintf(0, "%s" ZEND_LONG_FMT "%s", ERROR_BEGINS, PG(memory_limit), rest);
}

static bool was_exhausted(void)
{
	const zend_string *last = PG(last_error_message);

	return last && PG(last_error_type) == E_ERROR && zend_string_starts_with_cstr(last, ZEND_STRL(ERROR_BEGINS));
}

void weft_memory_grant_end(void)
{
	zend_string *name, *value;

	if (!account || PG(memory_limit) < 0 || !was_exhausted()) {
		return;
	}
	weft_memory_lift(); /* for these two */
	name = ZSTR_INIT_LITERAL("memory_limit", false);
	value = zend_long_to_str(MAX(PG(memory_limit), own_memory()) + GRANTED);
	zend_alter_ini_entry(name, value, PHP_INI_SYSTEM, ZEND_INI_STAGE_RUNTIME);
	zend_string_release(name);
	zend_string_release(value);
}

static ZEND_COLD void memory_on_error(int type, zend_string *file, const uint32_t line, zend_string *message)
{
	if (account && (type & E_ERROR) && strncmp(ZSTR_VAL(message), ERROR_BEGINS, strlen(ERROR_BEGINS)) == 0) {
		/* nobody frees it: what follows does not return */
		message = in_numbers_of_the_domain(ZSTR_VAL(message));
	}
	plain_error_cb(type, file, line, message);
}

void weft_memory_minit(void)
{
	zend_ini_entry *entry = zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL("memory_limit"));

	plain_on_modify = entry->on_modify;
	entry->on_modify = on_memory_limit;
	plain_error_cb = zend_error_cb;
	zend_error_cb = memory_on_error;
}

void weft_memory_mshutdown(void)
{
	zend_ini_entry *entry = zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL("memory_limit"));

	account = NULL;
	if (entry && entry->on_modify == on_memory_limit) {
		entry->on_modify = plain_on_modify;
	}
	if (zend_error_cb == memory_on_error) {
		zend_error_cb = plain_error_cb;
	}
}
