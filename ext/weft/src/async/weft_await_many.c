/*
 * await_all() and its like: one coroutine waits for many. Each thing awaited notes its own end in the group, in C and
 * without a switch; the waiting coroutine is woken once, when the group has what it was asked for.
 */
#include "async/weft_async.h"
#include "async/weft_coroutine_object.h"
#include "async/weft_iterable.h"

#include "zend_exceptions.h"

typedef enum { ALL, ALL_OR_FAIL, ANY, FIRST_SUCCESS, ANY_OF, ANY_OF_OR_FAIL } wanted;

typedef struct group group;
typedef struct member member;
struct member {
	weft_awaiter awaiter; /* linked while its object has not completed */
	group *group;
	zend_object *object;
	zval key;      /* an int or a string */
	bool too_late; /* ended when there was enough: nobody is told */
	member *next, *next_ended;
};

/* On the heap: after a fatal error in an iterator, which leaves it linked, its members still end. */
struct group {
	wanted wanted;
	uint32_t enough;        /* of ANY_OF and ANY_OF_OR_FAIL: so many results */
	weft_coroutine *waiter; /* while it waits */
	member *first, **last;
	member *first_ended, **last_ended; /* in the order in which they ended */
	uint32_t count, ended, failed;
	bool complete; /* no further members come */
};

static bool is_enough(const group *self)
{
	switch (self->wanted) {
		case ALL_OR_FAIL: return self->failed > 0;
		case ANY: return self->ended > 0;
		case FIRST_SUCCESS: return self->ended > self->failed;
		case ANY_OF: return self->ended - self->failed >= self->enough;
		case ANY_OF_OR_FAIL: return self->failed > 0 || self->ended >= self->enough;
		default: return false;
	}
}

static bool is_done(const group *self)
{
	return is_enough(self) || (self->complete && self->ended == self->count);
}

static void note_end(member *one)
{
	group *self = one->group;

	*self->last_ended = one;
	self->last_ended = &one->next_ended;
	self->ended++;
	self->failed += weft_awaitable_failed(one->object);
}

static void member_on_end(weft_awaiter *awaiter)
{
	member *one = (member *) awaiter;

	weft_awaitable_unlink(awaiter);
	awaiter->link = NULL;
	note_end(one);
	if (one->group->waiter && is_done(one->group)) {
		weft_wake(one->group->waiter);
	}
}

/* --- collecting the members --- */

/* The iterable's number among the arguments: it stands behind the count, where there is one, and before the token. */
static uint32_t argument_of_iterable(const group *self)
{
	return self->wanted == ANY_OF || self->wanted == ANY_OF_OR_FAIL ? 2 : 1;
}

static bool may_be_member(const group *self, const zval *key, const zval *value)
{
	uint32_t argument = argument_of_iterable(self);

	if (Z_TYPE_P(key) != IS_LONG && Z_TYPE_P(key) != IS_STRING) {
		zend_argument_type_error(argument, "must have keys of type int or string, %s given", zend_zval_type_name(key));
		return false;
	}
	if (Z_TYPE_P(value) != IS_OBJECT || !weft_is_awaitable(Z_OBJ_P(value))) {
		const char *given = Z_TYPE_P(value) == IS_OBJECT ? ZSTR_VAL(Z_OBJCE_P(value)->name)
														 : zend_zval_type_name(value);

		if (Z_TYPE_P(key) == IS_STRING) {
			zend_argument_type_error(argument,
				"must contain only Async\\Coroutine and Async\\Timeout objects, %s given at key \"%s\"", given,
				Z_STRVAL_P(key));
		} else {
			zend_argument_type_error(argument,
				"must contain only Async\\Coroutine and Async\\Timeout objects, %s given at key " ZEND_LONG_FMT, given,
				Z_LVAL_P(key));
		}
		return false;
	}
	if (weft_current && weft_current->object == Z_OBJ_P(value)) {
		zend_throw_exception(weft_ce_async_exception, "A coroutine can't await itself: it would wait for ever", 0);
		return false;
	}
	return true;
}

/* Takes over both references. */
static void group_add(group *self, zval *key, zval *value)
{
	member *one = ecalloc(1, sizeof(*one));
	weft_awaitable *awaitable = weft_awaitable_of(Z_OBJ_P(value));

	one->group = self;
	one->object = Z_OBJ_P(value);
	ZVAL_COPY_VALUE(&one->key, key);
	*self->last = one;
	self->last = &one->next;
	self->count++;
	if (awaitable->completed) {
		note_end(one);
		return;
	}
	one->awaiter.notify = member_on_end;
	weft_awaitable_link(awaitable, &one->awaiter);
}

/* Stops early when it has what it wants: an iterator may make its coroutines one by one, and wait in between. */
static bool group_collect(group *self, zval *iterable, const weft_awaitable *token)
{
	weft_iterable source;
	zval key, value;
	bool ok = weft_iterable_begin(&source, iterable);

	while (ok && !is_enough(self)) {
		if (source.iterator && token && token->completed) {
			break;
		}
		self->complete = !weft_iterable_next(&source, &key, &value);
		if (self->complete) {
			break;
		}
		ok = may_be_member(self, &key, &value);
		if (ok) {
			group_add(self, &key, &value);
		} else {
			zval_ptr_dtor(&key);
			zval_ptr_dtor(&value);
		}
	}
	weft_iterable_end(&source);
	return !EG(exception);
}

/* --- waiting --- */

static const char several[] = "several coroutines";

/* A wait for any of them ends in another way as well. */
bool weft_group_each(const weft_coroutine *waiter, weft_awaited_visitor visit, void *arg)
{
	const group *self = waiter->wait.what == several ? waiter->wait.on : NULL;

	if (!self || (self->wanted != ALL && self->wanted != ALL_OR_FAIL)) {
		return false;
	}
	for (const member *one = self->first; one; one = one->next) {
		bool waits = one->awaiter.link && one->object->ce == weft_ce_coroutine;

		if (waits && visit(weft_coroutine_object_from(one->object)->coroutine, arg)) {
			return true;
		}
	}
	return false;
}

static bool group_wait(group *self, weft_awaitable *token)
{
	weft_awaiter on_token = {.coroutine = weft_current};
	weft_wait_info info = {.what = several, .fd = -1, .on = self};
	int result = 0;

	if (token) {
		weft_awaitable_link(token, &on_token);
	}
	self->waiter = weft_current;
	while (!is_done(self) && !(token && token->completed) && result == 0) {
		result = weft_suspend(&info);
	}
	self->waiter = NULL;
	if (token) {
		weft_awaitable_unlink(&on_token);
	}
	return result == 0 && !EG(exception);
}

/* True when the group has what it wants; otherwise an exception is pending. */
static bool get(group *self, zval *iterable, zend_object *token, const char *what)
{
	weft_awaitable *on = token ? weft_awaitable_of(token) : NULL;

	if (!group_collect(self, iterable, on)) {
		return false;
	}
	if (!is_done(self) && !(weft_async_may_wait(what) && group_wait(self, on))) {
		return false;
	}
	if (!is_done(self)) {
		weft_awaitable_give_up(token);
		return false;
	}
	return true;
}

/* --- the end --- */

static void group_cancel_rest(group *self)
{
	zend_object *cancellation = NULL;

	for (member *one = self->first; one; one = one->next) {
		if (!one->awaiter.link || one->object->ce != weft_ce_coroutine) {
			continue;
		}
		if (!cancellation) {
			cancellation = weft_async_exception(weft_ce_cancellation,
				"Another one of those that are awaited together failed");
		}
		weft_coroutine_object_cancel(one->object, cancellation);
	}
	if (cancellation) {
		OBJ_RELEASE(cancellation);
	}
}

/* Who asked for one of them does not ask what became of the others. */
static void ignore_rest(group *self)
{
	for (member *one = self->first; one; one = one->next) {
		if (one->object->ce == weft_ce_coroutine) {
			weft_coroutine_object_ignore(one->object);
		}
	}
}

static void group_drop(group *self)
{
	member *next;

	for (member *one = self->first; one; one = one->next) {
		if (one->awaiter.link) {
			weft_awaitable_unlink(&one->awaiter);
		}
	}
	for (member *one = self->first; one; one = next) {
		next = one->next;
		OBJ_RELEASE(one->object);
		zval_ptr_dtor(&one->key);
		efree(one);
	}
	efree(self);
}

/* Takes over the value. */
static void result_put(zval *array, const member *one, zval *value)
{
	if (Z_TYPE(one->key) == IS_STRING) {
		zend_symtable_update(Z_ARRVAL_P(array), Z_STR(one->key), value);
	} else {
		zend_hash_index_update(Z_ARRVAL_P(array), Z_LVAL(one->key), value);
	}
}

static void put_outcome(const member *one, zval *results, zval *errors, bool fill_null)
{
	zval result, error;
	zend_object *exception;

	if (one->too_late) {
		return;
	}
	exception = weft_awaitable_outcome(one->object, &result);
	if (!exception) {
		result_put(results, one, &result);
		return;
	}
	ZVAL_OBJ(&error, exception);
	result_put(errors, one, &error);
	if (fill_null) {
		ZVAL_NULL(&result);
		result_put(results, one, &result);
	}
}

static void put_outcomes(const group *self, zval *results, zval *errors, bool input_order, bool fill_null)
{
	if (input_order) {
		for (const member *one = self->first; one; one = one->next) {
			put_outcome(one, results, errors, fill_null);
		}
	} else {
		for (const member *one = self->first_ended; one; one = one->next_ended) {
			put_outcome(one, results, errors, fill_null);
		}
	}
}

static const member *first_that(const group *self, bool failed)
{
	const member *one = self->first_ended;

	while (one && weft_awaitable_failed(one->object) != failed) {
		one = one->next_ended;
	}
	return one;
}

static void return_or_throw(const member *one, zval *return_value)
{
	zend_object *exception = weft_awaitable_outcome(one->object, return_value);

	if (exception) {
		zend_throw_exception_internal(exception);
	}
}

static void return_pair(zval *return_value, zval *first, zval *second)
{
	array_init_size(return_value, 2);
	add_next_index_zval(return_value, first);
	add_next_index_zval(return_value, second);
}

/* --- the functions --- */

/* NULL when that is no token: then an exception is pending. */
static group *group_begin(wanted wanted, zend_object *token)
{
	group *self = ecalloc(1, sizeof(*self));

	self->wanted = wanted;
	self->last = &self->first;
	self->last_ended = &self->first_ended;
	if (token && !weft_is_awaitable(token)) {
		zend_argument_type_error(argument_of_iterable(self) + 1,
			"must be an Async\\Coroutine or an Async\\Timeout, %s given", ZSTR_VAL(token->ce->name));
		group_drop(self);
		return NULL;
	}
	return self;
}

ZEND_FUNCTION(Async_await_all)
{
	zval *iterable, results, errors;
	zend_object *token = NULL;
	bool input_order = true, fill_null = false;
	group *self;

	ZEND_PARSE_PARAMETERS_START(1, 4)
		Z_PARAM_ITERABLE(iterable)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(token, weft_ce_completable)
		Z_PARAM_BOOL(input_order)
		Z_PARAM_BOOL(fill_null)
	ZEND_PARSE_PARAMETERS_END();
	self = group_begin(ALL, token);
	if (!self) {
		RETURN_THROWS();
	}
	if (get(self, iterable, token, "Async\\await_all()")) {
		array_init_size(&results, self->count - self->failed);
		array_init_size(&errors, self->failed);
		put_outcomes(self, &results, &errors, input_order, fill_null);
		return_pair(return_value, &results, &errors);
	}
	group_drop(self);
}

ZEND_FUNCTION(Async_await_all_or_fail)
{
	zval *iterable;
	zend_object *token = NULL;
	bool input_order = true;
	group *self;

	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_ITERABLE(iterable)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(token, weft_ce_completable)
		Z_PARAM_BOOL(input_order)
	ZEND_PARSE_PARAMETERS_END();
	self = group_begin(ALL_OR_FAIL, token);
	if (!self) {
		RETURN_THROWS();
	}
	if (get(self, iterable, token, "Async\\await_all_or_fail()")) {
		if (self->failed) {
			ignore_rest(self);
			group_cancel_rest(self);
			return_or_throw(first_that(self, true), return_value);
		} else {
			array_init_size(return_value, self->count);
			put_outcomes(self, return_value, NULL, input_order, false);
		}
	}
	group_drop(self);
}

ZEND_FUNCTION(Async_await_any_or_fail)
{
	zval *iterable;
	zend_object *token = NULL;
	group *self;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ITERABLE(iterable)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(token, weft_ce_completable)
	ZEND_PARSE_PARAMETERS_END();
	self = group_begin(ANY, token);
	if (!self) {
		RETURN_THROWS();
	}
	if (get(self, iterable, token, "Async\\await_any_or_fail()") && self->ended) {
		ignore_rest(self);
		return_or_throw(self->first_ended, return_value);
	}
	group_drop(self);
}

static void leave_out_who_comes_too_late(group *self)
{
	uint32_t results = 0;

	for (member *one = self->first; one; one = one->next) {
		one->too_late = true;
	}
	for (member *one = self->first_ended; one && results < self->enough; one = one->next_ended) {
		one->too_late = false;
		results += !weft_awaitable_failed(one->object);
	}
}

/* How many results are wanted. */
static group *begin_any_of(wanted wanted, zend_long count, zend_object *token)
{
	group *self;

	if (count < 0) {
		zend_argument_value_error(1, "must be greater than or equal to 0");
		return NULL;
	}
	self = group_begin(wanted, token);
	if (self) {
		self->enough = (uint32_t) MIN(count, UINT32_MAX);
	}
	return self;
}

ZEND_FUNCTION(Async_await_any_of)
{
	zval *iterable, results, errors;
	zend_object *token = NULL;
	bool input_order = true, fill_null = false;
	zend_long count;
	group *self;

	ZEND_PARSE_PARAMETERS_START(2, 5)
		Z_PARAM_LONG(count)
		Z_PARAM_ITERABLE(iterable)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(token, weft_ce_completable)
		Z_PARAM_BOOL(input_order)
		Z_PARAM_BOOL(fill_null)
	ZEND_PARSE_PARAMETERS_END();
	self = begin_any_of(ANY_OF, count, token);
	if (!self) {
		RETURN_THROWS();
	}
	if (get(self, iterable, token, "Async\\await_any_of()")) {
		ignore_rest(self);
		leave_out_who_comes_too_late(self);
		array_init(&results);
		array_init(&errors);
		put_outcomes(self, &results, &errors, input_order, fill_null);
		return_pair(return_value, &results, &errors);
	}
	group_drop(self);
}

ZEND_FUNCTION(Async_await_any_of_or_fail)
{
	zval *iterable;
	zend_object *token = NULL;
	bool input_order = true;
	const member *failure;
	zend_long count;
	group *self;

	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_LONG(count)
		Z_PARAM_ITERABLE(iterable)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(token, weft_ce_completable)
		Z_PARAM_BOOL(input_order)
	ZEND_PARSE_PARAMETERS_END();
	self = begin_any_of(ANY_OF_OR_FAIL, count, token);
	if (!self) {
		RETURN_THROWS();
	}
	if (get(self, iterable, token, "Async\\await_any_of_or_fail()")) {
		ignore_rest(self);
		leave_out_who_comes_too_late(self);
		failure = first_that(self, true);
		if (failure && !failure->too_late) {
			return_or_throw(failure, return_value);
		} else {
			array_init(return_value);
			put_outcomes(self, return_value, NULL, input_order, false);
		}
	}
	group_drop(self);
}

ZEND_FUNCTION(Async_await_first_success)
{
	zval *iterable, result, errors;
	zend_object *token = NULL;
	const member *winner;
	group *self;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ITERABLE(iterable)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(token, weft_ce_completable)
	ZEND_PARSE_PARAMETERS_END();
	self = group_begin(FIRST_SUCCESS, token);
	if (!self) {
		RETURN_THROWS();
	}
	if (get(self, iterable, token, "Async\\await_first_success()")) {
		ignore_rest(self);
		winner = first_that(self, false);
		ZVAL_NULL(&result);
		array_init_size(&errors, self->failed);
		for (const member *one = self->first_ended; one != winner; one = one->next_ended) {
			put_outcome(one, NULL, &errors, false);
		}
		if (winner) {
			(void) weft_awaitable_outcome(winner->object, &result);
		}
		return_pair(return_value, &result, &errors);
	}
	group_drop(self);
}
