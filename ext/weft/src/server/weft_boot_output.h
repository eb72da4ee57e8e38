/*
 * What an application prints while it boots. It is kept until that has come to an end: an application that serves has
 * printed it where the command line prints, of one that calls exit() the end tells it, as text, and no other word.
 */
#ifndef WEFT_BOOT_OUTPUT_H
#define WEFT_BOOT_OUTPUT_H

#include "php.h"

/* From now on it is kept. */
void weft_boot_output_hold(void);
/* It has booted, or the reason why not is known: prints what was kept. */
void weft_boot_output_release(void);
/* It has not: what was printed, without tags and as much as a person reads; NULL: nothing. The rest is forgotten. */
zend_string *weft_boot_output_take(void);

#endif /* WEFT_BOOT_OUTPUT_H */
