/*
 * What looks at the base and tells people: what is shared although nobody asked for it, what a request changes.
 */
#ifndef WEFT_INSPECT_H
#define WEFT_INSPECT_H

#include "php.h"

/* The functions of Weft\Isolation and of Weft\Audit. From MINIT. */
void weft_isolation_register_functions(void);
void weft_audit_register_functions(void);

void weft_footprint(zval *return_value);

/* weft_uncovered.c */
/* How many of which class there are. */
void weft_uncovered_count(zval *return_value);
/* The same of what no domain can use: its first use throws. */
void weft_refused_count(zval *return_value);
/* One by one, with the way to each and the reason. Walks over the whole base. */
void weft_uncovered_list(zval *return_value);

/* What the base holds that can't be isolated, in a line for people; NULL when there is nothing. */
zend_string *weft_uncovered_line(void);

/* An open stream of which one request's use would be seen by others. */
bool weft_stream_keeps_state(const zend_resource *resource);

#endif /* WEFT_INSPECT_H */
