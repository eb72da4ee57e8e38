/*
 * Walks arrays with a position of the hash table's own, and objects by their iterator, whose code may wait or throw.
 */
#include "async/weft_iterable.h"

bool weft_iterable_begin(weft_iterable *self, zval *source)
{
	zend_class_entry *ce;

	memset(self, 0, sizeof(*self));
	ZVAL_COPY(&self->source, source);
	if (Z_TYPE_P(source) == IS_ARRAY) {
		zend_hash_internal_pointer_reset_ex(Z_ARRVAL_P(source), &self->position);
		return true;
	}
	ce = Z_OBJCE_P(source);
	self->iterator = ce->get_iterator(ce, source, 0);
	return self->iterator && !EG(exception);
}

static bool next_of_array(weft_iterable *self, zval *key, zval *value)
{
	HashTable *array = Z_ARRVAL(self->source);
	zval *current = zend_hash_get_current_data_ex(array, &self->position);

	if (!current) {
		return false;
	}
	ZVAL_COPY_DEREF(value, current);
	zend_hash_get_current_key_zval_ex(array, key, &self->position);
	zend_hash_move_forward_ex(array, &self->position);
	return true;
}

static bool iterable_advance(weft_iterable *self)
{
	const zend_object_iterator_funcs *calls = self->iterator->funcs;

	if (self->begun) {
		self->iterator->index++;
		calls->move_forward(self->iterator);
	} else {
		self->begun = true;
		self->iterator->index = 0;
		if (calls->rewind) {
			calls->rewind(self->iterator);
		}
	}
	return !EG(exception) && calls->valid(self->iterator) == SUCCESS && !EG(exception);
}

static bool next_of_iterator(weft_iterable *self, zval *key, zval *value)
{
	const zend_object_iterator_funcs *calls = self->iterator->funcs;
	zval *current;

	if (!iterable_advance(self)) {
		return false;
	}
	current = calls->get_current_data(self->iterator);
	if (EG(exception) || !current) {
		return false;
	}
	ZVAL_COPY_DEREF(value, current);
	if (calls->get_current_key) {
		calls->get_current_key(self->iterator, key);
	} else {
		ZVAL_LONG(key, (zend_long) self->iterator->index);
	}
	if (EG(exception)) {
		zval_ptr_dtor(value);
		return false;
	}
	return true;
}

bool weft_iterable_next(weft_iterable *self, zval *key, zval *value)
{
	return self->iterator ? next_of_iterator(self, key, value) : next_of_array(self, key, value);
}

void weft_iterable_end(weft_iterable *self)
{
	if (self->iterator) {
		zend_iterator_dtor(self->iterator);
	}
	zval_ptr_dtor(&self->source);
}
