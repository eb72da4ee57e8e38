/*
 * A table of statements by their text, with each link; the oldest goes when there are too many.
 */
#include "pdo/weft_pdo_cache.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_lease.h"
#include "php_weft.h"
#include "zend_smart_str.h"

/* So many statements are dropped with one round trip. */
#define DEALLOCATE_TOGETHER 16

static void end_now(weft_pdo_link *link, weft_pdo_prepared *prepared)
{
	pdo_stmt_t statement;

	memset(&statement, 0, sizeof(statement));
	statement.methods = prepared->methods;
	statement.driver_data = prepared->data;
	statement.dbh = link->dbh;
	/* Without it the driver takes the connection for gone, and says nothing to the server. pdo_pgsql would close a
	 * cursor that was never opened, and the error would end somebody's transaction; pdo_mysql would take results for
	 * its own that somebody else is about to read. */
	if (prepared->executed || link->driver->dialect == WEFT_SQL_OTHER_DIALECT) {
		WEFT_PDO_SET_OBJECT(statement.database_object_handle, link->hidden);
	}
	if (link->broken) {
		weft_pdo_native_end_unheard(&statement, link->driver->client);
	} else {
		prepared->methods->dtor(&statement);
	}
}

/* It can be made to end without a word to the server. */
static bool prepared_is_silent(const weft_pdo_link *link, const weft_pdo_prepared *prepared)
{
	return link->driver->client == WEFT_NATIVE_LIBPQ &&
		weft_pdo_native_knows_statement(prepared->data, link->dbh, WEFT_NATIVE_LIBPQ);
}

/* Nothing is sent while somebody else is in the middle of a conversation. */
static bool must_wait(const weft_pdo_link *link, const weft_pdo_prepared *prepared)
{
	bool reading = link->pending && link->driver->dialect == WEFT_SQL_MYSQL;

	return !prepared_is_silent(link, prepared) && (reading || (link->user && link->user != weft_pdo_self()));
}

static void remember_name(weft_pdo_link *link, const char *name)
{
	smart_str sql = {0};

	if (link->deallocate) {
		smart_str_append(&sql, link->deallocate);
		smart_str_appends(&sql, "; ");
		zend_string_release(link->deallocate);
	}
	smart_str_appends(&sql, "DEALLOCATE ");
	smart_str_appends(&sql, name);
	link->deallocate = smart_str_extract(&sql);
	link->deallocate_count++;
}

void weft_pdo_cache_destroy(weft_pdo_link *link, weft_pdo_prepared *prepared)
{
	if (weft_pdo_link_is_abandoned(link)) {
		return;
	}
	if (must_wait(link, prepared)) {
		zval grave;

		ZVAL_PTR(&grave, pemalloc(sizeof(*prepared), 1));
		memcpy(Z_PTR(grave), prepared, sizeof(*prepared));
		zend_hash_next_index_insert(&link->graves, &grave);
		return;
	}
	if (prepared_is_silent(link, prepared)) {
		const char *name = weft_pdo_native_disown(prepared->data);

		if (name && !link->broken) {
			remember_name(link, name);
		}
	}
	end_now(link, prepared);
}

static void free_cached(zval *entry)
{
	free(Z_PTR_P(entry));
}

void weft_pdo_cache_init(weft_pdo_link *link)
{
	zend_hash_init(&link->cache, 8, NULL, free_cached, 1);
	zend_hash_init(&link->graves, 8, NULL, free_cached, 1);
}

uint32_t weft_pdo_cache_count(const weft_pdo_link *link)
{
	return zend_hash_num_elements(&link->cache);
}

/* MySQL looks up names and reads quotes when it prepares: after USE or another sql_mode the text means something else.
 * PostgreSQL looks up names when it executes, but has read quotes, dates and times as the settings were then. */
static bool means_the_same(const weft_pdo_link *link, const weft_pdo_prepared *prepared)
{
	return prepared->profile == link->profile && prepared->settings == link->settings;
}

/* Inside a transaction an error can't be repaired by preparing again. PostgreSQL refuses a statement whose result
 * has changed its shape, so what returns rows must have run in this transaction already: it has locked its tables
 * since. */
static bool is_usable(const weft_pdo_link *link, const weft_pdo_prepared *prepared)
{
	if (!means_the_same(link, prepared)) {
		return false;
	}
	if (!link->in_transaction) {
		return true;
	}
	if (prepared->definitions != weft_pdo_definitions(link)) {
		return false;
	}
	return prepared->executed && (!prepared->has_columns || prepared->transaction == link->transaction);
}

bool weft_pdo_cache_take(weft_pdo_link *link, zend_string *sql, weft_pdo_prepared *prepared)
{
	weft_pdo_prepared *found = zend_hash_find_ptr(&link->cache, sql);
	bool taken = found && is_usable(link, found);

	if (link->pool) {
		link->pool->statistics.cache_hits += taken;
		link->pool->statistics.cache_misses += !taken;
	}
	if (taken) {
		*prepared = *found;
		zend_hash_del(&link->cache, sql);
	}
	return taken;
}

static void drop_oldest(weft_pdo_link *link)
{
	zend_string *sql;
	weft_pdo_prepared *oldest, copy;

	ZEND_HASH_FOREACH_STR_KEY_PTR(&link->cache, sql, oldest) {
		copy = *oldest;
		zend_hash_del(&link->cache, sql);
		weft_pdo_cache_destroy(link, &copy);
		return;
	}
	ZEND_HASH_FOREACH_END();
}

void weft_pdo_cache_give(weft_pdo_link *link, zend_string *sql, weft_pdo_prepared *prepared)
{
	weft_pdo_prepared *older = zend_hash_find_ptr(&link->cache, sql), copy;
	zval entry;

	if (older) {
		copy = *older;
		zend_hash_del(&link->cache, sql);
		weft_pdo_cache_destroy(link, &copy);
	}
	if (link->driver->dialect == WEFT_SQL_POSTGRESQL) {
		weft_pdo_native_rewind(prepared->data, prepared->parameters);
	}
	ZVAL_PTR(&entry, pemalloc(sizeof(*prepared), 1));
	memcpy(Z_PTR(entry), prepared, sizeof(*prepared));
	zend_hash_add_new(&link->cache, sql, &entry);
	while (zend_hash_num_elements(&link->cache) > (uint32_t) WEFT_G(pdo_statement_cache)) {
		drop_oldest(link);
	}
}

/* Ending one may wait, and others may dig meanwhile: look anew after each. */
static void cache_bury(weft_pdo_link *link)
{
	while (zend_hash_num_elements(&link->graves)) {
		HashPosition first = 0;
		weft_pdo_prepared grave;
		zend_ulong number;
		zend_string *none;

		zend_hash_internal_pointer_reset_ex(&link->graves, &first);
		grave = *(weft_pdo_prepared *) zend_hash_get_current_data_ptr_ex(&link->graves, &first);
		zend_hash_get_current_key_ex(&link->graves, &none, &number, &first);
		zend_hash_index_del(&link->graves, number);
		end_now(link, &grave);
	}
}

void weft_pdo_cache_tell(weft_pdo_link *link)
{
	if (UNEXPECTED(zend_hash_num_elements(&link->graves)) && !link->pending &&
		!(link->in_transaction && link->driver->dialect == WEFT_SQL_POSTGRESQL)) {
		cache_bury(link);
	}
	if (EXPECTED(link->deallocate_count < DEALLOCATE_TOGETHER) || link->in_transaction || link->pending) {
		return;
	}
	zend_string *sql = link->deallocate;

	link->deallocate = NULL;
	link->deallocate_count = 0;
	/* one that fails ends the list: what stays at the server goes with the connection */
	link->dbh->methods->doer(link->dbh, sql);
	zend_string_release(sql);
}

void weft_pdo_cache_forget(weft_pdo_link *link)
{
	while (zend_hash_num_elements(&link->cache)) {
		drop_oldest(link);
	}
	cache_bury(link);
	if (link->deallocate) {
		zend_string_release(link->deallocate);
		link->deallocate = NULL;
		link->deallocate_count = 0;
	}
}

void weft_pdo_cache_free(weft_pdo_link *link)
{
	if (!weft_pdo_link_is_abandoned(link)) {
		weft_pdo_cache_forget(link);
	} else if (link->deallocate) {
		zend_string_release(link->deallocate);
	}
	zend_hash_destroy(&link->cache);
	zend_hash_destroy(&link->graves);
}
