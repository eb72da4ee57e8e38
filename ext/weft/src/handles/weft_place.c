/*
 * The place in PHP code where something was made or opened during boot, for messages.
 */
#include "handles/weft_handles_internal.h"
#include "async/weft_async.h"

bool weft_place_find(weft_place *place, const zend_execute_data *frame)
{
	const zend_execute_data *own = frame = weft_innermost_php(frame);

	*place = (weft_place){0};
	if (!frame) {
		return false;
	}
	place->file = frame->func->op_array.filename;
	place->line = frame->opline->lineno;
	while (own && strstr(ZSTR_VAL(own->func->op_array.filename), "/vendor/")) {
		own = weft_innermost_php(own->prev_execute_data);
	}
	if (own && own != frame) {
		place->caller_file = own->func->op_array.filename;
		place->caller_line = own->opline->lineno;
	}
	return true;
}

zend_string *weft_place_describe(const weft_place *place)
{
	if (!place->caller_file) {
		return zend_strpprintf(0, "%s:%u", ZSTR_VAL(place->file), place->line);
	}
	return zend_strpprintf(0, "%s:%u, called by %s:%u", ZSTR_VAL(place->file), place->line,
		ZSTR_VAL(place->caller_file), place->caller_line);
}
