/*
 * Stream contexts that exist at the snapshot: objects of the base hold them (Guzzle, SoapClient, a file system), and
 * their options may be one request's headers and credentials. The options are an array, and PHP separates it before it
 * writes: a slot like any other.
 */
#include "isolation/weft_slots.h"
#include "php_streams.h"
#include "ext/standard/file.h"

void weft_stream_contexts_snapshot(void)
{
	zval *item;

	ZEND_HASH_FOREACH_VAL(&EG(regular_list), item) {
		php_stream_context *context = Z_TYPE_P(item) == IS_RESOURCE ? Z_RES_P(item)->ptr : NULL;

		if (!context || Z_RES_P(item)->type != php_le_stream_context() || Z_TYPE(context->options) != IS_ARRAY) {
			continue;
		}
		weft_references_prepare(&context->options);
		/* the cell points into the context: hold it */
		Z_ADDREF_P(item);
		weft_cell_add(&context->options, &context->options, WEFT_CELL_CONTEXT, Z_RES_P(item));
	}
	ZEND_HASH_FOREACH_END();
}
