/*
 * Seeds anew: PHP's generators, and those of extensions that keep one of their own.
 */
#include "server/weft_entropy.h"

#include "php.h"
#include "ext/random/php_random.h"
#include "weft_compat.h"

#include <stdlib.h>
#include <sys/random.h>

/* ext/gmp keeps a generator of its own, in globals that it doesn't export. */
static void seed_gmp(zend_long seed)
{
	zval argument, result;
	zend_function *function = zend_hash_str_find_ptr(CG(function_table), "gmp_random_seed",
		sizeof("gmp_random_seed") - 1);
	if (function == NULL) {
		return;
	}
	ZVAL_LONG(&argument, seed);
	ZVAL_UNDEF(&result);
	zend_call_known_function(function, NULL, NULL, &result, 1, &argument, NULL);
	zval_ptr_dtor(&result);
}

void weft_entropy_after_fork(void)
{
	zend_long seed = 0;
	/* mt_rand(), shuffle(), str_shuffle(), array_rand() */
	RANDOM_G(mt19937_seeded) = false;
	/* lcg_value(), uniqid('', true), the session module's garbage collection */
	RANDOM_G(combined_lcg_seeded) = false;
	WEFT_FORGET_FALLBACK_SEED();
	/* random_bytes() asks the kernel each time, and OpenSSL notices a fork by itself. What is left is libc's
	 * generator, for libraries that use it, and ext/gmp's. */
	if (getrandom(&seed, sizeof(seed), 0) == (ssize_t) sizeof(seed)) {
		srandom((unsigned) seed);
		seed_gmp(seed);
	}
}
