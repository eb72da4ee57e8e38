/*
 * Child processes of requests, each told of its own.
 */
#ifndef WEFT_CHILDREN_H
#define WEFT_CHILDREN_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>

/* Whether "any child" is one of the request in place. */
bool weft_children_apart(void);
/* wait4() for any child of it. */
pid_t weft_children_wait(int *status, int options, struct rusage *usage);

/* The request in place has started one. */
void weft_child_begun(pid_t pid);
/* Its end was told: the number may be another's soon. */
void weft_child_ended(pid_t pid);
/* The request has ended. */
void weft_children_orphan(const void *domain);
/* In a process that was forked: they are not its children. */
void weft_children_forget(void);

#endif /* WEFT_CHILDREN_H */
