/*
 * A look-up on the DNS pool, and the coroutine that waits for it.
 *
 * The thread works on memory of the look-up's own: a coroutine may be cancelled while it waits, and then what it
 * passed is gone long before the thread is done.
 */
#ifndef WEFT_LOOKUP_H
#define WEFT_LOOKUP_H

#include "coroutine/weft_coroutine.h"
#include "reactor/weft_dns.h"

typedef struct weft_lookup weft_lookup;
struct weft_lookup {
	void (*run)(weft_lookup *lookup);     /* on the thread */
	void (*release)(weft_lookup *lookup); /* frees the look-up and all it holds */
	int result;                           /* what the libc call returned */
	int error;                            /* its errno */
	int h_error;                          /* its h_errno */
	weft_dns_job job;
	weft_coroutine *waiter; /* NULL: cancelled, nobody wants the answer */
	bool finished;
};

/* Runs it and waits. 0: the answer is there, and the caller releases the look-up. Else an errno: the look-up is
 * gone, or goes when the thread has finished. */
int weft_lookup_wait(weft_lookup *lookup, const char *what);

#endif /* WEFT_LOOKUP_H */
