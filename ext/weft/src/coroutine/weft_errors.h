/*
 * What PHP's error handler must not do while several requests share a process: mark the objects of all of them as
 * destructed when one meets a fatal error, and run the application's code in the middle of a switch.
 */
#ifndef WEFT_ERRORS_H
#define WEFT_ERRORS_H

#include "php.h"

/* After a bailout that others survive: the destructors of their objects will run. */
void weft_errors_spare_destructors(void);

/* After a bailout, once: whether a fatal error is the reason. PHP also bails out where there is no frame to unwind to:
 * a destructor at the end has called exit(), or has thrown. */
bool weft_errors_take_fatal(void);

typedef struct {
	zend_object *exception;
	zend_error_handling_t error_handling;
	bool quiet;
} weft_errors_state;

/* Between these two an error or exception goes to stderr and never to PHP code. They may be nested. */
void weft_errors_quiet_begin(weft_errors_state *state);
void weft_errors_quiet_end(const weft_errors_state *state);

void weft_errors_minit(void);
void weft_errors_mshutdown(void);
void weft_errors_rshutdown(void);

#endif /* WEFT_ERRORS_H */
