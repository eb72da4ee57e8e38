/*
 * Where the VM may leave a request that does not wait.
 */
#ifndef WEFT_PREEMPT_H
#define WEFT_PREEMPT_H

#include "php.h"

/* At an interrupt of the VM in that frame, or in none (a shutdown function has returned): whether weft_preempt() may be
 * called. */
bool weft_may_preempt(const zend_execute_data *frame);

/* Whether code goes on rightly after an interrupt of the VM. OPcache's function JIT keeps variables in registers
 * that it does not write back before it serves one, so a loop computes something else: in plain PHP with pcntl's
 * signals as well as here. Its tracing JIT does not. For when OPcache's directives are registered. */
bool weft_interrupts_are_harmless(void);

#endif /* WEFT_PREEMPT_H */
