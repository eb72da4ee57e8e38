/*
 * The table of such objects, and the exchange of what they hold when a domain enters.
 */
#include "pdo/weft_pdo_view.h"
#include "pdo/weft_pdo_handle.h"
#include "domain/weft_domain.h"

/* A PDO object of the base and what it is in other domains. */
typedef struct {
	zend_object *object;
	pdo_dbh_t *own;
	HashTable views; /* domain => pdo_dbh_t */
} base_object;

/* object handle => base_object */
static HashTable base_objects;

static zend_ulong view_key(const void *domain)
{
	return (zend_ulong) (uintptr_t) domain >> 4;
}

static pdo_dbh_t *new_view(const base_object *base)
{
	const weft_pdo_handle *model = base->own->driver_data;
	pdo_dbh_t *view = ecalloc(1, sizeof(*view));
	weft_pdo_handle *handle = weft_pdo_handle_new(view, model->driver, model->pool, base->own);

	strcpy(view->error_code, PDO_ERR_NONE);
	view->in_txn = false;
	handle->profile = model->profile;
	handle->persistent = model->persistent;
	handle->model = model;
	if (!model->pool) {
		weft_pdo_handle_own(handle, NULL, model->own_argument_count, (zval *) model->own_arguments,
			model->own_environment);
	}
	return view;
}

static void free_view(pdo_dbh_t *view)
{
	if (view->query_stmt) {
		OBJ_RELEASE(WEFT_PDO_QUERY_STATEMENT(view));
	}
	weft_pdo_handle_free(view->driver_data);
	efree((char *) view->data_source);
	if (view->username) {
		efree(view->username);
	}
	if (view->password) {
		efree(view->password);
	}
	zval_ptr_dtor(&view->def_stmt_ctor_args);
	for (int i = 0; i < PDO_DBH_DRIVER_METHOD_KIND__MAX; i++) {
		if (view->cls_methods[i]) {
			zend_hash_destroy(view->cls_methods[i]);
			efree(view->cls_methods[i]);
		}
	}
	efree(view);
}

void weft_pdo_view_of_base(zend_object *object)
{
	base_object *base = pecalloc(1, sizeof(*base), 1);

	base->object = object;
	base->own = php_pdo_dbh_fetch_inner(object);
	zend_hash_init(&base->views, 8, NULL, NULL, 1);
	zend_hash_index_update_ptr(&base_objects, object->handle, base);
}

void weft_pdo_view_forget_object(zend_object *object)
{
	base_object *base = zend_hash_num_elements(&base_objects) ? zend_hash_index_find_ptr(&base_objects, object->handle)
															  : NULL;
	pdo_dbh_t *view;

	if (!base) {
		return;
	}
	zend_hash_index_del(&base_objects, object->handle);
	php_pdo_dbh_fetch_object(object)->inner = base->own;
	ZEND_HASH_FOREACH_PTR(&base->views, view) {
		free_view(view);
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_destroy(&base->views);
	free(base);
}

static void enter_domain(weft_domain *domain)
{
	base_object *base;

	if (EXPECTED(!zend_hash_num_elements(&base_objects)) || !weft_snapshot_taken()) {
		return;
	}
	ZEND_HASH_FOREACH_PTR(&base_objects, base) {
		pdo_dbh_t *view = domain ? zend_hash_index_find_ptr(&base->views, view_key(domain)) : base->own;

		if (!view) {
			view = new_view(base);
			zend_hash_index_add_new_ptr(&base->views, view_key(domain), view);
		}
		php_pdo_dbh_fetch_object(base->object)->inner = view;
	}
	ZEND_HASH_FOREACH_END();
}

void weft_pdo_view_end(const void *domain)
{
	base_object *base;

	ZEND_HASH_FOREACH_PTR(&base_objects, base) {
		pdo_dbh_t *view = zend_hash_index_find_ptr(&base->views, view_key(domain));

		if (view) {
			zend_hash_index_del(&base->views, view_key(domain));
			if (php_pdo_dbh_fetch_inner(base->object) == view) {
				php_pdo_dbh_fetch_object(base->object)->inner = base->own;
			}
			free_view(view);
		}
	}
	ZEND_HASH_FOREACH_END();
}

bool weft_pdo_view_exists(const void *domain)
{
	base_object *base;

	ZEND_HASH_FOREACH_PTR(&base_objects, base) {
		if (zend_hash_index_exists(&base->views, view_key(domain))) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

void weft_pdo_view_rshutdown(void)
{
	base_object *base;

	ZEND_HASH_FOREACH_PTR(&base_objects, base) {
		php_pdo_dbh_fetch_object(base->object)->inner = base->own;
	}
	ZEND_HASH_FOREACH_END();
}

void weft_pdo_view_minit(void)
{
	zend_hash_init(&base_objects, 8, NULL, NULL, 1);
	weft_domain_on_enter(enter_domain);
}
