/*
 * The PHP API of namespace Async: the floor's own declarations.
 */
#ifndef WEFT_ASYNC_H
#define WEFT_ASYNC_H

#include "coroutine/weft_coroutine.h"

extern zend_class_entry *weft_ce_completable;
extern zend_class_entry *weft_ce_coroutine;
extern zend_class_entry *weft_ce_timeout;
extern zend_class_entry *weft_ce_async_exception;
extern zend_class_entry *weft_ce_cancellation;
extern zend_class_entry *weft_ce_canceled;
extern zend_class_entry *weft_ce_timeout_exception;
extern zend_class_entry *weft_ce_deadlock;
extern zend_class_entry *weft_ce_spawn_refused;

/* --- awaitables: the first member of each completable object --- */

typedef struct weft_awaiter weft_awaiter;
struct weft_awaiter {
	weft_coroutine *coroutine;             /* to be woken; or NULL, and then: */
	void (*notify)(weft_awaiter *awaiter); /* may unlink its own awaiter, runs no PHP code */
	weft_awaiter *next, **link;
};

typedef struct {
	weft_awaiter *awaiters;
	bool completed;
	bool cancelled;
	const char *what; /* for people: "coroutine", "timeout" */
	uint64_t id;      /* for people; 0: it has none */
} weft_awaitable;

/* Every Completable's object struct begins with its weft_awaitable. */
static inline weft_awaitable *weft_awaitable_of(zend_object *object)
{
	return (weft_awaitable *) ((char *) object - object->handlers->offset);
}

/* Whether it is of a class of ours that can be awaited: an awaitable_of() makes sense. */
static inline bool weft_is_awaitable(const zend_object *object)
{
	return object->ce == weft_ce_coroutine || object->ce == weft_ce_timeout;
}
void weft_awaitable_link(weft_awaitable *awaitable, weft_awaiter *awaiter);
void weft_awaitable_unlink(weft_awaiter *awaiter);
/* It is done: wakes or notifies who waits, in the order in which they began to. */
void weft_awaitable_complete(weft_awaitable *awaitable);
/* Suspends the running coroutine until one of the two is completed; `token` may be NULL. False when an exception
 * (cancellation, deadlock) came first. */
bool weft_awaitable_wait(weft_awaitable *awaitable, weft_awaitable *token);
/* Whether a completed one ended with an exception. */
bool weft_awaitable_failed(zend_object *object);
/* What became of a completed one: NULL and a copy of its result, or the exception that ended it (a new reference). */
zend_object *weft_awaitable_outcome(zend_object *object, zval *result);
/* Those that a coroutine waits for together, if it does. As weft_each_awaited(). */
bool weft_group_each(const weft_coroutine *waiter, weft_awaited_visitor visit, void *arg);
/* Throws what a completed cancellation token stands for. */
void weft_awaitable_give_up(zend_object *token);
/* Whether await() and its like may suspend here; throws when not. `what` names the caller. */
bool weft_async_may_wait(const char *what);

/* --- weft_spawn.c: what a request may spawn --- */

/* As many coroutines at once for each request as that from now on; 0: any number. */
void weft_spawn_set_limit(uint32_t coroutines);
/* Counts one more coroutine of the running domain, and its memory. False when it may have none: a Weft\SpawnRefused
 * is thrown. Without a domain, that is in a script, there is no limit. */
bool weft_spawn_begin(void);
/* It has ended; before its domain is dropped. */
void weft_spawn_end(const weft_coroutine *coroutine);

/* --- weft_fiber.c: the Fiber of a coroutine --- */

/* The coroutine has ended with that result; NULL: with an exception. What a WeakMap has for its Fiber is freed, so PHP
 * code may run. */
void weft_fiber_end(weft_coroutine *coroutine, const zval *result);
/* The same after a fatal error, where no PHP code may run: PHP frees the Fiber with all other objects. */
void weft_fiber_forget(weft_coroutine *coroutine);
void weft_fiber_minit(void);

/* --- Coroutine objects --- */

/* A new one, queued; NULL with an exception when none may be spawned. `callable` must be callable; its cache is
 * `fcc`. */
zend_object *weft_coroutine_object_spawn(zval *callable, zend_fcall_info_cache *fcc, uint32_t argc, zval *argv,
	HashTable *named);
/* The object of a coroutine, made when it has none (the main script, a request). A new reference. */
zend_object *weft_coroutine_object_of(weft_coroutine *coroutine);
bool weft_coroutine_object_failed(zend_object *object);
/* As weft_awaitable_outcome(). */
zend_object *weft_coroutine_object_outcome(zend_object *object, zval *result);
/* Nobody will ask what becomes of it, and that is no mistake: an exception of its own is not reported. */
void weft_coroutine_object_ignore(zend_object *object);
/* exit() is unwinding the running coroutine, which ends here: in a script, so does the main script. */
void weft_coroutine_exit(void);
/* Cancels it and its children; nothing when it has ended. */
void weft_coroutine_object_cancel(zend_object *object, zend_object *cancellation);

/* --- Timeout objects --- */

/* The deadline that many milliseconds (not below 0) from now; a century when they are more. */
uint64_t weft_async_deadline(zend_long milliseconds);

zend_object *weft_timeout_object_new(zend_long milliseconds);
/* Its TimeoutException or its cancellation: a new reference. */
zend_object *weft_timeout_object_outcome(zend_object *object);

/* A new exception object with this message. */
zend_object *weft_async_exception(zend_class_entry *ce, const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 2, 3);
/* The same with whom a cancellation is for: its trace is empty, since whoever runs now may have nothing to do with it,
 * and its frames are none of the other one's business. */
zend_object *weft_async_cancellation_for_others(const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 1, 2);

/* File and line of the innermost PHP code at or above a frame; NULL and 0 when there is none. */
const char *weft_frame_location(const zend_execute_data *frame, uint32_t *line);
/* The innermost frame of PHP code from there on; NULL: there is none. */
const zend_execute_data *weft_innermost_php(const zend_execute_data *frame);

/* Whether exit() has ended the script, in the main script or in a coroutine of it. */
extern bool weft_script_exits;
void weft_exit_minit(void);

void weft_coroutine_object_minit(void);
void weft_timeout_object_minit(void);
/* A deadlock of the whole script throws a DeadlockError into the main script. */
void weft_deadlock_minit(void);
/* weft.test_coroutine and its like: last at the start of a request, and after the coroutines at its end. */
void weft_test_mode_rinit(void);
void weft_test_mode_rshutdown(void);
void weft_async_minit(void);
void weft_async_rinit(void);

#endif /* WEFT_ASYNC_H */
