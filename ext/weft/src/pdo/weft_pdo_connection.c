#include "pdo/weft_pdo_connection.h"
#include "coroutine/weft_coroutine.h"
#include "isolation/weft_domain.h"
#include "zend_exceptions.h"
#include <pthread.h>

/* More settings than this on one connection are no set-up any more. */
#define MAX_SETTINGS 64

/* object handle => weft_pdo_connection */
static HashTable connections;
/* How many of them have leases: none in most processes, and then a switch costs nothing. */
static uint32_t leased;
/* Counts forks: what an earlier generation opened is shared with the parent. */
static uint32_t generation;

static void after_fork_in_child(void)
{
	generation++;
}

static zend_ulong key_of(const void *domain)
{
	return (zend_ulong) (uintptr_t) domain >> 4;
}

weft_pdo_connection *weft_pdo_connection_find(const zend_object *object)
{
	return zend_hash_index_find_ptr(&connections, object->handle);
}

bool weft_pdo_connection_is_own(const weft_pdo_connection *connection)
{
	return connection->domain == weft_domain_in_place && connection->generation == generation;
}

bool weft_pdo_connection_is_inherited(const weft_pdo_connection *connection)
{
	return connection->generation != generation;
}

bool weft_pdo_must_be_private(void)
{
	return weft_domain_in_place || generation;
}

zend_object *weft_pdo_connection_lease(const weft_pdo_connection *connection)
{
	return connection->leases ? zend_hash_index_find_ptr(connection->leases, key_of(weft_domain_in_place)) : NULL;
}

static void free_hash(HashTable **table)
{
	if (*table) {
		zend_array_destroy(*table);
		*table = NULL;
	}
}

static void free_arguments(weft_pdo_connection *connection)
{
	for (uint32_t i = 0; i < connection->argument_count; i++) {
		zval_ptr_dtor(&connection->arguments[i]);
	}
	connection->argument_count = 0;
}

static void end_lease(weft_pdo_connection *connection, void *domain)
{
	zend_object *hidden = connection->leases
		? zend_hash_index_find_ptr(connection->leases, key_of(domain)) : NULL;

	if (!hidden) {
		return;
	}
	zend_hash_index_del(connection->leases, key_of(domain));
	if (!zend_hash_num_elements(connection->leases)) {
		free_hash(&connection->leases);
		leased--;
	}
	if (weft_domain_in_place == domain) {
		php_pdo_dbh_fetch_object(connection->object)->inner = connection->own;
	}
	OBJ_RELEASE(hidden);
}

static void end_leases(weft_pdo_connection *connection)
{
	HashTable *leases = connection->leases;
	zend_object *hidden;

	if (!leases) {
		return;
	}
	connection->leases = NULL;
	leased--;
	php_pdo_dbh_fetch_object(connection->object)->inner = connection->own;
	ZEND_HASH_FOREACH_PTR(leases, hidden) {
		OBJ_RELEASE(hidden);
	}
	ZEND_HASH_FOREACH_END();
	zend_array_destroy(leases);
}

void weft_pdo_connection_opened(zend_object *object, uint32_t argument_count, zval *arguments)
{
	weft_pdo_connection *connection;

	weft_pdo_connection_forget(object);
	connection = pecalloc(1, sizeof(*connection), 1);
	connection->object = object;
	connection->own = php_pdo_dbh_fetch_inner(object);
	connection->domain = weft_domain_in_place;
	connection->generation = generation;
	connection->argument_count = MIN(argument_count, WEFT_PDO_ARGUMENTS);
	for (uint32_t i = 0; i < connection->argument_count; i++) {
		ZVAL_COPY_DEREF(&connection->arguments[i], &arguments[i]);
	}
	zend_hash_index_update_ptr(&connections, object->handle, connection);
}

bool weft_pdo_connection_forget(zend_object *object)
{
	weft_pdo_connection *connection = weft_pdo_connection_find(object);
	bool inherited;

	if (!connection) {
		return true;
	}
	inherited = connection->generation != generation;
	zend_hash_index_del(&connections, object->handle);
	end_leases(connection);
	free_arguments(connection);
	free_hash(&connection->attributes);
	free_hash(&connection->settings);
	free(connection);
	return !inherited;
}

void weft_pdo_connection_remember_attribute(weft_pdo_connection *connection, zend_long attribute, zval *value)
{
	zval copy;

	if (!connection->attributes) {
		connection->attributes = zend_new_array(4);
	}
	ZVAL_COPY_DEREF(&copy, value);
	zend_hash_index_update(connection->attributes, attribute, &copy);
}

void weft_pdo_connection_remember_setting(weft_pdo_connection *connection, zend_string *sql)
{
	zval copy;

	if (!connection->settings) {
		connection->settings = zend_new_array(4);
	}
	if (zend_hash_num_elements(connection->settings) < MAX_SETTINGS) {
		ZVAL_STR_COPY(&copy, sql);
		zend_hash_next_index_insert(connection->settings, &copy);
	}
}

/* --- connections for others --- */

static void replay_attributes(zend_object *hidden, HashTable *attributes)
{
	zend_function *set = zend_hash_str_find_ptr(&hidden->ce->function_table, ZEND_STRL("setattribute"));
	zend_ulong attribute;
	zval *value;

	ZEND_HASH_FOREACH_NUM_KEY_VAL(attributes, attribute, value) {
		zval arguments[2];

		ZVAL_LONG(&arguments[0], (zend_long) attribute);
		ZVAL_COPY_VALUE(&arguments[1], value);
		zend_call_known_function(set, hidden, hidden->ce, NULL, 2, arguments, NULL);
	}
	ZEND_HASH_FOREACH_END();
}

static void replay_settings(zend_object *hidden, HashTable *settings)
{
	zend_function *exec = zend_hash_str_find_ptr(&hidden->ce->function_table, ZEND_STRL("exec"));
	zval *sql;

	ZEND_HASH_FOREACH_VAL(settings, sql) {
		zend_call_known_function(exec, hidden, hidden->ce, NULL, 1, sql, NULL);
		if (EG(exception)) {
			return;
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* The class is PDO itself, so that no constructor of the application runs. The object given may be freed
 * meanwhile by somebody else: work on copies. */
static zend_object *open_hidden(const weft_pdo_connection *model)
{
	zend_class_entry *pdo = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdo"));
	HashTable *attributes = model->attributes ? zend_array_dup(model->attributes) : NULL;
	HashTable *settings = model->settings ? zend_array_dup(model->settings) : NULL;
	uint32_t count = model->argument_count;
	zval arguments[WEFT_PDO_ARGUMENTS], hidden;

	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY(&arguments[i], &model->arguments[i]);
	}
	if (object_init_ex(&hidden, pdo) == SUCCESS) {
		zend_call_known_function(pdo->constructor, Z_OBJ(hidden), pdo, NULL, count, arguments, NULL);
		if (!EG(exception) && attributes) {
			replay_attributes(Z_OBJ(hidden), attributes);
		}
		if (!EG(exception) && settings) {
			replay_settings(Z_OBJ(hidden), settings);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		zval_ptr_dtor(&arguments[i]);
	}
	free_hash(&attributes);
	free_hash(&settings);
	if (EG(exception)) {
		zval_ptr_dtor(&hidden);
		return NULL;
	}
	return Z_OBJ(hidden);
}

static void add_lease(weft_pdo_connection *connection, zend_object *hidden)
{
	if (!connection->leases) {
		connection->leases = zend_new_array(8);
		leased++;
	}
	zend_hash_index_add_new_ptr(connection->leases, key_of(weft_domain_in_place), hidden);
	php_pdo_dbh_fetch_object(connection->object)->inner = php_pdo_dbh_fetch_inner(hidden);
}

bool weft_pdo_connection_use(zend_object *object)
{
	weft_pdo_connection *connection = weft_pdo_connection_find(object);
	zend_object *hidden;

	if (!connection || weft_pdo_connection_is_own(connection) || weft_pdo_connection_lease(connection)) {
		return true;
	}
	if (connection->closing) {
		zend_throw_error(NULL, "This PDO object's connection is closed: the request that opened it has ended");
		return false;
	}
	hidden = open_hidden(connection);
	if (!hidden) {
		return false;
	}
	/* opening waits: a sibling may have been faster, or the object may have gone */
	connection = weft_pdo_connection_find(object);
	if (!connection || weft_pdo_connection_lease(connection)) {
		OBJ_RELEASE(hidden);
		return true;
	}
	add_lease(connection, hidden);
	return true;
}

/* A domain has come into place: the objects point to its connections. */
static void enter_domain(weft_domain *domain)
{
	weft_pdo_connection *connection;

	if (EXPECTED(!leased)) {
		return;
	}
	ZEND_HASH_FOREACH_PTR(&connections, connection) {
		if (connection->leases) {
			zend_object *hidden = zend_hash_index_find_ptr(connection->leases, key_of(domain));

			php_pdo_dbh_fetch_object(connection->object)->inner =
				hidden ? php_pdo_dbh_fetch_inner(hidden) : connection->own;
		}
	}
	ZEND_HASH_FOREACH_END();
}

static weft_pdo_connection *lent_to(const void *domain)
{
	weft_pdo_connection *connection;

	if (leased) {
		ZEND_HASH_FOREACH_PTR(&connections, connection) {
			if (connection->leases && zend_hash_index_exists(connection->leases, key_of(domain))) {
				return connection;
			}
		}
		ZEND_HASH_FOREACH_END();
	}
	return NULL;
}

static weft_pdo_connection *owned_by(const void *domain)
{
	weft_pdo_connection *connection;

	ZEND_HASH_FOREACH_PTR(&connections, connection) {
		if (connection->domain == domain) {
			return connection;
		}
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}

static void end_own(weft_pdo_connection *connection)
{
	zend_object *object = connection->object;

	/* the address may be a new domain's soon */
	connection->domain = WEFT_PDO_NOBODY;
	/* without a snapshot every value is shared: the next request uses the same object */
	if (weft_pdo_connection_is_inherited(connection) || !weft_snapshot_taken()) {
		return;
	}
	/* held through all that may wait: others run meanwhile, the collector among them */
	GC_ADDREF(object);
	end_leases(connection);
	connection->closing = true;
	weft_pdo_close(object, connection->own);
	weft_pdo_connection_forget(object);
	OBJ_RELEASE(object);
}

/* Closing waits, and the table may change meanwhile: look anew after each. */
static void domain_ends(weft_domain *domain)
{
	weft_pdo_connection *connection;

	while ((connection = lent_to(domain))) {
		end_lease(connection, domain);
	}
	while ((connection = owned_by(domain))) {
		end_own(connection);
	}
}

static bool domain_holds(weft_domain *domain)
{
	return lent_to(domain) || owned_by(domain);
}

static weft_pdo_connection *lent_to_anybody(void)
{
	weft_pdo_connection *connection;

	ZEND_HASH_FOREACH_PTR(&connections, connection) {
		if (connection->leases) {
			return connection;
		}
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}

void weft_pdo_connection_end_all(void)
{
	weft_pdo_connection *connection;

	/* Ending waits, and the table may change meanwhile: look anew after each. */
	while ((connection = lent_to_anybody())) {
		end_leases(connection);
	}
}

void weft_pdo_connection_minit(void)
{
	zend_hash_init(&connections, 8, NULL, NULL, 1);
	pthread_atfork(NULL, NULL, after_fork_in_child);
	weft_domain_on_end(domain_holds, domain_ends);
	weft_domain_on_enter(enter_domain);
}
