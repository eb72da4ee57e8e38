/*
 * Makes and frees handles, and closes those of a domain at its end.
 */
#include "pdo/weft_pdo_handle.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_list.h"
#include "pdo/weft_pdo_methods.h"
#include "domain/weft_domain.h"

static weft_pdo_handle *handles;

weft_pdo_handle *weft_pdo_handle_new(pdo_dbh_t *dbh, weft_pdo_driver *driver, weft_pdo_pool *pool,
	const pdo_dbh_t *pristine)
{
	weft_pdo_handle *handle = pecalloc(1, sizeof(*handle), 1);

	*dbh = *pristine;
	dbh->methods = &driver->methods;
	dbh->driver_data = handle;
	dbh->driver = (pdo_driver_t *) driver->driver;
	dbh->data_source = pristine->data_source ? estrdup(pristine->data_source) : NULL;
	dbh->username = pristine->username ? estrdup(pristine->username) : NULL;
	dbh->password = pristine->password ? estrdup(pristine->password) : NULL;
	Z_TRY_ADDREF(dbh->def_stmt_ctor_args);
	dbh->query_stmt = NULL;
	dbh->is_persistent = false;
	dbh->persistent_id = NULL;
	memset(dbh->cls_methods, 0, sizeof(dbh->cls_methods));
	handle->dbh = dbh;
	handle->driver = driver;
	handle->pool = pool;
	if (pool) {
		weft_pdo_pool_hold(pool);
	}
	handle->profile = pool ? &pool->root : &handle->own_root;
	ZVAL_UNDEF(&handle->error);
	handle->domain = weft_domain_in_place;
	WEFT_PDO_LIST_ADD(&handles, handle);
	return handle;
}

/* A path from the directory that is the working one now. */
static void make_absolute(zval *dsn)
{
	const char *prefix = "sqlite:", *path;
	char *absolute;

	if (Z_TYPE_P(dsn) != IS_STRING || strncmp(Z_STRVAL_P(dsn), prefix, strlen(prefix)) != 0) {
		return;
	}
	path = Z_STRVAL_P(dsn) + strlen(prefix);
	if (!*path || IS_SLASH(*path) || strcmp(path, ":memory:") == 0 ||
		strncasecmp(path, "file:", strlen("file:")) == 0) {
		return;
	}
	absolute = expand_filepath(path, NULL);
	if (absolute) {
		zval_ptr_dtor(dsn);
		ZVAL_STR(dsn, zend_strpprintf(0, "%s%s", prefix, absolute));
		efree(absolute);
	}
}

void weft_pdo_handle_own(weft_pdo_handle *handle, weft_pdo_link *link, uint32_t count, zval *arguments,
	zend_string *environment)
{
	handle->own_environment = environment ? zend_string_copy(environment) : NULL;
	handle->own_argument_count = count;
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY_DEREF(&handle->own_arguments[i], &arguments[i]);
	}
	if (count) {
		make_absolute(&handle->own_arguments[0]);
	}
	if (link) {
		weft_pdo_attach(handle, link);
	}
}

void weft_pdo_handle_end_leases(weft_pdo_handle *handle)
{
	/* closing may wait, and others run meanwhile: look anew after each */
	while (handle->links) {
		weft_pdo_statements_finish_handle(handle->links, handle);
		if (handle->links) {
			weft_pdo_lease_finish(handle->links);
		}
	}
}

void weft_pdo_handle_free(weft_pdo_handle *handle)
{
	weft_pdo_handle_end_leases(handle);
	weft_pdo_statements_orphan(handle);
	WEFT_PDO_LIST_REMOVE(handle);
	for (weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (link->sequence_owner == handle) {
			link->sequence_owner = NULL;
		}
	}
	for (uint32_t i = 0; i < handle->own_argument_count; i++) {
		zval_ptr_dtor(&handle->own_arguments[i]);
	}
	if (handle->own_environment) {
		zend_string_release(handle->own_environment);
	}
	weft_pdo_methods_forget(handle);
	weft_pdo_profile_free_children(&handle->own_root);
	if (handle->last_id) {
		zend_string_release(handle->last_id);
	}
	if (handle->inserted_id) {
		zend_string_release(handle->inserted_id);
	}
	zval_ptr_dtor(&handle->error);
	if (handle->pool) {
		weft_pdo_pool_let_go(handle->pool);
	}
	free(handle);
}

/* --- the end of a domain --- */

bool weft_pdo_handle_exists(const void *domain)
{
	for (const weft_pdo_handle *handle = handles; handle; handle = handle->next) {
		if (handle->domain == domain) {
			return true;
		}
	}
	return false;
}

/* Without a snapshot every value is shared, and the next request uses the same objects. The address of the domain may
 * be a new one's soon. */
void weft_pdo_handle_close_all(const void *domain)
{
	for (weft_pdo_handle *handle = handles; handle; handle = handle->next) {
		if (handle->domain == domain) {
			handle->domain = NULL;
			handle->closed = weft_snapshot_taken();
		}
	}
}
