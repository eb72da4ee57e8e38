/*
 * The one place that knows how PHP 8.2 to 8.6 differ.
 */
#ifndef WEFT_COMPAT_H
#define WEFT_COMPAT_H

#include "php.h"
#include "zend_alloc.h"
#include "zend_closures.h"
#include "zend_exceptions.h"

#if PHP_VERSION_ID < 80200 || PHP_VERSION_ID >= 80700
#error "Weft knows PHP 8.2 to 8.6: the layouts of others would be guessed"
#endif
#if ZEND_DEBUG && !defined(WEFT_DEBUG_PHP)
#error "Weft is not for a PHP with --enable-debug: configure --enable-weft-debug-php permits it"
#endif
#ifdef ZTS
#error "Weft needs a non-thread-safe (NTS) PHP"
#endif

/* Debian's security fix in 8.2.35 carries a pending out-of-memory state that unwinds instead of jumping. */
#ifdef ZEND_HAS_OOM
#define WEFT_HAVE_DELAYED_OOM 1
#endif

/* exit() became a function in 8.4. */
#define WEFT_EXIT_IS_OPCODE (PHP_VERSION_ID < 80400)

/* 8.3 evaluates the first value of a static variable where the variable is declared. */
#ifdef ZEND_BIND_INIT_STATIC_OR_JMP
#define WEFT_INITIALISES_STATIC(op) ((op)->opcode == ZEND_BIND_INIT_STATIC_OR_JMP)
#else
#define WEFT_INITIALISES_STATIC(op) false
#endif

/* What a suspended context looks like and which globals a switch saves are the engine's own business. Both are
 * known for 8.2, 8.4 and 8.5; weft_switch.h uses that. 8.3, of which nothing was seen, and what comes after 8.5 keep
 * the engine's switch. */
#define WEFT_KNOWN_SWITCH (PHP_VERSION_ID < 80300 || (PHP_VERSION_ID >= 80400 && PHP_VERSION_ID < 80600))

/* 8.5 puts off what it has to say while it compiles. When that ends in a fatal error it goes past the error handler. */
#define WEFT_FATAL_SILENCES_HANDLER (PHP_VERSION_ID >= 80500)

/* The names of the classes that autoloaders are looking for at this moment; NULL: none ever was. */
#if PHP_VERSION_ID >= 80600
#define WEFT_AUTOLOADING (&EG(autoload_current_classnames))
#else
#define WEFT_AUTOLOADING (EG(in_autoload))
#endif

static inline uint32_t weft_autoloading_count(void)
{
	const HashTable *names = WEFT_AUTOLOADING;

	return names ? zend_hash_num_elements(names) : 0;
}

/* 8.3 checks how far the C stack has grown at each call. */
#ifdef ZEND_CHECK_STACK_LIMIT
#define WEFT_SET_STACK_LIMIT(stack) \
	do { \
		EG(stack_base) = zend_fiber_stack_base(stack); \
		EG(stack_limit) = zend_fiber_stack_limit(stack); \
	} while (0)
#else
#define WEFT_SET_STACK_LIMIT(stack) ((void) (stack))
#endif

#define WEFT_SET_VM_INTERRUPT() zend_atomic_bool_store_ex(&EG(vm_interrupt), true)

#include "ext/standard/basic_functions.h"
#include "php_output.h"
#include "SAPI.h"

/* Appends an internal function to the script's shutdown functions. */
static inline void weft_append_shutdown_function(zend_function *function)
{
	php_shutdown_function_entry entry;

	memset(&entry, 0, sizeof(entry));
#if PHP_VERSION_ID < 80500
	entry.fci.size = sizeof(entry.fci);
	ZVAL_NULL(&entry.fci.function_name);
#endif
	entry.fci_cache.function_handler = function;
	append_user_shutdown_function(&entry);
}

/* 8.4 keeps the seed it falls back to when the kernel gives no randomness. */
#if PHP_VERSION_ID >= 80400
#define WEFT_FORGET_FALLBACK_SEED() (RANDOM_G(fallback_seed_state).initialized = false)
#else
#define WEFT_FORGET_FALLBACK_SEED() ((void) 0)
#endif

/* Where ext/random keeps the state of mt_rand() and lcg_value(). */
#if PHP_VERSION_ID >= 80400
#define WEFT_RANDOM_MT (&RANDOM_G(mt19937))
#define WEFT_RANDOM_LCG (&RANDOM_G(combined_lcg))
#define WEFT_RANDOM_LCG_SIZE sizeof(RANDOM_G(combined_lcg))
#else
#define WEFT_RANDOM_MT (RANDOM_G(mt19937)->state)
#define WEFT_RANDOM_LCG (RANDOM_G(combined_lcg)->state)
#define WEFT_RANDOM_LCG_SIZE sizeof(php_random_status_state_combinedlcg)
#endif

/* The state of a native random engine, which a Randomizer may use as well. */
#if PHP_VERSION_ID >= 80400
#define WEFT_RANDOM_ENGINE_STATE(object) (php_random_engine_from_obj(object)->engine.state)
#define WEFT_RANDOM_ENGINE_SIZE(object) (php_random_engine_from_obj(object)->engine.algo->state_size)
#else
#define WEFT_RANDOM_ENGINE_STATE(object) (php_random_engine_from_obj(object)->status->state)
#define WEFT_RANDOM_ENGINE_SIZE(object) (php_random_engine_from_obj(object)->algo->state_size)
#endif

/* What SPL's objects keep outside their slots (domain/hidden/weft_spl.h). 8.3 has neither of the two layouts, or one of
 * them: weft_spl.c finds out. */
#define WEFT_SPL_OF_8_4 (PHP_VERSION_ID >= 80400)

/* Objects whose properties appear at the first use: 8.4. */
#define WEFT_HAVE_LAZY_OBJECTS (PHP_VERSION_ID >= 80400)

/* The guards of an object's slot: of properties only until 8.4, which keeps other recursions there too. */
#ifdef Z_PROPERTY_GUARD_P
#define WEFT_GUARD_P(zv) Z_PROPERTY_GUARD_P(zv)
#else
#define WEFT_GUARD_P(zv) Z_GUARD_P(zv)
#endif

/* The fields of error_get_last() lie together and begin with the type; 8.4 has them in another order. */
#if PHP_VERSION_ID >= 80400
#define WEFT_LAST_FIELD_OF_ERROR last_error_file
#else
#define WEFT_LAST_FIELD_OF_ERROR last_error_lineno
#endif

/* 8.4 keeps the headers of the last answer for http_get_last_response_headers(). */
#define WEFT_HAVE_LAST_HTTP_HEADERS (PHP_VERSION_ID >= 80400)

/* 8.5 keeps where a fatal error came from. */
#define WEFT_HAVE_FATAL_BACKTRACE (PHP_VERSION_ID >= 80500)

/* What register_argc_argv is when no configuration says anything. */
#if PHP_VERSION_ID >= 80500
#define WEFT_DEFAULT_ARGC_ARGV "0"
#else
#define WEFT_DEFAULT_ARGC_ARGV "1"
#endif

/* A copied notifier of a stream context calls the same callback: a value until 8.5, which keeps what a call needs. */
static inline void weft_notifier_own_callback(php_stream_notifier *copy)
{
#if PHP_VERSION_ID >= 80500
	if (copy->ptr) {
		zend_fcall_info_cache *callback = emalloc(sizeof(*callback));

		zend_fcc_dup(callback, copy->ptr);
		copy->ptr = callback;
	}
#else
	Z_TRY_ADDREF(copy->ptr);
#endif
}

/* PDO's references to its objects: an object since 8.5, a value before. Needs ext/pdo's headers. */
#if PHP_VERSION_ID >= 80500
#define WEFT_PDO_OBJECT(member) (member)
#define WEFT_PDO_SET_OBJECT(member, object) ((member) = (object))
#define WEFT_PDO_QUERY_STATEMENT(dbh) ((dbh)->query_stmt_obj)
#define WEFT_PDO_FORGET_QUERY_STATEMENT(dbh) ((dbh)->query_stmt_obj = NULL)
#else
#define WEFT_PDO_OBJECT(member) Z_OBJ(member)
#define WEFT_PDO_SET_OBJECT(member, object) ZVAL_OBJ(&(member), object)
#define WEFT_PDO_QUERY_STATEMENT(dbh) Z_OBJ((dbh)->query_stmt_zval)
#define WEFT_PDO_FORGET_QUERY_STATEMENT(dbh) ZVAL_UNDEF(&(dbh)->query_stmt_zval)
#endif

/* Calls one of the script's shutdown functions. */
static inline void weft_call_shutdown_function(php_shutdown_function_entry *entry, zval *result)
{
#if PHP_VERSION_ID < 80500
	entry->fci.retval = result;
	zend_call_function(&entry->fci, &entry->fci_cache);
#else
	zend_call_known_fcc(&entry->fci_cache, result, entry->param_count, entry->params, NULL);
#endif
}

/* The arguments of a function that is kept, of which the caller gets a copy. */
static inline zval *weft_copy_arguments(const zval *arguments, uint32_t count)
{
	zval *copy = count ? safe_emalloc(count, sizeof(zval), 0) : NULL;

	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY(&copy[i], &arguments[i]);
	}
	return copy;
}

/* What basic_functions.c keeps of a tick function. */
typedef struct {
#if PHP_VERSION_ID < 80500
	zend_fcall_info fci;
	zend_fcall_info_cache fci_cache;
#else
	zend_fcall_info_cache fci_cache;
	zval *params;
	uint32_t param_count;
#endif
	bool calling;
} weft_user_tick;

/* What refers to a function: a copy of the bytes becomes a copy with references of its own. */
#if PHP_VERSION_ID < 80500
static inline void weft_hold_function(zend_fcall_info *info, zend_fcall_info_cache *cache)
{
	Z_TRY_ADDREF(info->function_name);
	if (cache->object) {
		GC_ADDREF(cache->object);
	}
	info->params = weft_copy_arguments(info->params, info->param_count);
}
#endif

static inline void weft_copy_shutdown_function(php_shutdown_function_entry *copy, php_shutdown_function_entry *entry)
{
	memcpy(copy, entry, sizeof(*copy));
#if PHP_VERSION_ID < 80500
	weft_hold_function(&copy->fci, &copy->fci_cache);
#else
	zend_fcc_dup(&copy->fci_cache, &entry->fci_cache);
	copy->params = weft_copy_arguments(entry->params, entry->param_count);
#endif
}

static inline void weft_hold_user_tick(weft_user_tick *tick)
{
#if PHP_VERSION_ID < 80500
	weft_hold_function(&tick->fci, &tick->fci_cache);
#else
	zend_fcall_info_cache cache = tick->fci_cache;

	zend_fcc_dup(&tick->fci_cache, &cache);
	tick->params = weft_copy_arguments(tick->params, tick->param_count);
#endif
	tick->calling = false;
}

/* The first entries of CG(map_ptr_base) that are the same in each request: 8.4 keeps internal functions' caches
 * there. */
#if PHP_VERSION_ID >= 80400
#define WEFT_MAP_PTR_STATIC zend_map_ptr_static_size
#else
#define WEFT_MAP_PTR_STATIC ((size_t) 0)
#endif

/* --- 8.6 --- */

/* A directive that holds text: a C string until 8.6. */
#if PHP_VERSION_ID >= 80600
#define WEFT_STRING_OF_INI(value) ZSTR_VAL(value)
#else
#define WEFT_STRING_OF_INI(value) (value)
#endif
#define WEFT_HAS_OUTPUT_HANDLER() (PG(output_handler) && *WEFT_STRING_OF_INI(PG(output_handler)))

/* What a function knows of its arguments: one kind for PHP's and C's functions since 8.6. */
#if PHP_VERSION_ID >= 80600
#define WEFT_ARG_INFO zend_arg_info
#else
#define WEFT_ARG_INFO zend_internal_arg_info
#endif

/* Until 8.6 the compiler puts aside an exception in flight. */
static inline void weft_exception_restore(void)
{
#if PHP_VERSION_ID < 80600
	zend_exception_restore();
#endif
}

/* The function of an output buffer that PHP code began; a reference for the caller. */
static inline void weft_output_handler_callback(const php_output_handler *handler, zval *callback)
{
#if PHP_VERSION_ID >= 80600
	zend_get_callable_zval_from_fcc(handler->func.user_fcc, callback);
#else
	ZVAL_COPY(callback, &handler->func.user->zoh);
#endif
}

/* header_register_callback()'s. */
static inline bool weft_header_callback_is_set(void)
{
#if PHP_VERSION_ID >= 80600
	return ZEND_FCC_INITIALIZED(SG(send_header_fcc));
#else
	return Z_TYPE(SG(callback_func)) != IS_UNDEF;
#endif
}

/* A value that header_register_callback() has accepted. */
static inline void weft_header_callback_set(zval *callback)
{
#if PHP_VERSION_ID >= 80600
	if (zend_is_callable_ex(callback, NULL, 0, NULL, &SG(send_header_fcc), NULL)) {
		zend_fcc_addref(&SG(send_header_fcc));
	} else {
		SG(send_header_fcc) = empty_fcall_info_cache;
	}
#else
	ZVAL_COPY(&SG(callback_func), callback);
#endif
}

static inline void weft_header_callback_clear(void)
{
	if (weft_header_callback_is_set()) {
#if PHP_VERSION_ID >= 80600
		zend_fcc_dtor(&SG(send_header_fcc));
#else
		zval_ptr_dtor(&SG(callback_func));
		ZVAL_UNDEF(&SG(callback_func));
#endif
	}
}

/* The object that a closure is bound to; `self` holds it for the caller. */
static inline zval *weft_closure_this(zval *closure, zval *self)
{
#if PHP_VERSION_ID >= 80600
	zend_object *bound = zend_get_closure_this_ptr(closure);

	if (bound) {
		ZVAL_OBJ(self, bound);
	} else {
		ZVAL_UNDEF(self);
	}
	return self;
#else
	(void) self;
	return zend_get_closure_this_ptr(closure);
#endif
}

#endif /* WEFT_COMPAT_H */
