/*
 * The process's environment variables, changed while threads of the pool for name look-ups may read them: getaddrinfo()
 * asks for RES_OPTIONS, LOCALDOMAIN, HOSTALIASES and others.
 */
#ifndef WEFT_ENVIRON_H
#define WEFT_ENVIRON_H

/* value NULL: takes the variable away. What was there before is freed when no look-up can be reading it any more. */
void weft_environ_set(const char *name, const char *value);

#endif /* WEFT_ENVIRON_H */
