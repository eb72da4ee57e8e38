/*
 * Everything random that a process has seeded before a fork, made to be seeded anew in the child.
 */
#ifndef WEFT_ENTROPY_H
#define WEFT_ENTROPY_H

void weft_entropy_after_fork(void);

#endif /* WEFT_ENTROPY_H */
