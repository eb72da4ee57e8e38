/*
 * Quarantine: while warm-up requests run, the calls that would leave the process are refused, and the clock and
 * the kernel's random numbers are whatever the warm-up wants them to be. It replaces import tables as interposition
 * does, before that is installed; never both at once.
 */
#ifndef WEFT_QUARANTINE_H
#define WEFT_QUARANTINE_H

#include "php.h"

/* offset: seconds that the clock is ahead. seed: NULL for real random numbers and a clock that runs; else the clock
 * stands still (always at the same time), and random bytes depend on the seed and their number alone, whoever asks
 * and how often. Changes the settings of a quarantine that has begun. False with an exception when interposition is
 * installed. */
bool weft_quarantine_begin(zend_long offset, const char *seed);
/* What has been refused since the last time, as one line; NULL: nothing. */
zend_string *weft_quarantine_refused(void);
bool weft_quarantine_begun(void);
void weft_quarantine_end(void);

#endif /* WEFT_QUARANTINE_H */
