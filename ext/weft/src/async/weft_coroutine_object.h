/*
 * What an Async\Coroutine holds. Private to its two files: its life, and what PHP code may ask it.
 */
#ifndef WEFT_COROUTINE_OBJECT_H
#define WEFT_COROUTINE_OBJECT_H

#include "async/weft_async.h"

typedef struct {
	weft_awaitable awaitable;
	weft_coroutine *coroutine; /* NULL once it has ended */
	zval callable;
	zend_fcall_info_cache fcc;
	zval *argv;
	HashTable *named;
	uint32_t argc;
	bool started;
	bool cancel_requested; /* known once it has ended: until then the coroutine knows */
	bool exception_seen;   /* somebody has got to know of it */
	zval result;
	zend_object *exception;
	zval finally; /* a list of closures, or undefined */
	zend_string *spawn_file;
	uint32_t spawn_line;
	zend_object std;
} weft_coroutine_object;

static inline weft_coroutine_object *weft_coroutine_object_from(zend_object *object)
{
	return (weft_coroutine_object *) weft_awaitable_of(object);
}

/* What was spawned, copied; null when PHP code did not spawn it itself (the driver of iterate()). */
void weft_coroutine_object_callable(const weft_coroutine *coroutine, zval *callable);

/* Calls those that finally() has collected. */
void weft_coroutine_object_call_finally(weft_coroutine_object *self);

#endif /* WEFT_COROUTINE_OBJECT_H */
