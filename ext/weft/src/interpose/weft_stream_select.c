/*
 * stream_select() with descriptors from 1,024 on. PHP refuses those, because its sets of descriptors end there; the
 * kernel does not, nor does weft_call_select(). Where none is that high PHP's own does it.
 */
#include "interpose/weft_interpose.h"
#include "interpose/weft_calls.h"
#include "coroutine/weft_wrap.h"
#include "php_network.h"
#include "zend_exceptions.h"

#define SETS 3
#define WORD_BITS (8 * sizeof(unsigned long))

/* What the arguments are: streams to read, to write, and for what is exceptional. */
typedef struct {
	zval *array[SETS];         /* NULL: there is none */
	unsigned long *bits[SETS]; /* as an fd_set has them, but as many as it takes */
	size_t words;              /* of each */
	int highest;               /* -1: none has a descriptor */
} stream_sets;

typedef struct {
	zend_long seconds, microseconds;
	bool forever, no_microseconds;
} time_limit;

static zif_handler plain_select;

/* --- streams and descriptors --- */

static php_stream *stream_of(zval *value)
{
	php_stream *stream;

	ZVAL_DEREF(value);
	php_stream_from_zval_no_verify(stream, value);
	return stream;
}

/* -1: it has none, and `loud`: PHP says so. */
static int descriptor_of(php_stream *stream, bool loud)
{
	php_socket_t fd = -1;
	int how = PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL;

	return stream && php_stream_cast(stream, how, (void *) &fd, loud) == SUCCESS ? fd : -1;
}

static bool is_buffered(zval *value)
{
	php_stream *stream = stream_of(value);

	return stream && stream->writepos > stream->readpos;
}

/* Streams of PHP code are not asked: PHP will. */
static bool is_high(zval *value)
{
	php_stream *stream = stream_of(value);

	return stream && !php_stream_is(stream, PHP_STREAM_IS_USERSPACE) && descriptor_of(stream, false) >= FD_SETSIZE;
}

static bool any_is_high(zend_execute_data *execute_data)
{
	for (uint32_t i = 1; i <= MIN(SETS, ZEND_NUM_ARGS()); i++) {
		zval *array = ZEND_CALL_ARG(execute_data, i), *value;

		ZVAL_DEREF(array);
		if (Z_TYPE_P(array) != IS_ARRAY) {
			continue;
		}
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(array), value) {
			if (is_high(value)) {
				return true;
			}
		}
		ZEND_HASH_FOREACH_END();
	}
	return false;
}

/* --- the sets --- */

static void sets_grow(stream_sets *sets, size_t words)
{
	for (int i = 0; i < SETS; i++) {
		sets->bits[i] = safe_erealloc(sets->bits[i], words, sizeof(unsigned long), 0);
		memset(sets->bits[i] + sets->words, 0, (words - sets->words) * sizeof(unsigned long));
	}
	sets->words = words;
}

static void sets_put(stream_sets *sets, int set, int fd)
{
	size_t word = fd / WORD_BITS;

	if (word >= sets->words) {
		sets_grow(sets, MAX(word + 1, 2 * sets->words));
	}
	sets->bits[set][word] |= 1ul << (fd % WORD_BITS);
	sets->highest = MAX(sets->highest, fd);
}

static bool sets_have(const stream_sets *sets, int set, int fd)
{
	return fd >= 0 && fd <= sets->highest && (sets->bits[set][fd / WORD_BITS] >> (fd % WORD_BITS) & 1);
}

static void sets_fill(stream_sets *sets)
{
	zval *value;

	for (int i = 0; i < SETS; i++) {
		if (!sets->array[i]) {
			continue;
		}
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(sets->array[i]), value) {
			int fd = descriptor_of(stream_of(value), true);

			if (fd >= 0) {
				sets_put(sets, i, fd);
			}
		}
		ZEND_HASH_FOREACH_END();
	}
}

static void sets_free(stream_sets *sets)
{
	for (int i = 0; i < SETS; i++) {
		if (sets->bits[i]) {
			efree(sets->bits[i]);
		}
	}
}

/* --- what stays in the arrays, with its keys --- */

static void empty(zval *array)
{
	if (array) {
		zval_ptr_dtor(array);
		ZVAL_EMPTY_ARRAY(array);
	}
}

/* Those that are ready, or, when nobody has asked, those that have something read already. */
static uint32_t keep(const stream_sets *sets, int set, bool asked)
{
	zval kept, *value, *array = sets->array[set];
	zend_ulong index;
	zend_string *key;

	if (!array || Z_TYPE_P(array) != IS_ARRAY) { /* others have run, and may have put something else there */
		return 0;
	}
	array_init(&kept);
	ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(array), index, key, value) {
		if (asked ? !sets_have(sets, set, descriptor_of(stream_of(value), true)) : !is_buffered(value)) {
			continue;
		}
		ZVAL_DEREF(value);
		Z_TRY_ADDREF_P(value);
		if (key) {
			zend_hash_add_new(Z_ARRVAL(kept), key, value);
		} else {
			zend_hash_index_add_new(Z_ARRVAL(kept), index, value);
		}
	}
	ZEND_HASH_FOREACH_END();
	zval_ptr_dtor(array);
	ZVAL_COPY_VALUE(array, &kept);
	return zend_hash_num_elements(Z_ARRVAL(kept));
}

/* What PHP has read is there without asking the kernel. 0: nothing is. */
static uint32_t take_buffered(const stream_sets *sets)
{
	zval *value;

	if (!sets->array[0]) {
		return 0;
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(sets->array[0]), value) {
		if (is_buffered(value)) {
			empty(sets->array[1]);
			empty(sets->array[2]);
			return keep(sets, 0, false);
		}
	}
	ZEND_HASH_FOREACH_END();
	return 0;
}

/* --- the function --- */

static bool check_limit(const time_limit *limit)
{
	if (limit->forever) {
		if (!limit->no_microseconds && limit->microseconds != 0) {
			zend_argument_value_error(5, "must be null when argument #4 ($seconds) is null");
		}
	} else if (limit->seconds < 0) {
		zend_argument_value_error(4, "must be greater than or equal to 0");
	} else if (limit->microseconds < 0) {
		zend_argument_value_error(5, "must be greater than or equal to 0");
	}
	return !EG(exception);
}

static void await_streams(stream_sets *sets, const time_limit *limit, zval *return_value)
{
	struct timeval time = {
		.tv_sec = limit->seconds + limit->microseconds / 1000000,
		.tv_usec = limit->microseconds % 1000000,
	};
	int ready = weft_call_select(sets->highest + 1, (fd_set *) sets->bits[0], (fd_set *) sets->bits[1],
		(fd_set *) sets->bits[2], limit->forever ? NULL : &time);

	if (ready < 0) {
		php_error_docref(NULL, E_WARNING, "Unable to select [%d]: %s (max_fd=%d)", errno, strerror(errno),
			sets->highest);
		RETURN_FALSE;
	}
	for (int i = 0; i < SETS; i++) {
		keep(sets, i, true);
	}
	RETURN_LONG(ready);
}

static void select_high(stream_sets *sets, const time_limit *limit, zval *return_value)
{
	uint32_t buffered;

	sets_fill(sets);
	if (!check_limit(limit)) {
		return;
	}
	buffered = take_buffered(sets);
	if (buffered > 0) {
		RETURN_LONG(buffered);
	}
	await_streams(sets, limit, return_value);
}

static ZEND_NAMED_FUNCTION(zif_weft_stream_select)
{
	stream_sets sets = {.highest = -1};
	time_limit limit = {.no_microseconds = true};

	if (!any_is_high(execute_data)) {
		plain_select(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		return;
	}
	ZEND_PARSE_PARAMETERS_START(4, 5)
		Z_PARAM_ARRAY_EX2(sets.array[0], 1, 1, 0)
		Z_PARAM_ARRAY_EX2(sets.array[1], 1, 1, 0)
		Z_PARAM_ARRAY_EX2(sets.array[2], 1, 1, 0)
		Z_PARAM_LONG_OR_NULL(limit.seconds, limit.forever)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG_OR_NULL(limit.microseconds, limit.no_microseconds)
	ZEND_PARSE_PARAMETERS_END();
	select_high(&sets, &limit, return_value);
	sets_free(&sets);
}

void weft_interpose_rinit(void)
{
	static bool wrapped;

	if (!wrapped) {
		wrapped = true;
		plain_select = weft_wrap("standard", NULL, "stream_select", zif_weft_stream_select);
	}
}
