#ifndef PHP_WEFT_H
#define PHP_WEFT_H

#include "php.h"
#include "weft_compat.h"

#define PHP_WEFT_VERSION "0.1.0"

extern zend_module_entry weft_module_entry;
#define phpext_weft_ptr &weft_module_entry

ZEND_BEGIN_MODULE_GLOBALS(weft)
	bool interpose;         /* weft.interpose */
	zend_long stack_size;   /* weft.stack_size: bytes of C stack of a coroutine */
	zend_long stack_pool;   /* weft.stack_pool: idle stacks kept for reuse */
	zend_long stress;       /* weft.stress: switch at every so many interrupts of the VM; 0: never */
	zend_long stress_seed;  /* weft.stress_seed: vary that number; 0: don't */
	bool test_coroutine;    /* weft.test_coroutine: the script is a coroutine from its first line */
	bool test_snapshot;     /* weft.test_snapshot: a snapshot before its first line; the ticker is another domain */
	zend_long test_ticker;  /* weft.test_ticker: milliseconds between two turns of a coroutine beside it; 0: none */
ZEND_END_MODULE_GLOBALS(weft)

ZEND_EXTERN_MODULE_GLOBALS(weft)
#define WEFT_G(v) (weft_globals.v)

#endif /* PHP_WEFT_H */
