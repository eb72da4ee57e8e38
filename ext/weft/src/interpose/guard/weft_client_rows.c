/*
 * foreach over rows that mysqli fetches one by one: the one call of a client that no function's frame is around.
 */
#include "interpose/guard/weft_modules.h"
#include "coroutine/weft_client_call.h"

static zend_object_iterator *(*plain_iterate)(zend_class_entry *class, zval *object, int by_reference);
static const zend_object_iterator_funcs *plain_iterator;
static zend_object_iterator_funcs wrapped_iterator;

static void fetch(zend_object_iterator *iterator, void (*plain)(zend_object_iterator *iterator))
{
	weft_coroutine *self = weft_current;
	const void *outer = self ? self->client_row : NULL;

	if (self) {
		self->client_row = iterator;
	}
	plain(iterator);
	if (self) {
		self->client_row = outer;
		if (UNEXPECTED(self->cut_call == iterator)) {
			weft_client_call_restore();
		}
	}
}

static void iterator_forward(zend_object_iterator *iterator)
{
	fetch(iterator, plain_iterator->move_forward);
}

static void iterator_rewind(zend_object_iterator *iterator)
{
	fetch(iterator, plain_iterator->rewind);
}

static zend_object_iterator *iterate(zend_class_entry *class, zval *object, int by_reference)
{
	zend_object_iterator *iterator = plain_iterate(class, object, by_reference);

	if (iterator && !plain_iterator) {
		plain_iterator = iterator->funcs;
		wrapped_iterator = *plain_iterator;
		wrapped_iterator.move_forward = iterator_forward;
		wrapped_iterator.rewind = iterator_rewind;
	}
	if (iterator) {
		iterator->funcs = &wrapped_iterator;
	}
	return iterator;
}

void weft_client_rows_wrap(void)
{
	zend_class_entry *class = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("mysqli_result"));

	if (class && class->type == ZEND_INTERNAL_CLASS && class->get_iterator && !plain_iterate) {
		plain_iterate = class->get_iterator;
		class->get_iterator = iterate;
	}
}
