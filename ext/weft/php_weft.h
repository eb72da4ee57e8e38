/*
 * The module and its globals: the directives that more than one floor looks at, each with its name in php.ini.
 */
#ifndef PHP_WEFT_H
#define PHP_WEFT_H

#include "php.h"
#include "weft_compat.h"

#define PHP_WEFT_VERSION "0.1.0"

extern zend_module_entry weft_module_entry;
#define phpext_weft_ptr &weft_module_entry

ZEND_BEGIN_MODULE_GLOBALS(weft)
	bool interpose;        /* weft.interpose */
	char *proven_modules;  /* weft.proven_modules: the owner says that they may be left: weft_modules.h */
	char *guarded_modules; /* weft.guarded_modules: the owner says that one coroutine at a time may be in their calls */
	zend_long stack_size;  /* weft.stack_size: bytes of C stack of a coroutine */
	zend_long stack_pool;  /* weft.stack_pool: idle stacks kept for reuse */
	double time_slice;     /* weft.time_slice: milliseconds that a request may compute while others could run; 0: any */
	zend_long retiring_workers; /* weft.retiring_workers: at most so many finish requests beside their successors */
	double warm_timeout;        /* weft.warm_timeout: seconds for a warm-up, and as many for its rehearsal */
	double learn_after;         /* weft.learn_after: seconds until pages are learnt from traffic; each try doubles it */
	bool pdo_lease_request;     /* weft.pdo_lease: a connection stays leased until the request's end */
	zend_long pdo_pool_max;     /* weft.pdo_pool_max: connections of one pool in a worker; 0: no pools; -1: auto */
	zend_long pdo_request_max;  /* weft.pdo_request_max: connections that a request may keep beyond the limits */
	zend_long pdo_pool_min;     /* weft.pdo_pool_min: idle connections kept for ever */
	zend_long pdo_idle_time;    /* weft.pdo_idle_time: seconds; 0: no limit */
	zend_long pdo_max_life;     /* weft.pdo_max_life: seconds; 0: no limit */
	double pdo_acquire_timeout; /* weft.pdo_acquire_timeout: seconds */
	zend_long pdo_statement_cache; /* weft.pdo_statement_cache: statements of a connection; 0: none */

	/* for tests */
	zend_long stress;      /* weft.stress: switch at every so many interrupts of the VM; 0: never */
	zend_long stress_seed; /* weft.stress_seed: vary that number; 0: don't */
	bool test_coroutine;   /* weft.test_coroutine: the script is a coroutine from its first line */
	bool test_snapshot;    /* weft.test_snapshot: a snapshot before its first line; the ticker is another domain */
	zend_long test_ticker; /* weft.test_ticker: milliseconds between two turns of a coroutine beside it; 0: none */
ZEND_END_MODULE_GLOBALS(weft)

ZEND_EXTERN_MODULE_GLOBALS(weft)
#define WEFT_G(v) (weft_globals.v)

#endif /* PHP_WEFT_H */
