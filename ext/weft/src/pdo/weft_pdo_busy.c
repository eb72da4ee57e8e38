#include "pdo/weft_pdo_busy.h"
#include "coroutine/weft_coroutine.h"
#include "zend_exceptions.h"

/* address of the connection => the coroutine inside */
static HashTable users;

static zend_ulong key_of(const pdo_dbh_t *handle)
{
	return (zend_ulong) (uintptr_t) handle >> 4;
}

static void refuse(void)
{
	zend_class_entry *exception = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdoexception"));

	zend_throw_exception(exception,
		"Another coroutine waits for an answer on this connection; await it first, or open a PDO in each coroutine",
		0);
}

bool weft_pdo_busy_begin(const pdo_dbh_t *handle, weft_pdo_use *use)
{
	*use = WEFT_PDO_UNTRACKED;
	if (!weft_current || !handle) {
		return true;
	}
	const weft_coroutine *user = zend_hash_index_find_ptr(&users, key_of(handle));
	if (user) {
		if (user != weft_current) {
			refuse();
		}
		return user == weft_current;
	}
	zend_hash_index_add_new_ptr(&users, key_of(handle), weft_current);
	*use = WEFT_PDO_TAKEN;
	return true;
}

void weft_pdo_busy_end(const pdo_dbh_t *handle, weft_pdo_use use)
{
	if (use == WEFT_PDO_TAKEN) {
		zend_hash_index_del(&users, key_of(handle));
	}
}

void weft_pdo_busy_forget(const pdo_dbh_t *handle)
{
	zend_hash_index_del(&users, key_of(handle));
}

void weft_pdo_busy_minit(void)
{
	zend_hash_init(&users, 8, NULL, NULL, 1);
}

void weft_pdo_busy_rshutdown(void)
{
	zend_hash_clean(&users);
}
