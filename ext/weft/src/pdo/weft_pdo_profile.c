/*
 * What was set on a connection since it was opened. Two connections with the same profile are interchangeable; so a
 * framework that sets the same things on each new PDO object costs nothing after the first time.
 *
 * A tree for each pool. Only what the server has accepted once comes into it.
 */
#include "pdo/weft_pdo_pool.h"

/* An application that sets something else each time makes no profiles worth keeping. */
#define MAX_CHILDREN 64
#define MAX_DEPTH 64

weft_pdo_profile *weft_pdo_profile_find_sql(const weft_pdo_profile *from, const zend_string *sql)
{
	for (weft_pdo_profile *child = from->children; child; child = child->sibling) {
		if (child->sql && zend_string_equals(child->sql, sql)) {
			return child;
		}
	}
	return NULL;
}

weft_pdo_profile *weft_pdo_profile_find_attribute(const weft_pdo_profile *from, zend_long attribute, zval *value)
{
	for (weft_pdo_profile *child = from->children; child; child = child->sibling) {
		if (!child->sql && child->attribute == attribute && zend_is_identical(&child->value, value)) {
			return child;
		}
	}
	return NULL;
}

static weft_pdo_profile *add_child(weft_pdo_profile *from)
{
	weft_pdo_profile *child;
	uint32_t count = 0;

	for (child = from->children; child; child = child->sibling) {
		count++;
	}
	if (count >= MAX_CHILDREN || from->depth >= MAX_DEPTH) {
		return NULL;
	}
	child = pecalloc(1, sizeof(*child), 1);
	child->parent = from;
	child->depth = from->depth + 1;
	child->attributes = from->attributes;
	child->sibling = from->children;
	from->children = child;
	ZVAL_UNDEF(&child->value);
	return child;
}

weft_pdo_profile *weft_pdo_profile_add_sql(weft_pdo_profile *from, zend_string *sql)
{
	weft_pdo_profile *child = weft_pdo_profile_find_sql(from, sql);

	if (from->sql && zend_string_equals(from->sql, sql)) {
		return from;
	}
	if (!child && (child = add_child(from))) {
		child->sql = zend_string_copy(sql);
	}
	return child;
}

weft_pdo_profile *weft_pdo_profile_add_attribute(weft_pdo_profile *from, zend_long attribute, zval *value)
{
	weft_pdo_profile *child;

	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) > IS_STRING) {
		return NULL;
	}
	child = weft_pdo_profile_find_attribute(from, attribute, value);
	if (!child && (child = add_child(from))) {
		child->attribute = attribute;
		child->attributes = child;
		ZVAL_COPY(&child->value, value);
	}
	return child;
}

bool weft_pdo_profile_is_ancestor(const weft_pdo_profile *ancestor, const weft_pdo_profile *of)
{
	while (of && of->depth > ancestor->depth) {
		of = of->parent;
	}
	return of == ancestor;
}

void weft_pdo_profile_free_children(weft_pdo_profile *root)
{
	while (root->children) {
		weft_pdo_profile *child = root->children;

		root->children = child->sibling;
		weft_pdo_profile_free_children(child);
		if (child->sql) {
			zend_string_release(child->sql);
		}
		zval_ptr_dtor(&child->value);
		free(child);
	}
}
