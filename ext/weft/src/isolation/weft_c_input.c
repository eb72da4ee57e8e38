/*
 * A request's input as C code sees it: the arrays that the superglobals were built from. The superglobals themselves
 * are globals like any other.
 */
#include "isolation/weft_c_state.h"
#include "SAPI.h"
#include "php_variables.h"

static void drop(zval *values)
{
	for (size_t i = 0; i < NUM_TRACK_VARS; i++) {
		zval_ptr_dtor(&values[i]);
		ZVAL_UNDEF(&values[i]);
	}
}

static void move(zval *to, zval *from)
{
	memcpy(to, from, NUM_TRACK_VARS * sizeof(zval));
	for (size_t i = 0; i < NUM_TRACK_VARS; i++) {
		ZVAL_UNDEF(&from[i]);
	}
}

static void input_fresh(void *saved)
{
	memset(saved, 0, NUM_TRACK_VARS * sizeof(zval));
}

static void input_leave(void *saved)
{
	move(saved, PG(http_globals));
}

static void input_enter(void *saved)
{
	move(PG(http_globals), saved);
}

static void input_discard(void *saved)
{
	drop(saved);
}

const weft_c_item weft_c_input = {
	.name = "input",
	.size = NUM_TRACK_VARS * sizeof(zval),
	.fresh = input_fresh,
	.leave = input_leave,
	.enter = input_enter,
	.discard = input_discard,
};
