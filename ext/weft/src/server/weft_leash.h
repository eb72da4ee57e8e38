/*
 * What the workers of a generation hear of the supervisor, whatever has become of their zygote: one end of a socket
 * that all of them have. A message stays in it, so that each of them sees it; its end is the supervisor's.
 *
 * No signal tells of that end: it would cut short what a request waits for.
 */
#ifndef WEFT_LEASH_H
#define WEFT_LEASH_H

#include "server/weft_process.h"

typedef enum {
	WEFT_LEASH_SILENT,
	WEFT_LEASH_DRAIN,  /* the server stops: answer what has come and what waits, then end */
	WEFT_LEASH_RETIRE, /* another generation serves: answer what has come, then end */
	WEFT_LEASH_GONE    /* there is no supervisor */
} weft_leash_word;

/* pair[0] is the supervisor's end. False with errno. */
bool weft_leash_new(int pair[2]);
/* The first word counts: whoever has been told to drain does. */
void weft_leash_tell(int fd, weft_leash_word word);
/* What was told, or the end. */
weft_leash_word weft_leash_heard(int fd);

#endif /* WEFT_LEASH_H */
