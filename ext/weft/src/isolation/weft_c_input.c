/*
 * A request's input as C code sees it: the arrays that the superglobals were built from, and the copies of them that
 * filter_input() reads. The superglobals themselves are globals like any other.
 */
#include "isolation/weft_c_state.h"
#include "SAPI.h"
#include "php_ini.h"
#include "php_variables.h"
#include "ext/filter/php_filter.h"

#define FILTERED 5 /* post, get, cookie, env, server */

typedef struct {
	zval tracked[NUM_TRACK_VARS];
	zval filtered[FILTERED];
} input_state;

/* ext/filter shows its globals to nobody, but its directive says where they lie. NULL: not there, or laid out unlike
 * its header. */
static zend_filter_globals *filter;

static zend_filter_globals *find_filter(void)
{
	const zend_ini_entry *directive = zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL("filter.default"));

	_Static_assert(offsetof(zend_filter_globals, default_filter) == FILTERED * sizeof(zval), "arrays come first");
	if (!directive || directive->mh_arg1 != (void *) offsetof(zend_filter_globals, default_filter)) {
		return NULL;
	}
	return directive->mh_arg2;
}

static void drop(zval *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		zval_ptr_dtor(&values[i]);
		ZVAL_UNDEF(&values[i]);
	}
}

static void move(zval *to, zval *from, size_t count)
{
	memcpy(to, from, count * sizeof(zval));
	for (size_t i = 0; i < count; i++) {
		ZVAL_UNDEF(&from[i]);
	}
}

bool weft_c_input_filter(const zval *server)
{
	if (!filter) {
		filter = find_filter();
	}
	if (!filter) {
		return false;
	}
	zval_ptr_dtor(&filter->server_array);
	ZVAL_COPY(&filter->server_array, server);
	return true;
}

static void input_capture(void)
{
	filter = find_filter();
}

static void input_fresh(void *saved)
{
	memset(saved, 0, sizeof(input_state));
}

static void input_leave(void *saved)
{
	input_state *state = saved;

	move(state->tracked, PG(http_globals), NUM_TRACK_VARS);
	if (filter) {
		move(state->filtered, &filter->post_array, FILTERED);
	}
}

static void input_enter(void *saved)
{
	input_state *state = saved;

	move(PG(http_globals), state->tracked, NUM_TRACK_VARS);
	if (filter) {
		move(&filter->post_array, state->filtered, FILTERED);
	}
}

static void input_discard(void *saved)
{
	input_state *state = saved;

	drop(state->tracked, NUM_TRACK_VARS);
	drop(state->filtered, FILTERED);
}

const weft_c_item weft_c_input = {
	.name = "input",
	.size = sizeof(input_state),
	.capture = input_capture,
	.fresh = input_fresh,
	.leave = input_leave,
	.enter = input_enter,
	.discard = input_discard,
};
