/*
 * What a request may spawn. A coroutine costs memory that PHP's heap does not know of: its record and the pages of its
 * stack. So each counts against the request's memory_limit and the worker's --max-memory, and there is a limit of their
 * number, which a runaway reaches before its neighbours feel it.
 */
#include "async/weft_async.h"
#include "domain/weft_domain.h"
#include "domain/weft_memory.h"

#include "zend_exceptions.h"

/* What a coroutine that waits not far below its entry has touched of its stack: the page at the top, where the first
 * frames of the VM lie, and one for the frames in C. */
#define RESIDENT_STACK 8192
#define COROUTINE_MEMORY ((zend_long) (sizeof(weft_coroutine) + RESIDENT_STACK))
/* Of --max-memory, for the coroutines of all requests: the rest is for what honest requests allocate. */
#define SHARE_OF_COROUTINES 2

zend_class_entry *weft_ce_spawn_refused;
static uint32_t limit;

void weft_spawn_set_limit(uint32_t coroutines)
{
	limit = coroutines;
}

static ZEND_COLD bool refuse(const char *why)
{
	zend_throw_exception_ex(weft_ce_spawn_refused, 0, "Async\\spawn() is refused: %s", why);
	return false;
}

static ZEND_COLD bool refuse_more(uint32_t count)
{
	zend_throw_exception_ex(weft_ce_spawn_refused, 0,
		"Async\\spawn() is refused: this request has %u coroutines, which is the limit (weft.coroutines)", count);
	return false;
}

bool weft_spawn_begin(void)
{
	weft_domain *domain = weft_domain_in_place;
	weft_domain_coroutines *own;

	if (!domain) {
		return true;
	}
	own = weft_domain_coroutines_of(domain);
	if (UNEXPECTED(own->refused)) {
		return refuse("the request is over, and so is the time for what outlives it (weft.http_linger_ms)");
	}
	if (UNEXPECTED(limit && own->count >= limit)) {
		return refuse_more(own->count);
	}
	if (UNEXPECTED(weft_memory_total() &&
			weft_memory_charged() + COROUTINE_MEMORY > weft_memory_total() / SHARE_OF_COROUTINES)) {
		return refuse("the coroutines of this worker's requests use half of its memory (--max-memory)");
	}
	weft_domain_charge(domain, COROUTINE_MEMORY);
	own->count++;
	return true;
}

void weft_spawn_end(const weft_coroutine *coroutine)
{
	if (coroutine->domain) {
		weft_domain_coroutines_of(coroutine->domain)->count--;
		weft_domain_charge(coroutine->domain, -COROUTINE_MEMORY);
	}
}
