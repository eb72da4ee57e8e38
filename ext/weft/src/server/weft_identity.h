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

/* A server that renews its certificates reads keys that are root's. So before it becomes another user it asks to keep
 * that one right, to read any file, which it then has between begin and end alone. Programs that it executes have none
 * of it, but for the one that takes its place. */
void weft_identity_keep_reading(void);
void weft_identity_begin_reading(void);
void weft_identity_end_reading(void);
/* The next program that this process executes may do the same. */
void weft_identity_hand_on_reading(void);

#endif /* WEFT_IDENTITY_H */
