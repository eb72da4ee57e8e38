/*
 * Has any PHP code run since? When none has, no slot can have changed, and a scan would find nothing. Internal to the
 * floor.
 *
 * Every call of a PHP function takes room on the VM stack. So while somebody wants to know, the stack pretends to be
 * full: a call then takes a new page, and returning from it shows the page before at its real size. Code that goes on
 * without a call, in a generator or a fiber that is destroyed while it is suspended, is told by their destructors.
 */
#ifndef WEFT_QUIET_H
#define WEFT_QUIET_H

#include <stdbool.h>

/* From now on, on this VM stack. Ends an earlier question. */
void weft_quiet_begin(void);
/* No PHP code has run, and no other coroutine. False when nobody asked. */
bool weft_quiet_still(void);
void weft_quiet_end(void);

#endif /* WEFT_QUIET_H */
