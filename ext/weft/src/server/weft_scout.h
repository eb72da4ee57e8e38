/*
 * A child of the zygote that does something first, for what it leaves in shared memory, and is gone.
 */
#ifndef WEFT_SCOUT_H
#define WEFT_SCOUT_H

#include "php.h"

/* Calls it in a child process, which ends with it, and waits. What the child says, and what becomes of it, is of no
 * interest: whatever goes wrong there goes wrong here again, where it is reported. */
void weft_scout_send(zend_fcall_info *info, zend_fcall_info_cache *cache);

#endif /* WEFT_SCOUT_H */
