/*
 * What valgrind is told, and asked. Built without its header, nothing is said, and it is never there; then it takes a
 * switch between two stacks of one slab for the growth of one.
 */
#ifndef WEFT_VALGRIND_H
#define WEFT_VALGRIND_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#ifdef HAVE_VALGRIND_VALGRIND_H
#include <valgrind/memcheck.h>
#include <valgrind/valgrind.h>
/* Of valgrind's tools only memcheck answers this, and only it knows which bytes were never written. */
#define WEFT_MEMCHECK_WATCHES(place) (VALGRIND_MAKE_MEM_DEFINED(&(place), sizeof(place)) != 0)
#else
#define WEFT_MEMCHECK_WATCHES(place) false
#define VALGRIND_STACK_REGISTER(start, end) 0
#define VALGRIND_STACK_DEREGISTER(id) ((void) (id))
#define VALGRIND_MAKE_MEM_DEFINED(start, size) ((void) 0)
#endif

#endif /* WEFT_VALGRIND_H */
