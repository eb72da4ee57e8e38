/*
 * Whom a server that was started as root becomes, once it listens.
 */
#ifndef WEFT_IDENTITY_H
#define WEFT_IDENTITY_H

#include <stdbool.h>

/* By name or number; NULL: the user's own group, the present user. With the user's other groups, HOME, USER and
 * LOGNAME. Nothing to do for who is that user already. False with an exception: there is none of that name, or this is
 * not root. */
bool weft_identity_take(const char *user, const char *group);

#endif /* WEFT_IDENTITY_H */
