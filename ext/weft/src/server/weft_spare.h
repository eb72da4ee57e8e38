/*
 * A spare: a process that was forked from the zygote when the application had booted, before anything was warm, and
 * waits. When the supervisor has learnt from the traffic which pages to warm, the spare becomes a zygote: it has the
 * code that serves, whatever is on the disk by now.
 */
#ifndef WEFT_SPARE_H
#define WEFT_SPARE_H

#include "php.h"

/* Descriptors that a spare is given when it becomes a zygote: the control socket, the leash, the board, and the socket
 * of its own spare. */
#define WEFT_SPARE_GIVEN 4

/* True in the spare. False in the zygote, also when there can be none. */
bool weft_spare_fork(void);
/* In the spare: announces itself, waits until it is to be a zygote, and takes its descriptors over. Returns the lines
 * that it was sent. Ends the process when the supervisor wants none any more. */
zend_string *weft_spare_wait(uint32_t most, uint64_t after_ms);

#endif /* WEFT_SPARE_H */
